// Read aloud by the browser's own voice, where somebody wants it: what came up and its worth, and whose turn it is.
import { say, spoken } from "../words.js";

/** Who is to act, where it is one alone. */
const actor = ({ ask }) => (ask.seats?.length === 1 ? ask.seats[0] : (ask.seat ?? null));

/** What is said of a view that follows another: `words` tell what happened. */
export function announcements(view, before, words) {
  const seat = actor(view);
  const turn = seat !== null && seat !== actor(before) && !view.over;
  const mine = view.me.seat === seat;
  const next = turn && (mine ? say("ui.ask.your_turn") : say("ui.voice.turn", { name: view.seats[seat].name }));
  return [words, next].filter(Boolean).join(". ");
}

/** Says it: what is still being said of an older step is cut short. */
export function readAloud(view, before, words) {
  speak(announcements(view, before, words));
}

/** Says a sentence; what is still being said is cut short. */
export function speak(text) {
  if (!text || !("speechSynthesis" in window)) return;
  const voice = new SpeechSynthesisUtterance(text);
  voice.lang = spoken();
  speechSynthesis.cancel();
  speechSynthesis.speak(voice);
}
