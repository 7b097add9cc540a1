"""Tables of the games played to where there is something to see: laid once for all tests that only look at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.error import HTTPError

from tests.browser.bench import Bench
from tests.browser.tables import STATES, Service, Table
from tests.games.horus import pyramid_tables
from tests.games.jenseits import excavation
from tests.games.tomb_raiders import on_screen
from tests.games.tutankhamun import trays

LONG = ("Maximiliane von Thurn", "Bartholomäus Ö. Grün", "Anne-Sophie Lefèvre", "Giovannantonio B.", "Jo", "Ağaoğlu")


def called_long(service: Service, box: str, seats: int) -> Table:
    """A table of people with long names."""
    return service.lay(box, seats, mode="referee", names=LONG).begun()


PLACES = ("pile", "aside", "discards", "gone", 0, 1, 2, 3)
"""Where a card may lie that is to lie open."""


def _lies_open(table: Table, spot: str, away: str, cards: Sequence[str]) -> Table:
    """These cards lie open, whatever luck has dealt: those with the longest names."""
    for lying in filter(None, table.view["board"][spot]):
        card = lying if isinstance(lying, str) else lying["id"]
        table.correct("card", **{"card": card, "from": spot, "to": away})
    for card in cards:
        assert any(lies(table, card, place, spot) for place in PLACES), card
    return table


def lies(table: Table, card: str, place: str | int, spot: str | int) -> bool:
    """Whether a card that lay there lies at another spot now."""
    try:
        table.correct("card", **{"card": card, "from": place, "to": spot})
    except HTTPError:
        return False
    return True


def _wordy_jenseits(service: Service) -> Table:
    cards = ("special_permit-london", "ethnology-mesopotamia-berlin-2", "open_book-berlin-2", "zeppelin-vienna")
    return _lies_open(excavation.referee(service, 4).begun(), "open", "discards", cards)


def _wordy_raiders(service: Service) -> Table:
    cards = ("general_excavation", "tomb_raiders-mesopotamia", "expertise-mesopotamia-3", "scientist")
    return _lies_open(on_screen.settled(on_screen.laid(service, 4)), "storage", "gone", cards)


def _drawing(service: Service) -> Table:
    """In the middle of a dig, waiting for a press."""
    table, dig = excavation.to_a_dig(excavation.referee(service, pace="press").begun(), 10, tokens=3)
    return table.press("moves", move=dig).deal()


def _most_books(service: Service) -> Table:
    """A game of four, closed early: one of them has the most books about everything."""
    table = excavation.referee(service, 4).begun()
    for bag in table.view["board"]["bags"]:
        book = next(token for token in bag["inside"] if token.startswith("book:"))
        table.press("correct", correction={"type": "token", "site": bag["bag"], "token": book, "from": "bag", "to": 3})
    return excavation.wander(table, 12).press("close")


def _raided(service: Service) -> Table:
    """Late in a game, with exhibitions on display, however the cards lie."""
    table = on_screen.wander(on_screen.laid(service, 4), 60)
    return on_screen.settled(on_screen.wander(table, 60, until=lambda view: len(view["board"]["exhibitions"]) > 1))


SEEN: dict[str, Callable[[Service], Table]] = {
    "jenseits": lambda service: excavation.wander(excavation.referee(service, 4).begun(), 48, 7),
    "jenseits_wordy": _wordy_jenseits,
    "jenseits_start": lambda service: excavation.referee(service, 3, pace="press"),
    "jenseits_pair": lambda service: excavation.wander(excavation.referee(service, 2).begun(), 24),
    "jenseits_drawing": _drawing,
    "jenseits_over": _most_books,
    "tomb_raiders": _raided,
    "tomb_raiders_start": lambda service: on_screen.laid(service, 4),
    "tomb_raiders_wordy": _wordy_raiders,
    "tomb_raiders_real": lambda service: on_screen.settled(on_screen.laid(service, 4, options={"cards": "real"})),
    "tomb_raiders_over": lambda service: on_screen.wander(on_screen.laid(service, 4), 24).press("close"),
    "tomb_raiders_long_names": lambda service: called_long(service, "tomb_raiders", 4),
    "horus_enter": lambda service: pyramid_tables.laid(service, 6),
    "horus_throw": lambda service: pyramid_tables.inside(service, 6),
    "horus": pyramid_tables.acting,
    "horus_lock": pyramid_tables.at_a_lock,
    "horus_laden": pyramid_tables.laden,
    "horus_over": pyramid_tables.out,
    "tutankhamun": lambda service: trays.dug(service, 40, seats=6, open_memory=True),
    "tutankhamun_shovel": lambda service: Bench(service, trays.dug(service, 6, seats=6)).take().table,
    "tutankhamun_dig": lambda service: trays.in_a_turn(trays.dug(service, 26, odds=True)),
    "tutankhamun_closing": lambda service: trays.dig(service, 3).move("pass"),
    "tutankhamun_report": lambda service: trays.dig(service, 4, tray="physical").move("dig", square="b2"),
    "tutankhamun_laying": lambda service: trays.to_lay(service)[0],
    "tutankhamun_over": lambda service: trays.passed(trays.dug(service, 45, seats=3)),
    "tutankhamun_long_names": lambda service: called_long(service, "tutankhamun", 6),
    **{f"{name}_tools": state for name, state in STATES.items()},
}
"""By name, how each is laid. Those of a toolbox end in `_tools`."""
