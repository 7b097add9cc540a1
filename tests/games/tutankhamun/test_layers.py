"""Which layouts of a layer are legal, what is said of one that is not, and that all legal ones are equally likely."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games, trials
from companion.boxes import BoxProblem, owners
from companion.game import Chance, Dealt, Finished, Played, Seat, Setup, Turn
from companion.games.tutankhamun.layers import (
    LayerKind,
    Layout,
    fault,
    odds_at,
    patterns,
    random_layout,
    square_names,
    turned,
    with_pattern,
)
from companion.games.tutankhamun.moves import Lay
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.dealer import SealedDealer
from tests.games.tutankhamun.site import Site, box, game

DEALS = 400
OBELISKS = {"B": "obelisk_base", "M": "obelisk_middle", "T": "obelisk_top"}
SNAKE = {"h": "snake_head", "b": "snake_body", "t": "snake_tail"}
LETTERS = OBELISKS | SNAKE
LAYER_1, LAYER_2 = (LayerKind.of(4, box().layers[number]) for number in (1, 2))


def drawn(*rows: str) -> Layout:
    """Layer 2 in letters; dots take the cards that go anywhere, in their order."""
    loose = [card for card, count in LAYER_2.loose for _ in range(count)]
    return tuple(LETTERS.get(letter) or loose.pop(0) for letter in "".join(rows))


@pytest.mark.rule("TUT-04")
@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("BMT.", "TMB.", "hbt.", "...."), id="three and three"),
        pytest.param(("BMMT", "BT..", "hbt.", "...."), id="two and four"),
        pytest.param(("B..T", "M..M", "T..B", ".hbt"), id="upright, one on its head"),
        pytest.param(("tBMT", "bTMB", "h...", "...."), id="snake upright, tail first"),
        pytest.param(("B...", "MTMB", "T...", ".tbh"), id="crosswise"),
        pytest.param(("BMT.", "BMT.", "hbt.", "...."), id="side by side"),
    ],
)
def test_obelisks_and_snakes_lie_any_straight_way(rows: tuple[str, ...]) -> None:
    assert fault(LAYER_2, drawn(*rows)) is None
    site = Site(2, tray="laid")
    site.do(Lay(random_layout(LAYER_1, random.Random(1)))).do(Lay(drawn(*rows)))
    assert len(site.state.layers) == 2


@pytest.mark.rule("TUT-04")
@pytest.mark.parametrize(
    ("rows", "key", "card", "square"),
    [
        pytest.param(("B...", "MMT.", "BT..", ".hbt"), "obelisk_broken", "obelisk_base", "a1", id="round a corner"),
        pytest.param(("BMT.", "BM..", "hbt.", "T..."), "obelisk_broken", "obelisk_base", "a2", id="tip in a corner"),
        pytest.param(("MBTM", "BT..", "hbt.", "...."), "obelisk_broken", "obelisk_middle", "a1", id="shaft outside"),
        pytest.param(("BT.M", "BT.M", "hbt.", "...."), "obelisk_broken", "obelisk_middle", "d1", id="shafts unused"),
        pytest.param(("BMMT", "BT..", "hb.t", "...."), "snake_broken", "snake_head", "a3", id="gap in the snake"),
        pytest.param(("BMMT", "BT..", "hb..", ".t.."), "snake_broken", "snake_head", "a3", id="bent snake"),
        pytest.param(("BMMT", "BT..", "bht.", "...."), "snake_broken", "snake_head", "b3", id="head in the middle"),
        pytest.param(("BMT.", "B.MT", "hbt.", "...."), "obelisk_broken", "obelisk_base", "a2", id="gap in an obelisk"),
    ],
)
def test_a_broken_figure_is_refused_by_its_wrong_piece(rows: tuple[str, ...], key: str, card: str, square: str) -> None:
    wrong = fault(LAYER_2, drawn(*rows))
    assert wrong is not None
    assert (wrong.key, wrong.rule) == (f"tutankhamun.{key}", "TUT-04")
    assert wrong.facts == {"card": card, "square": square}
    site = Site(2, tray="laid").do(Lay(random_layout(LAYER_1, random.Random(1))))
    refusal = site.refused(Lay(drawn(*rows)))
    assert (refusal.key, refusal.rule) == (wrong.key, "TUT-04")
    assert square in refusal.said("de")


@pytest.mark.rule("TUT-04")
def test_a_piece_that_only_a_foot_wanted_elsewhere_could_use_is_left_over() -> None:
    # foot c1 can make an obelisk with a1 or with c3, but foot a2 needs the tip a1: the shaft b1 belongs to neither then
    wrong = fault(LAYER_2, drawn("TMB.", "B.M.", "..T.", ".hbt"))
    assert wrong is not None
    assert (wrong.key, wrong.rule) == ("tutankhamun.obelisk_left_over", "TUT-04")
    assert wrong.facts == {"card": "obelisk_middle", "square": "b1"}


@pytest.mark.rule("TUT-02", "TUT-03")
@pytest.mark.parametrize(
    ("layout", "key", "facts"),
    [
        (("earth",) * 15, "layer_size", {"n": 16, "laid": 15}),
        ((), "layer_size", {"n": 16, "laid": 0}),
        (("earth",) * 16, "layer_stranger", {"card": "earth", "square": "a1"}),
        (("scorpion",) * 16, "layer_count", {"card": "obelisk_base", "laid": 0, "n": 2}),
        (("",) * 16, "layer_stranger", {"card": "", "square": "a1"}),
    ],
)
def test_a_layer_is_laid_with_its_own_cards(layout: Layout, key: str, facts: dict[str, object]) -> None:
    wrong = fault(LAYER_2, layout)
    assert wrong is not None
    assert (wrong.key, wrong.rule, wrong.facts) == (f"tutankhamun.{key}", "TUT-02", facts)


@pytest.mark.rule("TUT-04")
def test_the_lowest_layer_lies_any_way() -> None:
    cards = [card for card, count in LAYER_1.cards for _ in range(count)]
    for seed in range(20):
        random.Random(seed).shuffle(cards)
        assert fault(LAYER_1, tuple(cards)) is None


# All layouts, found another way: by placing sets of squares instead of looking for runs.


@cache
def lines(side: int, length: int) -> tuple[tuple[int, ...], ...]:
    """Straight runs, by steps from every square in four directions."""
    found = []
    for x in range(side):
        for y in range(side):
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                run = [(x + dx * step, y + dy * step) for step in range(length)]
                if all(0 <= a < side and 0 <= b < side for a, b in run):
                    found.append(tuple(b * side + a for a, b in run))
    return tuple(found)


def all_figures(side: int, lengths: tuple[int, int]) -> set[frozenset[tuple[int, str]]]:
    """Every way two obelisks of these lengths and one snake can lie."""

    def placed(run: tuple[int, ...], letters: str) -> list[tuple[int, str]]:
        return list(zip(run, letters, strict=True))

    first, second = ("B" + "M" * (length - 2) + "T" for length in lengths)
    found = set()
    for one in lines(side, lengths[0]):
        for two in lines(side, lengths[1]):
            if set(one) & set(two):
                continue
            for snake in lines(side, 3):
                if not set(snake) & {*one, *two}:
                    found.add(frozenset(placed(one, first) + placed(two, second) + placed(snake, "hbt")))
    return found


@pytest.mark.rule("TUT-04")
def test_every_pattern_of_the_box_is_known_once() -> None:
    expected = all_figures(4, (3, 3)) | all_figures(4, (2, 4))
    known = set()
    for index in range(len(patterns(LAYER_2))):
        layout = with_pattern(LAYER_2, index)
        names = {card: letter for letter, card in LETTERS.items()}
        known.add(frozenset((at, names[card]) for at, card in enumerate(layout) if card))
    assert known == expected
    assert len(patterns(LAYER_2)) == len(expected) == 8064


@pytest.mark.rule("TUT-04")
def test_a_layout_that_can_be_read_in_two_ways_counts_once() -> None:
    kind = LayerKind.of(2, {"obelisk_base": 2, "obelisk_top": 2})
    assert len(patterns(kind)) == 6  # along the rows 4, along the columns 4, and 2 of them are the same


@pytest.mark.rule("TUT-04")
def test_a_record_finds_each_pattern_where_it_was() -> None:
    """A record holds the place of a pattern, so the order of all must never change."""
    digest = hashlib.sha256(b"".join(patterns(LAYER_2))).hexdigest()[:16]
    assert digest == "002c0e33148fa340"


SMALL = LayerKind.of(
    3, {"obelisk_base": 1, "obelisk_top": 1, "snake_head": 1, "snake_body": 1, "snake_tail": 1, "chain": 2, "falcon": 2}
)


def is_legal(layout: Layout, side: int = 3) -> bool:
    """One obelisk of two and one snake, by coordinates."""
    at = {card: divmod(layout.index(card), side) for card in (*OBELISKS.values(), *SNAKE.values()) if card in layout}
    base, top = at["obelisk_base"], at["obelisk_top"]
    head, body, tail = (at[card] for card in SNAKE.values())
    return (
        abs(base[0] - top[0]) + abs(base[1] - top[1]) == 1
        and abs(head[0] - body[0]) + abs(head[1] - body[1]) == 1
        and (head[0] + tail[0], head[1] + tail[1]) == (2 * body[0], 2 * body[1])
    )


def arrangements(cards: Counter[str], length: int) -> set[Layout]:
    """Every different order of some cards."""
    if not length:
        return {()}
    found = set()
    for card in [card for card, count in cards.items() if count]:
        rest = cards.copy()
        rest[card] -= 1
        found |= {(card, *others) for others in arrangements(rest, length - 1)}
    return found


@pytest.mark.rule("TUT-04")
def test_a_snake_has_one_body_and_an_obelisk_two_middles_at_most() -> None:
    def ways(head: str, middle: str, last: str, middles: int) -> int:
        cards = {head: 1, middle: middles, last: 1}
        return len(patterns(LayerKind.of(4, cards | {"earth": 14 - middles})))

    assert [ways("snake_head", "snake_body", "snake_tail", n) > 0 for n in range(4)] == [False, True, False, False]
    assert [ways("obelisk_base", "obelisk_middle", "obelisk_top", n) > 0 for n in range(4)] == [True] * 3 + [False]


@pytest.mark.rule("TUT-03", "TUT-04")
def test_the_check_and_the_dealing_agree_on_every_layout_of_a_small_tray() -> None:
    layouts = arrangements(Counter(dict(SMALL.cards)), 9)
    assert len(layouts) == 90_720
    legal = {layout for layout in layouts if is_legal(layout)}
    sample = random.Random(4).sample(sorted(layouts), 3_000)
    assert all((fault(SMALL, layout) is None) == (layout in legal) for layout in {*legal, *sample})
    assert {leaf.layers[0] for leaf in dealt_trays()} == {
        turned(layout, 3, quarters) for layout in legal for quarters in range(4)
    }


@cache
def dealt_trays() -> dict[TutankhamunState, Fraction]:
    """Every way the companion can deal and turn a tray with one small layer under a blank one, and how likely it is."""
    table = game(2)
    table.terms = replace(table.terms, squares=square_names(3), kinds=(SMALL, LayerKind.of(3, {"earth": 9})))
    leaves: dict[TutankhamunState, Fraction] = {}
    waiting = [(table.start(), Fraction(1))]
    while waiting:
        state, share = waiting.pop()
        ask = table.ask(state)
        if not isinstance(ask, Chance):
            leaves[state] = leaves.get(state, Fraction(0)) + share
            continue
        assert ask.hidden
        assert not ask.pressed
        total = sum(weight for _, weight in ask.odds)
        for outcome, weight in ask.odds:
            waiting.append((table.after(state, Dealt(outcome)), share * Fraction(weight, total)))
    return leaves


@pytest.mark.rule("TUT-03", "TBX-71")
def test_a_layer_that_comes_to_light_card_by_card_is_as_likely_as_one_dealt_at_once() -> None:
    """Whatever has come to light, each card is as likely as so many of the layouts that are left show it there."""
    legal = sorted({leaf.layers[0] for leaf in dealt_trays()})
    luck = random.Random(6)
    for _ in range(40):
        lies, share = luck.choice(legal), Fraction(1)
        left, shown = legal, [""] * 9
        for square in luck.sample(range(9), 9):
            odds = odds_at(SMALL, tuple(shown), square)
            seen = Counter(layout[square] for layout in left)
            total = sum(odds.values())
            assert {card: Fraction(n, total) for card, n in odds.items()} == {
                card: Fraction(n, len(left)) for card, n in seen.items()
            }
            shown[square] = lies[square]
            share *= Fraction(odds[lies[square]], total)
            left = [layout for layout in left if layout[square] == lies[square]]
        assert share == Fraction(1, len(legal))


@pytest.mark.rule("TUT-03", "TUT-05")
def test_every_legal_layout_is_dealt_with_exactly_the_same_chance() -> None:
    shares = Counter[tuple[Layout, int]]()
    leaves = dealt_trays()
    for state in leaves:
        shares[(state.layers[0], state.quarters)] += 1
    assert set(shares.values()) == {1}
    assert set(leaves.values()) == {Fraction(1, len(leaves))}


@pytest.mark.rule("TUT-40")
def test_neither_the_questions_nor_their_number_tell_where_a_card_lies() -> None:
    heard = set()
    for seed in range(8):
        site, questions = Site(2, tray="laid", seed=seed), []
        table = game(2)
        state = table.start()
        while isinstance(ask := table.ask(state), Chance):
            questions.append(ask.question)
            outcome = site.luck.choices([card for card, _ in ask.odds], [weight for _, weight in ask.odds])[0]
            state = table.after(state, Dealt(outcome))
        heard.add(tuple(questions))
    assert len(heard) == 1


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_a_random_layout_is_legal_and_stays_so_when_it_is_turned(seed: int, number: int) -> None:
    kind = LayerKind.of(4, box().layers[number])
    layout = random_layout(kind, random.Random(seed))
    for quarters in range(4):
        assert fault(kind, turned(layout, 4, quarters)) is None
    assert turned(layout, 4, 4) == layout


@given(st.integers(0, 2**32), st.data())
def test_two_cards_changed_about_are_judged_as_the_rulebook_would(seed: int, data: st.DataObject) -> None:
    """A layer with two cards exchanged is legal exactly where its figures can be placed as the list of all says."""
    layout = list(random_layout(LAYER_2, random.Random(seed)))
    one, two = data.draw(st.sampled_from(sorted(combinations(range(16), 2))))
    layout[one], layout[two] = layout[two], layout[one]
    figures = frozenset((at, card) for at, card in enumerate(layout) if card in LETTERS.values())
    assert (fault(LAYER_2, tuple(layout)) is None) == (figures in every_figure())


@cache
def every_figure() -> frozenset[frozenset[tuple[int, str]]]:
    found = all_figures(4, (3, 3)) | all_figures(4, (2, 4))
    return frozenset(frozenset((at, LETTERS[letter]) for at, letter in figures) for figures in found)


@cache
def sealed_trays() -> tuple[TutankhamunState, ...]:
    table, trays = game(2), []
    for number in range(DEALS):
        dealer, state, draw = SealedDealer(number.to_bytes(32, "big")), table.start(), 0
        while isinstance(ask := table.ask(state), Chance):
            state = table.after(state, Dealt(dealer.deal(draw, ask, ())))
            draw += 1
        trays.append(state)
    return tuple(trays)


def is_even(counts: Counter[str | int], shares: dict[str | int, float]) -> bool:
    """Chi-squared, against its mean and four standard deviations."""
    total, freedom = sum(counts.values()), len(shares) - 1
    chi = sum((counts[each] - total * share) ** 2 / (total * share) for each, share in shares.items())
    return abs(chi - freedom) < 4 * sqrt(2 * freedom)


@pytest.mark.rule("TUT-03", "TUT-04")
def test_every_dealt_layer_is_legal() -> None:
    kinds = game(2).terms.kinds
    for state in sealed_trays()[:100]:
        assert all(fault(kind, layer) is None for kind, layer in zip(kinds, state.layers, strict=True))


@pytest.mark.rule("TUT-03")
@pytest.mark.parametrize("square", [0, 5, 15])
def test_each_card_of_the_lowest_layer_lies_anywhere(square: int) -> None:
    kind = game(2).terms.kinds[0]
    counts = Counter[str | int](state.layers[0][square] for state in sealed_trays())
    assert is_even(counts, {card: count / 16 for card, count in kind.cards})


@pytest.mark.rule("TUT-03", "TUT-04")
def test_a_single_card_of_a_higher_layer_lies_as_often_in_each_corner() -> None:
    counts = Counter[str | int](
        corner
        for state in sealed_trays()
        for layer in state.layers[1:5]
        for corner in (0, 3, 12, 15)
        if layer[corner] == "scorpion"
    )
    assert is_even(counts, dict.fromkeys((0, 3, 12, 15), 1 / 4))


@pytest.mark.rule("TUT-05")
def test_each_quarter_turn_comes_as_often() -> None:
    counts = Counter[str | int](state.quarters for state in sealed_trays())
    assert is_even(counts, dict.fromkeys(range(4), 1 / 4))


@pytest.mark.rule("TUT-04")
@pytest.mark.parametrize("tray", ["dealt", "laid", "physical"])
def test_the_lowest_layer_has_obelisks_and_a_snake_where_an_owner_s_copy_has(tray: str, tmp_path: Path) -> None:
    """It is dealt, laid and dug as the others are; with some of the pieces alone it is no layer."""
    owners.write_figures(tmp_path, "tutankhamun", {"layers.1": dict(games.box("tutankhamun").layers[2])})  # type: ignore[attr-defined]
    own = games.box("tutankhamun", overrides=tmp_path)
    setup = Setup("tutankhamun", "referee", (Seat("Ada"), Seat("Ben")), options={"tray": tray})
    game = games.open_game(games.with_defaults(setup, own), own)
    state, luck = game.start(), random.Random(tray)
    while not isinstance(ask := game.ask(state), Finished):
        if isinstance(ask, Turn):
            state = game.after(state, Played(ask.seats[0], luck.choice(game.moves(state, ask.seats[0]).moves)))
            continue
        state = game.after(state, Dealt(trials.random_outcome(ask, luck)))
    board: Any = game.sees(state, None).board
    lowest = board["layers"][0]["cards"]
    assert lowest["obelisk_top"] == 2
    if tray != "physical":
        assert fault(LayerKind.of(4, own.layers[1]), state.layers[0]) is None  # type: ignore[attr-defined]
    with pytest.raises(BoxProblem):
        owners.write_figures(tmp_path, "tutankhamun", {"layers.1.snake_head": 0, "layers.1.falcon": 2})
