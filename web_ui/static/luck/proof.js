// Recomputes a finished table on this very device: the seal, the chain of its entries, and what every draw came to.
// What is compared, in which order and how, is written down in companion/play/LUCK.md.
import { bytesOf, digest, hexOf, hmac, ofHex, sha256 } from "./sha256.js";
import { nameOf, Stirring } from "./stirring.js";

const WORDS = 1n << 64n;
const LARGEST = 1n << 53n;
const DIGITS = 32; // so many of a head, a seal or a part are enough to compare
const FIELDS = {
  move: "by seat move",
  outcome: "by outcome draw [seat]",
  correct: "correction",
  undo: "by to [seat] [again]",
  join: "by tip [seat] [part]",
  tell: "by part [seat]",
  stir: "by pinch since [seat]",
  commit: "by commit [seat]",
  open: "by pinch [seat]",
  seal: "seal",
  close: "",
  settle: "by [seat]",
  end: "",
  leave: "ticket house",
  arrive: "ticket",
  stay: "ticket",
  restore: "",
  sit: "by of plays [seat]",
  hints: "of hints",
  hint: "by seat",
  seats: "by do host seats [name] [of] [own] [seat]",
  want: "by seat",
  agree: "by seat",
  keep: "by [seat]",
};
const BY = {
  outcome: ["companion", "table"],
  move: ["host", "seat", "bot"],
  seats: ["host", "seat", "owner", "guest"],
};
const SEAT = "name colour shape key [taken]";
const LAID = "table at setup box box_digest rules seal digside [after] [chain] [was] [confirms] [luck]";
const RECORD = "format version digside over laid entries secret [head]";
const LATEST = 253_370_764_800_000; // the year 9999
const isNumber = Number.isSafeInteger;
const isText = (value) => typeof value === "string";
const isHex = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isShort = (most) => (value) => isText(value) && value !== "" && [...value].length <= most;
const isTrue = (value) => value === true;
const isTime = (value) => isNumber(value) && value >= 0 && value < LATEST;
const isOrNull = (is) => (value) => value === null || is(value);
/** What a field may hold, by its name. */
const VALUES = {
  after: isText,
  again: isTrue,
  at: isTime,
  box: isObject,
  box_digest: isText,
  chain: (value) => [0, 1, 2].includes(value),
  colour: isText,
  commit: isHex,
  confirms: isTrue,
  correction: isObject,
  digside: isText,
  do: (value) => ["add", "leave", "take", "free", "name", "host"].includes(value),
  draw: isNumber,
  entries: Array.isArray,
  format: (value) => value === "digside-record",
  head: isOrNull(isText),
  hints: (value) => ["none", "few", "free"].includes(value),
  host: (value) => isNumber(value) || ["key", "owner"].includes(value),
  house: isShort(64),
  key: isNumber,
  laid: isObject,
  luck: (value) => value === 2,
  move: isObject,
  name: isText,
  of: isNumber,
  outcome: (value) => isText(value) || isNumber(value),
  over: (value) => typeof value === "boolean",
  own: isNumber,
  part: isHex,
  pinch: isText,
  plays: (value) => ["person", "away", "curious", "steady", "sharp"].includes(value),
  rules: isNumber,
  seal: isHex,
  seat: isNumber,
  seats: (value) => Array.isArray(value) && value.every((seat) => isWhole(seat, SEAT)),
  secret: isOrNull(isText),
  setup: isObject,
  shape: isText,
  since: isNumber,
  table: isText,
  taken: isTrue,
  ticket: isShort(64),
  tip: isHex,
  to: isNumber,
  version: (value) => [1, 2].includes(value),
  was: isText,
};
const MOVES = ["leave", "arrive", "stay"];
const ENDS = ["close", "settle", "end"];

/** The first thing that does not hold. */
class Fault extends Error {
  constructor(why, more = {}) {
    super(why);
    this.facts = { why, ...more };
  }
}

const check = (holds, why, more) => {
  if (!holds) throw new Fault(why, more);
};

/** JSON of one spelling: keys in order, no room between. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The links of a record's chain, the laying's first; none where it has none. */
export function linksOf({ laid, entries }, secret) {
  if (!laid.chain) return [];
  const { after, was, ...kept } = laid;
  const links = [digest("digside chain 1", canonical({ ...kept, table: was ?? laid.table }))];
  for (const { at, entry, seq } of entries) {
    const text = ["digside chain 1", links.at(-1), canonical({ at, entry, seq })].join("\0");
    links.push(hexOf(hmac(secret, bytesOf(text))));
  }
  return links;
}

/** Whether every number in it is a whole one that every reader of JSON tells alike. */
const isPlain = (value) =>
  typeof value === "number"
    ? Number.isSafeInteger(value)
    : value === null || typeof value !== "object" || Object.values(value).every(isPlain);

/** Whether fields are those that are named, each as it should be, and no others. */
function isWhole(fields, named, own = {}) {
  const known = named.split(" ").filter(Boolean);
  const names = known.map((field) => field.replace(/[[\]]/g, ""));
  const needed = known.filter((field) => !field.startsWith("["));
  const right = Object.keys(fields).every((name) => names.includes(name) && (own[name] ?? VALUES[name])(fields[name]));
  return right && needed.every((name) => Object.hasOwn(fields, name));
}

/** Whether an entry has the fields of its kind. */
function isEntry({ kind, ...fields }) {
  if (!Object.hasOwn(FIELDS, kind)) return false;
  const who = BY[kind] ?? ["host", "seat"];
  const own = { by: (value) => who.includes(value), ...(kind === "open" ? { pinch: isShort(256) } : {}) };
  return isWhole(fields, FIELDS[kind], own);
}

function checkForm(record) {
  const { laid, entries } = record;
  check(isWhole(record, RECORD) && isWhole(laid, LAID) && isPlain(laid), "form", { seq: 0 });
  entries.forEach((line, n) => {
    const { seq, at, entry, ...more } = line;
    const right = seq === n + 1 && isTime(at) && Object.keys(more).length === 0 && isPlain(entry);
    const back = entry.kind === "undo" && !(entry.to >= 0 && entry.to < seq);
    check(right && !back && (entry.kind === "masked" || isEntry(entry)), "form", { seq: n + 1 });
  });
}

const sealsOf = (laid, entries) => [laid.seal, ...entries.map(({ entry }) => entry.seal).filter(Boolean)];
/** What a device joined with or told in an entry. */
const partOf = ({ kind, tip, part }) => (kind === "join" ? tip : kind === "tell" ? part : undefined);
const begins = (whole, digits) => digits.length >= DIGITS && whole?.startsWith(digits);

/** What differs from what this device saw. */
function checkSeen({ laid, entries }, links, seen) {
  check(!seen?.seal || begins(sealsOf(laid, entries).at(-1), seen.seal), "seal");
  for (const [seq, head] of seen?.heads ?? []) check(begins(links[seq], head), "head", { seq });
  let newest = 0;
  for (const part of seen?.parts ?? []) {
    newest = entries.find(({ entry }) => begins(partOf(entry), part))?.seq ?? 0;
    check(newest > 0, "part", { seq: 0 });
  }
  if (newest === 0) return;
  const own = nameOf(entries[newest - 1].entry);
  for (const { seq, entry } of entries.slice(newest)) {
    check(entry.kind !== "seal" && (entry.kind !== "join" || nameOf(entry) !== own), "part", { seq });
  }
}

function checkSecret({ laid, entries, secret }) {
  const right = /^[0-9a-f]{64}$/.test(secret ?? "") && hexOf(sha256(ofHex(secret))) === sealsOf(laid, entries).at(-1);
  check(right, "secret");
  for (const { seq, entry } of entries) check(entry.kind !== "masked", "secret", { seq });
}

/** What may follow, as to the end and to where the table is kept. */
class Course {
  hung = [null]; // after each entry, the report on which an end there would hang
  left = null;
  last = "";

  constructor({ chain, confirms }) {
    this.endsItself = (chain ?? 0) >= 2;
    this.confirms = confirms === true;
  }

  follow({ seq, entry }) {
    const { kind, by, ticket } = entry;
    const moves = MOVES.includes(kind);
    const back = ["arrive", "stay"].includes(kind);
    check(moves || !ENDS.includes(this.last), "end", { seq });
    const mayFollow = kind === "seal" || (back && ticket === this.left);
    check(this.left === null ? !back : mayFollow, "end", { seq });
    check(kind !== "end" || this.endsItself, "end", { seq });
    const report = this.hung.at(-1);
    const hangs = this.confirms && report !== null && !(by === "seat" && entry.seat === report.seat);
    check(kind !== "settle" || hangs, "end", { seq });
    this.left = kind === "leave" ? ticket : null;
    if (!moves) this.last = kind;
    this.hung.push(this.after(entry, report));
  }

  after(entry, report) {
    if (entry.kind === "undo") return this.hung[entry.to];
    if (entry.kind === "outcome" && entry.by === "table") return entry;
    return ["move", "correct"].includes(entry.kind) ? null : report;
  }

  get isOver() {
    if (ENDS.includes(this.last)) return true;
    return !this.endsItself && !(this.confirms && this.hung.at(-1) !== null);
  }
}

function below(total, secret, message) {
  const fair = WORDS - (WORDS % total);
  for (let block = 0; ; block++) {
    const view = new DataView(hmac(secret, bytesOf(message + block)).buffer);
    for (const at of [0, 8, 16, 24]) {
      const word = view.getBigUint64(at);
      if (word < fair) return word % total;
    }
  }
}

/** A weight as it is: one that JSON would not tell for certain stands there as text. */
function weighed(weight) {
  if (Number.isSafeInteger(weight) && weight >= 0) return BigInt(weight);
  const asText = typeof weight === "string" && /^[1-9][0-9]{15,19}$/.test(weight);
  return asText && BigInt(weight) >= LARGEST ? BigInt(weight) : null;
}

function dealt({ draw, question, odds }, secret, stirs) {
  const weights = odds.map(([, weight]) => weighed(weight));
  if (weights.includes(null) || !isText(question)) return undefined;
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total < 1n || total > WORDS) return undefined;
  let point = below(total, secret, ["digside 1", stirs.before(draw), draw, question, ""].join("\0"));
  return odds.find((_, n) => {
    point -= weights[n];
    return point < 0n;
  })[0];
}

/** Goes over the entries, and counts the draws on its way. */
function follow(record, draws, secret, count) {
  const { laid, entries } = record;
  const from = entries.filter(({ entry }) => entry.kind === "seal").at(-1)?.seq ?? 0;
  const asked = new Map(draws.map((each) => [each.seq, each]));
  const stirs = new Stirring(laid);
  const course = new Course(laid);
  const drawn = [0]; // how many draws led to the table as it was after each entry
  for (const { seq, entry } of entries) {
    course.follow({ seq, entry });
    if (entry.kind === "outcome") {
      const facts = { seq, n: entry.draw + 1, outcome: entry.outcome };
      check(entry.draw === drawn.at(-1), "draw", facts);
      const kind = sourceOf(entry, seq > from);
      const each = asked.get(seq);
      const fell = kind !== "draws" || (each?.draw === entry.draw && dealt(each, secret, stirs) === entry.outcome);
      check(fell, "draw", facts);
      count[kind]++;
      count.arranged += isArranged(kind, each);
    }
    check(stirs.follow(entry), "stir", { seq });
    drawn.push(entry.kind === "undo" ? drawn[entry.to] : drawn.at(-1) + (entry.kind === "outcome" ? 1 : 0));
  }
  check(record.over === true && course.isOver, "end", { seq: entries.length });
  check(!stirs.way.allTaken, "taken");
}

const isArranged = (kind, each) => Number(kind === "draws" && each.arranged === true);

const sourceOf = ({ by }, sealed) => (by === "table" ? "reported" : sealed ? "draws" : "unproved");

function checkAll(record, draws, seen, count) {
  checkForm(record);
  checkSecret(record);
  const secret = ofHex(record.secret);
  const links = linksOf(record, secret);
  check((links.at(-1) ?? null) === record.head, "chain");
  checkSeen(record, links, seen);
  count.moments = seen?.heads?.length ?? 0;
  follow(record, draws, secret, count);
  check(seen?.seal || record.entries.every(({ entry }) => entry.kind !== "seal"), "unseen");
}

/**
 * Whether all holds.
 *
 * @param record the whole record of a table that is over.
 * @param draws what was asked of the luck at each entry, and its odds.
 * @param seen what this device remembers of the table, or null.
 * @returns `{draws, arranged, reported, unproved, moments}` counted, and the first `fault`:
 *   `{why, seq?, n?, outcome?}`, or null; `why` is one of the reasons that LUCK.md names.
 */
export function prove(record, draws, seen) {
  const count = { draws: 0, arranged: 0, reported: 0, unproved: 0, moments: 0 };
  try {
    checkAll(record, draws, seen, count);
    return { ...count, fault: null };
  } catch (error) {
    return { ...count, fault: error instanceof Fault ? error.facts : { why: "form" } };
  }
}
