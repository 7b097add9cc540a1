"""Which games there are: the register, a line for each. A game is a folder, imported when it is first wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion import boxes, words
from companion.boxes import Box, BoxProblem, FigureProblem, Problem
from companion.game import ALONE, ARRANGED, LESSONS, NOT_TAUGHT, TEACH, Game, Mode, Option, Seat, Setup
from companion.games.bundle import Bundle, Refereed
from companion.lessons import TeachingCourse
from companion.referee import Referee
from companion.refusals import AsTyped, Malformed, Missing, as_typed

REGISTER = (
    "jenseits",
    "tomb_raiders",
    "horus",
    "tutankhamun",
)

TOOLBOX = "toolbox"
"""Not a box: its folder has the tools of all, and the words for them."""

ELSEWHERE = "DIGSIDE_GAMES"
"""Names a folder whose folders are games too."""


class Kind(msgspec.Struct, frozen=True):
    """A game as it stands in the list: what can be chosen when a table is laid.

    :param versions: of the rules, that it can be played by.
    """

    box: str
    mode: Mode
    options: tuple[Option, ...]
    randomizers: tuple[str, ...]
    versions: range
    open_game: Callable[[Setup, Any, int | None], Game[Any]]
    settled: Callable[[Setup], Setup]

    @property
    def to_choose(self) -> tuple[str, ...]:
        """The randomizers that the companion or the table can be: those that no option decides."""
        plain = Setup(self.box, self.mode, (), options={option.name: option.default for option in self.options})
        reported = self.settled(msgspec.structs.replace(plain, sources=dict.fromkeys(self.randomizers, "table")))
        dealt = self.settled(msgspec.structs.replace(plain, sources=dict.fromkeys(self.randomizers, "companion")))
        return tuple(each for each in self.randomizers if reported.source(each) != dealt.source(each))


def names() -> tuple[str, ...]:
    """The games there are, each called as its box."""
    return (*REGISTER, *_elsewhere())


@cache
def bundle(name: str) -> Bundle:
    """What a game's folder brings.

    :raises TypeError: if the folder does not say it as it should.
    """
    found = _elsewhere().get(name)
    module = import_module(f"{__name__}.{name}") if found is None else _imported(name, found)
    brought: object = getattr(module, "GAME", None)
    if not isinstance(brought, Bundle) or brought.box.name != name:
        raise TypeError(f"{module.__file__}: GAME must be a Bundle whose box is called {name}")
    return brought


def folder(name: str) -> Path:
    """Where a game's files are."""
    return _elsewhere().get(name) or Path(__file__).parent / name


def boards() -> dict[str, Path]:
    """The boards that lie with their games outside this package, and where."""
    return {name: lies / "board" for name, lies in _elsewhere().items() if (lies / "board").is_dir()}


def box(name: str, *, overrides: Path | None = None) -> Box:
    """A box, with what an owner's file says laid over it.

    :raises BoxProblem: if there is no such box, or a file is wrong.
    """
    if name not in names():
        raise BoxProblem(Problem("", name, FigureProblem("amiss.no_box", known=as_typed(names()))))
    return boxes.load(bundle(name).box, overrides=overrides)


def problems_in_file(path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with an owner's file."""
    if path.stem not in names() or path.suffix != ".toml":
        called = FigureProblem("amiss.file_name", known=as_typed(f"{name}.toml" for name in names()))
        return (Problem(str(path), "", called),)
    return boxes.problems_in(bundle(path.stem).box, path)


def registered() -> tuple[tuple[str, Mode], ...]:
    """Every game: its box and its mode."""
    return tuple((name, mode) for name in names() for mode in modes(name))


def modes(name: str) -> tuple[Mode, ...]:
    """The modes a box can be played in."""
    brought = bundle(name)
    told: dict[Mode, object] = {"referee": brought.refereed, "toolbox": brought.tools}
    return tuple(mode for mode, is_there in told.items() if is_there)


class RulesPlayed(NamedTuple):
    """What a box is played by.

    :ivar box: None for the toolbox, which is laid out for each box.
    """

    box: str | None
    mode: Mode
    rules: type[Referee[Any, Any]]
    randomizers: tuple[str, ...]


def played_by() -> tuple[RulesPlayed, ...]:
    """The referees of all boxes; and the toolbox with the randomizers of all, last."""
    from companion.games.toolbox import Toolbox

    refereed = [(name, found().rules) for name in names() if (found := bundle(name).refereed) is not None]
    drawn = (each for name in names() if (tools := bundle(name).tools) is not None for each in tools.randomizers)
    return (
        *(RulesPlayed(name, "referee", rules, rules.randomizers) for name, rules in refereed),
        RulesPlayed(None, "toolbox", Toolbox, tuple(dict.fromkeys(drawn))),
    )


def kind(of: Box, mode: str) -> Kind:
    """What can be chosen for a game of this box."""
    brought = bundle(of.name)
    if mode == "referee" and brought.refereed is not None:
        rules = brought.refereed().rules
        versions = range(rules.oldest_rules, rules.newest_rules + 1)
        options = (*rules.options, *_teaching(brought.refereed()))
        return Kind(of.name, "referee", options, rules.randomizers, versions, rules, rules.settled)
    if mode == "toolbox" and brought.tools is not None:
        from companion.games.toolbox import Toolbox
        from companion.games.toolbox.kit import Kit

        tools = brought.tools

        def lay_out(setup: Setup, printed: Any, rules: int | None) -> Game[Any]:
            version = Toolbox.newest_rules if rules is None else rules

            def again(copy: Box) -> Kit:
                return tools.kit(copy, setup, version)

            kit = msgspec.structs.replace(again(printed), box=printed, again=again)
            return Toolbox(setup, kit, tools.randomizers, version)

        versions = range(Toolbox.oldest_rules, Toolbox.newest_rules + 1)
        return Kind(of.name, "toolbox", tools.options, tools.randomizers, versions, lay_out, lambda setup: setup)
    raise Missing("core.no_game", box=AsTyped(of.title), mode=AsTyped(mode))


def _teaching(refereed: Refereed) -> tuple[Option, ...]:
    """The choice whether the game is taught at a table, where it has lessons."""
    if refereed.course is None:
        return ()
    arranges = refereed.rules.to_show is not Referee.to_show
    is_small = refereed.rules.is_short_over is not Referee.is_short_over
    more = (*((ARRANGED,) if arranges else ()), *((ALONE,) if is_small else ()))
    return (Option(TEACH, (NOT_TAUGHT, LESSONS, *more), NOT_TAUGHT),)


def course_of(box: str, mode: Mode) -> TeachingCourse | None:
    """The lessons of a game, where it has any."""
    brought = bundle(box).refereed
    course = brought().course if brought is not None and mode == "referee" else None
    return None if course is None else course()


@cache
def tools_missing(name: str) -> frozenset[str]:
    """The tools that lie in other boxes and not in this one."""
    from companion.games.toolbox import TOOLS, Toolbox

    of, brought = box(name), bundle(name).tools
    if brought is None:
        return frozenset(tool.name for tool in TOOLS)
    setup = Setup(name, "toolbox", tuple(Seat(str(seat)) for seat in range(of.seats.min)))
    kit = brought.kit(of, setup, Toolbox.newest_rules)
    there = set(map(type, Toolbox(setup, kit, brought.randomizers).kit.tools))
    return frozenset(tool.name for tool in TOOLS if tool not in there)


def open_game(setup: Setup, of: Box, rules: int | None = None) -> Game[Any]:
    """The game of a table. Its seats, sources and options are checked here, once for all games.

    :param rules: the version of the rules it is played by; the newest, unless a table was begun with an older one.
    """
    chosen = kind(of, setup.mode)
    seats = len(setup.seats)
    if not of.seats.min <= seats <= of.seats.max:
        raise Malformed("core.seat_count", least=of.seats.min, most=of.seats.max, n=seats)
    for randomizer in setup.sources:
        if randomizer not in {"default", *chosen.randomizers}:
            raise Malformed("core.no_randomizer", randomizer=AsTyped(randomizer), known=as_typed(chosen.randomizers))
    known = {option.name: option for option in chosen.options}
    for name, value in setup.options.items():
        if name not in known:
            raise Malformed("core.no_option", option=AsTyped(name), known=as_typed(known))
        if not any(value == allowed and type(value) is type(allowed) for allowed in known[name].values):
            raise Malformed("core.bad_option", option=AsTyped(name), allowed=as_typed(known[name].values))
    return chosen.open_game(setup, of, rules)


def with_defaults(setup: Setup, of: Box) -> Setup:
    """The setup with every option said, and the sources that follow from them where the game says so."""
    chosen = kind(of, setup.mode)
    said = {option.name: option.default for option in chosen.options} | setup.options
    if said.get(TEACH) == NOT_TAUGHT:
        del said[TEACH]  # such a table is laid as it was before there were lessons
    whole = chosen.settled(msgspec.structs.replace(setup, options=said))
    for randomizer, source in setup.sources.items():
        if randomizer in chosen.randomizers and whole.source(randomizer) != source:
            raise Malformed("core.source_decided", randomizer=randomizer, source=whole.source(randomizer))
    return whole


@cache
def _elsewhere() -> dict[str, Path]:
    """The games of a folder outside this package, and where each lies."""
    named = os.environ.get(ELSEWHERE)
    folders = sorted(Path(named).iterdir()) if named and Path(named).is_dir() else ()
    return {each.name: each for each in folders if (each / "__init__.py").exists()}


def look_in(folder: str) -> None:
    """Have the games of another folder on the shelf, in the place of those that were found elsewhere."""
    for name in _elsewhere():
        words.unshelve(name)
    os.environ[ELSEWHERE] = folder
    _elsewhere.cache_clear()
    _shelve(_elsewhere())


def _shelve(folders: Mapping[str, Path]) -> None:
    """Have the words of games at hand."""
    for name, where in folders.items():
        words.shelve(name, where / "words")


_shelve({name: Path(__file__).parent / name for name in (*REGISTER, TOOLBOX)} | _elsewhere())


def _imported(name: str, where: Path) -> Any:
    """The package of a game that lies outside this one."""
    called = f"digside_{name}"
    spec = spec_from_file_location(called, where / "__init__.py", submodule_search_locations=[str(where)])
    if spec is None or spec.loader is None:
        raise TypeError(f"{where}: this is not a Python package")
    module = module_from_spec(spec)
    sys.modules[called] = module
    spec.loader.exec_module(module)
    return module
