// In the table's menu: who plays for each seat, and how often it may ask for a hint.
import { html } from "../html.js";
import { SeatSign } from "../pieces/marker.js";
import { Choice } from "./press.js";

const LEVELS = ["curious", "steady", "sharp"];
const USUAL = "steady";
const HINTS = ["none", "few", "free"];

const Level = ({ of, seat, act }) => html`
  <${Choice}
    label=${act.say("evening.plays.level", { name: seat.name })}
    value=${seat.kind}
    can=${act.ready}
    options=${LEVELS.map((level) => [level, act.say(`ui.bot.${level}`)])}
    onChange=${(level) => act.sit(of, level)}
  />
`;

const Kind = ({ of, seat, view, act }) => html`
  <${Choice}
    label=${act.say("evening.plays.of", { name: seat.name })}
    value=${LEVELS.includes(seat.kind) ? "bot" : seat.kind}
    can=${act.ready}
    options=${[
      ["person", act.say("ui.bot.person")],
      ...(view.mode === "referee" ? [["bot", act.say("evening.plays.bot")]] : []),
      ["away", act.say("ui.bot.gone")],
    ]}
    onChange=${(kind) => act.sit(of, kind === "bot" ? USUAL : kind)}
  />
`;

const Hints = ({ of, seat, act }) => html`
  <div class="row plays-hints">
    <span>${act.say("evening.plays.hints", { name: seat.name })}</span>
    <${Choice}
      label=${act.say("evening.plays.hints", { name: seat.name })}
      value=${seat.hints}
      can=${act.ready}
      options=${HINTS.map((level) => [level, act.say(`evening.plays.hints_${level}`)])}
      onChange=${(level) => act.allowHints(of, level)}
    />
  </div>
`;

/** Every seat for the host; on a phone its own. */
export const Plays = ({ view, act }) => html`
  <section class="plays">
    <h3>${act.say("evening.plays.title")}</h3>
    <p class="hint">${act.say("evening.plays.how")}</p>
    <ul>
      ${view.seats.map(
        (seat, of) =>
          (act.role === "host" || act.seat === of) &&
          html`
            <li key=${of}>
              <p class="who"><${SeatSign} seat=${seat} size=${24} /> <b>${seat.name}</b></p>
              <${Kind} of=${of} seat=${seat} view=${view} act=${act} />
              ${LEVELS.includes(seat.kind) && html`<${Level} of=${of} seat=${seat} act=${act} />`}
              ${
                act.role === "host" &&
                view.mode === "referee" &&
                seat.kind === "person" &&
                html`<${Hints} of=${of} seat=${seat} act=${act} />`
              }
            </li>
          `,
      )}
    </ul>
    ${act.role === "host" && view.mode === "referee" && html`<p class="hint">${act.say("evening.plays.hints_how")}</p>`}
  </section>
`;
