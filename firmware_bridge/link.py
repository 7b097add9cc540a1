"""The link to a board: one thread owns the port, greets the board, listens, notices silence and connects again."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable

import msgspec
from serial import SerialTimeoutException

from firmware_bridge import frames, messages
from firmware_bridge.errors import BoardRefused, LinkLost
from firmware_bridge.messages import (
    ANSWER,
    BoardFault,
    BoardNotice,
    Command,
    Connected,
    Disconnected,
    Event,
    FaultRaised,
    Hello,
    RefusalCode,
    Restarted,
    Status,
    Unintelligible,
)
from firmware_bridge.ports import READ_S, Port, lasting_name, open_port
from firmware_bridge.quality import LinkQuality, Tally
from firmware_bridge.questions import Question, Sequences

PATIENCE_S = (0.03, 0.11)
"""A request is repeated after four times the usual round trip, within these bounds."""
TRIES = 12
TOTAL_S = 0.45
"""After so many tries or so long a request is lost."""
SILENCE_S = 0.7
"""The board speaks each 200 ms; three times nothing, and the link is lost."""
KEEP_ALIVE_S = 0.5
ASK_EACH_S = 1.0
"""So often the board is asked what it has counted, however much else is said."""
STOP_EACH_S = 0.05
LOOK_EACH_S = 0.005
GREET_AFTER_S = (0.2, 0.4, 0.8, 1.0)
"""So long each greeting waits for its answer, the last of these again and again: on a slow wire it comes late."""
GREET_FOR_S = 5.0
"""An old bootloader keeps a Nano for two seconds after the port is opened."""
NO_ANSWER = "no board answers at this port"
STATUSES = 32
BACK_OFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)

_log = logging.getLogger(__name__)
_STOP_BYTE = bytes([frames.STOP])


class Link:
    """Talks to the board at a port. Every public call may come from any thread."""

    def __init__(self, url: str, *, clock: Callable[[], float], on_event: Callable[[Event], None] | None) -> None:
        self.url = url
        self.hello: Hello | None = None
        self.status: Status | None = None
        self.statuses: tuple[Status, ...] = ()
        """The newest statuses of the board, the newest last."""
        self.session: int | None = None
        """The number of the session with the board, another one after each greeting; None while there is none."""
        self.sessions = 0
        self.other_protocol: int | None = None
        """What the board at the port speaks, where it is not what is spoken here."""
        self.connected = threading.Event()
        self._clock = clock
        self.on_event = on_event
        self._port: Port | None = None
        self._owner = threading.Thread(target=self._own, name="board link", daemon=True)
        self._herald = threading.Thread(target=self._tell, name="board events", daemon=True)
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._asking = threading.Lock()
        self._writing = threading.Lock()
        self._question: Question | None = None
        self._sequences = Sequences()
        self._stop_pending = False  # the board has not confirmed the last stop; a plain flag, for signal handlers
        self._last_stop = object()  # another one with each stop
        self._stop_wrote = 0.0
        self._greeting = False
        self._greeting_number = 0
        self._greetings = 0
        self._buttons = 0
        self._reader = frames.Reader()
        self._forgiven = (0, 0)
        self._heard = self._wrote = self._greeted_at = self._asked_at = 0.0
        self._has_bounds = True  # as far as is known; firmware 1.0 has none to tell
        self._next_event: int | None = None
        self._tally = Tally(clock())
        self._logged = ""

    def start(self) -> None:
        self._owner.start()
        self._herald.start()

    def close(self) -> None:
        """Give the port back. What the board does is the caller's business (see Board.close)."""
        self._closing.set()
        for thread in (self._owner, self._herald):
            if thread is self._herald:
                self._events.put(None)
            if thread.is_alive() and thread is not threading.current_thread():
                thread.join(2.0)

    @property
    def quality(self) -> LinkQuality:
        return self._tally.read(self._reader.crc_errors, self._reader.frame_errors)

    def request(
        self,
        say: Command,
        body: bytes = b"",
        *,
        session: int | None = None,
        as_long_as: Callable[[], bool] = lambda: True,
    ) -> bytes:
        """Ask, repeat if need be, and return the body of the answer.

        :param session: the only session in which it is said: no frame of it is ever written behind a later greeting
        :param as_long_as: when this is so no longer, it is not said again
        :raises BoardRefused: when the board says no, or that session is over.
        :raises LinkLost: when it says nothing.
        """
        end = time.monotonic() + TOTAL_S
        if not self._asking.acquire(timeout=TOTAL_S):
            raise LinkLost("the link is busy with requests that get no answer")
        try:
            return self._ask(say, body, end, session, as_long_as)
        finally:
            self._question = None
            self._asking.release()

    def stop(self) -> None:
        """Write the stop byte. It lies outside the framing and needs no turn, so it goes between anybody's bytes.

        The thread that owns the port repeats it until the board says that it has stopped. Takes no lock: it may be
        called from a signal handler.
        """
        self._last_stop = object()
        self._stop_pending = True
        self._write_stop()

    def clear(self) -> None:
        """Clear the latched fault, but never overtake a stop, and never undo one that came later.

        :raises BoardRefused, LinkLost: as :meth:`request`; also when it was stopped meanwhile.
        """
        last_stop = self._last_stop
        try:
            self._await_stop()
            self.request(Command.CLEAR, as_long_as=lambda: self._last_stop is last_stop)
        except LinkLost:
            if self._last_stop is last_stop:
                raise
        if self._last_stop is not last_stop:
            self.stop()  # the board may have heard the two the other way round
            raise LinkLost("stopped meanwhile")

    def _await_stop(self) -> None:
        end = time.monotonic() + TOTAL_S
        while self._stop_pending:
            if time.monotonic() > end:
                raise LinkLost("the board has not confirmed the last stop yet")
            time.sleep(LOOK_EACH_S)

    def _write_stop(self) -> None:
        port = self._port
        if port is None:
            return
        try:
            self._stop_wrote = time.monotonic()
            port.write(_STOP_BYTE)
        except (OSError, TypeError, ValueError) as error:  # pyserial says TypeError of a port that is closed meanwhile
            _log.warning("the stop byte could not be written (%s); it will be", error)

    def _ask(self, say: Command, body: bytes, end: float, session: int | None, as_long_as: Callable[[], bool]) -> bytes:
        question = Question(say, self._sequences.of(say))
        content = bytes([say, question.sequence]) + body
        self._question = question
        self._tally.count(requests=1)
        patience = self._patience()
        for attempt in range(TRIES):
            left = end - time.monotonic()
            if self.hello is None or left < PATIENCE_S[0] or not as_long_as():
                break
            if attempt:
                self._tally.count(retries=1)
            self._write(content, again=attempt > 0, session=session)
            asked = time.monotonic()
            if question.answered.wait(min(patience, left)):
                break
            end += max(0.0, time.monotonic() - asked - patience)  # a computer that froze has not waited
        if question.refusal is not None:
            raise BoardRefused(question.refusal)
        if question.body is None:
            raise LinkLost(f"no answer to {say.name.lower()}: {self._tally.reason or 'silence'}")
        return question.body

    def _patience(self) -> float:
        usual = self._tally.round_trip_s
        return PATIENCE_S[1] if usual is None else min(PATIENCE_S[1], max(PATIENCE_S[0], 4 * usual))

    def _write(self, content: bytes, *, again: bool = False, session: int | None = None) -> None:
        with self._writing:
            if session not in (None, self.session):  # looked at here, where no greeting can come in between
                raise BoardRefused(RefusalCode.NO_SESSION)
            port = self._port
            if port is None:
                raise LinkLost("not connected")
            try:
                self._wrote = time.monotonic()
                self._tally.sent(content[1], again=again)
                port.write(frames.frame(content))
            except SerialTimeoutException:
                _log.debug("writing was slow; what did not go out goes out again")
            except OSError as error:
                raise LinkLost(f"cannot write: {error}") from error

    # What follows runs in the thread that owns the port.

    def _own(self) -> None:
        failures = 0
        name = self.url
        while not self._closing.is_set():
            try:
                port = open_port(name)
            except (OSError, ValueError) as error:
                self._give_up(str(error))
            else:
                name = lasting_name(name)
                failures = 0 if self._serve(port) else failures
            self._closing.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            failures += 1

    def _serve(self, port: Port) -> bool:
        """Listen until the link is lost; return whether a board was there."""
        self._port = port
        self._reader = frames.Reader(self._reader.crc_errors, self._reader.frame_errors)
        self._greeting = False
        reason = "closed"
        was_there = False
        try:
            self._begin_greeting()
            while not self._closing.is_set():
                self._hear(port)
                self._speak()
                was_there = was_there or self.hello is not None
                reason = self._why_lost()
                if reason:
                    break
        except (OSError, TypeError) as error:
            reason = str(error)
        self._give_up(reason or "closed")
        with self._writing:
            self._port = None
            try:
                port.close()
            except OSError as error:
                _log.debug("closing a lost port: %s", error)
        return was_there

    def _hear(self, port: Port) -> None:
        looked = time.monotonic()
        data = port.read(1)
        if data and port.in_waiting:
            data += port.read(port.in_waiting)
        self._heard += max(0.0, time.monotonic() - looked - READ_S)  # time in which we were frozen is no silence
        for content in self._reader.read(data):
            self._heard = time.monotonic()
            try:
                self._understand(content)
            except Unintelligible as error:
                self._log_once(f"says something unintelligible: {error}")

    def _why_lost(self) -> str:
        now = time.monotonic()
        if self._greeting and self.hello is None:
            return "" if now - self._greeted_at < GREET_FOR_S else NO_ANSWER
        return "" if now - self._heard < SILENCE_S else "the board is silent"

    def _begin_greeting(self) -> None:
        self.session = None  # before the greeting is written: nothing of the session that is over goes out behind it
        if not self._greeting:
            self._greeting = True
            self._greetings = 0
            self._greeted_at = time.monotonic()
            self._forgiven = (self._reader.crc_errors, self._reader.frame_errors)
            self.status = None
        self._greet()

    def _greet(self) -> None:
        if self._stop_pending:
            self._write_stop()
        self._greetings += 1
        self._greeting_number = self._sequences.of(Command.HELLO)
        self._write(bytes([Command.HELLO, self._greeting_number]))

    def _speak(self) -> None:
        now = time.monotonic()
        silent = now - self._wrote
        if self._greeting and silent > GREET_AFTER_S[min(self._greetings, len(GREET_AFTER_S)) - 1]:
            self._greet()
        elif not self._greeting and (silent > KEEP_ALIVE_S or now - self._asked_at > ASK_EACH_S):
            self._ask_after()
        if self._stop_pending and now - self._stop_wrote > STOP_EACH_S:
            self._write_stop()

    def _ask_after(self) -> None:
        """Ask what the board counts and puts bounds to; nobody waits for the answers."""
        self._asked_at = time.monotonic()
        missing = [Command.BOUNDS] if self._has_bounds and self._tally.bounds is None else []
        for say in [Command.COUNTERS, *missing]:
            self._write(bytes([say, self._sequences.of(say)]))

    def _give_up(self, reason: str) -> None:
        was_connected = self.hello is not None
        self.hello = self.status = self.session = None
        self.connected.clear()
        if not was_connected:
            self._tally.not_connected(reason)
            self._log_once(f"cannot be used: {reason}")
            return
        self._tally.lost(self._clock(), reason)
        if not self._closing.is_set():
            _log.warning("the link to the board at %s is lost: %s", self.url, reason)
        self._events.put(Disconnected(reason))

    def _log_once(self, what: str) -> None:
        """What goes on for hours is said once, until there is a board or something else is wrong."""
        if what != self._logged and not self._closing.is_set():
            self._logged = what
            _log.warning("the board at %s %s", self.url, what)

    def _understand(self, content: bytes) -> None:
        kind, sequence, body = content[0], content[1], content[2:]
        if kind in (BoardNotice.BOOT, BoardNotice.STATUS, BoardNotice.BUTTON, BoardNotice.FAULT):
            self._understand_event(BoardNotice(kind), sequence, body)
        elif kind == BoardNotice.REFUSAL:
            self._understand_refusal(sequence, body)
        elif kind == Command.HELLO | ANSWER:
            if self._greeting and sequence == self._greeting_number:  # the board begins anew with each greeting
                self._welcome(messages.read_hello(body))
        else:
            self._understand_answer(kind, sequence, body)

    def _understand_event(self, tell: BoardNotice, sequence: int, body: bytes) -> None:
        if tell is BoardNotice.BOOT:
            self._begin_greeting()
            return
        if self._greeting:
            return  # of an earlier session
        if self._next_event is not None:
            self._tally.count(lost_frames=(sequence - self._next_event) & 0xFF)
        self._next_event = (sequence + 1) & 0xFF
        if tell is BoardNotice.STATUS:
            self._take_status(body)
        elif tell is BoardNotice.BUTTON:
            button = messages.read_button(body, self._clock())
            self._take_button(button.index, button.down)
        else:
            self._raise_fault(messages.read_fault(body))

    def _understand_refusal(self, sequence: int, body: bytes) -> None:
        code = messages.read_refusal(body)
        question = self._question
        if question and question.sequence == sequence and body[0] == question.say:
            question.refusal = code
            question.answered.set()
        if code is RefusalCode.UNKNOWN and body[0] == Command.BOUNDS:
            self._has_bounds = False
        if code is RefusalCode.NO_SESSION and not self._greeting:
            self._begin_greeting()

    def _understand_answer(self, kind: int, sequence: int, body: bytes) -> None:
        self._tally.count_answer(sequence)
        if kind == Command.COUNTERS | ANSWER:
            self._tally.board_says(messages.read_counters(body))
        elif kind == Command.BOUNDS | ANSWER:
            self._tally.board_bounds(messages.read_bounds(body))
        elif kind != Command.PING | ANSWER:
            self._take_status(body)
        question = self._question
        if question and question.sequence == sequence and kind == question.say | ANSWER:
            question.body = body
            question.answered.set()

    def _welcome(self, hello: Hello) -> None:
        if hello.protocol != messages.PROTOCOL_VERSION:
            self.other_protocol = hello.protocol
            raise OSError(f"the board speaks protocol {hello.protocol}, not {messages.PROTOCOL_VERSION}: flash it anew")
        again = self.hello is not None
        self.other_protocol = None
        self._logged = ""
        self._greeting = False
        self._reader.crc_errors, self._reader.frame_errors = self._forgiven  # what a reset cut short is no error
        self._next_event = 0
        self._has_bounds = True
        self._asked_at = 0.0  # at once: what this board counts, and its bounds
        self._tally.started()
        self.hello = hello
        self.sessions += 1
        self.session = self.sessions
        _log.info(
            "board at %s: %s, firmware %s, started by %s", self.url, hello.description, hello.version, hello.reset.name
        )
        if not again:
            self._buttons = 0
            self._tally.connected(self._clock())
            self.connected.set()
        self._events.put(Restarted(hello) if again else Connected(hello))

    def _take_status(self, body: bytes) -> None:
        status = messages.read_status(body, self._clock())
        for index in range(messages.BUTTONS):
            self._take_button(index, bool(status.buttons >> index & 1))
        before = self.status.fault if self.status else BoardFault.NONE
        self.status = status
        self.statuses = (*self.statuses[1 - STATUSES :], status)
        if status.fault is BoardFault.NONE:
            return
        self._stop_pending = False
        if status.fault is not before:
            self._events.put(FaultRaised(status.fault))

    def _take_button(self, index: int, down: bool) -> None:
        """Tell of a press once, whether its own frame or a later status brought it."""
        if bool(self._buttons >> index & 1) == down:
            return
        self._buttons ^= 1 << index
        self._events.put(messages.Button(index, down, self._clock()))

    def _raise_fault(self, fault: BoardFault) -> None:
        self._stop_pending = False
        if self.status is None or self.status.fault is fault:
            return
        self.status = msgspec.structs.replace(
            self.status, pump=0, valve_closed=False, lease_ms=0, on_ms=0, fault=fault, at=self._clock()
        )
        self._events.put(FaultRaised(fault))

    # And this in the thread that tells, so that a listener may ask the board something.

    def _tell(self) -> None:
        while (event := self._events.get()) is not None:
            if self.on_event is None:
                continue
            try:
                self.on_event(event)
            except Exception:
                _log.exception("a listener failed at %r", event)
