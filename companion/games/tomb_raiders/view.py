"""What a screen shows of a game of The Tomb Raiders (seats by their index, regions by name, cards by id).

The catalogue has ``name.<id>`` for every card, region and artifact. For help before a move, see `aids`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

from companion.games.tomb_raiders.moves import by_region, on_display
from companion.games.tomb_raiders.state import BEST, RUBBLE, PileLook, Raider, TombTable, score_of


class TombMarkerShown(TypedDict):
    """A seat's marker; height 0 is the lowest of a stack."""

    seat: int
    week: int
    at: int
    height: int


class TombTrack(TypedDict):
    """The time track; `next` are the seats, who plays first."""

    weeks: int | None
    ring: bool
    markers: list[TombMarkerShown]
    next: list[int]


class TombStep(TypedDict):
    """A step of an exhibition: how many objects of which region, and the weeks it then takes."""

    objects: dict[str, int]
    weeks: int


class TombExhibitionShown(TypedDict):
    """An exhibition, as it is printed."""

    id: str
    points: int
    steps: list[TombStep]


class TombMuseumShown(TypedDict):
    """A museum: how many artifacts it asks for."""

    id: str
    artifacts: int
    points: int
    weeks: int


class TombCardShown(TypedDict):
    """A card that can come into storage; `play_weeks` is null where it is for no hand."""

    id: str
    kind: str
    region: str | None
    worth: int
    weeks: int
    play_weeks: int | None
    copies: int


class TombDeck(TypedDict):
    """How many green cards are to come (null where the pile is real), how many were taken, and after how many the draw
    pile is empty for certain."""

    left: int | None
    takes: int
    most: int


class TombArtifact(TypedDict):
    """An artifact: what it is worth, and how many of its copies lie before seats or have left the game."""

    value: int
    copies: int
    laid: int


class TombRegion(TypedDict):
    """A region, and what is printed on its cards. How much lies on its pile is nowhere: nobody may count it."""

    id: str
    colour: str
    artifacts: dict[str, TombArtifact]
    rubble: int


class TombProfessor(TypedDict):
    """A professor, of a region or "best"; `seat` is null while nobody has it."""

    id: str
    threshold: int
    points: int
    seat: int | None


class TombTask(TypedDict):
    """What a seat does at a pile: dig, steal, look or keep."""

    does: str
    seat: int
    region: str
    card: str | None
    of: int
    drawn: list[str]


class TombSeat(TypedDict):
    """A seat: how many cards are in its hand, and all that lies open before it."""

    hand: int
    cards: list[str]
    expertise: dict[str, int]
    general: int
    known: int
    assistants: int
    finds: list[str]
    by_region: dict[str, int]
    congresses: int
    exhibitions: list[str]
    museums: list[str]
    professors: list[str]


TombChart = TypedDict("TombChart", {"rows": Sequence[Sequence[int]], "from": str})
"""The chart, 12 by 12: knowledge, weeks; and where its figures are from."""


class TombSeatScore(TypedDict):
    """What a seat has as it stands."""

    seat: int
    total: int
    parts: dict[str, int]


class TombBoard(TypedDict):
    """The board of The Tomb Raiders.

    `phase`: "opening" is the stack of markers, "pile" somebody at a pile, "choosing" a seat that has a pile open before
    it and is to keep a card. `way` is whose the cards are. `storage` has four places, empty where the cards are real;
    `exhibitions` and `museums` are on display, where the cards are real all that nobody has yet. `cards` has every card
    that can come into storage; where the cards are real also `action-<weeks>`, one for the hand that nobody has shown.
    `house` says what bears a figure of our own, `gone` what has left the game; `congresses` are the points for 0, 1,
    2 … of them.
    """

    phase: str
    way: str
    thief: str
    track: TombTrack
    storage: list[str | None]
    exhibitions: list[TombExhibitionShown]
    museums: list[TombMuseumShown]
    cards: dict[str, TombCardShown]
    deck: TombDeck
    regions: list[TombRegion]
    professors: list[TombProfessor]
    task: TombTask | None
    seats: list[TombSeat]
    chart: TombChart
    house: list[str]
    gone: dict[str, int]
    scores: list[TombSeatScore]
    congresses: Sequence[int]


class TombInHand(TypedDict):
    """Excavation and action cards in a hand: how many of one kind, and the weeks to play it, null for an excavation
    card."""

    id: str
    n: int
    kind: str
    region: str | None
    weeks: int | None


class TombLookSeen(TypedDict):
    """What a seat saw in a pile, until its next move."""

    region: str
    artifacts: list[str]
    rubble: bool


class TombHandShown(TypedDict):
    """What one seat alone sees: its hand, and of the cards that nobody has shown, where these are real, how many it
    has."""

    hand: list[TombInHand]
    unknown: dict[str, int]
    look: TombLookSeen | None


def board_of(table: TombTable) -> TombBoard:
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
        "house": house(table),
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


def hand_of(table: TombTable) -> TombHandShown:
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


def exhibition(table: TombTable, card: str) -> TombExhibitionShown:
    """What is printed on an exhibition."""
    printed = table.terms.exhibitions[card]
    steps: list[TombStep] = [{"objects": dict(step.objects), "weeks": step.weeks} for step in printed.steps]
    return {"id": card, "points": printed.points, "steps": steps}


def museum(table: TombTable, card: str) -> TombMuseumShown:
    """What is printed on a museum."""
    printed = table.terms.museums[card]
    return {"id": card, "artifacts": printed.artifacts, "points": printed.points, "weeks": printed.weeks}


def _track(table: TombTable) -> TombTrack:
    track = table.state.track
    marks = [(seat, track.at(seat)) for seat in range(table.terms.seats)]
    markers: list[TombMarkerShown] = [
        {"seat": seat, "week": at, "at": at, "height": track.stack(at).index(seat)} for seat, at in marks
    ]
    return {
        "weeks": None,
        "ring": False,
        "markers": markers,
        "next": [] if table.stacking else list(track.order),
    }


def _cards(table: TombTable) -> dict[str, TombCardShown]:
    cards: dict[str, TombCardShown] = {
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
        cards[kind] = {
            "id": kind,
            "kind": "action",
            "region": None,
            "worth": 0,
            "weeks": weeks,
            "play_weeks": None,
            "copies": copies,
        }
    return cards


def _region(table: TombTable, region: str) -> TombRegion:
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


def _professor(table: TombTable, name: str) -> TombProfessor:
    asked = table.terms.box.professors
    printed = asked.best_knowledge if name == BEST else asked.region
    seat = table.state.professors.get(name)
    return {"id": name, "threshold": printed.threshold, "points": printed.points, "seat": seat}


def _task(table: TombTable) -> TombTask | None:
    task = table.state.task
    if task is None:
        return None
    return {
        "does": task.does,
        "seat": task.seat,
        "region": task.region,
        "card": task.card or None,
        "of": task.of,
        "drawn": list(task.drawn),
    }


def _seat(table: TombTable, seat: int, mine: Raider) -> TombSeat:
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


def _in_hand(table: TombTable, card: str, n: int) -> TombInHand:
    printed = table.terms.cards.get(card)
    kind = card.split("-", maxsplit=1)[0] if printed is None else printed.kind
    region = card.removeprefix("excavation-") if printed is None else printed.region
    weeks = None if printed is None else printed.play_weeks
    return {"id": card, "n": n, "kind": kind, "region": region, "weeks": weeks}


def _look(look: PileLook) -> TombLookSeen:
    return {"region": look.region, "artifacts": list(look.artifacts), "rubble": look.rubble}


def _score(table: TombTable) -> TombSeatScore:
    score = score_of(table)
    return {"seat": score.seat, "total": score.total, "parts": dict(score.parts)}
