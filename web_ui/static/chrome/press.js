// Buttons: one press does one thing, a grave one is asked for twice, what is secret is held, and a number is stepped
// with the thumb.
import { Component, html, classes } from "../html.js";

/** A button that says why it is quiet by looking quiet; it keeps its focus while a press is under way. */
export function Button({ can = true, onPress, look, class: more, label, pressed, children, ...rest }) {
  const press = (event) => {
    if (!can) return;
    onPress(event);
  };
  return html`
    <button
      type="button"
      class=${classes("button", look, more)}
      aria-disabled=${can ? undefined : "true"}
      aria-label=${label}
      aria-pressed=${pressed}
      onClick=${press}
      ...${rest}
    >
      ${children}
    </button>
  `;
}

const SECOND_TAP = 800;

/** A button that takes no press while it is new: the finger that made it appear may come down once more. */
export class Steady extends Component {
  componentDidMount() {
    this.since = performance.now();
  }

  render({ onPress, ...rest }) {
    const press = () => performance.now() - this.since > SECOND_TAP && onPress();
    return html`<${Button} ...${rest} onPress=${press} />`;
  }
}

const PATIENCE = 8000; // milliseconds: time to read what the second press does

/** Asks for a second press before it does what cannot easily be undone. */
export class Twice extends Component {
  arm = () => {
    if (this.state.armed) {
      this.rest();
      this.props.onPress();
      return;
    }
    this.setState({ armed: true });
    this.clock = setTimeout(this.rest, PATIENCE);
  };

  rest = () => {
    clearTimeout(this.clock);
    this.setState({ armed: false });
  };

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  render({ sure, children, class: more, ...rest }, { armed }) {
    return html`
      <${Button} ...${rest} class=${classes(more, armed && "armed")} onPress=${this.arm} onBlur=${this.rest}>
        ${armed ? sure : children}
      <//>
    `;
  }
}

const LONG = 650;
const LET_GO = ["pointerup", "pointercancel", "keyup"];

/**
 * Has to be held: what is secret opens under a finger that means it, never under one that brushes by.
 * @param onLetGo where nothing is to be done with it: what ends the look as the finger, or the key, is lifted.
 */
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
    if (this.props.onLetGo) for (const each of LET_GO) addEventListener(each, this.letGo, true);
  };

  letGo = () => {
    for (const each of LET_GO) removeEventListener(each, this.letGo, true);
    this.props.onLetGo?.();
  };

  // A screen reader cannot hold: it sends a click of its own, which no finger and no key has made.
  click = (event) => event.detail === 0 && !event.pointerType && this.props.onOpen();

  componentWillUnmount() {
    clearTimeout(this.clock);
    for (const each of LET_GO) removeEventListener(each, this.letGo, true);
  }

  render({ children, can = true, look = "main", class: more }, { held }) {
    return html`
      <button
        type="button"
        class=${classes("button", look, "hold-open", more, held && "held")}
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

/** A number with a button on either side. */
export const Stepper = ({ value, least, most, label, less, more, can = true, onChange }) => html`
  <div class="stepper" role="group" aria-label=${label}>
    <${Button} look="round" label=${less} can=${can && value > least} onPress=${() => onChange(value - 1)}>
      −
    <//>
    <output aria-live="off">${value}</output>
    <${Button} look="round" label=${more} can=${can && value < most} onPress=${() => onChange(value + 1)}>
      +
    <//>
  </div>
`;

/** One of a few, as buttons in a row. */
export const Choice = ({ label, value, options, onChange, can = true, class: more }) => html`
  <div class=${classes("choice", more)} role="group" aria-label=${label}>
    ${options.map(
      ([each, text]) => html`
        <${Button}
          key=${String(each)}
          look="segment"
          pressed=${each === value}
          can=${can}
          onPress=${() => onChange(each)}
        >
          ${text}
        <//>
      `,
    )}
  </div>
`;
