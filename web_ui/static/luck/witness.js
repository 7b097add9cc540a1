// What this device remembers of a table, and what it adds to its luck: so that nobody can say later that all was
// otherwise, nor choose what comes up. What that proves is written down in companion/play/LUCK.md.
import { get, press } from "../api.js";
import { digest, hexOf } from "./sha256.js";
import { after, mixed } from "./parts.js";

const HEADS = 40; // of one table; the first is always kept
const TABLES = 30;
const VALUES = 32; // in the chain of a device: it tells one whenever another joins
const KEPT = "digside.seen";
const OWN = "digside.own";

const read = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
};

/** Keeps what is known of a table, as the newest. */
function keep(key, table, known) {
  const all = read(key);
  delete all[table];
  all[table] = known;
  for (const old of Object.keys(all).slice(0, -TABLES)) delete all[old];
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    // No room, or none allowed: this device remembers nothing, and says so on the page of the luck.
  }
}

const nameOf = ({ stirs_as: name }) => name;
const keyOf = (view) => `${view.table} ${nameOf(view)}`;

const keptOf = (view) => read(OWN)[keyOf(view)] ?? null;

/** How this device stirs at the table of a view: its chain, what it has told of it, and any alarm; or null. */
export function own(view) {
  catchUp(view);
  const kept = keptOf(view);
  return kept?.first || kept?.alarm ? kept : null;
}

/** What this device saw of a table: `seal`, `heads`, a list of `[seq, head]`, and the `parts` it told; or null. */
export function seen(view) {
  const known = read(KEPT)[view.table];
  return known ? { ...known, parts: own(view)?.told ?? [] } : null;
}

/** Remembers seal and head of a view. What was seen first is never written over. */
export function remember({ table, seal, head, seq }) {
  const known = read(KEPT)[table] ?? { seal, heads: [] };
  const newest = known.heads.at(-1);
  if (!head || newest?.[0] >= seq) return;
  const heads = [...known.heads, [seq, head]];
  keep(KEPT, table, { ...known, heads: heads.length > HEADS ? [heads[0], ...heads.slice(2)] : heads });
}

/** All that is known here of a table, to be carried to where it is played on; and to be kept there. */
export const packed = (view) => btoa(JSON.stringify([read(KEPT)[view.table] ?? null, keyOf(view), keptOf(view)]));
export function unpack(table, carried) {
  const [known, key, chain] = JSON.parse(atob(carried));
  if (known && !read(KEPT)[table]) keep(KEPT, table, known);
  if (chain && key.startsWith(`${table} `) && !read(OWN)[key]) keep(OWN, key, chain);
}

/** The values of a chain: the first was drawn, each follows from the one before, and the last is told first. */
function valuesOf({ first }) {
  const values = [first];
  while (values.length < VALUES) values.push(after(values.at(-1)));
  return values;
}

const memberOf = (view) => view.luck.members?.find(({ who }) => who === nameOf(view));

/** What this device has to tell next, by what it is known to have told; nothing where that is not its own. */
function nextOf(chain, member) {
  const values = valuesOf(chain);
  return values[values.findIndex((value) => value.startsWith(member.value)) - 1];
}

/**
 * Keeps what goes out, and sends it. Until it is answered, or a view shows it, nobody knows whether it came there: it
 * is kept beside what is known to have, so that a lost answer is taken for neither another's doing nor a forgery.
 */
async function stirs(view, chain, sent, body) {
  keep(OWN, keyOf(view), { ...chain, sent });
  const answer = await press(`/api/tables/${view.table}/stir`, { seq: view.seq, ...body });
  arrived(view, sent);
  return answer;
}

/** What was sent has come there: it is a part of this device from now on. */
function arrived(view, { value, first }) {
  const { sent: _, ...chain } = keptOf(view) ?? {};
  const told = chain.told ?? [];
  keep(OWN, keyOf(view), { ...chain, first, told: told.includes(value) ? told : [...told, value] });
}

/** Minds that what was sent has come there, though its answer has not, where a view shows it. */
function catchUp(view) {
  const sent = keptOf(view)?.sent;
  const member = sent && memberOf(view);
  if (member && sent.value.startsWith(member.value)) arrived(view, sent);
}

/** Joins with a new chain; whoever stirred for this name before does no longer. */
async function join(view, { instead = false } = {}) {
  const [before, member] = [keptOf(view), memberOf(view)];
  const part = before?.first && member && nextOf(before, member);
  const first = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const tip = valuesOf({ first }).at(-1);
  const shown = { ...(part ? { part } : {}), ...(instead && !part ? { instead } : {}) };
  return stirs(view, before, { first, value: tip }, { tip, ...shown });
}

/** Stirs because somebody pressed for it. */
export async function stir(view) {
  if (view.luck.version === 1) return (await import("./pinches.js")).promise(view);
  const answer = await join(view, { instead: Boolean(memberOf(view)) });
  calm(view);
  return answer;
}

const tell = (view, chain, part) => stirs(view, chain, { first: chain.first, value: part }, { part });

/** What this device adds does not count as it should: it is said on every page of the table until somebody read it. */
function alarm(view, why) {
  keep(OWN, keyOf(view), { ...keptOf(view), alarm: why });
  return show(view, why);
}

const show = (view, why) => import("../chrome/alarm.js").then(({ raiseAlarm }) => raiseAlarm(view, why));

/** Somebody has read it. */
export function calm(view) {
  const { alarm: _, ...chain } = keptOf(view) ?? {};
  if (chain.first) keep(OWN, keyOf(view), chain);
  import("../chrome/alarm.js").then(({ hideAlarm }) => hideAlarm());
}

/** Whether the draws to come are stirred with what this device was told and has told itself. */
async function isStirredSo(view, chain) {
  const luck = await get(`/api/tables/${view.table}/luck`);
  if (luck.rounds.length !== view.luck.stirs) return true; // others have stirred meanwhile: it is looked at again then
  const values = luck.members.map(({ who, value }) => `${who}:${value}`);
  const newest = luck.rounds.at(-1)?.pinch;
  const settled = luck.asked.length > 0 || newest === digest("digside stir 2", ...values);
  const mine = luck.members.some(({ who, value }) => who === nameOf(view) && chain.told.includes(value));
  return settled && mine && mixed(luck.rounds).startsWith(view.luck.stirred);
}

let checked = null; // what the draws were stirred with when it was looked at

async function attend(view) {
  const [chain, member] = [own(view), memberOf(view)];
  if (chain?.alarm) show(view, chain.alarm);
  if (!member) {
    if (chain?.first && view.luck.draws > 0) alarm(view, "gone"); // before the first draw nothing is lost
    await join(view);
    return;
  }
  if (!chain?.first) return; // another device of this name stirs
  const part = nextOf(chain, member);
  if (!chain.told.some((value) => value.startsWith(member.value))) {
    alarm(view, "taken");
  } else if (view.luck.round.some(({ who, told }) => who === nameOf(view) && !told)) {
    if (part) await tell(view, chain, part);
  } else if (view.luck.stirred !== checked) {
    checked = view.luck.stirred;
    if (!(await isStirredSo(view, chain))) alarm(view, "bent");
  }
}

let busy = false;
let next = null; // the newest view that came meanwhile

/** Looks at each newest view: remembers it, stirs with the others, and minds that its own part is in every draw. */
export async function witness(view) {
  remember(view);
  next = view;
  if (busy) return;
  busy = true;
  while (next) {
    const now = next;
    next = null;
    try {
      if (now.me.role === "spectator" || now.over || now.elsewhere) continue;
      if (now.luck.version === 1) (await import("./pinches.js")).attend(now);
      else await attend(now);
    } catch {
      // The service is away, or others were quicker: the next view tells how it stands.
    }
  }
  busy = false;
}
