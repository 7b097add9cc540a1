// Help: what can be done now, the rules of the game with their lessons, the manual, what the signs on the board mean,
// and the keys that save a reach.
import { Component, html, classes } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { Dialog } from "./dialog.js";
import { Possible } from "./possible.js";
import { Button } from "./press.js";
import { forChild, setChild, teaches, wants } from "./taught.js";

await Promise.all([loadStylesheet("style/sheets"), loadStylesheet("style/teach")]);

const KEYS = [
  ["ui.key.space", "ui.help.space"],
  ["U", "ui.help.undo"],
  ["R", "ui.help.redo"],
  ["1–6", "ui.help.seat"],
  ["?", "ui.help.help"],
];

/** Letters as one types them in a hurry: small, and without their marks. */
const plainly = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Whether all the words that are searched are in a text. */
function finder(searched) {
  const words = plainly(searched).split(/\s+/).filter(Boolean);
  return (text) => {
    const plain = plainly(text);
    return words.every((word) => plain.includes(word));
  };
}

/** The headings with those of their rules in which all words are found; all of them where nothing is searched. */
function found(headings, searched) {
  const has = finder(searched);
  const fits = ({ id, said, ruling, lesson }) =>
    has(`${id} ${said} ${ruling ?? ""} ${lesson?.said ?? ""} ${lesson?.why ?? ""}`);
  return headings
    .map(({ title, rules }) => ({ title, rules: rules.filter(fits) }))
    .filter(({ rules }) => rules.length > 0);
}

function RuleSaid({ id, said, ruling, lesson, act, sought }) {
  return html`
    <li id=${`rule-${id}`} class=${classes("rule", sought && "sought")} tabindex="-1">
      <p>${said} <small>${id}</small></p>
      ${
        lesson &&
        html`<p class="in-short"><b>${act.say("evening.teach.in_short")}:</b> ${lesson.said} ${lesson.why}</p>`
      }
      ${
        ruling &&
        html`
          <p class="ruling">
            <span class="house">${act.say("ui.rules.ruling")}</span> ${ruling}
          </p>
        `
      }
    </li>
  `;
}

/** What the manual says with all words that are searched; nothing where none is. */
function Manual({ passages, searched, act }) {
  const has = finder(searched);
  const shown = searched.trim() ? passages.filter(({ title, text }) => has(`${title} ${text}`)) : [];
  if (shown.length === 0) return null;
  return html`
    <section class="heading">
      <h3>${act.say("evening.teach.manual")}</h3>
      <ul class="rules">
        ${shown.map(
          ({ page, title, text }) => html`
            <li key=${text} class="rule"><p><a href=${page}>${title}</a> ${text}</p></li>
          `,
        )}
      </ul>
    </section>
  `;
}

/** Every rule under its heading, to be searched, and the manual with it. */
class Rules extends Component {
  state = { headings: null, passages: [], failed: false, searched: "" };

  /** The manual is fetched once somebody searches. */
  search = (searched) => {
    this.setState({ searched });
    if (this.asked) return;
    this.asked = true;
    get("/api/manual").then(
      ({ passages }) => this.setState({ passages }),
      () => {
        this.asked = false;
      },
    );
  };

  componentDidMount() {
    this.props.act.rulebook().then(
      (headings) => this.setState({ headings }),
      () => this.setState({ failed: true }),
    );
  }

  componentDidUpdate({ sought }, { headings }) {
    if (sought !== this.props.sought || headings !== this.state.headings) this.show();
  }

  /** Brings the rule that was asked for under the eyes. */
  show() {
    const line = this.props.sought && document.getElementById(`rule-${this.props.sought}`);
    if (!line) return;
    line.scrollIntoView({ block: "center" });
    line.focus({ preventScroll: true });
  }

  render({ act, sought }, { headings, passages, failed, searched }) {
    if (failed) return html`<p class="refusal" role="alert">${act.say("ui.link.unsent")}</p>`;
    if (!headings) return null;
    const shown = found(headings, searched);
    return html`
      <label class="field search">
        <span>${act.say("evening.teach.search")}</span>
        <input
          type="search"
          autocomplete="off"
          value=${searched}
          onInput=${(event) => this.search(event.target.value)}
        />
      </label>
      <${Manual} passages=${passages} searched=${searched} act=${act} />
      ${shown.length === 0 && html`<p class="hint" role="status">${act.say("ui.rules.none")}</p>`}
      ${shown.map(
        ({ title, rules }) => html`
          <section key=${title} class="heading">
            <h3>${title}</h3>
            <ul class="rules">
              ${rules.map(
                (each) => html`
                  <${RuleSaid} key=${each.id} ...${each} act=${act} sought=${each.id === sought} />
                `,
              )}
            </ul>
          </section>
        `,
      )}
    `;
  }
}

/** What the signs on the board mean: each as it is drawn there, and a sentence. */
const Legend = ({ signs, act }) => html`
  <details class="legend">
    <summary>${act.say("ui.help.legend")}</summary>
    <dl>
      ${signs.map(
        ([key, sign, meaning]) => html`
          <div key=${key}>
            <dt aria-hidden="true">${sign}</dt>
            <dd>${meaning}</dd>
          </div>
        `,
      )}
    </dl>
  </details>
`;

const Keys = ({ act }) => html`
  <details class="keys-help">
    <summary>${act.say("ui.help.keys")}</summary>
    <dl class="keys">
      ${KEYS.map(
        ([key, does]) => html`
          <div key=${key}>
            <dt><kbd>${key.includes(".") ? act.say(key) : key}</kbd></dt>
            <dd>${act.say(does)}</dd>
          </div>
        `,
      )}
    </dl>
  </details>
`;

/** Whether lessons are told on this device, and for whom. What a press has changed is said beneath it. */
class Teaching extends Component {
  state = { said: "" };

  turn = (wanted) => {
    const { view, act } = this.props;
    wants(view.box, wanted);
    act.set({ taught: wanted || act.get("taught", false) });
    const again = act.say("evening.teach.again");
    const said = wanted ? act.say("evening.teach.again_now") : act.say("evening.teach.quiet_now", { again });
    this.setState({ said });
  };

  render({ view, act }, { said }) {
    const on = teaches(view);
    // A bot is no child: while one is asked it is about the first person.
    const isPerson = ({ kind }) => (kind ?? "person") === "person";
    const seat = isPerson(view.seats[act.seat]) ? act.seat : Math.max(0, view.seats.findIndex(isPerson));
    const child = forChild(view.table, seat);
    const { name } = view.seats[seat];
    return html`
      <p>
        <${Button} onPress=${() => this.turn(!on)}>
          ${act.say(on ? "evening.teach.quiet" : "evening.teach.again")}
        <//>${" "}
        <${Button}
          pressed=${child}
          onPress=${() => {
            setChild(view.table, seat, !child);
            if (act.role === "host") act.allowHints(seat, child ? "none" : "free");
            act.set({ taught: true });
            this.setState({});
          }}
        >
          ${act.say(child ? "evening.teach.child_off" : "evening.teach.child", { name })}
        <//>
      </p>
      <p class="hint" role="status">${said}</p>
    `;
  }
}

/** The signs of the first time, once more. */
async function tour(view, onClose) {
  onClose();
  (await import("./tour.js")).begin(view);
}

/** @param legend lists the signs on the board as `[key, sign, meaning]`, once it is here. */
export function Help({ view, act, legend, onClose }) {
  const signs = legend?.(view, act) ?? [];
  return html`
    <${Dialog} look="sheet wide help-sheet" title=${act.say("ui.help.title")} onClose=${onClose}>
      <${Possible} view=${view} act=${act} />
      ${view.mode === "referee" && html`<${Teaching} view=${view} act=${act} />`}
      <p>${act.say(view.mode === "toolbox" ? "ui.help.table" : "ui.help.referee")}</p>
      ${signs.length > 0 && html`<${Legend} signs=${signs} act=${act} />`}
      <${Keys} act=${act} />
      <p class="hint">${act.say("ui.help.house")}</p>
      <p>
        <a class="button" href="/help">${act.say("ui.nav.manual")}</a>${" "}
        <a class="button" href=${`/booklet/${view.box}?seats=${view.seats.length}`}>
          ${act.say("evening.teach.booklet")}
        </a>${" "}
        <${Button} onPress=${() => tour(view, onClose)}>${act.say("ui.help.tour")}<//>
      </p>
      <${Rules} act=${act} sought=${act.get("rule", null)} />
    <//>
  `;
}
