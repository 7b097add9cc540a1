"""A table in a terminal: moves typed by name, also from a pipe."""

from __future__ import annotations

import random
import shutil
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, TextIO, get_args, get_origin

import msgspec

from companion.game import Correction, Json, Move, Outcome, Turn
from companion.play.opening import box_of
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import AsTyped, Malformed, Refusal, as_typed
from companion.rulebook import matching, rulebook
from companion.terminal import telling
from companion.trials import Bot
from companion.words import person, say

LISTED = 40
LONGEST_NUMBER = 18  # digits
INDENT = "  "


class Terminal:
    """Reads commands from a stream and plays them at a table, as the host."""

    def __init__(
        self,
        table: Table,
        language: str,
        *,
        bots: Mapping[int, Bot] | None = None,
        heard: TextIO = sys.stdin,
        said: TextIO = sys.stdout,
    ) -> None:
        self.table = table
        self.bots = bots or {}
        self.language = language
        self.heard = heard
        self.said = said
        self.refused = 0
        self._shown = table.seq
        self._before = self._view()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "help": self._help,
            "moves": self._moves,
            "board": self._board,
            "hand": self._hand,
            "log": self._log,
            "rules": self._rules,
            "undo": self._undo,
            "redo": self._redo,
            "deal": self._deal,
            "report": self._report,
            "stir": self._stir,
            "correct": self._correct,
            "settle": self._settle,
            "close": self._close,
            "seal": self._seal,
        }

    def run(self) -> int:
        """Play until the stream ends; the exit status says whether anything from a pipe was refused."""
        self._say("cli.welcome", table=self.table.id, seal=self.table.seals[-1])
        self._board([])
        self._let_bots_move()
        for line in self._lines():
            if line in {"quit", "exit"}:
                break
            try:
                self.obey(line)
            except Refusal as refusal:
                self.refused += 1
                print(f"✗ {refusal.said(self.language, self.table.setup.scope)}", file=self.said)
            self._let_bots_move()
        return 1 if self.refused and not self.heard.isatty() else 0

    def obey(self, line: str) -> None:
        """Do what one line says."""
        words = line.split()
        if not words:
            self._deal([])
        elif words[0] in self._commands:
            self._commands[words[0]](words[1:])
        else:
            seat, move = self._read_move(line)
            self.table.play(HOST, self.table.seq, _fresh(), move, seat=seat)
            self._show_news()

    def _let_bots_move(self) -> None:
        """Until a person is asked, or something is to be drawn."""
        while isinstance(ask := self.table.ask(), Turn):
            seat = next((seat for seat in ask.seats if seat in self.bots), None)
            if seat is None:
                return
            luck = random.Random(f"{self.table.id} {self.table.seq}")  # noqa: S311 -- a bot's, nothing is dealt by it
            move = self.bots[seat](self.table.game, self.table.state, seat, luck)
            self.table.play(HOST, self.table.seq, _fresh(), msgspec.to_builtins(move), seat=seat)
            self._show_news()

    def _lines(self) -> Iterator[str]:
        asking = self.heard.isatty()
        if asking:
            import readline  # noqa: F401 -- gives the prompt its arrow keys
        while True:
            if asking:
                print(f"{self._asked(self._view())}\n› ", end="", file=self.said, flush=True)
            line = self.heard.readline()
            if not line:
                return
            if not line.startswith("#"):
                yield line.strip()

    def _read_move(self, line: str) -> tuple[int | None, Json]:
        """``Ada: dig egypt 4``, ``dig site=egypt weeks=4`` or the JSON of a move."""
        name, colon, rest = line.partition(":")
        seat = None
        if colon and " " not in name and not line.startswith("{"):
            seat, line = self._seat(name), rest.strip()
        if line.startswith("{"):
            try:
                return seat, msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise Malformed("core.not_a_move", reason=str(error)) from None
        return seat, typed(line, self.table.game.move_types, listed=self._kinds())

    def _seat(self, name: str) -> int:
        names = [person(self.language, seat.name).casefold() for seat in self.table.setup.seats]
        if name.casefold() in names:
            return names.index(name.casefold())
        if is_number(name) and 0 <= int(name) < len(names):
            return int(name)
        raise Malformed("cli.no_player", name=AsTyped(name))

    def _kinds(self) -> tuple[type[Move], ...]:
        return self.table.game.offered()

    def _corrections(self) -> tuple[type[Correction], ...]:
        """The kinds of corrections that there is something for at this table."""
        tables = self.table.game.correction_form(self.table.state).tables
        return tuple(
            kind
            for kind in self.table.game.correction_types
            if all(together.rows for together in tables.get(name_of(kind), ()))
        )

    def _view(self) -> dict[str, Json]:
        return view(self.table, HOST)

    def _names(self) -> Mapping[str, Sequence[str]]:
        """Of what is not called by its own name, the names that tell it."""
        return self.table.game.correction_form(self.table.state).names

    def _asked(self, seen: dict[str, Json]) -> str:
        return telling.question_sentence(self.language, seen, self._names())

    def _show_news(self) -> None:
        seen = self._view()
        for line in _maps(seen["log"]):
            if isinstance(line["seq"], int) and line["seq"] > self._shown:
                print(f"  {line['seq']:>4}  {telling.log_sentence(self.language, seen, line)}", file=self.said)
        for news in telling.news(self.language, self._before, seen):
            print(f"        {news}", file=self.said)
        self._shown, self._before = self.table.seq, seen
        if not self.heard.isatty() and self.table.over():
            print(self._asked(seen), file=self.said)

    def _help(self, _: list[str]) -> None:
        self._say("cli.help")
        for kind in self._kinds():
            print(INDENT + usage(kind), file=self.said)
        self._say("cli.help_corrections")
        for correction in self._corrections():
            print(f"{INDENT}correct {usage(correction)}", file=self.said)

    def _moves(self, _: list[str]) -> None:
        for line in telling.reports(self.language, self._view(), self._names()):
            print(INDENT + line, file=self.said)
        choices = self.table.moves(HOST)
        for move in choices.moves[:LISTED]:
            print("  " + spelt(move), file=self.said)
        if choices.more or len(choices.moves) > LISTED:
            self._say("cli.more")

    def _board(self, words: list[str]) -> None:
        seen = self._view()
        width = shutil.get_terminal_size((100, 40)).columns if not words else 1_000_000
        for line in telling.board(self.language, seen, width - len(INDENT)):
            print(INDENT + line, file=self.said)
        if not self.heard.isatty():
            print(self._asked(seen), file=self.said)

    def _hand(self, words: list[str]) -> None:
        """What one seat alone sees, shown only when it is asked for; of whoever is to move, if nobody is named."""
        asked = self._view()["ask"]
        first = asked.get("seat") if isinstance(asked, Mapping) else None
        seat = self._seat(" ".join(words)) if words else first if isinstance(first, int) else 0
        seen = view(self.table, HOST, seat=seat)
        if not seen["you"]:
            raise Malformed("cli.no_hand")
        width = shutil.get_terminal_size((100, 40)).columns - len(INDENT)
        for line in telling.hand(self.language, seen, width):
            print(INDENT + line, file=self.said)

    def _log(self, _: list[str]) -> None:
        seen = self._view()
        for line in _maps(seen["log"]):
            mark = "↶" if line["undone"] else " "
            print(f"  {line['seq']:>4} {mark}{telling.log_sentence(self.language, seen, line)}", file=self.said)

    def _rules(self, words: list[str]) -> None:
        setup, laid = self.table.setup, self.table.laid
        book = rulebook(setup.box, setup.mode, self.language, laid.rules, box_of(laid).rulings)
        wanted = " ".join(words)
        told = matching(book, wanted) if wanted else book
        if not told:
            raise Malformed("cli.no_rule", word=AsTyped(wanted))
        width = shutil.get_terminal_size((100, 40)).columns - len(INDENT)
        for line in telling.rules(self.language, told, width) if wanted else telling.headings(told):
            print(INDENT + line, file=self.said)

    def _deal(self, _: list[str]) -> None:
        self.table.answer(HOST, self.table.seq, _fresh(), None)
        self._show_news()

    def _report(self, words: list[str]) -> None:
        word = " ".join(words)
        outcome: Outcome = int(word) if is_number(word) else word
        self.table.answer(HOST, self.table.seq, _fresh(), outcome)
        self._show_news()

    def _undo(self, words: list[str]) -> None:
        if words and not is_number(words[0]):
            raise Malformed("undo.no_such_step")
        to = int(words[0]) if words else None
        self.table.take_back(HOST, self.table.seq, _fresh(), to)
        self._show_news()

    def _redo(self, _: list[str]) -> None:
        redo = self.table.offer(HOST).redo
        if redo is None:
            raise Malformed("cli.no_redo")
        self.table.take_back(HOST, self.table.seq, _fresh(), redo)
        self._show_news()

    def _stir(self, words: list[str]) -> None:
        self.table.stir(HOST, self.table.seq, _fresh(), " ".join(words))
        self._show_news()

    def _correct(self, words: list[str]) -> None:
        names = self._names()
        line = " ".join(_as_counted(word, names) for word in words)
        correction = typed(line, self.table.game.correction_types, listed=self._corrections())
        self.table.correct(HOST, self.table.seq, _fresh(), correction)
        self._show_news()

    def _settle(self, _: list[str]) -> None:
        self.table.settle(HOST, self.table.seq, _fresh())
        self._show_news()

    def _close(self, _: list[str]) -> None:
        self.table.end(HOST, self.table.seq, _fresh())
        self._show_news()

    def _seal(self, _: list[str]) -> None:
        seen = self._view()
        self._say("cli.seal", seal=str(seen["seal"]), secret=str(seen["secret"] or "–"))

    def _say(self, key: str, **facts: str) -> None:
        print(say(self.language, key, facts), file=self.said)


def typed(
    line: str, kinds: Sequence[type[msgspec.Struct]], *, listed: Sequence[type[msgspec.Struct]] = ()
) -> dict[str, Json]:
    """A typed line as the JSON of one of these kinds: fields in their order, or as ``field=value``; lists with commas.

    :param listed: those that whoever types something else is told of.

    >>> from companion.game import Move
    >>> class Dig(Move, frozen=True, tag="dig"):
    ...     site: str
    ...     weeks: int
    ...     use: tuple[str, ...] = ()
    >>> typed("dig egypt 4 use=shovel,assistant", (Dig,))
    {'type': 'dig', 'site': 'egypt', 'weeks': 4, 'use': ['shovel', 'assistant']}

    A field that is a place or a seat takes the number of a seat.

    >>> class Lies(Move, frozen=True, tag="lies"):
    ...     card: str
    ...     at: Annotated[str | int, "whose"]
    >>> typed("lies idol-4 1", (Lies,)), typed("lies idol-4 alcoves", (Lies,))
    ({'type': 'lies', 'card': 'idol-4', 'at': 1}, {'type': 'lies', 'card': 'idol-4', 'at': 'alcoves'})
    """
    first, *words = line.split() or [""]
    for kind in kinds:
        if name_of(kind) == first:
            made = {"type": first} | _fields(kind, words)
            try:
                msgspec.convert(made, kind)
            except msgspec.ValidationError:
                raise Malformed("cli.usage", usage=AsTyped(usage(kind))) from None
            return made
    raise Malformed("cli.no_such_command", command=AsTyped(first), known=as_typed(map(name_of, listed or kinds)))


def usage(kind: type[msgspec.Struct]) -> str:
    """How a kind of move is typed.

    >>> from companion.games.toolbox.bags import DrawTokens
    >>> from companion.games.toolbox.shovel import Shovel
    >>> usage(DrawTokens), usage(Shovel)
    ('draw bag count [seat]', 'shovel grip|release|stop')
    """
    return " ".join((name_of(kind), *map(_shown, msgspec.structs.fields(kind))))


def name_of(kind: type[msgspec.Struct]) -> str:
    """What a kind of move is called."""
    return str(kind.__struct_config__.tag)


def spelt(move: Move) -> str:
    """A move as it would be typed."""
    plain = msgspec.to_builtins(move)
    words = [str(plain.pop("type"))]
    for field, value in plain.items():
        written = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        words.append(f"{field}={written}")
    return " ".join(words)


def _fields(kind: type[msgspec.Struct], words: list[str]) -> dict[str, Json]:
    fields = msgspec.structs.fields(kind)
    free = iter(fields)
    typed_fields: dict[str, Json] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            field = next(free, None)
            if field is None:
                raise Malformed("cli.too_many_words", word=AsTyped(word), usage=AsTyped(usage(kind)))
            name, value = field.encode_name, word
        typed_fields[name] = _value(next((f.type for f in fields if f.encode_name == name), str), value)
    return typed_fields


def _value(wanted: object, word: str) -> Json:
    """A word as the JSON a field wants; what does not fit stays a word and is refused where moves are read."""
    try:
        if "tuple" in str(wanted) or "list" in str(wanted):
            parts: list[Json] = msgspec.convert(word.split(","), wanted, strict=False)
            return list(msgspec.to_builtins(parts))
        plain: Json = msgspec.convert(word, wanted, strict=False)
    except msgspec.ValidationError:
        plain = word
    alone = get_args(wanted)[0] if get_origin(wanted) is Annotated else wanted
    return int(word) if plain == word and is_number(word) and int in get_args(alone) else plain


def _as_counted(word: str, names: Mapping[str, Sequence[str]]) -> str:
    """A word that is a week as it is printed, by the number the game counts it with; any other as it is.

    >>> names = {"at=14": ("15/1901",)}
    >>> _as_counted("15/1901", names), _as_counted("at=15/1901", names), _as_counted("ada", names)
    ('14', 'at=14', 'ada')
    """
    field, equals, date = word.rpartition("=")
    counted = (key.partition("=")[2] for key, name in names.items() if "/" in date and tuple(name) == (date,))
    return field + equals + next(counted, date)


def is_number(word: str) -> bool:
    """A whole number of a size that anything here could have."""
    return word.removeprefix("-").isdecimal() and len(word) <= LONGEST_NUMBER


def _shown(field: msgspec.structs.FieldInfo) -> str:
    words = get_args(field.type) if get_origin(field.type) is Literal else (field.encode_name,)
    return "|".join(map(str, words)) if field.required else f"[{'|'.join(map(str, words))}]"


def _fresh() -> str:
    return uuid.uuid4().hex


def _maps(lines: Json) -> list[dict[str, Json]]:
    return [dict(line) for line in lines if isinstance(line, dict)] if isinstance(lines, list) else []
