"""What every referee does alike, made of the acts, draws and corrections in which a game is written.

It has the refusals that belong to every game (over, draw first, not your turn), the list of legal moves, the log lines,
what the corrections can say, and what the table has shown to be printed otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, Generic, TypedDict, cast

from msgspec import structs

from companion.game import (
    ALONE,
    TEACH,
    Ask,
    Chance,
    Choices,
    Corrected,
    Correction,
    CorrectionForm,
    Dealt,
    FieldTable,
    Finished,
    Json,
    JsonObject,
    Move,
    Option,
    Outcome,
    Played,
    Seen,
    Setup,
    ShovelCue,
    Step,
    Turn,
    can_fall,
)
from companion.parts import Act, ChanceFacts, Describing, Draw, Facts, H, LogFacts, RuledCorrection, S, TableView
from companion.pieces.box_differences import (
    ANOTHER,
    BoxDifference,
    DescribedCard,
    FigureOverride,
    VariablePart,
    net,
    places,
)
from companion.refusals import Illegal, Malformed, NotYourTurn, Over, PlainRefusal, Refusal
from companion.secrecy import Seats, secrets_in, seen_by

MASKED_KEPT = 8
"""So many states are kept as somebody sees them: a view and each line of its log are made of the same few."""
DOES = (property, cached_property, classmethod, staticmethod)
"""What does something on a class, and says nothing."""


class Referee(Generic[H, S]):
    """A game made of its acts, draws and corrections. It fulfils `companion.game.Game`.

    :param rules: the version of the rules it is played by; the newest, unless a table was begun with an older one.
    """

    table: ClassVar[type[TableView[Any, Any]]]
    acts: ClassVar[tuple[type[Act[Any]], ...]]
    draws: ClassVar[tuple[Draw[Any], ...]] = ()
    corrections: ClassVar[tuple[type[RuledCorrection[Any]], ...]] = ()
    randomizers: tuple[str, ...] = ()
    outcomes: ClassVar[Mapping[str, Any]] = {}
    """By randomizer, the type of what falls; any outcome, where none is said."""
    logged: ClassVar[type[Any]] = LogFacts
    """The type of what the log says of a step."""
    chance_facts: ClassVar[type[Any]] = ChanceFacts
    """The type of what may be said of a question to chance."""
    options: ClassVar[tuple[Option, ...]] = ()
    turn_rule: ClassVar[str]
    """By which rule it is whose turn."""
    over_rule: ClassVar[str]
    """By which rule the game is over."""
    endless: bool = False
    """Whether it goes on until the host closes the table."""
    newest_rules: ClassVar[int] = 1
    """Raised when an older record would replay otherwise."""
    oldest_rules: ClassVar[int] = 1
    """The oldest version that can still be played by."""

    def __init_subclass__(cls) -> None:
        """A game that misspells what it offers is refused when it is written, not in the middle of a game."""
        super().__init_subclass__()
        said = {name for name, value in vars(cls).items() if not callable(value) and not isinstance(value, DOES)}
        known = {*vars(Referee), *Referee.__annotations__}
        for name in sorted(name for name in said - known if not name.startswith("_")):
            raise TypeError(f"{cls.__name__}: a referee has no `{name}`; what is the game's own begins with _")
        for name in ("table", "acts", "turn_rule", "over_rule"):
            if not hasattr(cls, name):
                raise TypeError(f"{cls.__name__}: `{name}` is not said")

    def __init__(self, setup: Setup, box: Any, rules: int | None = None) -> None:
        self.setup = setup
        self.rules_version = self.newest_rules if rules is None else rules
        self.move_types: tuple[type[Move], ...] = self.acts
        self.correction_types: tuple[type[Correction], ...] = self.corrections
        self.loose: Mapping[str, VariablePart] = getattr(box, "loose", {})
        self.box = box
        self.terms: Any = self.agreed(setup, box)
        self._secrets: tuple[tuple[S, tuple[tuple[Seats, Any], ...]], ...] = ()
        self._masked: tuple[tuple[S, int | None, S], ...] = ()  # what somebody sees of the states looked at last
        self._copies: dict[tuple[tuple[DescribedCard, ...], tuple[FigureOverride, ...]], Any] = {}
        self._known_due: tuple[S | None, Draw[Any] | None] = (None, None)  # of the state asked last, as is …
        self._known_ask: tuple[S | None, Ask] = (None, Turn(()))  # … what it asks
        self._sampled = tuple(kind for kind in self.acts if kind.sampled or _decides_itself(kind))
        self._offered = tuple(kind for kind in self.acts if self.unavailable_reason(kind) is None)

    # What a game says of its own.

    def agreed(self, setup: Setup, box: Any) -> object:
        """The terms of a table."""
        raise NotImplementedError

    def start(self) -> S:
        """The state before the first step."""
        raise NotImplementedError

    def players_to_move(self, table: H) -> tuple[int, ...]:
        """The seats that are asked for a move, where nothing is to be drawn; nobody, when the game is over."""
        raise NotImplementedError

    def scored(self, table: H) -> Finished:
        """The scores as they stand."""
        raise NotImplementedError

    def counted(self, table: H) -> Mapping[str, int]:
        """How many of each thing there are in all places together."""
        raise NotImplementedError

    def board(self, table: H) -> JsonObject:
        """The pieces by name: of the table as everybody sees it, and once the game is over of all that was there."""
        raise NotImplementedError

    def hand(self, table: H) -> JsonObject | None:
        """What only the seat whose hand it is sees, of the table as it sees it."""
        return None

    def is_short_over(self, table: H) -> bool:
        """Whether a small game for one who learns is over, as it stands before somebody's turn."""
        return False

    def to_show(self, table: H, chance: Chance) -> Collection[Outcome]:
        """The outcomes of which one is to be seen now, at a table where the first draws are arranged for teaching.

        It follows from the table alone; nothing, where luck is luck. Where none of them can fall, it is luck as well.
        """
        return ()

    def help(self, table: H) -> JsonObject:
        """Help for the seat that is asked, of the table as it sees it: what each choice would cost, what is missing,
        the odds."""
        return {}

    def shown_help(self, table: H) -> JsonObject:
        """The same for everybody to read, on the shared tablet and where people look on: of the table as all see it."""
        return self.help(table)

    def ended(self, table: H) -> H:
        """The table once the host has ended it as it stands: what was hidden may be shown now."""
        return table

    def turn_by(self, table: H) -> str:
        """The rule to cite where somebody acts out of turn."""
        return self.turn_rule

    def unavailable_reason(self, kind: type[Act[H]] | type[RuledCorrection[H]]) -> Refusal | None:
        """Why this table has no such act or correction: what it is made with is not there. None where it has.

        It follows from the terms alone. One that is lacking is understood and refused, is neither listed nor offered,
        and there is nothing to say with it.
        """
        return None

    def listed(self, table: H) -> Iterable[Act[H]]:
        """Every act that is thinkable and not refused. A game that has a faster list is held against this one."""
        for kind in self.offered():
            for act in kind.thinkable(table):
                if act.why_not(table) is None:
                    yield act

    @classmethod
    def settled(cls, setup: Setup) -> Setup:
        """A setup with what follows from its options: who answers for which randomizer."""
        return setup

    # What follows from it for every game.

    def at(self, state: S, seat: int = 0) -> H:
        """The table as a seat's hand finds it."""
        terms = self.terms_of(state) if state.reads or state.described else self.terms
        found: Any = self.table(terms, state, seat)
        table: H = found
        return table

    def as_seen(self, state: S, viewer: int | None, seat: int = 0) -> H:
        """The table as a viewer sees it: everybody, where that is no seat.

        :param seat: whose hand it is.
        """
        table = self.at(state, seat)
        for whole, eyes, masked in self._masked:
            if whole is state and eyes == viewer:
                return table.masked_as(masked)
        seen = table.as_seen_by(viewer)
        self._masked = ((state, viewer, seen.state), *self._masked[: MASKED_KEPT - 1])
        return seen

    def terms_of(self, state: S) -> Any:
        """The terms of the table as it stands: those of the copy that it has shown."""
        if not state.reads and not state.described:
            return self.terms
        shown = (state.described, state.reads)
        if shown not in self._copies:
            self._copies[shown] = self.agreed(self.setup, self.box.as_shown(*shown))
        return self._copies[shown]

    def ask(self, state: S) -> Ask:
        known = self._known_ask
        if known[0] is state:
            return known[1]
        table = self.at(state)
        draw = self._due(table)
        asked: Ask
        if draw is not None:
            asked = self._arranged(table, draw.chance(table))
        else:
            seats = self._to_move(table)
            asked = Turn(seats) if seats else self.scored(table)
        self._known_ask = (state, asked)
        return asked

    @property
    def is_small(self) -> bool:
        """Whether it is a small game, for one who learns alone."""
        return self.setup.options.get(TEACH) == ALONE

    def _to_move(self, table: H) -> tuple[int, ...]:
        """The seats that are asked, where nothing is to be drawn; in a small game nobody, once that is over."""
        state, asked = self._known_ask
        if state is table.state:
            return asked.seats if isinstance(asked, Turn) else ()
        return () if self.is_small and self.is_short_over(table) else self.players_to_move(table)

    def _arranged(self, table: H, chance: Chance) -> Chance:
        """The question with the odds by which it is answered: at a table for learning the others cannot fall."""
        if not self.setup.is_arranged or self.setup.source(chance.randomizer) != "companion":
            return chance
        shown = self.to_show(table, chance)
        odds = tuple((outcome, weight if outcome in shown else 0) for outcome, weight in chance.odds)
        is_open = any(weight for _, weight in odds)
        return structs.replace(chance, odds=odds, arranged=True) if is_open else chance

    def moves(self, state: S, seat: int) -> Choices:
        table = self.at(state, seat)
        if self._due(table) is not None or seat not in self._to_move(table):
            return Choices(())
        acts = tuple(self.listed(table))
        more = any(kind.is_sampled(table) for kind in self._sampled if any(type(act) is kind for act in acts))
        return Choices(acts, more=more)

    def why_not(self, state: S, seat: int, act: Act[H]) -> Refusal | None:
        """Why a seat may not do something now: because of the game as it stands, or of the act itself."""
        return self._refused(self.at(state, seat), act)

    def after(self, state: S, step: Step) -> S:
        """The state after a step.

        :raises Refusal: if the step is not allowed; then nothing has changed.
        """
        if isinstance(step, Played):
            act, table = _act(step.move), self.at(state, step.seat)
            if refusal := self._refused(table, act):
                raise refusal
            after = act.done(table)
        elif isinstance(step, Dealt):
            after = self._dealt(self.at(state), step.outcome)
        else:
            after = self._mended(self.at(state), _mend(step.correction))
        next_state: S = after.state
        reads = next_state.reads
        if reads is state.reads or reads == state.reads:
            return next_state
        return self._printed_anew(next_state, self.terms_of(state))

    def _dealt(self, table: H, outcome: Outcome) -> H:
        """The table after an outcome.

        :raises Refusal: if it cannot fall.
        """
        draw = self._draw_due(table)
        table, falls = self._shown(draw, table, outcome)
        after = draw.apply_outcome(table, outcome) if falls else table
        if after.state.describing is not None and (told := self._told_whole(after)):
            after = told[0].apply_outcome(*told[1:])
        return after

    def after_allowed(self, state: S, step: Step) -> S:
        """The state after a move or an outcome that is known to be allowed, as in a search: nothing is checked."""
        match step:
            case Played(seat=seat, move=move):
                moved: S = _act(move).done(self.at(state, seat)).state
                return moved
            case Dealt(outcome=outcome) if state.describing is None:
                table = self.at(state)
                dealt: S = self._draw_due(table).apply_outcome(table, outcome).state
                return dealt
        return self.after(state, step)

    def _printed_anew(self, state: S, before: Any) -> S:
        """The state with no figure told that is as the table was laid with, and all else as the copy has it."""
        laid: Mapping[str, int] = self.terms.box.reads
        reads = tuple(each for each in state.reads if laid.get(each.key) != each.value)
        anew: S = self.at(structs.replace(state, reads=reads)).on_box_changed(before).state
        return anew

    def sees(self, state: S, seat: int | None, *, settled: bool = True) -> Seen:
        """What a viewer sees; of a game that is over all of it, once that is settled."""
        board = self.public_board(state, settled=settled)
        return Seen(board, None if seat is None else self.private_hand(state, seat, settled=settled))

    def public_board(self, state: S, *, settled: bool = True) -> Facts:
        """What everybody sees."""
        whole = self.at(state)
        board: Any = self.board(whole if settled and self._is_over(whole) else self.as_seen(state, None))
        seen: Facts = board
        return seen

    def private_hand(self, state: S, seat: int, *, settled: bool = True) -> Facts | None:
        """What only a seat sees."""
        whole = self.at(state, seat)
        hand: Any = self.hand(whole if settled and self._is_over(whole) else self.as_seen(state, seat, seat))
        seen: Facts | None = hand
        return seen

    def tells(self, before: S, step: Step, seat: int | None) -> Facts:
        match step:
            case Played(seat=who, move=move):
                return seen_by(seat, _act(move), self.at(before, who), who).log_facts(self.as_seen(before, seat, who))
            case Dealt(outcome=outcome):
                return self._told_of(self.at(before), outcome, seat)
            case Corrected(correction=correction):
                return seen_by(None, _mend(correction), self.at(before)).log_facts(self.as_seen(before, None))

    def follows(self, before: S, step: Step) -> list[Facts]:
        """What a step sets off besides, as everybody sees it: the log tells it in the same line."""
        return []

    def _told_of(self, table: H, outcome: Outcome, viewer: int | None) -> Facts:
        """What the log says of an outcome."""
        draw = self._due(table)
        if draw is None:
            return {}
        if outcome == ANOTHER and draw.unknown_card_part(table):
            return {"type": ANOTHER}
        if isinstance(draw, Describing) and (whole := self._told_whole(draw.apply_outcome(table, outcome))):
            draw, table, outcome = whole
        with suppress(Refusal):  # what could not fall changes nothing of what is said
            table, _ = self._shown(draw, table, outcome)
        return draw.log_facts(self.as_seen(table.state, viewer), draw.seen(table, outcome, viewer))

    def aids(self, state: S, seat: int | None) -> Facts:
        """Help for a seat that is asked; the shared tablet and those who look on see what all may."""
        table = self.at(state)
        seats = () if self._due(table) is not None else self._to_move(table)
        if not seats or (seat is not None and seat not in seats):
            return {}
        help_: Any = self.shown_help if seat is None else self.help
        helped: Facts = help_(self.as_seen(state, seat, seats[0] if seat is None else seat))
        return helped

    def tally(self, state: S) -> Finished:
        return self.scored(self.at(state))

    def closed(self, state: S) -> S:
        closed: S = self.ended(self.at(state)).state
        return closed

    def census(self, state: S) -> Mapping[str, int]:
        return self.counted(self.at(state))

    def depends_on(self, state: S, seat: int, move: Move) -> object:
        """What of the table, as a seat sees it, its move depends on."""
        return _act(move).depends_on(self.as_seen(state, seat, seat))

    def hides(self, before: S, step: Step) -> bool:
        """Whether everybody sees a step otherwise than it is."""
        match step:
            case Played(seat=seat, move=move):
                return seen_by(None, _act(move), self.at(before, seat), seat) != move
            case Dealt(outcome=outcome):
                table = self.at(before)
                return self._draw_due(table).seen(table, outcome, None) != outcome
            case Corrected(correction=correction):
                return seen_by(None, _mend(correction), self.at(before)) != correction

    def reveals(self, before: S, after: S, seat: int) -> bool:
        """Whether a seat's move has shown what another seat had decided, or had, in secret; or what nobody had seen."""
        others, still = self._of_others(before, seat), self._of_others(after, seat)
        return any(still.count(secret) < others.count(secret) for secret in others)

    def _of_others(self, state: S, seat: int) -> list[object]:
        """What is secret, and not to be seen by this seat."""
        return [each for each in self._secrets_of(state) if each[0] is not None and seat not in each[0]]

    def _secrets_of(self, state: S) -> tuple[tuple[Seats, Any], ...]:
        """What is secret; of the state that a move leads to it is asked again with the next."""
        for whole, secrets in self._secrets:
            if whole is state:
                return secrets
        found = tuple(secrets_in(state, self.at(state)))
        self._secrets = ((state, found), *self._secrets[:1])
        return found

    def lift_wanted(self, move: Move) -> bool:
        return _act(move).lifts

    def cue(self, step: Step) -> ShovelCue | None:
        return _act(step.move).cue if isinstance(step, Played) else None

    def offered(self) -> tuple[type[Act[Any]], ...]:
        """The kinds of moves that there are at this table."""
        return self._offered

    def correction_form(self, state: S) -> CorrectionForm:
        """What the corrections can say as everybody sees the table, and where a screen is to begin."""
        table = self.as_seen(state, None)
        tables: dict[str, tuple[FieldTable, ...]] = {}
        stands: dict[str, tuple[Facts, ...]] = {}
        names: dict[str, tuple[str, ...]] = {}
        seats: dict[str, tuple[str, ...]] = {}
        for kind in self.corrections:
            tag, lacking = str(kind.__struct_config__.tag), self.unavailable_reason(kind) is not None
            tables[tag] = kind.empty_values() if lacking else kind.offered_values(table)
            stands[tag] = () if lacking else kind.current_facts(table)
            names |= {} if lacking else kind.named(table)
            seats[tag] = kind.seated()
        return CorrectionForm(tables, names, stands, seats)

    def off_list_outcomes(self, state: S) -> tuple[Outcome, ...]:
        """What the table may report though the figures of the box rule it out; the companion never draws it."""
        table = self.at(state)
        draw = self._due(table)
        if draw is None or not self._is_real(draw, table):
            return ()
        return (*draw.off_list_outcomes(table), *((ANOTHER,) if draw.unknown_card_part(table) else ()))

    def differing(self, state: S, seat: int | None, *, settled: bool = True) -> tuple[BoxDifference, ...]:
        """Where the table has shown another copy of the box than its figures say, as far as a seat may know."""
        return tuple(each for each in self._otherwise(state, seat, settled=settled) if each.more)

    def _otherwise(self, state: S, seat: int | None, *, settled: bool) -> tuple[BoxDifference, ...]:
        """All of it as a seat sees it; once the game is over and that is settled, as it is."""
        if not state.otherwise:
            return ()
        table = self.at(state)
        if settled and self._is_over(table):
            return state.otherwise
        return tuple(seen_by(seat, each, table) for each in state.otherwise)

    def noted(self, state: S, seat: int | None, *, settled: bool = True) -> Facts:
        """The figures of the copy that the table has shown, by their keys, as an owner's file gives them."""
        differing = self.differing(state, seat, settled=settled)
        if not differing and not state.reads:
            return {}
        figures: Facts = self.terms_of(state).box.noted(differing, state.reads)
        return figures

    def differences(self, state: S, seat: int | None, *, settled: bool = True) -> list[Facts]:
        """The same, as it is told: a line for each kind of which there is more than the box says; and where that is
        something this seat may not know, that it is so."""
        every = self._otherwise(state, seat, settled=settled)
        differing = tuple(each for each in every if each.more)
        told = {each.where: each.told for each in self.loose.values()}
        lines: list[Facts] = [
            {**told[where], "key": where, "what": kind, "n": count}
            for where in places(differing)
            for kind, count in net(differing, where).items()
            if count > 0
        ]
        unknown = dict.fromkeys(each.where for each in every if not each.more)
        lines += [{**told[where], "key": where, "what": None, "n": 1} for where in unknown]
        if state.reads:
            box = self.terms_of(state).box
            lines += [box.told_of(each) for each in state.reads]
        return lines

    def _is_real(self, draw: Draw[Any], table: H) -> bool:
        """Whether people at the table answer a question."""
        return self.setup.source(draw.chance(table).randomizer) == "table"

    def _shown(self, draw: Draw[Any], table: H, outcome: Outcome) -> tuple[H, bool]:
        """The table at which an outcome can fall, and whether it then does: as it is, or put right by what the table
        shows.

        :raises Refusal: if it cannot.
        """
        refusal = self._cannot_fall(draw, table, outcome)
        if refusal is None:
            return table, True
        if outcome == ANOTHER and self._is_real(draw, table) and (part := draw.unknown_card_part(table)):
            return table.replace(describing=DescribedCard(part)), False
        if not self._is_real(draw, table) or not _is_among(draw.off_list_outcomes(table), outcome):
            rule = draw.count_rule_for(table, outcome) if self._is_real(draw, table) else None
            raise Illegal("core.stated", rule=rule, outcome=outcome) if rule else refusal
        return draw.amend_for(table, outcome), draw.settles(table, outcome)

    def _cannot_fall(self, draw: Draw[Any], table: H, outcome: Outcome) -> Refusal | None:
        """Why an outcome cannot fall: by what was asked last, where that answers it and the draw adds no rule to it."""
        state, asked = self._known_ask
        if state is table.state and type(draw).why_not is Draw.why_not and can_fall(cast(Chance, asked), outcome):
            return None
        return draw.why_not(table, outcome)

    def _told_whole(self, table: H) -> tuple[Draw[Any], H, Outcome] | None:
        """A card of which all is told as what came up: in which draw, at which table, and what it is called. None where
        there is none.

        :raises Refusal: if there can be none such.
        """
        card = table.state.describing
        if card is None or table.terms.box.asks(card.part, card.said) is not None:
            return None
        kind, there = table.terms.box.kind_of(card), structs.replace(table.state, describing=None)
        if kind not in table.terms.box.kinds_in(card.part):
            there = structs.replace(there, described=(*there.described, card))
        found = self.at(there, table.seat).on_box_changed(table.terms)
        draw = self._draw_due(found)
        return draw, self._shown(draw, found, kind)[0], kind

    def _due(self, table: H) -> Draw[Any] | None:
        """What is to be drawn next. It is wanted several times at each state, and remembered for the one asked last."""
        state, known = table.state, self._known_due
        if known[0] is state:
            return known[1]
        found: Draw[Any] | None = None
        for draw in self.draws:
            if draw.due(table):
                found = draw if state.describing is None else Describing(draw)
                break
        self._known_due = (state, found)
        return found

    def _draw_due(self, table: H) -> Draw[Any]:
        """What is to be drawn next.

        :raises Refusal: if nothing is.
        """
        draw = self._due(table)
        if draw is None:
            raise Illegal("core.no_draw", rule=self.turn_by(table)) if self._to_move(table) else self._over()
        return draw

    def _is_over(self, table: H) -> bool:
        return self._due(table) is None and not self._to_move(table)

    def _refused(self, table: H, act: Act[H]) -> Refusal | None:
        draw = self._due(table)
        if draw is not None:
            return Illegal("core.chance_first", rule=draw.rule)
        seats = self._to_move(table)
        if not seats:
            return self._over()
        if table.seat not in seats:
            return NotYourTurn("core.not_your_turn", rule=self.turn_by(table))
        return self.unavailable_reason(type(act)) or act.why_not(table)

    def _over(self) -> Refusal:
        return Over("core.over", rule=self.over_rule)

    def _mended(self, table: H, mend: RuledCorrection[H]) -> H:
        if self._is_over(table):
            raise self._over()
        if refusal := self.unavailable_reason(type(mend)) or mend.why_not(table):
            raise refusal
        return mend.done(table)


class Verdict(TypedDict):
    """May I, and why not; a game adds what it costs."""

    legal: bool
    refusal: PlainRefusal | None


def verdict(act: Act[H], table: H) -> Verdict:
    """May I, and why not: the one shape in which a choice is answered, in aids and in refusals."""
    refusal = act.why_not(table)
    return {"legal": refusal is None, "refusal": refusal.plain() if refusal else None}


def answer(act: Act[H], table: H, **costs: Json) -> Facts:
    """The same with what it costs, where a game does not type its help."""
    told: Any = verdict(act, table)
    facts: Facts = told | costs
    return facts


def _decides_itself(kind: type[Act[Any]]) -> bool:
    """Whether an act has a word of its own on when it is sampled."""
    return next(base for base in kind.__mro__ if "is_sampled" in vars(base)) is not Act


def _is_among(outcomes: Sequence[Outcome], outcome: Outcome) -> bool:
    return any(outcome == each and type(outcome) is type(each) for each in outcomes)


def _act(move: Move) -> Act[Any]:
    if not isinstance(move, Act):
        raise Malformed("core.not_a_move", reason=type(move).__name__)
    return move


def _mend(correction: Correction) -> RuledCorrection[Any]:
    if not isinstance(correction, RuledCorrection):
        raise Malformed("core.not_a_correction", reason=type(correction).__name__)
    return correction
