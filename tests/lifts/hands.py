"""Hands at one shovel, all at once: the host, the seats, the buttons of the panel, and what goes wrong meanwhile.

Everything is pressed through the service, in time that passes when told to. After each press and each turn of the rig's
loop the laws are looked at: a lift counts for the move it was made for or for none, one card lifted is at most one
counted, nobody is left waiting without being told why, and after anything whatever one press is enough to go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from companion.play.stage import LiftEnded
from hardware.events import LiftBegun, LiftDone, LiftFailed
from hardware.senses import PUMPING
from tests.lifts.computer import TURN_MS, Computer
from tests.lifts.still import Bench
from tests.web.people import Asker, Told, sit_down

HOST = -1
SEATS = ("Ada", "Ben", "Cleo")
DIGS = {"toolbox": "uncover", "referee": "dig"}
ACCEPTED = (200, 202)
RESTED_MS = 26_000
SETTLED_MS = 2_500


class Waited(NamedTuple):
    """A move that was answered with its lift.

    :ivar order: what the stage asked the shovel for it with
    :ivar lift: the shovel's number of that, once it has begun
    """

    request: str
    square: str
    order: int
    lift: int | None = None


class Hands:
    """People round a tray of cards with one shovel.

    :param mode: with a referee, or with the box's tools.
    :ivar figures: what was counted.
    """

    def __init__(self, folder: Path, seed: int, mode: str, *, twin: bool = False) -> None:
        self.mode = mode
        self.figures: Counter[str] = Counter()
        self.bench = Bench(seed, twin=twin)
        self.computer = Computer(self.bench, folder)
        self._numbers = count(1)
        self._waited: Waited | None = None
        self._asked: dict[str, int | None] = {}  # requests that were answered with a lift, and which lift it was
        self._counted: set[str] = set()
        self._done: set[int] = set()
        self._failed: set[int] = set()
        self._endings: list[LiftEnded] = []
        self.computer.stage._changed = self._changed
        self._heard = 0
        self._read = 0
        self.lay()

    def close(self) -> None:
        self.computer.close()

    # What people do.

    def lay(self) -> None:
        """A table is laid and given the rig; the shovel is put right and has its rest."""
        seats = [{"name": name} for name in SEATS]
        self.host = sit_down(self.computer.app, box="tutankhamun", mode=self.mode, seats=seats)
        self.table = self.computer.hall.table(self.host.laid["table"])
        self._read = len(self.table.written)
        assert self.host.post("/rig", {}).status_code == 200
        self._look()
        self.run(SETTLED_MS)

    def who(self, seat: int) -> Asker:
        """The host, or a seat."""
        return self.host if seat == HOST else self.host.seat(seat)

    def dig(self, seat: int, square: str) -> Told:
        """Somebody asks for a card."""
        request = f"dig {next(self._numbers)}"
        move = {"type": DIGS[self.mode], "square": square}
        told = self.who(seat).post("/moves", {"seq": self.table.seq, "request": request, "move": move})
        if told.status_code == 202:
            assert self._waited is None, "two moves wait for one shovel"
            self._waited = Waited(request, square, self._order)
            self._asked[request] = None
        self._look()
        return told

    def hold(self, square: str) -> None:
        """Lift a card, and hold it."""
        self.bench.plant.card = True
        assert self.dig(self.asked_seat, square).status_code == 202
        self.until(lambda: self.phase == "holding")

    def press(self, seat: int, call: str, **body: object) -> Told:
        """Somebody presses something else at the table."""
        request = f"press {next(self._numbers)}"
        told = self.who(seat).post(f"/{call}", {"seq": self.table.seq, "request": request, **body})
        self._look()
        return told

    def undo(self, seat: int) -> Told:
        """Somebody takes back: in the middle of a lift nothing but the lift."""
        waited, before = self._waited, self.table.position()
        told = self.press(seat, "undo")
        if waited is not None and told.status_code == 200:
            assert self.table.position() is before, "more was taken back than the lift"
            assert self._waited is None
        return told

    def other_move(self, seat: int, which: int) -> None:
        """Somebody makes any other move there is."""
        moves = [move for move in self.who(seat).get("/moves").json["moves"] if move["type"] != DIGS[self.mode]]
        if moves:
            self.press(seat, "moves", move=moves[which % len(moves)])

    def shovel(self, seat: int, do: str) -> Told:
        """Somebody uses the shovel's own buttons on a page; the owner, where a fault is cleared."""
        who = self.host.owner if do == "clear" else self.who(seat)
        told = who.post("/api/rig/shovel", {"do": do})
        self._look()
        return told

    def panel(self, button: str) -> None:
        """Somebody presses a real button."""
        self.computer.rig.pressed(button)
        self.turn()

    def claim(self) -> None:
        """The rig is taken away and given back."""
        self.host.post("/rig/leave", {})
        self._look()
        self.turn()
        self.host.post("/rig", {})
        self._look()

    def end(self) -> None:
        """The host ends the table, and another is laid."""
        self.press(HOST, "close")
        self.lay()

    # Time, and what is so.

    def turn(self, ms: int = TURN_MS) -> None:
        self.computer.turn(ms)
        self._look()

    def run(self, ms: int) -> None:
        """Nothing is pressed for a while."""
        end = self.bench.ms + ms
        while self.bench.ms < end:
            self.turn(TURN_MS if self.busy else 50)

    def until(self, is_so: Callable[[], bool], patience_ms: int = 30_000) -> None:
        end = self.bench.ms + patience_ms
        while not is_so():
            assert self.bench.ms < end, self.told
            self.turn()

    @property
    def told(self) -> dict[str, Any]:
        """The rig as every screen is told of it."""
        told: dict[str, Any] = self.host.get("/api/rig").json
        return told

    @property
    def phase(self) -> str:
        shovel = self.computer.rig.state().shovel
        return shovel.state if shovel else "absent"

    @property
    def pitch(self) -> int:
        """What the buzzer sounds."""
        return self.bench.chip.pitch

    @property
    def busy(self) -> bool:
        return self.phase not in {"off", "fault", "absent"}

    @property
    def squares(self) -> list[str]:
        """Where a card may be lifted now."""
        moves = self.host.get("/moves").json["moves"]
        return [move["square"] for move in moves if move["type"] == DIGS[self.mode]]

    def mend(self) -> None:
        """What went wrong is put right, as far as hands can do it away from any screen."""
        self.bench.plugged = True
        self.bench.plant.leak = self.bench.drop = self.bench.corrupt = 0.0

    def go_on(self) -> None:
        """After whatever has happened one press is enough, by anybody who sits here, and cards are lifted again."""
        self.mend()
        self.run(SETTLED_MS)
        self.to_a_dig()
        seat = self.asked_seat
        if self.phase == "fault":
            assert self.shovel(seat, "clear").status_code == 200, self.told
        elif self.phase in PUMPING or self._waited is not None:
            assert self.shovel(seat, "release").status_code == 200, self.told
        self.until(lambda: self.phase in {"off", "fault"} and self._waited is None)
        assert self.phase == "off", self.told
        self.bench.plant.card = False
        self.run(RESTED_MS)
        self.to_a_dig()
        assert self.dig(self.asked_seat, self.squares[0]).status_code in ACCEPTED, "somebody is stuck"
        self.figures["went on"] += 1

    def to_a_dig(self) -> None:
        """Whatever else is asked is done, until a card may be lifted."""
        while not self.squares:
            if self.table.over():
                self.lay()
            elif self.host.view["ask"]["kind"] == "chance":
                self.press(HOST, "outcome", outcome=None)
            else:
                self.other_move(HOST, -1)

    @property
    def asked_seat(self) -> int:
        """Who acts now."""
        return int(self.host.view["ask"]["seat"])

    # The laws.

    def _look(self) -> None:
        for event in self.computer.told[self._heard :]:
            self._hear(event)
        self._heard = len(self.computer.told)
        for line in self.table.written[self._read :]:
            if line.request in self._asked:
                self._count(line.request)
        self._read = len(self.table.written)
        if self._waited is not None and self._waited.order != self._order:
            self._ended(self._waited)
        self._endings.clear()

    @property
    def _order(self) -> int:
        """What the stage waits for; 0 where for nothing."""
        errand = self.computer.stage._cup.errand
        return errand.order if errand else 0

    def _changed(self) -> None:
        """The screens are told of the rig."""
        if self.computer.stage.ended is not None:
            self._endings.append(self.computer.stage.ended)

    def _hear(self, event: object) -> None:
        match event:
            case LiftBegun(lift, order):
                self.figures["lifts"] += 1
                self.figures["lifts by hand"] += order == 0
                waited = self._waited
                if waited is not None and waited.order == order:
                    self._waited = waited._replace(lift=lift)
                    self._asked[waited.request] = lift
            case LiftDone(lift):
                self.figures["put down"] += 1
                self._done.add(lift)
            case LiftFailed(lift):
                self._failed.add(lift)

    def _count(self, request: str) -> None:
        """A move that waited is in the journal: its own lift has been put down, and has counted for nothing else."""
        lift = self._asked[request]
        self.figures["twice"] += request in self._counted
        assert request not in self._counted, f"{request} is counted twice"
        assert lift in self._done, f"{request} counts, and its lift {lift} was not put down"
        self._done.discard(lift or 0)
        self._counted.add(request)
        self.figures["counted"] += 1

    def _ended(self, waited: Waited) -> None:
        """Nobody waits any longer: the move is made, or everybody is told why it is not."""
        self._waited = None
        if waited.request in self._counted:
            return
        mine = {"type": DIGS[self.mode], "square": waited.square}
        why = [ended.why for ended in self._endings if ended.table == self.table.id and ended.move == mine]
        self.figures["lost"] += waited.lift in self._done
        assert why, f"{waited.request} came to nothing, and nobody was told why"
        if waited.lift is not None and why[-1].startswith("shovel."):
            assert waited.lift in self._failed, f"{waited.request} was dropped for what happened to another: {why[-1]}"
        self.figures["came to nothing"] += 1
        self.figures[f"told: {why[-1]}"] += 1
