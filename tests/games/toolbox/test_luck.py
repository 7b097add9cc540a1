"""What the sealed dealer draws from the tools comes as often as it should. The secret is fixed, so the figures are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from companion.boxes import load
from companion.game import Chance, Dealt, Move, Outcome, Played
from companion.games.toolbox import Toolbox
from companion.games.toolbox.bags import Bags, DrawTokens
from companion.games.toolbox.dice import Roll
from companion.games.toolbox.kit import ToolboxState
from companion.games.toolbox.pyramid import DropBlock
from companion.games.toolbox.track import TimeTrack
from companion.games.toolbox.tray import Uncover
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import LayerKind, patterns, square_names, with_pattern
from companion.pieces.bag import Bag
from companion.pieces.odds import finds
from companion.play.dealer import SealedDealer
from tests.fair import is_fair
from tests.games.toolbox.tools import Tools, lying, toolbox

SECRET = bytes(range(100, 132))


def dealt(game: Toolbox, state: ToolboxState, dealer: SealedDealer, draw: int) -> tuple[ToolboxState, list[Outcome]]:
    """The state after all that falls by itself, and what fell."""
    fell: list[Outcome] = []
    while isinstance(ask := game.ask(state), Chance):
        fell.append(dealer.deal(draw + len(fell), ask, ()))
        state = game.after(state, Dealt(fell[-1]))
    return state, fell


def repeated(tools: Tools, move: Move, times: int) -> Iterator[list[Outcome]]:
    """What falls after the same move in the same state, at ever later draws."""
    dealer, draw = SealedDealer(SECRET), 0
    for _ in range(times):
        _, fell = dealt(tools.game, tools.game.after(tools.state, Played(0, move)), dealer, draw)
        draw += len(fell)
        yield fell


def evenly(outcomes: Iterable[Outcome]) -> dict[Outcome, float]:
    """Each as likely as any other."""
    each = tuple(outcomes)
    return dict.fromkeys(each, 1 / len(each))


def as_in(bag: Bag) -> dict[Outcome, float]:
    """Each as likely as there are of it."""
    return {token: count / bag.total for token, count in bag.odds()}


def test_the_yardstick_tells_a_loaded_die() -> None:
    loaded: dict[Outcome, int] = {1: 850, 2: 1000, 3: 1000, 4: 1000, 5: 1000, 6: 1150}
    assert not is_fair(loaded, evenly(loaded))
    assert not is_fair(dict.fromkeys(loaded, 1000), evenly(loaded)), "too good to be luck"


@pytest.mark.rule("TBX-40")
def test_dice_fall_evenly() -> None:
    faces = Counter(face for fell in repeated(Tools("horus"), Roll(5), 1200) for face in fell)
    assert is_fair(faces, evenly(range(1, 7)))


@pytest.mark.rule("TBX-50")
def test_blocks_fall_evenly() -> None:
    numbers = Counter(fell[0] for fell in repeated(Tools("horus"), DropBlock(), 6000))
    assert is_fair(numbers, evenly(range(1, 37)))


@pytest.mark.rule("TBX-31")
@pytest.mark.parametrize(
    ("box", "site"), [("jenseits", "egypt"), ("jenseits", "palestine"), ("tomb_raiders", "greece")]
)
def test_tokens_come_as_they_are_in_the_bag(box: str, site: str) -> None:
    tools = Tools(box, rules=1)
    firsts = Counter(fell[0] for fell in repeated(tools, DrawTokens(site, 1), 6000))
    assert is_fair(firsts, as_in(lying(tools.state, Bags).inside[site]))


@pytest.mark.rule("TBX-31", "TBX-32", "JVT-44")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_the_finds_of_a_draw_are_hypergeometric(box: str) -> None:
    """Were rubble put back within a draw, there would be too few finds."""
    tools, draws = Tools(box, rules=1), 6
    bag = lying(tools.state, Bags).inside["crete"]
    good = bag.total - bag["blank"]
    exact = dict(enumerate(map(float, finds(good, bag.total, draws))))
    with_rubble_back = {
        n: math.comb(draws, n) * (good / bag.total) ** n * (1 - good / bag.total) ** (draws - n) for n in exact
    }
    counted = Counter(sum(t != "blank" for t in fell) for fell in repeated(tools, DrawTokens("crete", draws), 2500))
    assert is_fair(counted, exact)
    assert not is_fair(counted, with_rubble_back)


@pytest.mark.rule("TBX-71", "TUT-03")
def test_cards_come_as_the_referee_lays_them_and_before_as_they_were_in_their_layer() -> None:
    kind = LayerKind.of(4, load(TutankhamunBox).layers[5])
    c2, loose = square_names(4).index("c2"), dict(kind.loose)
    there = Counter(with_pattern(kind, index)[c2] for index in range(len(patterns(kind))))
    free = there.pop("") / sum(loose.values())
    laid = {**there, **{card: n * free for card, n in loose.items()}}
    lines: dict[Outcome, float] = {card: n / len(patterns(kind)) for card, n in laid.items()}
    for rules, chances in ((None, lines), (3, as_in(Bag.of(dict(kind.cards))))):
        cards = Counter(fell[0] for fell in repeated(Tools("tutankhamun", rules=rules), Uncover("c2"), 6000))
        assert is_fair(cards, chances)


@pytest.mark.rule("TBX-10", "JVT-03", "TTR-01")
def test_every_starting_stack_is_as_likely_as_any_other() -> None:
    game, dealer, stacks = toolbox("jenseits", 4), SealedDealer(SECRET), Counter[str]()
    for n in range(2400):
        state, _ = dealt(game, game.start(), dealer, n * 3)
        stacks["".join(map(str, lying(state, TimeTrack).track.order))] += 1
    assert is_fair(stacks, dict.fromkeys(stacks, 1 / 24))
    assert len(stacks) == 24
