// The picture of the final table, to look at, print and keep.
import { addressOf } from "../addresses.js";
import { html, classes } from "../html.js";
import { spoken } from "../words.js";

/** Where the picture is. */
export const pictureOf = (view) => addressOf(`/api/tables/${view.table}/keepsake.png?lang=${spoken()}`);

/** The button that keeps it on this device, with what it says as its children. */
export const Keep = ({ view, look, children }) => html`
  <a class=${classes("button", look)} href=${pictureOf(view)} download=${`digside-${view.box}-${view.table}.png`}>
    ${children}
  </a>
`;
