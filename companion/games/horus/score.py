"""What somebody has brought out of the pyramid, added up."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Finished, Score
from companion.games.horus.cards import IDOL, god, kind, value
from companion.games.horus.state import Adventurer, HorusState, HorusTerms

PARTS = ("treasures", "idols", "chests", "diversity")


def gods_of(cards: Sequence[str]) -> frozenset[str]:
    """The gods of treasures and idols; necklaces and chests have none [HOR-62]."""
    return frozenset(filter(None, map(god, cards)))


def parts_of(terms: HorusTerms, adventurer: Adventurer) -> dict[str, int]:
    """What each part counts for somebody who brings all this out."""
    cards = adventurer.cards
    gods = len(gods_of(cards))
    return {
        "treasures": sum(map(value, cards)),
        "idols": sum(terms.idols[god(card)] for card in cards if kind(card) == IDOL),
        "chests": sum(adventurer.chests),
        "diversity": terms.diversity[gods],
    }


def scored(terms: HorusTerms, state: HorusState) -> Finished:
    """Whoever has left counts; of equals whoever has the idol of Horus wins; nobody out, nobody wins [HOR-63]."""
    scores = []
    for seat, adventurer in enumerate(state.adventurers):
        parts = parts_of(terms, adventurer) if adventurer.fate == "left" else dict.fromkeys(PARTS, 0)
        scores.append(Score(seat, sum(parts.values()), parts))
    out = [seat for seat, each in enumerate(state.adventurers) if each.fate == "left"]
    most = max((scores[seat].total for seat in out), default=0)
    best = tuple(seat for seat in out if scores[seat].total == most)
    with_horus = tuple(seat for seat in best if "idol-horus" in state.adventurers[seat].cards)
    return Finished(tuple(scores), with_horus or best)
