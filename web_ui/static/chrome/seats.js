// The seats round the table: who is asked, who one acts for, and what lies before each.
import { html, classes } from "../html.js";
import { SeatSign } from "../pieces/marker.js";

/** The letters of the longest word of a name: it is written as large as it has room, and never cut through a word. */
export const longest = (text) => Math.max(...text.split(/[\s-]/).map((word) => word.length));

/** A name that has no room on one line in large letters. */
export const isLong = (name) => name.length > 11;

export const Seats = ({ view, act, beside }) => {
  const asked = view.ask.seats ?? (view.ask.seat === null ? [] : [view.ask.seat]);
  const chooses = act.role === "host" && (view.ask.seats?.length ?? 0) > 1;
  return html`
    <section class="seats" aria-label=${act.say("ui.seats.label")}>
      ${view.seats.map((seat, i) => {
        const turn = asked.length === 1 && asked[0] === i;
        const label = html`
          <${SeatSign} seat=${seat} size=${32} />
          <span class=${classes("seat-name", isLong(seat.name) && "long")} style=${{ "--letters": longest(seat.name) }}>
            ${seat.name}
          </span>
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
