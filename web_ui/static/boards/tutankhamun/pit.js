// The tray as a dig seen from above: every square a shaft whose steps go down through the layers, the open card at
// its bottom.
import { html, upTo, classes } from "../../html.js";
import { Hit } from "../../pieces/hit.js";
import { card as cardSign } from "./printed.js";
import { outline } from "../../pieces/marker.js";
import { isOurs, Planks, Worth } from "./face.js";
import { CupOver } from "./lift.js";

const SIDE = 150;
const SHAFT = 142;
const STEP = 7.5;
const RIM = 26;
const HALF = SHAFT / 2;

/** How far a shaft has narrowed where so many cards are left. */
const inset = (depth, layers) => (layers - depth) * STEP;

function Wall({ level, layers }) {
  const half = HALF - level * STEP;
  return html`
    <g>
      <rect
        x=${-half}
        y=${-half}
        width=${2 * half}
        height=${2 * half}
        rx="5"
        class=${`tut-earth-${layers - level}`}
      />
      <path
        d=${`M${-half} ${half}V${-half}H${half}L${half - STEP} ${-half + STEP}H${-half + STEP}V${half - STEP}Z`}
        class="tut-wall-shade"
      />
      <path
        d=${`M${half} ${-half}V${half}H${-half}L${-half + STEP} ${half - STEP}H${half - STEP}V${-half + STEP}Z`}
        class="tut-wall-light"
      />
    </g>
  `;
}

function Floor({ square, layers, value, house, uncovering }) {
  const half = HALF - inset(square.depth, layers);
  if (!square.depth) {
    return html`<rect x=${-half} y=${-half} width=${2 * half} height=${2 * half} rx="3" class="tut-bottom" />`;
  }
  const room = half - 5;
  const ground = html`
    <rect
      x=${-half}
      y=${-half}
      width=${2 * half}
      height=${2 * half}
      rx="4"
      class=${`tut-earth-${square.depth}`}
    />
  `;
  if (uncovering) {
    return html`
      ${ground}
      <rect
        x=${-room}
        y=${-room}
        width=${2 * room}
        height=${2 * room}
        rx="7"
        class="tut-facedown"
      />
      <text y="16" class="tut-about">
        ?
      </text>
    `;
  }
  return html`
    ${ground}
    <g class="tut-card">
      <rect
        x=${-room}
        y=${-room}
        width=${2 * room}
        height=${2 * room}
        rx="7"
        class=${classes("tut-paper", square.top === "earth" && "tut-sand")}
        fill="url(#papyrus)"
      />
      ${
        square.top === "earth" &&
        html`
          <rect
            x=${-room}
            y=${-room}
            width=${2 * room}
            height=${2 * room}
            rx="7"
            fill="url(#sand)"
          />
        `
      }
      <g transform=${`scale(${(room / 52).toFixed(3)})`}>${cardSign(square.top)}</g>
      ${
        value !== undefined &&
        value !== 0 &&
        html`
          <g transform=${`translate(${room - 15} ${room - 15})`}>
            <${Worth} value=${value} house=${house} r=${20} />
          </g>
        `
      }
    </g>
  `;
}

function Shaft({ square, tray, seats, uncovering, gone }) {
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
        uncovering=${uncovering}
      />
      ${
        lifted &&
        html`
          <g class="tut-lifted" key=${`gone${square.depth}`}>
            <rect
              x="-52"
              y="-52"
              width="104"
              height="104"
              rx="8"
              class="tut-paper"
              fill="url(#papyrus)"
            />
            ${cardSign(lifted)}
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
      <g transform=${`translate(${-HALF + 18} ${-HALF + 18})`} class="tut-depth">
        <circle r="17" />
        <text dy=".34em">${square.depth}</text>
      </g>
    </g>
  `;
}

/**
 * @param asks how pressing a square is meant: `(square) → {can, note}`.
 * @param lift the lift that is under way: `{square, state, stage}`.
 */
export function Pit({ view, act, chosen, asks, onSquare, lift }) {
  const { tray, turn, last } = view.board;
  const wide = tray.side * SIDE + 2 * RIM;
  const before = act.before?.board.tray?.squares;
  return html`
    <svg
      class="tut-pit"
      viewBox=${`0 0 ${wide} ${wide}`}
      role="group"
      aria-label=${act.say("tutankhamun.page.tray")}
    >
      <rect
        x="1"
        y="1"
        width=${wide - 2}
        height=${wide - 2}
        rx="20"
        fill="url(#wood)"
        class="tut-wood"
      />
      <rect x="12" y="12" width=${wide - 24} height=${wide - 24} rx="12" class="tut-frame" />
      ${upTo(tray.side).map(
        (i) => html`
          <g key=${i} class="tut-coordinate" aria-hidden="true">
            <text x=${RIM + SIDE * (i + 0.5)} y="23">
              ${"abcdef"[i]}
            </text>
            <text x="19" y=${RIM + SIDE * (i + 0.5) + 6}>
              ${i + 1}
            </text>
          </g>
        `,
      )}
      ${tray.squares.map((square, i) => {
        const name = square.square;
        const asked = asks(square);
        const look = classes(
          chosen === name && "picked",
          last?.square === name && "fresh",
          last?.square === name && last.points < 0 && "bit",
          turn?.uncovering === name && "uncovering",
          lift?.square === name && "lifting",
        );
        const [column, row] = [i % tray.side, Math.floor(i / tray.side)];
        const at = `translate(${RIM + (column + 0.5) * SIDE} ${RIM + (row + 0.5) * SIDE})`;
        return html`
          <g key=${name} class=${look} transform=${at}>
            <g aria-hidden="true">
              <${Shaft}
                square=${square}
                tray=${tray}
                seats=${view.seats}
                uncovering=${turn?.uncovering === name}
                gone=${before?.[i]}
              />
              ${lift?.square === name && html`<${CupOver} lift=${lift} card=${square.top} />`}
            </g>
            <${Hit}
              can=${asked.can}
              pressed=${chosen === name}
              class=${classes("tut-square", look)}
              label=${labelled(view, act, square, asked.note)}
              onPress=${() => onSquare(name)}
            >
              <rect
                x=${-HALF - 1}
                y=${-HALF - 1}
                width=${SHAFT + 2}
                height=${SHAFT + 2}
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

function labelled(view, act, square, note) {
  const value = view.board.tray.value[square.top];
  const what = square.top ? act.name(square.top) : act.say(square.depth ? "ui.tray.covered" : "ui.tray.bare");
  const said = [act.say("tutankhamun.page.square", { square: square.square, what, n: square.depth })];
  if (value) said.push(act.say("tutankhamun.page.worth", { n: value }));
  if (value && isOurs(view, square.top)) said.push(act.say("ui.house"));
  if (square.barricade !== null)
    said.push(act.say("tutankhamun.page.barricade_of", { name: view.seats[square.barricade].name }));
  if (note) said.push(note);
  return said.join(". ");
}
