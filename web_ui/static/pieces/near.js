// On a phone a board is larger than the screen: what matters on it is brought into the part that is seen.

const EDGE = 30; // pixels of what lies round it that are seen, too

/** Where the board is seen: beneath the bar, and above what is asked where that lies at the bottom. */
function seen() {
  const bar = document.querySelector(".bar")?.getBoundingClientRect();
  const dock = document.querySelector(".dock")?.getBoundingClientRect();
  return { top: bar?.bottom ?? 0, bottom: dock && dock.left < innerWidth / 4 ? dock.top : innerHeight };
}

/** Brings a thing of a board into the middle of what is seen, as far as nothing but the board is seen then. */
export function bringNear(thing) {
  if (!thing) return;
  const { top, bottom } = seen();
  const box = thing.getBoundingClientRect();
  if (box.top >= top + EDGE && box.bottom <= bottom - EDGE) return;
  const board = thing.ownerSVGElement.getBoundingClientRect();
  const middle = (box.top + box.bottom) / 2 - (top + bottom) / 2;
  scrollBy({ top: Math.max(board.top - top, Math.min(middle, board.bottom - bottom)), behavior: "instant" });
}
