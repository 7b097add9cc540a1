// Where the owner's address leads: the device keeps the key, forgets it from the address, and is the owner's then.
import { html } from "../html.js";
import { get, post } from "../api.js";
import { say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";

const Own = () => html`
  <p class="lead" role="status">
    ${say("ui.owner.done")}
  </p>
  <p>${say("ui.owner.what")}</p>
  <p class="row-tools">
    <a class="button main" href="/">
      ${say("ui.owner.lay")}
    </a>
    <a class="button" href="/settings">
      ${say("ui.owner.settings")}
    </a>
  </p>
`;

const Again = ({ error }) => html`
  <${Refusal} error=${error} />
  <p>${say("ui.owner.again")}</p>
  <p>
    <code>digside owner</code>
  </p>
`;

export function start(root) {
  const key = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const state = { owner: null, error: null };
  const change = alive(root, "owner", state, () => {
    if (state.owner === null && !state.error) return html`<p class="lead" role="status">${say("ui.owner.opening")}</p>`;
    return html`
      <section class="card owner-card">
        ${state.owner ? html`<${Own} />` : html`<${Again} error=${state.error} />`}
      </section>
    `;
  });
  const asked = key ? post("/api/owner/enter", { key: decodeURIComponent(key) }) : get("/api/owner");
  return asked.then(
    ({ owner }) => change({ owner }),
    (error) => change({ error }),
  );
}
