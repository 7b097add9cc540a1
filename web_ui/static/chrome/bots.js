// What is seen of bots: a sign in the row of a seat, and what is to be said of one.
import { html, classes } from "../html.js";

const SIGNS = {
  bot: "M12 2V5M5 7H19V18H5ZM2 11V14M22 11V14M9 11V13M15 11V13M9 21H15",
  away: "M15 3A9 9 0 1 0 21 15A7 7 0 0 1 15 3Z",
};

/** What a bot is doing, or how its seat is played, as a sentence; nothing where a person plays. */
export function botSaid(view, act, seat) {
  const { kind = "person", bot, name } = view.seats[seat];
  if (kind === "person") return null;
  return act.say(`ui.bot.${bot ?? (kind === "away" ? "away" : "moves")}`, { name });
}

/** In a seat's row: that no person plays there, and whether a bot thinks. */
export function BotSign({ view, act, seat }) {
  const { kind = "person", bot } = view.seats[seat];
  if (kind === "person") return null;
  const text = act.say(kind === "away" ? "ui.bot.gone" : "ui.bot.mark");
  return html`
    <span class=${classes("bot-sign", bot === "thinks" && "thinks")} title=${botSaid(view, act, seat)}>
      <svg class="glyph" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d=${SIGNS[kind === "away" ? "away" : "bot"]} />
      </svg>
      <span class="unseen">${text}</span>
    </span>
  `;
}
