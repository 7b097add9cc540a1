// The plan of the pyramid as its owner draws it: walls, numbers, corridor, alcoves, sarcophagi, ways in, and where
// mummies start.
import { Component, html, classes } from "../../html.js";
import { say } from "../../words.js";
import { loadStylesheet } from "../../stylesheets.js";
import { Button, Choice, Stepper } from "../../chrome/press.js";
import { Hit } from "../../pieces/hit.js";
import { Plan, Stands, WIDE_RIM } from "../../pieces/plan.js";
import { learnPrinted } from "../../pieces/printed.js";
import { Any, Wrong } from "../../pages/boxes/tables.js";
import { at as inTree } from "../../pages/boxes/tree.js";
import * as edit from "./drawing.js";

const SIZE = 76;
const MOST_TOLD = 8; // beside the drawing; the list above has them all
const TOOLS = ["wall", "number", "rock", "corridor", "sarcophagi", "alcoves", "entrances", "mummies"];
const ON_CORRIDOR = ["sarcophagi", "alcoves", "mummies"];
const numbered = (name) => /^\d+$/.test(name);
const t = (key, facts) => say(`horus.evening.${key}`, facts);

export const ready = () =>
  Promise.all([loadStylesheet("boards/horus/style"), loadStylesheet("boards/horus/figures"), learnPrinted("horus")]);

function squaresOf(blocks) {
  const [first, last] = String(blocks).split("-").map(Number);
  return last >= first && last - first < 99
    ? Array.from({ length: last - first + 1 }, (_, i) => String(first + i))
    : [];
}

/** The plan as its drawing takes it: without what leads nowhere as yet. */
function drawn(plan, start) {
  const at = edit.placesOf(plan);
  const there = (list) => list.filter((name) => at.has(name));
  const near = ([a, b]) => at.has(a) && at.has(b) && edit.touching(at.get(a), at.get(b));
  const kept = (lists) => Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, there(list)]));
  const stand = Object.entries(plan[start]).map(([mummy, each]) => ({ mummy, ...each }));
  const looks = ({ square, stretch, towards }) =>
    at.has(square) && at.has(towards) && plan.corridor[stretch]?.length > 1;
  return {
    at,
    shown: {
      ...plan,
      walls: plan.walls.filter(near),
      entrances: there(plan.entrances),
      corridor: kept(plan.corridor),
      alcoves: Object.fromEntries(Object.entries(kept(plan.alcoves)).filter(([, list]) => list.length)),
      areas: Object.fromEntries(Object.entries(plan.areas).map(([area, blocks]) => [area, squaresOf(blocks)])),
    },
    tombs: Object.entries(kept(plan.sarcophagi)).flatMap(([god, list]) =>
      list.map((square) => ({ god, square, open: false, looted: false, card: null, read: false })),
    ),
    mummies: stand.filter(looks).filter(({ stretch }) => kept(plan.corridor)[stretch].length > 1),
  };
}

/** The squares that a doubt is about. */
function squaresIn(doubts, plan) {
  const found = new Set();
  for (const { key, facts } of doubts) {
    for (const name of [facts.square, facts.here, facts.there, facts.beyond].flat()) if (name) found.add(name);
    const [, table, stretch] = key.split(".");
    if (table === "corridor" && stretch && !facts.here) for (const name of plan.corridor[stretch]) found.add(name);
  }
  return found;
}

const middle = ([c, r]) => [(c + 0.5) * SIZE, (r + 0.5) * SIZE];

/** Every edge between two squares: a wall is there, or not. */
const Edges = ({ plan, at, onPress }) => html`
  ${[...at].flatMap(([name, [c, r]]) =>
    [
      [1, 0],
      [0, 1],
    ].map(([dc, dr]) => {
      const other = plan.grid[r + dr]?.[c + dc];
      if (!other) return null;
      const [x, y] = [(c + 0.5 + dc / 2) * SIZE, (r + 0.5 + dr / 2) * SIZE];
      const [wide, high] = dc ? [42, 56] : [56, 42];
      return html`
        <${Hit}
          key=${`${name}-${other}`}
          can=${true}
          label=${t("wall_between", { here: name, there: other })}
          pressed=${edit.hasWall(plan, name, other)}
          data-wall=${`${name}-${other}`}
          onPress=${() => onPress(name, other, [c, r], [c + dc, r + dr])}
        >
          <rect x=${x - wide / 2} y=${y - high / 2} width=${wide} height=${high} rx="10" />
        <//>
      `;
    }),
  )}
`;

/** Every place of the plan, rock too where the tool can make a square of it. */
const Places = ({ plan, tool, chosen, onPress }) => html`
  ${plan.grid.flatMap((row, r) =>
    row.map((name, c) => {
      const can = name ? !ON_CORRIDOR.includes(tool) || !numbered(name) : ["number", "rock", "corridor"].includes(tool);
      if (!can) return null;
      return html`
        <${Hit}
          key=${`${c}-${r}`}
          can=${true}
          label=${name ? t("square_of", { square: name }) : t("rock_at", { row: r + 1, column: c + 1 })}
          pressed=${chosen(name)}
          class=${classes(!name && "solid")}
          data-square=${name || `${c},${r}`}
          onPress=${() => onPress([c, r], name)}
        >
          <rect x=${c * SIZE + 3} y=${r * SIZE + 3} width=${SIZE - 6} height=${SIZE - 6} rx="8" />
        <//>
      `;
    }),
  )}
`;

/** Which stretch each square of the corridor is in, by its place in it. */
const Stretch = ({ plan, at, stretch }) => html`
  <g class="plan-stretch" aria-hidden="true">
    ${(plan.corridor[stretch] ?? [])
      .filter((name) => at.has(name))
      .map((name, i) => {
        const [x, y] = middle(at.get(name));
        return html`
          <g key=${name} transform=${`translate(${x} ${y})`}>
            <circle r="17" />
            <text y="7">${i + 1}</text>
          </g>
        `;
      })}
  </g>
`;

const Marks = ({ squares, at }) => html`
  <g class="plan-amiss" aria-hidden="true">
    ${[...squares]
      .filter((name) => at.has(name))
      .map((name) => {
        const [c, r] = at.get(name);
        return html`
          <g key=${name} transform=${`translate(${c * SIZE} ${r * SIZE})`} data-amiss=${name}>
            <rect x="5" y="5" width=${SIZE - 10} height=${SIZE - 10} rx="7" />
            <text x=${SIZE - 16} y="26">!</text>
          </g>
        `;
      })}
  </g>
`;

/** What the plan has to keep, and whether it does. */
const Checks = ({ doubts }) => {
  const fails = {
    reach: ({ key }) => key === "plan.walls" || key.startsWith("plan.entrances"),
    numbers: ({ key }) => key.startsWith("plan.grid"),
    stretches: ({ key }) => key.startsWith("plan.corridor"),
  };
  return html`
    <ul class="plan-checks">
      ${Object.entries(fails).map(([what, is]) => {
        const wrong = doubts.some(is);
        return html`
          <li key=${what} class=${wrong ? "amiss" : "holds"}>${wrong ? "!" : "✓"} ${t(`check_${what}`)}</li>
        `;
      })}
    </ul>
  `;
};

class Drawing extends Component {
  state = { tool: "wall", god: null, stretch: "left", mummy: null, start: "mummies", n: 1, both: false };

  get plan() {
    return inTree(this.props.ctx.tree, this.props.at);
  }

  become(plan) {
    this.props.ctx.change(this.props.at, plan);
  }

  get gods() {
    return Object.keys(this.state.tool === "alcoves" ? this.plan.alcoves : this.plan.sarcophagi);
  }

  get god() {
    return this.gods.includes(this.state.god) ? this.state.god : this.gods[0];
  }

  get mummy() {
    return this.state.mummy ?? Object.keys(this.plan.mummies)[0];
  }

  edge = (here, there, one, other) => {
    let plan = edit.wall(this.plan, here, there);
    const [a, b] = [edit.across(plan, one), edit.across(plan, other)];
    const folded = a && b && !(a === there && b === here) && !(a === here && b === there);
    if (this.state.both && folded && edit.hasWall(plan, a, b) !== edit.hasWall(plan, here, there)) {
      plan = edit.wall(plan, a, b);
    }
    this.become(plan);
  };

  place = (place, name) => {
    const { tool, n, stretch, start } = this.state;
    const { plan } = this;
    if (tool === "number") {
      const after = edit.number(plan, place, n);
      this.setState({ n: edit.missing(after) ?? Math.min(edit.BLOCKS, n + 1) });
      return this.become(after);
    }
    if (tool === "rock") return this.become(edit.rock(plan, place));
    if (tool === "corridor") return this.become(edit.corridor(plan, place, stretch));
    if (tool === "entrances") return this.become(edit.entrance(plan, name));
    if (tool === "mummies") return this.become(edit.mummy(plan, name, this.mummy, start));
    const stands = tool === "alcoves" ? edit.alcove : edit.sarcophagus;
    return this.become(stands(plan, name, this.god));
  };

  chosen = (name) => {
    const { tool, n, stretch, start } = this.state;
    const { plan } = this;
    const has = {
      number: name === String(n),
      rock: !name,
      corridor: plan.corridor[stretch]?.includes(name),
      sarcophagi: plan.sarcophagi[this.god]?.includes(name),
      alcoves: plan.alcoves[this.god]?.includes(name),
      entrances: plan.entrances.includes(name),
      mummies: plan[start][this.mummy]?.square === name,
    };
    return Boolean(has[tool]);
  };

  with() {
    const { tool, n, stretch, start, both } = this.state;
    const { ctx } = this.props;
    const named = (list) => list.map((each) => [each, ctx.name(each)]);
    if (tool === "wall") {
      return html`<${Button} pressed=${both} onPress=${() => this.setState({ both: !both })}>${t("both_sides")}<//>`;
    }
    if (tool === "number") {
      const step = (to) => this.setState({ n: to });
      return html`
        <${Stepper}
          value=${n}
          least=${1}
          most=${edit.BLOCKS}
          label=${t("tool_number")}
          less=${say("ui.less")}
          more=${say("ui.more")}
          onChange=${step}
        />
      `;
    }
    if (tool === "corridor") {
      const stretches = Object.keys(this.plan.corridor).map((each) => [each, ctx.word(each)]);
      const empty = { ...this.plan, corridor: { ...this.plan.corridor, [stretch]: [] } };
      return html`
        <${Choice}
          label=${t("tool_corridor")}
          value=${stretch}
          options=${stretches}
          onChange=${(to) => this.setState({ stretch: to })}
        />
        <${Button} look="quiet" onPress=${() => this.become(empty)}>${t("stretch_anew")}<//>
      `;
    }
    if (tool === "sarcophagi" || tool === "alcoves") {
      return html`
        <${Choice}
          label=${t(`tool_${tool}`)}
          value=${this.god}
          options=${named(this.gods)}
          onChange=${(god) => this.setState({ god })}
        />
      `;
    }
    if (tool === "mummies") {
      const starts = [
        ["mummies", t("start_usual")],
        ["alternative", t("start_variant")],
      ];
      return html`
        <${Choice}
          label=${t("tool_mummies")}
          value=${this.mummy}
          options=${named(Object.keys(this.plan.mummies))}
          onChange=${(mummy) => this.setState({ mummy })}
        />
        <${Choice}
          label=${t("starts")}
          value=${start}
          options=${starts}
          onChange=${(to) => this.setState({ start: to })}
        />
      `;
    }
    return null;
  }

  render({ ctx, at: key }, { tool, stretch, start }) {
    const { plan } = this;
    const doubts = ctx.doubts.filter((each) => each.key === key || each.key.startsWith(`${key}.`));
    const { at, shown, tombs, mummies } = drawn(plan, start);
    const under = (places, cell) => html`
      <${Stands} plan=${shown} at=${places} cell=${cell} tombs=${tombs} full=${Object.keys(shown.alcoves)} />
    `;
    const over = () => html`
      ${tool === "corridor" && html`<${Stretch} plan=${plan} at=${at} stretch=${stretch} />`}
      <${Marks} squares=${squaresIn(doubts, plan)} at=${at} />
      ${
        tool === "wall"
          ? html`<${Edges} plan=${plan} at=${at} onPress=${this.edge} />`
          : html`<${Places} plan=${plan} tool=${tool} chosen=${this.chosen} onPress=${this.place} />`
      }
    `;
    return html`
      <div class="plan-sheet">
        <div class="plan-tools">
          <${Choice}
            label=${t("tools")}
            value=${tool}
            options=${TOOLS.map((each) => [each, t(`tool_${each}`)])}
            onChange=${(to) => this.setState({ tool: to })}
          />
          <div class="plan-with">${this.with()}</div>
          <p class="caption">${t(`hint_${tool}`)}</p>
          <${Button} onPress=${() => this.become(edit.mirrored(plan))}>${t("mirror")}<//>
          <${Checks} doubts=${doubts} />
          <ul class="plan-doubts">
            ${doubts
              .slice(0, MOST_TOLD)
              .map(
                (each, i) =>
                  html`<li key=${i} class="doubt">${ctx.saidOf(each.key.slice(key.length + 1))}: ${each.message}</li>`,
              )}
            ${doubts.length > MOST_TOLD && html`<li class="doubt">+ ${doubts.length - MOST_TOLD}</li>`}
          </ul>
        </div>
        <div class=${classes("plan-drawn", tool === "wall" && "near")}>
          <${Plan}
            plan=${shown}
            mummies=${mummies}
            say=${say}
            name=${ctx.name}
            rim=${WIDE_RIM}
            under=${under}
            over=${over}
          />
        </div>
      </div>
    `;
  }
}

/** The drawing, and beneath it the same as tables. */
function PlanSheet({ ctx, at, shape, label }) {
  const plain = { ...ctx, sheets: {} };
  const whole = inTree(ctx.tree, at);
  const can = Array.isArray(whole?.grid) && Array.isArray(whole.walls) && Boolean(whole.corridor && whole.mummies);
  return html`
    ${can && html`<${Drawing} ctx=${ctx} at=${at} />`}
    <details class="plan-tables">
      <summary>${t("as_tables")}</summary>
      <${Any} ctx=${plain} at=${at} shape=${shape} label=${label} />
    </details>
    <${Wrong} ctx=${ctx} at=${at} />
  `;
}

export const sheets = { plan: PlanSheet };
