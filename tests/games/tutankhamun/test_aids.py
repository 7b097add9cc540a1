"""Help at the tray, and what the referee says in four languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.game import Corrected, Correction, Dealt, Move, Played
from companion.games import tutankhamun
from companion.games.tutankhamun.corrections import (
    Leave,
    SetBarricades,
    SetCard,
    SetPurse,
    SetScarabs,
    SetStanding,
    SetTakings,
)
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import OPTIONS
from companion.words import LANGUAGES, catalogue, own, say, sentences
from tests.games.tutankhamun.site import Site, box

FREE_TO_DO = {"legal": True, "refusal": None}


def told_legal(site: Site) -> list[Move]:
    """The moves that the help calls legal."""
    aids = site.aids
    actions: dict[str, Move] = {"scarab": Scarab(), "stop": Stop(), "pass": Pass(), "no_barricade": NoBarricade()}
    found = [move for name, move in actions.items() if aids["actions"][name]["legal"]]
    for square, told in aids["squares"].items():
        found += [Dig(square)] * told["dig"]["legal"] + [Barricade(square)] * told["barricade"]["legal"]
    return found


@pytest.mark.rule("TUT-10")
def test_help_and_the_list_of_moves_agree() -> None:
    site = Site(2, tray="dealt", seed=5)
    for square in ("a1", "a1", "b2", "c3", "d4", "a2", "a3"):
        while site.state.phase == "closing":
            assert sorted(map(repr, told_legal(site))) == sorted(map(repr, site.moves))
            site.do(site.moves[1] if len(site.moves) > 1 else site.moves[0])
        assert sorted(map(repr, told_legal(site))) == sorted(map(repr, site.moves))
        if Dig(square) in site.moves:
            site.uncover(square)


def test_a_refusal_is_told_before_it_is_met() -> None:
    site = Site()
    told = site.aids["actions"]["stop"]
    refusal = {"code": "illegal", "key": "tutankhamun.nothing_dug", "rule": "TUT-15", "facts": {"fee": 3}}
    assert told == {"legal": False, "refusal": refusal}
    assert site.refused(Stop()).plain() == refusal


def test_help_is_for_whoever_is_asked_and_for_the_shared_tablet() -> None:
    site = Site(3)
    assert site.game.aids(site.state, 2) == site.game.aids(site.state, None) != {}
    assert site.game.aids(site.state, 0) == {}


def test_help_while_a_layer_is_due() -> None:
    site = Site(tray="laid")
    assert site.aids["actions"] == {"lay": FREE_TO_DO, "deal": FREE_TO_DO}
    while site.state.phase == "laying":
        site.do(Deal())
    assert "pass" in site.aids["actions"]


def test_without_the_option_no_odds_are_shown() -> None:
    assert not any("odds" in square for square in Site().aids["squares"].values())


def test_the_odds_of_the_first_layer_are_those_of_its_sixteen_cards() -> None:
    # of layer 5, ten cards are good (2 feet 1, 2 tips 2, tail 1, vases 3 and 1, bracelet 2, falcon 2, chain 1),
    # 3 are worth nothing (2 shafts, body) and 3 are bad (-2, -3, -1)
    odds = Site(odds=True).aids["squares"]["b3"]["odds"]
    good = 2 * 1 + 2 * 2 + 1 + 3 + 1 + 2 + 2 + 1
    assert (odds["layer"], odds["unseen"]) == (5, 16)
    assert (odds["good"], odds["nothing"], odds["bad"]) == (10 / 16, 3 / 16, 3 / 16)
    assert odds["expected"] == odds["gain"] == (good - 6) / 16
    assert (odds["ruin"], odds["worst"]) == (0, 3)


def test_the_odds_count_what_has_not_shown_yet() -> None:
    site = Site(odds=True).dig("a1", "scorpion").close().dig("b1", "vase_alabaster")
    below_earth, below_vase = (site.aids["squares"][square]["odds"] for square in ("c1", "b1"))
    assert (below_earth["unseen"], below_earth["bad"], below_earth["worst"]) == (14, 2 / 14, 2)
    assert (below_vase["layer"], below_vase["unseen"]) == (4, 16)


def test_the_odds_reckon_with_what_is_at_stake() -> None:
    site = Site(odds=True).dig("a1", "vase_alabaster").put_right(SetPurse(2, 1))
    odds = site.aids["squares"]["c1"]["odds"]
    # 15 cards are left: good for 13 in all; bad are the mosquito (1), the head (2) and the scorpion (3)
    assert odds["gain"] == (13 - (3 + 1) - 2 * (3 + 1)) / 15
    assert odds["ruin"] == 2 / 15


def test_a_scarab_doubles_the_odds() -> None:
    plain, doubled = Site(odds=True), Site(odds=True).scarab()
    one, two = (site.aids["squares"]["a1"]["odds"] for site in (plain, doubled))
    assert two["expected"] == 2 * one["expected"]
    assert two["worst"] == 2 * one["worst"]


@pytest.mark.rule("TUT-17")
def test_below_the_last_card_there_are_no_odds() -> None:
    site = Site(odds=True)
    for card in ("chain", "falcon", "pectoral", "bracelet", "vase_alabaster"):
        site.dig("a1", card)
    assert "odds" not in site.aids["squares"]["a1"]
    assert site.aids["squares"]["a1"]["dig"] == FREE_TO_DO


def test_the_view_says_what_a_bad_card_would_cost() -> None:
    site = Site().dig("a1", "chain")
    assert site.board["turn"]["risk"] == {"void": 1, "most": 3}
    assert Site().scarab().board["turn"]["risk"] == {"void": 0, "most": 6}
    for card in ("falcon", "pectoral", "bracelet"):
        site.dig("a1", card)
    assert site.board["turn"]["risk"] == {"void": 9, "most": 10}  # the mask can lie below a1


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
    wanted |= {f"correction.{kind.__struct_config__.tag}" for kind in Tutankhamun.corrections}
    assert not sorted(key for key in wanted if own(language, key, ("tutankhamun",)) is None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("open_memory", [False, True])
def test_the_log_is_told_in_whole_sentences(language: str, open_memory: bool) -> None:
    site = Site(open_memory=open_memory)
    lines = [site.game.tells(site.state, Played(2, move), None) for move in all_moves()]
    lines += [site.game.tells(site.state, Corrected(correction), None) for correction in all_corrections()]
    for phase in ("dealing", "turning", "uncovering"):
        layers = () if phase == "dealing" else (("",) * 16,) * len(box().layers)
        state = replace(Site(tray="laid").state, phase=phase, digging=5, layers=layers)
        lines.append(site.game.tells(state, Dealt("chain"), None))
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
        SetPurse(0, 3),
        SetTakings(2),
        SetScarabs(0, 1),
        SetBarricades(0, 0),
        SetStanding(0, "a1"),
        SetStanding(0),
        SetCard("a1", "chain"),
        Leave(1),
    ]


def test_a_layer_that_is_laid_or_dealt_is_told_by_its_number() -> None:
    site = Site(tray="laid")
    assert site.game.tells(site.state, Played(0, Deal()), None) == {"type": "deal", "layer": 1}
    assert say("de", "tutankhamun.log.deal", {"who": "Ada", "layer": 1}) == "Ada lässt Digside Schicht 1 austeilen"
