// Codes to point a phone at: one for each seat, one for whoever only wants to look on, and, if asked for, the host's
// own.
import { Component, html } from "../html.js";
import { wear } from "../sheets.js";
import { post } from "../api.js";
import { Dialog } from "./dialog.js";
import { Twice } from "./press.js";
import { SeatSign } from "../pieces/marker.js";

await wear("style/sheets");

const HERE_ONLY = /^(localhost|127\..*|\[::1\])$/; // an address that no other device can open

/** A code for an address; it is drawn anew when the service is found at another. */
class Code extends Component {
  anew = ({ detail }) => this.setState({ moved: detail });

  componentDidMount() {
    addEventListener("digside-moved", this.anew);
  }

  componentWillUnmount() {
    removeEventListener("digside-moved", this.anew);
  }

  render({ view, who, label }, { moved }) {
    const file = `/api/tables/${view.table}/qr/${who}.svg`;
    return html`
      <img
        class="code"
        src=${moved ? `${file}?moved=${moved}` : file}
        alt=${label}
        width="180"
        height="180"
        loading="lazy"
      />
    `;
  }
}

/** The code that hands over the whole table stays hidden until two presses ask for it, and goes with the sheet. */
class HostCode extends Component {
  show = () => this.setState({ shown: true });

  render({ view, say }, { shown }) {
    return html`
      <section class="host-code" aria-live="polite">
        ${
          shown
            ? html`
              <${Code} view=${view} who="host" label=${say("ui.join.host_code")} />
              <p>${say("ui.join.host_how")}</p>
            `
            : html`
              <${Twice} look="quiet" sure=${say("ui.join.host_sure")} onPress=${this.show}>
                ${say("ui.join.host")}
              <//>
            `
        }
      </section>
    `;
  }
}

/** A code in letters to type, as soon as it is there. */
const Typed = ({ code }) => html`<b class="typed-code">${code?.toUpperCase() ?? "…"}</b>`;

export class Join extends Component {
  componentDidMount() {
    post(`/api/tables/${this.props.view.table}/codes`, {}).then(
      ({ codes }) => this.setState({ codes }),
      () => {}, // the drawn codes go on working
    );
  }

  render({ view, act: { say }, onClose }, { codes }) {
    return html`
      <${Dialog} title=${say("ui.join.title")} onClose=${onClose} look="sheet wide">
        <p>${say("ui.join.how")}</p>
        <p>${say("ui.join.type", { address: location.host })}</p>
        <ul class="codes">
          ${view.seats.map(
            (seat, i) => html`
              <li key=${i}>
                <${Code} view=${view} who=${i} label=${say("ui.join.code", { name: seat.name })} />
                <p>
                  <${SeatSign} seat=${seat} /> ${seat.name}
                </p>
                <${Typed} code=${codes?.[i]} />
              </li>
            `,
          )}
          <li>
            <${Code} view=${view} who="spectator" label=${say("ui.join.code_look")} />
            <p>${say("ui.join.look")}</p>
          </li>
        </ul>
        ${
          HERE_ONLY.test(location.hostname) ||
          html`
            <p class="address">
              ${location.origin}/table/${view.table}
            </p>
          `
        }
        <${HostCode} view=${view} say=${say} />
      <//>
    `;
  }
}
