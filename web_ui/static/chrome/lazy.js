// A part of a page whose script is fetched when it is first drawn.
import { Component, html } from "../html.js";

/**
 * @param load imports the script, whose `Part` is then drawn with all other properties. Asked once: what takes the
 * place of another part has a key of its own.
 * What does not come is not drawn.
 */
export class Lazy extends Component {
  componentDidMount() {
    this.props.load().then(
      ({ Part }) => this.setState({ Part }),
      () => {},
    );
  }

  render({ load, ...rest }, { Part }) {
    return Part ? html`<${Part} ...${rest} />` : null;
  }
}
