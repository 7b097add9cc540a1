"""The tools of the box."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.tomb_raiders.box import DECK, TombRaidersBox, token_of
from companion.games.toolbox.bags import BLANK, Bags
from companion.games.toolbox.cards import BACK, OUT, Cards
from companion.games.toolbox.dial import DialTool
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.track import TimeTrack
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial
from companion.pieces.piles import Pile

LAST_OPEN_WEEK = 999
"""A track without end stops somewhere too."""
RING = 52
GENERAL = "excavation-general"


def kit(box: TombRaidersBox, setup: Setup, rules: int) -> Kit:
    """The track of weeks, the chart, and the piles of the regions, which nobody may count."""
    piles = {
        name: {BLANK: region.rubble} | {f"object:{value}": n for value, n in region.artifacts.items()}
        for name, region in box.regions.items()
    }
    behind = box.score.weeks_per_point_behind if rules > 1 else 0
    bags = {name: Bag.of(pile) for name, pile in piles.items()}
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            TimeTrack(0, LAST_OPEN_WEEK, RING, behind=behind),
            DialTool(Dial(box.chart.rows), box.origin("chart.rows")),
            Bags(
                {name: region.colour for name, region in box.regions.items()},
                {name: box.origin(f"regions.{name}.artifacts") for name in box.regions},
                printed=bags,
                uncounted=True,
                piles={name: Pile(pile) for name, pile in bags.items()} if rules > 1 else {},
                deck=DECK if rules > 1 else "",
                real=rules > 1 and setup.source("tokens") == "table",
            ),
            *((_cards(box, len(setup.seats)),) if rules > 1 else ()),
        ),
        loose={
            name: part if name == DECK else replace(part, kinds=tuple(map(token_of, part.kinds)))
            for name, part in box.loose.items()
        },
    )


def _cards(box: TombRaidersBox, seats: int) -> Cards:
    """The draw pile, by faces and by backs; the spaces where cards lie; the professors; the excavation cards."""
    hand = box.hands[seats]
    given = {name: hand.general if name == GENERAL else hand.per_region for name in box.excavation_cards}
    dealt = tuple(name for name, count in given.items() for _ in range(count))
    left = tuple(name for name, count in box.excavation_cards.items() for _ in range(count - seats * given[name]))
    shown = {**dict.fromkeys(box.exhibitions, "exhibitions"), **dict.fromkeys(box.museums, "museums")}
    backs = {f"{BACK}{name}": sum(pile.values()) for name, pile in box.piles.items()}
    copies = {card.id: card.copies for card in box.small_cards.values()}
    return Cards(
        printed={DECK: Bag.of(copies | dict.fromkeys(shown, 1) | backs)},
        places={
            "storage": (),
            "exhibitions": (),
            "museums": (),
            "professors": (*(f"professor-{name}" for name in box.regions), "professor-best_knowledge"),
            OUT: left,
        },
        goes={**dict.fromkeys(copies, "storage"), **shown},
        origins={DECK: box.origin("deck.cards")},
        dealt=dealt,
        clock=DECK,
    )


TOOLS = Tools(kit, randomizers=("start", "tokens", "decks"))
