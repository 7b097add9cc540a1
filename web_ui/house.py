"""What everybody may know of each table in play and of the rig: kept as it changes, for whoever tells it to a house.

It is made from the spectator's view and from nothing else, by a thread of its own, a moment after each step: whoever
presses waits for none of it. As long as nobody listens nothing is made.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, get_args

import msgspec

from companion.account import Account
from companion.game import AnyGame
from companion.play.entries import JournalLine
from companion.play.folder import clear_word
from companion.play.hall import Hall
from companion.play.story import account_of
from companion.play.table import SPECTATOR, Table
from companion.refusals import Refusal, Storage, StorageUnavailable
from companion.terminal.doctor import HOUSE, HouseFile, house_of
from companion.whole_file import set_aside, sync_folder, write_whole
from hardware.events import LiftDone, LiftFailed, RigEvent, RigState
from web_ui.views import Eyes, Views

log = logging.getLogger(__name__)

CALM = 0.1  # seconds after a step in which its screens are served first; what comes meanwhile is told together
A_DAY = 24 * 60 * 60 * 1000  # milliseconds after which a table that nobody has touched is not told of any more
LOOK_AGAIN = 600.0  # seconds between two looks for such tables
MOST = 200  # tables that are told of
TRIED_AGAIN = 1.0  # seconds until it is looked again what there is, where that could not be read
REST = 4  # times as long as it took to look at a table of another process until the next of them is looked at
LISTED = 1000  # of the newest tables are looked through for those in play
RIG_EVERY = 5.0  # seconds between two tellings of a rig of which only figures have changed

EventKind = Literal["begin", "turn", "draw", "roll", "dig", "lift", "call", "end"]
EVENTS: tuple[EventKind, ...] = get_args(EventKind)
ROLLED = frozenset({"die", "dice"})
"""What the log says of an outcome that was rolled."""


class SeatNow(msgspec.Struct, frozen=True):
    """Who sits at a seat, with how many points and weeks, as far as everybody can count them."""

    name: str
    colour: str
    shape: str
    points: int | None
    week: int | None


class TableNow(msgspec.Struct, frozen=True):
    """A table as everybody sees it, in brief.

    :ivar turn: the seat that is asked; None where several are, or nobody
    :ivar asks: what it waits for: a move, chance, or nothing any more
    :ivar week: how many weeks have gone by for whoever is furthest behind; None in a game without weeks
    :ivar laid_at: when it was laid, and when the newest step was made: milliseconds since 1970
    """

    table: str
    box: str
    mode: str
    seats: tuple[SeatNow, ...]
    seq: int
    turn: int | None
    asks: Literal["move", "chance", "over"]
    week: int | None
    over: bool
    winners: tuple[int, ...]
    laid_at: int = 0
    played_at: int = 0


class RigNow(msgspec.Struct, frozen=True):
    """The rig as everybody sees it, in brief.

    :ivar shovel: what the shovel does; None where there is none
    :ivar fault: the code of its fault
    :ivar link: whether the board answers; None where there is no wire to one
    :ivar damaged: frames that arrived damaged, or not at all
    :ivar pump_s: how long the pump has run since the service started
    """

    kind: str
    shovel: str | None
    fault: str | None
    link: bool | None
    rtt_ms: float | None
    damaged: int
    pump_s: int
    stale: bool


class HouseEvent(msgspec.Struct, frozen=True):
    """Something that happened at a table, as everybody sees it there."""

    kind: EventKind
    seat: int | None
    what: dict[str, Any]


class Ear(Protocol):
    """Whoever is told. Every method is called from one thread, and must not wait for anybody."""

    def table(self, now: TableNow, events: Sequence[HouseEvent]) -> None:
        """A table is so now, and this has happened at it."""

    def table_gone(self, table: str) -> None:
        """A table is over, deleted, or nobody's any more."""

    def rig(self, now: RigNow) -> None:
        """The rig is so now."""

    def all_told(self, *, again: bool) -> None:
        """What was new has been told; `again`, all there is."""


def table_now(view: dict[str, Any], game: AnyGame, account: Account | None) -> TableNow:
    """A table in brief, from what a spectator sees."""
    ask, board = view["ask"], view["board"]
    over = ask["kind"] == "over"
    stands = account.standings(game, board) if account else ()
    points: list[int | None] = [each.points for each in stands] or [None] * len(view["seats"])
    if over:
        totals = {score["seat"]: score["total"] for score in ask["scores"]}
        points = [totals.get(seat) for seat in range(len(view["seats"]))]
    weeks = [each.week for each in stands] or [None] * len(view["seats"])
    to_move = ask.get("seats", [ask.get("seat")])
    seats = tuple(
        SeatNow(seat["name"], seat["colour"], seat["shape"], point, week)
        for seat, point, week in zip(view["seats"], points, weeks, strict=True)
    )
    return TableNow(
        view["table"],
        view["box"],
        view["mode"],
        seats,
        view["seq"],
        to_move[0] if len(to_move) == 1 and not over else None,
        ask["kind"],
        min((week for week in weeks if week is not None), default=None),
        over,
        tuple(ask["winners"]) if over else (),
    )


def events_since(view: dict[str, Any], seq: int) -> list[HouseEvent]:
    """What a spectator's log tells of what happened since an entry."""
    found = []
    for line in view["log"]:
        what = line["what"]
        if line["seq"] <= seq or line["undone"] or line["kind"] not in {"outcome", "move"}:
            continue
        if line["kind"] == "outcome":
            found.append(HouseEvent("roll" if what.get("type") in ROLLED else "draw", line["seat"], what))
        elif what.get("type") == "dig":
            found.append(HouseEvent("dig", line["seat"], what))
    if view["over"]:
        found.append(HouseEvent("end", None, {"winners": view["ask"].get("winners", [])}))
    return found


class LastTold(NamedTuple):
    """What was last told of a table: its newest entry, and when that was made; whose turn it was; whether it called."""

    seq: int
    played: int
    turn: int | None
    calls: bool


class PumpHours:
    """How long the pump has run, counted from what the rig tells.

    >>> hours = PumpHours()
    >>> [hours.after(on_ms) for on_ms in (0, 900, 2000, 0, 300)]
    [0, 900, 2000, 2000, 2300]
    """

    def __init__(self) -> None:
        self._before = self._last = 0

    def after(self, on_ms: int) -> int:
        """Milliseconds in all, now that this go has lasted so long."""
        if on_ms < self._last:
            self._before += self._last
        self._last = on_ms
        return self._before + on_ms


def house_id(folder: Path) -> str:
    """The id by which other houses know this one; nobody is told one that a power cut could still take away.

    :raises Storage: where the disk does not take it.
    """
    with clear_word(folder):
        house = house_of(folder)
        if house is None:
            house = _legible(folder) or HouseFile(id=secrets.token_hex(4))
            _save(folder, house)
        sync_folder(folder)  # whoever wrote the file may have failed at this
        return house.id


def keep_house(folder: Path, **changed: str | int) -> HouseFile:
    """Save what has changed; what a full disk does not take is not saved."""
    before = house_of(folder)
    house = before or _legible(folder) or HouseFile(id=secrets.token_hex(4))
    now = msgspec.structs.replace(house, **changed)
    if now != before:
        with suppress(OSError):
            _save(folder, now)
    return now


def _save(folder: Path, house: HouseFile) -> None:
    write_whole(folder / HOUSE, msgspec.json.encode(house) + b"\n")


def _legible(folder: Path) -> HouseFile | None:
    """What can still be read of a damaged file, which is set aside; by its id the house is known."""
    file = folder / HOUSE
    try:
        damaged = file.read_bytes()
    except OSError:
        return None
    legible = re.search(rb'"id":"([0-9a-f]{8})"', damaged)
    set_aside(file, ValueError("the house keeps its id" if legible else "the house is another from now on"))
    return HouseFile(id=legible[1].decode()) if legible else None


class HouseView:
    """The tables in play and the rig, as everybody may know them."""

    def __init__(
        self, hall: Hall, views: Views, rig: Callable[[], RigState], at_rig: Callable[[], Table | None]
    ) -> None:
        self._hall = hall
        self._views = views
        self._rig_state = rig
        self._at_rig = at_rig
        self._ears: list[Ear] = []
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._dirty: dict[str, None] = {}  # of which something is new, be it that they are no more
        self._lifts: list[tuple[str, HouseEvent]] = []
        self._elsewhere: dict[str, None] = {}  # where another process has made steps, and it was not looked at since
        self._elsewhere_from = 0.0
        self._again = False
        self._anew = False  # nobody has listened for a while: what became of the tables meanwhile is not known
        self._opening = ""  # the table that is opened to be looked at, which is no news
        self._rig_told: RigNow | None = None
        self._rig_told_at = 0.0
        self._pump = PumpHours()
        self._pump_ms = 0
        self._seen: dict[str, LastTold] = {}  # the tables that are told of
        self._begun = False  # all there was has been told once: a table that appears is news
        self.now: dict[str, TableNow] = {}

    def listen(self, ear: Ear) -> Callable[[], None]:
        """Tell somebody from now on, beginning with all there is; the answer ends it."""
        with self._lock:
            self._anew = self._anew or not self._ears
            self._ears.append(ear)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="house", daemon=True)
                self._thread.start()
        self.again()

        def deaf() -> None:
            with self._lock:
                if ear in self._ears:
                    self._ears.remove(ear)

        return deaf

    def again(self) -> None:
        """Tell all there is once more."""
        with self._lock:
            self._again = True
        self._wake.set()

    def stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step is on disk. Called under the table's lock: it is noted, and no more."""
        if table.id != self._opening:
            self.changed(table.id)

    def changed(self, table: str) -> None:
        """Something of a table is otherwise: it calls, is no more, or has come from another Digside."""
        if self._ears:
            with self._lock:
                self._dirty[table] = None
            self._wake.set()

    def elsewhere(self, tables: Collection[str] | None) -> None:
        """Another process has made steps at these tables, or at any: they are looked at one by one, at leisure.

        Each is played again from its beginning for it, and all processes of a hall have steps to tell.
        """
        if self._ears:
            with self._lock:
                self._elsewhere |= dict.fromkeys(self._seen if tables is None else tables)
            self._wake.set()

    def rig_changed(self, state: RigState) -> None:
        """The rig is otherwise now: the pump's hours are counted, whoever listens."""
        if state.shovel is not None:
            self._pump_ms = self._pump.after(state.shovel.on_ms)
        if self._ears:
            self._wake.set()

    def rig_event(self, event: RigEvent) -> None:
        """Something happened at the rig: a lift that ended is told at the table that has it."""
        table = self._at_rig()
        if self._ears and table is not None and isinstance(event, LiftDone | LiftFailed):
            what = {"done": isinstance(event, LiftDone), "why": event.why if isinstance(event, LiftFailed) else None}
            with self._lock:
                self._lifts = [*self._lifts[-MOST:], (table.id, HouseEvent("lift", None, what))]
                self._dirty[table.id] = None
            self._wake.set()

    @property
    def pump_s(self) -> float:
        """How long the pump has run since the service started."""
        return self._pump_ms / 1000

    def rig_now(self) -> RigNow:
        """The rig in brief."""
        state = self._rig_state()
        shovel, link = state.shovel, state.link
        return RigNow(
            state.kind,
            shovel.state if shovel else None,
            shovel.fault.code if shovel and shovel.fault else None,
            link.connected if link else None,
            link.rtt_ms if link else None,
            link.damaged_here + link.damaged_there + link.lost_frames if link else 0,
            round(self.pump_s),
            state.stale,
        )

    def close(self) -> None:
        """Nobody is told any more."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(1)

    def _in_play(self) -> list[str]:
        """The tables that call, and those that were played within a day and are not over, the newest first.

        :raises Storage: where that cannot be read now.
        """
        told = sorted(self._hall.tables(most=LISTED), key=lambda each: -each.played_at)
        newest = [each.table for each in told if not each.over and _of_today(each.played_at)][:MOST]
        return [*{**self.calling(), **dict.fromkeys(newest)}][:MOST]

    def calling(self) -> Mapping[str, int]:
        """The tables that call for the host of the house, and since when."""
        return self._hall.journal.callers.all()

    def _run(self) -> None:
        look = time.monotonic() + LOOK_AGAIN
        while not self._closing.is_set():
            self._wake.wait(self._pause())
            if self._closing.is_set():
                return
            time.sleep(CALM)
            self._wake.clear()
            try:
                self._turn()
                if time.monotonic() >= look:
                    look = time.monotonic() + LOOK_AGAIN
                    self._forget_old()
            except Exception:  # whoever is told may be mistaken; the tables go on
                log.exception("the house was not told")

    def _pause(self) -> float:
        """Seconds until something is to be told, if nothing happens."""
        if self._again:
            return TRIED_AGAIN
        if self._elsewhere:
            return max(0.0, self._elsewhere_from - time.monotonic())
        return RIG_EVERY if self._rig_told and self._rig_told.link is not None else LOOK_AGAIN

    def _turn(self) -> None:
        again = self._begin_again()
        with self._lock:
            dirty, lifts = [*self._dirty], self._lifts
            self._dirty, self._lifts = {}, []
            ears = tuple(self._ears)
        for name in dirty:
            self._look_if_it_can(name, [event for table, event in lifts if table == name], ears)
        self._look_elsewhere(ears)
        self._look_at_rig(ears)
        self._begun = self._begun or again
        for ear in ears:
            ear.all_told(again=again)

    def _begin_again(self) -> bool:
        """Note all there is, where that was asked for; whether it will be told."""
        with self._lock:
            again, anew = self._again, self._anew
            self._again = self._anew = False
        if anew:
            self._seen.clear()
            self.now.clear()
            self._begun = False
        if not again:
            return False
        self._rig_told = None
        try:
            there = self._in_play()
        except Storage:  # nothing is said to be gone: it is looked again in a moment
            there, again = [], False
        with self._lock:
            self._again = self._again or not again
            self._dirty = dict.fromkeys([*there, *self._seen, *self._dirty])
        return again

    def _look_elsewhere(self, ears: Sequence[Ear]) -> None:
        """Look at one of the tables at which another process plays, those that call before the others."""
        began = time.monotonic()
        if not self._elsewhere or began < self._elsewhere_from:
            return
        with self._lock:
            calling = self.calling()
            name = next((each for each in self._elsewhere if each in calling), next(iter(self._elsewhere)))
            del self._elsewhere[name]
        self._look_if_it_can(name, (), ears)
        self._elsewhere_from = time.monotonic() + REST * (time.monotonic() - began)

    def _look_if_it_can(self, name: str, lifts: Sequence[HouseEvent], ears: Sequence[Ear]) -> None:
        try:
            self._look(name, lifts, ears)
        except Exception:  # one that cannot be told keeps no other from being told
            log.exception("the house is not told of table %s", name)

    def _look(self, name: str, lifts: Sequence[HouseEvent], ears: Sequence[Ear]) -> None:
        self._opening = name
        try:
            table = self._hall.table(name)
        except StorageUnavailable:  # whatever has become of it will be seen
            return self.elsewhere([name])
        except Refusal:
            return self._forget(name, ears)
        finally:
            self._opening = ""
        if table.going is not None:
            return self._forget(name, ears)
        view = msgspec.json.decode(self._views.without_help(table, Eyes(name, SPECTATOR)))
        played = view["log"][-1]["at"] if view["log"] else table.laid.at
        now = table_now(view, table.game, account_of(table))
        now = msgspec.structs.replace(now, laid_at=table.laid.at, played_at=played)
        known, calling = self._seen.get(name), self.calling()
        if (known is None and now.over) or not (_of_today(played) or name in calling):
            return self._forget(name, ears)
        if known is None and len(self._seen) >= MOST:
            self._forget(min(self._seen, key=lambda each: (each in calling, self._seen[each].played)), ears)
        seen = self._seen[name] = LastTold(now.seq, played, now.turn, name in calling)
        events = events_since(view, known.seq) if known else []
        news = [*events, *lifts, *self._news(known, seen)]
        self.now[name] = now
        for ear in ears:
            ear.table(now, news)
        if now.over:
            self._forget(name, ears)
        return None

    def _news(self, known: LastTold | None, seen: LastTold) -> Iterator[HouseEvent]:
        """That a table appears, whose turn it has become, that it calls; what was so when the telling began is none."""
        if known is None:
            if not self._begun:
                return
            yield HouseEvent("begin", None, {})
        if seen.turn is not None and (known is None or seen.turn != known.turn):
            yield HouseEvent("turn", seen.turn, {})
        if seen.calls and not (known and known.calls):
            yield HouseEvent("call", None, {})

    def _forget(self, name: str, ears: Sequence[Ear]) -> None:
        """Say of a table that was told of that it is gone."""
        if self._seen.pop(name, None) is None:
            return
        self.now.pop(name, None)
        for ear in ears:
            ear.table_gone(name)

    def _forget_old(self) -> None:
        calling = self.calling()
        old = [name for name, seen in self._seen.items() if not (_of_today(seen.played) or name in calling)]
        for name in old:
            self._forget(name, tuple(self._ears))

    def _look_at_rig(self, ears: Sequence[Ear]) -> None:
        """Tell of the rig at once where something has happened to it, and now and then of its figures."""
        now, told = self.rig_now(), self._rig_told
        if now == told:
            return
        late = time.monotonic() - self._rig_told_at >= RIG_EVERY
        if told is not None and not late and figureless(now) == figureless(told):
            return
        self._rig_told, self._rig_told_at = now, time.monotonic()
        for ear in ears:
            ear.rig(now)


def _of_today(played: int) -> bool:
    """Whether a table that was played at that moment is told of."""
    return played >= time.time_ns() // 1_000_000 - A_DAY


def figureless(now: RigNow) -> RigNow:
    """The rig without the figures that always change."""
    return msgspec.structs.replace(now, rtt_ms=None, damaged=0, pump_s=0)
