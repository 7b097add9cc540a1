// A table that is on its way to another Digside, or open there: the screen says so, and follows once it is.
import { html, render } from "../html.js";
import { get } from "../api.js";
import { learnLater, say } from "../words.js";

const READ = 2500; // milliseconds for the sentence before the page goes where it says

let place = null;
let following = 0;
let learnt = null;

const Said = ({ address, link }) => html`
  <p class="banner">
    <b>${say(link ? "evening.move.gone" : "evening.move.leaving", { address })}</b>${" "}
    ${link && html`<a href=${link} target="_top">${say("evening.move.follow")}</a>`}
  </p>
`;

/** The asker's own place there, and with it what this device knows of the luck: there it would know nothing of it. */
async function own(view) {
  const [{ link }, { packed }] = await Promise.all([
    get(`/api/tables/${view.table}/elsewhere`),
    import("../luck/witness.js"),
  ]);
  return link.includes("#") ? `${link},${packed(view)}` : link;
}

/**
 * Shows what a view says of that, or nothing any more.
 * @param onward the way there by an address, where it is not the asker's own place
 */
export async function followTable(view, onward) {
  const { elsewhere } = view;
  learnt ??= learnLater();
  await learnt.catch(() => {});
  clearTimeout(following);
  if (!place) {
    place = document.body.appendChild(document.createElement("div"));
    place.className = "banner-place elsewhere";
    place.setAttribute("role", "alert");
  }
  if (!elsewhere) return render(null, place);
  // A player's own link has a key in it: it is asked for, and told to nobody else.
  const link = elsewhere.there ? (onward?.(elsewhere.address) ?? (await own(view))) : null;
  if (link && parent === window) following = setTimeout(() => location.replace(link), READ);
  return render(html`<${Said} address=${elsewhere.address} link=${link} />`, place);
}
