// Small sounds made on the spot: wood on wood, a token on the table, stone that falls.
import { preferences } from "./preferences.js";

let air = null;
let touched = false;

// Browsers let a page sound once it was touched; not all of them say so, and a tablet that was locked has to be told.
function touch() {
  touched = true;
  wakeAir();
}
for (const event of ["pointerdown", "keydown"]) addEventListener(event, touch, { capture: true, passive: true });

function wakeAir() {
  if (air !== null && air.state !== "running") air.resume().catch(() => {}); // refused: the next touch asks again
}

function tone({ pitch, to = pitch, length, loud = 0.16, shape = "triangle", wait = 0 }) {
  const at = air.currentTime + wait;
  const voice = air.createOscillator();
  const level = air.createGain();
  voice.type = shape;
  voice.frequency.setValueAtTime(pitch, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + length);
  level.gain.setValueAtTime(loud, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + length);
  voice.connect(level).connect(air.destination);
  voice.start(at);
  voice.stop(at + length);
}

const SOUNDS = {
  knock: [{ pitch: 210, to: 120, length: 0.09 }],
  token: [
    { pitch: 1500, to: 900, length: 0.06, loud: 0.08 },
    { pitch: 2100, to: 1500, length: 0.08, loud: 0.05, wait: 0.05 },
  ],
  bag: [
    { pitch: 130, to: 70, length: 0.16, loud: 0.22, shape: "sine" },
    { pitch: 900, to: 500, length: 0.05, loud: 0.03, wait: 0.05 },
    { pitch: 1100, to: 600, length: 0.05, loud: 0.03, wait: 0.11 },
  ],
  rubble: [
    { pitch: 180, to: 80, length: 0.1, loud: 0.12 },
    { pitch: 240, to: 90, length: 0.09, loud: 0.07, wait: 0.06 },
  ],
  coin: [
    { pitch: 2400, to: 2350, length: 0.18, loud: 0.06, shape: "sine" },
    { pitch: 3200, to: 3150, length: 0.24, loud: 0.05, shape: "sine", wait: 0.07 },
  ],
  turn: [
    { pitch: 660, length: 0.12, loud: 0.1, shape: "sine" },
    { pitch: 990, length: 0.2, loud: 0.1, shape: "sine", wait: 0.12 },
  ],
  dice: [
    { pitch: 320, to: 200, length: 0.05 },
    { pitch: 280, to: 180, length: 0.05, wait: 0.07 },
  ],
  die: [{ pitch: 340, to: 190, length: 0.06 }],
  card: [
    { pitch: 700, to: 2600, length: 0.07, loud: 0.025, shape: "sawtooth" },
    { pitch: 240, to: 160, length: 0.06, loud: 0.1, wait: 0.08 },
  ],
  stone: [{ pitch: 90, to: 38, length: 0.45, loud: 0.4, shape: "sawtooth" }],
  warn: [
    { pitch: 880, length: 0.14, loud: 0.2 },
    { pitch: 880, length: 0.14, loud: 0.2, wait: 0.25 },
  ],
  back: [{ pitch: 260, to: 420, length: 0.12, loud: 0.08 }],
};

/** Plays a sound if this screen's owner preferences sound and has touched the page before. */
export function sound(name) {
  if (preferences().sound === "off" || !(navigator.userActivation?.hasBeenActive ?? touched)) return;
  air ??= new AudioContext();
  wakeAir();
  for (const note of SOUNDS[name]) tone(note);
}
