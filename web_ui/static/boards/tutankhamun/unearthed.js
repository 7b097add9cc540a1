// The end: the whole tray turned up, layer by layer, with what was lifted, what lay open and what nobody found.
import { classes, html } from "../../html.js";
import { Face } from "./face.js";

/** What became of a card: `lifted`, `open` at the end, or `buried` still. */
const fate = (depth, layer) => (layer > depth ? "lifted" : layer === depth ? "open" : "buried");

const FATES = ["lifted", "open", "buried"];

function Layer({ layer, cards, view, act }) {
  const { tray } = view.board;
  return html`
    <section class="tut-layer" data-measure aria-label=${act.name(`layer_${layer}`)}>
      <h3>
        <i class=${`tut-chip earth-${layer}`}></i>
        ${act.name(`layer_${layer}`)}
      </h3>
      <div class=${`tut-grid earth-${layer}`}>
        ${cards.map((card, at) => {
          const { square, depth } = tray.squares[at];
          const what = fate(depth, layer);
          const title = `${square}: ${card ? act.name(card) : act.say("tutankhamun.page.end.unseen")}`;
          return html`
            <span
              key=${square}
              class=${classes("tut-found", what)}
              title=${title}
            >
              <${Face}
                card=${card}
                value=${card ? tray.value[card] : undefined}
                house=${tray.house.includes(card)}
                label=${`${title}, ${act.say(`tutankhamun.page.end.${what}`)}`}
              />
            </span>
          `;
        })}
      </div>
    </section>
  `;
}

const Turned = ({ quarters }) => html`
  <svg viewBox="-40 -40 80 80" width="56" height="56" aria-hidden="true" class="tut-turned">
    <rect
      x="-22"
      y="-22"
      width="44"
      height="44"
      rx="6"
      fill="url(#wood)"
      class="tray-wood"
      transform=${`rotate(${quarters * 90})`}
    />
    <path d="M0-20L7-9H-7Z" class="north" transform=${`rotate(${quarters * 90})`} />
    ${
      quarters > 0 &&
      html`
        <path
          d=${["", "M0-33A33 33 0 0 1 33 0", "M0-33A33 33 0 1 1 0 33", "M0-33A33 33 0 1 1-33 0"][quarters]}
          class="way"
        />
      `
    }
  </svg>
`;

export function Unearthed({ view, act }) {
  const { layers, quarters } = view.board.found;
  if (layers.length === 0) {
    return html`
      <div class="tut-laying">
        <div class="tut-cover">
          <h2>${act.say("tutankhamun.page.end.nothing")}</h2>
        </div>
      </div>
    `;
  }
  return html`
    <div class="tut-end end-sheet">
      <header>
        ${quarters !== null && html`<${Turned} quarters=${quarters} />`}
        <div>
          <h2>${act.say("tutankhamun.page.end.title")}</h2>
          <p>
            ${
              quarters === null
                ? act.say("tutankhamun.page.end.by_hand")
                : quarters === 0
                  ? act.say("tutankhamun.page.end.not_turned")
                  : act.say("tutankhamun.page.end.turned", { n: quarters })
            }
          </p>
        </div>
        <ul class="tut-legend">
          ${FATES.map(
            (what) => html`
              <li key=${what}>
                <span class=${classes("tut-found", what)}>
                  <i></i>
                </span>
                ${act.say(`tutankhamun.page.end.${what}`)}
              </li>
            `,
          )}
        </ul>
      </header>
      <div class="tut-layers">
        ${layers
          .map((cards, i) => html`<${Layer} key=${i} layer=${i + 1} cards=${cards} view=${view} act=${act} />`)
          .reverse()}
      </div>
    </div>
  `;
}

const Kinds = ({ cards, tray, act }) => html`
  <ul class="tut-kinds">
    ${Object.entries(cards).map(
      ([card, count]) => html`
        <li key=${card}>
          <${Face}
            card=${card}
            value=${tray.value[card]}
            house=${tray.house.includes(card)}
            size=${44}
            label=${`${count} × ${act.name(card)}`}
          />
          <b aria-hidden="true">${count}</b>
        </li>
      `,
    )}
  </ul>
`;

/** What each layer is made of: it is printed in the rules, so no secret. */
export const Layers = ({ view, act }) => html`
  <details class="tut-made">
    <summary>${act.say("tutankhamun.page.made")}</summary>
    <div>
      ${[...view.board.layers].reverse().map(
        (layer) => html`
          <section key=${layer.layer}>
            <h3>
              <i class=${`tut-chip earth-${layer.layer}`}></i>
              ${act.name(`layer_${layer.layer}`)}
            </h3>
            <${Kinds} cards=${layer.cards} tray=${view.board.tray} act=${act} />
          </section>
        `,
      )}
      ${
        view.board.tray.house.length > 0 &&
        html`
          <p class="house-note">
            <span class="house">${act.say("ui.house")}</span> ${act.say("ui.tray.house")}
          </p>
        `
      }
    </div>
  </details>
`;

/** Cards that have left the tray: only with open memory. */
export function Removed({ view, act }) {
  const { removed, tray } = view.board;
  if (!removed) return null;
  const seen = removed.filter(({ card }) => card !== "earth");
  return html`
    <details class="tut-made" open=${!act.narrow}>
      <summary>${act.say("tutankhamun.page.removed", { n: seen.length })}</summary>
      <ul class="tut-kinds">
        ${seen.map(
          ({ square, layer, card }) => html`
            <li key=${`${square}${layer}`}>
              <${Face}
                card=${card}
                value=${tray.value[card]}
                house=${tray.house.includes(card)}
                size=${40}
                label=${`${square}: ${card ? act.name(card) : "?"}`}
              />
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
