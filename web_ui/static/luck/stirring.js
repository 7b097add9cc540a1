// What the devices of a table have stirred into its luck, as its entries tell it: companion/play/LUCK.md.
import { digest } from "./sha256.js";
import { after, mixed } from "./parts.js";

const MOST_JOINED = 4;

export const nameOf = (entry) => (entry.seat === undefined ? "host" : String(entry.seat));

/** Stirring as members: each has told all it was asked for before what a newcomer brings counts. */
class Members {
  members = [];
  stirs = [];
  turns = [];
  taken = new Set();
  joined = {};
  drawn = 0;
  allTaken = false;

  get asked() {
    return this.members.filter((member) => !member.told);
  }

  /** Whether an entry is what was promised; if so it is followed. */
  follow(entry) {
    const name = nameOf(entry);
    const member = this.members.find((each) => each.name === name);
    if (entry.kind === "join") return this.join(entry, name, member);
    if (entry.kind === "seats" && entry.do !== "leave") return true;
    if (["seal", "seats"].includes(entry.kind)) {
      this.members = [];
      this.joined = {};
      return true;
    }
    if (entry.kind !== "tell") return false;
    if (!member || member.told || after(entry.part) !== member.value) return false;
    Object.assign(member, { value: entry.part, told: true });
    this.stir();
    return true;
  }

  join(entry, name, member) {
    const own = entry.part !== undefined;
    if (own && (!member || after(entry.part) !== member.value)) return false;
    if (member?.since === this.drawn || (this.joined[name] ?? 0) >= MOST_JOINED) return false;
    if (member && !own) this.taken.add(name);
    this.joined[name] = (this.joined[name] ?? 0) + 1;
    const others = this.members.filter((each) => each !== member).map((each) => ({ ...each, told: false }));
    this.members = [...others, { name, value: entry.tip, told: true, since: this.drawn }];
    this.stir();
    return true;
  }

  stir() {
    if (this.asked.length > 0) return;
    const names = this.members.map(({ name }) => name);
    const values = this.members.map(({ name, value }) => `${name}:${value}`);
    this.stirs.push({ since: this.drawn, pinch: digest("digside stir 2", ...values) });
    const together = this.turns.some((turn) => turn.length > 1);
    this.allTaken ||= together && names.every((name) => this.taken.has(name));
    this.turns.push(names);
  }

  fell(draw) {
    this.drawn = Math.max(this.drawn, draw + 1);
  }
}

/** Stirring in rounds, as in older tables. */
class Rounds {
  done = [];
  round = [];
  drawn = 0;
  allTaken = false;

  get pending() {
    const opened = this.round.filter((share) => share.pinch !== null);
    if (opened.length === 0) return [];
    const pinches = opened.map((share) => `${share.name}:${share.pinch}`);
    return [{ since: this.drawn, pinch: digest("digside stir 1", ...pinches) }];
  }

  get stirs() {
    return [...this.done, ...this.pending];
  }

  end() {
    this.done.push(...this.pending);
    this.round = [];
  }

  follow(entry) {
    const name = nameOf(entry);
    const share = this.round.find((each) => each.name === name);
    if (entry.kind === "stir") {
      this.done.push({ since: entry.since, pinch: entry.pinch });
      return entry.since === this.drawn;
    }
    if (entry.kind === "commit") return this.promise(entry, name);
    if (entry.kind === "open") {
      if (!share || share.pinch !== null) return false;
      share.pinch = entry.pinch;
      return share.commit === digest("digside pinch 1", name, entry.pinch);
    }
    return ["seal", "seats"].includes(entry.kind);
  }

  promise(entry, name) {
    if (this.round.every((share) => share.pinch !== null)) this.end();
    if (this.round.some((share) => share.pinch !== null || share.name === name)) return false;
    this.round.push({ name, commit: entry.commit, pinch: null });
    return true;
  }

  fell(draw) {
    if (this.pending.length > 0) this.end();
    this.drawn = Math.max(this.drawn, draw + 1);
  }
}

const KINDS = ["join", "tell", "stir", "commit", "open", "seal", "seats"];

/** How the devices of a table stir; `follow` says whether an entry about that is what was promised. */
export class Stirring {
  constructor(laid) {
    this.way = laid.luck === 2 ? new Members() : new Rounds();
  }

  follow(entry) {
    if (entry.kind === "outcome") this.way.fell(entry.draw);
    return !KINDS.includes(entry.kind) || this.way.follow(entry);
  }

  /** What the stirs before a draw come to. */
  before(draw) {
    return mixed(this.way.stirs.filter((stir) => stir.since <= draw));
  }
}
