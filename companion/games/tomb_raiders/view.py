"""What a screen shows of a game of The Tomb Raiders (seats by their index, regions by name, cards by id).

The board, the same for everybody:

``phase``        ``"opening"`` (the stack of markers), ``"turn"``, ``"pile"`` (somebody is at a pile), ``"choosing"``
                 (a seat has a pile open before it and is to keep a card), ``"filling"`` or ``"over"``
``way``          whose the cards are: ``"companion"``, ``"mixed"`` or ``"real"``
``thief``        ``"blind"`` or ``"chosen"``
``track``        as a toolbox's: ``markers`` ``[{seat, week, at, height}]`` (height 0 is the lowest of a stack),
                 ``next`` (seats, who plays first), ``weeks``, ``ring``
``storage``      four places, each null or a card; empty where the cards are real
``exhibitions``  on display ``[{id, points, steps: [{objects {region: n}, weeks}]}]``; where the cards are real, all
                 that nobody has yet
``museums``      likewise ``[{id, artifacts, points, weeks}]``
``cards``        every card that can come into storage, by id ``{id, kind, region, worth, weeks, play_weeks, copies}``
                 (``play_weeks`` null where it is for no hand); where the cards are real also ``action-<weeks>``, one
                 for the hand that nobody has shown (kind ``"action"``)
``deck``         ``{left, takes, most}``: green cards that are still to come (null where the pile is real), cards taken
                 so far, and after how many the draw pile is empty for certain
``regions``      ``[{id, colour, artifacts {id: {value, copies, laid}}, rubble}]``: what is printed, and how many lie
                 before seats or have left the game. How much lies on a pile is nowhere: nobody may count it
``professors``   ``[{id, threshold, points, seat}]``: id is a region or ``"best"``; seat is null while nobody has it
``task``         null, or what a seat does at a pile: ``{does: "dig" | "steal" | "look" | "keep", seat, region, card,
                 of, drawn [card]}``
``seats``        for each seat ``{hand: how many cards, cards [id], expertise {region: n}, general, known, assistants,
                 finds [artifact], by_region {region: n}, congresses, exhibitions [id], museums [id], professors [id]}``
``chart``        ``rows`` (12 by 12: knowledge, weeks), ``from`` (where the figures are from)
``gone``         what has left the game, ``{id: how many}``
``scores``       as they stand: for each seat ``{seat, total, parts {artifacts, exhibitions, professors, museums,
                 congresses, weeks}}``
``congresses``   points for 0, 1, 2 … congresses

``you``, for one seat's eyes alone:

``hand``         ``[{id, n, kind, region, weeks}]``: the excavation and action cards in its hand (``weeks``: to play it,
                 null for an excavation card)
``unknown``      ``{"action-1": n}``: those that nobody has shown, where the cards are real
``look``         null, or what it saw in a pile, until its next move: ``{region, artifacts [id], rubble: bool}``

The catalogue has ``name.<id>`` for every card, region and artifact. For help before a move, see `aids`.
"""

from __future__ import annotations

from collections import Counter

from companion.game import Json
from companion.games.tomb_raiders.moves import by_region, on_display
from companion.games.tomb_raiders.state import BEST, RUBBLE, PileLook, Raider, TombTable, score_of
from companion.parts import Facts


def board_of(table: TombTable) -> Facts:
    """What everybody may see."""
    state, terms = table.state, table.terms
    shown = on_display(table)
    return {
        "phase": phase_of(table),
        "way": terms.way,
        "thief": terms.thief,
        "track": _track(table),
        "storage": list(state.storage),
        "exhibitions": [exhibition(table, card) for card in shown if card in terms.exhibitions],
        "museums": [museum(table, card) for card in shown if card in terms.museums],
        "cards": _cards(table),
        "deck": {
            "left": None if terms.is_real else state.deck.total,
            "takes": table.taken if terms.rules > 1 else state.takes,
            "most": terms.most_takes,
        },
        "regions": [_region(table, region) for region in terms.regions],
        "professors": [_professor(table, name) for name in (*terms.regions, BEST)],
        "task": _task(table),
        "seats": [_seat(table, seat, mine) for seat, mine in enumerate(state.seats)],
        "chart": {"rows": terms.dial.rows, "from": terms.box.origin("chart.rows")},
        "house": list[Json](house(table)),
        "gone": dict(sorted(Counter(state.gone).items())),
        "scores": [_score(table.by(seat)) for seat in range(terms.seats)],
        "congresses": terms.box.score.congresses,
    }


def house(table: TombTable) -> list[str]:
    """What bears a figure that no source tells: the artifacts of a region by their worth, cards by weeks and points; an
    exhibition by its id, where its steps are such.
    """
    box = table.terms.box
    keys = {f"artifact-{region}": f"regions.{region}.artifacts" for region in table.terms.regions}
    keys |= {"exhibition": "deck.exhibitions.2.points", "museum": "deck.museums.1.points"}
    keys |= {card: f"deck.exhibitions.{nth}.steps" for nth, card in enumerate(table.terms.exhibitions, 1)}
    ours = [what for what, key in keys.items() if box.origin(key) == "house"]
    lines = enumerate(box.deck.cards, 1)
    return ours + sorted({card.kind for nth, card in lines if box.origin(f"deck.cards.{nth}.weeks") == "house"})


def hand_of(table: TombTable) -> Facts:
    """What only the seat whose hand it is sees."""
    mine, look = table.mine, table.mine.look
    return {
        "hand": [_in_hand(table, card, n) for card, n in sorted(Counter(mine.hand).items())],
        "unknown": dict(sorted(Counter(mine.unknown).items())),
        "look": None if look is None else _look(look),
    }


def phase_of(table: TombTable) -> str:
    """What the table is at."""
    if table.stacking:
        return "opening"
    if table.over:
        return "over"
    if table.state.task is not None:
        return "choosing" if table.choosing else "pile"
    return "filling" if table.filling or table.state.topping else "turn"


def exhibition(table: TombTable, card: str) -> Facts:
    """What is printed on an exhibition."""
    printed = table.terms.exhibitions[card]
    steps: list[Json] = [{"objects": dict(step.objects), "weeks": step.weeks} for step in printed.steps]
    return {"id": card, "points": printed.points, "steps": steps}


def museum(table: TombTable, card: str) -> Facts:
    """What is printed on a museum."""
    printed = table.terms.museums[card]
    return {"id": card, "artifacts": printed.artifacts, "points": printed.points, "weeks": printed.weeks}


def _track(table: TombTable) -> Facts:
    track = table.state.track
    marks = [(seat, track.at(seat)) for seat in range(table.terms.seats)]
    markers: list[Json] = [
        {"seat": seat, "week": at, "at": at, "height": track.stack(at).index(seat)} for seat, at in marks
    ]
    return {
        "weeks": None,
        "ring": False,
        "markers": markers,
        "next": [] if table.stacking else list(track.order),
    }


def _cards(table: TombTable) -> Facts:
    cards: Facts = {
        id_: {
            "id": id_,
            "kind": card.kind,
            "region": card.region,
            "worth": card.worth,
            "weeks": card.weeks,
            "play_weeks": card.play_weeks,
            "copies": card.copies,
        }
        for id_, card in table.terms.cards.items()
    }
    for kind, may_be in table.terms.unknown.items() if table.terms.is_real else ():
        weeks, copies = table.terms.cards[may_be[0]].weeks, sum(table.terms.cards[card].copies for card in may_be)
        unknown: Facts = {"id": kind, "kind": "action", "region": None, "worth": 0, "weeks": weeks}
        cards[kind] = {**unknown, "play_weeks": None, "copies": copies}
    return cards


def _region(table: TombTable, region: str) -> Facts:
    printed = table.terms.box.regions[region]
    laid = Counter(card for mine in table.state.seats for card in mine.finds) + Counter(table.state.gone)
    cards = table.cards_of(region)
    artifacts = {card: worth for card, (_, worth) in table.terms.artifacts.items() if card in cards}
    return {
        "id": region,
        "colour": printed.colour,
        "artifacts": {
            card: {"value": value, "copies": cards[card], "laid": laid[card]} for card, value in artifacts.items()
        },
        "rubble": cards.get(f"{RUBBLE}{region}", 0),
    }


def _professor(table: TombTable, name: str) -> Facts:
    asked = table.terms.box.professors
    printed = asked.best_knowledge if name == BEST else asked.region
    seat = table.state.professors.get(name)
    return {"id": name, "threshold": printed.threshold, "points": printed.points, "seat": seat}


def _task(table: TombTable) -> Facts | None:
    task = table.state.task
    if task is None:
        return None
    facts: Facts = {"does": task.does, "seat": task.seat, "region": task.region, "card": task.card or None}
    return {**facts, "of": task.of, "drawn": list(task.drawn)}


def _seat(table: TombTable, seat: int, mine: Raider) -> Facts:
    terms, own = table.terms, Counter(mine.cards)
    origins = by_region(mine.finds)
    return {
        "hand": len(mine.hand) + len(mine.unknown),
        "cards": list(mine.cards),
        "expertise": dict(mine.expertise),
        "general": mine.general,
        "known": mine.known,
        "assistants": mine.assistants,
        "finds": list(mine.finds),
        "by_region": {region: origins[region] for region in terms.regions},
        "congresses": own["congress"],
        "exhibitions": [card for card in mine.cards if card in terms.exhibitions],
        "museums": [card for card in mine.cards if card in terms.museums],
        "professors": [name for name, holder in table.state.professors.items() if holder == seat],
    }


def _in_hand(table: TombTable, card: str, n: int) -> Facts:
    printed = table.terms.cards.get(card)
    kind = card.split("-", maxsplit=1)[0] if printed is None else printed.kind
    region = card.removeprefix("excavation-") if printed is None else printed.region
    weeks = None if printed is None else printed.play_weeks
    return {"id": card, "n": n, "kind": kind, "region": region, "weeks": weeks}


def _look(look: PileLook) -> Facts:
    return {"region": look.region, "artifacts": list(look.artifacts), "rubble": look.rubble}


def _score(table: TombTable) -> Facts:
    score = score_of(table)
    return {"seat": score.seat, "total": score.total, "parts": dict(score.parts)}
