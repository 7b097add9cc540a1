// A sheet over the page, on the browser's own dialog: it keeps the focus inside and gives it back. What lies under it
// cannot be pressed, so where the page has a STOP the sheet has one too.
import { Component, html } from "../html.js";
import { say } from "../words.js";
import { BigStop } from "./big_stop.js";
import { Button } from "./press.js";
import { loadStylesheet } from "../stylesheets.js";

await loadStylesheet("style/dialog", { beneath: true });

const SECOND = 700; // milliseconds in which a second tap follows the one that opened it

export class Dialog extends Component {
  componentDidMount() {
    this.opened = performance.now();
    this.setState({ stop: document.querySelector(".big-stop:not(dialog .big-stop)") !== null });
    this.base.showModal();
  }

  outside = (event) => event.target === this.base && performance.now() - this.opened > SECOND && this.props.onClose();

  render({ title, children, onClose, look }, { stop }) {
    return html`
      <dialog class=${look ?? "sheet"} aria-label=${title} onCancel=${onClose} onClick=${this.outside}>
        <div class="sheet-inside">
          <header>
            <h2>${title}</h2>
            ${stop && html`<${BigStop} />`}
            <${Button} look="round" label=${say("ui.close")} onPress=${onClose}>
              ×
            <//>
          </header>
          ${children}
        </div>
      </dialog>
    `;
  }
}
