// Who has won, in words.

/** Who has won and by what: the most, among equals the idol of Horus; or nobody at all. */
export function wonSaid(view, act) {
  const { scores, winners } = view.ask;
  if (!winners.length) return act.say("horus.page.mummies_win");
  const names = winners.map((seat) => view.seats[seat].name);
  const most = scores.find((score) => score.seat === winners[0]).total;
  const level = scores.filter((score) => view.board.seats[score.seat].fate === "left" && score.total === most);
  const won = act.say("ui.over.won", { n: names.length, names });
  return level.length > winners.length ? `${won} ${act.say("horus.page.by_horus")}` : won;
}
