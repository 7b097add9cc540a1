"""What came of games among bots, as a table to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, pstdev

from companion.drawing.paper import aligned
from companion.refusals import Fact
from companion.search.contests import Contest
from companion.trials import Trial
from companion.words import own, say

HEADS = ("spread", "least", "most", "wins")


def trial_lines(language: str, box: str, title: str, seed: int, summary: Trial) -> Iterator[str]:
    """Seat under seat: mean and spread of its scores, the extremes, and its wins; then lengths and endings."""

    def said(key: str, **facts: Fact) -> str:
        return say(language, own(language, f"bots.{key}", (box,)) or key, facts)

    def rounded(figure: float) -> str:
        return f"{figure:.1f}".replace(".", said("decimal"))

    def percent(count: float) -> str:
        return said("percent", share=f"{100 * count / games:.0f}")

    games = len(summary.scores)
    yield said("title", title=title, n=games, seed=seed)
    yield ""
    rows = [[said("seat"), said("bot"), said("mean"), *map(said, HEADS), ""]]
    for seat, (bot, wins) in enumerate(zip(summary.bots, summary.wins, strict=True)):
        mine = [scores[seat] for scores in summary.scores]
        figures = [rounded(fmean(mine)), f"± {rounded(pstdev(mine))}", str(min(mine)), str(max(mine))]
        rows.append([str(seat + 1), said(f"kind.{bot}"), *figures, rounded(wins), percent(wins)])
    yield from aligned(rows, right=[0, *range(2, 8)])
    if summary.shared:
        yield said("shared", n=summary.shared)
    yield ""
    yield said("length", mean=round(fmean(summary.steps)), least=min(summary.steps), most=max(summary.steps))
    yield said("ends")
    often = sorted(summary.endings.items(), key=lambda ending: -ending[1])
    ends = [[str(count), percent(count), said(ending)] for ending, count in often]
    yield from ("  " + line for line in aligned(ends, right=[0, 1]))


CONTEST = ("bot", "games", "won", "points", "others", "ahead", "seconds", "slowest")
"""The heads of a table of contests."""
WIDE = (12, 6, 14, 8, 8, 14, 10, 10)


def contest_heads(language: str, title: str, seats: int, against: str, seed: int) -> Iterator[str]:
    """What the rows of a table of contests are about, and its heads."""

    def said(key: str, **facts: Fact) -> str:
        return say(language, f"contest.{key}", facts)

    yield said("title", title=title, seats=seats, bot=against, seed=seed)
    yield said("paired")
    yield ""
    yield _row([said(head) for head in CONTEST])


def contest_row(language: str, bot: str, found: Contest) -> str:
    """What came of a contest, in a line."""

    def rounded(figure: float, digits: int = 1) -> str:
        return f"{figure:.{digits}f}".replace(".", say(language, "bots.decimal", {}))

    won, ahead = found.won, found.ahead
    cells = (
        bot,
        str(found.games),
        f"{rounded(100 * won.mean)} ± {rounded(100 * won.within)}",
        rounded(found.points),
        rounded(found.others),
        f"{rounded(ahead.mean)} ± {rounded(ahead.within)}",
        rounded(found.seconds, 3),
        rounded(found.slowest, 2),
    )
    return _row(cells)


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return " ".join((first.ljust(WIDE[0]), *(cell.rjust(wide) for cell, wide in zip(others, WIDE[1:], strict=True))))
