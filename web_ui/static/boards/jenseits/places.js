// Where things lie on our map, by longitude and latitude, and the way a figure walks along the routes.
// What a trip costs is the service's to say: a way is only drawn here.

export const WIDE = 1000;
export const HIGH = 484;

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
  greece: [22.2, 39.6],
  crete: [24.9, 34.8],
  egypt: [30.4, 29.7],
  palestine: [35.9, 32.3],
  mesopotamia: [44.2, 33.4],
};

/** The middle of each city and site. */
export const PLACES = Object.fromEntries(Object.entries(EARTH).map(([place, point]) => [place, at(point)]));

/** The places that a trip comes through by one of its shortest ways, both ends included. */
export function way(routes, from, to) {
  const came = new Map([[from, null]]);
  const ahead = [from];
  while (ahead.length > 0 && !came.has(to)) {
    const here = ahead.shift();
    for (const [a, b] of routes) {
      const next = a === here ? b : b === here ? a : null;
      if (next !== null && !came.has(next)) {
        came.set(next, here);
        ahead.push(next);
      }
    }
  }
  const passed = [];
  for (let place = came.has(to) ? to : null; place !== null; place = came.get(place)) passed.unshift(place);
  return passed;
}
