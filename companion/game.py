"""What a game is: who is asked, what may happen, what follows, and who sees what.

A game is pure. It never draws, never looks at a clock and never touches a device; a `Table` plays it.

================  ==============================================================================================
``start()``       the state before the first step
``ask(state)``    what comes next: a `Turn` of some seat, a `Chance`, or `Finished`
``moves(…)``      every legal move of a seat, or a fair sample where they are too many to list
``after(…)``      the state after a step; refuses, with the rule's id, what is not allowed, and changes nothing
``sees(…)``       what a seat sees of a state; ``None`` is everybody. Once it is over and `settled`, nothing is secret
``depends_on(…)`` what of the table a seat's move depends on: where several are asked, only its change makes it stale
``hides(…)``      whether a step is not everybody's to see before the end; an exported record masks it
``reveals(…)``    whether a seat's move has shown what others had decided in secret, or what nobody had seen: then it
                  cannot be taken back
``tells(…)``      what a seat is told of a step, for the log
``aids(…)``       help for the seat that is asked: what each choice would cost, what is missing, the odds
``tally(state)``  the scores as they stand
``closed(state)`` the state once the host has ended the table as it stands: what was hidden may be shown now
``census(…)``     how many of each thing there are in all places together; no step may change it
``lift_wanted()`` whether a move counts only once the shovel has lifted a card
``cue(…)``        what the shovel should do at a step, if anything
``offered()``     the kinds of moves that there are at this table
``mending(…)``    what the corrections can say as the table stands
``besides(…)``    what the table may report though the figures of the box rule it out
``differing(…)``  where the table has shown another copy of the box than its figures say, as a seat may know
``noted(…)``      the same as figures of the box, by their keys, as an owner's file gives them
================  ==============================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from companion.pieces.box_differences import BoxDifference, DescribedCard, FigureOverride

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
JsonObject = Mapping[str, object]
"""A JSON object as a game types it, by a `TypedDict`; the document of the API is made from these types."""
Outcome = str | int
Source = Literal["companion", "table"]
Pace = Literal["flow", "press"]
Mode = Literal["referee", "toolbox"]
Sort = Literal["things", "seats"]
SeatKind = Literal["person", "away", "curious", "steady", "sharp"]
"""Who plays for a seat: its person; a bot, by its level; or, while its person is away, the quickest of bots."""
HintLevel = Literal["none", "few", "free"]
"""How often a seat may ask what a bot would do: never, a few times in a game, or whenever it likes."""
ShovelCue = Literal["grip", "release", "stop"]


class Move(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """What a seat does. Each kind is a subclass with the contract's fields and its type as ``tag``."""


class Correction(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """ "The table shows otherwise": each kind is a subclass, like a move."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every game's state; of its own a state says what lies on the table.

    :param otherwise: what the table has shown more of than the box says, and in the place of what.
    :param reads: the figures that are printed otherwise on the copy that lies there.
    :param described: the kinds of cards that the copy has and the box does not.
    :param describing: one of them that is being told.
    """

    otherwise: tuple[BoxDifference, ...] = ()
    reads: tuple[FigureOverride, ...] = ()
    described: tuple[DescribedCard, ...] = ()
    describing: DescribedCard | None = None


class Played(msgspec.Struct, frozen=True):
    """A step: a seat made a move."""

    seat: int
    move: Move


class Dealt(msgspec.Struct, frozen=True):
    """A step: chance, or the table, answered the question that was asked."""

    outcome: Outcome


class Corrected(msgspec.Struct, frozen=True):
    """A step: the table was put right."""

    correction: Correction


Step = Played | Dealt | Corrected


class Turn(msgspec.Struct, frozen=True):
    """One of these seats must move."""

    seats: tuple[int, ...]


class Chance(msgspec.Struct, frozen=True):
    """A question to chance, with every answer that can fall and its weight, always in the same order.

    What only one seat may see is not hidden: `Game.sees` and `Game.tells` show it to that seat, `Game.hides` keeps it
    out of records, and whoever saw it has seen it: it cannot be taken back by a seat.

    An answer of no weight cannot fall; it is named where leaving it out would tell what nobody may count.

    :param randomizer: which of the box's randomizers answers; its source is set per table.
    :param question: what is asked, in one canonical line; it is part of what is sealed.
    :param seat: whose hand draws, and who presses or reports; ``None`` is anybody.
    :param rule: by which rule it is that seat's hand.
    :param pressed: in pace "press" it waits for a press; what no hand does (filling a place) does not.
    :param hidden: the outcome is told to nobody, and is in no export before the end.
    :param veiled: what may fall is no secret, how likely it is, is: it would tell what nobody may count.
    :param of: of what sort the answers are: things by their names, or seats by their index.
    :param arranged: the table is one to learn at, and these are fewer answers than could fall by themselves.
    :param facts: what a screen may show of it (which site, which token of how many).
    """

    randomizer: str
    question: str
    odds: tuple[tuple[Outcome, int], ...]
    seat: int | None = None
    rule: str | None = None
    pressed: bool = True
    hidden: bool = False
    veiled: bool = False
    of: Sort = "things"
    facts: dict[str, Json] = {}
    arranged: bool = False


def can_fall(chance: Chance, outcome: Outcome) -> bool:
    """Whether an outcome is among those that a question leaves open."""
    return any(outcome == fallen and weight > 0 and type(outcome) is type(fallen) for fallen, weight in chance.odds)


class Score(msgspec.Struct, frozen=True):
    seat: int
    total: int
    parts: dict[str, int]


class Finished(msgspec.Struct, frozen=True):
    """The game is over. Nobody won where `winners` is empty."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]


Ask = Turn | Chance | Finished


class Choices(msgspec.Struct, frozen=True):
    """Legal moves of a seat; `more` where these are a fair sample of too many."""

    moves: tuple[Move, ...]
    more: bool = False


class Seen(msgspec.Struct, frozen=True):
    """What one seat sees: the pieces by name, and what is for its eyes alone."""

    board: dict[str, Json]
    you: dict[str, Json] | None = None


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place at the table and who sits there.

    :param kind: who plays for it from the beginning.
    :param hints: how often it may ask for a hint from the beginning.
    """

    name: str
    colour: str = ""
    shape: str = ""
    kind: SeatKind = "person"
    hints: HintLevel = "none"


class Setup(msgspec.Struct, frozen=True):
    """How a table was laid: all that a game knows of it. (`pace` is the table's own affair and here for the record.)"""

    box: str
    mode: Mode
    seats: tuple[Seat, ...]
    sources: dict[str, Source] = {}
    pace: Pace = "flow"
    options: dict[str, bool | int | str] = {}

    def source(self, randomizer: str) -> Source:
        """Who answers for a randomizer: the companion unless the table said otherwise."""
        return self.sources.get(randomizer, self.sources.get("default", "companion"))

    @property
    def scope(self) -> tuple[str, ...]:
        """Whose words are spoken at the table."""
        return scope_of(self.box, self.mode)


def scope_of(box: str, mode: str) -> tuple[str, ...]:
    """Whose words are spoken where a box is played so. Who stands last tells the log and asks for the draws.

    >>> scope_of("sand", "toolbox"), scope_of("sand", "referee")
    (('sand', 'toolbox'), ('sand',))
    """
    return (box, "toolbox") if mode == "toolbox" else (box,)


class FieldTable(msgspec.Struct, frozen=True):
    """Fields of a correction, and what they can say together: a row for each that fits."""

    fields: tuple[str, ...]
    rows: tuple[tuple[bool | int | str | None, ...], ...]


class CorrectionForm(msgspec.Struct, frozen=True):
    """What the corrections of a table can say; a field that is in no table is free.

    :param tables: by the correction's type.
    :param names: the names that tell a value not called by its own; ``field=value`` where only that field means it.
    :param stands: by the correction's type, the corrections that would change nothing: where a screen is to begin.
    :param seats: by the correction's type, the fields whose numbers are seats.
    """

    tables: dict[str, tuple[FieldTable, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    stands: dict[str, tuple[dict[str, Json], ...]] = {}
    seats: dict[str, tuple[str, ...]] = {}


class Option(msgspec.Struct, frozen=True):
    """A choice at the laying of a table; its words are ``option.<name>`` and ``value.<value>`` of its game."""

    name: str
    values: tuple[bool | int | str, ...]
    default: bool | int | str


TEACH = "teach"
"""The option by which a table is one to learn the game at."""
NOT_TAUGHT, LESSONS, ARRANGED, ALONE = "no", "lessons", "luck", "alone"
"""Its values: no, with lessons, with lessons and first draws that show what is to be seen, and so in a small game."""

S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """A box as it is played at one table, in one mode."""

    rules_version: int  # raised when an older record would replay otherwise
    move_types: tuple[type[Move], ...]
    correction_types: tuple[type[Correction], ...]
    randomizers: tuple[str, ...]
    endless: bool  # it goes on until the host closes the table

    def start(self) -> S: ...
    def ask(self, state: S) -> Ask: ...
    def moves(self, state: S, seat: int) -> Choices: ...
    def after(self, state: S, step: Step) -> S: ...
    def sees(self, state: S, seat: int | None, *, settled: bool = True) -> Seen: ...
    def public_board(self, state: S, *, settled: bool = True) -> dict[str, Json]: ...
    def private_hand(self, state: S, seat: int, *, settled: bool = True) -> dict[str, Json] | None: ...
    def tells(self, before: S, step: Step, seat: int | None) -> dict[str, Json]: ...
    def aids(self, state: S, seat: int | None) -> dict[str, Json]: ...
    def tally(self, state: S) -> Finished: ...
    def closed(self, state: S) -> S: ...
    def census(self, state: S) -> Mapping[str, int]: ...
    def depends_on(self, state: S, seat: int, move: Move) -> object: ...
    def hides(self, before: S, step: Step) -> bool: ...
    def reveals(self, before: S, after: S, seat: int) -> bool: ...
    def lift_wanted(self, move: Move) -> bool: ...
    def cue(self, step: Step) -> ShovelCue | None: ...
    def offered(self) -> tuple[type[Move], ...]: ...
    def mending(self, state: S) -> CorrectionForm: ...
    def off_list_outcomes(self, state: S) -> tuple[Outcome, ...]: ...
    def differing(self, state: S, seat: int | None, *, settled: bool = True) -> tuple[BoxDifference, ...]: ...
    def differences(self, state: S, seat: int | None, *, settled: bool = True) -> list[dict[str, Json]]: ...
    def noted(self, state: S, seat: int | None, *, settled: bool = True) -> dict[str, Json]: ...


AnyGame = Game[Any]
"""Any game: which state it keeps is its own affair."""
