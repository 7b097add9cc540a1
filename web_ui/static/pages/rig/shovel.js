// The shovel drawn as the thing it is: pump, gauge, valve, hose, cup, the card beneath it, and the board with its
// cable.
import { Component, html, classes, upTo } from "../../html.js";
import { isAnimated } from "../../preferences.js";
import { say } from "../../words.js";

const CUP_X = 500;
const CARD = 72; // half a card
const LIFTED = -74;
const HOVERING = -40;
const CARD_AWAY = 146;
const FULL_KPA = 20;
const SWEEP = 240; // degrees of the gauge's scale

/** Where everything is at this moment. In the real world nobody tells where the card is: it is where it should be. */
function posture({ shovel, world, link }) {
  const pumping = shovel.pump;
  const touching = world
    ? world.card
    : shovel.state !== "off" && shovel.state !== "fault" && shovel.measuring !== "open";
  const lifted = shovel.state === "holding" && touching;
  return {
    pumping,
    touching,
    lifted,
    cup: lifted ? LIFTED : touching || (pumping && !world) ? 0 : HOVERING,
    card: touching ? 0 : CARD_AWAY,
    leak: world && touching ? world.leak : 0,
    plugged: world ? world.plugged : (link?.connected ?? true),
    board: link !== null,
    answers: link?.connected ?? true,
  };
}

const shifted = (x, y) => `transform:translate(${x}px,${y}px)`;

const Table = () => html`
  <g class="bench-top">
    <rect x="-600" y="262" width="1920" height="60" fill="url(#wood)" />
    <path d="M-600 262H1320" class="bench-edge" />
    <ellipse cx=${CUP_X} cy="264" rx="88" ry="8" class="bench-shade" />
  </g>
`;

const Pump = ({ running }) => html`
  <g class="pump">
    <path d="M30 262V236H178V262Z" class="iron" />
    <rect x="112" y="150" width="74" height="70" rx="10" fill="url(#brass)" class="edge" />
    <path d="M120 150V220M134 150V220M148 150V220M162 150V220" class="ribs" />
    <circle cx="88" cy="186" r="54" class="iron" />
    <circle cx="88" cy="186" r="46" fill="url(#brass-dome)" class="edge" />
    <g class=${classes("wheel", running && "turning")}>
      ${upTo(5).map(
        (i) => html`
          <path
            key=${i}
            d="M88 186V148"
            class="spoke"
            transform=${`rotate(${i * 72} 88 186)`}
          />
        `,
      )}
      <circle cx="88" cy="186" r="30" class="wheel-rim" />
    </g>
    <circle cx="88" cy="186" r="9" class="iron" />
  </g>
`;

const angle = (kpa) => -SWEEP / 2 + (Math.min(FULL_KPA, Math.max(0, kpa)) / FULL_KPA) * SWEEP;

const Dial = ({ kpa, held }) => html`
  <g class="dial-gauge" transform="translate(252 84)">
    <path d="M-7 44H7V104H-7Z" class="pipe" />
    <circle r="52" fill="url(#brass-ring)" class="edge" />
    <circle r="44" class="dial-face" />
    ${upTo(11).map(
      (i) => html`
        <path
          key=${i}
          d=${i % 5 ? "M0-40V-35" : "M0-40V-31"}
          class="tick"
          transform=${`rotate(${angle(i * 2)})`}
        />
      `,
    )}
    ${held !== undefined && html`<path d="M-4-45H4L0-36Z" class="held-mark" transform=${`rotate(${angle(held)})`} />`}
    <g class="needle" style=${`transform:rotate(${angle(kpa ?? 0)}deg)`}>
      ${kpa !== null && html`<path d="M-2.500 8L0-37L2.500 8Z" />`}
    </g>
    <circle r="5.500" fill="url(#brass-dome)" class="edge" />
    <text y="29" class="dial-unit">
      kPa
    </text>
  </g>
`;

const Valve = ({ shut }) => html`
  <g class=${classes("valve", shut && "shut")} transform="translate(352 188)">
    <rect x="-30" y="-22" width="60" height="44" rx="9" fill="url(#brass)" class="edge" />
    <circle r="13" class="iron" />
    <g class="gate">
      <path d="M-11-2.500H11V2.500H-11Z" class="gate-leaf" />
    </g>
    <path d="M-7-22V-40H7V-22" class="pipe" />
    <path d="M0-46V-70M-7-62L0-72L7-62" class="vent-air" />
  </g>
`;

const BENDS = CSS.supports("d", 'path("M0 0")');
const GLIDE = 380; // milliseconds that the cup takes, too
const eased = (share) => 1 - (1 - share) ** 3;

/** Its end goes along with the cup: by the style sheet, or step by step where that cannot bend a line. */
class Hose extends Component {
  componentDidMount() {
    this.goal = this.props.end;
  }

  componentDidUpdate() {
    const { end } = this.props;
    if (BENDS || this.goal === end) return;
    this.goal = end;
    const from = this.at;
    const began = performance.now();
    const step = (now) => {
      const share = isAnimated() ? Math.min(Math.max(now - began, 0) / GLIDE, 1) : 1;
      this.at = from + (end - from) * eased(share);
      this.setState({});
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(step);
  }

  componentWillUnmount() {
    cancelAnimationFrame(this.frame);
  }

  render({ end, flowing }) {
    this.at ??= end;
    const way = `M382 188C424 188 408 60 446 50C484 40 ${CUP_X} 60 ${CUP_X} ${BENDS ? end : this.at}`;
    const bent = BENDS ? `d:path("${way}")` : undefined;
    return html`
      <g class="hose">
        <path d="M186 188H322" class="rubber" />
        <path d="M186 188H322" class="rubber-light" />
        <path d=${way} style=${bent} class="rubber moves" />
        <path d=${way} style=${bent} class="rubber-light moves" />
        <path d=${way} style=${bent} class=${classes("air moves", flowing && "flowing")} />
        <path d="M186 188H322" class=${classes("air", flowing && "flowing")} />
      </g>
    `;
  }
}

const Cup = ({ at, leak, gripping }) => html`
  <g class="cup moves" style=${shifted(0, at)}>
    <path
      d=${`M${CUP_X - 9} 128H${CUP_X + 9}L${CUP_X + 7} 206H${CUP_X - 7}Z`}
      fill="url(#wood)"
      class="edge"
    />
    <rect
      x=${CUP_X - 12}
      y="118"
      width="24"
      height="16"
      rx="4"
      fill="url(#brass)"
      class="edge"
    />
    <rect
      x=${CUP_X - 11}
      y="202"
      width="22"
      height="12"
      rx="3"
      fill="url(#brass)"
      class="edge"
    />
    <path
      d=${`M${CUP_X - 10} 214H${CUP_X + 10}
        C${CUP_X + 14} 230 ${CUP_X + 34} 236 ${CUP_X + 38} ${gripping ? 250 : 248}H${CUP_X - 38}
        C${CUP_X - 34} 236 ${CUP_X - 14} 230 ${CUP_X - 10} 214Z`}
      class="bell"
    />
    <path
      d=${`M${CUP_X - 6} 220C${CUP_X - 10} 234 ${CUP_X - 24} 240 ${CUP_X - 28} 245`}
      class="bell-light"
    />
    <g class="leak" style=${`opacity:${gripping ? leak : 0}`}>
      <path
        d=${`M${CUP_X + 74} 238C${CUP_X + 62} 234 ${CUP_X + 56} 246 ${CUP_X + 42} 245M${CUP_X - 74} 238
          C${CUP_X - 62} 234 ${CUP_X - 56} 246 ${CUP_X - 42} 245`}
      />
      <path
        d=${`M${CUP_X + 70} 226C${CUP_X + 60} 224 ${CUP_X + 52} 234 ${CUP_X + 41} 237M${CUP_X - 70} 226
          C${CUP_X - 60} 224 ${CUP_X - 52} 234 ${CUP_X - 41} 237`}
      />
    </g>
  </g>
`;

const Card = ({ x, y, doubt }) => html`
  <g class=${classes("bench-card moves", doubt && "doubted")} style=${shifted(x, y)}>
    <path
      d=${`M${CUP_X - CARD} 251H${CUP_X + CARD}V259H${CUP_X - CARD}Z`}
      fill="url(#papyrus)"
      class="edge"
    />
    <path
      d=${`M${CUP_X - CARD} 257H${CUP_X + CARD}V260H${CUP_X - CARD}Z`}
      class="card-back"
    />
  </g>
`;

const Board = ({ plugged, answers, faulty }) => html`
  <g class="board-part">
    <path d="M222 262V258H312V262Z" class="iron" />
    <rect x="218" y="240" width="98" height="18" rx="3" class="circuit" />
    <rect x="246" y="231" width="34" height="9" rx="1.500" class="chip" />
    <rect x="288" y="234" width="8" height="6" rx="1" class="chip" />
    <circle
      cx="304"
      cy="236"
      r="4"
      class=${classes("lamp", faulty ? "red" : answers && "green")}
    />
    <rect x="206" y="244" width="16" height="10" rx="1.500" class="socket" />
    <g class="cable moves" style=${shifted(plugged ? 0 : -38, plugged ? 0 : 6)}>
      <path d="M182 249C150 249 168 280 128 281H-60" class="wire" />
      <rect x="180" y="243" width="22" height="12" rx="2" class="plug" />
      <rect x="201" y="245.500" width="8" height="7" class="socket" />
    </g>
  </g>
`;

// A name stands beside its part, the card's and the cup's go along; on a narrow screen the drawing speaks for itself.
const NAMES = { pump: [88, 122], gauge: [252, 22], valve: [352, 234], hose: [396, 62] };
const Name = ({ part, x, y, ...more }) => html`
  <text x=${x} y=${y} ...${more}>
    ${say(`ui.rig.part.${part}`)}
  </text>
`;

const Names = ({ at, gauge }) => html`
  <g class="part-names" aria-hidden="true">
    ${Object.entries(NAMES).map(
      ([part, [x, y]]) =>
        (part !== "gauge" || gauge) && html`<${Name} key=${part} part=${part} x=${x} y=${y} class=${part} />`,
    )}
    ${at.board && html`<${Name} part="board" x="267" y="284" class="on-wood" />`}
    <${Name} part="cup" x=${CUP_X + 24} y="176" class="cup moves" style=${shifted(0, at.cup)} />
    <${Name}
      part="card"
      x=${CUP_X}
      y="284"
      class=${classes("moves", !at.lifted && "on-wood")}
      style=${shifted(at.card, at.lifted ? LIFTED : 0)}
    />
  </g>
`;

export function Shovel({ rig }) {
  const { shovel } = rig;
  const at = posture(rig);
  const pump = say(`ui.rig.picture.${at.pumping ? "pump_on" : "pump_off"}`);
  const label = say("ui.rig.picture.label", {
    state: say(`ui.shovel.state.${shovel.state}`),
    card: rig.world ? say(`ui.rig.picture.${at.touching ? "card_on" : "card_off"}`) : "",
    pump: at.plugged ? pump : `${pump} ${say("ui.rig.picture.unplugged")}`,
  });
  return html`
    <svg
      class=${classes("bench-drawing", shovel.fault && "faulty")}
      viewBox="0 8 720 292"
      role="img"
      aria-label=${label}
    >
      <${Table} />
      ${at.board && html`<${Board} plugged=${at.plugged} answers=${at.answers} faulty=${Boolean(shovel.fault)} />`}
      <${Hose} end=${122 + at.cup} flowing=${at.pumping} />
      <${Pump} running=${at.pumping} />
      ${shovel.gauge && html`<${Dial} kpa=${shovel.vacuum_kpa} held=${shovel.thresholds?.held} />`}
      <${Valve} shut=${at.pumping} />
      <${Card} x=${at.card} y=${at.lifted ? LIFTED : 0} doubt=${shovel.doubt} />
      <${Cup} at=${at.cup} leak=${at.leak} gripping=${at.pumping} />
      <${Names} at=${at} gauge=${shovel.gauge} />
    </svg>
  `;
}
