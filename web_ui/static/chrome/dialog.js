// A sheet over the page, on the browser's own dialog: it keeps the focus inside and gives it back.
import { Component, html } from "../html.js";
import { say } from "../words.js";
import { Button } from "./press.js";

export class Dialog extends Component {
  componentDidMount() {
    this.base.showModal();
  }

  outside = (event) => event.target === this.base && this.props.onClose();

  render({ title, children, onClose, look }) {
    return html`<dialog class=${look ?? "sheet"} aria-label=${title} onCancel=${onClose} onClick=${this.outside}>
      <div class="sheet-inside">
        <header><h2>${title}</h2><${Button} look="round" label=${say("ui.close")} onPress=${onClose}>×<//></header>
        ${children}
      </div>
    </dialog>`;
  }
}
