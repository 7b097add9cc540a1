"""What README, docs and manual say holds: links lead somewhere, commands exist, and those in `sh` blocks are run."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from companion.terminal import cli
from companion.words import LANGUAGES, catalogue
from tests.venue import programs
from tests.web.live import Live
from web_ui import blueprints, webhooks
from web_ui import help as manual
from web_ui.api.tables import LISTED
from web_ui.house import MOST
from web_ui.settings import Settings

ROOT = Path(__file__).parents[2]
MANUAL = sorted((ROOT / "web_ui" / "help").rglob("*.md"))
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *MANUAL,
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"`((?:sudo )?(?:digside|make|python -m) [^`]+)`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LIKE = {"TABLE": "abcde", "FILE": "a.toml", "N": "1"}
HEX = "0" * 32
SERVED = "http://localhost:8765"


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(text: str) -> set[str]:
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), target


def commands(text: str) -> set[str]:
    lines = [
        line for kind, block in BLOCK.findall(text) if kind in {"", "sh", "console"} for line in block.splitlines()
    ]
    lines += [line[4:] for line in text.splitlines() if line.startswith("    make ")]
    found = {re.split(r"  +#| [<|>]|\|\|", line)[0].strip() for line in lines} | set(SAID.findall(text))
    said = {re.sub(r"^(?:sudo |\w+=\S+ |\w+=\$\()+", "", each) for each in found}
    return {each for each in said if each.startswith(("digside ", "make "))}


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_every_command_there_is(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for command in commands(page.read_text(encoding="utf-8")):
        program, *words = [
            HEX if word.startswith("$") else LIKE.get(word, word) for word in shlex.split(command, comments=True)
        ] or [""]
        if program == "make":
            made = {word for word in words if "=" not in word and not word.startswith(".venv/")}
            assert made <= targets, command
        elif program == "digside" and words:
            known(words, command)


def known(words: list[str], command: str) -> None:
    """Whether a command line is one; where it lacks an argument, as in running text, whether it begins one."""
    wrong: list[str] = []

    def noted(_: argparse.ArgumentParser, message: str) -> None:
        wrong.append(message)
        raise SystemExit(2)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cli.Parser, "error", noted)
        try:
            _, unknown = cli.parser().parse_known_args(words)
        except SystemExit:
            unknown = []
    assert unknown == [], command
    assert not [said for said in wrong if "required" not in said and "expected" not in said], (command, wrong)


def run(script: str, folder: Path, **env: str) -> str:
    """Run a page's blocks in one shell, as somebody pastes them."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("DIGSIDE", "COV"))}
    ran = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**clean, "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", **env},
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def blocks(name: str) -> str:
    return "\n".join(block for kind, block in BLOCK.findall((ROOT / "docs" / name).read_text("utf-8")) if kind == "sh")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hosting.md", "luck.md", "shovel.md", "adding-a-game.md"])
def test_what_a_page_has_one_type_can_be_typed(name: str, tmp_path: Path) -> None:
    said = run(blocks(name), tmp_path)
    assert {
        "luck.md": "Everything holds",
        "adding-a-game.md": "my_hill keeps every law.",
        "hosting.md": "usage: digside doctor",
    }.get(name, "") in said


@pytest.mark.slow
def test_a_game_is_played_with_curl_as_the_page_says(tmp_path: Path) -> None:
    live = Live(tmp_path / "data")
    try:
        said = run(blocks("api.md").replace(SERVED, f"http://127.0.0.1:{live.port}"), tmp_path)
    finally:
        live.stop()
    assert "illegal" in said.splitlines()
    assert "event: " in said or "data: " in said
    assert "Everything holds: 2 draws recomputed." in said


def test_the_hall_has_the_router_that_make_venue_runs() -> None:
    page = (ROOT / "docs" / "hall.md").read_text("utf-8")
    shown = next(block for kind, block in BLOCK.findall(page) if kind == "haproxy")
    servers = "\n".join(f"    server service{n} 127.0.0.1:{8800 + n}" for n in (1, 2, 3))
    assert shown == programs.ROUTES.format(port=8765, servers=servers, most=10_000).lstrip("\n")


def test_the_router_of_the_containers_is_that_of_the_hall() -> None:
    own = (ROOT / "docs" / "hall" / "haproxy.cfg").read_text("utf-8").partition("global\n")
    servers = "\n".join(f"    server service{n} service{n}:8765 resolvers names init-addr libc,none" for n in (1, 2, 3))
    routes = programs.ROUTES.format(port=8765, servers=servers, most=10_000).lstrip("\n")
    assert "".join(own[1:]) == routes.replace("bind 127.0.0.1:", "bind :")


def test_the_limits_are_those_of_the_program() -> None:
    page, own = (ROOT / "docs" / "limits.md").read_text("utf-8"), Settings()
    for what, pace in {
        "presses": own.taps,
        "looks": own.looks,
        "tables laid or brought in": own.layings,
        "wrong keys": own.guesses,
        "typed codes": own.codes,
    }.items():
        assert re.search(rf"\| {what} (?:of|by) one client \| {pace.burst} at once, {pace.a_second} a second", page), (
            what
        )
    assert f"of all together {own.all_codes.burst} and {own.all_codes.a_second} |" in page
    assert f"| {own.largest // 1024} KiB; a record that is brought in {own.largest_import // 1024**2} MiB |" in page
    assert f"| {own.streams} and {own.kept_streams} for whoever shows a key;" in page
    assert f"| {webhooks.MOST_HOOKS} addresses, {webhooks.WAITING} messages waiting" in page
    assert f"| {own.connections} |" in page
    assert f"| {LISTED}; `?first=`" in page
    assert f"| {MOST}, untouched" in page


def test_the_alerts_ask_for_what_is_measured() -> None:
    rules = (ROOT / "docs" / "hall" / "alerts.yml").read_text("utf-8")
    measured = set(re.findall(r'"(digside_\w+)"', (ROOT / "web_ui" / "metrics.py").read_text("utf-8")))
    asked = {re.sub(r"_(total|bucket)$", "", name) for name in re.findall(r"digside_\w+", rules)}
    assert asked <= measured
    if promtool := shutil.which("promtool"):
        subprocess.run([promtool, "check", "rules", ROOT / "docs" / "hall" / "alerts.yml"], check=True)


def test_the_webhooks_of_the_page_can_be_used(tmp_path: Path) -> None:
    blocks_of = BLOCK.findall((ROOT / "docs" / "webhooks.md").read_text("utf-8"))
    file = tmp_path / webhooks.FILE
    file.write_text(next(block for kind, block in blocks_of if kind == "toml"), "utf-8")
    file.chmod(0o600)
    assert len(webhooks.hooks_at_start(tmp_path)) == 4
    said: dict[str, Any] = {}
    exec(next(block for kind, block in blocks_of if kind == "python"), said)
    assert said["is_from_digside"](b"s", webhooks.signed("s", 1, b"{}"), b"{}")


def test_the_blueprints_of_the_documents_are_those_that_are_served() -> None:
    """Each stands in every language, with every place filled, and asks only for inputs that it has."""
    folder = ROOT / "docs" / "home-assistant"
    assert {each.stem for each in folder.glob("*.yaml")} == set(blueprints.NAMES)
    for name in blueprints.NAMES:
        assert (folder / f"{name}.yaml").read_text("utf-8") == blueprints.blueprint(name, "en")
        for language in LANGUAGES:
            whole = with_inputs().load(blueprints.blueprint(name, language))
            inputs = whole["blueprint"]["input"]
            assert set(re.findall(r"<(\w+)>", repr(whole))) == set(inputs)
            assert all("web.blueprint" not in each["name"] for each in inputs.values())


def with_inputs() -> YAML:
    """Reads what Home Assistant calls an input as its name."""
    reader = YAML(typ="safe", pure=True)
    reader.constructor.add_constructor("!input", lambda made, node: f"<{made.construct_scalar(node)}>")
    return reader


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manual_is_the_same_in_each_language(language: str) -> None:
    """The same pages, headings, pictures, links and words in bold, whatever the sentences between them."""

    def shape(topic: str, spoken: str) -> list[str]:
        made = manual.as_html(manual.source(spoken, topic) or "", lambda target: target.replace(f"/{spoken}/", "/"))
        return re.findall(r"<(?:h\d|img src=\"[^\"]*\"|a href=\"[^\"]*\"|li)", made)

    for topic in manual.TOPICS:
        assert shape(topic, language) == shape(topic, "en"), topic


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_manual_sends_people_to_is_written_there(language: str) -> None:
    """Words in bold are those of the buttons and headings that they stand for."""
    sentences = [
        part for said in catalogue(language).values() for part in ([said] if isinstance(said, str) else said.values())
    ]
    on_pages = "\n".join(sentences).casefold().replace("\u00a0", " ")
    named = {
        name for topic in manual.TOPICS for name in re.findall(r"\*\*(.+?)\*\*", manual.source(language, topic) or "")
    }
    assert named
    assert not [name for name in sorted(named) if name.casefold() not in on_pages]
