// A view that is told as changes: each event makes the next view of the one before it (JSON Patch, RFC 6902), and has a
// sum by which a view that is not as it should be is noticed.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32 of a text in UTF-8, as eight hexadecimal digits. */
function crc32(text) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(text)) sum = TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (~sum >>> 0).toString(16).padStart(8, "0");
}

/** A value as JSON in its canonical form (RFC 8785). */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join()}}`;
}

const keyOf = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** What a patch makes of a value; the value itself stays as it was. */
export function patched(whole, operations) {
  const copies = new Set();
  const copied = (value) => {
    if (copies.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copies.add(copy);
    return copy;
  };
  const root = copied(whole);
  for (const { op, path, value } of operations) {
    const keys = path.slice(1).split("/").map(keyOf);
    const last = keys.pop();
    let at = root;
    for (const key of keys) {
      at[key] = copied(at[key]);
      at = at[key];
    }
    if (!Array.isArray(at)) {
      if (op === "remove") delete at[last];
      else at[last] = value;
    } else if (op === "replace") at[last] = value;
    else at.splice(Number(last), op === "remove" ? 1 : 0, ...(op === "add" ? [value] : []));
  }
  return root;
}

/** The view that a stream tells; it may begin with a view that was asked for. */
export class Followed {
  view = null;
  version = ""; // as `seq-sum`; nothing before the first view, and after a drift

  constructor(view) {
    if (!view) return;
    const { options, ...ask } = view.ask;
    this.view = options && view.mode === "referee" ? { ...view, ask } : view; // help is no part of what is told
    this.version = versionOf(this.view);
  }

  /** The view after an event; null where the event brings nothing new, or this one has to be asked for anew. */
  take({ seq, sum, view, after, from, patch }) {
    const next = `${seq}-${sum}`;
    if (next === this.version || seq < Number.parseInt(this.version, 10)) return null; // it came twice
    this.view = view ?? (this.version === `${after}-${from}` ? made(this.view, patch) : null);
    const own = this.view && versionOf(this.view);
    this.version = view || own === next ? own : "";
    return this.version ? this.view : null;
  }
}

const versionOf = (view) => `${view.seq}-${crc32(canonical(view))}`;

function made(view, patch) {
  try {
    return patched(view, patch);
  } catch {
    return null; // it does not fit: the view is not as it should be
  }
}
