// What the gauge has said over the last half minute. The service tells a vacuum only when it changes, so between
// two tellings the older one holds.

export const SPAN = 30;
const STEP = 0.12; // two tellings closer than this lie on one slope, further apart on a stair

/** @returns points of `{at, kpa}`, oldest first; a `kpa` of null is a time in which nothing was read. */
export function history() {
  let points = [];

  return {
    /** Takes a reading. A clock that has gone back is another computer's: everything before it is forgotten. */
    add(at, kpa) {
      const last = points.at(-1);
      if (last && at < last.at) points = [];
      else if (last && at === last.at) points.pop();
      else if (last && at - last.at > STEP) points.push({ at: at - STEP, kpa: last.kpa });
      points.push({ at, kpa });
      while (points.length > 2 && points[1].at < at - SPAN - 1) points.shift();
    },
    points: () => points,
    /** Whether the line is flat from one end to the other, so that it need not be drawn again and again. */
    flat: (from) => {
      const seen = points.filter((point, i) => point.at >= from || points[i + 1]?.at >= from);
      return seen.every((point) => point.kpa === seen[0].kpa);
    },
    highest: () => points.reduce((most, point) => Math.max(most, point.kpa ?? 0), 0),
  };
}
