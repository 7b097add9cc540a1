// The seats round the table: who is asked, who one acts for, and what lies before each.
import { html, classes } from "../html.js";
import { BotSign } from "./bots.js";
import { SeatSign } from "../pieces/marker.js";

const BROAD = /[mwMWæÆœŒ@%]/;
const SLIM = /[ijltfrI.,'’]/;
const CAPITAL = /\p{Lu}/u;
const breadth = (sign) => (BROAD.test(sign) ? 1.65 : SLIM.test(sign) ? 0.6 : CAPITAL.test(sign) ? 1.2 : 1);

/** How much room some words take, in letters of a usual breadth. */
const lettersOf = (words) => [...words].reduce((sum, sign) => sum + breadth(sign), 0);

/** The letters of the longest word of a name: it is written as large as it has room, and never cut through a word. */
export const longest = (text) => Math.max(0, ...(text.match(/[^\s-]+-?/g) ?? []).map(lettersOf));

/** A name as large as it has room for on two lines; its longest word always has room. */
const Name = ({ name }) => html`
  <span class="seat-name" style=${{ "--letters": longest(name), "--whole": lettersOf(name) }} data-measure>
    <span>${name}</span>
  </span>
`;

/**
 * Whether names are too long to stand side by side above the columns of a sheet.
 * @param room letters that all columns together have room for, for each pixel of the screen's width.
 */
export const isTight = (names, room) => Math.max(...names.map(longest)) * names.length > room * innerWidth;

export const Seats = ({ view, act, beside }) => {
  const asked = view.ask.seats ?? (view.ask.seat === null ? [] : [view.ask.seat]);
  const chooses = act.role === "host" && (view.ask.seats?.length ?? 0) > 1;
  return html`
    <section
      class=${classes("seats", act.role === "host" && "hosts")}
      aria-label=${act.say("ui.seats.label")}
      style=${{ "--longest": Math.max(...view.seats.map(({ name }) => longest(name))) }}
    >
      ${view.seats.map((seat, i) => {
        const turn = asked.length === 1 && asked[0] === i;
        const label = html`
          <${SeatSign} seat=${seat} size=${32} />
          <${BotSign} view=${view} act=${act} seat=${i} />
          <${Name} name=${seat.name} />
          ${view.me.seat === i && html`<span class="you-mark">${act.say("ui.seats.you")}</span>`}
          ${turn && html`<span class="turn-mark">${act.say("ui.seats.turn")}</span>`}
        `;
        return html`
          <div
            key=${i}
            class=${classes("seat", turn && "turn", act.seat === i && chooses && "chosen", view.me.seat === i && "own")}
          >
            ${
              chooses
                ? html`
                  <button
                    type="button"
                    class="seat-head"
                    aria-pressed=${act.seat === i}
                    aria-label=${act.say("ui.seats.act_for", { name: seat.name })}
                    onClick=${() => act.choose(i)}
                  >
                    ${label}
                  </button>
                `
                : html`
                  <p class="seat-head" aria-current=${turn ? "true" : undefined}>
                    ${label}
                  </p>
                `
            }
            ${beside?.(view, i, act)}
          </div>
        `;
      })}
    </section>
  `;
};
