"""Letters: which can write what, how wide it comes out, and how a text is laid on lines."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import resources

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

FACES = {
    "title": ("marcellus-400.woff2", "DejaVuSerif.ttf", "NotoSerifCJK-Regular.ttc", "DroidSansFallbackFull.ttf"),
    "plain": ("alegreya-sans-500.woff2", "DejaVuSans.ttf", "NotoSansCJK-Regular.ttc", "DroidSansFallbackFull.ttf"),
    "bold": ("alegreya-sans-700.woff2", "DejaVuSans-Bold.ttf", "NotoSansCJK-Bold.ttc", "DroidSansFallbackFull.ttf"),
}
"""Our letters, as on the screens, and what a machine may have for those they lack."""
PILLOWS_OWN = ""
"""What comes with Pillow: it has few letters, but it is always there."""
PLAINER = {"ß": "ss", "’": "'", "–": "-", "−": "-"}
"""What is written where no letters have these; others lose their accents."""
OTHERS = 0.88
"""Other letters are larger than ours in the same size, so they are set so much smaller."""
NOBODYS = "\U0010ffff"
"""Never a letter: what is drawn for it is drawn for every letter that is not there."""
GOES_ALONG = frozenset({"Zs", "Mn", "Me", "Cf"})
"""Spaces, accents and joiners are written in whatever the letter before them is."""


def length(face: str, size: int, said: str) -> float:
    """How wide a text comes out."""
    return sum(font.getlength(part) for font, part in runs_of(face, size, said))


def runs_of(face: str, size: int, said: str) -> Iterator[tuple[Font, str]]:
    """A text in pieces, each in letters that can write it, words in one kind; what none here can write is left out."""
    run, file = "", _main(face)
    for piece in re.findall(r"\s+|\S+", writable(face, said)):
        for part in [piece] if file_with(face, piece) is not None else piece:
            wanted = file if goes_along(part) else file_with(face, part) or file
            if wanted != file and run:
                yield font_of(file, size), run
                run = ""
            run, file = run + part, wanted
    yield font_of(file, size), run


def writable(face: str, said: str) -> str:
    """As much of a text as letters here can write, without accents where that helps.

    >>> writable("plain", "Zoë\U0010fffe")
    'Zoë'
    """
    return "".join(_plainer(face, letter) for letter in said)


def _plainer(face: str, letter: str) -> str:
    if goes_along(letter) or file_with(face, letter) is not None:
        return letter
    plain = PLAINER.get(letter) or unicodedata.normalize("NFKD", letter)
    return "".join(each for each in plain if not goes_along(each) and file_with(face, each) is not None)


def goes_along(part: str) -> bool:
    """Whether it is written in whatever stands before it."""
    return all(unicodedata.category(letter) in GOES_ALONG for letter in part)


def middle_to_base(face: str, size: int) -> float:
    """How far below the middle of a line its letters stand."""
    above, below = font_of(_main(face), size).getmetrics()  # type: ignore[union-attr]
    return (above - below) / 2


def _main(face: str) -> str:
    """The letters that most of a text is written in."""
    return file_with(face, "a") or PILLOWS_OWN


@lru_cache(maxsize=1024)
def file_with(face: str, word: str) -> str | None:
    """The first letters of a face that can write a whole word; None where none can."""
    files = (*FACES[face], PILLOWS_OWN)
    return next((file for file in files if all(_has(file, letter) for letter in word)), None)


@lru_cache(maxsize=1024)
def _has(file: str, letter: str) -> bool:
    try:
        font = font_of(file, 40)
    except OSError:  # not installed, or a library that cannot unpack it
        return False
    return goes_along(letter) or bytes(font.getmask(letter)) != bytes(font.getmask(NOBODYS))


@lru_cache(maxsize=128)
def font_of(file: str, size: int) -> Font:
    """Letters in a size.

    :raises OSError: if they are not installed.
    """
    if file == PILLOWS_OWN:
        return ImageFont.load_default(size)
    ours = resources.files(__package__).joinpath("letters", file)
    if ours.is_file():
        return ImageFont.truetype(io.BytesIO(ours.read_bytes()), size)
    return ImageFont.truetype(file, OTHERS * size)


def broken(said: str) -> list[str]:
    """A text on two lines, if it has a space or a hyphen to break at.

    >>> broken("Maximiliane von und zu")
    ['Maximiliane', 'von und zu']
    >>> broken("Anne-Sophie"), broken("Ada")
    (['Anne-', 'Sophie'], ['Ada'])
    """
    cuts = [at + 1 for at, letter in enumerate(said) if letter in " -" and 0 < at < len(said) - 1]
    if not cuts:
        return [said]
    cut = min(cuts, key=lambda at: abs(at - len(said) / 2))
    return [said[:cut].rstrip(), said[cut:]]


def fitted(said: str, face: str, room: float, shapes: Iterable[tuple[int, int]]) -> tuple[int, list[str]]:
    """A text in the first of these sizes, on so many lines at most, in which it has room; the answer is size and lines.

    A word is parted only where no size has room for the whole of it.
    """
    shapes = list(shapes)
    for parted in (False, True):
        for size, most in shapes:
            even = broken(said) if most == 2 else [said]
            if max(length(face, size, line) for line in even) <= room:
                return size, even
            lines = filled(said, face, size, [room] * most, parted=parted)
            if lines is not None:
                return size, lines
    return shapes[-1][0], [said]


def filled(said: str, face: str, size: int, rooms: Sequence[float], *, parted: bool = False) -> list[str] | None:
    """A text on as many of these lines as it takes, each filled up to its room; None where there are too few.

    :param parted: a word that is too long for its line may be parted.
    """
    lines: list[str] = []
    for room in rooms:
        line, said = _first_line(said, face, size, room, parted)
        lines.append(line)
        if not said or not line:
            break
    return None if said else lines


def _first_line(said: str, face: str, size: int, room: float, parted: bool) -> tuple[str, str]:
    """As much of a text as has room, and the rest."""

    def fits(line: str) -> bool:
        return length(face, size, line) <= room

    ends = [found.end() for found in re.finditer(r"[\s-]+|$", said)]
    fitting = [end for end in ends if fits(said[:end].rstrip())]
    if fitting or not parted:
        end = max(fitting, default=0)
        return said[:end].rstrip(), said[end:].lstrip()
    end = max((at for at in range(1, len(said)) if fits(_hyphened(said[:at]))), default=0)
    return _hyphened(said[:end]), said[end:]


def _hyphened(part: str) -> str:
    """The first part of a word: with a hyphen in alphabets that have small letters."""
    return f"{part}-" if part[-1:].islower() else part
