// The pyramid on the table: figures on their squares, sarcophagi and alcoves along the corridor, piles beside the
// plan; where a figure can go, what way it would take, and from where one block would shut it in.
import { Component, html, upTo, classes } from "../../html.js";
import { Hit } from "../../pieces/hit.js";
import { outline } from "../../pieces/marker.js";
import { bringNear } from "../../pieces/near.js";
import { Plan, Stands, WIDE_RIM, mummy as drawnMummy } from "../../pieces/plan.js";
import { GOD_COLOUR, sign } from "./printed.js";

/** An adventurer round the origin, in the colour of the seat and with its shape. */
export const figure = (seat) => html`
  <g class="hor-figure">
    <ellipse cy="24" rx="19" ry="6" class="shade" />
    <path d="M-17 24C-17 4-9 4-8-5H8C9 4 17 4 17 24Z" fill=${seat.colour} class="body" />
    <circle cy="-11" r="10" fill=${seat.colour} class="body" />
    <path d="M-17-13C-8-18 8-18 17-13L10-16C10-27-10-27-10-16Z" class="hat" />
    <g transform="translate(0 12)">${outline(seat.shape, 7.5, { class: "shape" })}</g>
  </g>
`;

/** A search deck, as thick as it still is, in the corner of the table beside its area's name. */
function Deck({ deck, x, y }) {
  const of = { den: "rubble", sand: "hededet", pond: "sobek" }[deck.area];
  const thick = Math.ceil(deck.left / 5);
  return html`
    <g transform=${`translate(${x} ${y})`} class=${classes("hor-deck", !deck.left && "empty")} data-sign="deck">
      ${
        deck.left
          ? upTo(thick).map(
              (i) => html`
                <rect
                  x="-23"
                  y=${-32 - i * 3}
                  width="46"
                  height="62"
                  rx="6"
                  fill=${GOD_COLOUR[of]}
                  class="edge"
                />
              `,
            )
          : html`<rect x="-23" y="-32" width="46" height="62" rx="6" class="edge" />`
      }
      <g transform=${`translate(0 ${-12 - thick * 3})`}>${sign(of)}</g>
      <text y=${15 - thick * 3} dy=".34em" class="left">
        ${deck.left}
      </text>
    </g>
  `;
}

/** The blocks that are still in the box, as a pile with their number. */
const Pile = ({ blocks, x, y }) => html`
  <g transform=${`translate(${x} ${y})`} class="hor-pile" data-piece="blocks" data-sign="pile">
    ${upTo(Math.min(6, Math.ceil(blocks.left / 6))).map((i) => {
      const [px, py] = [
        [-15, 18],
        [15, 18],
        [-15, -10],
        [15, -10],
        [-15, -38],
        [15, -38],
      ][i];
      return html`<rect x=${px - 14} y=${py - 13} width="28" height="26" rx="4" fill="url(#stone)" class="loose" />`;
    })}
    <g transform="translate(0 46)">
      <rect
        x="-26"
        y="-13"
        width="52"
        height="28"
        rx="7"
        fill="url(#brass)"
      />
      <text y="1" dy=".34em" class="left">
        ${blocks.left}
      </text>
    </g>
  </g>
`;

/** The empty corners of the table, where the piles lie: as many squares under one another as nothing is built on. */
function corners(plan) {
  const last = plan.grid.length - 1;
  return [0, plan.grid[0].length - 1].map((c) => {
    const rows = upTo(plan.grid.length).filter((r) => !plan.grid[r][c]);
    return { c, from: rows.length ? Math.min(...rows) : last, to: last };
  });
}

function Piles({ view, plan, cell }) {
  const [left, right] = corners(plan);
  const x = ({ c }) => (c + 0.5) * cell + (c ? 10 : -10);
  const y = ({ from, to }, share) => (from + (to - from + 1) * share) * cell;
  return html`
    <${Pile} blocks=${view.board.blocks} x=${x(left)} y=${y(left, 0.64)} />
    ${[...view.board.decks]
      .reverse()
      .map((deck, i) => html`<${Deck} key=${deck.area} deck=${deck} x=${x(right)} y=${y(right, 0.3 + i * 0.29)} />`)}
  `;
}

// Several on one square stand beside one another, and leave the middle of the corridor to the mummies.
function footing(nth, of, crowded) {
  if (of === 1 && !crowded) return [38, 46, 0.92];
  return [16 + (nth % 3) * 22, crowded ? 60 - Math.floor(nth / 3) * 18 : 52 - Math.floor(nth / 3) * 26, 0.62];
}

function Figures({ view, at, cell }) {
  const { seats, mummies } = view.board;
  const turn = view.ask.seat;
  const inside = seats.filter((seat) => seat.square);
  return inside.map((seat) => {
    const here = inside.filter((other) => other.square === seat.square);
    const crowded = mummies.some((each) => each.square === seat.square);
    const [x, y, scale] = footing(here.indexOf(seat), here.length, crowded);
    const [c, r] = at.get(seat.square);
    return html`
      <g
        key=${seat.seat}
        transform=${`translate(${c * cell + x} ${r * cell + y})`}
        data-piece=${`figure:${seat.seat}`}
        class=${classes("hor-stands", seat.seat === turn && "turn")}
      >
        <g transform=${`scale(${scale})`}>
          ${seat.seat === turn && html`<circle cy="6" r="30" fill="url(#glow)" />`}
          ${figure(view.seats[seat.seat])}
        </g>
      </g>
    `;
  });
}

const centre = (at, cell, square) => at.get(square).map((n) => (n + 0.5) * cell);

/** The way that was chosen, from where the figure stands, with its steps counted. */
function Way({ at, cell, from, way, fits }) {
  const last = centre(at, cell, way.filter((to) => at.has(to)).at(-1) ?? from);
  const points = [from, ...way.filter((to) => at.has(to))].map((square) => centre(at, cell, square).join(","));
  if (way.at(-1) === "outside") points.push(`${last[0]},${last[1] + cell * 0.62}`);
  return html`
    <g class=${classes("hor-way", !fits && "far")}>
      <polyline points=${points.join(" ")} class="rim-of" />
      <polyline points=${points.join(" ")} />
    </g>
  `;
}

/** What a touch on a square would do, said; null where it does nothing. */
function squareSaid(view, act, square, aid) {
  const { board } = view;
  const parts = [act.say("horus.page.square", { square })];
  for (const seat of board.seats.filter((each) => each.square === square)) parts.push(view.seats[seat.seat].name);
  for (const each of board.mummies.filter((m) => m.square === square)) parts.push(act.name(each.mummy));
  if (board.blocks.fallen.includes(Number(square))) parts.push(act.say("horus.page.blocked"));
  if (aid?.way) parts.push(act.say("horus.page.way", { n: aid.cost }));
  if (aid?.touches) parts.push(act.say("horus.page.touches", { n: aid.touches }));
  if (square in board.one_way) parts.push(act.say("horus.page.one_way"));
  return parts.join(", ");
}

/** Squares that can be touched: each says what a touch would do. */
function Squares({ view, act, at, cell, turn }) {
  return [...at].map(([square, [c, r]]) => {
    const does = turn.squares[square];
    return html`
      <${Hit}
        key=${square}
        can=${Boolean(does)}
        pressed=${turn.to ? turn.to === square : undefined}
        class=${classes(
          "hor-square",
          does?.reach && "reach",
          does && !does.reach && "beyond",
          turn.to === square && "chosen",
        )}
        label=${squareSaid(view, act, square, does)}
        data-square=${square}
        data-lit=${`square:${square}`}
        transform=${`translate(${c * cell} ${r * cell})`}
        onPress=${() => turn.touch(square)}
      >
        <rect
          x="3"
          y="3"
          width=${cell - 6}
          height=${cell - 6}
          rx="7"
          class="frame"
        />
      <//>
    `;
  });
}

/** Cost in actions, small in the corner of what can be reached; and how many mummies touch one on the way. */
const Costs = ({ at, cell, turn }) =>
  Object.entries(turn.squares)
    .filter(([square, does]) => does.reach && at.has(square) && does.cost)
    .map(([square, does]) => {
      const [c, r] = at.get(square);
      return html`
        <g
          key=${square}
          transform=${`translate(${c * cell + 57} ${r * cell + 18})`}
          class=${classes("hor-cost", does.touches && "touched")}
        >
          <circle r="14.5" />
          <text dy=".34em">
            ${does.cost}
          </text>
        </g>
      `;
    });

/** Where a single block could shut somebody in: where they stand, what is chosen, and what is worse in reach. */
function risky({ one_way: ways, seats }, { squares, to, from }) {
  const blocks = (square) => ways[square]?.length ?? 0;
  const isWorse = (square) => squares[square]?.reach && blocks(square) > blocks(from);
  const standing = new Set(seats.map(({ square }) => square));
  return Object.keys(ways).filter((square) => square === to || standing.has(square) || isWorse(square));
}

/** From here there is still one way out: a single block could shut in whoever stands here. */
const OneWay = ({ at, cell, squares }) =>
  squares.map((square) => {
    const [c, r] = at.get(square);
    return html`
      <g
        key=${square}
        transform=${`translate(${c * cell + 15} ${r * cell + 61})`}
        class="hor-one-way"
        data-sign="one_way"
      >
        <path d="M-9 8L0-9L9 8Z" />
        <path d="M0-3V3M0 5V6" class="mark" />
      </g>
    `;
  });

/** How likely a mummy touches whoever stands there in its next walk: a line along the foot of the square. */
const Touches = ({ at, cell, squares }) =>
  Object.entries(squares)
    .filter(([square, { touch }]) => touch > 0 && at.has(square))
    .map(([square, { touch }]) => {
      const [c, r] = at.get(square);
      return html`
        <path
          key=${square}
          d=${`M${c * cell + 8} ${(r + 1) * cell - 6}h${(cell - 16) * touch}`}
          class="hor-touch"
          data-sign="touch"
        />
      `;
    });

/** A small mummy for the help. */
export const smallMummy = html`
  <svg viewBox="-34 -48 68 92" class="legend-sign">
    ${drawnMummy("initkaes", [0, 1])}
  </svg>
`;

// Only for the eye: where a mummy went, step by step, turning at the ends of its stretch.
function walked(view, before, m) {
  const was = before?.board.mummies?.find((each) => each.mummy === m.mummy);
  const line = view.log.filter((each) => each.what.type === "last_mummy_die" && !each.undone).at(-1);
  if (!was || was.square === m.square || !line || line.seq <= before.seq) return [];
  const stretch = view.board.plan.corridor[m.stretch];
  let at = stretch.indexOf(was.square);
  let step = was.towards === stretch[0] ? -1 : 1;
  const way = [was.square];
  for (let n = 0; n < line.what.n; n++) {
    if (!stretch[at + step]) step = -step;
    at += step;
    way.push(stretch[at]);
  }
  return stretch[at] === m.square ? way : [];
}

/** On a phone: whoever's figure one looks for comes into the picture as the table opens, and as a turn begins. */
class Sought extends Component {
  componentDidMount() {
    this.bring();
  }

  componentDidUpdate(before) {
    if (before.sought !== this.props.sought || before.turn !== this.props.turn) this.bring();
  }

  bring() {
    requestAnimationFrame(() => bringNear(document.querySelector(`[data-piece="figure:${this.props.sought}"]`)));
  }

  render() {
    return null;
  }
}

export function Pyramid({ view, act, turn }) {
  const { plan, blocks, sarcophagi, idols } = view.board;
  const mummies = view.board.mummies.map((m) => ({
    ...m,
    sash: m.seat === null ? undefined : view.seats[m.seat].colour,
    walked: walked(view, act.before, m),
  }));
  const chosen = turn.to && turn.squares[turn.to];
  const tombs = sarcophagi.map((tomb) => ({ ...tomb, read: tomb.read_by !== null }));
  const full = idols.filter((idol) => idol.in_alcove).map(({ god }) => god);
  const under = (at, cell) => html`
    <${Stands} plan=${plan} at=${at} cell=${cell} tombs=${tombs} full=${full} />
    <${Piles} view=${view} plan=${plan} cell=${cell} />
  `;
  const over = (at, cell) => html`
    <${Touches} at=${at} cell=${cell} squares=${view.ask.options?.dangers?.squares ?? {}} />
    <${OneWay} at=${at} cell=${cell} squares=${risky(view.board, turn)} />
    ${
      chosen?.way &&
      turn.from &&
      html`<${Way} at=${at} cell=${cell} from=${turn.from} way=${chosen.way} fits=${chosen.reach} />`
    }
    <${Figures} view=${view} at=${at} cell=${cell} />
    <${Costs} at=${at} cell=${cell} turn=${turn} />
    <${Squares} view=${view} act=${act} at=${at} cell=${cell} turn=${turn} />
  `;
  return html`
    <div class="hor-plan">
      ${act.narrow && html`<${Sought} sought=${view.me.seat ?? view.board.turn} turn=${view.board.turn} />`}
      <${Plan}
        plan=${plan}
        blocks=${{ ...blocks, drawn: blocks.last }}
        mummies=${mummies}
        say=${act.say}
        name=${act.name}
        rim=${WIDE_RIM}
        under=${under}
        over=${over}
      />
    </div>
  `;
}
