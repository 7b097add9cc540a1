// Where things lie on our map, by longitude and latitude, and the way a figure walks along the routes.
// What a trip costs is the service's to say: a way is only drawn here.

export const WIDE = 1000;
export const HIGH = 500;

const WEST = -12;
const NORTH = 60;
const MIDDLE = 42; // south of it the map is stretched: that is where people dig

/** Where a point of the earth lies on the map. */
export function at([east, north]) {
  const y = north >= MIDDLE ? (NORTH - north) * 13 : (NORTH - MIDDLE) * 13 + (MIDDLE - north) * 16.6;
  return [(east - WEST) * 15.6, y];
}

const EARTH = {
  london: [-1, 52.2],
  paris: [2.5, 47.9],
  berlin: [13.2, 52.6],
  vienna: [16.2, 48],
  rome: [12.2, 42.2],
  warsaw: [21.5, 52.2],
  moscow: [37.6, 55.4],
  greece: [22, 39.9],
  crete: [26.2, 35.3],
  egypt: [31.4, 30.4],
  palestine: [36.1, 32.7],
  mesopotamia: [44.2, 33.6],
};

/** The middle of each city and site. */
export const PLACES = Object.fromEntries(Object.entries(EARTH).map(([place, point]) => [place, at(point)]));

const apart = (a, b) => Math.hypot(PLACES[a][0] - PLACES[b][0], PLACES[a][1] - PLACES[b][1]);

/** The places that a trip comes through, both ends included: of the ways with the fewest legs the one that is straightest. */
export function way(routes, from, to) {
  let reached = new Map([[from, { path: [from], far: 0 }]]);
  const been = new Set();
  while (!reached.has(to) && reached.size > 0) {
    const further = new Map();
    for (const [here, { path, far }] of reached) {
      been.add(here);
      for (const next of routes.flatMap(([a, b]) => (a === here ? [b] : b === here ? [a] : []))) {
        const known = further.get(next);
        const now = far + apart(here, next);
        if (!been.has(next) && !reached.has(next) && !(known?.far <= now)) further.set(next, { path: [...path, next], far: now });
      }
    }
    reached = further;
  }
  return reached.get(to)?.path ?? [];
}
