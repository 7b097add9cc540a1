// A call for whoever looks after the tables of the house: made by those who sit here, once, and taken back by them.
import { Component, html } from "../html.js";
import { get, post } from "../api.js";
import { say } from "../words.js";
import { Refusal } from "./frame.js";
import { Button } from "./press.js";

const LOOK = 3000; // somebody else at the table, or the host of the house, may take it back

export class Call extends Component {
  state = { at: undefined, error: null };

  componentDidMount() {
    this.ask(get);
    this.looking = setInterval(() => this.ask(get), LOOK);
  }

  componentWillUnmount() {
    clearInterval(this.looking);
  }

  async ask(how, body) {
    try {
      const { at } = await how(`/api/tables/${this.props.table}/call`, body);
      this.setState({ at, error: null });
    } catch (error) {
      if (body) this.setState({ error });
    }
  }

  render(_, { at, error }) {
    const called = typeof at === "number";
    const both = ["how", "called"].map((each) => say(`evening.call.${each}`));
    return html`
      <section class="menu-end" aria-label=${say("evening.call.title")}>
        <div class="either">
          <p role="status">${both[Number(called)]}</p>
          <p aria-hidden="true">${both[Number(!called)]}</p>
        </div>
        <${Button}
          look=${called ? "quiet" : undefined}
          can=${at !== undefined}
          onPress=${() => this.ask(post, { wanted: !called })}
        >
          ${say(called ? "evening.call.take_back" : "evening.call.call")}
        <//>
        <${Refusal} error=${error} />
      </section>
    `;
  }
}
