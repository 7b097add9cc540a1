// The figures of a box as a tree of tables and lists, by keys such as `dial.rows.8.4`; lists are counted from 1 there.

const place = (tree, name) => (Array.isArray(tree) ? Number(name) - 1 : name);

/** What is at a key; undefined where nothing is. */
export function at(tree, key) {
  if (!key) return tree;
  return key.split(".").reduce((part, name) => part?.[place(part, name)], tree);
}

/** The tree with something else at a key; undefined takes out what is there. */
export function put(tree, key, value) {
  const [name, ...further] = key.split(".");
  const copy = Array.isArray(tree) ? [...tree] : { ...tree };
  const where = place(copy, name);
  const within = further.length ? put(copy[where] ?? {}, further.join("."), value) : value;
  if (within !== undefined) copy[where] = within;
  else if (Array.isArray(copy)) copy.splice(where, 1);
  else delete copy[where];
  return copy;
}

export const below = (key, name) => (key ? `${key}.${name}` : String(name));
export const within = (key, part) => key === part || key.startsWith(`${part}.`);

/** The names of the parts of a table or list, as keys have them. */
export function partsOf(tree) {
  if (Array.isArray(tree)) return tree.map((_, i) => String(i + 1));
  return tree !== null && typeof tree === "object" ? Object.keys(tree) : [];
}

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** By a table of keys, what the longest key that fits says. */
export function nearest(rules, key) {
  let fits = key;
  while (fits && !(fits in rules)) fits = fits.slice(0, Math.max(0, fits.lastIndexOf(".")));
  return rules[fits];
}

/** All single figures of a tree, with their keys. */
export function leaves(tree, key = "") {
  const parts = partsOf(tree);
  return parts.length ? parts.flatMap((name) => leaves(tree[place(tree, name)], below(key, name))) : [[key, tree]];
}

/** What one has changed, laid over what somebody else has kept meanwhile. */
export function laidOver(before, mine, fresh, key = "") {
  let merged = fresh;
  for (const name of new Set([...partsOf(at(before, key)), ...partsOf(at(mine, key))])) {
    const here = below(key, name);
    const [was, is] = [at(before, here), at(mine, here)];
    if (same(was, is)) continue;
    const tables = [was, is, at(merged, here)].every((each) => each && typeof each === "object");
    const alike = tables && (!Array.isArray(is) || (is.length === was.length && is.length === at(merged, here).length));
    merged = alike ? laidOver(before, mine, merged, here) : put(merged, here, is);
  }
  return merged;
}

/** What is in the same column: at a key, whatever the names of tables and numbers of rows on the way. */
function column(trees, key, shape) {
  const way = key.split(".");
  const found = [];
  const walk = (tree, shape, i) => {
    if (i === way.length) {
      found.push(tree);
      return;
    }
    const any = shape.sort === "map" || shape.sort === "list";
    const next = any ? shape.of : shape.fields?.find(({ name }) => name === way[i]);
    if (next) for (const name of any ? partsOf(tree) : [way[i]]) walk(at(tree, name), next, i + 1);
  };
  for (const tree of trees) walk(tree, shape, 0);
  return found;
}

/** The words that stand in a column. */
export const wordsIn = (trees, key, shape) =>
  [...new Set(column(trees, key, shape))].filter((each) => typeof each === "string" && each);

/** The names of the tables in a column. */
export const keysIn = (trees, key, shape) => [...new Set(column(trees, key, shape).flatMap(partsOf))];
