"""`digside bench`: the checklist of the rig, walked with whoever stands at it, and a report that may be published."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Any, Literal, Protocol

from companion import __version__
from companion.refusals import AsTyped, Fact
from companion.whole_file import write_whole
from companion.words import say

REPORT = "bench-report.md"

SIMULATED = "simulated"
SEEN = ("seen", "seen_otherwise")


class BenchResult(Protocol):
    """What became of one check."""

    @property
    def check(self) -> str:
        """Its name."""

    @property
    def verdict(self) -> Literal["passed", "failed", "left_out"]:
        """How it ended."""

    @property
    def found(self) -> Mapping[str, float]:
        """What was measured."""

    @property
    def why(self) -> str:
        """A code, where nothing was measured."""


class SavedReport(Protocol):
    """Where something was kept."""

    @property
    def file(self) -> Path:
        """The rig file."""


class BenchRig(Protocol):
    """A rig on the bench."""

    @property
    def board(self) -> str | None:
        """What the board says of itself."""

    def run(self, checks: Any, /) -> Iterable[BenchResult]:
        """Make the checks, and tell of each as it ends."""

    def keep(self) -> tuple[SavedReport | None, Mapping[str, float]]:
        """Keep what was learned."""


class BenchHardware(Protocol):
    """All that is known here of hardware."""

    @property
    def CHECKS(self) -> Sequence[str]:  # noqa: N802 - a constant of the module that this describes
        """All checks, in their order."""

    def opened_bench(self, rig: str | None, data: Path, hands: Any, /) -> AbstractContextManager[BenchRig]:
        """Open a rig for its checks."""


class BenchPerson:
    """Somebody at the terminal, who stands at the rig as well."""

    def __init__(self, language: str) -> None:
        self._language = language

    def do(self, wish: str) -> None:
        """Ask for it, and wait; the plug is pulled while the pump runs, so nothing waits for that."""
        if wish == "nothing":
            return
        print(say(self._language, f"bench.ask.{wish}", {}), flush=True)
        if wish != "pull_plug":
            _line()

    def volts(self) -> float | None:
        """Ask what a multimeter shows, until it is a number or nothing."""
        while True:
            print(say(self._language, "bench.ask.volts", {}), flush=True)
            answer = _line().strip().replace(",", ".").removesuffix("V").strip()
            if not answer:
                return None
            try:
                return float(answer)
            except ValueError:
                continue

    def saw(self, question: str) -> bool | None:
        """Ask what was seen, until it is yes, no or nothing."""
        said = {self._say("bench.ask.yes"): True, self._say("bench.ask.no"): False}
        while True:
            print(f"{self._say(f'bench.ask.{question}')} [{'/'.join(said)}]", flush=True)
            answer = _line().strip().lower()[:1]
            if not answer:
                return None
            if answer in said:
                return said[answer]

    def _say(self, key: str) -> str:
        return say(self._language, key, {})


class Benching:
    """The checks of a rig, in somebody's language.

    :param folder: where the tables are kept, and the report is laid
    """

    def __init__(self, folder: Path, hardware: BenchHardware, language: str) -> None:
        self._folder = folder
        self._hardware = hardware
        self._language = language

    def run(self, rig: str | None, *, checks: Sequence[str], report: Path | None) -> int:
        """Make the checks, keep what was learned, and write the report. What was made before Ctrl-C is in it too."""
        asked = tuple(each for each in self._hardware.CHECKS if not checks or each in checks)
        results: list[BenchResult] = []
        with self._hardware.opened_bench(rig, self._folder, BenchPerson(self._language)) as bench:
            self._tell("bench.begins", n=len(asked))
            try:
                for result in bench.run(asked):
                    results.append(result)
                    print(f"{'✗' if result.verdict == 'failed' else '·'} {self._told(result)}", flush=True)
            except KeyboardInterrupt:
                print(file=sys.stderr)
            failed = sum(result.verdict == "failed" for result in results)
            kept, values = bench.keep() if not failed else (None, {})
            board = bench.board
        written = "; ".join(f"{path} = {value:g}" for path, value in values.items())
        if values:
            file = AsTyped(kept.file) if kept else ""
            self._tell("bench.kept" if kept else "bench.not_kept", file=file, values=AsTyped(written))
        self._write(report or self._folder / REPORT, results, board, written)
        left_out = sum(result.verdict == "left_out" for result in results)
        self._tell("bench.ends_badly", n=failed) if failed else self._tell("bench.ends_well")
        if left_out:
            self._tell("bench.ends_short", n=left_out)
        return 1 if failed or len(results) < len(asked) else 0

    def _write(self, file: Path, results: Sequence[BenchResult], board: str | None, values: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, "\n".join(self._lines(results, board, values)).encode(), mode=0o644)
        self._tell("bench.report", file=AsTyped(file))

    def _lines(self, results: Sequence[BenchResult], board: str | None, values: str) -> list[str]:
        """The report: no port, no name of a computer and no folder stands in it."""
        columns = [self._said(f"bench.page.column_{column}") for column in ("check", "verdict", "found")]
        made = self._said("bench.page.made", version=AsTyped(__version__), date=AsTyped(date.today().isoformat()))
        lines = [f"# {self._said('bench.page.title')}", "", made, ""]
        if board:
            lines += [self._said("bench.board", board=AsTyped(board)), ""]
        if board and board.startswith(SIMULATED):
            lines += [self._said("bench.is_simulated"), ""]
        lines += [f"| {' | '.join(columns)} |", "|---|---|---|"]
        lines += [
            f"| {self._check(result)} | {self._said(f'bench.verdict.{result.verdict}')} | {self._found(result)} |"
            for result in results
        ]
        return [*lines, "", *([f"`{values}`", ""] if values else [])]

    def _told(self, result: BenchResult) -> str:
        if not result.why or result.why in SEEN:
            return f"{self._check(result)}: {self._found(result)}"
        how = "bench.left_out" if result.verdict == "left_out" else "bench.broke_off"
        return self._said(how, check=AsTyped(self._check(result)), why=AsTyped(self._found(result)))

    def _check(self, result: BenchResult) -> str:
        return self._said(f"bench.check.{result.check}")

    def _found(self, result: BenchResult) -> str:
        if result.why:
            why = result.why
            keys = (f"bench.why.{why}", f"shovel.fault.{why}", f"shovel.refused.{why}")
            said = ((key, say(self._language, key, {})) for key in keys)
            return next((sentence for key, sentence in said if sentence != key), result.why)
        point = say(self._language, "bots.decimal", {})
        facts = {name: AsTyped(f"{value:g}".replace(".", point)) for name, value in result.found.items()}
        return self._said(f"bench.{result.verdict}.{result.check}", **facts)

    def _said(self, key: str, **facts: Fact) -> str:
        return say(self._language, key, facts)

    def _tell(self, key: str, **facts: Fact) -> None:
        print(self._said(key, **facts), flush=True)


def _line() -> str:
    try:
        return input()
    except EOFError:
        return ""
