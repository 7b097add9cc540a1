// A place on a drawing that can be pressed, by finger, mouse or keyboard. What is seen is drawn beneath it, apart, so
// that its name is said once and whole.
import { html, classes } from "../html.js";

/** @param children the outline of the place: shapes without words, which show when it is chosen or has the focus. */
export function Hit({ can, label, onPress, pressed, children, class: look, ...more }) {
  const press = () => can && onPress();
  const key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) press();
  };
  return html`
    <g
      role="button"
      tabindex=${can ? 0 : -1}
      aria-label=${label}
      aria-disabled=${!can}
      aria-pressed=${pressed}
      class=${classes("hit", can && "can", look)}
      onClick=${press}
      onKeyDown=${key}
      ...${more}
    >
      ${children}
    </g>
  `;
}
