// SHA-256 and HMAC, written out: a page that came by a plain address has no `crypto.subtle`.
const ROOTS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The first 32 bits behind the point. */
function fraction(n) {
  return Math.floor((n - Math.floor(n)) * 2 ** 32) | 0;
}

const turn = (word, by) => (word >>> by) | (word << (32 - by));

export const bytesOf = (text) => new TextEncoder().encode(text);
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const ofHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function padded(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const end = new DataView(whole.buffer);
  end.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(whole.length - 4, (bytes.length * 8) >>> 0);
  return end;
}

function mixed(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let n = 0; n < 64; n++) {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + ROOTS[n] + words[n]) | 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]) | 0);
}

/** The SHA-256 of some bytes, as bytes. */
export function sha256(bytes) {
  const view = padded(bytes);
  const words = new Int32Array(64);
  let state = START;
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let n = 0; n < 16; n++) words[n] = view.getInt32(at + 4 * n);
    for (let n = 16; n < 64; n++) {
      const near = words[n - 2];
      const far = words[n - 15];
      const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
      const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
      words[n] = (words[n - 16] + low + words[n - 7] + high) | 0;
    }
    state = mixed(state, words);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => {
    out.setInt32(4 * n, word);
  });
  return new Uint8Array(out.buffer);
}

/** The HMAC-SHA256 of some bytes, as bytes; the key is no longer than a block. */
export function hmac(key, bytes) {
  const whole = joined(key, new Uint8Array(BLOCK - key.length));
  const inner = sha256(
    joined(
      whole.map((byte) => byte ^ 0x36),
      bytes,
    ),
  );
  return sha256(
    joined(
      whole.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** The SHA-256 of texts with a zero byte between them, in hexadecimal digits. */
export const digest = (...texts) => hexOf(sha256(bytesOf(texts.join("\0"))));
