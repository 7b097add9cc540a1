// The dice on their cloth: what lies there and what it means, what is rolled again, and a throw of real dice reported.
import { html, upTo, classes } from "../../html.js";
import { Button } from "../../chrome/press.js";
import { die } from "../../pieces/dice.js";
import { Hit } from "../../pieces/hit.js";
import { isOurs, sign } from "./printed.js";

/** What whoever is asked may do. */
export const helpOf = (view) => (view.ask.kind === "move" ? view.ask.options : null) ?? {};

/** Whose dice are looked at: one's own on a phone, else those of whoever's part it is. */
const looked = (view) => view.me.seat ?? view.board.turn ?? view.board.keeper;

function lying(view) {
  const { dice } = view.board;
  if (dice.lock_of) return ["lock", dice.lock];
  if (dice.mummy.length) return ["mummy", dice.mummy];
  return ["action", dice.action.length ? dice.action : dice.gods.map(() => null)];
}

/** Whether a die counts for what it was rolled for. */
function counts(view, seat, roll, i, face) {
  const { dice } = view.board;
  if (face === null) return true;
  if (roll === "mummy") return face >= dice.mummies_from;
  if (roll === "action") return face >= seat.level && !seat.cursed.includes(dice.gods[i]);
  const wanted = view.board.idols.find((idol) => idol.god === dice.lock_of).lock;
  return wanted.includes(face) && dice.lock.indexOf(face) === i;
}

const TURNED = [-6, 4, -3, 6, -4];
const CHAIN = "M-30-30C-22-30-20-22-12-22S-2-12 6-12 14-2 22-2 30 10 34 16";

/** The lock whose dice lie. */
export const openingOf = (view) => helpOf(view).locks?.find((lock) => lock.rolling);

/** The places of the dice that are to be rolled again: those that were touched, else all that are not worth keeping. */
export function again(view, act) {
  const keep = openingOf(view)?.keep ?? [];
  const rest = view.board.odds ? view.board.dice.lock.map((_, i) => i).filter((i) => !keep.includes(i)) : [];
  return act.chosen("again") ?? rest;
}

function toggle(view, act, at) {
  const chosen = again(view, act);
  const more = chosen.includes(at) ? chosen.filter((each) => each !== at) : [...chosen, at].sort((a, b) => a - b);
  act.hold("again", more);
}

/** Whether the lock's dice lie before a seat of this screen, to be touched. */
const picking = (view, act) =>
  view.ask.kind === "move" && act.mayMove && view.board.asking === "act" && Boolean(view.board.dice.lock_of);

/** Five dice on a cloth. What does not count is dim; a cursed one is chained; those to be rolled again are lifted. */
function Cloth({ view, act }) {
  const { dice, seats } = view.board;
  const [roll, faces] = lying(view);
  const seat = seats[looked(view)];
  const touched = picking(view, act);
  const chosen = touched ? again(view, act) : [];
  const shown = faces.map((face, i) => `${act.name(dice.colours[i])} ${face ?? "?"}`);
  return html`
    <svg
      class="hor-dice"
      viewBox="0 0 420 118"
      role=${touched ? "group" : "img"}
      aria-label=${act.say(`horus.page.dice.${roll}`, { dice: shown })}
    >
      <rect x="2" y="2" width="416" height="114" rx="18" class="felt" />
      ${faces.map((face, i) => {
        const chained = roll === "action" && seat.cursed.includes(dice.gods[i]);
        const good = counts(view, seat, roll, i, face);
        return html`
          <g
            key=${i}
            transform=${`translate(${50 + i * 80} ${chosen.includes(i) ? 44 : 52}) rotate(${TURNED[i]})`}
          >
            <g
              key=${`${roll}:${view.board.round}:${face}`}
              class=${classes("hor-die", face !== null && "tumbled", !good && "dim")}
              data-sign=${chained ? "cursed" : undefined}
            >
              ${chosen.includes(i) && html`<rect x="-35" y="-35" width="70" height="74" rx="16" class="lifted" />`}
              ${die(face, dice.colours[i])}
              ${
                chained &&
                html`
                  <path d=${CHAIN} class="chain" />
                  <path d=${CHAIN} class="links" />
                `
              }
            </g>
          </g>
          <g transform=${`translate(${50 + i * 80} 101) scale(.5)`} class="hor-die-god">
            ${isOurs(`die-${dice.gods[i]}`) && html`<circle r="27" class="hor-ours" data-sign="house" />`}
            ${sign(dice.gods[i])}
          </g>
        `;
      })}
      ${
        touched &&
        faces.map(
          (face, i) => html`
            <${Hit}
              key=${`hit:${i}`}
              can=${act.can}
              pressed=${chosen.includes(i)}
              class="hor-die-hit"
              label=${act.say("horus.page.again_one", { die: act.name(dice.colours[i]), face })}
              onPress=${() => toggle(view, act, i)}
            >
              <rect
                x=${10 + i * 80}
                y="6"
                width="80"
                height="106"
                rx="14"
                class="frame"
              />
            <//>
          `,
        )
      }
    </svg>
  `;
}

/** What the dice mean just now, in one line. */
function diceSaid(view, act) {
  const { dice, seats } = view.board;
  const [roll, faces] = lying(view);
  if (roll === "lock") {
    const facts = { god: dice.lock_of, faces: dice.missing, n: dice.missing.length };
    return act.say(dice.missing.length ? "horus.page.lock_missing" : "horus.page.lock_rolls", facts);
  }
  if (faces.includes(null)) return act.say(`horus.page.dice.${roll}_waits`);
  if (roll === "mummy") {
    return act.say("horus.page.mummies_walk", { n: faces.filter((face) => face >= dice.mummies_from).length });
  }
  const seat = seats[looked(view)];
  const { name } = view.seats[looked(view)];
  return act.say("horus.page.from_level", { name, level: seat.level, n: seat.actions });
}

/** The dice, and what they mean. */
export const DiceTable = ({ view, act }) => html`
  <section class="hor-cloth" aria-label=${act.say("horus.page.cloth")}>
    <${Cloth} view=${view} act=${act} />
    <p class="hor-dice-said" role="status">${diceSaid(view, act)}</p>
  </section>
`;

/** The places of the dice of real dice that are being rolled; none, where nothing is to be reported. */
export function thrown(view, act) {
  const { dice } = view.board;
  const asked = view.ask.kind === "chance" && view.ask.source === "table" && act.mayDeal;
  return asked ? (dice[dice.rolling] ?? []).flatMap((face, i) => (face === null ? [i] : [])) : [];
}

/** A throw of real dice, reported at once: for each die that was rolled the face that it shows. */
export function Throw({ view, act }) {
  const { dice } = view.board;
  const places = thrown(view, act);
  const faces = act.chosen("throw") ?? {};
  const choose = (place, face) => act.hold("throw", { ...faces, [place]: face });
  const whole = places.every((place) => faces[place]);
  if (!places.length) return null;
  return html`
    <section class="hor-throw" style=${{ "--dice": places.length }} aria-label=${act.say("horus.page.report_throw")}>
      ${upTo(dice.faces).map((i) =>
        places.map(
          (place) => html`
            <${Button}
              key=${`${place}:${i}`}
              look="hor-face"
              can=${act.canDeal}
              pressed=${faces[place] === i + 1}
              label=${`${act.name(dice.colours[place])} ${i + 1}`}
              onPress=${() => choose(place, i + 1)}
            >
              <svg viewBox="-34 -34 68 76" width="38" height="42" aria-hidden="true">
                ${die(i + 1, dice.colours[place])}
              </svg>
            <//>
          `,
        ),
      )}
      <${Button}
        look="main wide"
        can=${act.canDeal && whole}
        onPress=${() => act.outcome(places.map((place) => faces[place]))}
      >
        ${act.say("horus.page.report_throw")}
      <//>
    </section>
  `;
}
