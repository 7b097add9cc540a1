"""What a refereed game is written with: a move, a draw and a correction, each in one place and on one screen.

=================  ===============================================================================================
`TableView`        the table as one seat finds it: state, printed figures, seat; with the verbs of the table
`Act`              a move: its candidates, why it is refused, what it does, what the log says of it
`Draw`             a question to chance: when it is due, its odds, what follows from an outcome, what the log says
`RuledCorrection`  a correction: the values its fields can take, why it is refused, what it does
=================  ===============================================================================================

A `companion.referee.Referee` is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Annotated, Any, ClassVar, Generic, Self, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from msgspec import structs, to_builtins

from companion.game import (
    Chance,
    Correction,
    FieldTable,
    Json,
    Move,
    Outcome,
    ShovelCue,
    State,
    can_fall,
)
from companion.pieces.box_differences import DescribedCard
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, seen_by

Facts = dict[str, Json]
Said = bool | int | str | None
"""What a field of a correction can say."""
UNSEEN: Outcome = ""
"""What is seen of an outcome that nobody sees."""

S = TypeVar("S", bound=State)
T = TypeVar("T")


class LogFacts(TypedDict, total=False):
    """What the log says of a step: its `type`, and with that the facts of its sentence. Each game adds its own.

    `who` and `whose` are players by name, `seat` is one by number; `n` counts what the sentence is about. Of a step
    back or forward, `to` is the entry it leads to.
    """

    type: str
    who: str
    whose: str
    name: str
    seat: int
    n: int
    what: str | int | Sequence[str]
    field: str
    square: str
    beside: str
    to: str | int
    seal: str


class ChanceFacts(TypedDict, total=False):
    """What may be said of a question to chance. Each game adds its own."""

    nth: int
    of: int
    field: str


class TableView(Generic[S, T]):
    """The table as a hand finds it. A game's own kind has the verbs of its table; each answers the table after it.

    :param terms: what does not change while a game lasts: what is printed, and how the table was laid.
    :param seat: whose hand it is.
    """

    __slots__ = ("seat", "state", "terms")

    masked: ClassVar[bool] = False
    """Whether it is the table as somebody sees it, without the secrets that are not theirs."""

    def __init__(self, terms: T, state: S, seat: int = 0) -> None:
        self.terms = terms
        self.state = state
        self.seat = seat

    def replace(self, **changes: object) -> Self:
        """The same table but for these parts of its state."""
        return type(self)(self.terms, structs.replace(self.state, **changes), self.seat)

    def by(self, seat: int) -> Self:
        """The same table, and another seat's hand."""
        return type(self)(self.terms, self.state, seat)

    def as_seen_by(self, viewer: int | None) -> Self:
        """The table as a seat sees it, or as everybody does."""
        return self.masked_as(seen_by(viewer, self.state, self))

    def masked_as(self, state: S) -> Self:
        """The table as somebody sees it who sees this state."""
        kind: Any = type(self)
        seen: Self = _masked(kind)(self.terms, state, self.seat)
        return seen

    def on_box_changed(self, before: Any) -> Self:
        """Return the table adapted to new terms, after figures of the box were corrected in play."""
        return self


H = TypeVar("H", bound=TableView[Any, Any])


@cache
def _masked(kind: type[Any]) -> Any:
    """The same kind of table, as somebody sees it."""
    return kind if kind.masked else type(kind.__name__, (kind,), {"masked": True, "__slots__": ()})


class Act(Move, Generic[H], frozen=True):
    """A move. Its fields are those of the contract, its ``tag`` is the move's type."""

    sampled: ClassVar[bool] = False
    """Whether what is thinkable is always a fair sample of too much to list."""
    lifts: ClassVar[bool] = False
    """Whether a shovel has to lift a card before it counts."""
    from_hand: ClassVar[bool] = False
    """Whether it needs a card of a hand that only its owner sees."""

    @classmethod
    def thinkable(cls, table: H) -> Iterable[Self]:
        """What might be done: listed where `why_not` has nothing against it. An act without fields is one thing."""
        return (cls(),)

    @classmethod
    def is_sampled(cls, table: H) -> bool:
        """Whether what is thinkable now is a fair sample of too much to list."""
        return cls.sampled

    def why_not(self, table: H) -> Refusal | None:
        """Why it may not be done; None where it may."""
        return None

    def done(self, table: H) -> H:
        """The table after it."""
        raise NotImplementedError

    def price(self, table: H) -> int | None:
        """What it costs, in the unit of the game (`price` in its words): weeks, actions, silver. None: nothing."""
        return None

    def depends_on(self, table: H) -> object:
        """What of the table, as its seat sees it, it depends on.

        Where several seats are asked, a move of another makes it stale only if this changes. By default nothing does.
        """
        return None

    def log_facts(self, table: H) -> Facts:
        """What the log says of it, ``type`` included: move and table as the reader sees them; `table` is before it."""
        return _fields(self)

    @property
    def cue(self) -> ShovelCue | None:
        """What the shovel should do once it is made."""
        return None


class Draw(Generic[H]):
    """A question to chance, asked as soon as it is due."""

    secret: ClassVar[Secret | None] = None
    """What everybody but the seat whose hand draws sees of what falls; None where it is everybody's to see."""
    rule: ClassVar[str] = ""
    """By which rule it comes before everything else."""
    odds_rule: ClassVar[str] = ""
    """By which rule nothing else can fall; `rule`, where none is said."""

    def due(self, table: H) -> bool:
        """Whether it comes next."""
        raise NotImplementedError

    def chance(self, table: H) -> Chance:
        """The question, and who sees it."""
        raise NotImplementedError

    def why_not(self, table: H, outcome: Outcome) -> Refusal | None:
        """Why an outcome cannot have fallen; None where it can."""
        return (
            None
            if can_fall(self.chance(table), outcome)
            else Illegal("core.cannot_fall", rule=self.odds_rule or self.rule, outcome=outcome)
        )

    def apply_outcome(self, table: H, outcome: Outcome) -> H:
        """The table after an outcome that can fall."""
        raise NotImplementedError

    def off_list_outcomes(self, table: H) -> Sequence[Outcome]:
        """Outcomes people may report that the box's figures exclude, because no rule fixes these counts."""
        return ()

    def amend_for(self, table: H, outcome: Outcome) -> H:
        """The table as it must be for such a report, before it falls."""
        raise NotImplementedError

    def unknown_card_part(self, table: H) -> str:
        """The part of the box of which a card may come up that is of no kind the box has; "" where none may."""
        return ""

    def count_rule_for(self, table: H, outcome: Outcome) -> str | None:
        """The rule to cite where a report contradicts a count that the rulebook fixes; None where it fixes none."""
        return None

    def settles(self, table: H, outcome: Outcome) -> bool:
        """Whether such a report answers the question; otherwise the table is only put right, and is asked again."""
        return True

    def log_facts(self, table: H, outcome: Outcome) -> Facts:
        """What the log says of it, ``type`` included. Outcome and table are as the reader sees them; `table` is before
        it."""
        raise NotImplementedError

    def seen(self, table: H, outcome: Outcome, viewer: int | None) -> Outcome:
        """What a viewer sees of what falls."""
        asked, secret = self.chance(table), self.secret_of(table)
        if asked.hidden:
            return UNSEEN
        seen: Outcome = secret.seen(table, outcome, self, asked.seat, viewer) if secret else outcome
        return seen

    def secret_of(self, table: H) -> Secret | None:
        """Its mark, as the table stands."""
        return self.secret


class Describing(Draw[H]):
    """What is printed on a card of a kind that the box does not have, part by part; all told, it is what came up.

    :param draw: what it came up in.
    """

    def __init__(self, draw: Draw[H]) -> None:
        self.draw = draw

    def chance(self, table: H) -> Chance:
        card: DescribedCard = table.state.describing
        field, values = table.terms.box.asks(card.part, card.said)
        of = self.draw.chance(table)
        odds = tuple((value, 1) for value in values)
        facts: Facts = {"field": field}
        return Chance(of.randomizer, f"printed_{field}", odds, seat=of.seat, rule=of.rule, facts=facts)

    def why_not(self, table: H, outcome: Outcome) -> Refusal | None:
        if can_fall(self.chance(table), outcome):
            return None
        return Illegal("core.cannot_fall", rule=self.draw.odds_rule or self.draw.rule, outcome=outcome)

    def apply_outcome(self, table: H, outcome: Outcome) -> H:
        card: DescribedCard = table.state.describing
        return table.replace(describing=structs.replace(card, said=(*card.said, outcome)))

    def secret_of(self, table: H) -> Secret | None:
        return self.draw.secret_of(table)

    def log_facts(self, table: H, outcome: Outcome) -> Facts:
        return {"type": "on_card", "field": self.chance(table).facts["field"], "what": outcome}


class SeatNumbers:
    """Goes with the type of a correction's field whose numbers are seats: ``Seat = Annotated[int, SEATS]``."""


SEATS = SeatNumbers()


class ChoiceOf(Generic[H]):
    """Goes with the type of a correction field: ``Seat = Annotated[int, ChoiceOf(lambda table: range(table.seats))]``.

    :param values: what the field can say as the table stands.
    :param names: the names of values that are not called by their own.
    """

    def __init__(
        self, values: Callable[[H], Iterable[Said]], names: Callable[[H], Mapping[str, tuple[str, ...]]] | None = None
    ) -> None:
        self.values = values
        self.names = names or (lambda table: {})


class RuledCorrection(Correction, Generic[H], frozen=True):
    """A correction. A field whose type has a `ChoiceOf` is chosen from a list; others are free, tried as 0 or ""."""

    @classmethod
    def offered_values(cls, table: H) -> tuple[FieldTable, ...]:
        """What its fields can say together: every choice that is offered."""
        chosen, free = _says(cls), _free(cls)
        names = tuple(chosen)
        rows: list[tuple[Said, ...]] = []
        for row in product(*(says.values(table) for says in chosen.values())):
            said: dict[str, Any] = {**free, **dict(zip(names, row, strict=True))}
            if cls(**said).offered(table):
                rows.append(row)
        if not chosen:
            return () if rows else (FieldTable(tuple(free), ()),)
        return (FieldTable(_encoded(cls), tuple(rows)),)

    @classmethod
    def current_values(cls, table: H) -> Iterable[Self]:
        """How it stands now: the corrections that would change nothing, where a screen is to begin.

        Those that `why_not` refuses now are left out; of the others every field is told, also what is the default.
        """
        return ()

    @classmethod
    def current_facts(cls, table: H) -> tuple[Facts, ...]:
        """How it stands now, in full: also what goes without saying."""
        return tuple(_whole(each) for each in cls.current_values(table) if each.why_not(table) is None)

    @classmethod
    def empty_values(cls) -> tuple[FieldTable, ...]:
        """What its fields can say where there is nothing to put right."""
        return (FieldTable(_encoded(cls), ()),)

    @classmethod
    def named(cls, table: H) -> dict[str, tuple[str, ...]]:
        """The names of what its fields can say that is not called by its own."""
        return {value: name for says in _says(cls).values() for value, name in says.names(table).items()}

    @classmethod
    def seated(cls) -> tuple[str, ...]:
        """Its fields whose numbers are seats, as they are written."""
        return _seats(cls)

    def offered(self, table: H) -> bool:
        """Whether it is offered: wherever it is not refused, as far as everybody can see."""
        return self.why_not(table) is None

    def why_not(self, table: H) -> Refusal | None:
        """Why it cannot be so; None where it can."""
        return None

    def done(self, table: H) -> H:
        """The table put right."""
        raise NotImplementedError

    def log_facts(self, table: H) -> Facts:
        """What the log says of it, ``type`` included. Correction and table are as everybody sees them;
        `table` is before it."""
        return _fields(self)


def changed(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """A row with another value at one place.

    >>> changed((1, 2, 3), 1, 7)
    (1, 7, 3)
    """
    return (*row[:at], value, *row[at + 1 :])


def _fields(made: Move | Correction) -> Facts:
    fields: Facts = to_builtins(made)
    return fields


def _whole(mend: RuledCorrection[Any]) -> Facts:
    """All that a correction says, also what goes without saying."""
    said = {written: to_builtins(getattr(mend, name)) for name, written in _written(type(mend))}
    return {"type": mend.__struct_config__.tag, **said}


@cache
def _written(kind: type[RuledCorrection[Any]]) -> tuple[tuple[str, str], ...]:
    """The fields of a correction by their attributes, and as they are written."""
    return tuple((field.name, field.encode_name) for field in structs.fields(kind))


@cache
def _says(kind: type[RuledCorrection[Any]]) -> dict[str, ChoiceOf[Any]]:
    """The fields of a correction that are chosen from a list, by their attributes."""
    return {field: mark for field, mark in _marks(kind) if isinstance(mark, ChoiceOf)}


@cache
def _seats(kind: type[RuledCorrection[Any]]) -> tuple[str, ...]:
    """The fields of a correction whose numbers are seats, as they are written."""
    seated = {field for field, mark in _marks(kind) if isinstance(mark, SeatNumbers)}
    return tuple(field.encode_name for field in structs.fields(kind) if field.name in seated)


def _marks(kind: type[RuledCorrection[Any]]) -> Iterator[tuple[str, object]]:
    """What goes with the types of a correction's fields, by their attributes."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for mark in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
            yield name, mark


@cache
def _encoded(kind: type[RuledCorrection[Any]]) -> tuple[str, ...]:
    """The same fields, as they are written."""
    return tuple(field.encode_name for field in structs.fields(kind) if field.name in _says(kind))


@cache
def _free(kind: type[RuledCorrection[Any]]) -> dict[str, Said]:
    """The other fields, and what they are tried as."""
    chosen = _says(kind)
    return {
        field.name: "" if field.type is str else 0
        for field in structs.fields(kind)
        if field.name not in chosen and field.required
    }
