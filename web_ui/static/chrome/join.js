// Who sits at the table: one code for everybody in the room, each seat with whoever came, and what may be put right.
import { Component, html } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { post } from "../api.js";
import { Glyph } from "./bar.js";
import { Dialog } from "./dialog.js";
import { Refused } from "./choosing.js";
import { Button, Twice } from "./press.js";
import { SeatSign } from "../pieces/marker.js";

await loadStylesheet("style/sheets");

const HERE_ONLY = /^(localhost|127\..*|\[::1\])$/; // an address that no other device can open
const LONGEST_NAME = 24;

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

/** A code in letters to type, as soon as it is there. */
const Typed = ({ code }) => html`<b class="typed-code">${code?.toUpperCase() ?? "…"}</b>`;

/** The one code of the table. */
class Room extends Component {
  componentDidMount() {
    post(`/api/tables/${this.props.view.table}/room`, {}).then(
      ({ code }) => this.setState({ code }),
      () => {}, // the drawn code goes on working
    );
  }

  render({ view, say }, { code }) {
    return html`
      <section class="room">
        <${Code} view=${view} who="room" label=${say("ui.join.room_code")} />
        <div>
          <p>${say("ui.join.room")}</p>
          <${Typed} code=${code} />
          <p class="caption">${say("ui.join.room_type", { address: location.host })}</p>
        </div>
      </section>
    `;
  }
}

/** A name that is being changed. */
class Rename extends Component {
  state = { name: this.props.seat.name };

  keep = (event) => {
    event.preventDefault();
    const name = this.state.name.trim();
    if (name && name !== this.props.seat.name) this.props.onKeep(name);
    this.props.onEnd();
  };

  render({ seat, say }, { name }) {
    return html`
      <form class="rename" onSubmit=${this.keep}>
        <input
          type="text"
          maxlength=${LONGEST_NAME}
          autocomplete="off"
          aria-label=${say("ui.join.rename", { name: seat.name })}
          value=${name}
          onInput=${(event) => this.setState({ name: event.target.value })}
        />
        <button type="submit" class="button">${say("ui.join.named")}</button>
      </form>
    `;
  }
}

/** A seat with whoever sits there, and what this screen may do about it. */
class SeatRow extends Component {
  end = () => this.setState({ renames: false });

  render({ view, act, at }, { renames }) {
    const { say } = act;
    const [seat, own, hosts] = [view.seats[at], view.me.seat === at, act.hosts];
    const isHost = view.host.seat === at;
    const may = act.ready && !view.settled;
    const reseat = (doing, more) => act.reseat({ do: doing, seat: at, ...more });
    const how = [
      isHost && say("ui.join.hosts"),
      seat.kind === "person" && say(seat.taken ? "ui.join.here" : "ui.join.free"),
    ];
    return html`
      <li class="sitting">
        <p class="sitting-who">
          <${SeatSign} seat=${seat} size=${30} />
          <span><b>${seat.name}</b> <small>${how.filter(Boolean).join(" · ")}</small></span>
        </p>
        ${
          renames
            ? html`<${Rename} seat=${seat} say=${say} onEnd=${this.end} onKeep=${(name) => reseat("name", { name })} />`
            : html`
              <div class="sitting-tools">
                ${
                  hosts &&
                  !seat.taken &&
                  view.me.seat === null &&
                  !view.host.owner &&
                  html`
                    <${Button} look="quiet" can=${may} onPress=${() => act.sitHere(at)}>
                      ${say("ui.join.sit_here")}
                    <//>
                  `
                }
                ${
                  (hosts || own) &&
                  html`
                    <${Button}
                      look="quiet"
                      can=${may}
                      label=${say("ui.join.rename", { name: seat.name })}
                      onPress=${() => this.setState({ renames: true })}
                    >
                      <${Glyph} sign="pen" />
                    <//>
                  `
                }
                ${
                  (hosts || own) &&
                  seat.taken &&
                  !isHost &&
                  html`
                    <${Twice} look="quiet" can=${may} sure=${say("ui.join.sure")} onPress=${() => reseat("free")}>
                      ${say(own ? "ui.join.hand_on" : "ui.join.make_free")}
                    <//>
                  `
                }
                ${
                  hosts &&
                  seat.taken &&
                  !isHost &&
                  html`
                    <${Twice}
                      look="quiet"
                      can=${may}
                      sure=${say("ui.join.sure")}
                      onPress=${() => act.host({ do: "pass", seat: at })}
                    >
                      ${say("ui.join.make_host")}
                    <//>
                  `
                }
                ${
                  hosts &&
                  !view.begun &&
                  !isHost &&
                  html`
                    <${Twice} look="quiet" can=${may} sure=${say("ui.join.sure")} onPress=${() => reseat("leave")}>
                      ${say("ui.join.remove")}
                    <//>
                  `
                }
              </div>
            `
        }
      </li>
    `;
  }
}

const Seats = ({ view, act }) => html`
  <section aria-label=${act.say("ui.join.seats")}>
    <h3>${act.say("ui.join.seats")}</h3>
    <ul class="sittings">
      ${view.seats.map((_, at) => html`<${SeatRow} key=${at} view=${view} act=${act} at=${at} />`)}
    </ul>
    ${
      act.hosts &&
      !view.begun &&
      html`
        <${Button} look="quiet" can=${act.ready} onPress=${() => act.reseat({ do: "add", name: nextName(view, act) })}>
          + ${act.say("ui.join.add")}
        <//>
      `
    }
    ${
      act.hosts &&
      (view.host.owner || view.stirs_as !== "host") &&
      html`
        <${Twice}
          look="quiet"
          can=${act.ready}
          sure=${act.say("ui.join.sure")}
          onPress=${() => act.host({ do: "pass" })}
        >
          ${act.say("ui.join.give_back")}
        <//>
      `
    }
    <${Refused} act=${act} />
  </section>
`;

/** What a seat is called until somebody types a name: as none is yet. */
function nextName(view, act) {
  const names = view.seats.map(({ name }) => name);
  let n = names.length + 1;
  while (names.includes(act.say("ui.seats.nameless", { n }))) n++;
  return act.say("ui.seats.nameless", { n });
}

/** The codes of single seats, one to look on with, and the host's own; fetched once somebody wants them. */
class Single extends Component {
  open = ({ currentTarget }) => {
    if (!currentTarget.open || this.state.open) return;
    this.setState({ open: true });
    post(`/api/tables/${this.props.view.table}/codes`, {}).then(
      ({ codes }) => this.setState({ codes }),
      () => {}, // the drawn codes go on working
    );
  };

  render({ view, say }, { open, codes }) {
    return html`
      <details class="single-codes" onToggle=${this.open}>
        <summary>${say("ui.join.more")}</summary>
        ${
          open &&
          html`
            <p>${say("ui.join.how")}</p>
            <ul class="codes">
              ${view.seats.map(
                (seat, i) => html`
                  <li key=${i}>
                    <${Code} view=${view} who=${i} label=${say("ui.join.code", { name: seat.name })} />
                    <p><${SeatSign} seat=${seat} /> ${seat.name}</p>
                    <${Typed} code=${codes?.[i]} />
                  </li>
                `,
              )}
              <li>
                <${Code} view=${view} who="spectator" label=${say("ui.join.code_look")} />
                <p>${say("ui.join.look")}</p>
              </li>
            </ul>
            <${HostCode} view=${view} say=${say} />
          `
        }
      </details>
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

export const Join = ({ view, act, onClose }) => html`
  <${Dialog} title=${act.say("ui.join.title")} onClose=${onClose} look="sheet wide">
    <${Room} view=${view} say=${act.say} />
    <${Seats} view=${view} act=${act} />
    ${HERE_ONLY.test(location.hostname) || html`<p class="address">${location.origin}/table/${view.table}</p>`}
    ${act.hosts && html`<${Single} view=${view} say=${act.say} />`}
  <//>
`;
