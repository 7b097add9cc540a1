"""What the referee says, in four languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.game import Corrected, Correction, Dealt, Move, Played
from companion.games import tutankhamun
from companion.games.tutankhamun.corrections import (
    Barricades,
    Leave,
    Purse,
    Scarabs,
    Shown,
    Standing,
    Takings,
)
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import OPTIONS
from companion.words import LANGUAGES, catalogue, own, say, sentences
from tests.games.tutankhamun.site import Site, box

CODE = "".join(file.read_text("utf-8") for file in Path(tutankhamun.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_said(language: str) -> None:
    keys = set(re.findall(r'"((?:tutankhamun|core)\.\w+)"', CODE))
    keys |= {f"tutankhamun.{figure}_{what}" for figure in ("obelisk", "snake") for what in ("broken", "left_over")}
    assert len(keys) > 30
    assert not sorted(keys - catalogue(language).keys())


def test_no_sentence_is_there_for_nothing() -> None:
    refusals = [key for key in sentences("en", "tutankhamun") if key.count(".") == 1]
    said = {key.removeprefix("tutankhamun.") for key in refusals} - {"title"}
    unused = {key for key in said if f"tutankhamun.{key}" not in CODE}
    assert unused == {"obelisk_broken", "obelisk_left_over", "snake_broken", "snake_left_over"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_things_have_names(language: str) -> None:
    wanted = {f"name.{card}" for card in box().values} | {f"name.layer_{number}" for number in box().layers}
    wanted |= {f"name.{randomizer}" for randomizer in Tutankhamun.randomizers} | {
        f"option.{option.name}" for option in OPTIONS
    }
    wanted |= {f"value.{value}" for value in OPTIONS[0].values}
    wanted |= {f"score.{part}" for part in ("gold", "silver")}
    wanted |= {f"correction.{kind.__struct_config__.tag}" for kind in Tutankhamun.mends}
    assert not sorted(key for key in wanted if own(language, key, ("tutankhamun",)) is None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("open_memory", [False, True])
def test_the_log_is_told_in_whole_sentences(language: str, open_memory: bool) -> None:
    site = Site(open_memory=open_memory)
    lines = [site.game.tells(site.state, Played(2, move), None) for move in all_moves()]
    lines += [site.game.tells(site.state, Corrected(correction), None) for correction in all_corrections()]
    for phase in ("dealing", "turning", "uncovering"):
        lines.append(site.game.tells(replace(Site(tray="laid").state, phase=phase, digging=5), Dealt("chain"), None))
    for line in lines:
        facts = {name: fact for name, fact in line.items() if isinstance(fact, str | int | float)}
        sentence = say(language, f"tutankhamun.log.{line['type']}", facts | {"who": "Ada"})
        assert "{" not in sentence, line
        assert not sentence.startswith("tutankhamun.")


def all_moves() -> list[Move]:
    made: list[Move] = [Scarab(), Dig("a1"), Stop(), Pass(), Barricade("a1"), NoBarricade()]
    assert {type(move) for move in made} < set(Tutankhamun.acts)
    return made


def all_corrections() -> list[Correction]:
    return [
        Purse(0, 3),
        Takings(2),
        Scarabs(0, 1),
        Barricades(0, 0),
        Standing(0, "a1"),
        Standing(0),
        Shown("a1", "chain"),
        Leave(1),
    ]


def test_a_layer_that_is_laid_or_dealt_is_told_by_its_number() -> None:
    site = Site(tray="laid")
    assert site.game.tells(site.state, Played(0, Deal()), None) == {"type": "deal", "layer": 1}
    assert say("de", "tutankhamun.log.deal", {"who": "Ada", "layer": 1}) == "Ada lässt Digside Schicht 1 austeilen"
