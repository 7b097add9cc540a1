"""What the commands do that need a data folder, a record or a box."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

from companion import games
from companion.boxes import Box, BoxProblem
from companion.boxes.box import Value
from companion.game import Game, Mode, Seat, Setup, Source
from companion.play import backups, restoring
from companion.play import record as records
from companion.play.hall import Hall
from companion.play.journal import in_database
from companion.play.proof import Proof, SeenHeads, verify
from companion.play.table import Table
from companion.refusals import AsTyped, Illegal, Malformed, Missing, Storage, as_typed, reason_said
from companion.search.contests import contest
from companion.search.players import Roster
from companion.search.study import Study
from companion.terminal import study as studies
from companion.terminal import trials
from companion.terminal.session import Terminal, is_number
from companion.trials import Bot, play_out
from companion.words import person, say

PATIENCE = 1.0  # seconds without a word before progress is shown


def looked_at(folder: Path, journal: str | None) -> Hall:
    """The tables of a folder or a database, only to be looked at."""
    return Hall(folder, reading=True, journal=in_database(journal, reading=True) if journal else None)


def play(options: argparse.Namespace, language: str) -> int:
    """A table in the terminal, new or gone on with."""
    hall = Hall(options.data, journal=in_database(options.journal) if options.journal else None)
    try:
        table = _table(hall, options)
        return Terminal(table, language, bots=_bots_at(table, options.bots_with)).run()
    finally:
        hall.close()


def _bots_at(table: Table, names: Sequence[str]) -> dict[int, Bot]:
    """The bots that sit at a table, in its last seats."""
    if not names:
        return {}
    setup = table.setup
    refereed = games.bundle(setup.box).refereed
    if refereed is None or setup.mode != "referee":
        raise Malformed("cli.no_bots", box=AsTyped(setup.box))
    roster = Roster.of(refereed())
    _check_known(roster, names)
    first = len(setup.seats) - len(names)
    if first < 0:
        raise Malformed("core.seat_count", least=len(names), most=len(names), n=len(setup.seats))
    return {first + nth: roster.bots[name] for nth, name in enumerate(names)}


def bots(options: argparse.Namespace, language: str) -> int:
    """Games among bots, and what came of them."""
    box, roster = _roster(options)
    names = options.bot.split(",")
    chosen = [names[seat % len(names)] for seat in range(options.bots)]
    _check_known(roster, chosen)
    game = _among(box, chosen)
    with Progress(options.games, language) as progress:
        summary = play_out(game, roster, chosen, games=options.games, seed=options.seed, progress=progress)
    for line in trials.trial_lines(language, box.name, box.title, options.seed, summary):
        print(line)
    return 0


def contests(options: argparse.Namespace, language: str) -> int:
    """Paired games of each challenger against the yardstick, as a table with 95 % intervals."""
    box, roster = _roster(options)
    challengers, against = options.bot.split(","), options.against or roster.yardstick
    _check_known(roster, [*challengers, against])
    for line in trials.contest_heads(language, box.title, options.seats, against, options.seed):
        print(line)
    for bot in challengers:
        game = _among(box, [bot] * options.seats)
        with Progress(options.games, language) as progress:
            found = contest(
                game,
                roster.bots[bot],
                roster.bots[against],
                games=options.games,
                seed=options.seed,
                progress=progress,
            )
        print(trials.contest_row(language, bot, found))
    return 0


def _roster(options: argparse.Namespace) -> tuple[Box, Roster]:
    """The box of a trial, and who can play it."""
    if options.box is None:
        raise _which_box()
    box = games.box(options.box, overrides=options.data / "boxes")
    refereed = games.bundle(box.name).refereed
    if refereed is None:
        raise Malformed("cli.no_bots", box=AsTyped(box.title))
    return box, Roster.of(refereed())


def _check_known(roster: Roster, bots: Iterable[str]) -> None:
    for bot in bots:
        if bot not in roster.bots:
            raise Malformed("cli.no_bot", bot=AsTyped(bot), known=as_typed(roster.bots))


def _among(box: Box, bots: Sequence[str]) -> Game[Any]:
    """A game with a bot in each seat."""
    if not box.seats.min <= len(bots) <= box.seats.max:
        raise Malformed("core.seat_count", least=box.seats.min, most=box.seats.max, n=len(bots))
    named = tuple(Seat(f"{bot} {seat}") for seat, bot in enumerate(bots))
    return games.open_game(games.with_defaults(Setup(box.name, "referee", named), box), box)


def record(kept: Hall, table: str, output: Path | None, *, draws: bool = False, sound: bool = False) -> int:
    """A table as a file, or its draws as they were asked; also while the service is running.

    :param sound: of a table that is damaged, what comes before that.
    """
    with closing(kept):
        if sound:
            written = records.encode(kept.sound_part(table))
        elif draws:
            written = records.encode_draws(records.draws_of(kept.table(table)))
        else:
            written = records.encode(records.export(kept.table(table)))
    if output is None:
        sys.stdout.buffer.write(written)
    else:
        try:
            output.write_bytes(written)
        except OSError as error:
            raise Storage("cli.cannot_write", file=str(output), reason=error.strerror or str(error)) from None
        print(f"{output}: {len(written)} bytes")
    return 0


def read_record(file: Path) -> records.Record:
    """A record from a file, or from a pipe."""
    try:
        read = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Storage("cli.cannot_read", file=str(file), reason=error.strerror or str(error)) from None
    return records.decode(read)


def go_through(file: Path, courses: int, language: str, *, as_json: bool = False) -> int:
    """What luck and decisions did in a finished game."""
    told = read_record(file)
    if as_json:
        sys.stdout.buffer.write(studies.as_json(_studied(told, courses, language)))
        return 0
    for line in studies.study_lines(language, studies.followed(told).setup.seats, _studied(told, courses, language)):
        print(line)
    return 0


def _studied(told: records.Record, courses: int, language: str) -> Study:
    with Progress(len(told.entries), language) as progress:
        return studies.studied(told, courses=courses, progress=progress)


def prove(file: Path, noted: SeenHeads, language: str) -> int:
    """Whether the luck of a record was honest, and is that which was seen: 0 if all of it holds, 1 if not."""
    told = read_record(file)
    with Progress(len(told.entries), language) as progress:
        proof = verify(told, progress, noted)
    for line in _proved(told, proof, language):
        print(line)
    return 0 if proof.holds else 1


def _proved(told: records.Record, proof: Proof, language: str) -> Iterable[str]:
    """What came of checking a record, in lines: what holds, what it is to be compared with, what cannot be proved."""
    if proof.fault is not None:
        seq = -1 if proof.seq is None else proof.seq
        reason = reason_said(proof.reason, language, told.laid.setup.scope) if proof.reason else ""
        yield "✗ " + say(language, proof.fault, {"seq": seq, "reason": reason})
    elif proof.draws:
        yield "✓ " + say(language, "proof.holds" if proof.holds else "proof.partly", {"n": proof.draws})
    else:
        yield "· " + say(language, "proof.nothing", {})
    for since, seal in proof.seals:
        yield "  " + say(language, "proof.seal_since" if since else "proof.seal", {"seq": since, "seal": AsTyped(seal)})
    if proof.head is not None:
        yield "  " + say(language, "proof.head", {"head": AsTyped(proof.head)})
    doubts = (
        ("✗", proof.unproved, "unproved"),
        ("✗", proof.why == "taken", "all_taken"),
        ("✗", len(proof.seals) > 1 and not proof.compared, "other_seals"),
        ("·", proof.arranged, "arranged"),
        ("·", proof.reported, "reported"),
        ("·", proof.alone, "alone"),
        ("·", proof.withheld, "withheld"),
        ("·", proof.taken, "taken"),
        ("·", proof.waited, "waited"),
        ("·", proof.own_box, "own_box"),
        ("·", proof.head is None, "no_chain"),
        ("·", not proof.compared, "not_compared"),
    )
    for mark, doubt, key in doubts:
        if doubt and proof.fault is None:
            yield f"{mark} {say(language, f'proof.{key}', {'n': int(doubt)})}"


def check_on_file(journal: str | None) -> None:
    """Refuse what is done with the file of a machine, where the tables are in a database."""
    if journal:
        raise Illegal("evening.backups.in_database")


def backup(folder: Path, to: Path | None, language: str, *, if_due: bool = False) -> int:
    """A copy of all that is kept, checked."""
    if if_due and not backups.is_due(folder):
        return 0
    file, count = backups.back_up(folder, to)
    print(say(language, "cli.backed_up", {"n": count, "file": AsTyped(file)}))
    _say_left_out(file, language)
    return 0


def _say_left_out(file: Path, language: str) -> None:
    """Name the tables that a backup lacks."""
    for table in backups.left_out(file):
        print(say(language, "cli.left_out", {"table": AsTyped(table)}), file=sys.stderr)


def restore(folder: Path, file: Path | None, language: str) -> int:
    """A backup in the place of what is kept; without one, a list of them."""
    if file is None:
        kept = backups.made(folder / backups.FOLDER)
        if not kept:
            raise Missing("cli.no_backups", folder=AsTyped(folder / backups.FOLDER))
        for each in kept:
            print(each)
        return 0
    aside, count = restoring.restore(file, folder)
    print(say(language, "cli.restored", {"n": count, "file": AsTyped(file)}))
    _say_left_out(file, language)
    if aside is not None:
        print(say(language, "cli.kept_aside", {"folder": AsTyped(aside)}))
    return 0


def hall(kept: Hall, language: str) -> int:
    """Every table here, the newest first."""
    with closing(kept):
        told = kept.tables()
    for each in told:
        played = time.strftime(say(language, "cli.when", {}), time.localtime(each.played_at / 1000))
        state = say(language, "cli.state_over" if each.over else "cli.state_open", {})
        names = ", ".join(person(language, seat.name) for seat in each.seats)
        print(f"{each.table}  {played}  {each.box:13} {each.mode:8} {each.seq:5}  {state:8} {names}")
    return 0


def box_list(folder: Path, language: str = "en") -> int:
    """The boxes there are, and with what words each can be played; or what is wrong with it."""
    wrong = 0
    for name in games.names():
        try:
            box = games.box(name, overrides=folder / "boxes")
        except BoxProblem as problem:
            print(f"{name:13} {problem.said(language)}")
            wrong = 1
            continue
        print(f"{name:13} {box.title:42} {box.seats.min}–{box.seats.max} players")
        for mode in games.modes(name):
            kind = games.kind(box, mode)
            print(f"  --mode {mode}")
            if kind.to_choose:
                print(f"    --source {'|'.join(kind.to_choose)}=table")
            for option in kind.options:
                print(f"    --option {option.name}={'|'.join(map(_typed, option.values))}")
    return wrong


def box_show(folder: Path, name: str) -> int:
    """Every figure of a box and where it is from."""
    for figure in games.box(name, overrides=folder / "boxes").figures():
        print(f"{figure.origin:6} {figure.key:45} {_plainly(figure.value)}")
    return 0


def _plainly(value: Value) -> str:
    """A figure as one would write it down.

    >>> _plainly((1, 1, 2)), _plainly({"up_to": 3, "level": 2})
    ('1 1 2', 'up_to 3, level 2')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plainly(part)}" for name, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(_plainly, value))
    return str(value)


def box_check(file: Path, language: str) -> int:
    """Whether an owner's file is right, and what the rules say otherwise."""
    problems = games.problems_in_file(file)
    for problem in problems:
        print(problem.said(language))
    if not problems:
        print(f"{file}: ok")
    return 1 if problems else 0


class Progress:
    """Says how far something is, if it takes longer than a person waits without a word and somebody is there to see."""

    def __init__(
        self, total: int, language: str, *, said: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.total = total
        self.language = language
        self._said = said or sys.stderr
        self._seen = self._said.isatty()
        self._clock = clock
        self._next = clock() + PATIENCE
        self._shown = False

    def __call__(self, done: int) -> None:
        if self._seen and self._clock() >= self._next:
            self._next = self._clock() + PATIENCE / 4
            self._shown = True
            told = say(self.language, "cli.progress", {"done": done, "n": self.total})
            print(f"\r{told}", end="", file=self._said, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\033[K", end="", file=self._said, flush=True)


def _table(hall: Hall, options: argparse.Namespace) -> Table:
    if options.table:
        return hall.table(options.table)
    if options.resume:
        open_tables = [each for each in hall.tables() if not each.over and options.box in {None, each.box}]
        if not open_tables:
            raise Malformed("cli.nothing_open")
        return hall.table(max(open_tables, key=lambda each: each.played_at).table)
    if options.box is None:
        raise _which_box()
    seats = tuple(Seat(name) for name in _names(options))
    sources = {name: _source(value) for name, value in _pairs(options.source)}
    choices = {name: _choice(value) for name, value in _pairs(options.option)}
    if options.bots_with:
        _check_known(_roster(options)[1], options.bots_with)
    mode: Mode = "referee" if options.bots_with else options.mode
    return hall.lay(Setup(options.box, mode, seats, sources, options.pace, choices))


def _names(options: argparse.Namespace) -> list[str]:
    """Who sits there: people, then bots by their level. Beside bots one person sits, unless more are named."""
    bots = [f"{bot} {nth}" for nth, bot in enumerate(options.bots_with, 1)]
    people = options.seats or ("Ada" if bots else "Ada,Ben")
    return [*(name.strip() for name in people.split(",")), *bots]


def _which_box() -> Malformed:
    return Malformed("cli.which_box", known=as_typed(games.names()))


def _pairs(words: Iterable[str]) -> Iterable[tuple[str, str]]:
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Malformed("cli.not_a_pair", word=AsTyped(word))
        yield name, value


def _source(value: str) -> Source:
    if value == "table":
        return "table"
    if value == "companion":
        return "companion"
    raise Malformed("cli.bad_source", word=AsTyped(value))


def _typed(value: bool | int | str) -> str:
    """An option's value, as `_choice` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choice(value: str) -> bool | int | str:
    if value in {"true", "false"}:
        return value == "true"
    return int(value) if is_number(value) else value
