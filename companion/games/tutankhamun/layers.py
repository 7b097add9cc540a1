"""Layers of cards: which layouts are legal, which piece is wrong, and how one is dealt with all equally likely.

A layout is a tuple of cards, row by row; an empty string is a place that is free, or a card nobody has seen. Two
layouts differ when some square shows another card, so a layout that can be read as obelisks in two ways counts once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from companion.game import Outcome
from companion.parts import changed
from companion.refusals import Illegal

Layout = tuple[str, ...]
Run = tuple[int, ...]

FREE = ""


class Picture(NamedTuple):
    """A picture that runs over several cards in a straight line."""

    name: str
    first: str
    middle: str
    last: str
    fewest: int
    most: int

    @property
    def pieces(self) -> tuple[str, str, str]:
        return self.first, self.middle, self.last

    def cards(self, middles: int) -> Layout:
        return (self.first, *[self.middle] * middles, self.last)


OBELISK = Picture("obelisk", "obelisk_base", "obelisk_middle", "obelisk_top", 0, 2)
SNAKE = Picture("snake", "snake_head", "snake_body", "snake_tail", 1, 1)
FIGURES = (OBELISK, SNAKE)
PIECES = (FREE, *OBELISK.pieces, *SNAKE.pieces)
CODE = {piece: code for code, piece in enumerate(PIECES)}


class LayerKind(msgspec.Struct, frozen=True):
    """The cards of a layer, and the side of the tray they are for.

    >>> kind = LayerKind.of(3, {"snake_head": 1, "snake_body": 1, "snake_tail": 1, "earth": 6})
    >>> len(patterns(kind))
    12
    """

    side: int
    cards: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, side: int, cards: Mapping[str, int]) -> LayerKind:
        return cls(side, tuple((card, count) for card, count in cards.items() if count))

    def count(self, card: str) -> int:
        return next((count for kind, count in self.cards if kind == card), 0)

    @property
    def size(self) -> int:
        return self.side * self.side

    @property
    def loose(self) -> tuple[tuple[str, int], ...]:
        """The cards that go anywhere."""
        return tuple((card, count) for card, count in self.cards if card not in CODE)

    @property
    def figured(self) -> LayerKind:
        """Its obelisks and snakes alone: layers that agree in these have the same patterns."""
        return LayerKind(self.side, tuple((card, count) for card, count in self.cards if card in CODE))

    @property
    def is_uniform(self) -> bool:
        """Whether there is but one way to lay it."""
        return len(self.cards) == 1


def square_names(side: int) -> tuple[str, ...]:
    """The squares row by row: a letter for the column, a number for the row, counted from the far side.

    >>> square_names(2)
    ('a1', 'b1', 'a2', 'b2')
    """
    return tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(side) for column in range(side))


def turned(layout: Layout, side: int, quarters: int) -> Layout:
    """A layout after quarter turns clockwise.

    >>> turned(("1", "2", "3", "4"), 2, 1)
    ('3', '1', '4', '2')
    """
    for _ in range(quarters % 4):
        layout = tuple(layout[(side - 1 - column) * side + row] for row in range(side) for column in range(side))
    return layout


@cache
def runs(side: int, length: int) -> tuple[Run, ...]:
    """Every straight run of so many squares, in each direction it can be read."""
    found = []
    for row in range(side):
        for start in range(side - length + 1):
            across = tuple(row * side + column for column in range(start, start + length))
            down = tuple(line * side + row for line in range(start, start + length))
            found += [across, across[::-1], down, down[::-1]]
    return tuple(found)


def patterns(kind: LayerKind) -> tuple[bytes, ...]:
    """Every way the obelisks and snakes of a layer can lie, each once: for each square, which of `PIECES` it shows.

    Their order is part of every record: what is drawn is a place in it.
    """
    return _patterns(kind.figured)


@cache
def _patterns(kind: LayerKind) -> tuple[bytes, ...]:
    boards = {bytes(kind.size)}
    for figure in FIGURES:
        boards = {
            whole
            for board in boards
            for whole in _with_figures(board, kind.side, figure, kind.count(figure.first), kind.count(figure.middle))
        }
    return tuple(sorted(boards))


def _with_figures(board: bytes, side: int, figure: Picture, count: int, middles: int) -> set[bytes]:
    """A board with so many more figures on it, which have so many middles between them."""
    if not count:
        return set() if middles else {board}
    most = min(figure.most, middles - (count - 1) * figure.fewest)
    fewest = max(figure.fewest, middles - (count - 1) * figure.most)
    return {
        whole
        for own in range(fewest, most + 1)
        for one in _with_one(board, side, figure, own)
        for whole in _with_figures(one, side, figure, count - 1, middles - own)
    }


def _with_one(board: bytes, side: int, figure: Picture, middles: int) -> Iterator[bytes]:
    codes = [CODE[card] for card in figure.cards(middles)]
    for run in runs(side, len(codes)):
        if not any(board[square] for square in run):
            one = bytearray(board)
            for square, code in zip(run, codes, strict=True):
                one[square] = code
            yield bytes(one)


def pattern_odds(kind: LayerKind) -> tuple[tuple[Outcome, int], ...]:
    """Every pattern by its place in `patterns`, all equally likely."""
    return _even(len(patterns(kind)))


@cache
def _even(count: int) -> tuple[tuple[Outcome, int], ...]:
    return tuple((index, 1) for index in range(count))


def with_pattern(kind: LayerKind, index: int) -> Layout:
    """The layer with its obelisks and snakes laid, and the other squares free."""
    return tuple(PIECES[code] for code in patterns(kind)[index])


def loose_left(kind: LayerKind, layout: Layout) -> tuple[tuple[Outcome, int], ...]:
    """Of the cards that go anywhere, how many of each are still to be laid."""
    left = [(card, count - layout.count(card)) for card, count in kind.cards if card not in CODE]
    return tuple([each for each in left if each[1]])


def odds_at(kind: LayerKind, shown: Layout, square: int) -> dict[str, int]:
    """How likely each card is on a square, for who remembers all that has come to light of a layer.

    As many of the layouts that are left show it there, up to a common factor. So a layer that comes to light card by
    card lies as one that was dealt at once. One that shows what no layout does, as it may where a card was put right,
    is held to its cards alone.

    >>> kind = LayerKind.of(3, {"snake_head": 1, "snake_body": 1, "snake_tail": 1, "earth": 6})
    >>> odds_at(kind, ("snake_head", "", "", "snake_body", "", "", "", "", ""), 6)
    {'snake_tail': 6}
    """
    lying = _lying(kind.figured, tuple((at, CODE.get(card, 0)) for at, card in enumerate(shown) if card), square)
    if not lying:
        left = ((card, count - shown.count(card)) for card, count in kind.cards)
        return {card: count for card, count in left if count}
    loose = {str(card): count for card, count in loose_left(kind, shown)}
    each, free = sum(loose.values()) or 1, lying.get(FREE, 0)
    figured = {card: count * each for card, count in lying.items() if card}
    return figured | {card: count * free for card, count in loose.items() if free}


@lru_cache(maxsize=256)
def _lying(kind: LayerKind, shown: tuple[tuple[int, int], ...], square: int) -> dict[str, int]:
    """Of the patterns that fit what is shown, how many have each piece on a square, or leave it free."""
    fitting = patterns(kind)
    for at, code in shown:
        fitting = tuple(pattern for pattern in fitting if pattern[at] == code)
    there = Counter(pattern[square] for pattern in fitting)
    return {piece: there[code] for code, piece in enumerate(PIECES) if there[code]}


def with_next(kind: LayerKind, layout: Layout, card: str) -> Layout:
    """The layer with a card on the first free square; the last card of all then lies by itself."""
    layout = _filled(layout, card)
    left = loose_left(kind, layout)
    if sum(count for _, count in left) == 1:
        return _filled(layout, str(left[0][0]))
    return layout


def _filled(layout: Layout, card: str) -> Layout:
    return changed(layout, layout.index(FREE), card)


def uniform(kind: LayerKind) -> Layout:
    """The one layout of a layer whose cards are all the same."""
    return (kind.cards[0][0],) * kind.size


def random_layout(kind: LayerKind, luck: random.Random) -> Layout:
    """Some legal layout, each as likely as any other."""
    layout = with_pattern(kind, luck.randrange(len(patterns(kind))))
    loose = [card for card, count in kind.loose for _ in range(count)]
    luck.shuffle(loose)
    return tuple(card or loose.pop() for card in layout)


def with_card(layers: tuple[Layout, ...], layer: int, at: int, card: str) -> tuple[Layout, ...]:
    """The layers with a card on one square of one of them."""
    if layers[layer][at] == card:
        return layers
    return changed(layers, layer, changed(layers[layer], at, card))


def fault(kind: LayerKind, layout: Layout) -> Illegal | None:
    """What is wrong with a layout, or None: the number of cards, which cards they are, then the pictures on them."""
    if len(layout) != kind.size:
        return Illegal("tutankhamun.layer_size", rule="TUT-02", n=kind.size, laid=len(layout))
    figures = (_wrong_figure(kind.side, layout, figure) for figure in FIGURES)
    return _wrong_cards(kind, layout) or next((wrong for wrong in figures if wrong), None)


def _wrong_cards(kind: LayerKind, layout: Layout) -> Illegal | None:
    given, laid = dict(kind.cards), Counter(layout)
    for square, card in zip(square_names(kind.side), layout, strict=True):
        if card not in given:
            return Illegal("tutankhamun.layer_stranger", rule="TUT-02", card=card, square=square)
    for card, count in kind.cards:
        if laid[card] != count:
            return Illegal("tutankhamun.layer_count", rule="TUT-02", card=card, laid=laid[card], n=count)
    return None


def _wrong_figure(side: int, layout: Layout, figure: Picture) -> Illegal | None:
    wanted = {square for square, card in enumerate(layout) if card in figure.pieces}
    whole = [
        frozenset(run)
        for middles in range(figure.fewest, figure.most + 1)
        for run in runs(side, middles + 2)
        if tuple(layout[square] for square in run) == figure.cards(middles)
    ]
    names = square_names(side)
    for piece in figure.pieces:
        for square in sorted(wanted):
            if layout[square] == piece and not any(square in run for run in whole):
                key = f"tutankhamun.{figure.name}_broken"
                return Illegal(key, rule="TUT-04", card=piece, square=names[square])
    for square in sorted(wanted - _best_cover(whole)):
        key = f"tutankhamun.{figure.name}_left_over"
        return Illegal(key, rule="TUT-04", card=layout[square], square=names[square])
    return None


def _best_cover(whole: list[frozenset[int]]) -> frozenset[int]:
    """The most squares that figures without a common card can take up."""
    best: frozenset[int] = frozenset()
    for index, run in enumerate(whole):
        apart = [other for other in whole[index + 1 :] if not other & run]
        best = max(best, run | _best_cover(apart), key=len)
    return best
