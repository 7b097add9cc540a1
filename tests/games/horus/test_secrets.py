"""What one player alone may know: it is in no view, log, aid, odds, list or refusal of anybody else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.game import Corrected, Dealt, Move, Played, Seat, Setup, Step
from companion.games.horus.bots import planner
from companion.games.horus.corrections import BlockLies, CardLies
from companion.games.horus.moves import End, Pick, Ready, Search
from companion.games.horus.rules import Horus
from companion.games.horus.state import HorusState
from companion.games.horus.uses import Use
from companion.play.hall import Hall
from companion.play.record import encode, export
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Refusal
from tests.games.horus.pyramids import NAMES, Playing, acting, going, lingering, table

OWN, OTHER = 0, 1
LOOK = Use(ability="prescience")
PAIRS = ((17, 22),)


def everything(game: Horus, state: HorusState, seat: int | None) -> str:
    """All that somebody is shown of a state, and all that they are told who try every block and card."""
    asked: Any = game.ask(state)
    odds = None
    if hasattr(asked, "odds"):
        odds = [[outcome, None if asked.veiled else weight] for outcome, weight in asked.odds]
        asked = (asked.randomizer, asked.question, asked.seat, asked.veiled, asked.pressed, asked.facts)
    mending = game.mending(state)
    seen = game.sees(state, seat)
    tried = [
        said(game, state, Corrected(BlockLies(number, fallen))) for number in range(38) for fallen in (True, False)
    ]
    return repr((asked, odds, seen, game.aids(state, seat), mending, tried))


def said(game: Horus, state: HorusState, step: Step) -> object:
    try:
        game.after(state, step)
    except Refusal as refusal:
        return refusal.plain()
    return None


def looked(block: int, *then: Move) -> list[tuple[Playing, Step]]:
    """A block is looked at; after each step what has come of it."""
    playing = acting("5", "6", "33", who=("rasputin", "rice", "ardila"), actions=(2, 1, 0), cards={1: ("udjat",)})
    course: list[tuple[Playing, Step]] = []
    steps: list[Step] = [Played(OWN, LOOK), Dealt(block), *(Played(OWN, move) for move in then)]
    for step in steps:
        before = Playing(playing.game, playing.state)
        playing = Playing(playing.game, playing.game.after(playing.state, step))
        course.append((before, step))
    return [*course, (playing, Played(OWN, End()))]


@pytest.mark.rule("HOR-51", "HOR-82")
@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("keep", [True, False])
def test_which_block_was_looked_at_makes_no_difference_to_others(pair: tuple[int, int], keep: bool) -> None:
    one, other = (looked(block, Use(ability="prescience", keep=keep), Search()) for block in pair)
    for (here, step), (there, another) in zip(one, other, strict=True):
        for seat in (None, OTHER, 2):
            assert everything(here.game, here.state, seat) == everything(there.game, there.state, seat)
            told = here.game.tells(here.state, step, seat), there.game.tells(there.state, another, seat)
            assert told[0] == told[1]
    mine = [playing.game.sees(playing.state, OWN).you for playing in (one[2][0], other[2][0])]
    assert [hand["looked"] for hand in mine if hand] == list(pair), "whoever looked sees it"


@pytest.mark.rule("HOR-51", "HOR-82", "HOR-36")
def test_not_even_the_block_of_the_idol_tells_which_was_set_aside() -> None:
    seen = []
    for block in (17, 22):
        playing = acting("H2", "6", who=("rasputin", "rice"), actions=(2, 0), mummies={"sanakht": ("NE", "NW")})
        playing.does(LOOK).falls(block).does(Use(ability="prescience", keep=True), Pick()).falls(1, 2, 3, 4, 5)
        seen.append(everything(playing.game, playing.state, OTHER))
        assert str(said(playing.game, playing.state, Dealt(block))) == str(said(playing.game, playing.state, Dealt(99)))
    assert seen[0] == seen[1]


@pytest.mark.rule("HOR-82")
def test_no_view_of_another_names_a_treasure_that_lies_face_down() -> None:
    game = table(3)
    for before, step, after in going(game, random.Random(3), planner):
        for seat, mine in enumerate(after.adventurers):
            hidden = {card for card in mine.cards if card.startswith(("treasure", "chest", "necklace"))}
            shown = after.shown.card if after.shown else ""
            for eyes in (None, *(each for each in range(3) if each != seat)):
                lying = json.dumps(Playing(game, after).board(eyes)["seats"][seat])
                assert not any(card in lying for card in hidden - {shown}) or after.phase == "over"
        if isinstance(step, Dealt) and before.due == "search" and str(step.outcome).startswith("treasure"):
            assert str(step.outcome) not in json.dumps(game.tells(before, step, None))
            told = game.tells(before, step, before.seat)
            assert told["value"] == int(str(step.outcome).rpartition("-")[2])


@pytest.mark.rule("HOR-81", "HOR-82")
@pytest.mark.parametrize("who", ["sarti", "rice", "watanabe"])
def test_in_total_secrecy_a_wound_and_a_treasure_look_alike(who: str) -> None:
    """Whatever its finder could do about it, and as the next level is read."""
    game = table(2, total_secrecy=True)
    seen = []
    for card in ("treasure-sobek-6", "crocodile", "chest"):
        playing = acting("33", "6", who=(who, "rasputin"), actions=(1, 1), game=game)
        before = playing.does(Search()).state
        playing.falls(card)
        seen.append((everything(game, playing.state, OTHER), game.tells(before, Dealt(card), OTHER)))
        while playing.state.asking == "act":
            playing.does(End())
        playing.falls(1, 1, 1, 1, 1, 36)
        while playing.state.asked == OTHER:
            playing.does(Ready())
        assert (playing.state.asking, playing.state.asked) == ("ready", OWN), "a wound may be a treasure"
    assert seen[0] == seen[1] == seen[2]
    playing = acting("5", "6", who=("sarti", "rice"), game=game).does(Search()).falls("udjat")
    assert playing.board(OTHER)["seats"][0]["open"][0]["card"] == "udjat", "equipment lies open"


@pytest.mark.rule("HOR-81")
def test_in_total_secrecy_nothing_tells_whether_there_is_anything_to_heal_or_ward_off() -> None:
    game = table(2, total_secrecy=True)
    for wound in ("snake", "crocodile"):
        playing = acting("5", "6", cards={0: ("antidote", wound)}, actions=(0, 0), who=("sarti", "rice"), game=game)
        assert playing.state.asking == "act"
        assert "uses" not in json.dumps(playing.aids())


@pytest.mark.rule("HOR-82", "HOR-11")
def test_a_treasure_that_is_laid_off_is_told_to_its_owner_alone() -> None:
    playing = acting("5", "6", cards={1: ("treasure-sobek-5", "crowbar")}, actions=0, who=("sarti", "rice"))
    playing.falls(1, 1, 1, 1, 1, 36)
    step = Played(1, Ready(("treasure-sobek-5", "crowbar")))
    assert playing.game.tells(playing.state, step, None) == {"type": "ready_mixed", "cards": ["crowbar"], "n": 1}
    assert playing.game.tells(playing.state, step, 1)["type"] == "ready_own"
    assert playing.game.hides(playing.state, step)


def test_what_a_correction_offers_tells_no_treasure() -> None:
    offered = []
    for card in ("treasure-sobek-5", "treasure-hededet-2"):
        playing = acting("5", "6", cards={0: (card,)}, who=("sarti", "rice"))
        same = replace(playing.state, decks=table(2).start().decks)
        offered.append(playing.game.mending(same).tables["card"])
    assert offered[0] == offered[1]
    playing = acting("5", "6", cards={0: ("treasure-sobek-5",)}, who=("sarti", "rice"))
    told = playing.game.tells(playing.state, Corrected(CardLies("treasure-sobek-5", 0, 1)), None)
    assert told == {"type": "card_unseen", "giver": "Ada", "taker": "Ben"}


Lay = Callable[..., Table]


@pytest.fixture
def lay(tmp_path: Any) -> Any:
    halls: list[Hall] = []

    def laid(**sources: Any) -> Table:
        hall = Hall(tmp_path)
        halls.append(hall)
        return hall.lay(Setup("horus", "referee", tuple(map(Seat, NAMES[:2])), sources), secret=bytes(32))

    yield laid
    for hall in halls:
        hall.close()


def at_the_udjat(table: Table) -> None:
    """Until seat 0 holds an udjat and acts."""
    press = iter(range(10_000))

    def play(move: dict[str, Any], seat: int) -> None:
        table.play(HOST, table.seq, f"p{next(press)}", move, seat=seat)

    play({"type": "enter", "adventurer": "rasputin", "square": "1"}, 0)
    play({"type": "enter", "adventurer": "rice", "square": "2"}, 1)
    while (state := state_of(table)).asked != 0 or state.asking != "act":
        play({"type": "ready" if state.asking == "ready" else "end"}, state.asked)


def state_of(table: Table) -> HorusState:
    assert isinstance(table.state, HorusState)
    return table.state


def told_last(table: Table, actor: Actor) -> object:
    """The newest line of the log, as somebody reads it."""
    lines: Any = view(table, actor)["log"]
    return lines[-1]["what"]


@pytest.mark.rule("HOR-51", "HOR-82")
def test_nobody_learns_a_block_by_taking_the_look_back(lay: Lay) -> None:
    """Whoever has looked has seen it: it is a reveal, so no seat takes it back and looks again or does otherwise."""
    laid = lay()
    at_the_udjat(laid)
    ada, ben = Actor("seat", 0), Actor("seat", 1)
    laid.play(ada, laid.seq, "step", {"type": "step", "to": "5"})
    assert laid.offer(ada).open
    before = laid.seq
    laid.play(ada, laid.seq, "look", {"type": "use", "ability": "prescience"})
    assert state_of(laid).looked
    for actor in (ada, ben):
        offer = laid.offer(actor)
        assert not offer.open
        with pytest.raises(Refusal):
            laid.take_back(actor, laid.seq, f"back {actor.seat}")
    assert laid.offer(ada).why == "undo.revealed"
    laid.play(ada, laid.seq, "keep", {"type": "use", "ability": "prescience", "keep": False})
    assert laid.offer(ada).open, "what was decided since may be decided again"
    laid.take_back(ada, laid.seq, "decide again")
    assert laid.offer(ada).why == "undo.revealed"
    assert not laid.offer(ada).open
    laid.take_back(HOST, laid.seq, "the host", before)
    assert laid.offer(ada).why == "undo.revealed", "the step is not taken back by whoever has seen what would come"
    assert not laid.offer(ada).open
    laid.play(ada, laid.seq, "look again", {"type": "use", "ability": "prescience"})
    assert laid.offer(ada).why == "undo.revealed", "and what was once seen stays seen"


@pytest.mark.rule("HOR-82")
def test_neither_a_log_nor_a_record_tells_the_block_before_the_end(lay: Lay) -> None:
    laid = lay()
    at_the_udjat(laid)
    laid.play(HOST, laid.seq, "look", {"type": "use", "ability": "prescience"}, seat=0)
    block = state_of(laid).looked
    newest = [told_last(laid, actor) for actor in (HOST, Actor("seat", 1))]
    assert newest == [{"type": "looked"}] * 2
    assert told_last(laid, Actor("seat", 0)) == {"type": "looked_own", "block": block}
    masked = json.loads(encode(export(laid)))["entries"][-1]
    assert str(block) not in json.dumps(masked["entry"])


@pytest.mark.rule("HOR-82")
def test_lingering_games_show_every_seat_the_same_open_things() -> None:
    game = table(3, total_secrecy=True)
    for _, _, after in going(game, random.Random(8), lingering):
        boards = [json.dumps(game.sees(after, eyes).board) for eyes in (None, 0, 1, 2)]
        assert len(set(boards)) == 1
