"""An evening at Tutankhamun with the shovel, in time that passes when told to, and everything that goes wrong in it.

The table, its journal, the stage, the rig's loop, the shovel and the firmware are the real ones; people, cards, air and
cable are played here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.game import Chance, Seat, Setup
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.stage import Lift, Stage
from companion.play.table import HOST, Table
from companion.refusals import Refusal
from firmware_bridge.messages import LEASE_MS
from hardware.events import LiftDone, LiftHeld
from hardware.faults import ShovelRefused
from tests.lifts.computer import TURN_MS, Computer
from tests.lifts.still import Bench

IDLE_MS = 50
PATIENCE_MS = 40_000
HELD_KPA = 2.0
UNSEEN_MS = 250  # what falls so shortly before it is let go, no sensor can tell from what is let go
CLEAN_MS = 2 * TURN_MS
DEAD_MAN_MS = LEASE_MS + 3 * TURN_MS
SEATS = (Seat("Ada"), Seat("Ben"), Seat("Cleo"))


class Evening:
    """People at a table.

    :ivar figures: what was counted
    """

    def __init__(self, folder: Path, seed: int, *, twin: bool = False) -> None:
        self.luck = random.Random(seed)
        self.figures: Counter[str] = Counter()
        self.longest_stray: Counter[str] = Counter()
        self.bench = Bench(seed, twin=twin)
        self.bench.looked = self._look
        self._folder = folder
        self._requests = 0
        self._counted: set[str] = set()
        self._stray = 0
        self._rough_until = 0
        self._alone = False
        self.computer = Computer(self.bench, folder)
        self.table = self._lay()

    def lift(self, mishap: str) -> None:
        """Choose a square and lift its card, while something goes wrong or nothing does."""
        self._make_ready()
        request, seq, before = self._request("lift"), self.table.seq, self._lifted
        square = self.luck.choice(self._open_squares())
        self.computer.told.clear()
        answer = self.computer.stage.play(self.table, HOST, seq, request, {"type": "dig", "square": square})
        if not isinstance(answer, Lift):
            raise AssertionError("the shovel was ready, and the table lifted by hand")
        told, stage = self.computer.told, self.computer.stage
        trouble = Trouble(self, mishap)
        hand = Hand(self, trouble)
        hand.carry()
        held = any(isinstance(event, LiftHeld) for event in told)
        done = held and any(isinstance(event, LiftDone) for event in told) and not trouble.abandoned
        assert not done or hand.carried, f"{mishap}: {request} counts, and its card has dropped before it was let go"
        self._settle(request, done, trouble, stage.mishap)
        if not trouble.moved_on:
            assert self._lifted - before == done, (mishap, request)

    def _settle(self, request: str, done: bool, trouble: Trouble, mishap: str | None) -> None:
        times = sum(line.request == request for line in self.table.written)
        self.figures["twice"] += times > 1
        self.figures["lost"] += done and times == 0
        assert times == done, f"{trouble.kind}: {request} was lifted {int(done)} times and counted {times} times"
        assert done or mishap or trouble.abandoned, f"{trouble.kind}: a lift ended, and nobody was told why"
        self.figures["lifts"] += 1
        self.figures["counted" if done else "failed"] += 1
        self.figures[f"{trouble.kind if trouble.happened else 'nothing'}: {'counted' if done else 'failed'}"] += 1
        if done:
            self._counted.add(request)
        elif not trouble.happened:
            self.figures[f"by itself: {mishap}"] += 1
        trouble.end()

    def run(self, ms: int, each: int = IDLE_MS) -> None:
        """Nothing is done for a while."""
        end = self.bench.ms + ms
        while self.bench.ms < end:
            self.computer.turn(min(each, max(1, end - self.bench.ms)))

    def restart(self, *, power_lost: bool) -> None:
        """The computer stops, by a cut or in order, is away for a while, and reads its journal again."""
        if power_lost:
            self.computer.lose_power()
        else:
            self.computer.close()
        self._alone = True
        for _ in range(self.luck.randrange(0, 3000) // 5):
            self.bench.step(5)
        self._alone = False
        self._rough()
        table = self.table.id
        self.computer = Computer(self.bench, self._folder)
        self.table = self.computer.hall.table(table)
        self.computer.stage.attach(self.table)
        self.figures["restarts"] += 1
        assert self._counted == {line.request for line in self.table.written if (line.request or "").startswith("lift")}

    def move_on(self) -> bool:
        """Somebody presses another button of the table in the middle of a lift."""
        kinds = [move for move in self.table.moves(HOST).moves if type(move).__name__ in {"Stop", "Pass"}]
        return bool(kinds) and self._did(
            lambda seq, request: self.table.play(HOST, seq, request, {"type": type(kinds[0]).__name__.lower()})
        )

    def take_back(self) -> bool:
        """Somebody takes the last step back in the middle of a lift."""
        return self._did(lambda seq, request: self.table.take_back(HOST, seq, request))

    def _did(self, act: Callable[[int, str], object]) -> bool:
        written = len(self.table.written)
        try:
            act(self.table.seq, self._request("hand"))
        except Refusal:
            return False
        back = {line.request for line in self.table.written if (line.request or "").startswith("lift")}
        assert back == self._counted
        return len(self.table.written) > written

    def _make_ready(self) -> None:
        """Everything is put right that an earlier mishap left: faults are cleared, the pump has its rest."""
        waited = 0
        while not self.computer.is_ready:
            self._clear()
            self.run(200)
            waited += 200
            assert waited < PATIENCE_MS, self.computer.rig.state()
        self._to_a_dig()

    def _clear(self) -> None:
        shovel = self.computer.rig.state().shovel
        if shovel is not None and shovel.fault is not None:
            try:
                self.computer.rig.shovel("clear")
            except ShovelRefused:
                return
            self.figures[f"fault {shovel.fault.code}"] += 1

    def _to_a_dig(self) -> None:
        """Whatever else is asked is done by hand, until somebody may dig."""
        while not self._open_squares():
            ask = self.table.ask()
            if self.table.over():
                self.computer.stage.detach()
                self.table = self._lay()
            elif isinstance(ask, Chance):
                self.table.answer(HOST, self.table.seq, self._request("hand"), None)
            else:
                self._end_turn()
        if self.luck.random() < 0.2:
            self.move_on()
            self._to_a_dig()

    def _end_turn(self) -> None:
        kinds = {type(move).__name__ for move in self.table.moves(HOST).moves}
        move = "no_barricade" if "NoBarricade" in kinds else "stop" if "Stop" in kinds else "pass"
        self.table.play(HOST, self.table.seq, self._request("hand"), {"type": move})

    def _open_squares(self) -> list[str]:
        if self.table.over() or isinstance(self.table.ask(), Chance):
            return []
        return [move.square for move in self.table.moves(HOST).moves if type(move).__name__ == "Dig"]  # type: ignore[attr-defined]

    def _lay(self) -> Table:
        self._counted.clear()
        self.figures["tables"] += 1
        table = self.computer.hall.lay(Setup("tutankhamun", "referee", SEATS), secret=self.luck.randbytes(32))
        self.computer.stage.attach(table)
        self.run(200)  # a stop, as when the rig changes hands, ends what is asked of the shovel in the same moment
        return table

    @property
    def _lifted(self) -> int:
        state = self.table.state
        assert isinstance(state, TutankhamunState)
        return state.lifted

    def _request(self, kind: str) -> str:
        self._requests += 1
        return f"{kind} {self._requests}"

    def _rough(self) -> None:
        self._rough_until = self.bench.ms + DEAD_MAN_MS

    def _look(self, ms: int) -> None:
        """The pump runs, or the valve is closed, in a lift and at no other time; a board that hears nothing lets go."""
        bench = self.bench
        if self._alone or not bench.plugged or bench.drop or bench.corrupt:
            self._rough()
        lifting = not self._alone and self.computer.stage.lift is not None
        self._stray = 0 if lifting or not bench.sucking else self._stray + ms
        if self._stray:
            rough = bench.ms <= self._rough_until
            kind, most = ("unheard", DEAD_MAN_MS) if rough else ("heard", CLEAN_MS)
            self.longest_stray[kind] = max(self.longest_stray[kind], self._stray)
            assert self._stray <= most, f"the pump has run for {self._stray} ms outside a lift"


class Hand:
    """The hand at the cup: it touches, waits for the grip, carries the card aside and lets go.

    :ivar carried: the card hung on the cup until it was let go
    """

    def __init__(self, evening: Evening, trouble: Trouble) -> None:
        luck = evening.luck
        self._evening, self._trouble, self._bench = evening, trouble, evening.bench
        self._began = evening.bench.ms
        self._touches = self._began + luck.randrange(0, 700)
        self._carry = luck.randrange(200, 1500)
        self._held_at: int | None = None
        self._hung_at = 0
        self._released = False
        self.carried = False

    def carry(self) -> None:
        stage = self._evening.computer.stage
        while stage.lift is not None and not self._trouble.abandoned:
            assert self._bench.ms - self._began < PATIENCE_MS, "a lift does not end"
            self._evening.computer.turn()
            if stage.lift is not None:
                self._act(stage)
                self._trouble.look(self._bench.ms - self._began)
        self._bench.plant.card = False

    def _act(self, stage: Stage) -> None:
        bench, lift = self._bench, stage.lift
        if self._touches <= bench.ms and not self._released and self._trouble.touches:
            bench.plant.card = True
        if lift is None:
            return
        if bench.plant.card and bench.plant.kpa > HELD_KPA:
            self._hung_at = bench.ms
        if lift.state == "held" and self._held_at is None:
            self._held_at = bench.ms
        if lift.state == "doubted" and bench.plant.card and bench.plant.kpa > HELD_KPA:
            self._shovel("confirm")
        if self._held_at is not None and bench.ms >= self._held_at + self._carry and not self._released:
            self.carried = bench.ms - self._hung_at <= UNSEEN_MS
            self._released = self._shovel("release")
        if self._released and bench.plant.kpa < HELD_KPA:
            bench.plant.card = False

    def _shovel(self, do: str) -> bool:
        try:
            self._evening.computer.rig.shovel("release" if do == "release" else "confirm")
        except ShovelRefused:
            return False
        return True


class Trouble:
    """One thing that goes wrong at some moment of a lift.

    :ivar abandoned: people, or a cut, have ended the lift
    :ivar moved_on: the table was changed by something else than the lift
    """

    def __init__(self, evening: Evening, kind: str) -> None:
        self.kind = kind
        self.happened = self.abandoned = self.moved_on = False
        self._evening = evening
        self._at = evening.luck.randrange(0, 2600)
        self._for = evening.luck.randrange(200, 2500)
        self._off = False

    @property
    def touches(self) -> bool:
        """Whether there is a card to touch."""
        return self.kind != "no card" and not (self.kind == "drop" and self._off)

    def look(self, since: int) -> None:
        """It happens when its time has come, and ends by itself."""
        if not self.happened and (since >= self._at or self.kind == "no card"):
            self.happened = True
            HAPPENS[self.kind](self)
        elif self.kind == "unplug" and self.happened and since >= self._at + self._for:
            self._evening.bench.plugged = True

    def end(self) -> None:
        """The world is as it was."""
        bench = self._evening.bench
        bench.plant.leak = bench.drop = bench.corrupt = 0.0
        bench.plant.card = False
        if not bench.plugged:
            self._evening.run(self._for)
            bench.plugged = True

    def leak(self) -> None:
        self._evening.bench.plant.leak = self._evening.luck.uniform(0.2, 1.0)

    def fall(self) -> None:
        self._off = True
        self._evening.bench.plant.card = False

    def unplug(self) -> None:
        self._evening.bench.plugged = False

    def noise(self) -> None:
        self._evening.bench.drop = self._evening.luck.uniform(0, 30)
        self._evening.bench.corrupt = self._evening.luck.uniform(0, 30)

    def press_stop(self) -> None:
        self._evening.computer.rig.shovel("stop")

    def undo(self) -> None:
        self.abandoned = self.moved_on = self._evening.take_back()

    def other_move(self) -> None:
        self.abandoned = self.moved_on = self._evening.move_on()

    def put_by(self) -> None:
        stage = self._evening.computer.stage
        stage.detach()
        stage.attach(self._evening.table)
        self.abandoned = True

    def cut(self) -> None:
        self.abandoned = True
        self._evening.restart(power_lost=True)

    def stop_service(self) -> None:
        self.abandoned = True
        self._evening.restart(power_lost=False)


HAPPENS: dict[str, Callable[[Trouble], None]] = {
    "nothing": lambda trouble: None,
    "no card": lambda trouble: None,
    "leak": Trouble.leak,
    "drop": Trouble.fall,
    "unplug": Trouble.unplug,
    "noise": Trouble.noise,
    "hang": lambda trouble: trouble._evening.bench.hang(),
    "brown-out": lambda trouble: trouble._evening.bench.brown_out(),
    "stop": Trouble.press_stop,
    "undo": Trouble.undo,
    "other move": Trouble.other_move,
    "put by": Trouble.put_by,
    "power cut": Trouble.cut,
    "service stop": Trouble.stop_service,
}
MISHAPS = tuple(HAPPENS)
