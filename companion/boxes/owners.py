"""Reads and writes an owner's box file: it holds what differs from the shipped box, and keeps its own comments."""

from __future__ import annotations

import hashlib
import re
import threading
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.boxes.box import NOT_FIGURES, Box, Origin, Value, figures_of, within
from companion.boxes.files import content, laid_over, parsed, shipped
from companion.boxes.problems import BoxProblem, Doubt, FigureProblem, Problem
from companion.boxes.reading import Raw, read_box
from companion.boxes.tree import figure_at, parts_of, put_figure
from companion.refusals import AsTyped, as_typed
from companion.whole_file import write_whole

NOTHING_YET = ""
"""The version of an owner's file that does not exist."""
WIDE = 120

_writing = threading.Lock()


class OutdatedFile(ValueError):
    """Raised when an owner's file has changed since it was read."""


class OwnersFile(NamedTuple):
    """An owner's file beside the shipped one, as read from TOML.

    :ivar ours: the shipped file
    :ivar theirs: the owner's file
    :ivar box: both merged: all figures, and in ``from`` where each is from
    """

    kind: type[Box]
    file: Path
    text: str
    ours: Raw
    theirs: Raw
    box: Raw

    @property
    def version(self) -> str:
        """Changes with the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16] if self.text else NOTHING_YET

    @property
    def figures(self) -> dict[str, Any]:
        """All of the box but where its figures are from."""
        return _figures(self.box)

    @property
    def shipped(self) -> dict[str, Any]:
        """The same, as the box is shipped."""
        return _figures(self.ours)


def kind_of(name: str) -> type[Box]:
    """The class of a box, by its name.

    :raises BoxProblem: if there is none of that name.
    """
    for kind in Box.__subclasses__():
        if kind.name == name:
            return kind
    raise BoxProblem(
        Problem(
            "", name, FigureProblem("amiss.no_box", known=as_typed(sorted(kind.name for kind in Box.__subclasses__())))
        )
    )


def owned(folder: Path, name: str) -> OwnersFile:
    """A box with its owner's file from a folder.

    :raises BoxProblem: if the file is not TOML.
    """
    kind, file = kind_of(name), folder / f"{name}.toml"
    return _owned(kind, file, content(file) if file.exists() else b"")


def problems_in(kind: type[Box], path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with an owner's file, figures against the rules included."""
    try:
        found = doubts_about(_owned(kind, path, content(path)))
    except BoxProblem as wrong:
        return wrong.problems
    return tuple(Problem(str(path), key, reason) for key, reason in found)


def unreadable(folder: Path, name: str) -> OwnersFile:
    """A box as it is shipped, with the text of an owner's file that cannot be read."""
    kind, file = kind_of(name), folder / f"{name}.toml"
    return _owned(kind, file, b"")._replace(text=content(file).decode(errors="replace"))


def count_differing(box: OwnersFile) -> int:
    """How many figures differ from the shipped ones."""
    now, ours = (dict(leaves(_without(each, NOT_FIGURES))) for each in (box.figures, box.shipped))
    figures = sum(not (key in now and key in ours and _same(now[key], ours[key])) for key in now.keys() | ours.keys())
    others = sum(bool(box.figures.get(key) != box.shipped.get(key)) for key in NOT_FIGURES)
    return figures + others


def write_figures(folder: Path, name: str, figures: Mapping[str, Value], *, version: str | None = None) -> str:
    """Write figures into an owner's file. Returns its new version.

    :param folder: where the owner's files are.
    :param figures: by their keys, in which lists are counted from 1: ``{"dial.rows.8.4": 5}``. None takes a
        figure out.
    :param version: the version that the file must still have; None for any.
    :raises BoxProblem: if the box would be invalid, or the rules give another figure; then nothing is written.
    :raises OutdatedFile: if the file is of another version.
    """
    with _writing:
        before = owned(folder, name)
        whole = deepcopy(before.figures)
        for key, value in figures.items():
            put_figure(whole, key, value)
        return _keep(before, whole, version)


def has(box: Box, key: str, value: Value) -> bool:
    """Whether a box has this value for a figure."""
    whole, wanted = (msgspec.json.decode(msgspec.json.encode(each)) for each in (box, value))
    return _same(figure_at(whole, key), wanted)


def save(folder: Path, name: str, figures: Raw, *, version: str | None = None) -> str:
    """Write all figures of a box; the file keeps only those that differ. Otherwise like `write_figures`."""
    with _writing:
        return _keep(owned(folder, name), figures, version)


def reset(folder: Path, name: str, key: str | None = None, *, version: str | None = None) -> str:
    """Set a figure, or all, back to the shipped ones. Otherwise like `write_figures`."""
    with _writing:
        if key is None:
            file = folder / f"{name}.toml"
            _expect(version, NOTHING_YET if not file.exists() else _version_of(file))
            file.unlink(missing_ok=True)
            return NOTHING_YET
        before = owned(folder, name)
        whole = deepcopy(before.figures)
        put_figure(whole, key, deepcopy(figure_at(before.ours, key)))
        return _keep(before, whole, version)


def replace_file(folder: Path, name: str, text: str, *, version: str | None = None) -> str:
    """Replace the owner's file by this text. Otherwise like `write_figures`."""
    with _writing:
        file = folder / f"{name}.toml"
        _expect(version, NOTHING_YET if not file.exists() else _version_of(file))
        new = _owned(kind_of(name), file, text.encode())
        _refuse(new.file, tuple(doubts_about(new)))
        return _written(file, text)


def doubts_about(box: OwnersFile, before: Raw | None = None) -> Iterator[Doubt]:
    """All that is wrong with an owner's file.

    :param before: the figures as they were; what was against the rules already is allowed.
    """
    yield from against_the_rules(box, box.ours if before is None else before)
    found = read_box(box.box, box.kind, box.ours)
    if isinstance(found, tuple):
        yield from found


def against_the_rules(box: OwnersFile, before: Raw) -> Iterator[Doubt]:
    """The figures that contradict the rules."""
    stated, origins = dict(figures_of(_figures(box.ours), finest=box.ours["from"])), box.ours["from"]
    added = (key for key, _ in leaves(box.figures) if _is_added(key, box.ours))
    for key in (*stated, *added):
        if key.partition(".")[0] in NOT_FIGURES:
            continue
        ruled, now = stated.get(key), figure_at(box.box, key)
        bounded = key.partition(".")[0] == "seats"  # fewer may play than the rules seat; the box says how many
        if bounded or origin_in(origins, key) != "rules" or _same(now, ruled) or _same(now, figure_at(before, key)):
            continue
        rule = box.kind.rule_for(key) or box.kind.rule_prefix
        if key in stated:
            figure = AsTyped(_as_text(ruled))
            yield key, FigureProblem("amiss.rules_say_by", rule=rule, figure=figure, ruled=AsTyped(rule))
        else:
            yield key, FigureProblem("amiss.rules_know_none", rule=rule, ruled=AsTyped(rule))


def _is_added(key: str, ours: Raw) -> bool:
    above = key.rpartition(".")[0]
    return bool(above) and isinstance(figure_at(ours, above), dict) and figure_at(ours, key) is None


def with_figures(before: OwnersFile, figures: Raw) -> OwnersFile:
    """The box with other figures, and the text of the owner's file for them.

    :raises BoxProblem: if a figure is missing that an owner's file cannot remove.
    """
    kept = {key: before.theirs[key] for key in NOT_FIGURES - {"from", *figures} if key in before.theirs}
    different = _different(before.ours, figures, before.kind, before.file)
    was, given = (
        tuple(_given(each, _figures(before.ours), before.kind)) for each in (_figures(before.theirs), different)
    )
    noted = before.theirs.get("from", {})
    noted = noted if isinstance(noted, dict) else {}
    origins = {key: origin for key, origin in noted.items() if key and not any(within(key, each) for each in was)}
    for key in given:
        if key in NOT_FIGURES:
            continue
        origins |= dict(_origins(key, figure_at(figures, key), before, origin_in(origins, key, "owner")))
    theirs = {**kept, **({"from": origins} if origins else {}), **different}
    return _owned(before.kind, before.file, _rendered(theirs, _comments(before.text)).encode())


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every single figure with its key; an empty table or list counts as one."""
    parts = parts_of(value)
    if not parts and key:
        yield key, value
    for name, part in parts:
        yield from leaves(part, f"{key}.{name}" if key else name)


def origin_in(origins: Mapping[str, Origin], key: str, otherwise: Origin = "house") -> Origin:
    """Where a figure is from, by the longest key that covers it."""
    while key and key not in origins:
        key = key.rpartition(".")[0]
    return origins.get(key, otherwise)


def _keep(before: OwnersFile, figures: Raw, version: str | None) -> str:
    _expect(version, before.version)
    after = with_figures(before, figures)
    _refuse(after.file, tuple(doubts_about(after, before.box)))
    return _written(after.file, after.text)


def _expect(version: str | None, found: str) -> None:
    if version is not None and version != found:
        raise OutdatedFile


def _refuse(file: Path, doubts: tuple[Doubt, ...]) -> None:
    if doubts:
        raise BoxProblem(*(Problem(str(file), key, reason) for key, reason in doubts))


def _version_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _owned(kind: type[Box], file: Path, text: bytes) -> OwnersFile:
    ours, theirs = parsed(content(shipped(kind)), str(shipped(kind))), parsed(text, str(file))
    return OwnersFile(kind, file, text.decode(), ours, theirs, laid_over(ours, theirs, kind))


def _written(file: Path, text: str) -> str:
    """Write a file whole or not at all; an empty one is removed. Returns its version."""
    if not text.strip():
        file.unlink(missing_ok=True)
        return NOTHING_YET
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, text.encode(), mode=0o644)
    return _version_of(file)


def _figures(box: Raw) -> dict[str, Any]:
    return {key: value for key, value in box.items() if key != "from"}


def _without(tree: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in tree.items() if key not in keys}


def _is_whole(key: str, kind: type[Box]) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in kind.replaced_whole)


def _different(ours: Any, figures: Raw, kind: type[Box], file: Path, key: str = "") -> dict[str, Any]:
    """The tables of an owner's file: what differs from ours."""
    found: dict[str, Any] = {}
    for name, value in figures.items():
        path = f"{key}.{name}" if key else name
        mine = ours.get(name)
        if isinstance(value, Mapping) and isinstance(mine, dict) and not _is_whole(path, kind):
            below = _different(mine, value, kind, file, path)
            if below:
                found[name] = below
        elif not _same(value, mine):
            found[name] = value
    for name in ours:
        path = f"{key}.{name}" if key else name
        if name not in figures and path not in NOT_FIGURES:
            raise BoxProblem(Problem(str(file), path, FigureProblem("amiss.left_out")))
    return found


def _same(one: Any, other: Any) -> bool:
    """Whether two figures are equal, types included: true is not 1, nor is 1.0."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(part, other[name]) for name, part in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


def _given(different: Raw, ours: Raw, kind: type[Box], key: str = "") -> Iterator[str]:
    """The keys at which an owner's file replaces something of ours."""
    for name, value in different.items():
        path, mine = f"{key}.{name}" if key else name, ours.get(name)
        if isinstance(value, Mapping) and isinstance(mine, dict) and not _is_whole(path, kind):
            yield from _given(value, mine, kind, path)
        else:
            yield path


def _origins(key: str, value: Any, before: OwnersFile, default: str) -> Iterator[tuple[str, str]]:
    """The entries of ``[from]`` below a key, where `default` covers it: unchanged figures keep their origin."""
    below = Counter(_origin(leaf, part, before) for leaf, part in leaves(value, key))
    is_most = default in below and len(below) > 1 and below[default] * 2 >= below.total()
    most = default if is_most else below.most_common(1)[0][0]
    if most != default:
        yield key, most
    if len(below) > 1:
        for name, part in parts_of(value):
            yield from _origins(f"{key}.{name}", part, before, most)


def _origin(key: str, value: Any, before: OwnersFile) -> str:
    """Where a figure is from: one that stays keeps its origin, one that goes back to ours gets that of ours."""
    if _same(value, figure_at(before.box, key)):
        return origin_in(before.box["from"], key)
    return origin_in(before.ours["from"], key) if _same(value, figure_at(before.ours, key)) else "owner"


def _as_text(value: Any) -> str:
    """A figure as text: a row as its parts.

    >>> _as_text([1, 2]), _as_text({"level": 2})
    ('1, 2', 'level 2')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_as_text(part)}" for name, part in value.items())
    return ", ".join(map(_as_text, value)) if isinstance(value, list) else str(value)


def _rendered(theirs: Raw, comments: Mapping[str, tuple[str, ...]]) -> str:
    """An owner's file as TOML; comments stay before the line they stood before."""
    plain = {name: value for name, value in theirs.items() if not isinstance(value, Mapping)}
    lines = [*comments.get("", ()), *_lines(plain, "", comments)]
    for name, table in theirs.items():
        if isinstance(table, Mapping):
            lines += ["", *comments.get(f"[{name}]", ()), f"[{_key(name)}]", *_lines(table, f"{name}.", comments)]
    return "\n".join(lines).strip("\n") + "\n" if any(lines) else ""


def _lines(table: Raw, before: str, comments: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for name, value in table.items():
        yield from comments.get(f"{before}{name}", ())
        yield f"{_key(name)} = {_as_toml(value, WIDE - len(name) - 3)}"


def _as_toml(value: Any, room: int = 0) -> str:
    """A value in TOML. A long list has a line for each of its parts.

    >>> _as_toml({"a b": [1, True, "x"], "c": {}})
    '{ "a b" = [1, true, "x"], c = {} }'
    """
    if isinstance(value, Mapping):
        return (
            f"{{ {', '.join(f'{_key(name)} = {_as_toml(part)}' for name, part in value.items())} }}" if value else "{}"
        )
    if isinstance(value, list | tuple):
        parts = [_as_toml(part) for part in value]
        line = f"[{', '.join(parts)}]"
        return line if not room or len(line) <= room else "[\n" + "".join(f"  {part},\n" for part in parts) + "]"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else msgspec.json.encode(name).decode()


def _comments(text: str) -> dict[str, tuple[str, ...]]:
    """The comments of a file by the line they stand before: ``values.chain``, ``[values]``; "" for those on top.

    >>> _comments('# mine\\n\\n# as printed\\n[values]\\n# two of them\\nchain = 2\\n')
    {'': ('# mine', ''), '[values]': ('# as printed',), 'values.chain': ('# two of them',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    waiting: list[str] = []
    table, depth = "", 0
    for line in text.splitlines():
        stripped = line.strip()
        if depth == 0 and stripped.startswith("#"):
            waiting.append(stripped)
        elif depth == 0 and not stripped:
            if waiting and not found and not table:
                found[""], waiting = (*waiting, ""), []
        else:
            if depth == 0:
                keys = _keys_of_line(stripped)
                table = ".".join(keys[1:]) if keys[:1] == ["["] else table
                at = f"[{table}]" if keys[:1] == ["["] else ".".join(filter(None, (table, *keys)))
                if waiting:
                    found[at] = (*found.get(at, ()), *waiting)
                waiting = []
            bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'', "", line).partition("#")[0]
            depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))
    if waiting:
        found[""] = (*found.get("", ()), *waiting)
    return found


def _keys_of_line(line: str) -> list[str]:
    """The parts of the key at the beginning of a line; those of a table have ``[`` before them."""
    try:
        tree = tomllib.loads(f"{line.partition('=')[0]} = 0" if not line.startswith("[") else line)
    except tomllib.TOMLDecodeError:
        return []
    keys = ["["] if line.startswith("[") else []
    while isinstance(tree, dict) and tree:
        name, tree = next(iter(tree.items()))
        keys.append(name)
    return keys
