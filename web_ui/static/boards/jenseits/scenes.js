// A dig, for the screen that it fills.
import { afterMove, begins, bagScene, draws } from "../../chrome/scenes.js";
import { newestDig } from "./newest_dig.js";

/** The newest dig: running while the companion draws for it, or the one that was the newest move. */
export function scenes(view, act) {
  const dig = newestDig(view);
  if (!dig) return [];
  const move = view.log.filter((line) => !line.undone && line.kind === "move").at(-1);
  const [drawn] = draws(view, ({ type }) => type === "token").filter((each) => each.move === move);
  if (!drawn && !begins(view)) return [];
  const draw = drawn ?? { id: afterMove(move), by: "companion", lines: [] };
  return [bagScene({ view, act, draw, dig, bags: view.board.bags })];
}
