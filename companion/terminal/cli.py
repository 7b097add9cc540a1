"""The command `digside`: the front door. Each command imports what it needs and nothing else."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from companion import __version__
from companion.terminal import authors

ABOUT = """\
Digside sits beside a table on which people play archaeology board games. It keeps the time track, the dial, the bags,
the dice and the stone blocks, referees whole games if asked to, and drives a suction shovel.
"""
EXAMPLES = """\
Begin with one of these:
  digside serve                       play on tablets and phones
  digside play BOX                    play here in the terminal
  digside play --resume               go on where you stopped
  digside record TABLE -o game.json   save a game as a file
  digside verify game.json            check that its luck was honest
  digside rig                         choose the hardware: a board, pins, a simulation, nothing
  digside bench                       test a shovel that was built
  digside doctor                      check this installation
"""
SETTINGS = ("router", "hub", "hub_token", "log", "metrics", "mqtt", "mqtt_password", "mqtt_ca", "mqtt_tables")
"""What `digside serve` hands on as it was said."""
EXAMPLES_OF_PLAY = """\
For example:
  digside box list                                     the boxes, with the sources and options of each
  digside play BOX --mode referee --seats Ada,Ben,Cleo
  digside play BOX --source tokens=table               your own bags: report what you draw
  echo "award 0 5" | digside play BOX                  moves from a pipe
  digside play BOX --with sharp --with steady          against two bots, refereed
  digside play BOX --bots 3 --games 1000               how such games go

At the table, type help.
"""

if TYPE_CHECKING:
    from companion.play.record import Record
    from companion.play.table import Table
    from web_ui.studies import StudyOfTable

    Commands = argparse._SubParsersAction["Parser"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. The exit status: 0 if all went well, 1 if something was refused or does not hold, 2 for a typo."""
    _take_any_text()
    options, unknown = parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if options.command is None:
        parser().print_help()
        return 0
    from companion.boxes import BoxProblem
    from companion.refusals import Refusal

    try:
        status: int = options.run(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
        return 0
    except (Refusal, BoxProblem, OSError) as wrong:
        print(f"digside: {_sentence(wrong)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _sentence(wrong: Exception) -> str:
    """Why a command did not do what it was asked, in the terminal's language."""
    from companion.boxes import BoxProblem
    from companion.refusals import AsTyped, Refusal, Storage

    if isinstance(wrong, OSError):
        if wrong.filename is None:
            raise wrong
        key = "cli.cannot_read" if isinstance(wrong, PermissionError) else "cli.cannot_use"
        wrong = Storage(key, file=AsTyped(wrong.filename), reason=AsTyped(wrong.strerror or wrong))
    return wrong.said(language()) if isinstance(wrong, Refusal | BoxProblem) else str(wrong)


def _take_any_text() -> None:
    """A character that a pipe or a terminal does not know becomes a question mark; it ends no game.

    What is said is said line by line, so that whoever is at the other end of a pipe can answer. Python has no stream
    where one was closed before the start: it reads as empty, and what is written to it is dropped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 -- for as long as we run
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace", line_buffering=True)


def language() -> str:
    """The language of the terminal."""
    from companion.words import LANGUAGES

    spoken = os.environ.get("DIGSIDE_LANGUAGE") or os.environ.get("LC_ALL") or os.environ.get("LANG") or "en"
    return spoken[:2] if spoken[:2] in LANGUAGES else "en"


def data_folder() -> Path:
    """Where tables are kept unless --data says otherwise."""
    if given := os.environ.get("DIGSIDE_DATA"):
        return Path(given)
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "digside"


class Parser(argparse.ArgumentParser):
    """A parser that names what was probably meant."""

    INVALID = re.compile(r"invalid choice: '(?P<typed>[^']*)'.*choose from (?P<known>[^)]*)\)")
    UNKNOWN = re.compile(r"unrecognized arguments:.*?(?P<typed>--[\w-]+)")

    def error(self, message: str) -> NoReturn:
        """End with the reason, and with what is spelled nearly so."""
        from companion.refusals import AsTyped
        from companion.words import say

        known: list[str] = []
        if typo := self.INVALID.search(message):
            known = re.findall(r"[\w-]+", typo["known"])
        elif typo := self.UNKNOWN.search(message):
            known = re.findall(r"--[\w-]+", self.format_usage())
        if typo and (meant := get_close_matches(typo["typed"], known, n=1)):
            facts = {"typed": AsTyped(typo["typed"]), "meant": AsTyped(meant[0])}
            self.exit(2, f"digside: {say(language(), 'cli.did_you_mean', facts)}\n")
        super().error(message)


def parser() -> argparse.ArgumentParser:
    """All commands; the manual page is made of them, too."""
    made = Parser(
        prog="digside", description=ABOUT, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--version", action="version", version=f"digside {__version__}")
    made.set_defaults(command=None, parser=made)
    commands = made.add_subparsers(title="commands", metavar="COMMAND")
    _command(commands, "help", "show this, or what a command takes", _run_help).add_argument(
        "about", nargs="*", metavar="COMMAND"
    )
    at_the_table = (
        _serve,
        _hub,
        _move,
        _owner,
        _rig,
        _flash,
        _bench,
        _play,
        _trials,
        _record,
        _verify,
        _study,
        _page,
        _hall,
        _box,
    )
    for add in (*at_the_table, _doctor, _backup, _restore, _update, _kiosk, _hotspot):
        add(commands)
    authors.add_to(partial(_command, commands))
    return made


def _command(commands: Commands, name: str, about: str, run: Callable[[Any], int]) -> Parser:
    added = commands.add_parser(name, help=about, description=about)
    added.set_defaults(command=name, run=run, parser=added)
    return added


def _run_help(options: argparse.Namespace) -> int:
    parser().parse_args([*options.about, "--help"])
    return 0


def _with_data(command: Parser) -> Parser:
    about = f"where tables are kept (default: {data_folder()})"
    command.add_argument("--data", type=Path, default=data_folder(), metavar="DIR", help=about)
    return command


def _with_tables(command: Parser) -> Parser:
    kept_in = os.environ.get("DIGSIDE_JOURNAL")
    about = "the PostgreSQL database that tables are kept in, which other processes may share: postgresql://…"
    command.add_argument("--journal", metavar="URL", default=kept_in, help=f"{about} (or DIGSIDE_JOURNAL)")
    return _with_data(command)


def _with_watching(command: argparse.ArgumentParser) -> None:
    about_metrics = "let everybody read /metrics, not only this machine and the owner"
    command.add_argument("--metrics", action="store_true", help=about_metrics)
    command.add_argument("--log", choices=("plain", "json"), default="plain", help="how to log (default: %(default)s)")


def _serve(commands: Commands) -> None:
    from_here = _with_tables(_command(commands, "serve", "play on tablets and phones", _run_serve))
    from_here.add_argument("--host", help="the address to listen at (default: where tablets can reach it)")
    from_here.add_argument("--port", type=_port, default=8765, help="the port (default: %(default)s)")
    about_rig = "use another rig this time: none, sim, nano, pico, gpio, or a rig.toml"
    from_here.add_argument("--rig", metavar="NAME|FILE", help=about_rig)
    from_here.add_argument(
        "--name", action="append", default=[], help="another name people reach this machine by; may be given again"
    )
    from_here.add_argument("--https", action="store_true", help="also serve HTTPS with a certificate of its own")
    from_here.add_argument("--house", metavar="URL,…", default="", help="other Digsides whose tables /hall shows too")
    _with_watching(from_here)
    from_here.add_argument("--hub", metavar="URL", help="send a copy of every step to a hub")
    from_here.add_argument(
        "--hub-token", type=Path, metavar="FILE", help="a file with its token (default: hub_token in the data folder)"
    )
    about_mqtt = "publish the tables to an MQTT broker, for Home Assistant: mqtt://[USER@]HOST[:PORT], or mqtts://"
    from_here.add_argument("--mqtt", metavar="URL", help=about_mqtt)
    from_here.add_argument(
        "--mqtt-password", type=Path, metavar="FILE", help="its password (default: $DIGSIDE_MQTT_PASSWORD)"
    )
    about_ca = "the certificate authority of the broker, if it is your own"
    from_here.add_argument("--mqtt-ca", type=Path, metavar="FILE", help=about_ca)
    about_told = "a device for the table that is played at, or one for each table too (default: %(default)s)"
    from_here.add_argument("--mqtt-tables", choices=("here", "each"), default="each", help=about_told)
    from_here.add_argument(
        "--router", metavar="ADDRESS", help="trusted reverse proxy (its X-Forwarded-For is believed)"
    )
    about_screens = "how many live screens at once (default: %(default)s)"
    from_here.add_argument("--screens", type=_some, default=256, metavar="N", help=about_screens)
    from_here.add_argument("--https-port", type=_port, default=8766, help="the port for HTTPS (default: %(default)s)")


def _hub(commands: Commands) -> None:
    hub = _command(commands, "hub", "keep copies of the tables of other Digsides", _run_hub)
    about = f"where the copies are kept (default: {data_folder()}-hub)"
    hub.add_argument("--data", type=Path, default=data_folder().with_name("digside-hub"), metavar="DIR", help=about)
    hub.add_argument("--host", help="the address to listen at (default: where the Pis can reach it)")
    hub.add_argument("--port", type=_port, default=8770, help="the port (default: %(default)s)")
    hub.add_argument("--name", action="append", default=[], help="another name it is reached by; may be given again")
    hub.add_argument("--house", metavar="URL,…", default="", help="other Digsides whose tables /hall shows")
    _with_watching(hub)


def _move(commands: Commands) -> None:
    move = _with_data(_command(commands, "move", "move a table to another Digside", _run_move))
    move.add_argument("table", metavar="TABLE", help="the table's id; `digside hall` lists them")
    move.add_argument("address", metavar="ADDRESS", nargs="?", help="the other Digside: http://HOST:PORT")
    about_key = "a file with its owner's key, or with what `digside owner` prints there (default: ask for it)"
    move.add_argument("--key", type=Path, metavar="FILE", help=about_key)
    instead = "a shared hub token, instead of a key (default: hub_token in the data folder)"
    move.add_argument("--hub-token", type=Path, metavar="FILE", help=instead)
    move.add_argument("--back", action="store_true", help="take back a table that has not arrived")


def _port(word: str) -> int:
    """A port that a service may listen at."""
    if not (word.isascii() and word.isdigit() and 0 < int(word[:6]) < 65536):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {word}")
    return int(word)


def _owner(commands: Commands) -> None:
    owner = _with_data(
        _command(commands, "owner", "print the owner link, which signs a device in as owner", _run_owner)
    )
    owner.add_argument("--anew", action="store_true", help="sign out every device that is signed in as owner")


def _rig(commands: Commands) -> None:
    rig = _with_data(_command(commands, "rig", "choose the hardware beside the table", _run_rig))
    rig.add_argument("rig", nargs="?", metavar="NAME|FILE", help="none, sim, nano, pico, gpio or a file (default: ask)")
    rig.add_argument("--port", help="where the board is, for nano and pico; needed where more than one is plugged in")


def _flash(commands: Commands) -> None:
    flash = _with_data(_command(commands, "flash", "write the firmware that comes with Digside to a Nano", _run_flash))
    flash.add_argument("--port", help="where the Nano is; needed where more than one board is plugged in")
    which = flash.add_mutually_exclusive_group()
    which.add_argument("--file", type=Path, metavar="HEX", help="a firmware of your own, as an Intel HEX file")
    which.add_argument("--back", action="store_true", help="write back what was on the board before")


def _bench(commands: Commands) -> None:
    bench = _with_data(_command(commands, "bench", "test a rig that was built, step by step", _run_bench))
    bench.add_argument("--rig", metavar="NAME|FILE", help="use another rig this time")
    bench.add_argument("--only", nargs="+", default=(), metavar="CHECK", help="only these checks, such as leak or stop")
    bench.add_argument("--report", type=Path, metavar="FILE", help="where the report goes (default: with the tables)")


def _play(commands: Commands) -> None:
    play = _with_tables(_command(commands, "play", "play here in the terminal, or from a pipe", _run_play))
    play.epilog, play.formatter_class = EXAMPLES_OF_PLAY, argparse.RawDescriptionHelpFormatter
    play.add_argument("box", nargs="?", help="which box; `digside box list` names them")
    play.add_argument("--mode", choices=("referee", "toolbox"), default="toolbox", help="who keeps the rules")
    play.add_argument("--seats", metavar="NAMES", help="who plays (default: Ada,Ben; beside bots Ada)")
    about_with = "a bot that plays with you: curious, steady, sharp, …; may be given again, and again with --resume"
    play.add_argument("--with", dest="bots_with", action="append", default=[], metavar="BOT", help=about_with)
    play.add_argument(
        "--pace", choices=("flow", "press"), default="flow", help="show results all at once, or one by one"
    )
    play.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="WHAT=table",
        help="drawn with the real pieces and reported; may be given again",
    )
    play.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a setting of the game; may be given again"
    )
    play.add_argument("--table", metavar="ID", help="go on with this table")
    play.add_argument("--resume", action="store_true", help="go on with the last table that is not over")
    play.add_argument("--bots", type=_some, metavar="N", help="let N bots play instead, and print a summary")
    about_bots = "which bots: sensible, random, curious, steady, sharp, or one for each seat: a,b,c"
    play.add_argument("--bot", default="sensible", help=about_bots)
    play.add_argument("--games", type=_some, default=100, help="how many games the bots play (default: %(default)s)")
    play.add_argument("--seed", type=int, default=1, help="what the bots' luck comes from (default: %(default)s)")


def _trials(commands: Commands) -> None:
    trials = _with_data(_command(commands, "trials", "measure bots in paired games against another bot", _run_trials))
    trials.add_argument("box", nargs="?", help="which box; `digside box list` names them")
    trials.add_argument("--bot", default="curious,steady,sharp", help="the challengers (default: %(default)s)")
    trials.add_argument(
        "--against", metavar="BOT", help="who they play against (default: the best that the box brings)"
    )
    trials.add_argument("--seats", type=_some, default=2, metavar="N", help="how many play (default: %(default)s)")
    trials.add_argument("--games", type=_some, default=20, help="how many games each plays (default: %(default)s)")
    trials.add_argument("--seed", type=int, default=1, help="what the luck comes from (default: %(default)s)")


def _some(word: str) -> int:
    """A number of things, one at least."""
    count = int(word)
    if count < 1:
        raise argparse.ArgumentTypeError(f"at least 1, not {count}")
    return count


def _record(commands: Commands) -> None:
    record = _with_tables(_command(commands, "record", "save a table as a file", _run_record))
    record.add_argument("table", metavar="TABLE", help="the table's id; `digside hall` lists them")
    about = "instead, every draw with its odds, for another verifier"
    record.add_argument("--draws", action="store_true", help=about)
    about = "of a damaged table, the intact part"
    record.add_argument("--sound", action="store_true", help=about)
    record.add_argument("--output", "-o", type=Path, help="the file (default: print it)")


def _verify(commands: Commands) -> None:
    verify = _command(commands, "verify", "check that the luck of a finished game was honest", _run_verify)
    verify.add_argument("record", type=Path, metavar="RECORD", help="a file from `digside record`, or - for a pipe")
    verify.add_argument("--seal", type=_digits, metavar="HEX", help="the seal you saw: its first 32 digits, or all")
    verify.add_argument(
        "--head",
        type=_head,
        action="append",
        default=[],
        metavar="[N:]HEX",
        help="the head you saw at the end, or after entry N; its first 32 digits, or all; may be given again",
    )
    verify.add_argument(
        "--part",
        type=_digits,
        action="append",
        default=[],
        metavar="HEX",
        help="a value your device added to the luck; may be given again, the oldest first",
    )


def _digits(typed: str) -> str:
    """Digits of a seal or head, as somebody copies them from a screen or a picture."""
    digits = "".join(typed.split()).lower()
    if not 32 <= len(digits) <= 64 or set(digits) - set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("32 to 64 hexadecimal digits")
    return digits


def _head(typed: str) -> tuple[int | None, str]:
    """A head, and after which entry it was; at the end, where no number is said."""
    number, colon, digits = typed.rpartition(":")
    return int(number) if colon else None, _digits(digits)


def _study(commands: Commands) -> None:
    about = "go through a finished game: chances to win, what luck gave and took, where it turned"
    study = _command(commands, "study", about, _run_study)
    study.add_argument("record", type=Path, metavar="RECORD", help="a file from `digside record`, or - for a pipe")
    about_courses = "imagined courses for each decision: more take longer and tell more (default: %(default)s)"
    study.add_argument("--courses", type=_some, default=40, metavar="N", help=about_courses)
    study.add_argument("--json", action="store_true", help="every decision, as other programs read it")


def _page(commands: Commands) -> None:
    about = "make one HTML file of a finished game, which needs no network: replay, points, luck with its proof"
    page = _command(commands, "page", about, _run_page)
    page.add_argument("record", type=Path, metavar="RECORD", help="a file from `digside record`, or - for a pipe")
    page.add_argument("--study", action="store_true", help="with what `digside study` finds; it takes its time")
    page.add_argument("--courses", type=_some, default=40, metavar="N", help="as of `digside study`")
    page.add_argument("--output", "-o", type=Path, required=True, help="the file")


def _hall(commands: Commands) -> None:
    _with_tables(_command(commands, "hall", "list the tables here", _run_hall))


def _box(commands: Commands) -> None:
    box = _with_data(_command(commands, "box", "what is printed on the components of the games", _run_box_list))
    parts = box.add_subparsers(title="commands", metavar="COMMAND")
    _with_data(_command(parts, "list", "list the games", _run_box_list))
    show = _with_data(_command(parts, "show", "every figure of a box and where it is from", _run_box_show))
    show.add_argument("box", metavar="BOX", help="which box; `digside box list` names them")
    check = _command(parts, "check", "check a file with your own figures", _run_box_check)
    check.add_argument("file", type=Path, metavar="FILE", help="your file, named like the box: BOX.toml")


def _backup(commands: Commands) -> None:
    about = "back up all tables and check the copy, also while the service runs"
    backup = _with_tables(_command(commands, "backup", about, _run_backup))
    backup.add_argument("--to", type=Path, metavar="DIR", help="where to (default: backups in the data folder)")
    backup.add_argument("--if-due", action="store_true", help="only if there is something new since a day ago")


def _restore(commands: Commands) -> None:
    restore = _with_tables(_command(commands, "restore", "replace the current data with a backup", _run_restore))
    restore.add_argument("backup", nargs="?", type=Path, metavar="FILE", help="which one (default: list them)")


def _doctor(commands: Commands) -> None:
    doctor = _with_tables(_command(commands, "doctor", "check this installation and say how to fix it", _run_doctor))
    doctor.add_argument("--rig", metavar="NAME|FILE", help="the rig to check: none, sim, nano, pico, gpio or a file")
    about_hall = "the address of a hall's router: check that each table has one process, and all clocks"
    doctor.add_argument("--hall", metavar="URL", help=about_hall)
    doctor.add_argument("--whole", action="store_true", help="read and replay everything, however long it takes")


def _run_serve(options: argparse.Namespace) -> int:
    from companion.terminal.rigs import RigChooser
    from hardware import choice
    from web_ui.serve import serve
    from web_ui.settings import Settings

    if options.rig is None:
        RigChooser(options.data, choice, language()).at_start()
    return serve(
        host=options.host,
        port=options.port,
        data=options.data,
        rig=options.rig,
        https_port=options.https_port if options.https else None,
        names=options.name,
        settings=Settings.for_screens(
            options.screens, house=_listed(options.house), **{name: getattr(options, name) for name in SETTINGS}
        ),
        journal=options.journal,
    )


def _listed(said: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(each.strip() for each in said.split(",") if each.strip())


def _run_hub(options: argparse.Namespace) -> int:
    from web_ui.copies import token_in
    from web_ui.serve import serve
    from web_ui.settings import Settings

    token_in(options.data)  # made before anybody could ask
    return serve(
        host=options.host,
        port=options.port,
        data=options.data,
        rig="none",
        names=options.name,
        settings=Settings(house=_listed(options.house), keeps_copies=True, log=options.log, metrics=options.metrics),
    )


def _run_move(options: argparse.Namespace) -> int:
    from getpass import getpass

    from companion.refusals import Malformed
    from web_ui.migration import by_hand

    def typed(question: str) -> str:
        if sys.stdin.isatty():
            return getpass(question)
        if line := sys.stdin.readline().strip():
            return line
        raise Malformed("cli.nobody_types")

    return by_hand(
        options.data,
        options.table,
        options.address,
        key=options.key,
        token=options.hub_token,
        back=options.back,
        typed=typed,
        language=language(),
    )


def _run_owner(options: argparse.Namespace) -> int:
    from web_ui.serve import show_owner

    return show_owner(options.data, anew=options.anew)


def _run_rig(options: argparse.Namespace) -> int:
    from companion.terminal.rigs import RigChooser
    from hardware import choice
    from hardware.faults import RigProblem

    choosing = RigChooser(options.data, choice, language())
    try:
        return choosing.by_name(options.rig, options.port) if options.rig else choosing.shown()
    except RigProblem as wrong:
        print(f"digside: {wrong}", file=sys.stderr)
        return 1


def _run_flash(options: argparse.Namespace) -> int:
    from companion.terminal.flash import Flashing
    from hardware import flash

    return Flashing(options.data, flash, language()).run(options.port, file=options.file, back=options.back)


def _run_bench(options: argparse.Namespace) -> int:
    from companion.terminal.bench import Benching
    from hardware import bench_rig

    if unknown := set(options.only) - set(bench_rig.CHECKS):
        print(
            f"digside: no such check: {', '.join(sorted(unknown))}; there are {', '.join(bench_rig.CHECKS)}",
            file=sys.stderr,
        )
        return 2
    try:
        return Benching(options.data, bench_rig, language()).run(
            options.rig, checks=options.only, report=options.report
        )
    except bench_rig.RigProblem as wrong:
        print(f"digside: {wrong}", file=sys.stderr)
        return 1


def _run_play(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.bots(options, language()) if options.bots else commands.play(options, language())


def _run_trials(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.contests(options, language())


def _run_record(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    kept = commands.looked_at(options.data, options.journal)
    return commands.record(kept, options.table, options.output, draws=options.draws, sound=options.sound)


def _run_verify(options: argparse.Namespace) -> int:
    from companion.play.proof import SeenHeads
    from companion.terminal import commands

    noted = SeenHeads(options.seal, tuple(options.head), tuple(options.part))
    return commands.prove(options.record, noted, language())


def _run_study(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.go_through(options.record, options.courses, language(), as_json=options.json)


def _study_of(told: Record, courses: int, table: Table) -> StudyOfTable:
    from companion.terminal.commands import Progress
    from web_ui.studies import study_of_record

    with Progress(len(told.entries), language()) as progress:
        return study_of_record(table, told, courses, progress)


def _run_page(options: argparse.Namespace) -> int:
    from companion.terminal import commands
    from web_ui.kept_page import page_of_record

    told = commands.read_record(options.record)
    studied = partial(_study_of, told, options.courses) if options.study else None
    options.output.write_text(page_of_record(told, language(), studied), encoding="utf-8")
    return 0


def _run_hall(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.hall(commands.looked_at(options.data, options.journal), language())


def _run_box_list(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.box_list(options.data, language())


def _run_box_show(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.box_show(options.data, options.box)


def _run_box_check(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    return commands.box_check(options.file, language())


def _update(commands: Commands) -> None:
    update = _command(commands, "update", "install a newer package; goes back by itself if it fails", _run_update)
    update.add_argument("file", type=Path, metavar="FILE.deb", help="the package")
    update.add_argument("--key", metavar="FINGERPRINT", help="also trust packages signed by this key")
    update.add_argument("--unsigned", action="store_true", help="install it without a signature")


def _kiosk(commands: Commands) -> None:
    kiosk = _command(commands, "kiosk", "show the table on this machine's own screen", _run_kiosk)
    kiosk.add_argument("state", choices=("on", "off"))
    kiosk.add_argument("--yes", action="store_true", help="install what is missing without asking")


def _hotspot(commands: Commands) -> None:
    hotspot = _command(commands, "hotspot", "make this machine a wireless network of its own", _run_hotspot)
    hotspot.add_argument("state", choices=("on", "off"))


def _run_update(options: argparse.Namespace) -> int:
    from companion.terminal import appliance

    return appliance.update(options.file, language(), trusts=options.key, unsigned=options.unsigned)


def _run_kiosk(options: argparse.Namespace) -> int:
    from companion.terminal import appliance

    return appliance.kiosk(on=options.state == "on", language=language(), agreed=options.yes)


def _run_hotspot(options: argparse.Namespace) -> int:
    from companion.terminal import appliance
    from web_ui.serve import in_blocks

    return appliance.hotspot(on=options.state == "on", language=language(), show=in_blocks)


def _run_backup(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    commands.check_on_file(options.journal)
    return commands.backup(options.data, options.to, language(), if_due=options.if_due)


def _run_restore(options: argparse.Namespace) -> int:
    from companion.terminal import commands

    commands.check_on_file(options.journal)
    return commands.restore(options.data, options.backup, language())


def _run_doctor(options: argparse.Namespace) -> int:
    from companion.play.journal import in_database
    from companion.refusals import AsTyped, Missing
    from companion.terminal.doctor import examine
    from hardware import rig
    from web_ui.hall_client import look_at_hall
    from web_ui.hub_client import look_at_hub

    if options.data != data_folder() and not options.data.is_dir():
        raise Missing("core.no_data", folder=AsTyped(options.data))
    opens = partial(in_database, options.journal) if options.journal else None
    hub = partial(look_at_hub, opens=opens)
    hall = partial(look_at_hall, options.hall, opens) if options.hall else lambda: None
    return examine(options.data, options.rig, language(), rig, hub=hub, hall=hall, whole=options.whole, opens=opens)


if __name__ == "__main__":
    sys.exit(main())
