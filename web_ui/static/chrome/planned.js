// A move that is planned: what it is good for, and its weeks, for the time track of light beside the table.
// What a phone plans is its own.
import { Component, html } from "../html.js";
import { keyHere } from "../words.js";

const STILL_MS = 200; // a slider that is drawn along is told where it rests
let waits; // one for the screen: of two plans, one of which takes the place of the other, the newest is told

/** What something that is chosen is good for, as its lesson says it; nothing until these words are here. */
export function GoodFor({ lesson, act }) {
  const key = keyHere(`lesson.${lesson}.said`);
  return key && html`<p class="good-for">${act.say(key)}</p>`;
}

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
