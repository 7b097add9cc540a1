// Before a dig: the dial set to what one knows, the cards to use up, the weeks, what is to be expected, and the deed.
import { classes, html } from "../../html.js";
import { Button } from "../../chrome/press.js";
import { Dialog } from "../../chrome/dialog.js";
import { Planned } from "../../chrome/planned.js";
import { Dial } from "../../pieces/dial.js";
import { Token } from "../../pieces/tokens.js";
import { Chances, Knowledge, knowledgeSaid, Spread } from "./chances.js";
import { flown, landSaid, sumSaid, Zeppelin } from "./plan.js";
import { Why, whyNot } from "../../chrome/choosing.js";
import { loadStylesheet } from "../../stylesheets.js";

await loadStylesheet("boards/jenseits/sheets");

const ORDER = ["ethnology", "assistant", "shovel", "special_permit"];
const USUAL = 4; // weeks that are offered at first, if they can be had

const same = (a, b) => a.length === b.length && a.every((each) => b.includes(each));

/** The dig that is being thought about, or null: its site's help, the way of doing it, and the weeks. */
function digOf(view, act) {
  const dig = act.chosen("dig");
  const help = view.ask.options?.sites?.[dig?.site];
  if (!help) return null;
  const way = (dig.use ? help.ways.find((each) => same(each.use, dig.use)) : firstWay(help.ways)) ?? help.ways[0];
  const zeppelin = dig.zeppelin && way.weeks.some((row) => row.zeppelin);
  const rows = way.weeks.map((row) => ({ ...row, answer: flown(row, zeppelin) }));
  const weeks = dig.weeks ?? firstWeeks(rows);
  const uses = ORDER.filter((use) => help.ways.some((each) => each.use.includes(use)));
  return { ...dig, help, way, zeppelin, rows, weeks, row: rows[weeks - 1], uses };
}

const isPossible = (way) => way.weeks.some((row) => row.legal || row.zeppelin?.legal);

/** The way that is offered first: without using up a card, or with as few as make the dig possible. */
const firstWay = (ways) => [...ways].sort((a, b) => a.use.length - b.use.length).find(isPossible);

/** The weeks that are offered first: what is usual, or as few as bring the same tokens. */
function firstWeeks(rows) {
  const may = rows.filter((row) => row.answer.legal);
  const usual = rows[USUAL - 1].answer.legal ? rows[USUAL - 1] : may[0];
  return may.find((row) => row.tokens === usual?.tokens)?.weeks ?? USUAL;
}

function InTheBag({ act, bag, colours }) {
  const known = Object.entries(bag.inside).filter(([, count]) => count > 0);
  return html`
    <div class="bag-known" role="group" aria-label=${act.say("jenseits.page.bag_known", { n: bag.left })}>
      <p class="hint">${act.say("jenseits.page.bag_known", { n: bag.left })}</p>
      <ul>
        ${known.map(
          ([token, count]) => html`
            <li key=${token}>
              <${Token} token=${token} bag=${bag.bag} colours=${colours} label=${act.name(token)} size=${34} />${" "}
              <span>×${count}</span>
            </li>
          `,
        )}
      </ul>
    </div>
  `;
}

function Deed({ view, act, dig, set }) {
  const { answer } = dig.row;
  const doIt = () => {
    act.hold("dig", null);
    act.hold("plan", null);
    const flight = dig.zeppelin ? { zeppelin: true } : {};
    act.move({ type: "dig", site: dig.site, weeks: dig.weeks, use: dig.way.use, ...flight }, { sound: "bag" });
  };
  return html`
    <footer class="deed">
      <div class="deed-words">
        ${
          answer.legal
            ? html`
              <p>
                <b>${sumSaid(act, answer, dig.weeks, dig.zeppelin)}</b> ${landSaid(view, act, answer)}
              </p>
            `
            : html`<p class="refusal"><${Why} answer=${answer} act=${act} /></p>`
        }
      </div>
      ${
        dig.rows.some((row) => row.zeppelin) &&
        html`<${Zeppelin} act=${act} on=${dig.zeppelin} onChange=${(zeppelin) => set({ zeppelin })} />`
      }
      ${
        act.mayMove &&
        html`
          <${Button} look="main" class="do-it" can=${act.can && answer.legal} onPress=${doIt}>
            ${act.say("jenseits.page.do_dig", {
              n: dig.weeks,
              tokens: act.say("jenseits.page.in_bag", { n: dig.row.tokens }),
            })}
          <//>
        `
      }
    </footer>
  `;
}

const Slider = ({ act, weeks, onWeeks }) => html`
  <label class="weeks-slider">
    <span>${act.say("jenseits.page.weeks_of_dig")}</span>
    <input
      type="range"
      min="1"
      max="12"
      step="1"
      value=${weeks}
      aria-valuetext=${act.say("jenseits.page.weeks", { n: weeks })}
      onInput=${(event) => onWeeks(Number(event.target.value))}
    />
    <output>${weeks}</output>
  </label>
`;

/** The dial, set to what would be known. */
function KnownDial({ view, act, dig, onWeeks }) {
  const { dial } = view.board;
  const known = dig.way.knowledge.total;
  const set = { knowledge: known, tokens: [0, ...(dial.rows[known - 1] ?? [])] };
  return html`
    <div class="dig-dial">
      <${Dial} dial=${set} weeks=${dig.weeks} say=${act.say} can=${true} onWeeks=${onWeeks} />
      ${
        dial.from === "house" &&
        html`
          <p class="house-note">
            <span class="house">${act.say("ui.house")}</span>
          </p>
        `
      }
    </div>
  `;
}

/** The permit, what waits on the site, what one knows, and the cards to use up. */
function Known({ view, act, dig, set }) {
  const { help, way } = dig;
  const toggle = (use) => set({ use: ORDER.filter((each) => way.use.includes(each) !== (each === use)) });
  return html`
    <div class="dig-known">
      <p class=${classes("permit-line", help.permit ? "good" : "gone")}>
        ${act.say(help.permit ? "jenseits.page.permit_good" : "jenseits.page.permit_used")}
        ${help.first_find && html` · ${act.say("jenseits.page.first_find", { token: help.first_find })}`}
      </p>
      <${Knowledge}
        act=${act}
        known=${way.knowledge}
        holder=${view.board.seats[view.ask.options.seat]}
        uses=${dig.uses}
        using=${way.use}
        shovels=${way.shovels}
        toggle=${toggle}
      />
    </div>
  `;
}

/** For each number of weeks what is to be expected, and the slider to choose one. */
const Expected = ({ act, dig, helps, onWeeks }) => html`
  <div class="dig-odds">
    <${Chances}
      act=${act}
      rows=${dig.rows}
      draws=${dig.help.draws}
      help=${helps}
      weeks=${dig.weeks}
      whyOf=${(each) => whyNot(each.answer, act)}
      onWeeks=${onWeeks}
    />
    <${Slider} act=${act} weeks=${dig.weeks} onWeeks=${onWeeks} />
    ${!helps && html`<p class="hint">${act.say("jenseits.page.no_help")}</p>`}
  </div>
`;

/** The weeks that are chosen in detail, and what is known of the bag. */
function Detail({ view, act, dig }) {
  const { tokens } = dig.row;
  const draw = dig.help.draws[tokens];
  const bag = view.board.bags.find((each) => each.bag === dig.site);
  const colours = Object.fromEntries(view.board.bags.map((each) => [each.bag, each.colour]));
  return html`
    <div class="dig-detail">
      <div>
        ${
          draw &&
          html`
            <${Spread} act=${act} draw=${draw} tokens=${tokens} />
            <p class="hint">${knowledgeSaid(act, draw)}</p>
          `
        }
      </div>
      <${InTheBag} act=${act} bag=${bag} colours=${colours} />
    </div>
  `;
}

/** The sheet of a dig. */
export function Part({ view, act }) {
  const dig = digOf(view, act);
  if (!dig) return null;
  const now = { site: dig.site, use: dig.way.use, zeppelin: dig.zeppelin, weeks: dig.weeks };
  const set = (more) => act.hold("dig", { ...now, ...more });
  const onWeeks = (weeks) => set({ weeks });
  const helps = view.options.dig_help !== false;
  return html`
    <${Dialog}
      look="sheet wide dig-sheet"
      title=${act.say("jenseits.page.dig_in", { site: dig.site })}
      onClose=${() => act.hold("dig", null)}
    >
      <${Planned} act=${act} weeks=${dig.row.answer.legal ? dig.row.answer.total : 0} />
      <div class=${classes("dig-parts", !helps && "no-help")}>
        <${KnownDial} view=${view} act=${act} dig=${dig} onWeeks=${onWeeks} />
        <${Known} view=${view} act=${act} dig=${dig} set=${set} />
        <${Expected} act=${act} dig=${dig} helps=${helps} onWeeks=${onWeeks} />
        ${helps && html`<${Detail} view=${view} act=${act} dig=${dig} />`}
      </div>
      <${Deed} view=${view} act=${act} dig=${dig} set=${set} />
    <//>
  `;
}
