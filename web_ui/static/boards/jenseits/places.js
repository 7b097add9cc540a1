// Where things lie on our map, by longitude and latitude, and the way a figure walks along the routes.
// What a trip costs is the service's to say: a way is only drawn here.

export const WIDE = 1000;
export const HIGH = 500;

const WEST = -10;
const NORTH = 60;
// East and south of here people dig: there the map is stretched, so that the sites stand well apart.
const EAST = 14;
const SOUTH = 42;

/** Where a point of the earth lies on the map. */
export function at([east, north]) {
  const x = (Math.min(east, EAST) - WEST) * 14 + Math.max(0, east - EAST) * 19.5;
  const y = (NORTH - Math.max(north, SOUTH)) * 11.5 + Math.max(0, SOUTH - north) * 18.5;
  return [x, y];
}

const EARTH = {
  london: [-1, 52.2],
  paris: [2.5, 47.9],
  berlin: [13.2, 52.6],
  vienna: [16.2, 48],
  rome: [12.2, 42.2],
  warsaw: [21.5, 52.2],
  moscow: [37.6, 55.4],
  greece: [21.5, 40.5],
  crete: [26.4, 35.1],
  egypt: [31.2, 31],
  palestine: [36.6, 33],
  mesopotamia: [43.5, 35],
};

/** The middle of each city and site. */
export const PLACES = Object.fromEntries(Object.entries(EARTH).map(([place, point]) => [place, at(point)]));

const apart = (a, b) => Math.hypot(PLACES[a][0] - PLACES[b][0], PLACES[a][1] - PLACES[b][1]);

/**
 * The places that a trip comes through, both ends included: of the ways with the fewest legs the one that is
 * straightest.
 */
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
        if (!been.has(next) && !reached.has(next) && !(known?.far <= now)) {
          further.set(next, { path: [...path, next], far: now });
        }
      }
    }
    reached = further;
  }
  return reached.get(to)?.path ?? [];
}
