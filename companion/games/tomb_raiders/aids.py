"""Help for the seat whose turn it is: what every choice costs, what it does to the order of play, what is missing.

A table that wants no help (option ``dig_help``) is told neither where marks land, nor the chart, nor what a museum
costs. No odds of a pile are told: they would count it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NotRequired, TypedDict

import msgspec

from companion.games.tomb_raiders.forecast import Forecast, forecast
from companion.games.tomb_raiders.moves import PERMITS, Dig, Donate, Exhibit, Play, Take, gifts, on_display
from companion.games.tomb_raiders.state import LIKE_GENERAL, MOST_WEEKS, Permit, TombTable
from companion.pieces.box_differences import ANOTHER
from companion.referee import Verdict, verdict


class TombCostAnswer(Verdict):
    """May I, and the weeks it takes."""

    total: int


class TombTakeHelp(TombCostAnswer):
    """To take a card."""

    card: str


class TombLand(TypedDict):
    """Where the marker comes to stand, who plays then, whether that is the same seat, whom it would pass or join."""

    week: int
    next: int
    again: bool
    past: list[int]


class TombStepHelp(TypedDict):
    """A step of an exhibition: the weeks, whether the seat's artifacts come to it, and what is missing by region."""

    weeks: int
    reached: bool
    missing: dict[str, int]


class TombExhibitHelp(TombCostAnswer):
    """To exhibit: how many steps the seat's artifacts come to."""

    points: int
    reached: int
    steps: list[TombStepHelp]


class TombMuseumHelp(TombCostAnswer):
    """To give to a museum: the artifacts that cost least, and their worth; null where there are too few."""

    points: int
    artifacts: int
    gift: NotRequired[list[str] | None]
    costs: NotRequired[int | None]


class TombKnowledge(TypedDict):
    """What a seat knows of a region."""

    expertise: int
    general: int
    assistants: int
    total: int


class TombProspects(TypedDict):
    """The chart's row at the knowledge of now, and with one assistant more.

    `forecast` is what everybody may expect by what all have seen; null without the option of that name and with real
    cards.
    """

    knowledge: TombKnowledge
    helped: int
    cards: Sequence[int]
    helped_cards: Sequence[int]
    forecast: Forecast | None


class TombSharedHelp(TypedDict):
    """What everybody may read of the help: where each number of weeks leads, and what each choice takes.

    Where cards are real, `take` is what can be taken.
    """

    seat: int
    storage: list[TombTakeHelp | None]
    take: dict[str, TombTakeHelp]
    exhibitions: dict[str, TombExhibitHelp]
    museums: dict[str, TombMuseumHelp]
    lands: NotRequired[dict[str, TombLand]]
    digs: NotRequired[dict[str, TombProspects]]


class TombDigWeeks(TombCostAnswer):
    """To dig for so many weeks."""

    weeks: int


class TombDigHelp(Verdict):
    """Whether one can dig there, and for how long."""

    weeks: list[TombDigWeeks]


class TombPlayHelp(TombCostAnswer):
    """To play a card of which one has `n`; for a scientist it holds for every region."""

    n: int


class TombKeep(TypedDict):
    """The pile lies open, and one of these artifacts is kept."""

    card: str
    region: str
    artifacts: list[str | None]


class TombHelp(TombSharedHelp, total=False):
    """Help for the eyes of the seat itself too, since it tells of its hand: `permits` are those it can dig with."""

    permits: dict[str, list[str]]
    dig: dict[str, TombDigHelp]
    play: dict[str, TombPlayHelp]
    another: list[str]
    keep: TombKeep | None


def shared_help(table: TombTable) -> TombSharedHelp:
    """What everybody may read of it."""
    terms = table.terms
    shown = on_display(table)
    said: TombSharedHelp = {
        "seat": table.seat,
        "storage": [_take(Take(card), table) if card else None for card in table.state.storage],
        "take": {act.card: _take(act, table) for act in _named(table)} if terms.is_real else {},
        "exhibitions": {card: _exhibit(Exhibit(card), table) for card in shown if card in terms.exhibitions},
        "museums": {card: _museum(card, table) for card in shown if card in terms.museums},
    }
    if terms.helps:
        said["lands"] = {str(weeks): _land(table, weeks) for weeks in range(1, _longest(table) + 1)}
        said["digs"] = {region: _prospects(table, region) for region in terms.regions}
    return said


def help_for(table: TombTable) -> TombHelp:
    """All help for the seat whose turn it is."""
    artifacts = [act.artifact for act in Play.thinkable(table)] if table.choosing else []
    return {
        **shared_help(table),
        "permits": {
            region: [permit for permit in PERMITS if Dig(region, 1, permit).with_card(table)]
            for region in table.terms.regions
        },
        "dig": {region: _dig(table, region) for region in table.terms.regions},
        "play": _plays(table),
        "another": [] if table.choosing else list(table.beyond),
        "keep": {"card": table.task.card, "region": table.task.region, "artifacts": artifacts}
        if table.choosing
        else None,
    }


def _longest(table: TombTable) -> int:
    """The most weeks that a choice can take."""
    terms = table.terms
    taken = (max(card.weeks, card.play_weeks or 0) for card in terms.cards.values())
    held = (step.weeks for card in terms.exhibitions.values() for step in card.steps)
    return max(MOST_WEEKS, *taken, *held, *(card.weeks for card in terms.museums.values()))


def _land(table: TombTable, weeks: int) -> TombLand:
    track = table.state.track
    after = track.advance(table.seat, weeks)
    past = [seat for seat in track.order if seat != table.seat and track.at(seat) <= after.at(table.seat)]
    first = after.furthest_back
    return {"week": after.at(table.seat), "next": first, "again": first == table.seat, "past": past}


def _take(act: Take, table: TombTable) -> TombTakeHelp:
    return {**verdict(act, table), "total": act.weeks_of(table), "card": act.card}


def _named(table: TombTable) -> list[Take]:
    """What can be taken of what the box says; what another card costs is told once it is named."""
    return [act for act in Take.thinkable(table) if act.card != ANOTHER]


def _exhibit(act: Exhibit, table: TombTable) -> TombExhibitHelp:
    printed, reached = table.terms.exhibitions[act.card], act.steps(table)
    steps: list[TombStepHelp] = [
        {"weeks": step.weeks, "reached": nth < reached, "missing": act.missing(table, nth)}
        for nth, step in enumerate(printed.steps)
    ]
    return {
        **verdict(act, table),
        "total": act.weeks_of(table),
        "points": printed.points,
        "reached": reached,
        "steps": steps,
    }


def _museum(card: str, table: TombTable) -> TombMuseumHelp:
    printed = table.terms.museums[card]
    enough = len(table.mine.finds) >= printed.artifacts
    gift = gifts(table, printed.artifacts)[0] if enough else ()
    said = verdict(Donate(card, gift), table)
    told: TombMuseumHelp = {
        "legal": said["legal"],
        "refusal": said["refusal"],
        "total": printed.weeks,
        "points": printed.points,
        "artifacts": printed.artifacts,
    }
    if table.terms.helps:
        costs = sum(table.terms.artifacts[artifact][1] for artifact in gift)
        told["gift"] = list(gift) if enough else None
        told["costs"] = costs if enough else None
    return told


def _prospects(table: TombTable, region: str) -> TombProspects:
    now, helped = table.knowledge(region), table.knowledge(region, more_assistants=1)
    dial = table.terms.dial
    return {
        "knowledge": {
            "expertise": now.expertise,
            "general": now.general,
            "assistants": now.assistants,
            "total": now.total,
        },
        "helped": helped.total,
        "cards": dial.row(now.total) if now.expertise else (0,) * MOST_WEEKS,
        "helped_cards": dial.row(helped.total) if now.expertise else (0,) * MOST_WEEKS,
        "forecast": msgspec.to_builtins(forecast(table, region)) if table.terms.foretells else None,
    }


def _dig(table: TombTable, region: str) -> TombDigHelp:
    """Whether one can dig there, for how long, and why not: with what the hand has, its own card first."""
    permit: Permit = next((permit for permit in PERMITS if Dig(region, 1, permit).with_card(table)), "region")
    rows: list[TombDigWeeks] = [
        {**verdict(Dig(region, weeks, permit), table), "weeks": weeks, "total": weeks}
        for weeks in range(1, MOST_WEEKS + 1)
    ]
    legal = any(row["legal"] for row in rows)
    return {"legal": legal, "refusal": None if legal else rows[-1]["refusal"], "weeks": rows}


def _plays(table: TombTable) -> dict[str, TombPlayHelp]:
    """Every action card that is, or may be, in the hand."""
    held, regions = Counter(table.mine.hand), table.terms.regions
    plays: dict[str, TombPlayHelp] = {}
    for id_, card in table.terms.cards.items():
        if card.play_weeks is not None and id_ != LIKE_GENERAL and table.holds(id_):
            act = Play(id_, regions[0] if card.kind == "scientist" else None)
            plays[id_] = {**verdict(act, table), "n": held[id_], "total": card.play_weeks}
    return plays
