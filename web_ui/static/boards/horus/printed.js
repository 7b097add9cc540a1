// What the mummies wear.

// Each is told by its crown as well as by its colour: a striped cloth, a tall crown, a flat one with its spire.
const MUMMIES = {
  initkaes: {
    linen: "#e2cf9f",
    sash: "#2b5fa3",
    crown: "M-14-5C-17-21-11-30 0-30S17-21 14-5L9-8C11-16 8-21 0-21S-11-16-9-8Z",
    trim: "M-12-14L-9-12M-11-21L-7-18M11-21L7-18M12-14L9-12M0-30V-21",
  },
  sanakht: {
    linen: "#d5ddbd",
    sash: "#3f6b2a",
    crown: "M-10-19C-11-28-6-32-5-39C-4-45 4-45 5-39C6-32 11-28 10-19C5-22-5-22-10-19Z",
    trim: "M-8-24C-3-26 3-26 8-24",
  },
  imhotep: {
    linen: "#e3bfa6",
    sash: "#a3311b",
    crown: "M-11-18V-29C-6-31 0-31 4-30L8-46H13L12-18C5-22-5-22-11-18Z",
    trim: "M-9-25H9M-1-31C-7-34-13-39-8-43C-4-45-3-39-6-39",
  },
};

export const mummy = (which) => MUMMIES[which];
