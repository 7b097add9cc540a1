"""Help for the seat whose turn it is: what every choice costs, what it does to the order of play, what is missing.

``seat``         for whom
``lands``        ``{weeks: {week, next, again, past [seat]}}`` for 1 week to the most that a choice takes: where the
                 marker comes to stand, who plays then, whether it is the same seat again, whom it would pass or join
``storage``      for each of the four spaces null or ``{card, …answer}``
``take``         ``{card: {card, …answer}}``: what can be taken, where cards are real
``exhibitions``  ``{card: {points, reached, steps [{weeks, reached, missing {region: n}}], …answer}}``: ``reached``
                 is how many steps the seat's artifacts come to, and ``total`` the weeks it would then take
``museums``      ``{card: {points, artifacts, costs, gift [artifact], …answer}}``: ``gift`` are the artifacts that cost
                 least, ``costs`` the points they are worth; both null where there are too few
``digs``         ``{region: {knowledge {expertise, general, assistants, total}, helped, cards [12],
                 helped_cards [12], forecast}}``: the chart's row at the knowledge of now, and with one assistant more;
                 ``forecast`` is null without the option of that name and with real cards, else what everybody may
                 expect by what all have seen: ``{lie: how many cards, cards [], points []}``, the last two by how many
                 cards the chart shows, from 0 on

Only for the eyes of the seat itself, since they tell of its hand:

``permits``      ``{region: ["region", "general"]}``: what it can dig with
``dig``          ``{region: {legal, refusal, weeks: [{weeks, …answer} for 1 to 12]}}``
``play``         ``{card: {n, …answer}}``; for a scientist the answer holds for every region
``keep``         null, or ``{card, region, artifacts [id]}``: the pile lies open, and one of these is kept

An answer is ``legal``, ``refusal``: null, or ``{code, key, rule, facts}``, and ``total``, the weeks it takes. A table
that wants no help (option ``dig_help``) has neither ``lands``, nor ``digs``, nor what a museum costs. No odds of a pile
are told: they would count it.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.game import Json
from companion.games.tomb_raiders.forecast import forecast
from companion.games.tomb_raiders.moves import PERMITS, Dig, Donate, Exhibit, Play, Take, gifts, on_display
from companion.games.tomb_raiders.state import LIKE_GENERAL, MOST_WEEKS, Permit, TombTable
from companion.parts import Facts
from companion.pieces.box_differences import ANOTHER
from companion.referee import answer


def shared_help(table: TombTable) -> Facts:
    """What everybody may read of it."""
    terms = table.terms
    shown = on_display(table)
    said: Facts = {
        "seat": table.seat,
        "storage": [card and _take(Take(card), table) for card in table.state.storage],
        "take": {act.card: _take(act, table) for act in _named(table)} if terms.is_real else {},
        "exhibitions": {card: _exhibit(Exhibit(card), table) for card in shown if card in terms.exhibitions},
        "museums": {card: _museum(card, table) for card in shown if card in terms.museums},
    }
    if terms.helps:
        said["lands"] = {str(weeks): _land(table, weeks) for weeks in range(1, _longest(table) + 1)}
        said["digs"] = {region: _prospects(table, region) for region in terms.regions}
    return said


def help_for(table: TombTable) -> Facts:
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


def _land(table: TombTable, weeks: int) -> Facts:
    track = table.state.track
    after = track.advance(table.seat, weeks)
    past: list[Json] = [seat for seat in track.order if seat != table.seat and track.at(seat) <= after.at(table.seat)]
    first = after.furthest_back
    return {"week": after.at(table.seat), "next": first, "again": first == table.seat, "past": past}


def _take(act: Take, table: TombTable) -> Facts:
    return {"card": act.card, **answer(act, table, total=act.weeks_of(table))}


def _named(table: TombTable) -> list[Take]:
    """What can be taken of what the box says; what another card costs is told once it is named."""
    return [act for act in Take.thinkable(table) if act.card != ANOTHER]


def _exhibit(act: Exhibit, table: TombTable) -> Facts:
    printed, reached = table.terms.exhibitions[act.card], act.steps(table)
    steps: list[Json] = [
        {"weeks": step.weeks, "reached": nth < reached, "missing": act.missing(table, nth)}
        for nth, step in enumerate(printed.steps)
    ]
    return answer(act, table, total=act.weeks_of(table), points=printed.points, reached=reached, steps=steps)


def _museum(card: str, table: TombTable) -> Facts:
    printed = table.terms.museums[card]
    enough = len(table.mine.finds) >= printed.artifacts
    gift = gifts(table, printed.artifacts)[0] if enough else ()
    facts: Facts = {"total": printed.weeks, "points": printed.points, "artifacts": printed.artifacts}
    if table.terms.helps:
        costs = sum(table.terms.artifacts[artifact][1] for artifact in gift)
        facts |= {"gift": list(gift) if enough else None, "costs": costs if enough else None}
    return answer(Donate(card, gift), table, **facts)


def _prospects(table: TombTable, region: str) -> Facts:
    now, helped = table.knowledge(region), table.knowledge(region, more_assistants=1)
    dial = table.terms.dial
    return {
        "knowledge": dict(now._asdict()),
        "helped": helped.total,
        "cards": dial.row(now.total) if now.expertise else (0,) * MOST_WEEKS,
        "helped_cards": dial.row(helped.total) if now.expertise else (0,) * MOST_WEEKS,
        "forecast": msgspec.to_builtins(forecast(table, region)) if table.terms.foretells else None,
    }


def _dig(table: TombTable, region: str) -> Facts:
    """Whether one can dig there, for how long, and why not: with what the hand has, its own card first."""
    permit: Permit = next((permit for permit in PERMITS if Dig(region, 1, permit).with_card(table)), "region")
    rows = [answer(Dig(region, weeks, permit), table, weeks=weeks, total=weeks) for weeks in range(1, MOST_WEEKS + 1)]
    legal = any(row["legal"] for row in rows)
    return {"legal": legal, "refusal": None if legal else rows[-1]["refusal"], "weeks": rows}


def _plays(table: TombTable) -> Facts:
    """Every action card that is, or may be, in the hand."""
    held, regions = Counter(table.mine.hand), table.terms.regions
    plays: Facts = {}
    for id_, card in table.terms.cards.items():
        if card.play_weeks is not None and id_ != LIKE_GENERAL and table.holds(id_):
            act = Play(id_, regions[0] if card.kind == "scientist" else None)
            plays[id_] = answer(act, table, n=held[id_], total=card.play_weeks)
    return plays
