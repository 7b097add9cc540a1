// Which step of a kind was the newest: what tells one roll, or one draw, from the next.

/** The number of the newest step of these types that stands. */
export const newest = (view, ...types) =>
  view.log.filter((line) => !line.undone && types.includes(line.what.type)).at(-1)?.seq ?? 0;
