"""What a call answers: the API document is made from these, and the tests hold every answer against it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

import msgspec
from msgspec import Meta

from companion.game import FieldTable, HintLevel, Mode, Option, Outcome, Pace, SeatKind, Sort, Source
from companion.play.entries import Departure
from companion.play.evenings import Evening, Person
from companion.play.record import RecordedDraw
from companion.play.sitting import BotNews
from companion.play.teaching import DeedTold, ExerciseTold, LessonTold, PlaceTold, SettingUpTold
from companion.rulebook import Heading
from web_ui.api.bodies import Correction, Move
from web_ui.groups import Group
from web_ui.help import Passage
from web_ui.http_errors import Facts, Said
from web_ui.studies import StudyOfTable, StudyState

Free = dict[str, Any]
"""A JSON object whose fields depend on what it is about."""
Board = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Board"})]
Help = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Help"})]
LogFacts = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/LogFacts"})]
ChanceFacts = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/ChanceFacts"})]
"""What a game shows, not the service: `game_schemas.py` says what it is."""


JsonSchema = Annotated[dict[str, Any], Meta(description="A JSON schema.")]


class SeatsOfBox(msgspec.Struct, frozen=True):
    """How many can play."""

    min: int
    max: int


class OptionOfBox(msgspec.Struct, frozen=True):
    """A choice when a table is laid, and the modes that have it; where it is `of_seats` its values are seats."""

    name: str
    values: tuple[bool | int | str, ...]
    default: bool | int | str
    modes: tuple[Mode, ...]
    of_seats: bool = False

    @classmethod
    def of(cls, option: Option, modes: tuple[Mode, ...]) -> OptionOfBox:
        return cls(option.name, option.values, option.default, modes, option.of_seats)


class SourceOfBox(msgspec.Struct, frozen=True):
    """A randomizer that the companion or the table can be, and the modes that have it."""

    randomizer: str
    modes: tuple[Mode, ...]


class RulingOfBox(msgspec.Struct, frozen=True):
    """A rule that Digside set where the rulebook is silent, in the asker's language."""

    rule: str
    said: str


class BoxInList(msgspec.Struct, frozen=True):
    """A box and what can be chosen for it; `bots`: whether there are bots to watch at it."""

    id: str
    title: str
    seats: SeatsOfBox
    rulings: tuple[RulingOfBox, ...]
    modes: tuple[Mode, ...]
    bots: bool
    options: tuple[OptionOfBox, ...]
    sources: tuple[SourceOfBox, ...]


class BoxUnread(msgspec.Struct, frozen=True):
    """A box whose file, laid here by its owner, does not hold; `message` says where and why."""

    id: str
    message: str


class Boxes(msgspec.Struct, frozen=True):
    """All boxes: those that can be played, and those that cannot."""

    boxes: tuple[BoxInList, ...]
    unread: tuple[BoxUnread, ...]


class FigureOfBox(msgspec.Struct, frozen=True):
    """A figure printed on a component, and where it is from."""

    key: str
    value: Any
    origin: str


class BoxInFull(msgspec.Struct, frozen=True):
    """A box with its figures."""

    id: str
    title: str
    figures: tuple[FigureOfBox, ...]


class RulesOfBox(msgspec.Struct, frozen=True):
    """The rules of a box as it is played so, in the asker's language."""

    id: str
    mode: Mode
    headings: tuple[Heading, ...]


class SeatTold(msgspec.Struct, frozen=True):
    """A seat as everybody sees it."""

    name: str
    colour: str
    shape: str


class SeatAtTable(SeatTold, frozen=True):
    """A seat in a view: who plays for it, and its hints.

    `taken`: somebody sits there with a device of their own. `bot` is what is to be said of a bot just now: it
    `thinks`; somebody has to lift for it (`lifts`); it moved `without` a thought, as that took too long; or this
    machine has `no_room` to think. `hints_left` is null where there is no limit.
    """

    kind: SeatKind
    bot: BotNews | None
    hints: HintLevel
    hints_left: int | None
    taken: bool


class Me(msgspec.Struct, frozen=True):
    """Who is asking."""

    role: Literal["host", "seat", "spectator"]
    seat: int | None


class HostAsked(msgspec.Struct, frozen=True):
    """Somebody asks to be the host, since when, and who agrees; alone, they are after `alone_ms`."""

    seat: int
    at: int
    agreed: tuple[int, ...]
    alone_ms: int


class HostTold(msgspec.Struct, frozen=True):
    """Who is the host: somebody at a `seat`, the `owner`, or whoever has the host's key.

    `silent`: no device of the host's was heard for a minute.
    """

    seat: int | None
    owner: bool
    silent: bool
    asked: HostAsked | None


class ElsewhereSeen(msgspec.Struct, frozen=True):
    """The address of the Digside that a table has left for; `there`: it is open there."""

    address: str
    there: bool

    @classmethod
    def of(cls, going: Departure | None) -> ElsewhereSeen | None:
        return cls(going.address, going.there) if going else None


class TableInList(msgspec.Struct, frozen=True):
    """A table in the list of tables; no key is in it.

    `totals` and `winners` are those of a table that is over, as soon as they have been counted up; `me` is as whom the
    browser that asks may act there by its cookie. `elsewhere` says where it has left for, or has gone.
    """

    table: str
    box: str
    title: str
    mode: str
    seats: tuple[SeatTold, ...]
    laid_at: int
    played_at: int
    seq: int
    over: bool
    totals: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    me: Me | None
    elsewhere: ElsewhereSeen | None = None


class Tables(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tables, the newest first; `more` where older ones are to be asked for."""

    tables: tuple[TableInList, ...]
    more: bool = False


class TableLaid(msgspec.Struct, frozen=True):
    """A new table with its keys, which are told here and to the host alone."""

    table: str
    host: str
    seats: tuple[str, ...]
    seal: str


class GroupsTold(msgspec.Struct, frozen=True):
    """People who have played together, whoever played last first."""

    groups: tuple[Group, ...]


class CodesTold(msgspec.Struct, frozen=True):
    """A short code for each seat, and how many seconds they hold."""

    codes: tuple[str, ...]
    holds: int


class RoomTold(msgspec.Struct, frozen=True):
    """The short code of a table, by which its free seats are taken, and how many seconds it holds."""

    code: str
    holds: int


class KeysTold(msgspec.Struct, frozen=True):
    """All keys of a table."""

    host: str
    seats: tuple[str, ...]


class ShowTold(msgspec.Struct, frozen=True):
    """A table at which bots play, and what they are called."""

    table: str
    seats: tuple[SeatTold, ...]


class EveningsTold(msgspec.Struct, frozen=True):
    """Tables that are over with how they ended, and who sat there by name, told with the first of them.

    `more`: the end of some is not counted up yet, ask again. `older`: there are older ones than these.
    """

    evenings: tuple[Evening, ...]
    people: tuple[Person, ...]
    more: bool
    older: bool


class OtherwiseTold(msgspec.Struct, frozen=True):
    """Figures by their keys, as an owner's file gives them, and whether it does."""

    figures: dict[str, Any]
    noted: bool


class Entered(msgspec.Struct, frozen=True):
    """Which table was entered, and as whom."""

    table: str
    me: Me


class AskMove(msgspec.Struct, frozen=True, tag_field="kind", tag="move"):
    """A seat must move; in a toolbox every seat may. A stream that tells changes leaves the help of a referee out."""

    seat: int
    seats: tuple[int, ...]
    options: Help | msgspec.UnsetType = msgspec.UNSET


class AskChance(msgspec.Struct, frozen=True, tag_field="kind", tag="chance"):
    """Something is drawn, by the companion's press or the table's report; weights nobody may count are null. `besides`
    may be reported too, though the figures of the box rule it out: the table is right."""

    question: str
    randomizer: str
    source: Source
    seat: int | None
    waits: bool
    of: Sort
    odds: tuple[tuple[Outcome, int | None], ...]
    besides: tuple[Outcome, ...]
    facts: ChanceFacts


class ScoreTold(msgspec.Struct, frozen=True):
    """What a seat has, and from what."""

    seat: int
    total: int
    parts: dict[str, int]


class AskOver(msgspec.Struct, frozen=True, tag_field="kind", tag="over"):
    """The game is over."""

    scores: tuple[ScoreTold, ...]
    winners: tuple[int, ...]


class LogLine(msgspec.Struct, frozen=True):
    """A step in the log, as these eyes may read it.

    :param also: what it has set off besides, each with its type; left out where that is nothing.
    """

    seq: int
    at: int
    by: str
    seat: int | None
    kind: Literal[
        "move",
        "outcome",
        "correct",
        "undo",
        "redo",
        "stir",
        "seal",
        "close",
        "settle",
        "arrive",
        "restore",
        "sit",
        "hints",
        "hint",
        "seating",
        "want",
        "agree",
        "keep",
    ]
    undone: bool
    what: LogFacts
    also: tuple[LogFacts, ...] = ()


class Share(msgspec.Struct, frozen=True):
    """Who stirs now, `host` or a seat's number, and whether they have told what they have to."""

    who: str
    told: bool


class MemberTold(msgspec.Struct, frozen=True):
    """A device that stirs, `host` or a seat's number, and the first 32 digits of the value it told last."""

    who: str
    value: str


class Luck(msgspec.Struct, frozen=True):
    """How much has been drawn and stirred, and who stirs.

    `round` is who has to tell a value, or a pinch at an older table, while anybody has; `version` says which of both
    it is. `stirred` is the first 32 digits of what the draws to come are stirred with, empty where nothing is.
    """

    draws: int
    stirs: int
    round: tuple[Share, ...]
    version: int
    members: tuple[MemberTold, ...]
    stirred: str


class UndoOffer(msgspec.Struct, frozen=True):
    """Whether a step may be taken back, to where, and why not."""

    open: bool
    to: int | None
    why: str | None
    redo: int | None


class ReportTold(msgspec.Struct, frozen=True):
    """What was reported, and what had been asked; what only the seat of the report may know is null for others."""

    seq: int
    outcome: Outcome | None
    randomizer: str
    question: str
    of: Sort
    facts: ChanceFacts


class Hinge(msgspec.Struct, frozen=True):
    """What the end hangs on until it is confirmed: the reports that brought it about, and the seat they are of.

    `confirm`: the asker may say that they are right. To put them right is an undo.
    """

    seat: int | None
    reports: tuple[ReportTold, ...]
    confirm: bool


class DifferenceTold(TypedDict):
    """Where the table has shown another copy of the box than its figures say: `n` more of `what`, or `n` in the place
    of a figure; `what` is null for whom it is secret."""

    type: str
    key: str
    what: str | int | list[str | int] | None
    n: int


class View(msgspec.Struct, frozen=True):
    """A table as one viewer sees it. `board` holds the pieces by name, `you` what is for these eyes alone.

    `played` is the newest of the `seq` entries that changed what is asked or what stands there: after it there are only
    those that stir the luck or say where the table is kept, and what was chosen or pressed since still means the same.

    `settled`: the game is over for good. An end that hangs on a report is not until it is confirmed: `hinge` then says
    on what, and what comes to light at the end, the secret among it, does not yet.

    `head` is the newest link of the chain of entries: with the seal, it is all that somebody need note to know later
    that nothing was changed. It is null at a table from before there was a chain.
    `stirs_as` is the name by which the viewer's device stirs the luck.
    `begun`: a step was made, so that no seat is added or taken away any more.
    `next` is the table at which the same people play on, once it is laid.
    `elsewhere` is there alone once the table has left for another Digside: no step is made at it here.
    `stale_since` is there alone where other processes may have gone on with the table of which this one knows nothing
    since that moment: its link to the database they share is cut.
    `otherwise` says where the table has shown what the figures of the box rule out.
    """

    table: str
    box: str
    mode: Mode
    seq: int
    played: int
    over: bool
    settled: bool
    closed: bool
    hinge: Hinge | None
    ask: AskMove | AskChance | AskOver
    otherwise: tuple[DifferenceTold, ...]
    board: Board
    you: Free | None
    me: Me
    stirs_as: str | None
    seats: tuple[SeatAtTable, ...]
    begun: bool
    host: HostTold
    log: tuple[LogLine, ...]
    seal: str
    head: str | None
    secret: str | None
    luck: Luck
    undo: UndoOffer
    pace: Pace
    sources: dict[str, Source]
    options: dict[str, bool | int | str]
    rules: int
    next: str | None
    elsewhere: ElsewhereSeen | msgspec.UnsetType = msgspec.UNSET
    stale_since: int | msgspec.UnsetType = msgspec.UNSET


class Operation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of a view (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None


class Changes(msgspec.Struct, frozen=True, rename={"before": "from"}):
    """What has changed in a view since the one before, or the whole; for whoever asks for changes."""

    seq: int
    sum: str
    view: View | msgspec.UnsetType = msgspec.UNSET
    after: int | msgspec.UnsetType = msgspec.UNSET
    before: str | msgspec.UnsetType = msgspec.UNSET
    patch: tuple[Operation, ...] | msgspec.UnsetType = msgspec.UNSET


class Beat(msgspec.Struct, frozen=True):
    """A sign of life on a live line, about once a second: the service's clock in milliseconds, the newest number, and
    how often the address of this machine has changed."""

    now: int
    seq: int
    moved: int


class Bye(msgspec.Struct, frozen=True):
    """Nothing more is told: the line ends."""


class Brief(msgspec.Struct, frozen=True):
    """The number of the newest entry alone, for whoever prefers that."""

    seq: int


class Aids(msgspec.Struct, frozen=True):
    """The help for whoever is asked, as in `options` of a whole view; nothing for anybody else."""

    seq: int
    options: Help


class LessonsTold(msgspec.Struct, frozen=True):
    """The lessons that may be told to the asker now, the most pressing first; a screen tells those that it has not.

    In a small game for one who learns alone also what is to be done now.

    :param rest: so many moves of the table lie between two lessons that can wait.
    """

    seq: int
    lessons: tuple[LessonTold, ...]
    exercise: ExerciseTold | None = None
    rest: int = 1


class PossibleTold(msgspec.Struct, frozen=True):
    """What the asker's hand can do now, and what bars the rest; nothing where it is not asked."""

    seq: int
    deeds: tuple[DeedTold, ...]


class ManualTold(msgspec.Struct, frozen=True):
    """The players' manual in the asker's language."""

    passages: tuple[Passage, ...]


class SettingUp(msgspec.Struct, frozen=True):
    """How the real box is set up for this table, step by step, and the plan of where things lie."""

    steps: tuple[SettingUpTold, ...]
    plan: dict[str, PlaceTold]


class MovesTold(msgspec.Struct, frozen=True):
    """The legal moves for whom a key may act; `more` where these are a fair sample of too many."""

    seq: int
    moves: tuple[Move, ...]
    more: bool


class CorrectionForms(msgspec.Struct, frozen=True):
    """The corrections that a table takes, each as a JSON schema, and what their fields can say as it stands."""

    seq: int
    corrections: tuple[JsonSchema, ...]
    tables: dict[str, tuple[FieldTable, ...]]
    names: dict[str, tuple[str, ...]]
    stands: dict[str, tuple[Correction, ...]]
    seats: dict[str, tuple[str, ...]]


class HintedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move of a hint. `told` is what the log would say of it.

    `chance` is of winning, from 0 to 1, and the truth lies `within` so much of it in 95 of 100 cases; `points` are
    those at the end, on average. They are left out where this machine has no room to think. `why` is a sentence of the
    game (`why.<key>` of its words) with its `facts`.
    """

    move: Move
    told: LogFacts
    chance: float | None = None
    within: float | None = None
    points: float | None = None
    why: str | None = None
    facts: Facts = {}


class HintTold(msgspec.Struct, frozen=True):
    """A hint, the best move first; not `ready` as long as it is being thought about. It is for the table at `seq`."""

    seq: int
    ready: bool
    moves: tuple[HintedMove, ...]


class StudyTold(msgspec.Struct, frozen=True):
    """The study of a table, if it has been made, or how far it is. `can`: it is over, and was refereed."""

    can: bool
    study: StudyOfTable | None
    making: StudyState | None


class OutcomeLuck(msgspec.Struct, frozen=True):
    """How often an outcome fell, how often it should have, and how far off is still usual (one deviation)."""

    outcome: Outcome
    fell: int
    expected: float
    spread: float


class RandomizerLuck(msgspec.Struct, frozen=True):
    """One randomizer: its draws, and who made them."""

    randomizer: str
    of: Sort
    draws: int
    reported: int
    outcomes: tuple[OutcomeLuck, ...]


class SealTold(msgspec.Struct, frozen=True):
    """A seal the luck was under, from an entry on; the laying's is from 0 on."""

    since: int
    seal: str


class RoundTold(msgspec.Struct, frozen=True):
    """Who stirred together, by name: `host`, or a seat's number.

    `left_out` are those who promised a pinch and did not tell it, at older tables; `late` those for whom a draw did not
    wait while they were asked. `drew` says whether anything was drawn with it, before others stirred. `since` and
    `pinch` are what it came to.
    """

    told: tuple[str, ...]
    left_out: tuple[str, ...]
    late: tuple[str, ...]
    drew: bool
    since: int
    pinch: str


class LuckTold(msgspec.Struct, frozen=True):
    """What came up against what was to be expected, over the steps that still count; and what to know of the luck.

    `members` are those who stir, each with the whole value it told last;
    `asked` are those who have to tell a value before what a newcomer brings counts; `taken` those whose place among who
    stirs was taken by another device.
    `own_box` says that the figures are not those of the box as Digside comes with it; `dropped`, how many tables of the
    same box were laid here within half a day before this one and left as they were, of which a hundred are counted.
    """

    seq: int
    seal: str
    head: str | None
    seals: tuple[SealTold, ...]
    rounds: tuple[RoundTold, ...]
    members: tuple[MemberTold, ...]
    asked: tuple[str, ...]
    taken: tuple[str, ...]
    own_box: bool
    dropped: int
    randomizers: tuple[RandomizerLuck, ...]


class DrawsTold(msgspec.Struct, frozen=True):
    """Every draw of a table that is over."""

    draws: tuple[RecordedDraw, ...]


class Health(msgspec.Struct, frozen=True):
    """The service lives: the newest step on disk, that the disk takes another, and how old is what the rig says."""

    ok: bool
    version: str
    table: str | None
    seq: int
    journal: Literal["writable"]
    rig_age_s: float


class Refused(msgspec.Struct, frozen=True):
    """The body of every refusal; 409 brings the table as it is now."""

    error: Said
    view: View | msgspec.UnsetType = msgspec.UNSET
