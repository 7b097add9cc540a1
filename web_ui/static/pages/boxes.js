// The owner's own copy of each box: every figure with where it is from, checked as one types, kept in the owner's file.
import { html, classes } from "../html.js";
import { get, post } from "../api.js";
import { isThere } from "../addresses.js";
import { learnLater, say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";
import { Button, Twice } from "../chrome/press.js";
import { loadStylesheet } from "../stylesheets.js";
import { Any, Legend, Wrong } from "./boxes/tables.js";
import { at, laidOver, nearest, put, same, within } from "./boxes/tree.js";

const SHORTLY = 350; // after the last key is pressed
const AGAIN = 3000;
const MOST_STEPS = 200;
const LARGEST = 60_000;
const kept = (id) => `digside-box-${id}`;

/** The draft that was left on this device, if there is one. */
function remembered(id) {
  try {
    return JSON.parse(localStorage.getItem(kept(id)));
  } catch {
    return null;
  }
}

function remember(id, draft) {
  try {
    if (draft) localStorage.setItem(kept(id), JSON.stringify(draft));
    else localStorage.removeItem(kept(id));
  } catch {
    // a browser that keeps nothing: the draft lives as long as the page
  }
}

const Shelf = ({ boxes }) => html`
  <section class="card">
    <p>${say("ui.boxes.hint")}</p>
    <ul class="own-boxes">
      ${boxes.map(
        ({ id, title, state, own, message }) => html`
          <li key=${id}>
            <a class=${classes("button", "own-box", state)} href=${`#${id}`}>
              <b>${title}</b>
              <span>${say(`ui.boxes.state_${state}`, { n: own })}</span>
              ${remembered(id) && html`<span>${say("ui.boxes.has_draft")}</span>`}
            </a>
            ${message && html`<p class="refusal">${message}</p>`}
          </li>
        `,
      )}
    </ul>
    <p class="caption">${say("ui.boxes.in_play")}</p>
  </section>
`;

/** What all figures need to know to be drawn. */
function around(state, change) {
  const { box, tree, doubts, sheets } = state;
  const free = ["title", "rulings", "seats"];
  const stated = (key) => !free.some((each) => within(key, each)) && nearest(box.shipped_origins, key) === "rules";
  return {
    box,
    tree,
    doubts,
    sheets,
    change,
    stated,
    word: (field) => box.words[field] ?? field.replaceAll("_", " "),
    name: (thing) => box.names[thing] ?? String(thing).replaceAll("_", " "),
    doubtsAt: (key) => doubts.filter((each) => each.key === key),
    mayAdd: (key) => !stated(key),
    tell: state.tell,
    saidOf: (key) => saidOf(box, key),
    origin(key) {
      const value = at(tree, key);
      if (same(value, at(box.figures, key))) return nearest(box.origins, key) ?? "house";
      return same(value, at(box.shipped, key)) ? nearest(box.shipped_origins, key) : "owner";
    },
  };
}

/** A key in words: what its fields are called, and its things. */
function saidOf({ words, names }, key) {
  return key
    .split(".")
    .map((part) => words[part] ?? names[part] ?? part)
    .join(" · ");
}

/** All that is wrong, each with a way to where it is. */
const Doubts = ({ ctx, checked, onShow }) => html`
  <div class="all-doubts" role="status" aria-live="polite">
    ${
      ctx.doubts.length
        ? html`
          <p class="refusal">${say("ui.boxes.wrong", { n: ctx.doubts.length })}</p>
          <ul>
            ${ctx.doubts.map(
              ({ key, message }, i) => html`
                <li key=${`${key}-${i}`}>
                  <button type="button" class="to-figure" onClick=${() => onShow(key)}>
                    ${ctx.saidOf(key)}
                  </button>: ${message}
                </li>
              `,
            )}
          </ul>
        `
        : html`<p class="holds">${say(checked ? "ui.boxes.holds" : "ui.boxes.checking")}</p>`
    }
  </div>
`;

const Section = ({ ctx, field, open, onOpen }) => {
  const key = field.name;
  const wrong = ctx.doubts.filter((doubt) => within(doubt.key, key)).length;
  const different = !same(at(ctx.tree, key), at(ctx.box.shipped, key));
  return html`
    <section class="card figures" id=${`section-${key}`}>
      <h2>
        <button type="button" class="fold" aria-expanded=${open} onClick=${() => onOpen(open ? null : key)}>
          <i aria-hidden="true">${open ? "▾" : "▸"}</i>
          <span>${ctx.word(key)}</span>
          ${different && html`<span class="tag from-owner">✱ ${say("ui.boxes.origin_owner")}</span>`}
          ${wrong > 0 && html`<span class="tag amiss">! ${wrong}</span>`}
        </button>
      </h2>
      ${
        open &&
        html`
          <${Any} ctx=${ctx} at=${key} shape=${field} label=${ctx.word(key)} />
          ${
            different &&
            html`
              <p>
                <${Button} look="quiet" onPress=${() => ctx.change(key, at(ctx.box.shipped, key))}>
                  ${say("ui.boxes.section_back")}
                <//>
              </p>
            `
          }
        `
      }
      ${!open && html`<${Wrong} ctx=${ctx} at=${key} />`}
    </section>
  `;
};

const Tools = ({ state, hands }) => {
  const unsaved = !same(state.tree, state.box.figures);
  return html`
    <div class="figure-tools" role="group" aria-label=${say("ui.boxes.tools")}>
      <${Button} can=${state.past.length > 0} onPress=${hands.undo}>${say("ui.boxes.undo")}<//>
      <${Button} can=${state.future.length > 0} onPress=${hands.redo}>${say("ui.boxes.redo")}<//>
      <p role="status">
        ${state.notice || say(unsaved ? "ui.boxes.unsaved" : "ui.boxes.all_saved")}
      </p>
      <${Button}
        look="main"
        can=${unsaved && state.checked && state.doubts.length === 0 && !state.busy}
        onPress=${hands.save}
      >
        ${say("ui.boxes.save")}
      <//>
    </div>
  `;
};

const File = ({ state, hands }) => html`
  <section class="card">
    <h2>${say("ui.boxes.file")}</h2>
    <p>${say("ui.boxes.file_hint")}</p>
    <div class="owner-tools">
      <a class="button" href=${`/api/owner/boxes/${state.box.id}/export.toml`} download=${`${state.box.id}.toml`}>
        ${say("ui.boxes.export")}
      </a>
      <label class="button">
        ${say("ui.boxes.import")}
        <input class="unseen" type="file" accept=".toml,text/plain" onChange=${hands.bring} />
      </label>
      <${Twice} look="quiet" sure=${say("ui.boxes.reset_sure")} onPress=${hands.reset}>${say("ui.boxes.reset")}<//>
    </div>
  </section>
`;

const Editor = ({ state, hands }) => {
  const ctx = around(state, hands.change);
  return html`
    <p><a class="button quiet" href="#">${say("ui.boxes.others")}</a></p>
    ${state.box.message && html`<p class="refusal">${state.box.message}</p>`}
    ${state.merged && html`<p class="notice" role="status">${say("ui.boxes.merged")}</p>`}
    <section class="card">
      <${Legend} />
      <${Doubts} ctx=${ctx} checked=${state.checked} onShow=${hands.show} />
    </section>
    ${state.box.shape.fields.map(
      (field) => html`
        <${Section}
          key=${field.name}
          ctx=${ctx}
          field=${field}
          open=${state.open === field.name}
          onOpen=${hands.open}
        />
      `,
    )}
    <${File} state=${state} hands=${hands} />
    <${Tools} state=${state} hands=${hands} />
  `;
};

const Body = ({ state, hands }) => {
  if (state.error?.status === 401) {
    return html`
      <p class="notice">
        ${state.error.message} <a href="/settings">${say("ui.nav.settings")}</a>
      </p>
    `;
  }
  return html`
    ${state.error && html`<${Refusal} error=${state.error} />`}
    ${
      state.box
        ? html`<${Editor} state=${state} hands=${hands} />`
        : state.boxes && html`<${Shelf} boxes=${state.boxes} />`
    }
  `;
};

export async function start(root) {
  await Promise.all([learnLater(), loadStylesheet("style/boxes")]);
  const state = { boxes: null, box: null, error: null, open: null, notice: "", sheets: {} };
  let [clock, asked, typing] = [0, 0, null];
  const hands = { change: changed, undo, redo, save, reset, bring, show, open: (key) => change({ open: key }) };
  state.tell = (key) => change({ notice: say("ui.boxes.stated", { rule: nearest(state.box.rules, key) ?? "" }) });
  const change = alive(
    root,
    "boxes",
    state,
    () => html`<${Body} state=${state} hands=${hands} />`,
    () => state.box?.title ?? say("ui.boxes.title"),
  );

  /** Another tree of figures: looked through shortly, and kept on this device until it is saved. */
  function become(tree, more = {}) {
    const { box } = state;
    remember(box.id, same(tree, box.figures) ? null : { version: box.version, before: box.figures, figures: tree });
    change({ tree, checked: false, notice: "", ...more });
    clearTimeout(clock);
    clock = setTimeout(check, SHORTLY);
  }

  function changed(key, value) {
    const goesOn = typing === key && state.past.length > 0; // letters of one word are one step
    typing = typeof value === "object" || value === undefined ? null : key;
    const past = goesOn ? state.past : [...state.past, state.tree].slice(-MOST_STEPS);
    const tree = key ? put(state.tree, key, value) : value;
    if (!same(tree, state.tree)) become(tree, { past, future: [] });
  }

  function undo() {
    if (!state.past.length) return;
    typing = null;
    become(state.past.at(-1), { past: state.past.slice(0, -1), future: [state.tree, ...state.future] });
  }

  function redo() {
    if (!state.future.length) return;
    typing = null;
    become(state.future[0], { past: [...state.past, state.tree], future: state.future.slice(1) });
  }

  async function check() {
    const { box, tree } = state;
    const number = ++asked;
    try {
      const { doubts } = await post(`/api/owner/boxes/${box.id}/check`, { figures: tree });
      if (number === asked && tree === state.tree) change({ doubts, checked: true, notice: "" });
    } catch (error) {
      if (number !== asked) return;
      change({ notice: error.status ? error.message : say("ui.boxes.no_link") });
      clock = setTimeout(check, AGAIN);
    }
  }

  /** Whatever is written; what is told then is what somebody else has done meanwhile, or that the link is down. */
  async function write(call, body, done) {
    change({ busy: true });
    try {
      await post(`/api/owner/boxes/${state.box.id}/${call}`, { version: state.box.version, ...body });
      remember(state.box.id, null);
      await look(state.box.id, { notice: say(done) });
    } catch (error) {
      if (error.code === "stale") await look(state.box.id);
      change({ notice: error.status ? error.message : say("ui.boxes.no_link") });
    }
    change({ busy: false });
  }

  function save() {
    return write("save", { figures: state.tree }, "ui.boxes.saved");
  }

  function reset() {
    return write("reset", {}, "ui.boxes.was_reset");
  }

  async function bring({ target }) {
    const [file] = target.files;
    if (!file) return;
    const text = await file.text();
    target.value = "";
    if (text.length > LARGEST) change({ notice: say("ui.boxes.too_large") });
    else await write("import", { text }, "ui.boxes.imported");
  }

  function show(key) {
    change({ open: key.split(".")[0] });
    const ids = [...document.querySelectorAll("[id^=figure-]")].map(({ id }) => id);
    const id = `figure-${key.replaceAll(".", "-")}`;
    const found = ids.find((each) => each === id) ?? ids.find((each) => each.startsWith(`${id}-`));
    const place = document.getElementById(found ?? `section-${key.split(".")[0]}`);
    place?.scrollIntoView({ block: "center" });
    place?.focus();
  }

  /** A box as it is kept, with the draft of this device laid over it. */
  async function look(id, more = {}) {
    const box = await get(`/api/owner/boxes/${id}`);
    const sheets = await sheetsOf(id);
    const draft = remembered(id);
    const merged = draft !== null && draft.version !== box.version;
    const tree = draft ? (merged ? laidOver(draft.before, draft.figures, box.figures) : draft.figures) : box.figures;
    const open = state.box?.id === id ? state.open : null;
    change({
      box,
      sheets,
      tree,
      past: [],
      future: [],
      doubts: box.doubts,
      checked: !draft,
      merged,
      open,
      error: null,
      ...more,
    });
    if (draft) become(tree);
    document.title = `${box.title} · Digside`;
  }

  async function sheetsOf(id) {
    if (!isThere(`/static/boards/${id}/figures.js`)) return {};
    const module = await import(`../boards/${id}/figures.js`);
    await module.ready?.();
    return module.sheets;
  }

  async function arrive() {
    const id = decodeURIComponent(location.hash.slice(1));
    clearTimeout(clock);
    try {
      const { boxes } = await get("/api/owner/boxes");
      change({ boxes, box: null, notice: "", error: null });
      if (boxes.some((each) => each.id === id)) await look(id);
    } catch (error) {
      change({ error });
      if (!error.status) clock = setTimeout(arrive, AGAIN);
    }
  }

  addEventListener("hashchange", arrive);
  addEventListener("keydown", (event) => {
    if (!state.box || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const what = { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()];
    if (!what) return;
    event.preventDefault();
    what();
  });
  await arrive();
}
