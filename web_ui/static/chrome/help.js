// Help: the rules of the game by headings, what the signs on the board mean, and the keys that save a reach.
import { Component, html, classes } from "../html.js";
import { wear } from "../sheets.js";
import { Dialog } from "./dialog.js";

await wear("style/sheets");

const KEYS = [
  ["ui.key.space", "ui.help.space"],
  ["U", "ui.help.undo"],
  ["R", "ui.help.redo"],
  ["1–6", "ui.help.seat"],
  ["?", "ui.help.help"],
];

/** Letters as one types them in a hurry: small, and without their marks. */
const plainly = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** The headings with those of their rules in which all words are found; all of them where nothing is searched. */
function found(headings, searched) {
  const words = plainly(searched).split(/\s+/).filter(Boolean);
  const fits = ({ id, said, ruling }) => {
    const text = plainly(`${id} ${said} ${ruling ?? ""}`);
    return words.every((word) => text.includes(word));
  };
  return headings
    .map(({ title, rules }) => ({ title, rules: rules.filter(fits) }))
    .filter(({ rules }) => rules.length > 0);
}

function RuleSaid({ id, said, ruling, act, sought }) {
  return html`
    <li id=${`rule-${id}`} class=${classes("rule", sought && "sought")} tabindex="-1">
      <p>${said} <small>${id}</small></p>
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

/** Every rule under its heading, to be searched. */
class Rules extends Component {
  state = { headings: null, failed: false, searched: "" };

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

  render({ act, sought }, { headings, failed, searched }) {
    if (failed) return html`<p class="refusal" role="alert">${act.say("ui.link.unsent")}</p>`;
    if (!headings) return null;
    const shown = found(headings, searched);
    return html`
      <label class="field search">
        <span>${act.say("ui.rules.search")}</span>
        <input
          type="search"
          autocomplete="off"
          value=${searched}
          onInput=${(event) => this.setState({ searched: event.target.value })}
        />
      </label>
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

/** @param plug the box's board: its `legend(view, act)` lists the signs on it as `[key, sign, meaning]`. */
export function Help({ view, act, plug, onClose }) {
  const signs = plug.legend?.(view, act) ?? [];
  return html`
    <${Dialog} look="sheet wide help-sheet" title=${act.say("ui.help.title")} onClose=${onClose}>
      <p>${act.say(view.mode === "toolbox" ? "ui.help.table" : "ui.help.referee")}</p>
      ${signs.length > 0 && html`<${Legend} signs=${signs} act=${act} />`}
      <${Keys} act=${act} />
      <p class="hint">${act.say("ui.help.house")}</p>
      <p><a class="button" href="/help">${act.say("ui.nav.manual")}</a></p>
      <${Rules} act=${act} sought=${act.get("rule", null)} />
    <//>
  `;
}
