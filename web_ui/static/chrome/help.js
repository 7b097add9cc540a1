// The keys that save a reach, how the table is used, and what Digside rules where the rulebook of the box is silent.
import { Component, html } from "../html.js";
import { get } from "../api.js";
import { Dialog } from "./dialog.js";

const KEYS = [
  ["ui.key.space", "ui.help.space"],
  ["U", "ui.help.undo"],
  ["R", "ui.help.redo"],
  ["1–6", "ui.help.seat"],
  ["?", "ui.help.help"],
];

export class Help extends Component {
  state = { rulings: [] };

  componentDidMount() {
    const { view } = this.props;
    if (view.mode !== "referee") return;
    get("/api/boxes").then(
      ({ boxes }) => this.setState({ rulings: boxes.find((box) => box.id === view.box)?.rulings ?? [] }),
      () => {}, // the help helps without them
    );
  }

  render({ act, onClose }, { rulings }) {
    return html`
      <${Dialog} title=${act.say("ui.help.title")} onClose=${onClose}>
        <p>${act.say("ui.help.table")}</p>
        <dl class="keys">
          ${KEYS.map(
            ([key, does]) => html`
              <div key=${key}>
                <dt>
                  <kbd>${key.includes(".") ? act.say(key) : key}</kbd>
                </dt>
                <dd>${act.say(does)}</dd>
              </div>
            `,
          )}
        </dl>
        <p>${act.say("ui.help.house")}</p>
        ${
          rulings.length > 0 &&
          html`
            <h3>${act.say("ui.help.rulings")}</h3>
            <ul class="rulings">
              ${rulings.map(
                ({ rule, said }) => html`
                  <li key=${rule}>
                    ${said} <small>${rule}</small>
                  </li>
                `,
              )}
            </ul>
          `
        }
      <//>
    `;
  }
}
