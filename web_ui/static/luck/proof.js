// Recomputes a finished table on this very device: the seal, the chain of its entries, and what every draw came to.
// What is compared and how is written down in companion/play/LUCK.md.
import { bytesOf, digest, hexOf, hmac, ofHex, sha256 } from "./sha256.js";

const WORDS = 1n << 64n;

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
    const told = ["digside chain 1", links.at(-1), canonical({ at, entry, seq })].join("\0");
    links.push(hexOf(hmac(secret, bytesOf(told))));
  }
  return links;
}

/** What has been stirred, entry by entry. */
class Stirring {
  done = [];
  round = [];
  drawn = 0;

  get pending() {
    const told = this.round.filter((share) => share.pinch !== null);
    if (told.length === 0) return [];
    const pinches = told.map((share) => `${share.who}:${share.pinch}`);
    return [{ since: this.drawn, pinch: digest("digside stir 1", ...pinches) }];
  }

  end() {
    this.done.push(...this.pending);
    this.round = [];
  }

  follow(entry) {
    const who = entry.seat === undefined || entry.seat === null ? "host" : String(entry.seat);
    if (entry.kind === "stir") this.done.push({ since: entry.since, pinch: entry.pinch });
    if (entry.kind === "commit") {
      if (this.round.every((share) => share.pinch !== null)) this.end();
      this.round.push({ who, commit: entry.commit, pinch: null });
    }
    if (entry.kind === "open") {
      const share = this.round.find((each) => each.who === who);
      if (!share || share.commit !== digest("digside pinch 1", who, entry.pinch)) return false;
      share.pinch = entry.pinch;
    }
    if (entry.kind === "outcome") {
      if (this.pending.length > 0) this.end();
      this.drawn = Math.max(this.drawn, entry.draw + 1);
    }
    return true;
  }

  /** What the stirs before a draw come to, in bytes. */
  before(draw) {
    const counted = [...this.done, ...this.pending].filter((stir) => stir.since <= draw);
    if (counted.length === 0) return "";
    const each = counted.map((stir) => sha256(bytesOf(`${stir.since}:${stir.pinch}`)));
    const whole = new Uint8Array(32 * each.length);
    each.forEach((bytes, n) => {
      whole.set(bytes, 32 * n);
    });
    return hexOf(sha256(whole));
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

function dealt({ draw, question, odds }, secret, stirs) {
  const total = odds.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
  let point = below(total, secret, ["digside 1", stirs.before(draw), draw, question, ""].join("\0"));
  for (const [outcome, weight] of odds) {
    point -= BigInt(weight);
    if (point < 0n) return outcome;
  }
  return null;
}

const fell = (entry, asked, secret, stirs) =>
  asked !== undefined && asked.draw === entry.draw && dealt(asked, secret, stirs) === entry.outcome;

/** What differs between what this device saw and what the record comes to; null where nothing does. */
function unlike(record, links, seen) {
  const seals = [record.laid.seal, ...record.entries.map(({ entry }) => entry.seal).filter(Boolean)];
  if (hexOf(sha256(ofHex(record.secret))) !== seals.at(-1)) return { why: "secret" };
  if (seen && !seals.includes(seen.seal)) return { why: "seal" };
  if (links.length > 0 && links.at(-1) !== record.head) return { why: "chain" };
  const other = seen?.heads.find(([seq, head]) => links[seq] !== head);
  return other && links.length > 0 ? { why: "head", seq: other[0] } : null;
}

/**
 * Whether all holds.
 *
 * @param record the whole record of a table that is over.
 * @param draws what was asked of the luck at each entry, and its odds.
 * @param seen what this device remembers of the table, or null.
 * @returns `{draws, reported, unproved, moments}` counted, and the first `fault`:
 *   `{why, seq?, draw?, outcome?}`, or null.
 */
export function prove(record, draws, seen) {
  const secret = ofHex(record.secret);
  const links = linksOf(record, secret);
  const count = { draws: 0, reported: 0, unproved: 0, moments: seen?.heads.length ?? 0 };
  const fault = unlike(record, links, seen) ?? firstOther(record.entries, draws, secret, count);
  return { ...count, fault };
}

/** The first entry that comes out otherwise; null where none does. Counts the draws on its way. */
function firstOther(entries, draws, secret, count) {
  const from = entries.filter(({ entry }) => entry.kind === "seal").at(-1)?.seq ?? 0;
  const asked = new Map(draws.map((each) => [each.seq, each]));
  const stirs = new Stirring();
  for (const { seq, entry } of entries) {
    if (entry.kind === "outcome") {
      const kind = sourceOf(entry, seq > from);
      if (kind === "draws" && !fell(entry, asked.get(seq), secret, stirs)) {
        return { why: "draw", seq, n: entry.draw + 1, outcome: entry.outcome };
      }
      count[kind]++;
    }
    if (!stirs.follow(entry)) return { why: "pinch", seq };
  }
  return null;
}

const sourceOf = ({ by }, sealed) => (by === "table" ? "reported" : sealed ? "draws" : "unproved");
