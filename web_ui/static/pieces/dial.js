// The dial that turns to the knowledge and shows weeks against tokens.
import { html, upTo, classes } from "../html.js";
import { Hit } from "./hit.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/dial", { beneath: true });

const MID = 210;
const at = (r, degrees) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [MID + r * Math.cos(angle), MID + r * Math.sin(angle)];
};
const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function wedge(inner, outer, middle, half) {
  const [a, b, c, d] = [
    at(inner, middle - half),
    at(outer, middle - half),
    at(outer, middle + half),
    at(inner, middle + half),
  ];
  const outside = `M${point(a)}L${point(b)}A${outer} ${outer} 0 0 1 ${point(c)}`;
  return `${outside}L${point(d)}A${inner} ${inner} 0 0 0 ${point(a)}Z`;
}

// With no knowledge the pointer stands before the 1.
const turn = (knowledge) => (knowledge > 0 ? -30 * (knowledge - 1) : 15);

// The figures stay upright as the ring turns: a 6 on its head is a 9.
const upright = (knowledge, x, y) => `transform:rotate(${-turn(knowledge)}deg);transform-origin:${x}px ${y}px`;

const SECTORS = upTo(12).map((i) => wedge(66, 150, i * 30, 14.4));
const TOUCHED = upTo(12).map((i) => wedge(64, 156, i * 30, 15)); // no gap between two fingers' places

const labelOf = (say, weeks, tokens, best) => {
  const plain = `${say("ui.dial.weeks", { n: weeks })}: ${say("ui.dial.tokens", { n: tokens })}`;
  return best ? `${plain}, ${say("ui.dial.best")}` : plain;
};

/** The weeks that bring most tokens each; of those that bring the same, all. */
function bestOf(counts) {
  const most = Math.max(...counts.map((count, i) => count / (i + 1)));
  return counts.map((count, i) => most > 0 && count / (i + 1) === most);
}

// In the corners, which the ring leaves free: what each ring shows, and the mark of the best weeks.
const CORNERS = [
  ["knowledge", 22, 24, "start"],
  ["weeks", 22, 400, "start"],
  ["tokens", 398, 400, "end"],
  ["best", 398, 24, "end"],
];

const RingName = ({ ring, x, y, anchor, say }) => html`
  <g class=${`ring-name ${ring} at-${anchor}`} aria-hidden="true">
    <circle cx=${anchor === "start" ? x - 4 : x + 4} cy=${y - 5} r="7" />
    <text x=${anchor === "start" ? x + 8 : x - 8} y=${y}>
      ${say(`ui.dial.ring_${ring}`)}
    </text>
  </g>
`;

/** @param onKnowledge called with the number a finger put on top; @param onWeeks with the weeks of a window touched. */
export function Dial({ dial, weeks, say, can, onKnowledge, onWeeks }) {
  const { knowledge, tokens } = dial;
  const counts = upTo(12).map((i) => (knowledge > 0 ? tokens[i + 1] : 0));
  const best = bestOf(counts);
  return html`
    <svg class="dial" viewBox="8 0 404 412" role="group" aria-label=${say("ui.dial.label", { knowledge })}>
      <circle cx=${MID} cy=${MID + 6} r="200" class="shade" />
      <circle cx=${MID} cy=${MID} r="200" fill="url(#brass-ring)" class="bezel" />
      <circle cx=${MID} cy=${MID} r="173" class="knowledge-ring" />
      ${CORNERS.map(([ring, x, y, anchor]) => html`<${RingName} key=${ring} ...${{ ring, x, y, anchor, say }} />`)}
      <g class="turning" aria-hidden="true" data-walks style=${`transform:rotate(${turn(knowledge)}deg)`}>
        ${upTo(12).map((i) => {
          const [x, y] = at(172, i * 30);
          return html`
            <g
              key=${i}
              class=${classes("numeral", i + 1 === knowledge && "now")}
              onClick=${() => can && onKnowledge?.(i + 1)}
            >
              <path d=${wedge(152, 194, i * 30, 14.5)} class="reach" />
              <text x=${x} y=${y} dy=".34em" style=${upright(knowledge, x, y)}>
                ${i + 1}
              </text>
            </g>
          `;
        })}
      </g>
      <circle cx=${MID} cy=${MID} r="152" class="face" />
      ${upTo(12).map((i) => {
        const count = counts[i];
        const [wx, wy] = at(133, i * 30);
        const [tx, ty] = at(94, i * 30);
        const look = [weeks === i + 1 && "now", count === 0 && "none", best[i] && "best"];
        return html`
          <g key=${i} aria-hidden="true" class=${classes("window", ...look)}>
            <path d=${SECTORS[i]} class="sector" />
            <text x=${wx} y=${wy} dy=".34em" class="weeks-number">
              ${i + 1}
            </text>
            <circle cx=${tx} cy=${ty} r="22" class="pit" />
            <text x=${tx} y=${ty} dy=".34em" class="tokens-number">
              ${count}
            </text>
          </g>
        `;
      })}
      ${upTo(12).map(
        (i) => html`
          <${Hit}
            key=${`hit${i}`}
            can=${can && Boolean(onWeeks)}
            pressed=${weeks === i + 1}
            onPress=${() => onWeeks(i + 1, counts[i])}
            label=${labelOf(say, i + 1, counts[i], best[i])}
          >
            <path d=${TOUCHED[i]} />
          <//>
        `,
      )}
      <circle cx=${MID} cy=${MID} r="62" fill="url(#brass-dome)" class="hub" />
      <text x=${MID} y=${MID} dy=".34em" class="knowledge-number">
        ${knowledge}
      </text>
      <path d="M198 0 H222 L210 22 Z" class="pointer" />
    </svg>
  `;
}
