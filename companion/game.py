"""What a game is: who is asked, what may happen, what follows, and who sees what.

A game is pure. It never draws, never looks at a clock and never touches a device; a `Table` plays it.

=======================  =======================================================================================
``start()``              the state before the first step
``ask(state)``           what comes next: a `Turn` of some seats, a `Chance`, or `Finished`
``moves(…)``             every legal move of a seat, or a fair sample where they are too many to list
``after(…)``             the state after a step; a step that is not allowed is refused with the rule's id
``sees(…)``              what a seat sees of a state (``None``: everybody); nothing is secret once it is `settled`
``public_board(…)``      of that only the board that everybody sees, and ``private_hand(…)`` what one seat sees alone
``depends_on(…)``        what a seat's move depends on: while it is unchanged, others may move first
``hides(…)``             whether a step stays secret until the end, and is masked in exported records
``reveals(…)``           whether a move showed anything that was secret before: it cannot be taken back then
``tells(…)``             the facts of a step for the log, as a seat may know them
``aids(…)``              help for the seat to move: the cost of each choice, what is missing, the odds
``tally(state)``         the scores as they stand
``closed(state)``        the state once the host has ended the game early: what was hidden may be shown
``census(…)``            how many of each thing there are in all places together; no step changes that
``lift_wanted()``        whether a move counts only once the shovel has lifted a card
``cue(…)``               what the shovel does at a step, if anything
``offered()``            the types of moves that exist at this table
``correction_form(…)``   which values the fields of the corrections can have now
``off_list_outcomes(…)`` outcomes that may be reported although the figures of the box rule them out
``differing(…)``         where the copy on the table has proved different from the box's figures, as a seat may know
``differences(…)``       the same in JSON
``noted(…)``             the same as figures by their keys, as an owner's file gives them
=======================  =======================================================================================
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
    """Base of every game's state. What it holds itself is how the copy on the table differs from the box's figures.

    :param otherwise: what there is more of than the box says, and what less.
    :param reads: figures that are printed differently.
    :param described: cards that the box's figures do not have.
    :param describing: the one of them that is being described just now.
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
    """A random draw: every possible outcome with its weight, always in the same order.

    An outcome that one seat alone may see is not `hidden`: `Game.sees` and `Game.tells` show it to that seat, and
    `Game.hides` keeps it out of records. A seat cannot take such a draw back.

    An outcome of weight 0 cannot fall; it is listed where leaving it out would give a secret away.

    :param randomizer: which of the box's randomizers is drawn from; its source is set per table.
    :param question: identifies the draw, in one canonical line; the sealed luck depends on it.
    :param seat: the seat that draws: it presses, or reports; ``None`` is anybody.
    :param rule: the rule that says it is that seat.
    :param pressed: in pace "press", wait for a press; draws that no hand makes, as filling a place, do not.
    :param hidden: nobody sees the outcome, and no export has it before the end.
    :param veiled: the outcomes are known but not their weights, as these would give a secret away.
    :param of: what the outcomes are: things by their names, or seats by their index.
    :param arranged: at a table to learn at, outcomes were left out so that a lesson can be shown.
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
    """Whether a draw can have this outcome."""
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
    """What one seat sees: the pieces on the board by name, and in `you` what nobody else sees."""

    board: dict[str, Json]
    you: dict[str, Json] | None = None


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as it is laid.

    :param kind: who plays for it at the beginning.
    :param hints: how often it may ask for a hint, at the beginning.
    """

    name: str
    colour: str = ""
    shape: str = ""
    kind: SeatKind = "person"
    hints: HintLevel = "none"


class Setup(msgspec.Struct, frozen=True):
    """How a table was laid: all that a game knows of it. (No game uses `pace`; it is here for the record.)"""

    box: str
    mode: Mode
    seats: tuple[Seat, ...]
    sources: dict[str, Source] = {}
    pace: Pace = "flow"
    options: dict[str, bool | int | str] = {}

    def source(self, randomizer: str) -> Source:
        """Who draws from a randomizer: the companion, unless the table was laid otherwise."""
        return self.sources.get(randomizer, self.sources.get("default", "companion"))

    @property
    def is_arranged(self) -> bool:
        """Whether the first draws are arranged to show what there is, at a table to learn at."""
        return self.options.get(TEACH) in (ARRANGED, ALONE)

    @property
    def scope(self) -> tuple[str, ...]:
        """The scopes whose words are used at the table."""
        return scope_of(self.box, self.mode)


def scope_of(box: str, mode: str) -> tuple[str, ...]:
    """The scopes of words for a box and mode. The last of them has the sentences of the log and the draws.

    >>> scope_of("sand", "toolbox"), scope_of("sand", "referee")
    (('sand', 'toolbox'), ('sand',))
    """
    return (box, "toolbox") if mode == "toolbox" else (box,)


class FieldTable(msgspec.Struct, frozen=True):
    """Some fields of a correction, and each combination of values that they can have together."""

    fields: tuple[str, ...]
    rows: tuple[tuple[bool | int | str | None, ...], ...]


class CorrectionForm(msgspec.Struct, frozen=True):
    """The values that the fields of the corrections can have now; a field that is in no table is free.

    :param tables: by the correction's type.
    :param names: the names of values that have another than their own, by value, or by ``field=value``.
    :param stands: by the correction's type, the corrections that would change nothing: a form starts with one.
    :param seats: by the correction's type, the fields whose numbers are seats.
    """

    tables: dict[str, tuple[FieldTable, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    stands: dict[str, tuple[dict[str, Json], ...]] = {}
    seats: dict[str, tuple[str, ...]] = {}


class Option(msgspec.Struct, frozen=True):
    """A choice at the laying of a table; its words are ``option.<name>`` and ``value.<value>`` of its game.

    :ivar of_seats: its values are the numbers of seats, as far as there are so many; who sits there is their word.
    """

    name: str
    values: tuple[bool | int | str, ...]
    default: bool | int | str
    of_seats: bool = False


TEACH = "teach"
"""The option that makes a table one to learn the game at."""
NOT_TAUGHT, LESSONS, ARRANGED, ALONE = "no", "lessons", "luck", "alone"
"""Its values: no; lessons; lessons with arranged first draws; and these in a short game alone."""

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
    def follows(self, before: S, step: Step) -> list[dict[str, Json]]: ...
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
    def correction_form(self, state: S) -> CorrectionForm: ...
    def off_list_outcomes(self, state: S) -> tuple[Outcome, ...]: ...
    def differing(self, state: S, seat: int | None, *, settled: bool = True) -> tuple[BoxDifference, ...]: ...
    def differences(self, state: S, seat: int | None, *, settled: bool = True) -> list[dict[str, Json]]: ...
    def noted(self, state: S, seat: int | None, *, settled: bool = True) -> dict[str, Json]: ...


AnyGame = Game[Any]
"""Any game: which state it keeps is its own affair."""
