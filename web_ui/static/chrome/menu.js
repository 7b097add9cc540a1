// The table's menu: where else one can go from it, and, for the host, its end.
import { Component, html } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater } from "../words.js";
import { Call } from "./call.js";
import { Dialog } from "./dialog.js";
import { Plays } from "./plays.js";
import { Twice } from "./press.js";
import { MenuStop } from "./stop.js";
import { Turning } from "./turn.js";

await loadStylesheet("style/sheets");

const Way = ({ to, children }) => html`
  <li>
    <a class="button" href=${to}>
      ${children}
    </a>
  </li>
`;

/** @param plugin the box's board: what is seldom done there. */
export const Menu = ({ view, act, plugin, onClose }) => html`
  <${Dialog} title=${act.say("ui.nav.menu")} onClose=${onClose}>
    <${MenuStop} rig=${act.rig} view=${view} act=${act} lifts=${plugin.shovel} onDone=${onClose} />
    <ul class="menu-ways">
      <${Way} to=${`/luck/${view.table}`}>${act.say("ui.nav.luck")}<//>
      <${Way} to=${`/replay/${view.table}`}>${act.say("ui.nav.replay")}<//>
      <${Way} to=${`/tv/${view.table}`}>${act.say("ui.nav.tv")}<//>
      <${Way} to="/">${act.say("ui.nav.home")}<//>
      <${Way} to="/past">${act.say("ui.nav.past")}<//>
      <${Way} to="/help">${act.say("ui.nav.manual")}<//>
      <${Way} to="/settings">${act.say("ui.nav.settings")}<//>
    </ul>
    ${plugin.menu?.(view, act, onClose)}
    ${act.role !== "spectator" && !view.over && html`<${Plays} view=${view} act=${act} />`}
    ${act.role !== "spectator" && !view.over && html`<${Call} table=${view.table} />`}
    ${!act.hosts && !view.settled && html`<${OwnerHosts} act=${act} onClose=${onClose} />`}
    <${Turning} view=${view} act=${act} onClose=${onClose} />
    ${act.hosts && !view.settled && html`<${End} view=${view} act=${act} onClose=${onClose} />`}
  <//>
`;

/** The owner may take the table over at any time. */
class OwnerHosts extends Component {
  componentDidMount() {
    Promise.all([get("/api/owner"), learnLater()]).then(
      ([{ owner }]) => this.setState({ owner }),
      () => {}, // who cannot be asked whose device this is offers nothing
    );
  }

  render({ act, onClose }, { owner }) {
    if (!owner) return null;
    const take = () => {
      act.host({ do: "take" });
      onClose();
    };
    return html`
      <section class="menu-end">
        <p>${act.say("evening.host.take_how")}</p>
        <${Twice} can=${act.live} sure=${act.say("ui.join.sure")} onPress=${take}>${act.say("evening.host.take")}<//>
      </section>
    `;
  }
}

const End = ({ view, act, onClose }) => html`
  <section class="menu-end">
    <p>${act.say(view.over ? "evening.hinge.close_how" : "ui.mend.end_how")}</p>
    <${Twice}
      look="danger"
      can=${act.ready}
      sure=${act.say("ui.mend.end_sure")}
      onPress=${() => {
        act.close();
        onClose();
      }}
    >
      ${act.say("ui.mend.end")}
    <//>
  </section>
`;
