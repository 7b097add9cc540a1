"""What the entries of a journal come to: each position of a table, what still counts, what can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from companion.game import AnyGame, Ask, Chance, Correction, Finished, Move, State, Step
from companion.play.actors import Actor, may_act
from companion.play.dealer import Stir
from companion.play.entries import (
    STIRS,
    Closed,
    Committed,
    Fell,
    JournalLine,
    Laid,
    Mended,
    Moved,
    Opened,
    Sealed,
    Settled,
    Stirred,
    TookBack,
)
from companion.play.position import Position, Rules, Trail
from companion.play.stirring import Round, who_of
from companion.play.written import Written
from companion.refusals import Illegal, Malformed, NotYourTurn, Over


class Hinge(msgspec.Struct, frozen=True):
    """The reports on which an end hangs, oldest first; the last of them ended the game."""

    reports: tuple[Trail, ...]

    @property
    def seat(self) -> int | None:
        """Who made the last of them; nobody in particular, where the host did for whoever it was."""
        return self.reports[-1].entry.seat if isinstance(self.reports[-1].entry, Fell) else None

    def may_be_confirmed_by(self, actor: Actor) -> bool:
        """Whether it is for this actor to say that they are right: for the host, or any other seat than theirs."""
        return actor.role == "host" or (actor.role == "seat" and not self.reports[-1].is_of(actor.seat))


class Redo(msgspec.Struct, frozen=True):
    """Where to go forward to again, and behind it where to from there. Each step back adds one, and shares the rest."""

    to: int
    older: Redo | None


class Offer(msgspec.Struct, frozen=True):
    """Whether a step may be taken back now: to which entry, by whom, and why not."""

    open: bool
    to: int | None = None
    why: str | None = None
    redo: int | None = None


GROWING = ("written", "seals", "told", "stirred", "rounds", "_positions", "_redos", "_reveals", "_stirs", "_stirred")
"""What of a history grows with it."""


class History:
    """A table as its entries tell it. It only grows.

    :param game: the rules, or the toolbox, it is played by.
    :param laid: how it was laid.
    """

    def __init__(self, game: AnyGame, laid: Laid, written: Sequence[JournalLine] = ()) -> None:
        self.game = game
        self.laid = laid
        self.setup = laid.setup
        self.written = Written()
        self.closed_at: int | None = None
        self.settled_at: int | None = None  # the entry that confirmed an end which hung on a report
        self.seals = [laid.seal]
        self.told: list[int] = []  # the numbers of the entries that are lines of the log …
        self.stirred: list[int] = []  # … and of those that only say who stirred
        self.drawn = 0  # how many draws anybody has ever seen, taken back or not
        self._rules = Rules(game)
        self._positions = [Position(self._rules, game.start())]
        self._redos: list[Redo | None] = [None]
        self._reveals: list[bool | None] = []  # by entry; None until somebody asks
        self.round = Round()  # those who stir together now
        self.rounds: list[Round] = []  # those who did
        self._stirs: list[Stir] = []
        self._stirred: dict[str, int] = {}  # by who stirs, how many draws had been seen when they did last
        for line in written:
            self.follow(line)

    @property
    def id(self) -> str:
        return self.laid.table

    @property
    def seq(self) -> int:
        """How many entries the journal has; it only grows."""
        return len(self.written)

    @property
    def state(self) -> State:
        return self._positions[-1].state

    def position(self, seq: int | None = None) -> Position:
        return self._positions[-1 if seq is None else seq]

    def ask(self, seq: int | None = None) -> Ask:
        """What the table waits for."""
        return self.position(seq).ask

    def over(self, seq: int | None = None) -> bool:
        return isinstance(self.ask(seq), Finished)

    def hinge(self, seq: int | None = None) -> Hinge | None:
        """The reports on which the end hangs as long as nobody has confirmed it; None where it is final, or none yet.

        An end hangs on a report where that report brought it about, or what the companion drew upon it.
        """
        at = self.seq if seq is None else seq
        ended = any(end is not None and end <= at for end in (self.closed_at, self.settled_at))
        if not self.laid.confirms or ended or not self.over(at):
            return None
        reports = _ending_reports(self.position(at).trail)
        return Hinge(reports) if reports else None

    def settled(self, seq: int | None = None) -> bool:
        """Whether the game is over for good."""
        return self.over(seq) and self.hinge(seq) is None

    def twin(self) -> Self:
        """The same, which goes on by itself: what is followed by one is not by the other."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for grows in GROWING:
            twin.__dict__[grows] = self.__dict__[grows].copy()
        return twin

    def follow(self, line: JournalLine) -> None:
        """Be as an entry of a journal or a record says; what no table writes is refused."""
        self._fits(line)
        self._advance(line, self._leads_to(line))
        self.pack()

    def _leads_to(self, line: JournalLine) -> Position:
        """The position that an entry leads to."""
        position = self.position()
        match line.entry:
            case TookBack(to=to):
                return self._positions[to]
            case Stirred() | Committed() | Opened() | Sealed() | Settled():
                return position
            case Closed():
                return position.closed()
            case entry:
                return position.stepped(self.step_of(entry), line.seq, entry)

    def _advance(self, line: JournalLine, position: Position) -> None:
        """Be as an entry says, whose position is known."""
        redos = self._redos[-1]
        match line.entry:
            case TookBack(again=again):
                redos = (redos and redos.older) if again else Redo(self.seq, redos)
            case Stirred(since=since, pinch=pinch):
                self._stirs.append(Stir(since, pinch))
            case Committed() as entry:
                self.round = self._round_to_join().joined(entry)
                self._stirred[who_of(entry)] = self.drawn
            case Opened() as entry:
                self.round = self.round.opened(entry)
            case Sealed(seal=seal):
                self.seals.append(seal)
            case Closed():
                self.closed_at = line.seq
            case Settled():
                self.settled_at = line.seq
            case entry:
                redos = None
                if isinstance(entry, Fell) and self.round.opening:
                    self._end_round()
                self.drawn = max(self.drawn, position.draws)
        self._positions.append(position)
        self._redos.append(redos)
        self._reveals.append(None)
        if not isinstance(line.entry, Opened):
            (self.stirred if isinstance(line.entry, STIRS) else self.told).append(line.seq)
        self.written.append(line)

    def pack(self) -> None:
        """Pack what is old of the entries, if there is enough: from then on they are found in their pack alone."""
        packed = self.written.packed
        while (pack := self.written.pack()) is not None:
            for position in self._positions[packed + 1 : self.written.packed + 1]:
                if position.trail is not None and position.trail.seq > packed:
                    position.trail.packed(pack)
            packed = self.written.packed

    def _round_to_join(self) -> Round:
        """The round whoever wants to stir joins: a new one, once all have told their pinches of the one before."""
        if self.round.complete:
            self._end_round()
        return self.round

    def _end_round(self) -> None:
        self._stirs.append(self.round.stir(self.drawn))
        self.rounds.append(self.round)
        self.round = Round()

    def _fits(self, line: JournalLine) -> None:
        """Refuses what no table writes, so that whoever holds the file cannot buy a new roll with it."""
        if line.seq != self.seq + 1:
            raise Malformed("entry.out_of_order", seq=line.seq, n=self.seq)
        match line.entry:
            case Sealed():
                return
            case TookBack(to=to) if not 0 <= to < line.seq:
                raise Malformed("entry.no_way_back", seq=line.seq, n=to)
            case Stirred(since=since) if since != self.drawn:
                raise Malformed("entry.stirs_what_was_seen", seq=line.seq, n=self.drawn, since=since)
            case Fell(draw=draw) if draw != self.position().draws:
                raise Malformed("entry.other_draw", seq=line.seq, n=self.position().draws, draw=draw)
            case TookBack() | Stirred() | Committed() | Opened() if self.settled():
                raise Over("core.over")
            case Settled(by=by, seat=seat):
                self.may_settle(Actor(by, seat))
            case Committed() as entry:
                self.may_stir(entry)
            case Opened() as entry:
                self.round.opened(entry)
        self.not_ended()

    def not_ended(self) -> None:
        """Refuses what comes after the host has ended the table, or after its end has been confirmed."""
        if self.closed_at is not None or self.settled_at is not None:
            raise Over("core.over")

    def may_settle(self, actor: Actor) -> None:
        """Refuses a confirmation where there is no end to confirm, or from whoever made the report it hangs on."""
        if not self.over():
            raise Illegal("core.before_the_end")
        hinge = self.hinge()
        if hinge is None:
            raise Over("core.over")
        may_act(actor)
        if not hinge.may_be_confirmed_by(actor):
            raise NotYourTurn("core.own_report")

    def may_stir(self, entry: Committed) -> None:
        """Refuses a promise that would add nothing, for nobody knows more of the luck than when they stirred last."""
        (Round() if self.round.complete else self.round).joined(entry)
        if self._stirred.get(who_of(entry)) == self.drawn:
            raise Illegal("stir.nothing_since")

    def step_of(self, entry: Moved | Fell | Mended) -> Step:
        """The step of the game that an entry stands for."""
        return self._rules.step_of(entry)

    def read_move(self, move: object) -> Move:
        """A move from its JSON."""
        return self._rules.read_move(move)

    def read_correction(self, correction: object) -> Correction:
        """A correction from its JSON."""
        return self._rules.read_correction(correction)

    def before(self, seq: int) -> Position:
        """The position in which an entry was made."""
        return self._positions[seq - 1]

    def survivors(self, seq: int | None = None, down_to: int = 0) -> set[int]:
        """The numbers of the entries that still count, from `seq` down to `down_to`."""
        alive = set()
        trail = self.position(seq).trail
        while trail is not None and trail.seq > down_to:
            alive.add(trail.seq)
            trail = trail.before.trail
        return alive

    def newest_move(self) -> str | None:
        """What kind of move was made last, of those that still count."""
        trail = self.position().trail
        while trail is not None and not isinstance(trail.entry, Moved):
            trail = trail.before.trail
        return str(trail.entry.move["type"]) if trail is not None and isinstance(trail.entry, Moved) else None

    @property
    def stirs(self) -> tuple[Stir, ...]:
        """What the draws to come are stirred with: of those who stir now, with the pinches that are told."""
        pending = (self.round.stir(self.drawn),) if self.round.opening else ()
        return (*self._stirs, *pending)

    def offer(self, actor: Actor, seq: int | None = None) -> Offer:
        """What may be taken back at an entry, by this actor: the newest thing that a person did."""
        if self.settled(seq):
            return Offer(False, why="undo.over")
        newest, redo = self.newest_by_hand(seq), self._redo(actor, seq)
        if newest is None and (actor.role != "host" or self.position(seq).trail is None):
            return Offer(False, why="undo.nothing", redo=redo)
        if newest is not None and actor.role != "host" and not newest.is_of(actor.seat):
            return Offer(False, why="undo.not_yours", redo=redo)
        why = "undo.revealed" if self._revealed_since(newest, self.seq if seq is None else seq) else None
        if why is not None and actor.role != "host":
            return Offer(False, why=why, redo=redo)
        return Offer(True, newest.before.seq if newest else 0, why, redo)

    def newest_by_hand(self, seq: int | None = None) -> Trail | None:
        """The newest entry that a person made, of those that still count: a move, a report or a correction."""
        trail = self.position(seq).trail
        while trail is not None and isinstance(trail.entry, Fell) and trail.entry.by == "companion":
            trail = trail.before.trail
        return trail

    def reveals(self, seq: int) -> bool:
        """Whether an entry showed somebody what had fallen. What was found out stays: nothing has to be made again."""
        reveals = self._reveals[seq - 1]
        if reveals is None:
            fell = isinstance(self.written[seq - 1].entry, Fell)
            ask = self.before(seq).ask if fell else None
            reveals = self._reveals[seq - 1] = fell and not (isinstance(ask, Chance) and ask.hidden)
        return reveals

    def _revealed_since(self, made: Trail | None, at: int) -> bool:
        """Whether anything has been revealed since an entry was made, taken back or not.

        What the table reports does not close the reports before it: whoever made them may put all of them right.
        """
        closing = {"companion"} if made is not None and isinstance(made.entry, Fell) else {"companion", "table"}
        for seq in range(at, made.seq if made else 0, -1):
            entry = self.written[seq - 1].entry
            if isinstance(entry, Fell) and entry.by in closing and self.reveals(seq):
                return True
        return False

    def _redo(self, actor: Actor, seq: int | None) -> int | None:
        """The entry to go forward to again: for the host always, for a seat after its own step back."""
        at = self.seq if seq is None else seq
        redo = self._redos[at]
        if redo is None:
            return None
        entries = (self.written[each - 1].entry for each in range(at, 0, -1))
        newest = next(entry for entry in entries if not isinstance(entry, STIRS))
        own = isinstance(newest, TookBack) and newest.by == "seat" and newest.seat == actor.seat
        return redo.to if actor.role == "host" or (actor.role == "seat" and own) else None


def _ending_reports(trail: Trail | None) -> tuple[Trail, ...]:
    """The reports, one after another by the same hand from the same place, that brought a game to its end."""
    while trail is not None and isinstance(trail.entry, Fell) and trail.entry.by == "companion":
        trail = trail.before.trail
    reports: list[Trail] = []
    while trail is not None and _by_one_hand(trail, reports[-1] if reports else trail):
        reports.append(trail)
        trail = trail.before.trail
    return tuple(reversed(reports))


def _by_one_hand(trail: Trail, newer: Trail) -> bool:
    """Whether an entry and a newer one are reports of the same seat, drawn from the same place."""
    hands = [
        (each.entry.seat, each.before.ask.randomizer)
        for each in (trail, newer)
        if isinstance(each.entry, Fell) and each.entry.by == "table" and isinstance(each.before.ask, Chance)
    ]
    return len(hands) == 2 and hands[0] == hands[1]
