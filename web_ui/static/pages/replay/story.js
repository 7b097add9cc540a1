// The statistics of a table that is over: each digger's luck, weeks let go by, the best find.
import { html } from "../../html.js";
import { keyHere, name, number, say } from "../../words.js";
import { SeatSign } from "../../pieces/marker.js";

const roughly = (n) => number(Math.round(n * 10) / 10);

function Digger({ digger, seat, finds, idles }) {
  const { worth, expected, spread, best, idle, luck } = digger;
  const idleKey = keyHere("evening.idle");
  return html`
    <li>
      <p class="digger">
        <${SeatSign} seat=${seat} size=${26} /> <b>${seat.name}</b>${" "}
        ${finds && digger.finds > 0 && html`<span class=${`luck-word ${luck}`}>${say(`evening.luck.${luck}`)}</span>`}
      </p>
      ${
        digger.finds > 0 &&
        html`
          <p>
            ${say("evening.story.fell", {
              n: digger.finds,
              worth: roughly(worth),
              expected: roughly(expected),
              spread: roughly(spread),
            })}
          </p>
        `
      }
      ${best && html`<p>${say("evening.story.best", { thing: name(String(best.outcome)) })}</p>`}
      ${!best && finds && html`<p>${say("evening.story.none")}</p>`}
      ${idles && idleKey && html`<p>${say(idleKey, { n: idle })}</p>`}
    </li>
  `;
}

/** @param story as the service tells it. */
export const Story = ({ story, seats }) =>
  (story.finds || story.idles) &&
  html`
    <section class="story">
      <h2>${say("evening.story.title")}</h2>
      <ul>
        ${story.seats.map(
          (digger) => html`
            <${Digger}
              key=${digger.seat}
              digger=${digger}
              seat=${seats[digger.seat]}
              finds=${story.finds}
              idles=${story.idles}
            />
          `,
        )}
      </ul>
      ${story.finds && html`<p class="caption">${say("evening.story.lead")}</p>`}
    </section>
  `;
