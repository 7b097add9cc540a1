// The way to a table of two bots: the one that is on, or a new one.
import { html } from "../html.js";
import { post } from "../api.js";
import { learnLater, say } from "../words.js";
import { alive, Refusal } from "../chrome/frame.js";

export async function start(root) {
  await learnLater();
  const draw = ({ error }) =>
    error
      ? html`<${Refusal} error=${error} />`
      : html`<p class="lead" role="status">${say("evening.watch.opening")}</p>`;
  const change = alive(root, "watch", { error: null }, draw, () => say("evening.watch.title"));
  const box = decodeURIComponent(location.pathname.split("/").pop());
  post("/api/shows", { box }).then(
    ({ table }) => location.replace(`/table/${table}`),
    (error) => change({ error }),
  );
}
