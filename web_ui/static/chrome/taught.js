// What this device has taught about each game, and whether somebody here wants to be taught: kept here, never sent.
const KEPT = "digside-taught";

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "{}");
  } catch {
    return {};
  }
}

let now = stored(); // where nothing can be kept it holds until the page is left

function keep(box, part) {
  now = { ...stored(), ...now };
  now[box] = { told: [], ...now[box], ...part };
  try {
    localStorage.setItem(KEPT, JSON.stringify(now));
  } catch {
    // A private window forgets: whoever opens the page again is taught again.
  }
}

/** The ids of the lessons of a game that were told here. */
export const toldOf = (box) => now[box]?.told ?? [];

export const tell = (box, id) => keep(box, { told: [...new Set([...toldOf(box), id])] });

/** Whether lessons are told here: at a table to learn at, unless somebody here knows the game; else where asked for. */
export const teaches = (view) => now[view.box]?.wanted ?? Boolean(view.options?.teach);

/** Somebody here knows the game, or wants to be taught it, from the beginning. */
export const wants = (box, wanted) => keep(box, wanted ? { wanted, told: [] } : { wanted });

/** Whether a child sits at a seat: larger, fewer words, read aloud, and a few good moves. */
export const forChild = (table, seat) => now[table]?.children?.includes(seat) ?? false;

/** Whether this device has anything to say at a table: lessons, or something for a child. */
export const speaks = (view) => teaches(view) || Boolean(now[view.table]?.children?.length);

export function setChild(table, seat, child) {
  const others = (now[table]?.children ?? []).filter((each) => each !== seat);
  keep(table, { children: child ? [...others, seat] : others });
}

/** Whether the box of a table has been set up, or need not be. */
export const isSetUp = (table) => now[table]?.up ?? false;
export const setUp = (table) => keep(table, { up: true });
