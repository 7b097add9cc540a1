// What this device remembers of a table, and what it adds to its luck: so that nobody can say later that all was
// otherwise, and whoever stirs stirs together with the others.
import { press } from "../api.js";
import { digest, hexOf } from "./sha256.js";

const HEADS = 40; // of one table; the first is always kept
const TABLES = 30;
const KEPT = "digside.seen";
const WAIT = 2000; // milliseconds that others have to join before a pinch is told

const read = (store, key) => {
  try {
    return JSON.parse(store.getItem(key)) ?? {};
  } catch {
    return {};
  }
};

const write = (store, key, value) => {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch {
    // No room, or none allowed: this device remembers nothing, and says so on the page of the luck.
  }
};

/** What this device saw of a table: `seal`, and `heads`, a list of `[seq, head]`; null where it saw nothing. */
export const seen = (table) => read(localStorage, KEPT)[table] ?? null;

/** Remembers seal and head of a view. What was seen first is never written over. */
export function remember({ table, seal, head, seq }) {
  const all = read(localStorage, KEPT);
  const known = all[table] ?? { seal, heads: [] };
  const newest = known.heads.at(-1);
  if (!head || newest?.[0] >= seq) return;
  delete all[table];
  const heads = [...known.heads, [seq, head]];
  all[table] = { ...known, heads: heads.length > HEADS ? [heads[0], ...heads.slice(2)] : heads };
  for (const old of Object.keys(all).slice(0, -TABLES)) delete all[old];
  write(localStorage, KEPT, all);
}

const who = ({ role, seat }) => (role === "host" ? "host" : String(seat));
const key = (view) => `digside.pinch.${view.table}.${who(view.me)}`;

/** Promises a pinch that nobody else knows; the others are waited for before it is told. */
export async function stir(view) {
  const pinch = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  write(sessionStorage, key(view), { pinch });
  const answer = await press(`/api/tables/${view.table}/stir`, {
    seq: view.seq,
    commit: digest("digside pinch 1", who(view.me), pinch),
  });
  later(view, WAIT);
  return answer;
}

async function tell(view) {
  const { pinch } = read(sessionStorage, key(view));
  if (!pinch) return;
  sessionStorage.removeItem(key(view));
  await press(`/api/tables/${view.table}/stir`, { seq: view.seq, pinch });
}

const quietly = (done) => done.catch(() => {}); // others were quicker, or the next draw: it goes on without this pinch
const later = (view, ms) => setTimeout(() => quietly(tell(view)), ms);

let joining = false;

/** Looks at each newest view: joins those who stir, and tells what was promised once the first has. */
export function witness(view) {
  remember(view);
  const { round } = view.luck;
  if (view.me.role === "spectator" || view.over || round.length === 0) return;
  const own = round.find((share) => share.who === who(view.me));
  const opening = round.some((share) => share.told);
  if (own && !own.told && opening) quietly(tell(view));
  if (own || opening || joining) return;
  joining = true;
  quietly(stir(view)).then(() => {
    joining = false;
  });
}
