// For a child whose turn it is: two or three good moves as large buttons, each read aloud; a press makes the move.
import { Component, html } from "../html.js";
import { get } from "../api.js";
import { say } from "../words.js";
import { lineSaid } from "./log.js";
import { Button } from "./press.js";
import { speak } from "./voice.js";

const LOOK = 500; // milliseconds until it is looked again whether they are known
const MOST = 3;

export class GoodMoves extends Component {
  state = { moves: null, at: null };

  componentDidMount() {
    this.ask();
  }

  componentDidUpdate({ view }) {
    if (view.played !== this.props.view.played) this.ask();
  }

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  /** Asks once for each turn, where the host allows this seat hints. */
  async ask() {
    const { view, act } = this.props;
    clearTimeout(this.clock);
    this.setState({ moves: null });
    if (!act.can || view.seats[act.seat].hints === "none") return;
    if (await act.askHint()) this.look();
  }

  look = async () => {
    const { view, act } = this.props;
    const eyes = act.role === "host" ? `?seat=${act.seat}` : "";
    const answer = await get(`/api/tables/${view.table}/hint${eyes}`).catch(() => null);
    if (answer?.ready) this.setState({ moves: answer.moves.slice(0, MOST) });
    else if (answer) this.clock = setTimeout(this.look, LOOK);
  };

  render({ view, act }, { moves }) {
    if (!moves?.length || !act.can) return null;
    const textOf = (move) => lineSaid(view, { kind: "move", by: "seat", seat: act.seat, what: move.told });
    return html`
      <section class="good-moves" aria-label=${say("evening.teach.good")}>
        <h3>${say("evening.teach.good")}</h3>
        ${moves.map(
          (move, nth) => html`
            <p key=${nth}>
              <${Button} look="main" onPress=${() => act.move(move.move)}>${textOf(move)}<//>
              <${Button} look="round" label=${say("evening.teach.aloud")} onPress=${() => speak(textOf(move))}>♪<//>
            </p>
          `,
        )}
      </section>
    `;
  }
}
