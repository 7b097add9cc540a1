// What is printed on the finds of sites that lie in no other box, drawn in a square of 40 round the origin.

const FINDS = {
  palestine: `M-15 2C-15 9-9 13-1 13S13 9 16 1C11 3 9 0 6-1H-9C-13-1-15-1-15 2ZM13-1C9-7 15-9 13-16
      C20-10 19-4 16 0M-6 13-9 17H6L3 13`,
};

export const find = (site) => FINDS[site];
