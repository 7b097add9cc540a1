"""What people do at a table, in short, in a window of any browser: lay, roll, draw, dig, lift, and lose the link."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion import games
from tests.browser.bench import Bench
from tests.browser.drivers import Window
from tests.browser.tables import Service, Table
from tests.games.jenseits.excavation import SITES, to_a_dig

BOARD = ".board > *"
SQUARE = "b2"
WEEKS = 6
WINDOWS = 7
SECOND_TAP = 0.9
"""So many seconds a button of a lift takes no press when it is new."""


TOURED = "() => localStorage.setItem('digside-toured', '1')"


def come(window: Window, service: Service) -> None:
    """The first page, of somebody who has been shown round before."""
    window.go(service.url, ready=".box-cover")
    window.run(TOURED)


def sit(window: Window, table: Table) -> Table:
    """As the host, by the link that a code holds."""
    window.go(table.address(table.host), ready=BOARD)
    return table


def through(window: Window) -> None:
    """What came up fills the screen; a press, and the table is there again."""
    window.see(".scene-player.whole")
    window.press("To the table", ".scene-player")
    window.see(".scene-player", times=0)


def lay_and_roll(window: Window, service: Service) -> None:
    """A table is laid from the shelf; dice are rolled and a block falls."""
    come(window, service)
    window.press("The Pyramid of Horus")
    window.press("only lends tools")
    window.press("Start game")
    window.see(BOARD)
    window.press("Roll", ".dice-tool")
    through(window)
    window.see(".dice-tool .die:not(.unrolled)", times=5)
    window.press("Draw a block")
    through(window)
    window.see(".log li", "falls")


def draw_and_lose_the_link(window: Window, service: Service) -> None:
    """Tokens come out of a bag; the service is gone, which is said, and is found again where it was."""
    come(window, service)
    table = sit(window, service.lay("jenseits", 2, pace="press").begun())
    table.move("draw", bag="egypt", count=2, seat=0)
    window.press("Take the next one", ".scene-player")
    window.see(".cloth .token", times=1)
    window.press("To the table", ".scene-player")
    window.press("Reveal")
    window.see(".cloth .token", times=2)
    service.stop(kill=True)
    window.see(".banner", "Last updated")
    service.start()
    window.see(".banner", times=0)
    window.press("More knowledge")
    window.see(".knowledge-number", "1")


def sit_and_host(window: Window, service: Service) -> None:
    """In each box a seat is taken by the code of the room, and whoever sits there is made the host."""
    come(window, service)
    for box in games.REGISTER:
        table = service.lay(box, 3, mode="referee").begun()
        code = service.call("POST", f"/api/tables/{table.id}/room", {}, table.host)["code"]
        window.go(f"{service.url}/join/{table.id}#room={code}", ready=".free-seat")
        window.press("Sit down as Béatrice")
        window.see(".seat.own .seat-name", "Béatrice")
        window.see("[data-sheet=mend]", times=0)
        table.press("host", do="pass", seat=1)
        window.see("[data-sheet=mend]", times=1)


def dig(window: Window, service: Service) -> None:
    """A site on the map is pressed, weeks are chosen, and what came out lies there."""
    come(window, service)
    table, wish = to_a_dig(service.lay("jenseits", 2, mode="referee").begun(), WEEKS)
    sit(window, table)
    window.press_at(".site .hit", SITES.index(wish["site"]))
    window.press_at(".week-choice", WEEKS - 1)
    window.press_at(".dig-sheet .do-it")
    through(window)
    window.see(".newest-dig .cloth .token")
    window.see(".log li", "digs")


def lift(window: Window, service: Service) -> None:
    """A card is lifted with the shovel, held, and let go; STOP is pressed in the middle of the next."""
    come(window, service)
    bench = Bench(service, service.lay("tutankhamun", 2, mode="referee").begun()).take().tidy().poke("card")
    table = sit(window, bench.table)
    left = table.view["board"]["cards_left"]
    window.press(f"{SQUARE}: ")
    window.press("Lift with the shovel")
    window.see(".tut-steps .now", "Held")
    time.sleep(SECOND_TAP)
    window.press("Let go")
    through(window)
    window.see(".tray-square.fresh", times=1)
    assert table.view["board"]["cards_left"] == left - 1


def many_windows(window: Window, service: Service) -> None:
    """More windows than a browser has lines: what is pressed in one is seen in all, and STOP arrives at once."""
    come(window, service)
    table = sit(window, service.lay("jenseits", 2).begun())
    handles = [window.handle]
    while len(handles) < WINDOWS:
        handles.append(window.other())
        sit(window, table)
    for number, handle in enumerate(handles, 1):
        window.turn_to(handle)
        window.see(".knowledge-number", str(number - 1))
        window.press("More knowledge")
        window.see(".knowledge-number", str(number))
    for handle in handles:
        window.turn_to(handle)
        window.see(".knowledge-number", str(WINDOWS))
        window.see(".banner", times=0)
    window.press("Menu")
    window.press("STOP", ".big-stop")
    window.see(".big-stop.arrived")
    for handle in handles[1:]:
        window.turn_to(handle)
        window.ask("CloseWindow")
    window.turn_to(handles[0])


Flow = Callable[[Window, Service], None]
SHORT: tuple[Flow, ...] = (lay_and_roll, sit_and_host, draw_and_lose_the_link)
ALL: tuple[Flow, ...] = (*SHORT, dig, lift, many_windows)
