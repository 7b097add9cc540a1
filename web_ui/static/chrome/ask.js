// What the table waits for: whose turn it is, a press to deal, a report of what came up at the table, or the end.
import { html, classes } from "../html.js";
import { botSaid } from "./bots.js";
import { Refused } from "./choosing.js";
import { Lazy } from "./lazy.js";
import { Button } from "./press.js";
import { SeatSign } from "../pieces/marker.js";
import { keyHere, percent } from "../words.js";

const hint = () => import("./hint.js");
/** The end as it is told here: fetched before the first picture of a table that is over. */
export const over = () => import("./over.js");
const otherwise = () => import("./differences.js");
const hosting = () => import("./hosting.js");
const report = () => import("./report.js");

const named = (view, seat) => (seat === null || seat === undefined ? null : view.seats[seat]);

function Who({ view, seat, act }) {
  const who = named(view, seat);
  return who
    ? html`
      <p class="who">
        <${SeatSign} seat=${who} size=${34} />
        <span>${who.name}</span>
      </p>
    `
    : html`<p class="who">${act.say("ui.ask.anybody")}</p>`;
}

function Odds({ odds, act }) {
  const whole = odds.reduce((sum, [, weight]) => sum + weight, 0);
  if (!whole) return null;
  return html`
    <details class="odds">
      <summary>${act.say("ui.ask.odds")}</summary>
      <dl>
        ${odds
          .filter(([, weight]) => weight > 0)
          .map(
            ([outcome, weight]) => html`
              <div key=${outcome}>
                <dt>${act.outcomeSaid(outcome)}</dt>
                <dd>
                  <meter min="0" max=${whole} value=${weight} aria-hidden="true"></meter>
                  ${percent(weight / whole)}
                </dd>
              </div>
            `,
          )}
      </dl>
    </details>
  `;
}

const asked = (view, act) => {
  const { ask } = view;
  const key = keyHere(`ask.${ask.question}`) ?? keyHere(`ask.${ask.randomizer}`);
  return key ? act.say(key, ask.facts) : act.say("ui.ask.draw");
};

const progress = (ask) =>
  ask.facts?.of > 1
    ? html`
      <p class="progress">
        ${ask.facts.nth} / ${ask.facts.of}
      </p>
    `
    : null;

const drawnForBot = ({ source, seat }, act) => source === "table" && seat !== null && !act.isPerson(seat);

/** Who has no hands has others draw. */
const Draws = ({ view, act }) => html`
  <p class="caption">${act.say("ui.bot.draw", { name: view.seats[view.ask.seat].name })}</p>
`;

function Chance({ view, act, plugin }) {
  const { ask } = view;
  if (ask.facts.field) {
    return html`
      <${Who} view=${view} seat=${ask.seat} act=${act} />
      ${act.mayDeal && html`<${Lazy} key="on_card" load=${otherwise} view=${view} act=${act} />`}
    `;
  }
  return html`
    <${Who} view=${view} seat=${ask.seat} act=${act} />
    <p class="ask-line">${asked(view, act)}</p>
    ${drawnForBot(ask, act) && html`<${Draws} view=${view} act=${act} />`}
    ${progress(ask)}
    ${
      ask.source === "table"
        ? act.mayDeal &&
          (plugin.report?.(view, act) ?? html`<${Lazy} load=${report} view=${view} act=${act} plugin=${plugin} />`)
        : act.mayDeal &&
          html`
            <${Button} look="main" class="deal" can=${act.canDeal} onPress=${() => act.outcome(null)}>
              ${act.say(ask.randomizer === "start" ? "ui.ask.who_starts" : "ui.ask.deal")}${" "}
              <kbd>${act.say("ui.key.space")}</kbd>
            <//>
          `
    }
    ${
      act.mayDeal &&
      ask.besides.length > 0 &&
      html`<${Lazy} load=${otherwise} view=${view} act=${act} plugin=${plugin} />`
    }
    ${
      ask.odds.length > 1 &&
      ask.source !== "table" &&
      (plugin?.odds?.(view) ?? true) &&
      html`<${Odds} odds=${ask.odds} act=${act} />`
    }
  `;
}

/** Whose turn it is, as this screen's own seat hears it. */
function turnSaid(view, act, anybody) {
  if (act.mayMove) return act.say(anybody ? "ui.ask.toolbox" : "ui.ask.your_turn");
  const bot = view.ask.seats.length === 1 && botSaid(view, act, view.ask.seat);
  if (bot) return bot;
  const waiting = act.say("ui.table.waiting_for", { names: view.ask.seats.map((seat) => view.seats[seat].name) });
  return act.role === "spectator" ? act.say("ui.ask.looking_on") : waiting;
}

/** On one's own screen the turn is one's own, and is called so. */
const Yours = ({ view, act }) => html`
  <p class="who">
    <${SeatSign} seat=${view.seats[act.seat]} size=${34} />
    <span>${act.say("ui.ask.your_turn")}</span>
  </p>
`;

function Turn({ view, act }) {
  const anybody = view.ask.seats.length > 1;
  if (!anybody && act.role === "seat" && act.mayMove) return html`<${Yours} view=${view} act=${act} />`;
  return html`
    <${Who} view=${view} seat=${anybody ? null : view.ask.seat} act=${act} />
    <p class="ask-line">${turnSaid(view, act, anybody)}</p>
  `;
}

/** Whether a hint may be asked for on this screen. */
const mayAsk = (view, act) => act.mayMove && (view.seats[act.seat].hints ?? "none") !== "none";

/** Whether somebody else plays for the seat of this phone. */
const isAway = (view, act) => act.role === "seat" && !view.over && !act.isPerson(act.seat);

const Back = ({ act }) => html`
  <${Button} look="main" can=${act.ready} onPress=${() => act.sit(act.seat, "person")}>${act.say("ui.bot.back")}<//>
`;
const Over = (props) => html`<${Lazy} load=${over} ...${props} />`;

const FACES = { chance: Chance, over: Over, move: Turn };

/** @param plugin the box's board; @param children what the board adds beneath: the choices of a turn. */
export function Ask({ view, act, plugin, children }) {
  const Face = FACES[view.ask.kind];
  return html`
    <section
      class=${classes("ask", view.ask.kind, view.settled && "settled", act.mayMove || act.mayDeal ? "mine" : "theirs")}
      aria-label=${act.say("ui.ask.label")}
    >
      ${
        (view.host.silent || view.host.asked) &&
        !view.settled &&
        html`<${Lazy} load=${hosting} view=${view} act=${act} />`
      }
      <${Face} view=${view} act=${act} plugin=${plugin} />
      ${view.ask.kind === "move" && children}
      ${mayAsk(view, act) && html`<${Lazy} load=${hint} view=${view} act=${act} />`}
      ${isAway(view, act) && html`<${Back} act=${act} />`}
      ${view.otherwise.length > 0 && html`<${Lazy} load=${otherwise} view=${view} lines=${view.otherwise} />`}
      <${Refused} act=${act} />
    </section>
  `;
}
