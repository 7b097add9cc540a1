// This screen's preferences: theme, text size, motion, what fills the screen, sound, voice, short keys; kept here.

const DEFAULTS = {
  theme: "lamplight",
  text: "normal",
  motion: "on",
  theatre: "on",
  sound: "on",
  voice: "off",
  keys: "on",
};
const SHOWN = ["theme", "text", "motion"];

function stored() {
  try {
    return JSON.parse(localStorage.getItem("digside") || "{}");
  } catch {
    return {};
  }
}

/** All of them; where nobody has chosen a theme, it is the device's. */
export const preferences = () => ({ ...DEFAULTS, theme: document.documentElement.dataset.theme, ...stored() });

export function setPreference(name, value) {
  const now = { ...stored(), [name]: value };
  try {
    localStorage.setItem("digside", JSON.stringify(now));
  } catch {
    // A private window keeps nothing: the choice holds until the page is left.
  }
  if (SHOWN.includes(name)) document.documentElement.dataset[name] = value;
}

/** Whether somebody has been shown round on this screen; where nothing is kept, nobody is shown round twice. */
export function hasToured() {
  try {
    return localStorage.getItem("digside-toured") !== null;
  } catch {
    return true;
  }
}

/** Whether things may move: the owner's wish here, and the wish of the whole device. */
export const isAnimated = () =>
  document.documentElement.dataset.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
