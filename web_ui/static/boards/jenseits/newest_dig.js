// The newest dig, beside the map: the bag, and what came out of it on the cloth.
import { classes, html } from "../../html.js";
import { Bag, Cloth } from "../../pieces/bags.js";

/** The dig in progress, or else the one that was the newest move; told by the log. */
export function newestDig(view) {
  if (view.board.drawing) return { ...view.board.drawing, running: true };
  const drawn = [];
  for (const line of [...view.log].reverse().filter((each) => !each.undone)) {
    const { type } = line.what;
    if (line.kind === "outcome" && type === "token") drawn.unshift(line.what.token);
    if (line.kind !== "move") continue;
    if (!type.startsWith("dig") || drawn.length === 0) return null;
    const { site, first } = line.what;
    return { bag: site, seat: line.seat, of: drawn.length, drawn, first, seq: line.seq };
  }
  return null;
}

/** The step that began the newest dig: what tells its tokens from those of the next. */
const begun = (view) => view.log.filter((line) => !line.undone && line.what.type === "dig").at(-1)?.seq ?? 0;

export function NewestDig({ view, act }) {
  const dig = newestDig(view);
  if (!dig || (!dig.running && act.get("put_away", null) === dig.seq)) return null;
  const bag = view.board.bags.find((each) => each.bag === dig.bag);
  const colours = Object.fromEntries(view.board.bags.map((each) => [each.bag, each.colour]));
  return html`
    <section
      class=${classes(
        "newest-dig",
        view.pace === "flow" ? "run" : "one-by-one",
        dig.running && "running",
        `rows-${Math.ceil(dig.of / 6)}`,
      )}
      key=${dig.running ? "running" : dig.seq}
      aria-label=${act.say("jenseits.page.dug", { name: view.seats[dig.seat].name, site: dig.bag })}
    >
      <div class="dig-bag">
        <${Bag} bag=${bag} open=${dig.running} />
      </div>
      <div class="dig-cloth">
        <p>${act.say("jenseits.page.dug", { name: view.seats[dig.seat].name, site: dig.bag })}</p>
        <${Cloth} drawing=${dig} id=${begun(view)} colours=${colours} say=${act.say} name=${act.name} />
        ${dig.first && html`<p class="hint">${act.say("jenseits.page.and_first")}</p>`}
      </div>
      ${
        !dig.running &&
        html`
          <button
            type="button"
            class="put-away"
            aria-label=${act.say("ui.close")}
            onClick=${() => act.set({ put_away: dig.seq })}
          >
            ×
          </button>
        `
      }
    </section>
  `;
}
