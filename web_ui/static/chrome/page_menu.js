// The menu of a page that is no table's, where a shovel is attached: its STOP, and where else one can go.
import { Component, html, render } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { say } from "../words.js";
import { Glyph } from "./bar.js";
import { Dialog } from "./dialog.js";
import { Button } from "./press.js";
import { StopInMenu } from "./stop.js";

const WAYS = [
  ["home", "/"],
  ["past", "/past"],
  ["rig", "/rig"],
  ["manual", "/help"],
  ["settings", "/settings"],
];

class PageMenu extends Component {
  componentDidMount() {
    addEventListener("languagechange", () => this.setState({}));
  }

  open = () => this.setState({ open: true });
  close = () => this.setState({ open: false });

  render(_, { open }) {
    return html`
      <${Button} look="round" label=${say("ui.nav.menu")} onPress=${this.open}><${Glyph} sign="menu" /><//>
      ${
        open &&
        html`
          <${Dialog} title=${say("ui.nav.menu")} onClose=${this.close}>
            <${StopInMenu} />
            <ul class="menu-ways">
              ${WAYS.map(
                ([place, to]) => html`
                  <li key=${place}><a class="button" href=${to}>${say(`ui.nav.${place}`)}</a></li>
                `,
              )}
            </ul>
          <//>
        `
      }
    `;
  }
}

/** Lays the menu in the corner of a page, where a shovel is attached. */
export async function start() {
  const { shovel } = await get("/api/rig");
  if (!shovel) return;
  await Promise.all([loadStylesheet("style/stop"), loadStylesheet("style/sheets")]);
  const corner = document.createElement("div");
  corner.className = "menu-corner";
  document.body.append(corner);
  document.body.classList.add("cornered");
  render(html`<${PageMenu} />`, corner);
}
