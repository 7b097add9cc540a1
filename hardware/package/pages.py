"""The manual page and what a shell completes, both made from the commands themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

PRESETS = Path(__file__).parents[1] / "presets"
TITLE = '.TH DIGSIDE 1 "" "Digside {version}" "User Commands"'
COMPLETION = """\
# What bash completes after `digside`: made from the commands themselves.
_digside() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}}
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "{commands}" -- "$word")
        return
    fi
    case "$command" in
{cases}
    esac
    if [[ "$word" == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word"; compgen -f -- "$word")
    fi
}}
complete -o filenames -F _digside digside
"""


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by their names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """What may follow a command, but for its own commands."""
    return (each for each in parser._actions if not isinstance(each, argparse._SubParsersAction))


def manual(parser: argparse.ArgumentParser, version: str) -> str:
    """The manual page, in roff."""
    lines = [TITLE.format(version=version), ".SH NAME", "digside \\- a companion beside the table", ".SH SYNOPSIS"]
    lines += [".B digside", ".I COMMAND", "[options]", ".SH DESCRIPTION", _plain(parser.description or "")]
    lines.append(".SH COMMANDS")
    for name, command in commands(parser).items():
        lines += [".SS " + _plain(f"digside {name}"), _plain(command.description or "")]
        for action in options(command):
            if action.help != argparse.SUPPRESS and action.dest != "help":
                lines += [".TP", f".B {_plain(_named(action))}", _plain(_helped(command, action))]
        for below, part in commands(command).items():
            lines += [".TP", f".B {_plain(below)}", _plain(part.description or "")]
    lines += [".SH FILES", ".TP", ".I ~/.local/share/digside", "tables, where nothing else was said", ".TP"]
    lines += [
        ".I /var/lib/digside",
        "tables of the service that the package installs",
        ".TP",
        ".I /etc/default/digside",
    ]
    lines += ['options of that service, as DIGSIDE_OPTIONS="\\-\\-https"', ".SH ENVIRONMENT", ".TP", ".B DIGSIDE_DATA"]
    lines += ["where tables are kept", ".TP", ".B DIGSIDE_LANGUAGE", "en, de, fr or it"]
    return "\n".join(lines) + "\n"


def completion(parser: argparse.ArgumentParser, boxes: Sequence[str]) -> str:
    """What bash completes."""
    known = commands(parser)
    cases = []
    for name, command in known.items():
        parts = commands(command)
        words = " ".join(word for action in options(command) for word in action.option_strings)
        named = [
            each for part in (command, *parts.values()) for action in options(part) for each in _choices(action, boxes)
        ]
        cases.append(f'    {name}) words="{words}" choices="{" ".join([*parts, *named])}" ;;')
    return COMPLETION.format(commands=" ".join(known), cases="\n".join(cases))


def _choices(action: argparse.Action, boxes: Sequence[str]) -> Sequence[str]:
    """What may stand there by name: one of a few words, a rig, a box."""
    if action.dest == "rig":
        return sorted(file.stem for file in PRESETS.glob("*.toml"))
    if action.dest == "box":
        return boxes
    return [str(each) for each in action.choices or ()]


def _named(action: argparse.Action) -> str:
    name = ", ".join(action.option_strings) or str(
        action.metavar or "|".join(map(str, action.choices or ())) or action.dest
    )
    takes = action.metavar or (action.dest.upper() if action.option_strings and action.nargs != 0 else "")
    return f"{name} {takes}" if action.option_strings and takes else name


def _helped(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = (action.help or "").replace("%(default)s", str(action.default)).replace(str(Path.home()), "~")
    return text or parser.prog


def _plain(text: str) -> str:
    """Text in which roff finds no sign of its own."""
    return " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
