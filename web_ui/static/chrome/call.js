// A call for whoever looks after the tables of the house: made by those who sit here, once, and taken back by them.
import { Component, html } from "../html.js";
import { get, post } from "../api.js";
import { known, learnLater, say } from "../words.js";
import { Refusal } from "./frame.js";
import { Button } from "./press.js";

const LOOK = 3000; // somebody else at the table, or the host of the house, may take it back

export class Part extends Component {
  state = { at: undefined, error: null };

  async componentDidMount() {
    if (!known("evening.call.call")) await learnLater();
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
    if (at === undefined) return null;
    return html`
      <section class="menu-end" aria-label=${say("evening.call.title")}>
        <p role="status">${say(at === null ? "evening.call.how" : "evening.call.called")}</p>
        <${Button} look=${at === null ? undefined : "quiet"} onPress=${() => this.ask(post, { wanted: at === null })}>
          ${say(at === null ? "evening.call.call" : "evening.call.take_back")}
        <//>
        <${Refusal} error=${error} />
      </section>
    `;
  }
}
