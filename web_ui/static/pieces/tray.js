// The tray: four by four squares of cards in layers, each as deep as it still is, with the card that lies open.
import { html, upTo, classes } from "../html.js";
import { Hit } from "./hit.js";
import { printed } from "./printed.js";
import { signed } from "../words.js";

const SIDE = 132;
const STEP = 5;
const EARTHS = ["#3d2413", "#5a3519", "#7d4c22", "#a06a30", "#c08d4a", "#dcb878"];

function Stack({ square, layers, value, house }) {
  const { depth, top } = square;
  const lift = depth * STEP;
  return html`
    <g>
      <rect x="8" y="8" width=${SIDE - 16} height=${SIDE - 16} rx="6" class="pit-floor" />
      ${upTo(depth).map(
        (i) => html`
          <g transform=${`translate(0 ${-i * STEP})`}>
            <rect
              x="13"
              y="17"
              width=${SIDE - 26}
              height=${SIDE - 26}
              rx="8"
              class="card-edge"
              fill=${EARTHS[Math.max(0, i + 6 - layers)]}
            />
          </g>
        `,
      )}
      ${
        depth > 0 &&
        html`
          <g transform=${`translate(0 ${-lift + STEP})`}>
            <rect
              x="13"
              y="14"
              width=${SIDE - 26}
              height=${SIDE - 26}
              rx="8"
              class="card-top"
              fill=${EARTHS[Math.max(0, depth - 1 + 6 - layers)]}
            />
            <rect x="13" y="14" width=${SIDE - 26} height=${SIDE - 26} rx="8" fill="url(#sand)" />
            ${
              top &&
              html`
                <rect
                  x="20"
                  y="21"
                  width=${SIDE - 40}
                  height=${SIDE - 40}
                  rx="5"
                  class="card-paper"
                  fill="url(#papyrus)"
                />
                <g transform=${`translate(${SIDE / 2} ${SIDE / 2 - 2})`}>${printed("card", top)}</g>
                ${
                  value !== undefined &&
                  html`
                    <g
                      transform=${`translate(${SIDE - 32} ${SIDE - 32})`}
                      class=${classes("card-value", value < 0 && "bad", value > 0 && "good", house && "ours")}
                      data-sign=${house ? "house" : undefined}
                    >
                      <circle r="20" />
                      <text dy=".34em">${signed(value)}</text>
                    </g>
                  `
                }
              `
            }
          </g>
        `
      }
      ${
        depth > 0 &&
        html`
          <g transform=${`translate(28 ${34 - lift})`} class="depth">
            <circle r="17" />
            <text dy=".34em">${depth}</text>
          </g>
        `
      }
      ${
        depth === 0 &&
        html`
          <text x=${SIDE / 2} y=${SIDE / 2 + 8} class="bare">
            ·
          </text>
        `
      }
    </g>
  `;
}

/** @param mark what to draw over a square (a barricade, say): `(square) → vnode`. */
export function Tray({ tray, say, name, can, chosen, onSquare, mark }) {
  const side = tray.side;
  const wide = side * SIDE + 40;
  return html`
    <svg class="tray" viewBox=${`0 0 ${wide} ${wide + 10}`} role="group" aria-label=${say("ui.tray.label")}>
      <rect x="2" y="12" width=${wide - 4} height=${wide - 6} rx="18" class="shade" />
      <rect x="2" y="2" width=${wide - 4} height=${wide - 4} rx="18" fill="url(#wood)" class="tray-wood" />
      <rect x="16" y="16" width=${wide - 32} height=${wide - 32} rx="8" class="tray-floor" />
      ${upTo(side).map(
        (i) => html`
          <g key=${i} class="tray-rim" aria-hidden="true">
            <text x=${20 + (i + 0.5) * SIDE} y=${wide - 6}>${tray.squares[i].square.replace(/\d+$/, "")}</text>
            <text x="9" y=${26 + (i + 0.5) * SIDE}>${tray.squares[i * side].square.replace(/^\D+/, "")}</text>
          </g>
        `,
      )}
      ${tray.squares.map((square, i) => {
        const row = Math.floor(i / side);
        const value = square.top === null ? undefined : tray.value?.[square.top];
        const what = square.top ? name(square.top) : say(square.depth ? "ui.tray.covered" : "ui.tray.bare");
        return html`
          <g key=${square.square} transform=${`translate(${20 + (i % side) * SIDE} ${22 + row * SIDE})`}>
            <g aria-hidden="true" data-piece=${`square:${square.square}`}>
              <${Stack}
                square=${square}
                layers=${tray.layers}
                value=${value}
                house=${tray.house?.includes(square.top)}
              />
              ${mark?.(square)}
            </g>
            <${Hit}
              can=${can && square.depth > 0 && Boolean(onSquare)}
              pressed=${chosen === square.square}
              class=${classes(chosen === square.square && "now")}
              label=${say("ui.tray.square", { square: square.square, n: square.depth, what })}
              onPress=${() => onSquare(square.square)}
            >
              <rect
                x="6"
                y=${12 - square.depth * STEP}
                width=${SIDE - 12}
                height=${SIDE - 16 + square.depth * STEP}
                rx="9"
              />
            <//>
          </g>
        `;
      })}
    </svg>
  `;
}
