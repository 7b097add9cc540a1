// A part of a page whose script is fetched when it is first wanted, or before, once the page has nothing else to do.
import { Component, html } from "../html.js";

const IDLE = 500; // milliseconds after which a busy page fetches the next part all the same
const parts = new WeakMap(); // what has come, by what loads it

/** Fetches a part, unless it is here. */
export async function fetchPart(load) {
  if (!parts.has(load)) parts.set(load, (await load()).Part);
}

const idle = () =>
  new Promise((done) =>
    (window.requestIdleCallback ?? setTimeout)(done, window.requestIdleCallback && { timeout: IDLE }),
  );

/** Does each in turn, while the page rests: a link that is lost later finds everything here. */
export async function fetchAhead(fetches) {
  for (const each of fetches) {
    await idle();
    await each();
  }
}

/**
 * @param load imports the script, whose `Part` is then drawn with all other properties. A part that was fetched before
 * is drawn at once. What does not come is not drawn.
 */
export class Lazy extends Component {
  componentDidMount() {
    this.fetch();
  }

  componentDidUpdate() {
    this.fetch(); // where the page is laid out anew another part may take the place of this
  }

  fetch() {
    const { load } = this.props;
    if (parts.has(load) || this.asked === load) return;
    this.asked = load;
    fetchPart(load).then(
      () => this.setState({}),
      () => {},
    );
  }

  render({ load, ...rest }) {
    const part = parts.get(load);
    return part ? html`<${part} ...${rest} />` : null;
  }
}
