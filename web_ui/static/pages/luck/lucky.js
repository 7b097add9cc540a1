// Who was lucky, and by how much: each digger's finds beside what was to be expected, the luckiest first.
import { html } from "../../html.js";
import { number, say, signed } from "../../words.js";
import { SeatSign } from "../../pieces/marker.js";
import { loadStylesheet } from "../../stylesheets.js";

await loadStylesheet("style/evening");

const more = ({ worth, expected }) => Math.round((worth - expected) * 10) / 10;
const roughly = (n) => number(Math.round(n * 10) / 10);

/** In one sentence: the luckiest, if that was more than usual; else that nobody was. */
function headline([first], seats) {
  const { name } = seats[first.seat];
  return first.luck.endsWith("good")
    ? say("evening.lucky.most", { name, points: roughly(more(first)) })
    : say("evening.lucky.nobody");
}

/** @param story as the service tells it of a game that is over; null before, and where nothing is found. */
export function Lucky({ story, seats, over }) {
  const diggers = (story?.seats ?? []).filter(({ finds }) => finds > 0).sort((a, b) => more(b) - more(a));
  if (diggers.length === 0) return over ? null : html`<p class="lead">${say("evening.lucky.later")}</p>`;
  return html`
    <section class="card lucky" data-lucky>
      <h2>${headline(diggers, seats)}</h2>
      <ol>
        ${diggers.map(
          (digger) => html`
            <li key=${digger.seat}>
              <${SeatSign} seat=${seats[digger.seat]} size=${30} />
              <b>${seats[digger.seat].name}</b>
              <span class=${`luck-word ${digger.luck}`}>${say(`evening.luck.${digger.luck}`)}</span>
              <b class="lucky-by">${signed(more(digger))}</b>
              <small>
                ${say("evening.story.fell", {
                  n: digger.finds,
                  worth: roughly(digger.worth),
                  expected: roughly(digger.expected),
                  spread: roughly(digger.spread),
                })}
              </small>
            </li>
          `,
        )}
      </ol>
    </section>
  `;
}
