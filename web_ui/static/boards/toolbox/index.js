// The tools of a box on the table, with no referee: anybody may use any of them.
import { html } from "../../html.js";
import { loadStylesheet } from "../../stylesheets.js";
import { foldedRuns } from "../../chrome/log.js";
import { Finds, findsSheet, PointsControl, pointsOf } from "./seats.js";
import { ShovelTool } from "./shovel.js";
import { LoadSign } from "./cards.js";
import { MoreTools, Order, SHEETS, TurnLine } from "./more.js";

await loadStylesheet("boards/toolbox/style");

const has = (view, tool) => view.board.tools.includes(tool);

let Place = null; // where the tools of this box lie

/** Fetches the place where the tools of a box lie, and no other. */
export async function ready(view) {
  if (has(view, "track")) {
    const site = await import("./dig.js");
    await site.ready();
    Place = site.DigSite;
  } else if (has(view, "blocks")) Place = (await import("./temple.js")).Temple;
  else Place = (await import("./sand.js")).Sand;
}

export const board = (view, act) => html`<${Place} view=${view} act=${act} />`;

/** What lies before a seat. */
export const beside = (view, seat, act) => html`
  <${Finds} view=${view} seat=${seat} act=${act} />
  <${LoadSign} view=${view} seat=${seat} act=${act} />
  ${pointsOf(view, seat, act)}
`;

/** Beneath what is asked: whose turn it is, or whose marker is furthest back. */
export function choices(view, act) {
  if (has(view, "turns")) return html`<${TurnLine} view=${view} act=${act} />`;
  const next = view.board.track?.next?.[0];
  return next === undefined
    ? null
    : html`<p class="ask-line next-line">${act.say("ui.track.next", { name: view.seats[next].name })}</p>`;
}

/** The log with each run of turns of the dial as one line, where it came to rest; and the dice of a throw as one. */
export const folded = (log) =>
  foldedRuns(
    log.filter((line, i) => {
      const next = log[i + 1];
      return !(line.what.type === "dial" && next?.what.type === "dial" && next.undone === line.undone);
    }),
    (last, line) => last.what.type === "die" && ["die", "last_die"].includes(line.what.type),
  );

/** Tools that belong to nobody's place on the table. */
export const aside = (view, act) => html`
  <div class="beside-tools">
    ${
      has(view, "blocks")
        ? html`<section class="tool more-tools"><${Order} view=${view} act=${act} /></section>`
        : html`<${MoreTools} view=${view} act=${act} />`
    }
    ${has(view, "points") && !view.over && html`<${PointsControl} view=${view} act=${act} />`}
  </div>
`;

/** Beside the big stop: the shovel by hand. */
export const shovel = (view, act) => has(view, "shovel") && html`<${ShovelTool} act=${act} />`;

/** Where there is a tray, a lift is shown where the card lies. */
export const shows = { lift: (view) => has(view, "tray") };

/** What the space bar does while nothing is being drawn. */
export function shortcut(view, act) {
  if (!has(view, "dice")) return null;
  return () => act.move({ type: "roll", count: act.get("dice", view.board.dice.count) });
}

/** What is fetched once the table stands. */
export const later = [findsSheet, ...Object.values(SHEETS)];

/** What the signs on the board mean. */
export const legend = () => import("./legend.js");

/** What comes up, for the screen that it fills. */
export const scenes = () => import("./scenes.js");
