// Lessons: what is told of the game when it first matters, beside what it is about, once on each device.
import { Component, classes, html } from "../html.js";
import { get } from "../api.js";
import { loadStylesheet } from "../stylesheets.js";
import { learnLater, say } from "../words.js";
import { GoodMoves } from "./child.js";
import { Button } from "./press.js";
import { SettingUp } from "./setting_up.js";
import { forChild, isSetUp, setUp, teaches, tell, toldOf, wants } from "./taught.js";
import { beside, staying } from "./tour.js";
import { speak } from "./voice.js";

await Promise.all([learnLater(), loadStylesheet("style/evening"), loadStylesheet("style/teach")]);

const AT_ONCE = 2; // lessons at one move of the table: a second only if its moment passes
const PAUSE = 350; // milliseconds in which a table comes to rest before something is told
const AGAIN = 1200; // while something else fills the screen
const BUSY = "dialog[open], .tour:not(.lesson)";

/** The part of the page that goes by a name: a sign or a piece of the board, or what the page itself is made of. */
function named(name, is) {
  const there = [`[data-sign="${name}"]`, `[data-piece="${name}"]`, `[data-lit="${name}"]`, `.${CSS.escape(name)}`];
  return there.map((each) => [...document.querySelectorAll(`main ${each}`)].find(is)).find(Boolean);
}

export const lit = (name) =>
  named(name, isSeen) ?? document.querySelector("main .ask") ?? document.querySelector("main");

function isSeen(node) {
  const { width, height, top, left } = node.getBoundingClientRect();
  return width > 0 && height > 0 && top < innerHeight && left < innerWidth && top + height > 0 && left + width > 0;
}

const TAKEN = '[aria-disabled="true"], [aria-pressed="true"], [aria-selected="true"]';
const isDrawn = (node) => node.getClientRects().length > 0 && !node.matches(TAKEN);

/** What is to be pressed next: the last of these that waits for it. */
const nextOf = (names) =>
  names
    .map((name) => named(name, isDrawn))
    .filter(Boolean)
    .pop();

/** The first of its sentences. */
const shortly = (text) => text.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? text;

export const KEPT_FREE = ".stop, .dock, .toured"; // and what is lit

/** What is told, with why it is so and the rule behind it one press deeper each. */
class Card extends Component {
  state = { deep: false };

  componentDidMount() {
    this.marked = lit(this.props.lesson.lights);
    this.marked.classList.add("toured");
    addEventListener("resize", this.lay);
    this.lay();
    if (forChild(this.props.view.table, this.props.act.seat)) speak(shortly(this.props.lesson.said));
  }

  componentDidUpdate() {
    if (!this.marked.isConnected) this.marked = lit(this.props.lesson.lights);
    this.marked.classList.add("toured"); // what is drawn anew has lost it
    this.put(staying(this.base, KEPT_FREE) ?? beside(this.marked, this.base, KEPT_FREE));
  }

  componentWillUnmount() {
    this.marked.classList.remove("toured");
    removeEventListener("resize", this.lay);
  }

  lay = () => this.put(beside(this.marked, this.base, KEPT_FREE));

  put({ x, y }) {
    this.base.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  }

  render({ lesson, view, act, onDone, onKnown }, { deep }) {
    const child = forChild(view.table, act.seat);
    return html`
      <section class=${classes("tour lesson", child && "child")} aria-label=${say("evening.teach.title")}>
        <p role="status">${child ? shortly(lesson.said) : lesson.said}</p>
        ${deep && html`<p class="why">${lesson.why}</p>`}
        ${
          deep &&
          html`
            <details>
              <summary>${say("evening.teach.rule", { rule: lesson.rule })}</summary>
              <p>${lesson.rule_said}</p>
              <${Button} look="quiet" onPress=${() => act.showRule(lesson.rule)}>${say("ui.help.title")}<//>
            </details>
          `
        }
        <div class="tour-tools">
          ${
            deep || child
              ? html`<${Button} look="quiet" onPress=${onKnown}>${say("evening.teach.we_know")}<//>`
              : html`<${Button} look="quiet" onPress=${() => this.setState({ deep: true })}>
                  ${say("evening.teach.why")}
                <//>`
          }
          ${
            child &&
            html`
              <${Button}
                look="round"
                label=${say("evening.teach.aloud")}
                onPress=${() => speak(shortly(lesson.said))}
              >
                ♪
              <//>
            `
          }
          <${Button} look="main" onPress=${onDone}>${say("evening.teach.got_it")}<//>
        </div>
      </section>
    `;
  }
}

const MARKS = ["toured", "led"];
const WATCHED = {
  childList: true,
  subtree: true,
  attributeFilter: ["class", "aria-disabled", "aria-pressed", "aria-selected"],
};

/** What one who learns alone is to do now: what to press is lit, one thing after another, with why beside it. */
class Exercise extends Component {
  componentDidMount() {
    this.watch = new MutationObserver(() => this.mark());
    this.watch.observe(document.querySelector("main"), WATCHED);
    addEventListener("resize", this.lay);
    this.mark();
    if (this.props.child) speak(shortly(this.props.said));
  }

  componentDidUpdate() {
    this.mark();
  }

  componentWillUnmount() {
    this.watch.disconnect();
    removeEventListener("resize", this.lay);
    this.marked?.classList.remove(...MARKS);
  }

  mark() {
    const next = nextOf(this.props.lights);
    if (next !== this.marked) {
      this.marked?.classList.remove(...MARKS);
      next?.scrollIntoView({ block: "nearest" });
      this.marked = next;
    }
    for (const mark of MARKS) {
      // A button that is drawn anew has lost them. To add what is there would count as a change again.
      if (next && !next.classList.contains(mark)) next.classList.add(mark);
    }
    this.lay();
  }

  lay = () => {
    const { x, y } = beside(this.marked ?? lit("ask"), this.base, ".stop, .dock, .toured");
    this.base.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  };

  render({ said, why, at, of, child }) {
    return html`
      <section class=${classes("tour lesson exercise", child && "child")} aria-label=${say("evening.teach.title")}>
        <p role="status"><b>${say("evening.teach.step", { at, of })}</b> ${said}</p>
        ${!child && html`<p class="why">${why}</p>`}
      </section>
    `;
  }
}

/** What has become of the lessons when somebody knows the game, and how they come back. */
const Quiet = ({ onDone }) => html`
  <section class="tour lesson quiet" aria-label=${say("evening.teach.title")}>
    <p role="status">${say("evening.teach.known_now", { again: say("evening.teach.again") })}</p>
    <div class="tour-tools"><${Button} look="main" onPress=${onDone}>${say("evening.teach.got_it")}<//></div>
  </section>
`;

export class Part extends Component {
  state = { lesson: null, steps: null, exercise: null, quiet: false };
  due = [];
  rest = 1; // moves between two lessons that can wait
  here = 0; // lessons that were read at this move
  last = -Infinity; // the move at which one was read

  componentDidMount() {
    this.look();
    const { view, act } = this.props;
    if (act.role !== "host" || isSetUp(view.table) || view.played > 0 || !teaches(view)) return;
    get(`/api/tables/${view.table}/setting-up`).then(
      ({ steps, plan }) => steps.length > 0 && this.setState({ steps, plan }),
      () => {}, // a box that cannot be shown is set up by its own rulebook
    );
  }

  componentDidUpdate({ view }) {
    const wanted = teaches(this.props.view);
    if (view.seq === this.props.view.seq && wanted === this.wanted) return;
    if (view.played !== this.props.view.played || wanted !== this.wanted) this.here = 0;
    this.look();
  }

  componentWillUnmount() {
    clearTimeout(this.clock);
  }

  look = (after = PAUSE) => {
    clearTimeout(this.clock);
    this.wanted = teaches(this.props.view);
    this.clock = setTimeout(this.ask, after);
  };

  ask = async () => {
    const { view } = this.props;
    if (!teaches(view) || view.over) return this.setState({ lesson: null });
    try {
      const { seq, lessons, exercise, rest } = await get(`/api/tables/${view.table}/lessons`);
      if (seq !== this.props.view.seq) return;
      Object.assign(this, { due: lessons, rest });
      this.setState({ exercise }, () => this.show());
    } catch {
      this.look(AGAIN);
    }
  };

  /** Whether a lesson may be told now: one at a move, after some rest; a second only if its moment passes. */
  fits = ({ id, now }) => {
    const { box, played } = this.props.view;
    const most = now && !this.state.exercise ? AT_ONCE : 1; // whoever is led has enough to read
    const rested = now || Math.abs(played - this.last) >= this.rest;
    return this.here < most && rested && !toldOf(box).includes(id);
  };

  /** The most pressing lesson that was not told here; one that is there stays until it was read or is untrue. */
  show() {
    const { lesson, steps } = this.state;
    if (lesson && (!lesson.fleeting || this.due.some(({ id }) => id === lesson.id))) return;
    const next = this.due.find(this.fits);
    const waits = next && (steps || this.props.waits || document.querySelector(BUSY));
    if (waits) this.look(AGAIN);
    this.setState({ lesson: waits ? null : (next ?? null) });
  }

  /** What was not read does not count as told. */
  done = () => {
    const { box, played } = this.props.view;
    tell(box, this.state.lesson.id);
    this.here += 1;
    this.last = played;
    this.setState({ lesson: null }, () => this.show());
  };

  known = () => {
    wants(this.props.view.box, false);
    this.setState({ lesson: null, exercise: null, quiet: true });
  };

  ready = () => {
    setUp(this.props.view.table);
    this.setState({ steps: null }, () => this.look());
  };

  render({ view, act, waits }, { lesson, steps, plan, exercise, quiet }) {
    if (waits) return null; // what comes up fills the screen
    if (quiet) return html`<${Quiet} onDone=${() => this.setState({ quiet: false })} />`;
    const leads = exercise && !lesson && !view.over && act.mayMove;
    if (steps) return html`<${SettingUp} steps=${steps} plan=${plan} view=${view} act=${act} onDone=${this.ready} />`;
    return html`
      ${!view.over && forChild(view.table, act.seat) && html`<${GoodMoves} view=${view} act=${act} />`}
      ${leads && html`<${Exercise} key=${exercise.id} ...${exercise} child=${forChild(view.table, act.seat)} />`}
      ${
        lesson &&
        html`<${Card}
        key=${lesson.id}
        lesson=${lesson}
        view=${view}
        act=${act}
        onDone=${this.done}
        onKnown=${this.known}
      />`
      }
    `;
  }
}
