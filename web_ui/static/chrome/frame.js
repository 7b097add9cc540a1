// What every page but the table shares: the bar, the heading, the drawings' materials, and how it redraws itself.
import { html, render } from "../html.js";
import { say } from "../words.js";
import { Bar } from "./bar.js";
import { materials } from "../pieces/materials.js";

export const Frame = ({ page, title, children }) => html`
  ${materials}
  <${Bar} page=${page} />
  <main class=${`page ${page}-page`}>
    <h1>${title}</h1>
    ${children}
  </main>
`;

/**
 * Keeps a page's state and draws it anew whenever part of it changes.
 * @param draw `(state, change) → vnode`
 * @param heading what stands above it, where that is not what the page is called
 * @returns change
 */
export function alive(root, page, state, draw, heading = () => say(`ui.${page}.title`)) {
  const change = (part) => {
    Object.assign(state, part);
    render(
      html`<${Frame} page=${page} title=${heading()}>
        ${draw(state, change)}
      <//>`,
      root,
    );
  };
  document.title = `${heading()} · Digside`;
  change({});
  return change;
}

/** A refusal of the service, or that it is not there, in words. */
export const Refusal = ({ error }) =>
  error &&
  html`
    <p class="refusal" role="alert">
      ${error.status ? error.message : say("ui.link.unsent")}
    </p>
  `;

/** A line to type, with what it is for. */
export const Line = ({ id, label, ...rest }) => html`
  <label for=${id}>${label}</label>
  <input id=${id} type="text" autocomplete="off" ...${rest} />
`;
