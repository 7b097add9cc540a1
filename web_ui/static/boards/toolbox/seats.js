// What lies before each seat: its finds, which can be put back, and its points.
import { html } from "../../html.js";
import { Lazy } from "../../chrome/lazy.js";
import { Button } from "../../chrome/press.js";
import { Coins } from "../../pieces/coins.js";
import { Token } from "../../pieces/tokens.js";
import { signed } from "../../words.js";

export function pointsOf(view, seat, act) {
  const points = view.board.points?.[seat];
  if (points === undefined) return null;
  const label = act.say("ui.points.of", { n: points, name: view.seats[seat].name });
  const bonus = view.board.track?.bonus?.[seat];
  return html`
    ${
      bonus > 0 &&
      html`
        <span class="weeks-bonus" role="img" aria-label=${act.say("toolbox.page.bonus", { n: bonus })}>
          ${signed(bonus)}
        </span>
      `
    }
    <span class="points" data-piece=${`points:${seat}`}>
      ${view.board.gold && html`<${Coins} amount=${points} gold=${view.board.gold} label=${label} />`}
      <b>${points}</b>
    </span>
  `;
}

export const findsSheet = () => import("./finds_sheet.js");

export const isOurs = (view, { bag }) => view.board.bags?.find((each) => each.bag === bag)?.from === "house";
/** The colours of the bags, by their names. */
export const coloursOf = (view) => Object.fromEntries((view.board.bags ?? []).map((bag) => [bag.bag, bag.colour]));

/** The finds of a seat in a row; a touch lays them out large. */
export function Finds({ view, seat, act }) {
  const finds = view.board.finds?.[seat] ?? [];
  if (finds.length === 0) return null;
  const colours = coloursOf(view);
  const label = act.say("ui.finds.of", { n: finds.length, name: view.seats[seat].name });
  return html`
    <button
      type="button"
      class="finds"
      aria-haspopup="dialog"
      onClick=${() => act.set({ finds: seat, find: null })}
    >
      ${finds.map(
        (find, i) => html`
          <span key=${i} data-piece=${`find:${seat}:${i}`} data-from=${`bag:${find.bag}`}>
            <${Token}
              token=${find.token}
              bag=${find.bag}
              colours=${colours}
              house=${isOurs(view, find)}
              size=${36}
            />
          </span>
        `,
      )}
      <span class="unseen">${label}</span>
    </button>
    ${
      act.get("finds", null) === seat &&
      html`<${Lazy} load=${findsSheet} view=${view} seat=${seat} act=${act} finds=${finds} colours=${colours} />`
    }
  `;
}

const sentence = (points) => (points > 0 ? "ui.points.give" : "ui.points.take");
const AMOUNTS = [-5, -1, 1, 5];

export const PointsControl = ({ view, act }) => html`
  <section class="tool points-tool" aria-label=${act.say("ui.points.title")}>
    <div class="tool-row">
      <h2>${act.say("ui.points.title")}</h2>
      ${AMOUNTS.map(
        (points) => html`
          <${Button}
            key=${points}
            look="number"
            can=${act.can}
            label=${`${signed(points)}: ${act.say(sentence(points), {
              n: Math.abs(points),
              name: view.seats[act.seat].name,
            })}`}
            onPress=${() => act.move({ type: "award", seat: act.seat, points }, { sound: "coin" })}
          >
            ${signed(points)}
          <//>
        `,
      )}
    </div>
  </section>
`;
