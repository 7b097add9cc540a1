// Dice with rounded corners and pips, in the colours of the box.
import { html, upTo, classes } from "../html.js";
import { Hit } from "./hit.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/dice", { beneath: true });

const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};
const COLOURS = {
  green: "#4f8a4a",
  yellow: "#dfa72b",
  blue: "#2f6aa8",
  black: "#2b2622",
  red: "#b8432f",
  white: "#efe4cb",
};

const dieColour = (colour) => COLOURS[colour] ?? colour ?? COLOURS.white;

/** One die round the origin, 60 wide. A value of null is a die still in the hand. */
export function die(value, colour, faces = 6) {
  const light = colour === "white" || colour === "yellow";
  return html`
    <g class=${classes("die", light && "light", value === null && "unrolled")}>
      <rect x="-30" y="-26" width="60" height="60" rx="13" class="under" />
      <rect x="-30" y="-30" width="60" height="60" rx="13" fill=${dieColour(colour)} />
      <rect x="-30" y="-30" width="60" height="60" rx="13" fill="url(#fold)" opacity=".5" />
      <rect x="-24" y="-24" width="48" height="48" rx="12" class="dimple" />
      ${
        value === null
          ? html`
            <text y="12" class="die-ask">
              ?
            </text>
          `
          : faces === 6
            ? (PIPS[value].map(([x, y]) => html`<circle cx=${x * 14} cy=${y * 14} r="5.6" class="pip" />`))
            : html`
              <text y="12" class="die-number">
                ${value}
              </text>
            `
      }
    </g>
  `;
}

/**
 * The dice of a box in their tray: what has fallen, and what is still to be rolled.
 * @param id tells one roll from the next, so that the dice tumble again.
 * @param chosen the places of dice that were touched; `onDie` takes the place of one, `again` says what a touch does.
 */
export function Dice({ dice, id, say, name, chosen = [], can = false, again, onDie }) {
  const shown = Math.max(dice.rolled.length + dice.rolling, dice.rolled.length || dice.count);
  const room = Math.max(shown, dice.count); // the tray is as wide for one die as for all
  const colour = (i) => dice.colours?.[i % (dice.colours.length || 1)] ?? "white";
  const isOurs = (i) => dice.from?.[i] === "house";
  const shows = (i) => dice.rolled[i] ?? "?";
  const labels = dice.rolled.map((_, i) =>
    dice.colours?.length ? `${name(colour(i))} ${shows(i)}` : String(shows(i)),
  );
  const named = Boolean(dice.colours?.length);
  return html`
    <svg
      class=${classes("dice", named && "named")}
      viewBox=${`0 0 ${room * 78 + 18} ${named ? 124 : 104}`}
      role=${onDie ? "group" : "img"}
      aria-label=${dice.rolled.length ? say("ui.dice.rolled", { dice: labels }) : say("ui.dice.waiting")}
    >
      <rect x="2" y="2" width=${room * 78 + 14} height=${named ? 120 : 100} rx="18" class="felt" />
      ${
        named &&
        upTo(shown).map(
          (i) => html`
            <text
              x=${48 + i * 78}
              y="112"
              class="die-name"
              aria-hidden="true"
              data-sign=${isOurs(i) ? "house" : undefined}
            >
              ${say(`ui.dice.colour.${colour(i)}`)}${isOurs(i) && "*"}
            </text>
          `,
        )
      }
      ${upTo(shown).map(
        (i) => html`
          <g key=${i} transform=${`translate(${48 + i * 78} 52) rotate(${[-7, 4, -3, 8, -5, 3][i % 6]})`}>
            <g
              key=${i < dice.rolled.length ? `${id}:${dice.rolled[i]}` : "waiting"}
              class=${classes(i < dice.rolled.length && "tumbled")}
            >
              ${die(dice.rolled[i] ?? null, colour(i), dice.faces)}
            </g>
          </g>
        `,
      )}
      ${
        onDie &&
        dice.rolled.map(
          (_, i) => html`
            <${Hit}
              key=${`hit:${i}`}
              can=${can}
              pressed=${chosen.includes(i)}
              label=${again(name(colour(i)), shows(i))}
              onPress=${() => onDie(i)}
            >
              <rect x=${14 + i * 78} y="16" width="68" height="72" rx="16" />
            <//>
          `,
        )
      }
    </svg>
  `;
}
