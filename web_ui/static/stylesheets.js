// Style that only some boards need: a sheet is laid on the page before the first thing that wears it is drawn.
import { addressOf } from "./addresses.js";

const worn = new Map();

/**
 * Resolves when the sheet of that name is there; a sheet that cannot be had keeps nobody from playing.
 * @param beneath whether it lies beneath all that is worn so: what pieces look like, which a board may say otherwise.
 */
export function loadStylesheet(name, { beneath = false } = {}) {
  if (!worn.has(name)) {
    worn.set(
      name,
      new Promise((done) => {
        const link = document.createElement("link");
        link.rel = "stylesheet";
        link.href = addressOf(`/static/${name}.css`);
        link.onload = link.onerror = done;
        if (!beneath) link.className = "worn";
        document.head.insertBefore(link, beneath ? document.head.querySelector("link.worn") : null);
      }),
    );
  }
  return worn.get(name);
}
