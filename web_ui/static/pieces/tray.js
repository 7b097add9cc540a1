// The tray as a dig seen from above: every square a shaft whose steps go down through the layers, the open card at
// its bottom.
import { html, upTo, classes } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { signed } from "../words.js";
import { Hit } from "./hit.js";
import { outline } from "./marker.js";
import { printed } from "./printed.js";

await loadStylesheet("style/tray");

const SIDE = 150;
const SHAFT = 142;
const STEP = 7.5;
const RIM = 26;
const HALF = SHAFT / 2;
const OFF_THE_SIGN = 24; // where a shaft is deep, a seal would cover what is on its card

const tone = (value, house) => classes("card-value", value < 0 && "bad", value > 0 && "good", house && "ours");

/** A card's worth as a seal: green for what is gained, red for what it costs; dashed where it is a house figure. */
export const Worth = ({ value, house, r = 17, size = r * 1.3 }) => html`
  <g class=${tone(value, house)} data-sign=${house ? "house" : "worth"}>
    <circle r=${r} />
    <text dy=".34em" style=${`--size:${size}`}>
      ${signed(value)}
    </text>
  </g>
`;

const PLANKS = ["M-50-34L38 52L50 40L-38-46Z", "M50-34L-38 52L-50 40L38-46Z"];

/** Two crossed planks, as they stand on a square: the owner's sign is nailed to them. */
export const Planks = ({ children }) => html`
  <g class="planks" data-sign="barricade">
    ${PLANKS.map((plank, i) => html`<path key=${i} d=${plank} class="plank" />`)}
    <circle r="22" class="boss" />
    ${children}
  </g>
`;

/** A square about the middle of a shaft. */
const Square = ({ half, ...rest }) =>
  html`<rect x=${-half} y=${-half} width=${2 * half} height=${2 * half} ...${rest} />`;

/** How far a shaft has narrowed where so many cards are left. */
const inset = (depth, layers) => (layers - depth) * STEP;

function Wall({ level, layers }) {
  const half = HALF - level * STEP;
  return html`
    <g>
      <${Square} half=${half}
        rx="5"
        class=${`earth-${layers - level}`}
      />
      <path
        d=${`M${-half} ${half}V${-half}H${half}L${half - STEP} ${-half + STEP}H${-half + STEP}V${half - STEP}Z`}
        class="tray-wall-shade"
      />
      <path
        d=${`M${half} ${-half}V${half}H${-half}L${-half + STEP} ${half - STEP}H${half - STEP}V${-half + STEP}Z`}
        class="tray-wall-light"
      />
    </g>
  `;
}

function Floor({ square, layers, value, house, opening }) {
  const half = HALF - inset(square.depth, layers);
  if (!square.depth) {
    return html`<${Square} half=${half} rx="3" class="tray-bottom" />`;
  }
  const room = half - 5;
  const ground = html`
    <${Square} half=${half}
      rx="4"
      class=${`earth-${square.depth}`}
    />
  `;
  if (opening || !square.top) {
    return html`
      ${ground}
      <${Square} half=${room}
        rx="7"
        class="tray-facedown"
      />
      <text y="16" class="tray-about">
        ?
      </text>
    `;
  }
  return html`
    ${ground}
    <g class="tray-card">
      <${Square} half=${room}
        rx="7"
        class=${classes("card-paper", square.top === "earth" && "tray-sand")}
        fill="url(#papyrus)"
      />
      ${
        square.top === "earth" &&
        html`
          <${Square} half=${room}
            rx="7"
            fill="url(#sand)"
          />
        `
      }
      <g transform=${`scale(${(room / 52).toFixed(3)})`}>${printed("card", square.top)}</g>
      ${
        value !== undefined &&
        value !== 0 &&
        html`
          <g transform=${`translate(${Math.max(room - 15, OFF_THE_SIGN)} ${Math.max(room - 15, OFF_THE_SIGN)})`}>
            <${Worth} value=${value} house=${house} r=${20} />
          </g>
        `
      }
    </g>
  `;
}

function Shaft({ square, tray, seats, opening, gone }) {
  const { layers } = tray;
  const value = square.top ? tray.value[square.top] : undefined;
  const lifted = gone && gone.depth > square.depth ? gone.top : null;
  return html`
    <g>
      ${upTo(layers - square.depth).map((level) => html`<${Wall} key=${level} level=${level} layers=${layers} />`)}
      <${Floor}
        square=${square}
        layers=${layers}
        value=${value}
        house=${tray.house.includes(square.top)}
        opening=${opening}
      />
      ${
        lifted &&
        html`
          <g class="tray-lifted" key=${`gone${square.depth}`}>
            <${Square} half=${52}
              rx="8"
              class="card-paper"
              fill="url(#papyrus)"
            />
            ${printed("card", lifted)}
          </g>
        `
      }
      ${
        square.barricade !== null &&
        html`
          <${Planks}>
            ${outline(seats[square.barricade].shape, 12, {
              fill: seats[square.barricade].colour,
              stroke: "#fff",
              "stroke-width": 2.5,
            })}
          <//>
        `
      }
      <g transform=${`translate(${-HALF + 18} ${-HALF + 18})`} class="depth">
        <circle r="17" />
        <text dy=".34em">${square.depth}</text>
      </g>
    </g>
  `;
}

/**
 * @param tray its squares, each with whose `barricade` stands there.
 * @param named what the whole is called, and `nameOf(square)` each square.
 * @param before the squares of the view before this one: what has been lifted since, rises.
 * @param last the square where a card came to light last, and whether it bit: `{square, bit}`.
 * @param opening the square of which the next card is about to show.
 * @param over what is drawn over a square: `(square) → vnode`, nothing for most.
 */
export function Tray({ tray, seats, named, nameOf, before, chosen, can, last, opening, over = () => null, onSquare }) {
  const wide = tray.side * SIDE + 2 * RIM;
  return html`
    <svg class="tray" viewBox=${`0 0 ${wide} ${wide}`} role="group" aria-label=${named}>
      <rect
        x="1"
        y="1"
        width=${wide - 2}
        height=${wide - 2}
        rx="20"
        fill="url(#wood)"
        class="tray-wood"
      />
      <rect x="12" y="12" width=${wide - 24} height=${wide - 24} rx="12" class="tray-frame" />
      ${upTo(tray.side).map(
        (i) => html`
          <g key=${i} class="tray-rim" aria-hidden="true">
            <text x=${RIM + SIDE * (i + 0.5)} y="23">
              ${tray.squares[i].square.replace(/\d+$/, "")}
            </text>
            <text x="19" y=${RIM + SIDE * (i + 0.5) + 6}>
              ${tray.squares[i * tray.side].square.replace(/^\D+/, "")}
            </text>
          </g>
        `,
      )}
      ${tray.squares.map((square, i) => {
        const name = square.square;
        const covering = over(square);
        const look = classes(
          chosen === name && "picked",
          last?.square === name && "fresh",
          last?.square === name && last.bit && "bit",
          opening === name && "opening",
          covering && "lifting",
        );
        const [column, row] = [i % tray.side, Math.floor(i / tray.side)];
        const at = `translate(${RIM + (column + 0.5) * SIDE} ${RIM + (row + 0.5) * SIDE})`;
        return html`
          <g key=${name} class=${look} transform=${at}>
            <g aria-hidden="true" data-square=${name}>
              <${Shaft}
                square=${square}
                tray=${tray}
                seats=${seats}
                opening=${opening === name}
                gone=${before?.[i]}
              />
              ${covering}
            </g>
            <${Hit}
              can=${can(square)}
              pressed=${chosen === name}
              class=${classes("tray-square", look)}
              data-lit=${`square:${name}`}
              label=${nameOf(square)}
              onPress=${() => onSquare(name)}
            >
              <${Square} half=${HALF + 1}
                rx="8"
                class="frame"
              />
            <//>
          </g>
        `;
      })}
    </svg>
  `;
}
