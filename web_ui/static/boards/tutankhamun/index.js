// Tutankhamun, refereed: the tray as a dig seen from above, the turn in the balance, layers laid in secret.
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { known, name, signed } from "../../words.js";
import { Dig, digOf, DockBar, Hint } from "./dig.js";
import { Dealing, Laying } from "./laying.js";
import { Unearthed } from "./unearthed.js";
import { Purse, TurnChoices } from "./turn.js";
import { Face, isOurs } from "./face.js";
import { ShovelChoice } from "./lift.js";

await loadStylesheet("boards/tutankhamun/style");

const BOARDS = { laying: Laying, dealing: Dealing, turning: Dealing };

export function board(view, act) {
  const Board = view.board.found ? Unearthed : (BOARDS[view.board.phase] ?? Dig);
  return html`<${Board} view=${view} act=${act} />`;
}

/** What lies before a seat: its coins, its scarabs, its barricade. */
export const beside = (view, seat, act) => html`<${Purse} view=${view} seat=${seat} act=${act} />`;

/** Beneath what is asked: what to do, stop, pass, the scarab; on a phone what is done with a square, too. */
export const choices = (view, act) => html`
  ${
    view.board.phase === "digging" &&
    act.mayMove &&
    !digOf(view, act) &&
    html`<p class="ask-line tut-hint"><${Hint} view=${view} act=${act} /></p>`
  }
  <${DockBar} view=${view} act=${act} />
  <${TurnChoices} view=${view} act=${act} />
`;

/** A card to report, as a picture to touch. */
export const face = (view, outcome) =>
  html`<${Face} card=${outcome} value=${view.board.tray.value[outcome]} house=${isOurs(view, outcome)} size=${44} />`;

/** What is said of it: its name, and the worth that its seal shows; with a star where that is our own figure. */
export function outcomeSaid(view, outcome) {
  const value = view.board.tray.value[outcome];
  return value ? `${name(outcome)} ${signed(value)}${isOurs(view, outcome) ? "*" : ""}` : name(outcome);
}

/** Beside the big stop: whether this table lifts with the shovel. */
export const shovel = (view, act) => html`<${ShovelChoice} view=${view} act=${act} />`;

/** The lift is shown where the card lies, not in the rail. */
export const shows = { lift: () => true };

/** The space bar digs on the square that is chosen. */
export const shortcut = (view, act) => digOf(view, act)?.lift ?? null;

const DEALT = ["deal_pattern", "deal_card"];

/** The log with each run of hidden draws folded into one line: a layer is dealt in seventeen steps. */
export function folded(log) {
  const lines = [];
  for (const line of log) {
    const last = lines[lines.length - 1];
    if (!DEALT.includes(line.what.type)) lines.push(line);
    else if (last?.what.type === "deal_layers" && last.undone === line.undone) {
      lines[lines.length - 1] = joined(last, line);
    } else lines.push({ ...line, what: { type: "deal_layers", layers: [line.what.layer] } });
  }
  return known("tutankhamun.log.deal_layers") ? lines : log;
}

const joined = (last, line) => ({
  ...line,
  what: { type: "deal_layers", layers: [...new Set([...last.what.layers, line.what.layer])] },
});

/** What the signs on the board mean. */
export const legend = () => import("./legend.js");

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");
