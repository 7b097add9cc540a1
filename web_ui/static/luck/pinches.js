// Stirring at a table from before devices joined with chains of values: pinches are promised, and then told.
import { press } from "../api.js";
import { digest, hexOf } from "./sha256.js";

const WAIT = 2000; // milliseconds that others have to join before a pinch is told

const who = ({ stirs_as: name }) => name;
const kept = new Map(); // what this page has promised, by table

/** Promises a pinch that nobody else knows; the others are waited for before it is told. */
export async function promise(view) {
  const pinch = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  kept.set(view.table, pinch);
  const commit = digest("digside pinch 1", who(view), pinch);
  const answer = await press(`/api/tables/${view.table}/stir`, { seq: view.seq, commit });
  setTimeout(() => quietly(tell(view)), WAIT);
  return answer;
}

async function tell(view) {
  const pinch = kept.get(view.table);
  if (!pinch) return;
  kept.delete(view.table);
  await press(`/api/tables/${view.table}/stir`, { seq: view.seq, pinch });
}

const quietly = (done) => done.catch(() => {}); // others were quicker, or the next draw: it goes on without this pinch

let joining = false;

/** Joins those who stir, and tells what was promised once the first has. */
export function attend(view) {
  const { round } = view.luck;
  const own = round.find((share) => share.who === who(view));
  const opening = round.some((share) => share.told);
  if (own && !own.told && opening) quietly(tell(view));
  if (own || opening || joining || round.length === 0) return;
  joining = true;
  quietly(promise(view)).then(() => {
    joining = false;
  });
}
