// Writing firmware to a Nano through its bootloader, by Web Serial: STK500 version 1, as in firmware_bridge/stk500.py.
const SPEEDS = [115200, 57600];
const PAGE = 128;
const ROOM = 0x7800; // what lies above may be the bootloader, and is never touched
const SIGNATURES = { "1e950f": "ATmega328P", "1e9514": "ATmega328" };

const END_OF_COMMAND = 0x20;
const IN_SYNC = 0x14;
const OK = 0x10;
const SYNC = 0x30;
const ENTER = 0x50;
const LEAVE = 0x51;
const LOAD_ADDRESS = 0x55;
const WRITE_PAGE = 0x64;
const READ_PAGE = 0x74;
const READ_SIGNATURE = 0x75;
const FLASH = 0x46;

const SYNC_TRIES = 10;
const SYNC_WITHIN = 120;
const ANSWER_WITHIN = 1000;
const RESET_FOR = 50;
const LOADER_WAITS = 150;
const ROUNDS = 3;

/** The firmware could not be written: `why` is a code of `flash.failed_…`. The bootloader is still there. */
export class FlashFailed extends Error {
  constructor(why, reason = "") {
    super(why);
    this.why = why;
    this.reason = reason;
  }
}

const after = (ms) => new Promise((done) => setTimeout(done, ms));

/** A serial port as something to ask: what comes is kept until somebody reads it. */
class Wire {
  constructor(port) {
    this.port = port;
    this.heard = [];
    this.wake = () => {};
  }

  async open(baudRate) {
    await this.port.open({ baudRate });
    this.heard = [];
    this.gone = null;
    this.reader = this.port.readable.getReader();
    this.writer = this.port.writable.getWriter();
    this.hearing = this.hear();
  }

  async hear() {
    try {
      for (;;) {
        const { value, done } = await this.reader.read();
        if (done) return;
        this.heard.push(...value);
        this.wake();
      }
    } catch (error) {
      this.gone = error;
      this.wake();
    }
  }

  /** So many bytes, or nothing where they do not come in time. */
  async read(size, within) {
    const until = performance.now() + within;
    while (this.heard.length < size) {
      if (this.gone) throw this.gone;
      const left = until - performance.now();
      if (left <= 0) return null;
      const heard = new Promise((done) => {
        this.wake = done;
      });
      await Promise.race([heard, after(left)]);
    }
    return Uint8Array.from(this.heard.splice(0, size));
  }

  async write(bytes) {
    await this.writer.write(Uint8Array.from(bytes));
  }

  /** The edge of this line is what resets a Nano. */
  async reset() {
    await this.port.setSignals({ dataTerminalReady: false, requestToSend: false });
    await after(RESET_FOR);
    await this.port.setSignals({ dataTerminalReady: true, requestToSend: true });
    await after(LOADER_WAITS);
    this.heard = [];
  }

  async close() {
    await this.reader.cancel().catch(() => {});
    await this.hearing;
    this.reader.releaseLock();
    this.writer.releaseLock();
    await this.port.close();
  }
}

async function isInSync(wire) {
  for (let i = 0; i < SYNC_TRIES; i++) {
    await wire.write([SYNC, END_OF_COMMAND]);
    const answer = await wire.read(2, SYNC_WITHIN);
    if (answer?.[0] !== IN_SYNC || answer[1] !== OK) continue;
    while (await wire.read(2, SYNC_WITHIN)); // answers to those before, which came late
    return true;
  }
  return false;
}

async function find(port) {
  const wire = new Wire(port);
  for (let round = 0; round < ROUNDS; round++) {
    for (const speed of SPEEDS) {
      await wire.open(speed);
      try {
        await wire.reset();
        if (await isInSync(wire)) return wire;
      } catch (error) {
        await wire.close().catch(() => {});
        throw error;
      }
      await wire.close();
    }
  }
  throw new FlashFailed("no_answer");
}

async function ask(wire, command, length = 0) {
  await wire.write([...command, END_OF_COMMAND]);
  const answer = await wire.read(length + 2, ANSWER_WITHIN);
  if (answer?.[0] !== IN_SYNC || answer.at(-1) !== OK) throw new FlashFailed("out_of_sync");
  return answer.slice(1, -1);
}

const size = (bytes) => [bytes >> 8, bytes & 0xff];
const goTo = (wire, at) => ask(wire, [LOAD_ADDRESS, (at >> 1) & 0xff, at >> 9]); // it counts in words

async function read(wire, length, onProgress) {
  const flash = new Uint8Array(length);
  for (let at = 0; at < length; at += PAGE) {
    const count = Math.min(PAGE, length - at);
    await goTo(wire, at);
    flash.set(await ask(wire, [READ_PAGE, ...size(count), FLASH], count), at);
    onProgress((at + count) / length);
  }
  return flash;
}

function withoutBlanks(flash) {
  let length = flash.length;
  while (length > 0 && flash[length - 1] === 0xff) length--;
  return flash.slice(0, length);
}

async function write(wire, firmware, onProgress) {
  for (let at = 0; at < firmware.length; at += PAGE) {
    const page = new Uint8Array(PAGE).fill(0xff);
    page.set(firmware.subarray(at, at + PAGE));
    await goTo(wire, at);
    await ask(wire, [WRITE_PAGE, ...size(PAGE), FLASH, ...page]);
    onProgress(Math.min(1, (at + PAGE) / firmware.length));
  }
}

const isSame = (one, other) => one.length === other.length && one.every((byte, i) => byte === other[i]);

/**
 * Write firmware to the Nano at a port, and compare what is there afterwards; the name of its chip.
 *
 * @param progress is told the stage, and how far it is from 0 to 1.
 * @param keep takes what was there before, as the way back.
 */
export async function flash(port, firmware, { progress, keep }) {
  if (firmware.length > ROOM) throw new FlashFailed("too_large");
  progress("connect", 0);
  const wire = await find(port);
  try {
    const signature = await ask(wire, [READ_SIGNATURE], 3);
    const chip = SIGNATURES[Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("")];
    if (!chip) throw new FlashFailed("other_chip");
    await ask(wire, [ENTER]);
    keep(withoutBlanks(await read(wire, ROOM, (share) => progress("keep", share))));
    await write(wire, firmware, (share) => progress("write", share));
    const written = await read(wire, firmware.length, (share) => progress("verify", share));
    if (!isSame(written, firmware)) throw new FlashFailed("not_verified");
    await ask(wire, [LEAVE]);
    return chip;
  } catch (error) {
    throw error instanceof FlashFailed ? error : new FlashFailed("lost", error.message);
  } finally {
    await wire.close().catch(() => {});
  }
}
