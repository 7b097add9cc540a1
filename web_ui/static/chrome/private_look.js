// What one seat alone may see, on a screen that all share: it is looked at by holding, and covered again.
import { Component, html } from "../html.js";
import { Dialog } from "./dialog.js";
import { Hold } from "./press.js";

/**
 * Nothing of it is on the page before, nor once it is covered.
 * @param seat whose eyes are meant when the look begins.
 * @param said what stands on the button, and `title(name)` over what is seen.
 * @param letGo whether the look ends as the finger is lifted.
 * @param onCover what else ends with it.
 * @param children what is seen: `({ you, seat, cover }) → vnode`.
 */
export class PrivateLook extends Component {
  componentDidMount() {
    document.addEventListener("visibilitychange", this.hide);
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.hide);
  }

  hide = () => document.hidden && this.cover();

  cover = () => {
    this.props.onCover?.();
    this.setState({ you: null });
  };

  look = async () => {
    const { act, seat } = this.props;
    try {
      const { you, played } = await act.viewOf(seat);
      this.setState({ you, seat, played });
    } catch {
      this.setState({ you: null }); // the banner says that the service is gone
    }
  };

  render({ view, act, label, title, letGo, look, children }, { you, seat, played }) {
    return html`
      <${Hold} look="quiet" can=${act.live} onOpen=${this.look} onLetGo=${letGo ? this.cover : undefined}>
        ${label}
      <//>
      ${
        you &&
        played === view.played &&
        html`
          <${Dialog} title=${title(view.seats[seat].name)} look=${look} onClose=${this.cover}>
            ${children({ you, seat, cover: this.cover })}
          <//>
        `
      }
    `;
  }
}
