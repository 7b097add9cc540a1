// What has happened, in words, newest first.
import { Component, html, classes } from "../html.js";
import { clock, keyHere, name, say } from "../words.js";

/** A line of the log as a sentence; what was folded into one line is said in one breath. */
export function lineSaid(view, line) {
  if (line.folded) return line.folded.map((each) => lineSaid(view, each)).join(", ");
  const who = line.seat === null || line.seat === undefined ? name(line.by) : view.seats[line.seat].name;
  const facts = { ...line.what, who };
  if (typeof facts.seat === "number") facts.seat = view.seats[facts.seat]?.name ?? "?";
  const kind = facts.type ?? line.kind;
  const key = keyHere(`log.${kind}`);
  const also = line.also?.map((each) => say(keyHere(`log.${each.type}`), each)) ?? [];
  return [key ? say(key, facts) : `${who}: ${kind}`, ...also].join(" · ");
}

/** The log with each run of lines that belong together as one line: `same` tells whether one goes on from the last. */
export function foldedRuns(log, same) {
  const lines = [];
  for (const line of log) {
    const last = lines.at(-1);
    const run = last?.folded ?? (last && [last]);
    if (run && last.undone === line.undone && same(run.at(-1), line)) {
      lines[lines.length - 1] = { ...line, folded: [...run, line] };
    } else lines.push(line);
  }
  return lines;
}

/** @param folded what a board makes one line of. */
export class Log extends Component {
  // It says what a view says: a choice on this screen makes it no other.
  shouldComponentUpdate({ view }) {
    return view !== this.props.view;
  }

  render({ view, act, folded, lines = 40 }) {
    const shown = (folded?.(view.log) ?? view.log).slice(-lines).reverse();
    return html`
      <section class="log" aria-label=${act.say("ui.log.label")}>
        <h2>${act.say("ui.log.label")}</h2>
        <ol tabindex="0" aria-label=${act.say("ui.log.label")}>
          ${shown.map(
            (line) => html`
              <li key=${line.seq} class=${classes(line.undone && "undone", line.kind)}>
                <span>${line.undone ? html`<s>${lineSaid(view, line)}</s>` : lineSaid(view, line)}</span>${" "}
                <time>${clock(line.at)}</time>
              </li>
            `,
          )}
        </ol>
      </section>
    `;
  }
}
