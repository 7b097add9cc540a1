// The parts that devices add to the luck: companion/play/LUCK.md.
import { bytesOf, digest, hexOf, sha256 } from "./sha256.js";

/** The value after another in the chain of a device. */
export const after = (value) => digest("digside part 1", value);

/** What stirs come to, one after the other. */
export function mixed(stirs) {
  if (stirs.length === 0) return "";
  const whole = new Uint8Array(32 * stirs.length);
  stirs.forEach(({ since, pinch }, n) => {
    whole.set(sha256(bytesOf(`${since}:${pinch}`)), 32 * n);
  });
  return hexOf(sha256(whole));
}
