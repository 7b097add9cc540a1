// What comes up fills the screen: tokens out of a bag, dice that come to rest, a block that falls, a card that turns.
// A press takes the next, a hold takes all, and every press cuts what runs. Each screen shows it once, at its own
// player's pace. It only shows: what came up is on the table already, or is dealt by the same press as ever.
import { Component, html, upTo, classes } from "../html.js";
import { preferences, isAnimated } from "../preferences.js";
import { sound } from "../sound.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, say } from "../words.js";

await Promise.all([learnLater(), loadStylesheet("style/scene_player")]);

const HELD = 450; // milliseconds after which a press is a hold
const ALL = 170; // between one thing and the next while it is held
const SEEN = 2600; // so long the whole stays, unless somebody presses
const BRIEF = 1500; // and where more waits behind it
const DEAD = 400; // so long what has just come takes no press: it was meant for what lay there before
const LIFTED = ["pointerup", "pointercancel"];
const MOST = 3; // so many wait one behind the other; whoever comes later sees the newest
// How things come, by themselves: after how long the first and the next, and after how long each is heard.
const PACE = {
  bag: { first: 1000, next: 1000, heard: 0 },
  throw: { first: 750, next: 380, heard: 0 },
  fall: { first: 350, next: 350, heard: 420 },
  turn: { first: 450, next: 900, heard: 0 },
};

/** The best find of these; null where none is one. */
function bestOf(things) {
  const best = Math.max(...things.map(({ worth = 0 }) => worth));
  return best > 0 ? things.findIndex(({ worth }) => worth === best) : null;
}

const Caption = ({ thing, best }) => html`
  <p>
    ${best && html`<small>${say("evening.dig.best")}</small>`}
    <b>${thing.name}</b>
  </p>
`;

/** Out of a bag: the newest is held up, and when all are there the best. */
function Held({ scene, shown }) {
  if (shown === 0) return null;
  const best = shown === scene.of && scene.of > 1 ? bestOf(scene.things) : null;
  const thing = scene.things[best ?? shown - 1];
  const sand = thing.worth < 0;
  return html`
    <div
      key=${`${shown}:${best}`}
      class=${classes("held-up", sand ? "rubble" : "a-find", best !== null && "the-best")}
    >
      ${!sand && html`<i class="rays" aria-hidden="true"></i>`} ${thing.picture}
      <${Caption} thing=${thing} best=${best !== null} />
    </div>
  `;
}

/** Dice: those that have not come to rest tumble; those that stay lie aside. */
const Thrown = ({ scene, shown }) => html`
  <ol class="thrown" style=${{ "--dice": scene.of }}>
    ${upTo(scene.of).map((i) => {
      const rests = i < shown;
      return html`
        <li key=${i} class=${rests ? "rests" : "tumbles"}>
          ${rests ? scene.things[i].picture : scene.waiting(i)}
          ${rests && html`<span class="unseen">${scene.things[i].name}</span>`}
        </li>
      `;
    })}
  </ol>
  ${
    scene.aside.length > 0 &&
    html`
      <ol class="thrown aside">
        ${scene.aside.map(
          ({ picture, name }) => html`<li key=${name}>${picture}<span class="unseen">${name}</span></li>`,
        )}
      </ol>
    `
  }
`;

const CRACKS = "M38 38L20 12M38 38L66 18M38 38L8 46M38 38L30 70M38 38L70 58M38 38L52 74";
const BITS = [
  [-8, 20],
  [10, -6],
  [70, -4],
  [86, 30],
  [80, 76],
  [-4, 72],
];

/** A block falls from above, and the square under it breaks; one that is looked at lies on none. */
const Falling = ({ scene, shown }) => html`
  <div class=${classes("falls", shown > 0 && "fell", !scene.ground && "looked-at")}>
    <svg viewBox="-40 -110 156 226" aria-hidden="true">
      ${
        scene.ground &&
        html`
          <g transform="translate(-21 -21) scale(1.55)">
            <g class="broken">${scene.ground}<path d=${CRACKS} class="cracks" /></g>
          </g>
          ${shown > 0 && BITS.map(([x, y]) => html`<circle key=${x} cx=${x} cy=${y} r="4" class="bit" />`)}
        `
      }
      ${shown > 0 && html`<g class="falling">${scene.things[0].picture}</g>`}
    </svg>
    ${shown > 0 && html`<${Caption} thing=${scene.things[0]} />`}
  </div>
`;

/** A card comes up with its back, and turns. */
const Turning = ({ scene, shown }) => html`
  <div class=${classes("turns", shown > 0 && "turned", scene.things[shown - 1]?.worth < 0 && "bad")}>
    <div class="two-sides" aria-hidden="true">
      <div class="back-side">${scene.back}</div>
      ${shown > 0 && html`<div class="face-side">${scene.things[shown - 1].picture}</div>`}
    </div>
    ${shown > 0 ? html`<${Caption} thing=${scene.things[shown - 1]} />` : html`<p> </p>`}
  </div>
`;

const STAGES = { bag: Held, throw: Thrown, fall: Falling, turn: Turning };

/** In a row: what has come out of the bag, with a place for the rest. */
const Row = ({ scene, shown }) => html`
  <ol class="scene-player-row" style=${{ "--of": scene.of }}>
    ${upTo(scene.of).map(
      (i) => html`
        <li key=${i}>
          ${i < shown && html`${scene.things[i].picture}<span class="unseen">${scene.things[i].name}</span>`}
        </li>
      `,
    )}
  </ol>
`;

/**
 * @param scenes what the view tells, oldest first: `scenes(view, act)`, as `chrome/scenes.js` makes them.
 * @param since the step at which this page came: what was before has been told.
 * @param onPlaying hears whether the screen is filled, and by what of whose.
 * @param watching where there is nothing to press.
 */
export class Part extends Component {
  state = { open: null, shown: 0, dead: false, gone: false };

  waiting = []; // the scene that is open, and what comes after it

  componentDidMount() {
    this.known = new Set(); // scenes this page has been told of, by their ids
    this.fresh = true;
    this.follow();
    addEventListener("keydown", this.key);
    for (const lifted of LIFTED) addEventListener(lifted, this.release);
  }

  componentDidUpdate() {
    this.follow();
  }

  componentWillUnmount() {
    removeEventListener("keydown", this.key);
    for (const lifted of LIFTED) removeEventListener(lifted, this.release);
    this.rest();
    this.cover(false);
    clearTimeout(this.going);
  }

  /** What lies beneath tells what has come up already: nobody reads it there before it is shown here. */
  cover(covered) {
    for (const part of document.querySelectorAll("main .board, main .log")) part.inert = covered;
  }

  key = (event) => {
    if (event.key === "Escape" && this.state.open !== null) this.close();
  };

  follow() {
    const { view, scenes, act } = this.props;
    if (view !== this.view) {
      this.view = view;
      this.take(scenes(view, act));
    }
    const [scene] = this.waiting;
    const { open, shown } = this.state;
    if (scene === undefined) return open !== null && this.close();
    if (open !== scene.id) return this.begin(scene, open === null);
    if (shown < scene.things.length && (this.dealt || !isAnimated())) return this.show(scene.things.length);
    return this.schedule(scene);
  }

  /** What is new waits for its turn, what grows has grown, and what was taken back is gone. */
  take(all) {
    const byId = new Map(all.map((scene) => [scene.id, scene]));
    const fresh = all.filter((scene) => this.isFresh(scene));
    for (const { id } of all) this.known.add(id);
    this.fresh = false;
    this.waiting = this.waiting
      .filter((scene) => byId.has(scene.id) || this.isOver(scene))
      .map((scene) => (scene.things.length === scene.of ? scene : byId.get(scene.id)));
    if (preferences().theatre === "off") {
      for (const { things } of fresh) this.hear(things.at(-1));
    } else {
      this.waiting.push(...fresh);
      if (this.waiting.length > MOST) this.waiting.splice(1, this.waiting.length - MOST);
    }
  }

  /** Whether what is told no more has all come up: others have moved on, and nobody has taken it back. */
  isOver({ things, of, last }) {
    return things.length === of && !this.props.view.log.some(({ seq, undone }) => seq === last && undone);
  }

  /** Nobody is shown what was here before this page, or what they have just told themselves. */
  isFresh({ id, last, by, seat, things, of }) {
    const { act } = this.props;
    if (by !== "companion" && (by === "host" ? act.role === "host" : act.mine(seat))) return false;
    return !this.known.has(id) && (last > this.props.since || (this.fresh && things.length < of));
  }

  mine = (scene) => !this.props.watching && this.props.act.mine(scene.seat);

  begin(scene, opens) {
    this.rest();
    this.dealt = false;
    if (opens) {
      clearTimeout(this.going);
      this.was = document.activeElement;
      this.going = setTimeout(() => this.setState({ dead: false }), DEAD);
    }
    const running = scene.last <= this.props.since; // it had begun before this page came
    const shown = running || !isAnimated() ? scene.things.length : 0;
    const dead = opens || this.state.dead;
    this.setState({ open: scene.id, shown, dead, gone: false }, () => {
      this.props.onPlaying?.(true, scene.seat);
      if (opens) this.cover(true);
      if (opens && this.mine(scene)) this.button?.focus({ preventScroll: true });
      if (shown > 0 && !running) this.hear(scene.things[shown - 1]);
    });
  }

  /** Back to the table; where nobody pressed, what comes to lie under a finger takes no press for a moment. */
  close = (alone) => {
    const inside =
      [document.body, null].includes(document.activeElement) || this.base?.contains?.(document.activeElement);
    this.rest();
    this.cover(false);
    this.waiting = [];
    clearTimeout(this.going);
    this.setState({ open: null, shown: 0, gone: alone === true }, () => {
      if (inside) this.was?.focus?.({ preventScroll: true });
    });
    if (alone === true) this.going = setTimeout(() => this.setState({ gone: false }), DEAD);
    this.props.onPlaying?.(false);
  };

  rest() {
    clearTimeout(this.clock);
    clearTimeout(this.holding);
    clearInterval(this.hurrying);
    this.due = null;
  }

  /** What comes next by itself: a bag waits for whose it is, and what is somebody's own is not cut short. */
  schedule(scene) {
    const { shown } = this.state;
    const due = [scene.id, shown, scene.things.length, this.waiting.length].join();
    if (due === this.due) return;
    this.due = due;
    clearTimeout(this.clock);
    const { first, next } = PACE[scene.how];
    const own = this.mine(scene);
    if (own && scene.how === "bag") return;
    if (shown < scene.things.length) {
      this.clock = setTimeout(() => this.show(shown + 1), shown === 0 ? first : next);
    } else if (shown === scene.of) {
      this.clock = setTimeout(this.over, this.waiting.length > 1 && !own ? BRIEF : SEEN);
    }
  }

  /** It ends by itself; a finger that rests on it keeps it. */
  over = () => {
    if (!this.held) return this.on(true);
    this.clock = setTimeout(this.over, SEEN);
    return undefined;
  };

  hear(thing) {
    if (thing?.sound) sound(thing.sound);
  }

  show(shown) {
    const [scene] = this.waiting;
    const thing = scene.things[shown - 1];
    const dealt = this.dealt && thing.worth >= 0; // a press that deals is heard already
    this.dealt = false;
    if (!dealt) setTimeout(() => this.hear(thing), isAnimated() ? PACE[scene.how].heard : 0);
    this.setState({ shown });
  }

  /** After the whole: what waits behind it, or the table. */
  on = (alone) => {
    this.waiting.shift();
    if (this.waiting.length > 0) this.begin(this.waiting[0], false);
    else this.close(alone);
  };

  /** What a press does: the next thing, if need be dealt first; after the last one what follows. */
  next = () => {
    const [scene] = this.waiting;
    const { act } = this.props;
    const { shown } = this.state;
    if (shown < scene.things.length) return this.show(shown + 1);
    if (shown === scene.of) return this.on();
    if (!act.canDeal || !this.mine(scene)) return undefined;
    this.dealt = true;
    return act.outcome(null);
  };

  hurry = () => {
    const [scene] = this.waiting;
    if (scene && (this.state.shown < scene.of || this.waiting.length > 1)) this.next();
    else clearInterval(this.hurrying);
  };

  press = () => {
    this.held = this.rested = false;
    clearTimeout(this.holding);
    this.holding = setTimeout(() => {
      this.held = true;
      this.hurrying = setInterval(this.hurry, ALL);
    }, HELD);
  };

  release = () => {
    clearTimeout(this.holding);
    clearInterval(this.hurrying);
    this.rested = this.held;
    this.held = false;
  };

  click = () => {
    if (this.rested) this.rested = false;
    else if (!this.state.dead) this.next();
  };

  table = (event) => {
    event.stopPropagation();
    this.close();
  };

  render({ watching }, { open, shown, dead, gone }) {
    const [scene] = this.waiting;
    if (gone) return html`<div class="scene-player-gone" aria-hidden="true"></div>`;
    if (open === null || scene?.id !== open) return null;
    const come = Math.min(shown, scene.things.length);
    const whole = come === scene.of;
    const pressed = watching ? {} : { onPointerDown: this.press, onClick: this.click };
    return html`
      <section
        class=${classes("scene-player", `by-${scene.how}`, whole && "whole")}
        role="dialog"
        aria-label=${scene.label}
        ...${pressed}
      >
        <h2>${scene.label}</h2>
        <div class="scene-player-middle" role="status">
          <${STAGES[scene.how]} key=${scene.id} scene=${scene} shown=${come} />
          ${scene.how !== "bag" && html`<p class="scene-player-said">${whole ? scene.caption : ""}</p>`}
        </div>
        ${scene.how === "bag" && html`<${Row} scene=${scene} shown=${come} />`}
        ${
          watching
            ? scene.from?.(come)
            : html`
              <button
                type="button"
                class="scene-player-on"
                aria-disabled=${dead ? "true" : undefined}
                ref=${(button) => {
                  this.button = button;
                }}
              >
                ${scene.from?.(come)}
                <span class="unseen">${say(scene.how === "bag" ? "evening.dig.next" : "evening.theatre.next")}. </span>
                <small>${say("evening.dig.how")}</small>
              </button>
              <button type="button" class="button quiet scene-player-close" onClick=${this.table}>
                ${say("evening.dig.table")}
              </button>
            `
        }
      </section>
    `;
  }
}
