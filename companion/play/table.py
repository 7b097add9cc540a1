"""A table in play: what its seats and its host may do, and which entries follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, Self
from weakref import ref

import msgspec

from companion.game import (
    AnyGame,
    Chance,
    Choices,
    Corrected,
    Correction,
    Dealt,
    Json,
    Move,
    Outcome,
    Played,
    Step,
    Turn,
)
from companion.play.actors import HOST, SPECTATOR, Actor, Bot, hand_of, host_only, is_number, may_act, seat_of
from companion.play.anytime_requests import AnytimeRequests
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    QUIET,
    EndConfirmed,
    JournalLine,
    Keys,
    Laid,
    MovePlayed,
    OutcomeRecorded,
    StepsUndone,
    TableClosed,
    TableCorrected,
)
from companion.play.entry_checks import check_confirmation
from companion.play.journal import Steps
from companion.play.live_history import Press, digest_of
from companion.play.position import Following, Position
from companion.play.seating import Seating
from companion.play.sitting import PLAYED_FOR, BotNews
from companion.play.snapshots import Snapshot
from companion.refusals import (
    Illegal,
    Malformed,
    NotYourTurn,
    Over,
    Stale,
    Storage,
)

if TYPE_CHECKING:
    from companion.play.view import SharedParts

__all__ = ["HOST", "SPECTATOR", "Actor", "CachedLogLine", "Press", "Table"]

LONGEST_RUN = 10_000  # draws that may follow one press; more are a fault of the game
NOTHING = ""
"""An outcome reported where nothing is to be drawn: the game refuses it, and says why."""


class CachedLogLine(NamedTuple):
    """A line of the log in JSON, and the number of its entry."""

    seq: int
    json: bytes


class LogCursor(NamedTuple):
    """The newest lines of the log up to an entry, as one viewer reads them, without those about stirring."""

    seq: int
    lines: tuple[CachedLogLine, ...]


class Table(AnytimeRequests):
    """A table in play. Every request has an id and is answered once; most name the entry they were meant for, and are
    refused as stale where something else was made since.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    :param journal: keeps each step before it is shown.
    :param clock: gives milliseconds since 1970, for the log only.
    """

    def __init__(
        self,
        game: AnyGame,
        laid: Laid,
        secret: bytes,
        keys: Keys,
        *,
        journal: Steps,
        clock: Callable[[], int],
        written: Sequence[JournalLine] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        super().__init__(game, laid, secret, journal=journal, clock=clock, written=written, snapshot=snapshot)
        self.dealer = SealedDealer(secret)
        self.keys = keys
        self.next: str | None = None  # the table at which the same people play on
        self.host_silent = False  # whether no device of the host's was heard lately
        self.read: dict[int | None, LogCursor] = {}  # by viewer
        self.bot_news: dict[int, BotNews] = {}  # by seat
        self.aids: dict[int | None, tuple[int, bytes]] = {}  # by viewer: the newest help, and at which entry
        self.shown: ref[SharedParts] | None = None  # the parts of the newest view that are the same for all

    def now(self) -> tuple[int, Position]:
        """The newest entry's number and position; to compute its state, the table need not stay locked."""
        with self.lock:
            return self.seq, self.position()

    def moves(self, actor: Actor, seat: int | None = None, at: Position | None = None) -> Choices:
        """Every legal move of the seat that an actor may act for, now or in another position."""
        position = at or self.position()
        ask = position.ask
        if not isinstance(ask, Turn) or actor.role == "spectator":
            return Choices(())
        mine = actor.seat if actor.role == "seat" else seat
        for each in ask.seats:
            if mine is None or mine == each:
                return self.game.moves(position.state, each)
        return Choices(())

    def play(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> int:
        """A seat makes a move; the draws that follow without anybody's press are made with it.

        :returns: the number of the newest entry; the one answered before, where the request was answered before.
        """
        return self._do(
            request,
            ("move", actor, seq, move, seat),
            lambda: self._check_move(actor, seq, move, seat),
            lambda: self._moved(actor, seq, move, seat),
        )

    def prepare(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> Press:
        """Work out what `play` would do, or refuse as it would: for a move that has to wait, as for the shovel."""
        digest = self.digest_of_move(actor, seq, request, move, seat=seat)
        with self.lock:
            self.check_here()
            self._check_move(actor, seq, move, seat)
            return Press(self.seq, request, digest, tuple(self._moved(actor, seq, move, seat)))

    def digest_of_move(self, actor: Actor, seq: int, request: str, move: object, *, seat: int | None = None) -> str:
        """The digest of a request to `play`: when the same id comes again, it tells whether the move is the same."""
        return digest_of(request, ("move", actor, seq, move, seat))

    def again(self, press: Press) -> Press:
        """Work out a prepared move anew, as the table is by now; refused where it has become illegal."""
        with self.lock:
            entry, _ = press.steps[0]
            if not isinstance(entry, MovePlayed):
                raise TypeError("only a move is prepared")
            return press._replace(seq=self.seq, steps=tuple(self._made(entry, self.step_of(entry))))

    def preview(self, press: Press) -> tuple[object, ...]:
        """A fingerprint of a prepared move: a pending lift is cancelled when it changes."""
        entry, after = press.steps[0]
        if not isinstance(entry, MovePlayed) or after.trail is None:
            raise TypeError("only a move is prepared")
        ask = after.ask
        facts = self.game.tells(after.trail.before.state, self.step_of(entry), entry.seat)
        return facts, ask.question if isinstance(ask, Chance) else None

    def begin(self) -> None:
        """Make the draws before the first move; not in pace "press", nor where people draw themselves."""
        ask = self.ask()
        if self.setup.pace == "flow" and isinstance(ask, Chance) and self.setup.source(ask.randomizer) == "companion":
            with suppress(Storage):  # the table is laid all the same, and waits for a press
                self.answer(HOST, self.seq, f"begin {self.id}", None)

    def answer(self, actor: Actor, seq: int, request: str, outcome: Outcome | Sequence[Outcome] | None) -> int:
        """Have the companion draw (`outcome` is None), or report what was drawn at the table.

        The outcomes of one throw may be reported together, one after another: all or none of them count.
        """
        several = [outcome] if isinstance(outcome, str) or not isinstance(outcome, Sequence) else [*outcome]
        if not several or (outcome is not None and not all(map(_is_outcome, several))):
            raise Malformed("core.not_an_outcome")
        return self._do(
            request, ("outcome", actor, seq, outcome), lambda: self.check(seq), lambda: self._drawn(actor, several)
        )

    def take_back(self, actor: Actor, seq: int, request: str, to: int | None = None) -> int:
        """Undo the last thing a person did, or redo it. The host may go back to any earlier entry."""

        def steps() -> list[Following]:
            may_act(actor)
            offer = self.offer(actor)
            target = offer.to if to is None else to
            if target is not None and target == offer.redo:
                return [(StepsUndone(actor.signs, target, actor.seat, again=True), self.position(target))]
            if target is None or not offer.open:
                raise Illegal(offer.why or "undo.nothing")
            if not is_number(target) or not 0 <= target < self.seq:
                raise Malformed("undo.no_such_step")
            if actor.role != "host" and target != offer.to:
                raise Illegal("undo.host_only")
            return [(StepsUndone(actor.signs, target, actor.seat), self.position(target))]

        return self._do(request, ("undo", actor, seq, to), lambda: self.check(seq), steps)

    def correct(self, actor: Actor, seq: int, request: str, correction: object) -> int:
        """The host corrects what lies on the table."""

        def steps() -> list[Following]:
            host_only(actor)
            position = self._still_open()
            made = self.read_correction(correction)
            return [self._next(position, Corrected(made), TableCorrected(_plain(made)))]

        return self._do(request, ("correct", actor, seq, correction), lambda: self.check(seq), steps)

    def end(self, actor: Actor, seq: int, request: str) -> int:
        """The host ends the game as it stands, or confirms an end that waits for that. The seal is opened."""

        def steps() -> list[Following]:
            host_only(actor)
            if self.settled():
                raise Over("core.over")
            if self.over():
                return [(EndConfirmed(actor.signs), self.position())]
            return [(TableClosed(), self.position().closed())]

        return self._do(request, ("close", actor, seq), lambda: self.check(seq), steps)

    def settle(self, actor: Actor, seq: int, request: str) -> int:
        """Confirm the reports that ended the game: then the end is final."""

        def steps() -> list[Following]:
            check_confirmation(self, actor)
            return [(EndConfirmed(actor.signs, actor.seat), self.position())]

        return self._do(request, ("settle", actor, seq), lambda: self.check(seq), steps)

    def _reseat(self, seating: Seating) -> None:
        super()._reseat(seating)
        self.read, self.aids = {}, {}  # they contain names

    def _still_open(self) -> Position:
        """The newest position; refused once the game has ended for good."""
        self.not_ended()
        return self.position()

    def _check_move(self, actor: Actor, seq: int, move: object, seat: int | None) -> None:
        """Refuse a stale move, unless what was made since does not matter to it."""
        try:
            self.check(seq)
        except Stale:
            if not self._counts_still(actor, seq, move, seat):
                raise

    def _counts_still(self, actor: Actor, seq: int, move: object, seat: int | None) -> bool:
        """Whether a move that was meant for an earlier entry may be made now.

        It may where several seats were to move and its own still is, only others have moved since, and what it depends
        on has not changed.
        """
        if not self.base <= seq < self.seq:
            return False
        then, now = self.position(seq), self.position()
        if not isinstance(then.ask, Turn) or not isinstance(now.ask, Turn) or len(then.ask.seats) < 2:
            return False
        if not self.begun:  # seats were added, or left
            return False
        who = seat_of(actor, seat, then.ask.seats)
        if who not in then.ask.seats or who not in now.ask.seats:
            return False
        since = (line.entry for line in self.written[seq:])
        if not all(
            isinstance(each, (*QUIET, OutcomeRecorded)) or (isinstance(each, MovePlayed) and each.seat != who)
            for each in since
        ):
            return False
        made, depends_on = self.read_move(move), self.game.depends_on
        return depends_on(then.state, who, made) == depends_on(now.state, who, made)

    def _moved(self, actor: Actor, seq: int, move: object, seat: int | None) -> list[Following]:
        """The entries of a move. For which seat it is follows from the entry it was meant for."""
        self._still_open()
        ask = self.ask(seq)
        who = seat_of(actor, seat, ask.seats if isinstance(ask, Turn) else (0,))
        made, by = self.read_move(move), self._hand_that_moves(actor)
        return self._made(MovePlayed(by, who, _plain(made)), Played(who, made))

    def _hand_that_moves(self, actor: Actor) -> Literal["host", "seat", "bot"]:
        """Who is noted as making a move. A bot makes none for a seat whose person has come back meanwhile."""
        if not isinstance(actor, Bot):
            return actor.signs
        if self.kinds[actor.seat or 0] not in PLAYED_FOR:
            raise NotYourTurn("core.not_your_seat")
        return "bot"

    def _made(self, entry: MovePlayed, step: Step) -> list[Following]:
        """A move, and the draws that follow. The game says whether it is that seat's turn."""
        return self._flow([self._next(self._still_open(), step, entry)])

    def _drawn(self, actor: Actor, outcomes: Sequence[Outcome | None]) -> list[Following]:
        """Draws: the companion's, or reported ones; and the draws that follow."""
        position = self._still_open()
        ask = position.ask
        if not isinstance(ask, Chance):
            may_act(actor)
            return [self._next(position, Dealt(NOTHING), OutcomeRecorded("table", NOTHING, position.draws))]
        if outcomes[0] is None:
            return self._flow([self._dealt(position, ask, hand_of(actor, ask, self.kinds))])
        randomizer, steps = ask.randomizer, list[Following]()
        for outcome in outcomes:
            ask = position.ask
            if outcome is None or not isinstance(ask, Chance) or ask.randomizer != randomizer:
                raise Illegal("core.too_many_outcomes", n=len(steps))
            steps.append(self._reported(position, ask, hand_of(actor, ask, self.kinds), outcome, ahead=len(steps)))
            _, position = steps[-1]
        return self._flow(steps)

    def _reported(
        self, position: Position, chance: Chance, seat: int | None, outcome: Outcome, ahead: int
    ) -> Following:
        """An outcome that was drawn at the table."""
        if self.setup.source(chance.randomizer) != "table":
            raise Illegal("core.companion_draws")
        return self._next(position, Dealt(outcome), OutcomeRecorded("table", outcome, position.draws, seat), ahead)

    def _dealt(self, position: Position, chance: Chance, seat: int | None = None, ahead: int = 0) -> Following:
        """A draw by the companion, with so many entries `ahead` of it that are not made yet."""
        if self.setup.source(chance.randomizer) != "companion":
            raise Illegal("core.table_draws")
        outcome = self.dealer.deal(position.draws, chance, self.stirs)
        return self._next(position, Dealt(outcome), OutcomeRecorded("companion", outcome, position.draws, seat), ahead)

    def _flow(self, made: list[Following]) -> list[Following]:
        """Steps, and the draws that follow without anybody's press."""
        steps = [*made]
        while len(steps) < LONGEST_RUN:
            _, position = steps[-1]
            ask = position.ask
            if not isinstance(ask, Chance) or self.setup.source(ask.randomizer) != "companion":
                return steps
            if ask.pressed and self.setup.pace == "press":
                return steps
            steps.append(self._dealt(position, ask, ahead=len(steps)))
        raise RuntimeError(f"{self.setup.box}: a run of draws does not end")

    def _next(
        self, position: Position, step: Step, entry: MovePlayed | OutcomeRecorded | TableCorrected, ahead: int = 0
    ) -> Following:
        """An entry to be made, with so many others `ahead` of it, and the position it leads to."""
        return entry, position.stepped(step, self.seq + ahead + 1, entry)

    def fork(self) -> Self:
        twin = super().fork()
        twin.read, twin.aids, twin.shown = self.read.copy(), {}, None
        return twin


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, str) or is_number(outcome)


def _plain(made: Move | Correction) -> dict[str, Json]:
    plain: dict[str, Json] = msgspec.to_builtins(made)
    return plain
