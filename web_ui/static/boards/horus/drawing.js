// What a hand can do to the plan of the pyramid on the owner's sheet: each answers the plan after it, and changes none.

const numbered = (name) => /^\d+$/.test(name);

/** Where each square lies, as [column, row]. */
export const placesOf = (plan) =>
  new Map(plan.grid.flatMap((row, r) => row.map((name, c) => [name, [c, r]])).filter(([name]) => name));

export const touching = ([a, b], [c, d]) => Math.abs(a - c) + Math.abs(b - d) === 1;
const each = (lists, change) =>
  Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, change(list, key)]));
const toggled = (list, name) => (list.includes(name) ? list.filter((other) => other !== name) : [...list, name]);
const isWall = (wall, here, there) => wall.includes(here) && wall.includes(there);

/** The squares that are called otherwise from now on, wherever they are spoken of. */
function renamed(plan, names) {
  const of = (name) => names[name] ?? name;
  const all = (list) => list.map(of);
  const mummy = (each) => ({ ...each, square: of(each.square), towards: of(each.towards) });
  return {
    ...plan,
    grid: plan.grid.map(all),
    corridor: each(plan.corridor, all),
    walls: plan.walls.map(all),
    entrances: all(plan.entrances),
    sarcophagi: each(plan.sarcophagi, all),
    alcoves: each(plan.alcoves, all),
    mummies: each(plan.mummies, mummy),
    alternative: each(plan.alternative, mummy),
  };
}

const written = (plan, [c, r], name) => ({
  ...plan,
  grid: plan.grid.map((row, y) => (y === r ? row.map((old, x) => (x === c ? name : old)) : row)),
});

/** A place under another name; rock becomes a square by it. */
function called(plan, [c, r], name) {
  const old = plan.grid[r][c];
  return old ? renamed(plan, { [old]: name }) : written(plan, [c, r], name);
}

function freeName(plan) {
  const at = placesOf(plan);
  for (let n = 1; ; n++) if (!at.has(`C${n}`)) return `C${n}`;
}

export const BLOCKS = 36;

/** The lowest number that no square has; nothing, where none is missing. */
export function missing(plan) {
  const at = placesOf(plan);
  for (let n = 1; n <= BLOCKS; n++) if (!at.has(String(n))) return n;
  return null;
}

/** A wall between two squares, or none where one was. */
export function wall(plan, here, there) {
  const others = plan.walls.filter((each) => !isWall(each, here, there));
  return { ...plan, walls: others.length < plan.walls.length ? others : [...plan.walls, [here, there]] };
}

export const hasWall = (plan, here, there) => plan.walls.some((each) => isWall(each, here, there));

/** A number on a place; where another square has it, the two change places. */
export function number(plan, place, n) {
  const [name, old] = [String(n), plan.grid[place[1]][place[0]]];
  const elsewhere = placesOf(plan).get(name);
  if (old === name) return plan;
  if (!elsewhere) return called(plan, place, name);
  if (old) return renamed(plan, { [old]: name, [name]: old });
  const moved = written(written(plan, elsewhere, ""), place, name);
  const at = placesOf(moved);
  return { ...moved, walls: moved.walls.filter(([a, b]) => at.has(a) && at.has(b) && touching(at.get(a), at.get(b))) };
}

/** Rock in place of a square, with all that stood there gone; or a square in place of rock. */
export function rock(plan, place) {
  const name = plan.grid[place[1]][place[0]];
  if (!name) return written(plan, place, String(missing(plan) ?? freeName(plan)));
  const without = (list) => list.filter((other) => other !== name);
  return {
    ...written(plan, place, ""),
    walls: plan.walls.filter((each) => !each.includes(name)),
    corridor: each(plan.corridor, without),
    entrances: without(plan.entrances),
    sarcophagi: each(plan.sarcophagi, without),
    alcoves: each(plan.alcoves, without),
  };
}

/** One square more at the end of a stretch; or one less, where it was in it. */
export function corridor(plan, place, stretch) {
  const old = plan.grid[place[1]][place[0]];
  const paved = old && !numbered(old) ? plan : called(plan, place, freeName(plan));
  const name = paved.grid[place[1]][place[0]];
  return { ...paved, corridor: { ...paved.corridor, [stretch]: toggled(paved.corridor[stretch], name) } };
}

export const sarcophagus = (plan, name, god) => ({
  ...plan,
  sarcophagi: { ...plan.sarcophagi, [god]: toggled(plan.sarcophagi[god] ?? [], name) },
});

export const alcove = (plan, name, god) => ({
  ...plan,
  alcoves: { ...plan.alcoves, [god]: toggled(plan.alcoves[god] ?? [], name) },
});

export const entrance = (plan, name) => ({ ...plan, entrances: toggled(plan.entrances, name) });

/** A mummy on a square of the corridor, in a stretch that has it; where it stands there already, it turns round. */
export function mummy(plan, name, which, start) {
  const was = plan[start][which];
  const has = (stretch) => plan.corridor[stretch].includes(name);
  const stretch = has(was.stretch) ? was.stretch : (Object.keys(plan.corridor).find(has) ?? was.stretch);
  const ends = [plan.corridor[stretch].at(-1), plan.corridor[stretch][0]];
  const turns = was.square === name && was.towards === ends[0];
  const towards = was.square !== name && ends.includes(was.towards) ? was.towards : ends[turns ? 1 : 0];
  return { ...plan, [start]: { ...plan[start], [which]: { stretch, square: name, towards } } };
}

const OPPOSITE = { left: "right", far: "far", right: "left" };

/** The plan as in a mirror: what was on the left is on the right. */
export function mirrored(plan) {
  const other = (stretch) => OPPOSITE[stretch] ?? stretch;
  const turned = (each) => ({ ...each, stretch: other(each.stretch) });
  return {
    ...plan,
    grid: plan.grid.map((row) => row.toReversed?.() ?? [...row].reverse()),
    corridor: each(plan.corridor, (_, stretch) => [...plan.corridor[other(stretch)]].reverse()),
    mummies: each(plan.mummies, turned),
    alternative: each(plan.alternative, turned),
  };
}

/** What lies over against a place, where the plan is folded down the middle. */
export const across = (plan, [c, r]) => plan.grid[r][plan.grid[r].length - 1 - c];
