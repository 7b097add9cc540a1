"""Two taps of one finger at every place of a table in every state: the second does nothing else than the first."""

from __future__ import annotations

import json
import random
import re
import urllib.error
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize

from companion import games
from tests.browser.screens import PHONE, TABLET, UPRIGHT
from tests.browser.tables import Service, Table

SCRIPT = Path(__file__).with_name("taps.js").read_text(encoding="utf-8")
GAPS = (100, 250, 400, 600)
"""Milliseconds from a tap to the next."""
LATE = 300
"""How late an answer may be, in milliseconds: what then lies under the finger has come when the second tap is near."""
SIZES = {"tablet": TABLET, "upright": UPRIGHT, "phone": PHONE}
CLAIMS = "moves", "outcome", "undo", "correct", "close", "stir"
BOARD = ".board > *"
Place = dict[str, Any]


class Way(NamedTuple):
    """How a table is laid whose states are walked through."""

    box: str
    mode: str
    seats: int = 3
    pace: str = "flow"
    source: str = "companion"
    options: tuple[tuple[str, bool | int | str], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.box, self.mode, str(self.seats), self.pace, self.source, *map(str, self.options)])

    def lay(self, service: Service) -> Table:
        return service.lay(
            self.box,
            self.seats,
            mode=self.mode,
            pace=self.pace,
            sources={"default": self.source},
            options=dict(self.options),
        )


WAYS = tuple(
    Way(box, mode, 3, *how)
    for box in games.REGISTER
    for mode in ("referee", "toolbox")
    for how in (("flow", "companion"), ("press", "companion"), ("flow", "table"))
)


def legal(table: Table) -> list[dict[str, Any]]:
    """What the host may do now."""
    told: list[dict[str, Any]] = table.service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return told


def state_of(view: dict[str, Any], moves: Sequence[dict[str, Any]]) -> tuple[object, ...]:
    """What makes two moments of a game the same state: what is asked, and which sorts of moves there are."""
    ask = view["ask"]
    kinds = sorted({move["type"] for move in moves})
    facts = ask.get("question"), ask.get("randomizer"), ask.get("source"), ask.get("of")
    first = {each["kind"] for each in view["log"][-2:]}
    return (ask["kind"], *facts, view["board"].get("phase"), view["board"].get("asking"), *kinds, "|", *sorted(first))


def stepped(table: Table, view: dict[str, Any], moves: list[dict[str, Any]], luck: random.Random) -> None:
    """One step of a game at random; each sort of move as often as any other, so that the rare ones come, too."""
    ask = view["ask"]
    if ask["kind"] == "move":
        kind = luck.choice(sorted({move["type"] for move in moves}))
        table.press("moves", move=luck.choice([move for move in moves if move["type"] == kind]))
    elif ask["source"] == "companion":
        table.deal()
    else:
        told(table, [outcome for outcome, weight in ask["odds"] if weight != 0], luck)


def told(table: Table, outcomes: list[Any], luck: random.Random) -> None:
    """Something that can have come up at the table is reported; a printed copy may be used up already."""
    for outcome in luck.sample(outcomes, len(outcomes)):
        try:
            table.deal(outcome)
        except urllib.error.HTTPError:
            continue
        return
    raise AssertionError("nothing can be reported")


def states(way: Way, service: Service, *, steps: int, seed: int = 1) -> Iterator[Table]:
    """A table in each state that a game at random comes to. Whoever looks leaves it as it was."""
    luck, known = random.Random(f"{way} {seed}"), set[tuple[object, ...]]()
    table = way.lay(service)
    for _ in range(steps):
        view = table.view
        moves = legal(table) if view["ask"]["kind"] == "move" else []
        if (state := state_of(view, moves)) not in known:
            known.add(state)
            yield table
            view = table.view
        if view["over"]:
            table = way.lay(service)
        else:
            stepped(table, view, moves, luck)


class Fault(NamedTuple):
    """Something else that a second tap would do."""

    where: str
    state: str
    path: str
    first: str
    gap: int
    second: str

    def __str__(self) -> str:
        path = f" [{self.path}]" if self.path else ""
        return f"{self.where} {self.state}{path}: “{self.first}”, {self.gap} ms later “{self.second}”"


class Ended(Exception):
    """The game is over, which cannot be taken back."""


class Walk:
    """A page of a table, on which every place is tapped twice."""

    def __init__(self, browser: Browser, size: str, *, still: bool = True) -> None:
        self.size = size
        wide = SIZES[size]
        small = size == "phone"
        self.context = browser.new_context(
            viewport=ViewportSize(width=wide["width"], height=wide["height"]),
            locale="en",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=small,
            is_mobile=small,
        )
        self.context.add_init_script(SCRIPT)
        self.context.add_init_script("localStorage.setItem('digside-toured', '1')")
        self.wrongs: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrongs.append(str(error)))
        self.faults: list[Fault] = []
        self.taps = self.places = self.reloads = self.cut = 0
        self.hidden: set[str] = set()
        self.known: set[tuple[str, ...]] = set()
        self.look: Callable[[Page, str], None] | None = None
        self.ready: Callable[[], object] = lambda: None

    def close(self) -> None:
        self.context.close()
        assert self.wrongs == [], self.wrongs

    def come(self, table: Table) -> None:
        """Sit down at a table: as the host at the owner's tablet, or on the phone of a seat that is asked."""
        self.table = table
        key = table.host if self.role == "host" else table.seats[(table.view["ask"].get("seats") or [0])[0]]
        address = f"{table.service.url}/api/tables/{table.id}/enter"
        assert self.context.request.post(address, data={"key": key}).ok
        if self.role == "host":
            self.context.request.post(f"{table.service.url}/api/owner/enter", data={"key": table.service.owner})
        self.again()

    def again(self) -> None:
        """The page anew, as somebody finds it who comes to the table."""
        self.reloads += 1
        self.page.evaluate("sessionStorage.clear()") if self.page.url.startswith("http") else None
        self.page.goto(self.table.address())
        self.page.wait_for_selector(BOARD)
        self.seen(self.table.view["seq"])

    def seen(self, seq: int) -> None:
        """Until the page shows an entry."""
        self.page.wait_for_function("(seq) => taps.seq >= seq", arg=seq)
        self.page.evaluate("taps.rest()")

    def offers(self) -> list[str]:
        told: list[str] = self.page.evaluate("taps.offers()")
        return told

    def visit(self, table: Table, named: str, *, depth: int = 2, dense: bool = True, role: str = "host") -> None:
        """Walk over a table as it stands, and leave it so: each press is taken back, but for one that ends it."""
        self.role = role
        self.come(table)
        self.base = table.view["seq"]
        try:
            self.walk(named, depth=depth, dense=dense)
        except Ended:
            self.cut += 1

    def walk(
        self,
        named: str,
        *,
        depth: int = 2,
        dense: bool = True,
        path: tuple[Place, ...] = (),
        seen: frozenset[str] = frozenset(),
    ) -> None:
        """Tap twice at every place there is; where a tap opens something, at what is new there, too."""
        if self.look:
            self.look(self.page, " > ".join([named, *(str(each["said"]) for each in path)]))
        begun = self.offers()
        places = [place for place in chosen(self.page.evaluate("taps.places()"), dense) if sort_of(place) not in seen]
        opened: list[tuple[Place, ...]] = []
        for place in [*places, *self.bare(dense)]:
            self.places += 1
            self.ready()
            news, offers = self.twice(named, path, place)
            begun = self.back(path, begun, offers)
            added = tuple(sorted(set(map(plain, news)) - set(map(plain, begun))))
            if added and added not in self.known:
                self.known.add(added)
                opened.append((*path, place))
        if len(path) < depth:
            now = seen | {plain(each) for each in begun}
            for way in opened:
                self.anew(way)
                self.walk(named, depth=depth, dense=dense, path=way, seen=now)
        if path:
            self.again()

    def bare(self, dense: bool) -> list[Place]:
        """Places where nothing is to be pressed."""
        spots = self.page.evaluate("taps.empty()")
        return [{"said": None, "at": at, "off": False, "nth": 0} for at in (spots if dense else spots[:2])]

    def follow(self, path: Sequence[Place]) -> None:
        """The presses that lead to where something is open."""
        for place in path:
            assert self.page.evaluate("(place) => taps.once(place)", place), place

    def twice(self, named: str, path: tuple[Place, ...], place: Place) -> tuple[list[str], list[str]]:
        """Two taps at a place, at each gap; what the page offers after the first, and once the clock goes on."""
        asked = [place, LATE if self.places % 3 == 0 else 0, GAPS]
        told = self.page.evaluate("([place, late, gaps]) => taps.twice(place, late, gaps)", asked)
        if "hidden" in told:
            self.hidden.add(str(place["said"]))
            return [], self.offers()
        self.taps += 2
        first, second = told["first"], told["second"]
        if told["other"] is not None:
            if first != second:
                self.fault(named, path, place, told["gap"], told["other"])
        else:
            meant = {kind_of(each) for each in first["sent"]}
            for more in second["sent"][len(first["sent"]) :]:
                if kind_of(more) not in meant:
                    self.fault(named, path, place, GAPS[-1], "sends " + " ".join(kind_of(more)))
        return [] if first["sent"] else first["offers"], told["end"]

    def fault(self, named: str, path: tuple[Place, ...], first: Place, gap: int, second: str) -> None:
        way = " > ".join(str(each["said"]) for each in path)
        self.faults.append(Fault(self.size, named, way, str(first["said"] or first["at"]), gap, second))

    def back(self, path: tuple[Place, ...], begun: list[str], offers: list[str]) -> list[str]:
        """As it was before: the journal, and what was chosen on the page; what it offers then."""
        seq = self.table.view["seq"]
        if seq != self.base:
            try:
                self.table.press("undo", to=self.base)
            except urllib.error.HTTPError as refused:
                if self.table.view["over"]:
                    raise Ended from None
                if json.load(refused)["error"]["key"] != "undo.nothing":
                    raise
                self.base = seq  # only the luck was stirred
            self.seen(self.table.view["seq"])
            offers = self.offers()
        if offers == begun:
            return begun
        self.page.keyboard.press("Escape")
        self.page.evaluate("taps.rest()")
        if not path and list(map(plain, self.offers())) == list(map(plain, begun)):
            return begun
        return self.anew(path)

    def anew(self, path: tuple[Place, ...]) -> list[str]:
        """The page loaded anew, and led to where it was."""
        self.again()
        self.follow(path)
        return self.offers()


def plain(offer: str) -> str:
    """An offer without its numbers."""
    return re.sub(r"\d+", "", offer)


def sort_of(place: Place) -> str:
    """A place as it is among what a page offers."""
    return plain(f"{place['kind']}|{place['said']}{'|off' if place['off'] else ''}")


def kind_of(sent: Sequence[str]) -> tuple[str, ...]:
    """What a press asked for."""
    path, body = sent
    asked = json.loads(body) if body else {}
    return path.rsplit("/", 1)[-1], str((asked.get("move") or asked.get("correction") or {}).get("type", ""))


def chosen(places: list[Place], dense: bool) -> list[Place]:
    """All places, or one of each sort."""
    told: list[Place] = []
    counts: dict[str, int] = {}
    sorts: set[tuple[str, str, bool]] = set()
    for place in places:
        nth = counts.get(place["said"], 0)
        counts[place["said"]] = nth + 1
        sort = place["kind"], "", place["off"]
        if dense or sort not in sorts:
            sorts.add(sort)
            told.append({**place, "nth": nth})
    return told
