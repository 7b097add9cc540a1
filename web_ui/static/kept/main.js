// A finished table in one file, for those who were there: how it went, the luck with its proof, and what was studied.
import { html, render } from "../html.js";
import { loadStylesheet } from "../stylesheets.js";
import { learn, learnLater, say } from "../words.js";
import { oneTap } from "../chrome/one_tap.js";

const { table } = document.documentElement.dataset;
const parts = { replay: document.getElementById("root"), luck: document.getElementById("luck") };

const TITLES = { replay: "evening.replay.title", luck: "evening.seal.title", study: "evening.study.title" };

function show(name) {
  for (const [each, part] of Object.entries(parts)) part.hidden = each !== name;
  const tabs = Object.keys(parts).map(
    (each) => html`
      <button
        type="button"
        key=${each}
        class="button"
        aria-pressed=${each === name ? "true" : "false"}
        onClick=${() => show(each)}
      >
        ${say(TITLES[each])}
      </button>
    `,
  );
  render(html`${tabs}`, document.getElementById("tabs"));
}

/** The replay, at a step where one is said. */
function lookAt(seq) {
  show("replay");
  if (!seq) return;
  const slider = parts.replay.querySelector("input[type=range]");
  slider.value = seq;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A link to the service is one to what the file has with it. */
async function hand(event) {
  const link = event.target.closest?.("a[href^='/']");
  if (!link) return;
  event.preventDefault();
  const [to, seq] = link.getAttribute("href").split("?seq=");
  if (to.startsWith("/replay/")) lookAt(seq);
  if (!link.download) return;
  const answer = await fetch(link.getAttribute("href"));
  const save = document.createElement("a");
  save.href = URL.createObjectURL(new Blob([await answer.text()], { type: "application/json" }));
  save.download = link.download;
  save.click();
}

oneTap();
document.addEventListener("click", hand, { capture: true });
await learn(document.documentElement.lang);
await Promise.all([learnLater(), loadStylesheet("style/kept")]);
const found = await fetch(`/api/tables/${table}/study`);
if (found.ok) parts.study = document.getElementById("study");
show("replay");
const [replay, luck, study] = await Promise.all(
  ["replay", "luck", "study"].map((page) => import(`../pages/${page}.js`)),
);
luck.start(parts.luck, { table });
if (parts.study) study.start(parts.study, { table });
await replay.start(parts.replay, { table });
