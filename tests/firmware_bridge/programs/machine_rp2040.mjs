// The Pico's own code in an emulated RP2040, with the channels and commands of firmware/host/main.c, in steps only.
//
//   node machine_rp2040.mjs FIRMWARE.uf2
//
// The emulator forgets its flash and little else at a reset, knows no register that tells why, answers a port on which
// nothing is said each ten microseconds, and works through every period of the PWM: so the chip is made anew at a reset,
// with the memory it had, what the other end of the wire does is done here, and the PWM is read and not run.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { GPIOPinState, Simulator, USBCDC } from "rp2040js";

const PIN = { pump: 16, valve: 17, buzzer: 18, vacuum: 26 };
const BUTTONS = [2, 3, 4, 5, 6, 7, 8, 9];
const LAMPS = [10, 11, 12, 13, 14, 15, 19, 20];
const CYCLE_NS = 1e9 / 48e6;
const SECOND_STAGE = 0x41f00; // where the ROM puts the first 256 bytes of the flash
const FLASH = 0x10000000;
const RAM = 0x20000000;
const RAM_KEPT = { begin: 0x3f000, end: 0x40000 };
const WATCHDOG = 0x40058;
const CHIP_RESET = 0x40064;
const TIMER_ENABLED = 0x40054038;
const WATCHED_NS = 5e6; // after a reset each instruction is looked at
const HAD = { power: 1 << 8, external: 1 << 16, "brown-out": 1 << 8, watchdog: 0, unknown: 0 };
const QUIET = { debug() {}, info() {}, warn() {}, error: (...said) => console.error(...said) };

/** The pages of a UF2 file, as they lie in flash. */
function unpacked(file) {
  const image = readFileSync(file);
  const flash = new Uint8Array(64 * 1024).fill(0xff);
  for (let at = 0; at < image.length; at += 512) {
    const block = image.subarray(at, at + 512);
    flash.set(block.subarray(32, 32 + block.readUInt32LE(16)), block.readUInt32LE(12) - FLASH);
  }
  return flash;
}

function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x80000000 ? 0x04c11db7 : 0);
  }
  return sum >>> 0;
}

class Machine {
  constructor(flash) {
    this.flash = flash;
    this.nanos = 0;
    this.counts = 164;
    this.buttons = 0;
    this.said = [];
    this.waiting = [];
    this.seen = { pump: 0, valve: false };
    this.resets = this.starts = this.pumpChanged = this.valveChanged = this.heardAt = this.hungUntil = 0;
    this.locked = false;
    this.reset("power");
    this.resets = 0;
  }

  /** The chip begins anew; memory is as it was, unless the power was lost. */
  reset(reason) {
    const kept = reason === "power" ? null : this.chip?.sram.slice(RAM_KEPT.begin, RAM_KEPT.end);
    const simulator = new Simulator();
    this.clock = simulator.clock;
    this.chip = simulator.rp2040;
    this.chip.logger = QUIET;
    this.chip.flash.set(this.flash);
    this.chip.sram.fill(0x55);
    if (kept) this.chip.sram.set(kept, RAM_KEPT.begin);
    this.chip.peripherals[CHIP_RESET].readUint32 = (offset) => (offset === 8 ? HAD[reason] : 0);
    this.watchdog = this.chip.peripherals[WATCHDOG];
    this.watchdog.reason = reason === "watchdog" ? 1 : 0;
    this.watchdog.onWatchdogTrigger = () => {
      this.watchdog.timer.enable = this.watchdog.alarm.enable = false; // else it would go off again within the same moment
      this.bitten = true;
    };
    for (const { timer } of this.chip.pwm.channels)
      Object.defineProperty(timer, "enable", { get: () => false, set() {} });
    this.wireLights();
    this.plug();
    this.began = this.nanos;
    this.hungUntil = 0;
    this.locked = false;
    this.resets++;
    this.press(this.buttons);
    this.boot();
    this.look();
  }

  /** What the ROM of the chip does: it takes the flash's first 256 bytes, if their sum is right, and runs them. */
  boot() {
    const first = this.flash.subarray(0, 256);
    if (crc(first.subarray(0, 252)) !== new DataView(first.buffer).getUint32(252, true))
      throw new Error("the sum of the second stage is wrong: a chip would wait for another firmware");
    this.chip.sram.set(first, SECOND_STAGE);
    const { core } = this.chip;
    core.SP = RAM + SECOND_STAGE;
    core.LR = 0;
    core.PC = RAM + SECOND_STAGE;
  }

  /** What is said on one side of the wire is heard at the other; the port waits for bytes, and is not asked for them. */
  plug() {
    const wire = new USBCDC(this.chip.usbCtrl);
    wire.onSerialData = (bytes) => this.said.push(...bytes);
    this.chip.usbCtrl.onEndpointRead = (endpoint, size) => {
      if (endpoint !== wire.outEndpoint) return;
      this.room = size;
      this.pass();
    };
    this.wire = wire;
    this.room = 0;
  }

  /** What pixels make of SPI 0: words of four bits, each 100 or 110; a pause of 50 microseconds begins anew. */
  wireLights() {
    const spi = this.chip.spi[0];
    let place = 0;
    let last = 0;
    this.lights ??= new Uint8Array(64 * 3);
    spi.onTransmit = (word) => {
      if (this.clock.nanos - last > 5e4) place = 0;
      last = this.clock.nanos;
      for (let i = 3; i >= 0; i--, place++) {
        const sign = (word >> (3 * i)) & 7;
        if (sign !== 4 && sign !== 6) throw new Error(`the pixels understand no ${sign}`);
        const at = place >> 3;
        if (at < this.lights.length) this.lights[at] = ((this.lights[at] << 1) | (sign === 6)) & 255;
      }
      spi.completeTransmit(0);
    };
  }

  pass() {
    if (!this.room || !this.waiting.length) return;
    const bytes = Uint8Array.from(this.waiting.splice(0, this.room));
    this.room = 0;
    this.heardAt = this.nanos;
    this.chip.usbCtrl.endpointReadDone(this.wire.outEndpoint, bytes);
  }

  hear(bytes) {
    this.waiting.push(...bytes);
    this.pass();
  }

  press(bits) {
    this.buttons = bits;
    BUTTONS.forEach((gpio, i) => {
      this.chip.gpio[gpio].setInputValue(!((bits >> i) & 1));
    });
  }

  isHigh(gpio) {
    return this.chip.gpio[gpio].value === GPIOPinState.High;
  }

  /** What a slice of the PWM gives its first output; nothing where the pin is another's. */
  compared(gpio) {
    const slice = this.chip.pwm.channels[(gpio >> 1) & 7];
    const driven = this.chip.gpio[gpio].functionSelect === 4 && slice.csr & 1;
    return driven ? { compare: slice.cc & 0xffff, period: slice.top + 1, divider: slice.div >> 4 } : null;
  }

  pump() {
    const pwm = this.compared(PIN.pump);
    if (!pwm) return this.isHigh(PIN.pump) ? 255 : 0;
    return Math.min(255, Math.round((pwm.compare * 255) / pwm.period));
  }

  look() {
    const now = { pump: this.pump(), valve: this.isHigh(PIN.valve) };
    if (now.pump > 0 !== this.seen.pump > 0) this.pumpChanged = this.nanos;
    if (now.valve !== this.seen.valve) this.valveChanged = this.nanos;
    this.starts += (now.pump > 0 && !this.seen.pump) + (now.valve && !this.seen.valve);
    this.seen = now;
  }

  /** One instruction, or the time to the next interrupt. A chip that hangs still lets interrupts in, unless it is locked. */
  step() {
    const { core } = this.chip;
    const hangs = this.nanos < this.hungUntil;
    if (hangs && core.IPSR === 0 && !(core.interruptsUpdated && !this.locked)) {
      core.waiting = true;
    }
    if (this.locked) core.interruptsUpdated = false;
    let passed = CYCLE_NS;
    if (this.measured) this.measure(core);
    if (core.waiting) passed = Math.max(CYCLE_NS, Math.min(this.clock.nanosToNextAlarm || 1e5, 1e5));
    else passed = core.executeInstruction() * CYCLE_NS;
    this.clock.tick(passed);
    this.nanos = this.began + this.clock.nanos;
    if (this.bitten) {
      this.bitten = false;
      this.reset("watchdog");
    }
  }

  /** How deep the stack gets, and the longest stretch in which no interrupt was let in. */
  measure(core) {
    const { measured } = this;
    measured.lowest = Math.min(measured.lowest, core.SP);
    measured.highest = Math.max(measured.highest, core.SP);
    if (!core.waiting && (core.PM || core.IPSR))
      measured.longest = Math.max(measured.longest, this.nanos - measured.since);
    else measured.since = this.nanos;
  }

  run(us) {
    const end = this.nanos + us * 1000;
    this.chip.adc.channelValues[0] = this.counts;
    while (this.nanos < end) {
      const until = Math.min(end, this.nanos + 1e5);
      while (this.nanos < until) {
        this.step();
        if (this.nanos < this.began + WATCHED_NS) this.look();
      }
      this.look();
    }
  }

  state() {
    const buzz = this.compared(PIN.buzzer);
    return {
      kind: "pico",
      wire: "",
      now_us: Math.round(this.nanos / 1000),
      wall_us: Math.round(performance.now() * 1000),
      pump: this.pump(),
      valve: this.isHigh(PIN.valve),
      lamps: LAMPS.reduce((bits, gpio, i) => bits | (this.isHigh(gpio) << i), 0),
      pitch: buzz ? Math.round(48e6 / buzz.divider / buzz.period) : 0,
      period: this.compared(PIN.pump)?.period ?? 0,
      kpa: 0,
      card: false,
      leak: 0,
      blocked: false,
      buttons: this.buttons,
      resets: this.resets,
      starts: this.starts,
      backlog: 0,
      last_heard_us: Math.round(this.heardAt / 1000),
      pump_changed_us: Math.round(this.pumpChanged / 1000),
      valve_changed_us: Math.round(this.valveChanged / 1000),
      pump_off_wall_us: 0,
    };
  }
}

const flash = unpacked(process.argv[2]);
let machine = new Machine(flash);

const OBEY = {
  fresh() {
    machine = new Machine(flash);
  },
  state: () => machine.state(),
  run(us) {
    machine.run(Number(us));
    const said = Buffer.from(machine.said).toString("hex");
    machine.said = [];
    return { said };
  },
  hear: (hex) => machine.hear(Buffer.from(hex, "hex")),
  lights() {
    const shown = machine.lights;
    const pixels = Array.from({ length: 64 }, (_, i) => [shown[3 * i + 1], shown[3 * i], shown[3 * i + 2]]);
    return { lights: Buffer.from(pixels.flat()).toString("hex") };
  },
  measure() {
    machine.measured = { lowest: machine.chip.core.SP, highest: 0, longest: 0, since: machine.nanos };
  },
  measured() {
    const { lowest, highest, longest } = machine.measured;
    return { stack: highest - lowest, without_us: longest / 1000 };
  },
  buttons: (bits) => machine.press(Number(bits)),
  counts(counts) {
    machine.counts = Number(counts);
  },
  poke(rest) {
    const [address, hex] = rest.split(" ");
    machine.chip.sram.set(Buffer.from(hex, "hex"), Number.parseInt(address, 16) - RAM);
  },
  hang(us) {
    machine.hungUntil = machine.nanos + Number(us) * 1000;
  },
  lock() {
    machine.locked = true;
  },
  freeze: () => machine.chip.writeUint32(TIMER_ENABLED, 0),
  reset: (reason) => (reason in HAD ? machine.reset(reason) : { ok: false }),
};

const tell = (answer) => process.stdout.write(`${JSON.stringify(answer ?? { ok: true })}\n`);

tell(machine.state());
for await (const line of createInterface({ input: process.stdin })) {
  const [word, rest = ""] = line.split(/ (.*)/s);
  tell(OBEY[word] ? OBEY[word](rest) : { ok: false });
}
