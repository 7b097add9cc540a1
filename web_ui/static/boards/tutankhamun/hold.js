// A button that has to be held: what is secret opens under a finger that means it, never under one that brushes by.
import { Component, html, classes } from "../../html.js";

const LONG = 650;

export class Hold extends Component {
  begin = (event) => {
    if (event.type === "keydown" && (event.repeat || (event.key !== " " && event.key !== "Enter"))) return;
    if (event.type === "keydown") event.preventDefault();
    clearTimeout(this.clock);
    this.setState({ held: true });
    this.clock = setTimeout(this.open, LONG);
  };

  end = () => {
    clearTimeout(this.clock);
    if (this.state.held) this.setState({ held: false });
  };

  open = () => {
    this.end();
    this.props.onOpen();
  };

  // A screen reader cannot hold: it sends a click of its own, which no finger and no key has made.
  click = (event) => event.detail === 0 && !event.pointerType && this.open();

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  render({ children, can = true }, { held }) {
    return html`
      <button
        type="button"
        class=${classes("button main tut-hold", held && "held")}
        aria-disabled=${can ? undefined : "true"}
        onPointerDown=${can && this.begin}
        onPointerUp=${this.end}
        onPointerLeave=${this.end}
        onPointerCancel=${this.end}
        onContextMenu=${(event) => event.preventDefault()}
        onKeyDown=${can && this.begin}
        onKeyUp=${this.end}
        onBlur=${this.end}
        onClick=${can && this.click}
      >
        <span>${children}</span>
      </button>
    `;
  }
}
