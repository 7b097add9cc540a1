"""Requests about seats, hints and the luck: none of them is stale because others have moved meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.game import HintLevel, SeatKind, Turn
from companion.play.actors import Actor, may_act, seat_of
from companion.play.entries import (
    DeviceJoined,
    HintAsked,
    HintsAllowed,
    HostAgreed,
    HostStayed,
    HostWanted,
    PinchCommitted,
    PinchOpened,
    SeatsChanged,
    SeatSwitched,
    ValueTold,
)
from companion.play.entry_checks import check_of_seat, check_seating
from companion.play.journal import nothing
from companion.play.laid_game import TOGETHER, seated
from companion.play.live_history import LiveHistory
from companion.play.members import Members, after
from companion.play.position import Following
from companion.play.sitting import SeatEntry, may_allow_hints
from companion.play.stirring import LONGEST, promise, who_of
from companion.refusals import Illegal, Malformed, NotYourTurn, Over

SeatingEntry = SeatsChanged | HostWanted | HostAgreed | HostStayed
StirEntry = PinchCommitted | PinchOpened | DeviceJoined | ValueTold


class AnytimeRequests(LiveHistory):
    """What may be asked of a table until its game is over, whatever was made since."""

    def commit_pinch(self, actor: Actor, seq: int, request: str, commit: str) -> int:
        """Promise a pinch for the luck of an older table; `commit` is the `promise` of it."""
        return self._stir(
            actor, seq, request, ("commit", commit), PinchCommitted(actor.signs, _digest(commit), actor.stirs_as)
        )

    def open_pinch(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Reveal the pinch that was promised at an older table. Once one is revealed nobody else joins."""
        if not isinstance(pinch, str) or not 0 < len(pinch) <= LONGEST:
            raise Malformed("core.bad_pinch")
        return self._stir(actor, seq, request, ("open", pinch), PinchOpened(actor.signs, pinch, actor.stirs_as))

    def join(
        self, actor: Actor, seq: int, request: str, tip: str, *, part: str | None = None, instead: bool = False
    ) -> int:
        """Have a device stir the luck from now on; with its next value where it already does.

        :param instead: whether it takes the place of another device of the same name.
        """
        entry = DeviceJoined(actor.signs, _digest(tip), actor.stirs_as, None if part is None else _digest(part))

        def check() -> None:
            members = self.stirring
            if isinstance(members, Members) and members.member(who_of(entry)) and not (instead or part):
                raise Illegal("stir.taken")

        return self._stir(actor, seq, request, ("join", tip, part, instead), entry, check)

    def tell(self, actor: Actor, seq: int, request: str, part: str) -> int:
        """Reveal the next value of a device that stirs, as another has joined."""
        return self._stir(actor, seq, request, ("tell", part), ValueTold(actor.signs, _digest(part), actor.stirs_as))

    def stir(self, actor: Actor, seq: int, request: str, pinch: str) -> int:
        """Stir by hand, with any text; it replaces a device of the same seat that stirred."""
        if self.laid.luck >= TOGETHER:
            return self.join(actor, seq, request, after(str(pinch)), instead=True)
        who = "host" if actor.stirs_as is None else str(actor.stirs_as)
        self.commit_pinch(actor, seq, f"{request} promised", promise(who, str(pinch)))
        return self.open_pinch(actor, seq, request, pinch)

    def _stir(
        self,
        actor: Actor,
        seq: int,
        request: str,
        content: tuple[object, ...],
        entry: StirEntry,
        check: Callable[[], None] = nothing,
    ) -> int:
        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            may_act(actor)
            check()
            self.stirring.check(self.seq + 1, entry)
            return [(entry, self.position())]

        kind, *values = content
        return self._do(request, (kind, actor, seq, *values), None, steps)

    def switch(self, actor: Actor, request: str, of: int, to: SeatKind) -> int:
        """Change who plays for a seat."""
        return self._sit(actor, request, SeatSwitched(actor.signs, of, to, actor.seat))

    def allow_hints(self, actor: Actor, request: str, of: int, hints: HintLevel) -> int:
        """Set how often a seat may ask for a hint; for the host."""
        may_allow_hints(actor)
        return self._sit(actor, request, HintsAllowed(of, hints))

    def ask_hint(self, actor: Actor, seq: int, request: str, seat: int) -> int:
        """Note that a seat whose turn it is wants to know what a bot would do.

        :raises NotYourTurn: where it is not its turn.
        """

        def check() -> None:
            self.check(seq)
            ask = self.ask()
            if not isinstance(ask, Turn) or seat_of(actor, seat, ask.seats) not in ask.seats:
                raise NotYourTurn("hint.not_your_turn")

        return self._sit(actor, request, HintAsked(actor.signs, seat), check)

    def _sit(self, actor: Actor, request: str, entry: SeatEntry, check: Callable[[], None] | None = None) -> int:
        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            check_of_seat(self, entry)
            return [(entry, self.position())]

        return self._do(request, ("sit", actor, entry), check, steps)

    def seat(self, request: str, content: object, entry: Callable[[], SeatingEntry]) -> int:
        """Change who sits at the table, or who is the host.

        :param content: what is asked; the same request id with other content is refused.
        :param entry: makes the entry from the seats as they are then; what it raises changes nothing.
        """

        def steps() -> list[Following]:
            if self.settled():
                raise Over("core.over")
            made = entry()
            check_seating(self, made)
            if isinstance(made, SeatsChanged):
                seated(self.laid, self.seating.followed(made).plain)
            return [(made, self.position())]

        return self._do(request, content, None, steps)


def _digest(given: object) -> str:
    """A SHA-256 in hexadecimal digits, or a refusal."""
    if not isinstance(given, str) or not re.fullmatch("[0-9a-f]{64}", given):
        raise Malformed("core.bad_pinch")
    return given
