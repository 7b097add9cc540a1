// The figures of a box as tables, whatever they are: each with where it is from, and beside it what is wrong with it.
import { html, classes } from "../../html.js";
import { number, say } from "../../words.js";
import { Button } from "../../chrome/press.js";
import { at, below, keysIn, same, wordsIn } from "./tree.js";

const SIGNS = { rules: "§", found: "¶", house: "≈", owner: "✱" };
const SINGLE = ["number", "word", "choice", "yes", "text"];
const COLOUR = "^#[0-9a-f]{6}$";
const isSingle = ({ sort }) => SINGLE.includes(sort);
const idOf = (key) => `figure-${key.replaceAll(".", "-")}`;

/** Where figures can be from, each by its sign. */
export const Legend = () => html`
  <dl class="origins">
    ${Object.entries(SIGNS).map(
      ([from, sign]) => html`
        <div key=${from}>
          <dt class=${`from from-${from}`}>${sign}</dt>
          <dd>${say(`ui.boxes.from_${from}`)}</dd>
        </div>
      `,
    )}
  </dl>
`;

const Sign = ({ from }) => html`<i class="sign" aria-hidden="true">${SIGNS[from]}</i>`;

/** What is wrong at a key itself. */
export const Wrong = ({ ctx, at: key }) => {
  const doubts = ctx.doubtsAt(key);
  return doubts.length
    ? html`<small class="doubt" id=${`${idOf(key)}-doubt`}>${doubts.map(({ message }) => message).join(" · ")}</small>`
    : null;
};

function typed(text, { sort }) {
  const plain = text.trim().replace("−", "-");
  return sort === "number" && /^-?\d{1,9}$/.test(plain) ? Number(plain) : text;
}

function Input({ ctx, at: key, shape, value, ...rest }) {
  if (shape.sort === "yes") {
    return html`
      <input
        type="checkbox"
        checked=${value === true}
        onChange=${({ target }) => ctx.change(key, target.checked)}
        ...${rest}
      />
    `;
  }
  if (shape.sort === "text") {
    const onInput = ({ target }) => ctx.change(key, target.value);
    return html`<input type="text" autocomplete="off" value=${value} onInput=${onInput} ...${rest} />`;
  }
  if (shape.sort === "number" || (shape.like === COLOUR && !CSS.supports("color", value ?? ""))) {
    return html`
      <input
        type="text"
        inputmode=${shape.least < 0 ? "text" : "numeric"}
        autocomplete="off"
        value=${value ?? ""}
        onInput=${({ target }) =>
          ctx.change(key, shape.optional && !target.value ? undefined : typed(target.value, shape))}
        ...${rest}
      />
    `;
  }
  if (shape.like === COLOUR) {
    const change = ({ target }) => ctx.change(key, target.value);
    return html`<input type="color" value=${value} onInput=${change} ...${rest} />`;
  }
  const offered = shape.of ?? wordsIn([ctx.box.shipped, ctx.tree], key, ctx.box.shape);
  const listed = offered.includes(value) || value === undefined ? offered : [value, ...offered];
  return html`
    <select onChange=${({ target }) => ctx.change(key, target.value || undefined)} ...${rest}>
      ${(shape.optional || value === undefined) && html`<option value="" selected=${value === undefined}>–</option>`}
      ${listed.map(
        (each) => html`
          <option key=${each} value=${each} selected=${each === value}>
            ${ctx.name(each)}
          </option>
        `,
      )}
    </select>
  `;
}

const plain = (ctx, value) => {
  if (typeof value === "boolean") return value ? "✓" : "–";
  return typeof value === "number" ? String(value).replace("-", "−") : ctx.name(String(value ?? "–"));
};

/** A single figure: what the rules state is told with its rule, all else can be changed. */
export function Cell({ ctx, at: key, shape, label }) {
  const value = at(ctx.tree, key);
  const shipped = at(ctx.box.shipped, key);
  const [from, wrong] = [ctx.origin(key), ctx.doubtsAt(key).length > 0];
  const whole = `${label}, ${say(`ui.boxes.origin_${from}`)}`;
  if (value === undefined && !shape.optional && !ctx.mayAdd(key)) return html`<span class="cell none">–</span>`;
  if (ctx.stated(key) && same(value, shipped)) {
    return html`
      <span class="cell stated">
        <${Button} look="figure" label=${`${plain(ctx, value)}: ${whole}`} onPress=${() => ctx.tell(key)}>
          ${shape.like === COLOUR ? html`<b class="swatch" style=${`background:${value}`}></b>` : plain(ctx, value)}
          <${Sign} from=${from} />
        <//>
      </span>
    `;
  }
  return html`
    <span class=${classes("cell", `from-${from}`, wrong && "amiss", shape.sort)}>
      <${Input}
        ctx=${ctx}
        at=${key}
        shape=${shape}
        value=${value}
        id=${idOf(key)}
        aria-label=${whole}
        aria-invalid=${wrong}
        aria-describedby=${wrong ? `${idOf(key)}-doubt` : undefined}
      />
      ${shape.sort !== "text" && html`<${Sign} from=${from} />`}
      ${
        shipped !== undefined &&
        !same(value, shipped) &&
        html`
          <${Button}
            look="back"
            label=${say("ui.boxes.back_to", { figure: plain(ctx, shipped), what: label })}
            title=${say("ui.boxes.back_to", { figure: plain(ctx, shipped), what: label })}
            onPress=${() => ctx.change(key, shipped)}
          >
            ↺
          <//>
        `
      }
    </span>
  `;
}

const Remove = ({ ctx, at: key, what }) => html`
  <${Button} look="back" label=${say("ui.boxes.remove", { what })} onPress=${() => ctx.change(key, undefined)}>×<//>
`;

/** One more part of a table or list. */
function Add({ ctx, at: key, shape, children }) {
  const has = at(ctx.tree, key) ?? (shape.sort === "list" ? [] : {});
  if (ctx.stated(key)) return null;
  if (shape.sort === "list") {
    if (shape.length) return null;
    const add = () => ctx.change(below(key, has.length + 1), structuredClone(has.at(-1) ?? blank(ctx, key, shape.of)));
    return html`<${Button} look="more" label=${say("ui.boxes.add_to", { what: children })} onPress=${add}>+<//>`;
  }
  const known = shape.keys.of?.map(String) ?? keysIn([ctx.box.shipped, ctx.tree], key, ctx.box.shape);
  const more = shape.keys.sort === "number" ? [String(Math.max(0, ...Object.keys(has).map(Number)) + 1)] : [];
  const offered = [...new Set([...known, ...more])].filter((each) => !(each in has));
  if (!shape.whole || !offered.length) return null;
  return html`
    <select
      class="more"
      aria-label=${say("ui.boxes.add_to", { what: children })}
      onChange=${({ target }) => {
        if (target.value) ctx.change(below(key, target.value), blank(ctx, key, shape.of));
        target.value = "";
      }}
    >
      <option value="">+</option>
      ${offered.map((each) => html`<option key=${each} value=${each}>${ctx.name(each)}</option>`)}
    </select>
  `;
}

function blank(ctx, key, shape) {
  if (shape.sort === "number") return Math.max(1, shape.least ?? 0);
  if (shape.sort === "yes") return false;
  if (shape.sort === "list") return Array.from({ length: shape.length ?? 0 }, () => blank(ctx, key, shape.of));
  if (shape.sort === "map") return {};
  if (shape.sort === "part") {
    const needed = shape.fields.filter(({ optional }) => !optional);
    return Object.fromEntries(needed.map((field) => [field.name, blank(ctx, key, field)]));
  }
  return shape.of?.[0] ?? wordsIn([ctx.box.shipped], below(key, 1), ctx.box.shape)[0] ?? "";
}

/** A row of figures, as many as there are. */
const Row = ({ ctx, at: key, shape, label }) => html`
  <span class="row">
    ${(at(ctx.tree, key) ?? []).map((_, i) => {
      const here = below(key, i + 1);
      return html`
        <span key=${here} class="with-tools">
          <${Cell} ctx=${ctx} at=${here} shape=${shape.of} label=${`${label} ${i + 1}`} />
          ${!shape.length && !ctx.stated(key) && html`<${Remove} ctx=${ctx} at=${here} what=${`${label} ${i + 1}`} />`}
          <${Wrong} ctx=${ctx} at=${here} />
        </span>
      `;
    })}
    <${Add} ctx=${ctx} at=${key} shape=${shape}>${label}<//>
    <${Wrong} ctx=${ctx} at=${key} />
  </span>
`;

/** Named figures in a line: how many of each. */
const Counts = ({ ctx, at: key, shape, label }) => html`
  <span class="row">
    ${Object.keys(at(ctx.tree, key) ?? {}).map((name) => {
      const here = below(key, name);
      const [text, gone] = [ctx.name(name), at(ctx.box.shipped, here) === undefined || shape.whole];
      return html`
        <span key=${here} class="with-tools named">
          <span class="name">${text}</span>
          <${Cell} ctx=${ctx} at=${here} shape=${shape.of} label=${`${label}, ${text}`} />
          ${gone && !ctx.stated(here) && html`<${Remove} ctx=${ctx} at=${here} what=${`${label}, ${text}`} />`}
          <${Wrong} ctx=${ctx} at=${here} />
        </span>
      `;
    })}
    <${Add} ctx=${ctx} at=${key} shape=${shape}>${label}<//>
    <${Wrong} ctx=${ctx} at=${key} />
  </span>
`;

const Line = ({ ctx, at: key, shape, label }) => html`
  <div class="line">
    <span class="label">${label}</span>
    <${Any} ctx=${ctx} at=${key} shape=${shape} label=${label} />
    ${isSingle(shape) && html`<${Wrong} ctx=${ctx} at=${key} />`}
  </div>
`;

const Lines = ({ ctx, at: key, shape }) => html`
  ${(shape.fields ?? Object.keys(at(ctx.tree, key) ?? {}).map((name) => ({ ...shape.of, name }))).map((each) => {
    const here = below(key, each.name);
    const label = shape.fields ? ctx.word(each.name) : ctx.name(each.name);
    return html`<${Line} key=${here} ctx=${ctx} at=${here} shape=${each} label=${label} />`;
  })}
  <${Wrong} ctx=${ctx} at=${key} />
`;

/** Figures by two names, or two numbers: a column for each, and beside a row what is wrong in it. */
function Grid({ ctx, at: key, shape, label, columns }) {
  const rows = at(ctx.tree, key) ?? {};
  const names = Array.isArray(rows) ? rows.map((_, i) => String(i + 1)) : Object.keys(rows);
  const across =
    columns ??
    (Array.isArray(rows)
      ? [...(rows[0] ?? [])].map((_, i) => String(i + 1))
      : keysIn([ctx.box.shipped, ctx.tree], below(key, names[0]), ctx.box.shape));
  const down = !Array.isArray(rows); // many kinds of few tables: the tables stand side by side
  const [lines, cells] = down ? [across, names] : [names, across];
  const keyOf = (line, cell) => (down ? `${key}.${cell}.${line}` : `${key}.${line}.${cell}`);
  return html`
    <div class="scrolls">
      <table class="grid">
        <thead>
          <tr>
            <td></td>
            ${cells.map((cell) => html`<th key=${cell} scope="col">${ctx.name(cell)}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            (line) => html`
              <tr key=${line}>
                <th scope="row">${ctx.name(line)}</th>
                ${cells.map((cell) => {
                  const here = keyOf(line, cell);
                  return html`
                    <td key=${cell}>
                      <${Cell}
                        ctx=${ctx}
                        at=${here}
                        shape=${down ? { ...shape.of.of, optional: true } : shape.of.of}
                        label=${`${label}, ${ctx.name(line)}, ${ctx.name(cell)}`}
                      />
                    </td>
                  `;
                })}
                <td class="beside">
                  ${!down && html`<${Wrong} ctx=${ctx} at=${`${key}.${line}`} />`}
                  ${cells.map((cell) => html`<${Wrong} key=${cell} ctx=${ctx} at=${keyOf(line, cell)} />`)}
                </td>
              </tr>
            `,
          )}
        </tbody>
        ${
          down &&
          html`
            <tfoot>
              <tr>
                <th scope="row">${say("ui.boxes.in_all")}</th>
                ${cells.map(
                  (cell) => html`
                    <td key=${cell}>
                      <b>${number(Object.values(rows[cell]).reduce((sum, each) => sum + (Number(each) || 0), 0))}</b>
                      <${Wrong} ctx=${ctx} at=${`${key}.${cell}`} />
                    </td>
                  `,
                )}
                <td></td>
              </tr>
            </tfoot>
          `
        }
      </table>
    </div>
    <${Wrong} ctx=${ctx} at=${key} />
  `;
}

/** Cards, sites, hands: a line for each, a column for each thing it says. */
function Records({ ctx, at: key, shape, label }) {
  const rows = at(ctx.tree, key) ?? {};
  const list = Array.isArray(rows);
  const names = list ? rows.map((_, i) => String(i + 1)) : Object.keys(rows);
  const free = list && !ctx.stated(key);
  return html`
    <div class="scrolls">
      <table class="records">
        <thead>
          <tr>
            <td></td>
            ${shape.of.fields.map(({ name }) => html`<th key=${name} scope="col">${ctx.word(name)}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${names.map((name) => {
            const here = below(key, name);
            const text = list ? `${label} ${name}` : ctx.name(name);
            return html`
              <tr key=${here}>
                <th scope="row">${list ? name : text}</th>
                ${shape.of.fields.map(
                  (field) => html`
                    <td key=${field.name}>
                      <${Any}
                        ctx=${ctx}
                        at=${below(here, field.name)}
                        shape=${field}
                        label=${`${text}, ${ctx.word(field.name)}`}
                      />
                      ${isSingle(field) && html`<${Wrong} ctx=${ctx} at=${below(here, field.name)} />`}
                    </td>
                  `,
                )}
                <td class="beside">
                  ${free && !ctx.stated(here) && html`<${Remove} ctx=${ctx} at=${here} what=${text} />`}
                  <${Wrong} ctx=${ctx} at=${here} />
                </td>
              </tr>
            `;
          })}
        </tbody>
      </table>
    </div>
    <${Add} ctx=${ctx} at=${key} shape=${shape}>${label}<//>
    <${Wrong} ctx=${ctx} at=${key} />
  `;
}

/** Words of which any may be chosen, each with what it says. */
const Some = ({ ctx, at: key, shape }) => html`
  <div class="lines some">
    <p class="caption">${say("ui.boxes.rulings_hint")}</p>
    ${shape.of.map((each) => {
      const chosen = at(ctx.tree, key) ?? [];
      const others = shape.of.filter((other) => (other === each ? !chosen.includes(each) : chosen.includes(other)));
      return html`
        <label key=${each}>
          <input type="checkbox" checked=${chosen.includes(each)} onChange=${() => ctx.change(key, others)} />
          <span>${ctx.name(each)}</span>
        </label>
      `;
    })}
  </div>
`;

/** Whatever is at a key, by its shape. */
export function Any({ ctx, at: key, shape, label }) {
  const part = { ctx, at: key, shape, label };
  const Sheet = ctx.sheets[key];
  if (Sheet) return html`<${Sheet} ...${part} />`;
  if (isSingle(shape)) return html`<${Cell} ...${part} />`;
  if (shape.sort === "some") return html`<${Some} ...${part} />`;
  if (shape.sort === "part") return html`<div class="lines"><${Lines} ...${part} /></div>`;
  if (isSingle(shape.of)) return shape.sort === "map" ? html`<${Counts} ...${part} />` : html`<${Row} ...${part} />`;
  const inner = shape.of;
  if (inner.sort === "part" && (shape.sort === "list" || inner.fields.length > 1))
    return html`<${Records} ...${part} />`;
  const grid = inner.sort === shape.sort && isSingle(inner.of) && inner.of.sort === "number" && !inner.length;
  if (grid) return html`<${Grid} ...${part} />`;
  if (shape.sort === "map") return html`<div class="lines"><${Lines} ...${part} /></div>`;
  return html`
    <span class="row">
      ${(at(ctx.tree, key) ?? []).map((_, i) => {
        const here = below(key, i + 1);
        return html`
          <span key=${here} class="with-tools joined">
            <${Row} ctx=${ctx} at=${here} shape=${inner} label=${`${label} ${i + 1}`} />
            ${!ctx.stated(key) && html`<${Remove} ctx=${ctx} at=${here} what=${`${label} ${i + 1}`} />`}
          </span>
        `;
      })}
      <${Add} ctx=${ctx} at=${key} shape=${shape}>${label}<//>
      <${Wrong} ctx=${ctx} at=${key} />
    </span>
  `;
}
