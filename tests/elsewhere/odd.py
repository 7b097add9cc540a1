"""A shelf of odd games: each is a folder like any other, written from one text and what makes it odd."""

from __future__ import annotations

import random
import re
from pathlib import Path

from companion import games
from companion.play import golden
from companion.terminal.authors import SKELETON
from companion.words import LANGUAGES

RULES = Path(__file__).with_name("odd_rules.py")
ODD = {
    "solitaire": "seats=(1, 1), drawn='open'",
    "crowd": "seats=(12, 12), rounds=1",
    "three": "seats=(3, 3)",
    "bids": "seats=(2, 4), together=True",
    "bids_and_cards": "seats=(2, 3), together=True, drawn='open'",
    "bids_for_own": "seats=(2, 2), together=True, drawn='own'",
    "no_draw": "rounds=2",
    "own_cards": "drawn='own'",
    "buried": "drawn='hidden', rounds=6",
    "turned_up": "drawn='hidden', rounds=8, turned_up=True",
    "endless": "rounds=0, drawn='open'",
    "never_wrong": "corrections=False",
    "chosen": "options=(Option('lively', (True, False), True),)",
}
"""What makes each of them odd."""
WORDS = """title = "{title}"
no_number = "Say a number from 1 to {{most}}."
no_points = "Nobody has so many points."
none_buried = "Nothing lies buried."
said_already = "You have said your number."

[log]
say = "{{who}} says {{number}}"
bid = "{{who}} says a number, covered"
card = "A card: {{n}}"
card_unseen = "A card, face down"
turn_up = "{{who}} turns up what lay buried"
has = "{{seat}} has {{points}} points"

[ask]
cards = "A card"

[name]
cards = "cards"
round = "round"
seats = "players"
seen = "seen"
said = "said"
path = "buried"

[score]
points = "Points"

[correction]
has = "Other points"

[field]
points = "Points"

[option]
lively = "Lively"

[bots]
empty = "the end"

[rules.game]
title = "The game"
ODD-01 = "One says a number; most alone has a point."
ODD-02 = "Where it is in secret, all say theirs at once."
ODD-03 = "Then a card may be drawn."
ODD-04 = "It lasts some rounds."

[rulings]
ODD-04 = "Or for ever."
"""
LEDGER = """# {title}

- ODD-01 One says a number; most alone has a point.
- ODD-02 Where it is in secret, all say theirs at once.
- ODD-03 Then a card may be drawn.
- ODD-04 It lasts some rounds. **Ruling:** or for ever.
"""


def write(shelf: Path) -> list[Path]:
    """Write them all, each with a golden game; their folders."""
    folders = [_write(shelf / f"odd_{name}", spec) for name, spec in ODD.items()]
    games.look_in(str(shelf))
    for folder in folders:
        (folder / "golden").mkdir()
        played = golden.at_random(folder.name, random.Random(1))
        (folder / "golden" / "one.json").write_bytes(golden.encode(played))
    return folders


def _write(folder: Path, spec: str) -> Path:
    folder.mkdir()
    name, title = folder.name, folder.name.replace("_", " ")
    called = "".join(map(str.capitalize, name.split("_")))
    used = {"say": "together" not in spec, "bid": "together" in spec, "card": "'open'" in spec}
    used |= {"card_unseen": "'own'" in spec or "'hidden'" in spec, "cards": "drawn" in spec}
    used |= {"has": "corrections" not in spec, "lively": "lively" in spec, "no_points": "corrections" not in spec}
    used |= dict.fromkeys(("turn_up", "none_buried"), "turned_up" in spec)
    used["points"] = True
    for file in ("__init__.py", "box.py"):
        text = (SKELETON / file).read_text("utf-8").replace("newgame", name).replace("NewGame", called)
        text = re.sub(r"def _course.*?return COURSE\n", "", text, flags=re.DOTALL).replace(", course=_course", "")
        (folder / file).write_text(text.replace('"NEW"', '"ODD"'), "utf-8")
    seats = re.search(r"seats=\((\d+), (\d+)\)", spec)
    least, most = seats.groups() if seats else ("2", "2")
    box = (folder / "box.py").read_text("utf-8").split("    pebbles:")[0].replace("(2, 4)", f"({least}, {most})")
    (folder / "box.py").write_text(
        box.replace("Box, Count, Name", "Box").replace("from collections.abc import Mapping\n", "")
    )
    (folder / "box.toml").write_text(
        f'title = "{title}"\nrulings = ["ODD-04"]\n\n[from]\n"" = "rules"\n\n[seats]\nmin = {least}\nmax = {most}\n'
    )
    rules = RULES.read_text("utf-8").replace('"odd.', f'"{name}.')
    (folder / "rules.py").write_text(f"{rules}\n\n{MADE.format(called=called, spec=spec)}", "utf-8")
    (folder / "RULES.md").write_text(LEDGER.format(title=title))
    (folder / "words").mkdir()
    for language in LANGUAGES:
        (folder / "words" / f"{language}.toml").write_text(_words(title, used), "utf-8")
    return folder


MADE = """class {called}(OddGame):
    _odd = Odd({spec})
    endless = not _odd.rounds
    options = _odd.options
    acts = (Bid,) if _odd.together else (Say, TurnUp) if _odd.turned_up else (Say,)
    draws = {{"nothing": (), "open": (OpenCard(),), "own": (OwnCard(),), "hidden": (BuriedCard(),)}}[_odd.drawn]
    corrections = (Has,) if _odd.corrections else ()
    randomizers = ("cards",) if _odd.drawn != "nothing" else ()
"""


def _words(title: str, used: dict[str, bool]) -> str:
    """The sentences that such a game says."""
    lines = WORDS.format(title=title).split("\n")
    return "\n".join(line for line in lines if used.get(line.partition(" =")[0], True))
