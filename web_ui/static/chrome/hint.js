// "What would you do?": asked for on one's own screen, and the two or three best moves that come of it.
import { html } from "../html.js";
import { get } from "../api.js";
import { keyHere, learnLater, number, percent } from "../words.js";
import { lineSaid } from "./log.js";
import { Button } from "./press.js";

const LOOK = 400; // milliseconds until it is looked again whether it is known
const LONGEST = 60_000;

await learnLater();

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Asks, and waits until it is known; what is held goes as the table moves on. */
async function ask(view, act) {
  const seen = await act.askHint();
  if (!seen) return; // refused, which is said where all refusals are
  act.hold("hint", { moves: null });
  const eyes = act.role === "host" ? `?seat=${act.seat}` : "";
  for (const began = performance.now(); performance.now() - began < LONGEST; await pause(LOOK)) {
    const answer = await get(`/api/tables/${view.table}/hint${eyes}`).catch(() => null);
    if (!answer || answer.ready) return act.hold("hint", answer && { moves: answer.moves });
  }
  act.hold("hint", null);
}

function Promised({ move, act }) {
  if (move.chance === undefined) return null;
  const facts = { percent: percent(move.chance), within: percent(move.within) };
  return html`
    <small>
      ${act.say("evening.hint.win", facts)} · ${act.say("evening.hint.points", { n: number(Math.round(move.points)) })}
    </small>
  `;
}

function Move({ move, view, act }) {
  const key = move.why && keyHere(`why.${move.why}`);
  return html`
    <li>
      <b>${lineSaid(view, { kind: "move", by: "seat", seat: act.seat, what: move.told })}</b>
      <${Promised} move=${move} act=${act} />
      ${key && html`<span>${act.say(key, move.facts)}</span>`}
    </li>
  `;
}

const Told = ({ moves, view, act }) => html`
  <section class="hint-told" role="status" aria-label=${act.say("evening.hint.title")}>
    <h3>${act.say("evening.hint.title")}</h3>
    ${
      moves
        ? html`
          <ol>${moves.map((move, nth) => html`<${Move} key=${nth} move=${move} view=${view} act=${act} />`)}</ol>
          <p class="caption">
            ${act.say(moves[0]?.chance === undefined ? "evening.hint.simple" : "evening.hint.unsure")}
          </p>
          <${Button} look="quiet" onPress=${() => act.hold("hint", null)}>${act.say("evening.hint.close")}<//>
        `
        : html`<p>${act.say("evening.hint.thinks")}</p>`
    }
  </section>
`;

/** The button, or what came of it. */
export function Part({ view, act }) {
  const held = act.chosen("hint");
  if (held) return html`<${Told} moves=${held.moves} view=${view} act=${act} />`;
  const left = view.seats[act.seat].hints_left;
  return html`
    <${Button} look="quiet" class="ask-hint" can=${act.can && left !== 0} onPress=${() => ask(view, act)}>
      ${act.say("ui.bot.hint")}
      ${left !== null && html` <small>${act.say("ui.bot.hints_left", { n: left })}</small>`}
    <//>
  `;
}
