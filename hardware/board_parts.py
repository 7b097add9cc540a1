"""The parts of a rig that are behind a board: the air path, the panel, and the wire itself."""

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from firmware_bridge.board import Board, BoardRefused, LinkLost
from firmware_bridge.messages import BoardFault, Button, Event, Feature, RefusalCode, Status
from firmware_bridge.sim import World
from hardware.events import LinkState, WorldState
from hardware.face import Poke
from hardware.faults import AirLost, FaultCode, ShovelRefused
from hardware.panel import Note
from hardware.sensors import Transducer
from hardware.vacuum import Sample, Sense, Thresholds

log = logging.getLogger(__name__)

OFF = (0, False)
EVERY_BOARDS_BUTTONS = 6
SAYS_WHICH_BUTTONS = (1, 2)
FULL_LEVEL = 255
LEVEL_STEP = 16
MOST_KPA = 45.0
BUDGET_START_MS = 1000
WORLD_EVERY_S = 0.1
WORLD_ANSWERS_S = 0.15
WORLD_RESTS_S = 1.0
STALL_S = 1.0
LONGEST_STALL_S = 60.0

FAULTS: Mapping[BoardFault, FaultCode] = {
    BoardFault.STOPPED: "board_stopped",
    BoardFault.LEASE: "lease_lapsed",
    BoardFault.ON_TIME: "too_long",
    BoardFault.DUTY: "overworked",
    BoardFault.WATCHDOG: "board_hung",
    BoardFault.BROWN_OUT: "brown_out",
}


class SerialAir:
    """
    A pump, a valve and a gauge on the board.

    A level is sent when it changes by enough to hear. What switches something on is sent in the session in which
    the board was last made ready (:meth:`clear`) and in no other: once a board has restarted, its pump stays off until
    somebody grips anew, however late this program learns of it.

    :param transducer: the gauge at the board's input; ``None`` when there is none
    :param most_kpa: the vacuum at which the board rests the pump by itself, where its gauge can tell it
    """

    def __init__(self, board: Board, *, transducer: Transducer | None, most_kpa: float = MOST_KPA) -> None:
        self._board = board
        self._transducer = transducer
        self._most_kpa = most_kpa
        self._sampled_at = float("-inf")
        self._limited: int | None = None
        self._sent: tuple[int, bool] | None = None
        self._session: int | None = None
        self._engaged = False
        self._unheard = False
        self._stopped = False

    @property
    def sense(self) -> Sense:
        """What tells the vacuum."""
        return "gauge" if self._transducer else "none"

    @property
    def thresholds(self) -> Thresholds | None:
        """A board has no switch."""
        return None

    def samples(self, now: float) -> list[Sample]:
        """The vacuum in each status of the board that came since this was last asked."""
        transducer, full = self._transducer, self._board.full_count
        if transducer is None or full is None:
            return []
        new = [status for status in self._board.statuses if status.at > self._sampled_at]
        self._sampled_at = new[-1].at if new else self._sampled_at
        return [Sample(transducer.kpa(status.vacuum_raw / full), status.at) for status in new]

    def trouble(self, now: float) -> FaultCode | None:
        """What the board has latched, and whether it is there at all."""
        if self._board.other_protocol is not None:
            return "other_firmware"
        status = self._board.status
        if self._unheard or (self._board.hello is None and self._board.was_greeted):
            return "link_lost"
        if self._engaged and self._board.session != self._session:
            return self._latched(status) or "board_restarted"
        return self._latched(status)

    def drive(self, level: float, *, closed: bool) -> None:
        """Tell the board what changed; off and vented needs no telling where there is no board."""
        wanted = (_steps(level), closed)
        self._engaged = wanted != OFF
        if wanted == OFF:
            if self._board.hello is None:
                self._sent = None
                return
            self._see_that_it_is_off()
        elif self._session is None or self._board.session != self._session:
            raise AirLost("board_restarted", "the board has started anew since it was asked to be ready")
        if wanted != self._sent:
            self._send(*wanted)
            self._sent = wanted

    def renew(self) -> None:
        """Renew the lease; where it cannot be, :meth:`trouble` says so."""
        if self._board.hello is None:
            return
        try:
            self._board.renew()
            self._unheard = False
        except LinkLost:
            self._unheard = True
        except BoardRefused:  # it has restarted, and is being greeted
            return

    def stop(self) -> None:
        """The one byte."""
        self._stopped = True  # before the byte, so that the board's answer never comes as a surprise
        self._board.stop()
        self._sent = None

    def clear(self) -> None:
        """Have the board forget its stop or its fault. What is switched on after this holds for this session only."""
        self._unheard = self._engaged = False
        self._session = self._sent = None
        self._stopped = False  # before the request: a stop that is pressed meanwhile is remembered
        session = self._board.session
        try:
            self._board.clear_fault()
            if session != self._limited:
                self._limit(session)
            self._board.renew()
        except (LinkLost, BoardRefused) as why:
            raise AirLost("link_lost", str(why)) from why
        if session is None or self._board.session != session:
            raise AirLost("board_restarted", "the board has started anew meanwhile")
        self._session = session

    def _limit(self, session: int | None) -> None:
        """Have the board rest the pump by itself at too much vacuum, once it is known on which scale it counts."""
        full = self._board.full_count
        if full is None:
            return
        most = self._transducer.count_of(self._most_kpa, full) if self._transducer else 0
        self._board.limits(vacuum_most=most)
        self._limited = session

    def budget_s(self) -> float | None:
        """How long the board still lets the pump run, with enough in hand to start it again after a pause."""
        status, bounds = self._board.status, self._board.link.bounds
        if status is None:
            return None
        left_ms = status.budget_ms - (bounds.budget_start_ms if bounds else BUDGET_START_MS)
        if bounds and status.on_ms:
            left_ms = min(left_ms, bounds.on_time_ms - status.on_ms)
        return max(0, left_ms) / 1000

    def close(self) -> None:
        """Stop; the wire is given back by :class:`BoardWire`."""
        self.stop()

    def _see_that_it_is_off(self) -> None:
        """Off was answered by a status that says so; a later one that says otherwise is answered with the one byte."""
        status = self._board.status
        if self._sent == OFF and status is not None and not status.is_safe:
            log.warning("the board was told off and says that it is on: stopping it")
            self.stop()

    def _send(self, level: int, closed: bool) -> None:
        before = self._sent or (None, None)
        try:
            if closed != before[1]:
                self._board.valve(closed, session=self._session if closed else None)
            if level != before[0]:
                self._board.pump(level, session=self._session if level else None)
        except LinkLost as why:
            self.stop()  # which is repeated until the board says that it has
            raise AirLost("link_lost", str(why)) from why
        except BoardRefused as why:
            reason = self._reason(why)
            self.stop()
            raise AirLost(reason, str(why)) from why

    def _reason(self, why: BoardRefused) -> FaultCode:
        match why.code:
            case RefusalCode.RESTING:
                return "overworked"
            case RefusalCode.NO_LEASE:
                return "lease_lapsed"
            case RefusalCode.NO_SESSION:
                return "board_restarted"
            case _:
                return self._latched(self._newest()) or "device"

    def _newest(self) -> Status | None:
        """How the board is: it refuses at once, and tells only a moment later what it has latched."""
        try:
            self._board.renew()
        except (LinkLost, BoardRefused):
            return None
        return self._board.status

    def _latched(self, status: Status | None) -> FaultCode | None:
        """What the board has latched by itself. A stop that was asked for is no fault: whoever pressed it knows."""
        if status is None or (status.fault is BoardFault.STOPPED and self._stop_is_known):
            return None
        return FAULTS.get(status.fault)

    @property
    def _stop_is_known(self) -> bool:
        """Whether the board was stopped from here, or by somebody else before it was greeted."""
        hello = self._board.hello
        was_stopped = hello is not None and hello.fault is BoardFault.STOPPED and self._board.session != self._session
        return self._stopped or was_stopped


class BoardPanel:
    """
    A panel on the board's lines, which are counted from 1 as in the wiring guide.

    :param buttons: the line of each button
    :param lamps: the lines of the seats' lamps, in the order of the seats
    :param turn: the line of the turn light
    """

    def __init__(
        self,
        board: Board,
        *,
        buttons: Mapping[str, int],
        lamps: Sequence[int],
        turn: int | None = None,
    ) -> None:
        self.seats = len(lamps)
        self._board = board
        self._names = {line - 1: name for name, line in buttons.items()}
        self._lamps = list(lamps)
        self._turn = turn
        self._lit_in: int | None = None
        self._pressed: Callable[[str], None] | None = None

    @property
    def not_fitted(self) -> tuple[str, ...]:
        """The buttons at lines that this board does not have; an older firmware does not say which it has."""
        hello = self._board.hello
        if hello is None or hello.can & Feature.EIGHT_BUTTONS or hello.release < SAYS_WHICH_BUTTONS:
            return ()
        return tuple(name for index, name in self._names.items() if index >= EVERY_BOARDS_BUTTONS)

    def listen(self, pressed: Callable[[str], None]) -> None:
        """Have *pressed* told of the buttons, from the link's thread."""
        self._pressed = pressed

    def heard(self, event: Event) -> None:
        """Take an event of the board; called from the link's thread."""
        if self._pressed and isinstance(event, Button) and event.down and event.index in self._names:
            self._pressed(self._names[event.index])

    def light(self, seats: Sequence[bool], turn: bool) -> None:
        """Set all the lamps."""
        lit = [line for line, on in zip(self._lamps, seats, strict=True) if on]
        if turn and self._turn:
            lit.append(self._turn)
        session = self._board.session
        self._ask(lambda: self._board.lamps(sum(1 << (line - 1) for line in lit)))
        self._lit_in = session

    def tone(self, note: Note) -> None:
        """Have the board sound a tone; it ends it by itself."""
        self._ask(lambda: self._board.buzz(note.ms, note.pitch))

    def hush(self) -> None:
        """The board has done so."""

    def down(self) -> tuple[str, ...]:
        """The buttons that are held down."""
        status = self._board.status
        bits = status.buttons if status else 0
        return tuple(name for index, name in self._names.items() if bits >> index & 1)

    @property
    def forgot(self) -> bool:
        """Whether a session has begun since the lamps were last set: the board is dark."""
        return self._board.session not in (None, self._lit_in)

    def close(self) -> None:
        """The board goes dark when it is told goodbye."""

    def _ask(self, act: Callable[[], None]) -> None:
        if self._board.hello is None:
            return
        try:
            act()
        except BoardRefused as why:
            raise OSError(str(why)) from why


class BoardLights:
    """Pixels at a board's line; a firmware that has none is not asked."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def fill(self, first: int, count: int, colour: tuple[int, int, int]) -> None:
        """Have some in a row show a colour."""
        hello = self._board.hello
        if hello is None:
            raise OSError("there is no board yet")
        if Feature.LIGHTS in hello.can:
            try:
                self._board.lights(first, count, colour)
            except BoardRefused as why:
                raise OSError(str(why)) from why

    def close(self) -> None:
        """The board goes dark when it is told goodbye."""


class BoardWire:
    """
    The link to a board, and the simulated world behind it if there is one.

    :param panel: what is connected to the lines of the board
    """

    def __init__(
        self, board: Board, *, panel: BoardPanel | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._board = board
        self._panel = panel
        self._clock = clock
        self._world: WorldState | None = None
        self._looked_at = float("-inf")

    def state(self) -> LinkState:
        """How good the link is."""
        quality, hello = self._board.link, self._board.hello
        return LinkState(
            connected=quality.connected,
            since=quality.since,
            rtt_ms=None if quality.rtt_ms is None else round(quality.rtt_ms, 2),
            retries=quality.retries,
            crc_errors=quality.crc_errors,
            damaged_here=quality.crc_errors + quality.frame_errors,
            damaged_there=quality.damaged_there,
            lost_frames=quality.lost_frames,
            board=hello.description if hello else None,
            reason=quality.reason,
            missing=self._panel.not_fitted if self._panel else (),
        )

    def world(self) -> WorldState | None:
        """The simulated world, looked at ten times a second."""
        world = self._board.world
        now = self._clock()
        if world is not None and now - self._looked_at >= WORLD_EVERY_S:
            self._looked_at = now
            try:
                seen = world.state(within=WORLD_ANSWERS_S)
            except OSError:  # it stands still or has gone, as the link will say; the loop has better to do than wait
                self._looked_at = now + WORLD_RESTS_S
            else:
                self._world = WorldState(seen["card"], seen["leak"], round(seen["kpa"], 1), world.plugged)
        return self._world

    def poke(self, do: Poke, value: float | None) -> None:
        """Do something to the simulated world."""
        world = self._board.world
        if world is None:
            raise ShovelRefused("no_world")
        self._looked_at = float("-inf")
        try:
            self._do(world, do, value)
        except OSError as why:
            raise ShovelRefused("no_answer") from why

    @staticmethod
    def _do(world: World, do: Poke, value: float | None) -> None:
        match do:
            case "card" | "no_card":
                world.touch(card=do == "card")
            case "leak":
                world.leak = min(1.0, max(0.0, value or 0.0))
            case "unplug":
                world.unplug()
            case "replug":
                world.replug()
            case "stall":
                world.stall(STALL_S if value is None else min(LONGEST_STALL_S, max(0.0, value)))
            case "brown_out":
                world.brown_out()
            case _:
                assert_never(do)

    def close(self) -> None:
        """Say goodbye to the board, which leaves everything safe."""
        self._board.close()


def _steps(level: float) -> int:
    """
    The board's level, in steps coarse enough not to fill the wire, and never less than what was asked.

    >>> _steps(0.0), _steps(0.41), _steps(0.82), _steps(1.0)
    (0, 112, 224, 255)
    """
    return min(FULL_LEVEL, math.ceil(level * FULL_LEVEL / LEVEL_STEP) * LEVEL_STEP)
