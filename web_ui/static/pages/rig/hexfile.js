// Intel HEX, as far as the firmware of a small chip needs it: one range of flash from 0, without segments.
const DATA = 0;
const END = 1;
const SEGMENT = 2;
const LINEAR = 4;
const RECORD = 16;
const BLANK = 0xff;

function record(line) {
  const bytes = Uint8Array.from(line.slice(1).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const whole = /^:([0-9a-f]{2}){5,}$/i.test(line) && bytes.length === bytes[0] + 5;
  if (!whole || bytes.reduce((sum, byte) => sum + byte, 0) & 0xff) return null;
  return { kind: bytes[3], address: (bytes[1] << 8) | bytes[2], data: bytes.slice(4, -1) };
}

const isBeyond = ({ kind, data }) => (kind === SEGMENT || kind === LINEAR) && data.some((byte) => byte);

/** The flash from address 0 on; what the file leaves out is blank. Nothing where it is no firmware for such a chip. */
export function readHex(text) {
  const flash = [];
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const read = record(line.trim());
    if (!read || isBeyond(read)) return null;
    if (read.kind === END) return Uint8Array.from(flash);
    if (read.kind !== DATA) continue;
    while (flash.length < read.address) flash.push(BLANK);
    flash.splice(read.address, read.data.length, ...read.data);
  }
  return null;
}

const hex = (byte) => byte.toString(16).padStart(2, "0").toUpperCase();

function line(kind, address, data) {
  const bytes = [data.length, address >> 8, address & 0xff, kind, ...data];
  const sum = -bytes.reduce((total, byte) => total + byte, 0) & 0xff;
  return `:${[...bytes, sum].map(hex).join("")}\n`;
}

/** A range of flash from address 0 on; blank records are left out. */
export function writeHex(flash) {
  let text = "";
  for (let at = 0; at < flash.length; at += RECORD) {
    const data = flash.slice(at, at + RECORD);
    if (data.some((byte) => byte !== BLANK)) text += line(DATA, at, data);
  }
  return text + line(END, 0, []);
}
