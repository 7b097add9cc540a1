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


class Shift(NamedTuple):
    """What can be pressed and a press of something else moved: its name, where it was, and where it is."""

    where: str
    state: str
    path: str
    pressed: str
    moved: list[tuple[str, list[int], list[int]]]

    def __str__(self) -> str:
        path = f" [{self.path}]" if self.path else ""
        name, before, after = self.moved[0]
        more = f" and {len(self.moved) - 1} more" if len(self.moved) > 1 else ""
        return f"{self.where} {self.state}{path}: “{self.pressed}” moves “{name}”{more}, {before} -> {after}"


class Astray(Exception):
    """What a press opened is not there again."""


class Walk:
    """A page of a table, on which every place is tapped twice; or another page, which nothing takes back."""

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
        self.shifts: list[Shift] = []
        self.taps = self.places = self.reloads = self.cut = 0
        self.hidden: set[str] = set()
        self.astray: list[str] = []
        self.known: set[tuple[str, ...]] = set()
        self.walked: set[frozenset[str]] = set()
        self.look: Callable[[Page, str], None] | None = None
        self.ready: Callable[[], object] | None = None
        self.table: Table | None = None
        self.base = 0

    def close(self) -> None:
        self.context.close()
        assert self.wrongs == [], self.wrongs

    def come(self, table: Table) -> None:
        """Sit down at a table: as the host at the owner's tablet, or on the phone of a seat that is asked."""
        self.table, self.stays, self.shows = table, table.address(), BOARD
        key = table.host if self.role == "host" else table.seats[(table.view["ask"].get("seats") or [0])[0]]
        self.enter(table, key)
        if self.role == "host":
            self.own(table.service)
        self.again()

    def enter(self, table: Table, key: str) -> None:
        assert self.context.request.post(f"{table.service.url}/api/tables/{table.id}/enter", data={"key": key}).ok

    def own(self, service: Service) -> None:
        assert self.context.request.post(f"{service.url}/api/owner/enter", data={"key": service.owner}).ok

    def again(self) -> None:
        """The page loaded anew, as somebody finds it who comes to it."""
        self.reloads += 1
        self.page.evaluate("sessionStorage.clear()") if self.page.url.startswith("http") else None
        self.page.goto(self.stays)
        self.shown()
        self.page.evaluate("taps.warm()")

    def shown(self) -> None:
        """Until the page shows what it is about."""
        self.page.wait_for_selector(self.shows)
        if self.table:
            told = {"table": self.table.id, "host": self.table.host}
            self.page.evaluate("(told) => Object.assign(taps, told)", told)
            self.seen(self.table.view["seq"])
        self.page.evaluate("taps.calm()")

    def seen(self, seq: int) -> None:
        """Until the page shows an entry."""
        self.page.evaluate("(seq) => taps.seen(seq)", seq)

    def offers(self) -> list[str]:
        told: list[str] = self.page.evaluate("taps.offers()")
        return told

    def visit(self, table: Table, named: str, *, depth: int = 2, dense: bool = True, role: str = "host") -> bool:
        """Walk over a table as it stands, and leave it so: each press is taken back, but for one that ends it.

        Whether there was something new to be walked over.
        """
        self.role = role
        self.come(table)
        self.base = table.view["seq"]
        return self.over(named, depth=depth, dense=dense)

    def visit_page(self, address: str, shows: str, named: str, *, depth: int = 2, dense: bool = True) -> bool:
        """Walk over a page that is no table."""
        self.table, self.stays, self.shows = None, address, shows
        self.again()
        return self.over(named, depth=depth, dense=dense)

    def over(self, named: str, *, depth: int, dense: bool) -> bool:
        here = frozenset(map(plain, self.offers()))
        if here in self.walked:
            return False
        self.walked.add(here)
        try:
            self.walk(named, depth=depth, dense=dense)
        except Ended:
            self.cut += 1
        return True

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
        for place, news in self.swept(named, path, [*places, *self.bare(dense)]):
            added = tuple(sorted(set(map(plain, news)) - set(map(plain, begun))))
            if added and added not in self.known:
                self.known.add(added)
                opened.append((*path, place))
        if len(path) < depth:
            now = seen | {plain(each) for each in begun}
            for way in opened:
                try:
                    self.anew(way)
                    self.walk(named, depth=depth, dense=dense, path=way, seen=now)
                except Astray as where:
                    self.astray.append(f"{named} {where}")
        if path:
            self.anew(())

    def bare(self, dense: bool) -> list[Place]:
        """Places where nothing is to be pressed."""
        spots = self.page.evaluate("taps.empty()")
        return [{"said": None, "at": at, "off": False, "nth": 0} for at in (spots if dense else spots[:2])]

    def swept(self, named: str, path: tuple[Place, ...], places: list[Place]) -> Iterator[tuple[Place, list[str]]]:
        """Two taps at one place after another; what the page offers after the first of them, where it only opened."""
        # Of a page that sends one thing after another, the next is not the second tap's.
        how = {"late": LATE if self.table else 0, "gaps": GAPS, "within": bool(path)}
        while places:
            if self.ready:
                self.ready()
            asked = [places[:1] if self.ready else places, how, self.base]
            told = self.page.evaluate(
                "([places, how, base]) => { taps.base = base; return taps.sweep(places, how); }", asked
            )
            self.base = told["base"]
            for place, done in zip(places, told["done"], strict=False):
                self.places += 1
                yield place, self.judged(named, path, place, done, told["begun"])
            places = places[len(told["done"]) :]
            if told["done"][-1]["state"] == "over":
                raise Ended
            if told["done"][-1]["state"] == "other":
                self.anew(path)

    def judged(
        self, named: str, path: tuple[Place, ...], place: Place, told: dict[str, Any], begun: list[str]
    ) -> list[str]:
        """What two taps at each gap did; what the page offers after the first, where that sent nothing."""
        if "hidden" in told:
            self.hidden.add(str(place["said"]))
            return []
        self.taps += 2
        first, second = told["first"], told["second"]
        way, pressed = " > ".join(str(each["said"]) for each in path), str(place["said"] or place["at"])
        opens = self.table is None and set(map(plain, begun)) != set(map(plain, first["offers"]))
        if told["shifts"] and not opens:
            self.shifts.append(Shift(self.size, named, way, pressed, told["shifts"]))
        if told["other"] is not None:
            if first != second:
                self.faults.append(Fault(self.size, named, way, pressed, told["gap"], told["other"]))
        else:
            meant = {kind_of(each) for each in first["sent"]}
            more = [kind_of(each) for each in second["sent"][len(first["sent"]) :]]
            # A first tap that was not heard, on a busy computer, leaves all as it was: the second is then the first.
            unheard = not first["sent"] and first["offers"] == begun
            for sent in more:
                if sent not in meant and not unheard:
                    self.faults.append(Fault(self.size, named, way, pressed, GAPS[-1], "sends " + " ".join(sent)))
        return [] if first["sent"] else list(first["offers"])

    def lifts_no_longer(self, table: Table) -> None:
        """What a shovel lifts comes to the table by itself, later than any answer: it is stopped before."""
        rig = table.service.call("GET", "/api/rig")
        if rig.get("waiting") or (rig.get("shovel") or {}).get("state") not in {None, "off", "fault"}:
            table.service.call("POST", "/api/rig/stop", {}, table.service.owner)

    def anew(self, path: Sequence[Place]) -> None:
        """The page as somebody finds it who comes to it, and led to where it was by the presses that open something."""
        if self.table:
            self.lifts_no_longer(self.table)
            self.page.evaluate("(base) => { taps.base = base; return taps.undone(); }", self.base)
            self.page.evaluate("taps.renew()")
            self.shown()
        else:
            self.again()
        for place in path:
            if not self.page.evaluate("(place) => taps.once(place)", place):
                raise Astray(" > ".join(str(each["said"]) for each in path))


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


def shifted(table: Table, walks: Sequence[Walk], *, steps: int, seed: int = 12) -> list[str]:
    """What each step of a game at random, and a line that is lost and found again, moved on the pages that show it.

    Markers and mummies walk, and are not counted; nor is what is new or gone.
    """
    luck, shifts = random.Random(seed), list[str]()
    for walk in walks:
        walk.role = "host"
        walk.come(table)
    stood = {walk.size: walk.page.evaluate("taps.stands()") for walk in walks}

    def look(walk: Walk, when: object) -> None:
        now = walk.page.evaluate("taps.stands()")
        assert len(now) > 5, now
        far = walk.page.evaluate("([before, after]) => taps.moved(before, after)", [stood[walk.size], now])
        if far:
            shifts.append(str(Shift(walk.size, str(when), "", "what came", far)))
        stood[walk.size] = now

    for _ in range(steps):
        view = table.view
        if view["over"]:
            break
        stepped(table, view, legal(table) if view["ask"]["kind"] == "move" else [], luck)
        view = table.view
        for walk in walks:
            walk.seen(view["seq"])
            look(walk, " ".join([str(view["seq"]), view["ask"]["kind"], *(each["kind"] for each in view["log"][-2:])]))
    for walk in walks:
        walk.page.evaluate("taps.cut(true)")
        walk.page.wait_for_selector(".banner")
        look(walk, "lost")
        walk.page.evaluate("taps.cut(false)")
        walk.page.wait_for_selector(".banner", state="detached")
        look(walk, "again")
    return shifts
