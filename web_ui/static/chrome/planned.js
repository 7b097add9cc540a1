// The weeks of a move that is planned, for the time track of light beside the table. What a phone plans is its own.
import { Component } from "../html.js";

const STILL_MS = 200; // a slider that is drawn along is told where it rests
let waits; // one for the screen: of two plans, one of which takes the place of the other, the newest is told

export class Planned extends Component {
  componentDidMount() {
    this.tell(this.props.weeks);
  }

  componentDidUpdate(before) {
    if (before.weeks !== this.props.weeks) this.tell(this.props.weeks);
  }

  componentWillUnmount() {
    this.tell(0);
  }

  tell(weeks) {
    const { act } = this.props;
    clearTimeout(waits);
    if (act.shinesHere) waits = setTimeout(() => act.planned(weeks), STILL_MS);
  }

  render() {
    return null;
  }
}
