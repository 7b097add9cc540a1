// What every piece is drawn with: htm's tagged templates over Preact, and nothing else of either.
import { h, render, Component, Fragment } from "./vendor/preact.module.js";
import htm from "./vendor/htm.module.js";

export const html = htm.bind(h);
export { h, render, Component, Fragment };

/** Class names from a list, leaving out what is false. */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** The numbers 0 to n - 1. */
export const upTo = (n) => Array.from({ length: n }, (_, i) => i);
