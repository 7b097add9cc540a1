// The turn: what it has brought so far against what a bad card would cost, in the balance; and what may be done.
import { classes, html, upTo } from "../../html.js";
import { Button, Twice } from "../../chrome/press.js";
import { signed } from "../../words.js";
import { BarricadeSign, Face, isOurs, Scarab } from "./face.js";

const STEEPEST = 13;

const heap = (n) =>
  upTo(Math.min(12, n)).map((i) => {
    const row = i < 5 ? 0 : i < 9 ? 1 : 2;
    const place = i - [0, 5, 9][row];
    return html`
      <g key=${i} transform=${`translate(${(place - [2, 1.5, 1][row]) * 13} ${-row * 6 - 5})`}>
        <ellipse rx="9" ry="4.4" cy="2.4" class="silver-edge" />
        <ellipse rx="9" ry="4.4" fill="url(#silver-dome)" class="coin-face" />
      </g>
    `;
  });

const Pan = ({ x, y, children, look }) => html`
  <g transform=${`translate(${x} ${y})`} class=${look}>
    <path d="M0 0L-36 58M0 0L36 58" class="tut-cord" />
    ${children}
    <path d="M-44 58H44C36 78-36 78-44 58Z" fill="url(#brass)" class="tut-brass" />
  </g>
`;

/** What the worst card costs, with a star where that is our own figure. */
function Most({ view }) {
  const { turn, tray } = view.board;
  const { most } = turn.risk;
  const worst = most / (turn.doubled ? 2 : 1);
  const ours = tray.house.some((card) => tray.value[card] === -worst);
  return html`<b class="bad" data-sign=${ours ? "house" : undefined}>−${most}${ours && "*"}</b>`;
}

/** A balance, as the dead are weighed: this turn's takings on one pan, the worst a card could cost on the other. */
export function Balance({ view, act }) {
  const { turn } = view.board;
  const { takings, doubled } = turn;
  const { most } = turn.risk;
  const lean = Math.max(
    -STEEPEST,
    Math.min(STEEPEST, (takings + most ? (most - takings) / (takings + most) : 0) * STEEPEST),
  );
  const rad = (lean * Math.PI) / 180;
  const [dx, dy] = [96 * Math.cos(rad), 96 * Math.sin(rad)];
  return html`
    <figure class="tut-balance">
      <svg viewBox="0 0 280 190" role="img" aria-label=${act.say("tutankhamun.page.balance", { takings, most })}>
        <path d="M132 22H148L152 168H128Z" fill="url(#wood)" class="tut-post" />
        <path d="M92 182C92 168 188 168 188 182Z" fill="url(#wood)" class="tut-post" />
        <g transform=${`rotate(${lean} 140 30)`}>
          <path d="M40 27H240V33H40Z" fill="url(#brass)" class="tut-brass" />
          <circle cx="140" cy="30" r="11" fill="url(#brass-dome)" class="tut-brass" />
        </g>
        <${Pan} x=${140 - dx} y=${30 - dy}>
          <g transform="translate(0 58)">${heap(takings)}</g>
        <//>
        <${Pan} x=${140 + dx} y=${30 + dy}>
          <g transform="translate(0 36) scale(.52)">
            <path
              d="M-9-30H9V-8L26-34L40-22L18 2H40V20H-40V2H-18L-40-22L-26-34L-9-8Z"
              class="tut-skull"
              data-sign="skull"
            />
          </g>
        <//>
      </svg>
      <figcaption>
        <span>
          <b class="good">${takings}</b> ${act.say("tutankhamun.page.takings")}
        </span>
        <span>
          <${Most} view=${view} /> ${act.say("tutankhamun.page.risk")}
        </span>
      </figcaption>
      ${
        doubled &&
        html`
          <p class="tut-doubled">
            <${Scarab} size=${28} /> ${act.say("tutankhamun.page.doubled")}
          </p>
        `
      }
    </figure>
  `;
}

const isRuined = ({ last, seats }) => last.points < 0 && !seats[last.seat].playing;
const meantBy = (board) => {
  if (isRuined(board)) return "ruined";
  return board.last.points < 0 ? "bitten" : board.last.points > 0 ? "gained" : "worthless";
};

/** What the card that came to light last meant, and for whom. */
export const lastSaid = ({ board, seats }, act) =>
  act.say(`tutankhamun.page.last.${meantBy(board)}`, {
    name: seats[board.last.seat].name,
    n: Math.abs(board.last.points),
    points: signed(board.last.points),
  });

/** The card that came to light last, and what it meant. */
export function Last({ view, act }) {
  const { last } = view.board;
  if (!last) return null;
  return html`
    <div class=${classes("tut-last", meantBy(view.board), isRuined(view.board) && "bitten")}>
      <${Face}
        card=${last.card}
        value=${view.board.tray.value[last.card]}
        house=${isOurs(view, last.card)}
        size=${84}
      />
      <p>
        <b>${act.name(last.card)}</b>
        <span>${lastSaid(view, act)}</span>
      </p>
    </div>
  `;
}

const legal = (view, what) => view.ask.options?.actions?.[what]?.legal;

/** Stop, pass or lay a scarab; and, at the end of a turn, go on without a barricade. */
export function TurnChoices({ view, act }) {
  const { phase, turn } = view.board;
  if (!act.mayMove || !turn || act.rig?.waiting?.table === view.table) return null;
  const may = (what) => act.can && legal(view, what);
  if (phase === "closing") {
    return html`
      <div class="tut-choices">
        <p class="ask-line">${act.say("tutankhamun.page.closing")}</p>
        <${Button} look="main" can=${may("no_barricade")} onPress=${() => act.move({ type: "no_barricade" })}>
          ${act.say("tutankhamun.page.no_barricade")}
        <//>
      </div>
    `;
  }
  const { costs, leaves } = view.ask.options?.actions?.pass ?? {};
  return html`
    <div class="tut-choices">
      ${
        turn.digs > 0
          ? html`
            <${Button}
              look="main"
              data-lit="stop"
              can=${may("stop")}
              onPress=${() => act.move({ type: "stop" }, { sound: "coin" })}
            >
              ${act.say("tutankhamun.page.stop", { n: turn.takings })}
            <//>
          `
          : html`
            <${Twice}
              look="quiet"
              can=${may("pass")}
              sure=${act.say(leaves ? "tutankhamun.page.pass_leave" : "tutankhamun.page.pass_sure", { n: costs })}
              onPress=${() => act.move({ type: "pass" })}
            >
              ${act.say("tutankhamun.page.pass", { n: costs })}
            <//>
          `
      }
      ${
        turn.digs > 0 &&
        html`
          <p class="tut-stake" aria-hidden="true">
            <${Most} view=${view} /> ${act.say("tutankhamun.page.risk")}
          </p>
        `
      }
      ${
        legal(view, "scarab") &&
        html`
          <${Twice}
            look="tut-lay-scarab"
            can=${may("scarab")}
            sure=${act.say("tutankhamun.page.scarab_sure")}
            onPress=${() => act.move({ type: "scarab" }, { sound: "knock" })}
          >
            <${Scarab} size=${26} /> ${act.say("tutankhamun.page.scarab")}
          <//>
        `
      }
    </div>
  `;
}

const coin = (metal, x, y) => html`
  <g transform=${`translate(${x} ${y})`}>
    <ellipse rx="15" ry="7" cy="3.5" class=${`${metal}-edge`} />
    <ellipse rx="15" ry="7" fill=${`url(#${metal === "gold" ? "brass" : "silver"}-dome)`} class="coin-face" />
  </g>
`;

const MOST = 5;

/** So many coins of a metal as a stack, at most five drawn, and their number on top. */
const Stack = ({ metal, count, x }) => html`
  <g class=${classes("tut-stack", !count && "none")} data-sign=${metal} transform=${`translate(${x} 0)`}>
    ${
      count
        ? upTo(Math.min(MOST, count)).map((i) => coin(metal, 0, 33 - i * 4.6))
        : html`<ellipse cy="35" rx="15" ry="7" class="no-coin" />`
    }
    <text y=${count ? 31 - (Math.min(MOST, count) - 1) * 2.3 : 34} dy=".34em" class="tut-count">
      ${count}
    </text>
  </g>
`;

export function Purse({ view, seat, act }) {
  const own = view.board.seats[seat];
  const { name } = view.seats[seat];
  if (!own.playing) return html`<span class="tut-purse out">${act.say("tutankhamun.page.out")}</span>`;
  const things = [
    act.say("tutankhamun.page.purse", { name, n: own.total, gold: own.gold, silver: own.silver }),
    act.say("tutankhamun.page.scarabs", { n: own.scarabs }),
    act.say("tutankhamun.page.barricades", { n: own.barricades }),
  ];
  return html`
    <span class="tut-purse" role="img" aria-label=${things.join(". ")}>
      <span class="tut-things" aria-hidden="true">
        ${upTo(own.scarabs).map((i) => html`<${Scarab} key=${i} size=${22} />`)}
        ${own.barricades > 0 && html`<${BarricadeSign} size=${24} />`}
      </span>
      <svg class="tut-coins" viewBox="0 0 76 46" aria-hidden="true" data-piece=${`purse:${seat}`}>
        <${Stack} metal="gold" count=${own.gold} x=${19} />
        <${Stack} metal="silver" count=${own.silver} x=${57} />
      </svg>
      <b aria-hidden="true">${own.total}</b>
    </span>
  `;
}
