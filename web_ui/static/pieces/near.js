// On a phone a board is larger than the screen: what matters on it is brought into the part that is seen.

const EDGE = 30; // pixels of what lies round it that are seen, too

/** Where the board is seen: beneath the bar, and above what is asked where that lies at the bottom. */
function seen() {
  const bar = document.querySelector(".bar")?.getBoundingClientRect();
  const dock = document.querySelector(".dock")?.getBoundingClientRect();
  return { top: bar?.bottom ?? 0, bottom: dock && dock.left < innerWidth / 4 ? dock.top : innerHeight };
}

/** Brings a thing into the middle of what is seen of the board, unless it is there already. */
export function bringNear(thing) {
  if (!thing) return;
  const { top, bottom } = seen();
  const box = thing.getBoundingClientRect();
  if (box.top >= top + EDGE && box.bottom <= bottom - EDGE) return;
  scrollBy({ top: (box.top + box.bottom) / 2 - (top + bottom) / 2, behavior: "instant" });
}
