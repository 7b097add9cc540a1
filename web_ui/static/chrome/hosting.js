// Who is the host, where that is a question: its device is silent, or somebody asks to be it. All at the table see it.
import { Component, html } from "../html.js";
import { learnLater, say } from "../words.js";
import { Button } from "./press.js";

await learnLater();

const TICK = 1000;

/** Seconds until somebody who is alone is the host, by this screen's own clock. */
const left = ({ at, alone_ms: alone }) => Math.max(0, Math.ceil((at + alone - Date.now()) / 1000));

const Said = ({ children }) => html`<p class="hosting-said" role="status">${children}</p>`;

/** Nobody has asked yet. */
const Silent = ({ act }) => html`
  <${Said}>${say("evening.host.silent")}<//>
  ${
    act.role === "seat" &&
    html`
      <${Button} look="quiet" can=${act.ready} onPress=${() => act.host({ do: "want" })}>
        ${say("evening.host.want")}
      <//>
    `
  }
`;

/** Somebody else asks. */
const Asked = ({ view, act }) => html`
  <${Said}>${say("evening.host.asked", { name: view.seats[view.host.asked.seat].name })}<//>
  ${
    act.role === "seat" &&
    html`
      <div class="hosting-tools">
        <${Button} look="quiet" can=${act.ready} onPress=${() => act.host({ do: "keep" })}>${say("evening.host.no")}<//>
        <${Button}
          look="main"
          can=${act.ready && !view.host.asked.agreed.includes(act.seat)}
          onPress=${() => act.host({ do: "want" })}
        >
          ${say("evening.host.agree")}
        <//>
      </div>
    `
  }
`;

/** This screen asks: it counts down where all can see it, and asks again once it may be alone. */
class Waits extends Component {
  state = { n: left(this.props.view.host.asked), again: false };

  componentDidMount() {
    this.clock = setInterval(this.tick, TICK);
  }

  componentWillUnmount() {
    clearInterval(this.clock);
  }

  tick = () => {
    const { view, act } = this.props;
    const n = left(view.host.asked);
    this.setState({ n });
    if (n === 0 && !this.state.again && act.ready) {
      this.setState({ again: true });
      act.host({ do: "want" });
    }
  };

  render({ act }, { n }) {
    return html`
      <${Said}>${n > 0 ? say("evening.host.waiting", { n }) : say("evening.host.others")}<//>
      <${Button} look="quiet" can=${act.ready} onPress=${() => act.host({ do: "keep" })}>
        ${say("evening.host.cancel")}
      <//>
    `;
  }
}

export function Part({ view, act }) {
  const { asked } = view.host;
  const own = asked && view.me.role === "seat" && asked.seat === view.me.seat;
  const Face = own ? Waits : asked ? Asked : Silent;
  return html`<section class="hosting"><${Face} key=${asked?.at} view=${view} act=${act} /></section>`;
}
