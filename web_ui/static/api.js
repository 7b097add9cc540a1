// Requests to the service. A press carries the seq it was meant for and an id of its own, so that an answer lost
// on the way is asked for again without a second effect.
import { asRead } from "./words.js";

const TRIES = 6;
const PAUSE = 350;
const PATIENCE = 4000;

/** What the service said instead of doing it; `view` is the fresh one where the table had moved on. */
export class Refused extends Error {
  constructor(status, error, view) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.rule = error.rule ?? null;
    this.facts = error.facts ?? {};
    this.view = asRead(view ?? null);
  }
}

/** The service could not be reached. */
class Unreachable extends Error {}

/** An id nobody else has; `crypto.randomUUID` is missing where a tablet came by a plain address. */
function requestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Headers by which a press is answered with its number alone: the view comes by the stream. */
export const BRIEF = { Prefer: "return=minimal" };

async function once(method, path, body, headers = {}) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  let answer;
  let json;
  try {
    answer = await fetch(path, {
      method,
      signal: stop.signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    json = await answer.json();
  } catch (error) {
    throw new Unreachable(String(error));
  } finally {
    clearTimeout(late);
  }
  if (!answer.ok) {
    throw new Refused(answer.status, json.error ?? { code: "unknown", message: answer.statusText }, json.view);
  }
  return asRead(json);
}

export const get = (path) => once("GET", path);
export const post = (path, body) => once("POST", path, body);

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Posts a press; the same id goes out again when an answer was lost or the service was busy. */
export async function press(path, body, headers) {
  const whole = { request: requestId(), ...body };
  for (let tries = 1; ; tries++) {
    try {
      return await once("POST", path, whole, headers);
    } catch (error) {
      const worthwhile = error instanceof Unreachable || [503, 429].includes(error.status) || error.code === "perhaps";
      if (!worthwhile || tries === TRIES) throw error;
      await pause(PAUSE * tries);
    }
  }
}
