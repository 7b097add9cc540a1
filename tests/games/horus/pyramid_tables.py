"""Tables of The Pyramid of Horus at a running service, played to where there is something to see."""

from __future__ import annotations

from tests.browser.tables import Service, Table

WHO = ("ardila", "gore", "rice", "sarti", "chartier", "wahab")
SIXES = [6, 6, 6, 6, 6]


def laid(service: Service, seats: int = 3, **options: object) -> Table:
    """A table whose dice, cards and blocks are real, before anybody has chosen."""
    return service.lay("horus", seats, mode="referee", sources={"default": "table"}, options=options)


def inside(service: Service, seats: int = 3) -> Table:
    """Everybody is on an entrance, and the dice are about to be rolled."""
    table = laid(service, seats)
    for seat, who in enumerate(WHO[:seats]):
        table.move("enter", adventurer=who, square=str(seat % 4 + 1))
    while table.view["board"]["asking"] == "ready":
        table.move("ready")
    return table


def rolled(table: Table, dice: list[int] | None = None) -> Table:
    """After a throw of all five dice."""
    return table.press("outcome", outcome=dice or SIXES)


def searched(table: Table, *cards: str) -> Table:
    """After whoever acts has found these."""
    for card in cards:
        table.move("search").deal(card)
    return table


def put(table: Table, seat: int, square: str, actions: int = 5) -> Table:
    """A figure stands elsewhere, as the table shows, and has so many actions."""
    table.press("correct", correction={"type": "figure", "seat": seat, "square": square})
    return table.press("correct", correction={"type": "actions", "seat": seat, "n": actions})


def at_a_lock(service: Service) -> Table:
    """Before the alcove of Horus; two numbers are missing, and there are a crowbar and an ability."""
    table = put(searched(rolled(inside(service)), "crowbar", "udjat", "satchel"), 0, "H3")
    return rolled(table.move("pick"), [1, 2, 2, 4, 6])


def laden(service: Service) -> Table:
    """A round later: six play, a block lies, and the first may lay cards off before the level is read."""
    table = searched(rolled(inside(service, 6)), "crowbar", "satchel", "necklace-2", "necklace-3", "snake")
    while table.view["ask"]["kind"] == "move":
        table.move("end")
    rolled(table, [4, 4, 1, 1, 1]).deal(13)
    while table.view["board"]["turn"] != 0:
        table.move("ready")
    return table


def acting(service: Service) -> Table:
    """Six play; blocks lie, and a square has but one way out."""
    table = laden(service)
    while table.view["board"]["asking"] == "ready":
        table.move("ready")
    return put(rolled(table, [1, 5, 3, 4, 6]), table.view["ask"]["seat"], "30")


def out(service: Service) -> Table:
    """Two got out, one with a chest; the third is sealed in."""
    table = put(rolled(inside(service)), 0, "31").move("search").deal("chest")
    put(table, 0, "18").move("search").deal("treasure-hededet-5")
    put(table, 0, "1").move("step", to="outside")
    table.move("step", to="outside")
    put(table, 2, "33")
    for block in (31, 35, 34, 23):
        table.press("correct", correction={"type": "fallen", "number": block, "fallen": True})
    return table.deal(4)
