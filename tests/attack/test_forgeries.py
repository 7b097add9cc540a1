"""Forty forgeries of a record, held against three verifiers: `digside verify`, a phone, and a stranger's program.

Each is made by somebody who can read the disk, knows the secret, and makes the chain fit where that is of use.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser

from companion.play import proof as proofs
from companion.play import record as records
from companion.play.members import after
from companion.refusals import Malformed
from companion.terminal import commands
from tests.attack import games_seen, stranger
from tests.attack.games_seen import OTHER, Seen
from tests.attack.phone import proved_by_phone
from tests.core.devices import Device

NEW_SEAL = hashlib.sha256(OTHER).hexdigest()
Forge = Callable[[Seen], Seen]
FORGERIES: dict[str, tuple[str, Forge, str | None]] = {}
"""By name: of which game, how it is made, and for which reason it does not pass."""


def forgery(reason: str, of: str = "toolbox") -> Callable[[Forge], Forge]:
    """A forgery, and why it does not pass."""

    def named(forge: Forge) -> Forge:
        name = f"{(forge.__doc__ or '').strip().rstrip('.')} ({of})"
        assert name not in FORGERIES, name
        FORGERIES[name] = (of, forge, reason)
        return forge

    return named


# What is no record as they are written.


@forgery("form")
def _(game: Seen) -> Seen:
    """An entry is missing, and its number with it."""
    del game.entries[3]
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """An entry is there twice."""
    game.entries.insert(3, game.entries[3])
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """An entry is of a kind that there is not."""
    game.of("correct")["entry"]["kind"] = "cheat"
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """An entry says more than its kind does."""
    game.of("outcome")["entry"]["instead"] = 6
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """What is absent is null."""
    game.of("join")["entry"]["part"] = None
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """What an entry has to say is absent."""
    del game.of("outcome")["entry"]["draw"]
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """A number is larger than JSON tells for certain."""
    game.of("move", 1)["entry"]["move"]["points"] = 2**53
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """A step back leads to what is yet to come."""
    game.of("undo")["entry"]["to"] = len(game.entries)
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """The chain is of a version that nobody knows."""
    game.record["laid"]["chain"] = 3
    return game.linked()


@forgery("form")
def _(game: Seen) -> Seen:
    """The luck is of a version that nobody knows."""
    game.record["laid"]["luck"] = 3
    return game.linked()


def with_field(kind: str, name: str, value: object, of: str = "toolbox") -> None:
    """An entry of a kind whose field is not what it should be."""

    def forge(game: Seen) -> Seen:
        game.of(kind)["entry"][name] = value
        return game.linked().without_heads()

    forge.__doc__ = f"The {name} of a {kind} is {json.dumps(value)}"
    forgery("form", of)(forge)


with_field("outcome", "by", "host")
with_field("move", "by", "somebody")
with_field("undo", "again", value=False)
with_field("join", "tip", ["ab" * 32])
with_field("join", "seat", "0")
with_field("outcome", "outcome", [6])
with_field("move", "seat", value=True)
with_field("correct", "correction", None)
with_field("open", "pinch", "", of="older")
with_field("leave", "house", "a" * 65, of="moved")


@forgery("form")
def _(game: Seen) -> Seen:
    """How it was laid says more than there is to say."""
    game.record["laid"]["honest"] = True
    return game.linked().without_heads()


@forgery("form", of="older")
def _(game: Seen) -> Seen:
    """The chain is of a version that is no number."""
    game.record["laid"]["chain"] = True
    return game.linked().without_heads()


@forgery("form")
def _(game: Seen) -> Seen:
    """An entry was made before there was time."""
    game.entries[4]["at"] = -1
    return game.linked().without_heads()


# What was dealt from another secret, or cannot be opened.


@forgery("secret")
def _(game: Seen) -> Seen:
    """It is another secret."""
    game.record["secret"] = OTHER.hex()
    return game


@forgery("secret")
def _(game: Seen) -> Seen:
    """There is no secret."""
    game.record["secret"] = None
    return game


@forgery("secret")
def _(game: Seen) -> Seen:
    """An entry is masked."""
    game.of("move", 1)["entry"] = {"kind": "masked", "seat": 0}
    return game


# What was changed by hand.


@forgery("chain")
def _(game: Seen) -> Seen:
    """Somebody else sat there."""
    game.record["laid"]["setup"]["seats"][0]["name"] = "Eve"
    return game


@forgery("chain")
def _(game: Seen) -> Seen:
    """It was at another hour."""
    game.entries[4]["at"] += 1
    return game


@forgery("chain")
def _(game: Seen) -> Seen:
    """The last entry is left out."""
    game.entries.pop()
    return game


@forgery("chain")
def _(game: Seen) -> Seen:
    """There is no head."""
    game.record["head"] = None
    return game


@forgery("chain")
def _(game: Seen) -> Seen:
    """There is said to be no chain, and there is a head."""
    game.record["laid"]["chain"] = 0
    return game


# Other luck than what was sealed.


@forgery("seal")
def _(game: Seen) -> Seen:
    """The table was laid under another seal."""
    game.record["laid"]["seal"] = NEW_SEAL
    return game.dealt(OTHER)


def under_another_seal(game: Seen, at: int = 0) -> Seen:
    """From some entry on the luck was another's, who knows that secret."""
    stirs = {"join", "tell"}
    game.entries[:] = [line for line in game.entries if line["entry"]["kind"] not in stirs]
    return game.numbered().with_entry(at, {"kind": "seal", "seal": NEW_SEAL}).dealt(OTHER)


@forgery("seal")
def _(game: Seen) -> Seen:
    """A seal is put in at the beginning."""
    return under_another_seal(game)


@forgery("seal")
def _(game: Seen) -> Seen:
    """A seal is put in, where the seal alone was seen."""
    return under_another_seal(game).without_heads()


@forgery("unseen")
def _(game: Seen) -> Seen:
    """A seal is put in, where nothing but how the table was laid was seen."""
    return under_another_seal(game)._replace(seen={"seal": None, "heads": game.seen["heads"][:1], "parts": []})


@forgery("unseen")
def _(game: Seen) -> Seen:
    """A seal is put in, where nothing was seen."""
    return under_another_seal(game).unseen()


# Another game, by whoever can read the disk, than the one of which heads were seen.


@forgery("head")
def _(game: Seen) -> Seen:
    """The chain is taken off."""
    game.record["laid"]["chain"] = 0
    return game.linked()


@forgery("head", of="older")
def _(game: Seen) -> Seen:
    """The chain is taken off."""
    del game.record["laid"]["chain"]
    return game.linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """Others sat there."""
    game.record["laid"]["setup"]["seats"][0]["name"] = "Eve"
    return game.linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """It was laid on another day."""
    game.record["laid"]["at"] = 1
    return game.linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """It is the record of another table."""
    game.record["laid"]["table"] = "xxxxx"
    return game.linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """Points that were given are left out."""
    game.entries.remove(game.of("move", 1))
    return game.numbered().linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """A roll is said to have been the table's."""
    game.of("outcome")["entry"].update(by="table", outcome=6)
    return game.linked()


@forgery("head")
def _(game: Seen) -> Seen:
    """Devices joined with other tips."""
    game.seen["parts"] = []
    other = Device("0")
    game.of("join", 1)["entry"]["tip"] = other.value
    for line in game.entries:
        if line["entry"]["kind"] == "tell" and line["entry"].get("seat") == 0:
            line["entry"]["part"] = other.next()
    return game.dealt()


@forgery("head")
def _(game: Seen) -> Seen:
    """That it was put back from a backup is put in."""
    return game.with_entry(8, {"kind": "restore"}).linked()


@forgery("head", of="moved")
def _(game: Seen) -> Seen:
    """That it was elsewhere is left out."""
    game.entries[:] = [line for line in game.entries if line["entry"]["kind"] not in {"leave", "arrive", "stay"}]
    return game.numbered().linked()


# What a device added to the luck, which remembers that and no head.


@forgery("part")
def _(game: Seen) -> Seen:
    """This device joined with another tip."""
    game.seen["heads"] = []
    other = Device("0")
    game.of("join", 1)["entry"]["tip"] = other.value
    for line in game.entries:
        if line["entry"]["kind"] == "tell" and line["entry"].get("seat") == 0:
            line["entry"]["part"] = other.next()
    return game.dealt()


@forgery("part")
def _(game: Seen) -> Seen:
    """Another took the place of this device."""
    game.seen["heads"] = []
    return game.with_entry(len(game.entries) - 1, {"kind": "join", "by": "seat", "seat": 0, "tip": "ab" * 32}).dealt()


# What follows what nothing follows.


@forgery("end")
def _(game: Seen) -> Seen:
    """A step follows the end."""
    at = game.entries[-1]["at"]
    move = {"by": "host", "kind": "move", "move": {"points": 9, "seat": 0, "type": "award"}, "seat": 0}
    game.entries.append({"seq": len(game.entries) + 1, "at": at, "entry": move})
    return game.linked()


@forgery("end", of="by itself")
def _(game: Seen) -> Seen:
    """A step follows the end."""
    return game.with_entry(len(game.entries), game.of("move")["entry"]).linked()


@forgery("end", of="older")
def _(game: Seen) -> Seen:
    """A step follows the end."""
    return game.with_entry(len(game.entries), game.of("move")["entry"]).linked()


@forgery("end")
def _(game: Seen) -> Seen:
    """A seal follows the end."""
    game.record["secret"] = OTHER.hex()
    return game.with_entry(len(game.entries), {"kind": "seal", "seal": NEW_SEAL}).linked(OTHER).unseen()


@forgery("end", of="confirmed")
def _(game: Seen) -> Seen:
    """Whoever made the report confirmed it."""
    settled = game.entries[-1]["entry"]
    settled["seat"] = 1 - settled["seat"]
    return game.linked().without_heads()


@forgery("end", of="confirmed")
def _(game: Seen) -> Seen:
    """Nobody confirmed it."""
    game.entries.pop()
    return game.linked().without_heads()


@forgery("end")
def _(game: Seen) -> Seen:
    """It is cut short, and was not over there."""
    game.entries.pop()
    return game.linked().without_heads()


@forgery("end")
def _(game: Seen) -> Seen:
    """It says itself that it is not over."""
    game.record["over"] = False
    return game


@forgery("end", of="older")
def _(game: Seen) -> Seen:
    """It ended by an entry that there was not then."""
    game.entries[-1]["entry"] = {"kind": "end"}
    return game.linked().without_heads()


@forgery("end", of="moved")
def _(game: Seen) -> Seen:
    """Somebody played while it was on its way."""
    leaves = game.of("leave", 1)["seq"]
    return game.with_entry(leaves, {"kind": "correct", "correction": {"type": "points"}}).linked().without_heads()


@forgery("end", of="moved")
def _(game: Seen) -> Seen:
    """It arrived by another ticket than it left by."""
    game.of("arrive")["entry"]["ticket"] = "another"
    return game.linked().without_heads()


@forgery("end")
def _(game: Seen) -> Seen:
    """It arrived, and had not left."""
    return game.with_entry(5, {"kind": "arrive", "ticket": "from nowhere at all"}).linked().without_heads()


# What was stirred otherwise than was promised.


@forgery("stir")
def _(game: Seen) -> Seen:
    """A device told what is not its next value."""
    game.of("tell")["entry"]["part"] = "ab" * 32
    return game.linked().without_heads()


@forgery("stir")
def _(game: Seen) -> Seen:
    """A device told a value that nobody waited for."""
    tells = game.of("tell", 2)
    return game.with_entry(tells["seq"], dict(tells["entry"])).linked().without_heads()


@forgery("stir")
def _(game: Seen) -> Seen:
    """A device joined as one that it is not."""
    joins = {"kind": "join", "by": "seat", "seat": 0, "tip": "ab" * 32, "part": "cd" * 32}
    return game.with_entry(len(game.entries) - 1, joins).linked().without_heads()


@forgery("stir")
def _(game: Seen) -> Seen:
    """A device joined anew before anything was drawn."""
    joins = game.of("join", 3)
    return game.with_entry(joins["seq"], {**joins["entry"], "tip": "ab" * 32}).linked().without_heads()


@forgery("stir")
def _(game: Seen) -> Seen:
    """Somebody stirred as in older tables."""
    return game.with_entry(8, {"kind": "stir", "by": "host", "pinch": "x", "since": 5}).linked().without_heads()


@forgery("stir", of="older")
def _(game: Seen) -> Seen:
    """The pinch that was told is not the one that was promised."""
    game.of("open")["entry"]["pinch"] = "a better one"
    return game.linked().without_heads()


@forgery("stir", of="older")
def _(game: Seen) -> Seen:
    """Somebody joined whose pinch was chosen when others were told."""
    told = game.of("open")["seq"]
    pinch = {"kind": "commit", "by": "host", "commit": "ab" * 32}
    return game.with_entry(told, pinch).linked().without_heads()


@forgery("stir", of="older")
def _(game: Seen) -> Seen:
    """A stir reaches back to a draw that was seen."""
    last = game.of("move", 1)["seq"] - 1
    return game.with_entry(last, {"kind": "stir", "by": "host", "pinch": "x", "since": 0}).linked().without_heads()


# What fell otherwise than it had to.


@forgery("draw")
def _(game: Seen) -> Seen:
    """A die shows another number."""
    fell = game.of("outcome")["entry"]
    fell["outcome"] = fell["outcome"] % 6 + 1
    return game.linked().without_heads()


@forgery("draw")
def _(game: Seen) -> Seen:
    """A draw was taken for another, whose number pleased."""
    line = game.of("outcome")
    line["entry"]["draw"] = 77
    next(draw for draw in game.draws["draws"] if draw["seq"] == line["seq"])["draw"] = 77
    return game.linked().without_heads()


@forgery("draw")
def _(game: Seen) -> Seen:
    """All was dealt as if nobody had stirred."""
    return game.dealt(stirred=False).without_heads()


@forgery("draw", of="older")
def _(game: Seen) -> Seen:
    """All was dealt as if nobody had stirred."""
    return game.dealt(stirred=False).without_heads()


@forgery("draw")
def _(game: Seen) -> Seen:
    """Something fell that nobody had asked for."""
    count = sum(line["entry"]["kind"] == "outcome" for line in game.entries) - 1
    fell = {"kind": "outcome", "by": "companion", "draw": count, "outcome": 6}
    return game.with_entry(len(game.entries) - 1, fell).linked().without_heads()


# Luck that somebody could choose, and the record says so.


@forgery("taken")
def _(game: Seen) -> Seen:
    """Every device that had stirred was put out by another."""
    at = len(game.entries) - 1
    for seat, joins in ((None, "ab" * 32), (0, "cd" * 32), (1, "ef" * 32), (2, "ba" * 32)):
        by = {"by": "host"} if seat is None else {"by": "seat", "seat": seat}
        game = game.with_entry(at, {"kind": "join", "tip": after(after(after(joins))), **by})
        at += 1
    for seat, value in ((None, after(after("ab" * 32))), (0, after(after("cd" * 32))), (1, after(after("ef" * 32)))):
        by = {"by": "host"} if seat is None else {"by": "seat", "seat": seat}
        game = game.with_entry(at, {"kind": "tell", "part": value, **by})
        at += 1
    return game.dealt().without_heads()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """Honest games."""
    return games_seen.all_of(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="module")
def cases(played: dict[str, Seen]) -> dict[str, tuple[Seen, str | None]]:
    """Every game as it was, and every forgery, with why it does not hold."""
    made: dict[str, tuple[Seen, str | None]] = {f"honest ({name})": (game, None) for name, game in played.items()}
    made |= {f"unseen ({name})": (game.unseen(), None) for name, game in played.items()}
    for name, (of, forge, reason) in FORGERIES.items():
        forged = forge(played[of].copy())
        assert forged != played[of], name
        made[name] = (forged, reason)
    return made


def by_digside(game: Seen) -> str | None:
    """What `digside verify` finds."""
    noted = msgspec.convert({key: seen for key, seen in game.seen.items() if seen}, proofs.SeenHeads)
    try:
        return proofs.verify(records.decode(json.dumps(game.record).encode()), noted=noted).why
    except Malformed:
        return "form"


def by_stranger(game: Seen) -> str | None:
    """What a stranger finds."""
    try:
        stranger.verify(game.record, game.draws, game.seen)
    except stranger.Doubt as doubt:
        return str(doubt.args[0])
    return None


def test_there_are_forty() -> None:
    assert len(FORGERIES) >= 40


def test_each_is_found_by_digside_and_by_a_stranger_for_the_same_reason(
    cases: dict[str, tuple[Seen, str | None]],
) -> None:
    wanted = {name: reason for name, (_, reason) in cases.items()}
    assert {name: by_digside(game) for name, (game, _) in cases.items()} == wanted
    assert {name: by_stranger(game) for name, (game, _) in cases.items()} == wanted


@pytest.mark.browser
def test_each_is_found_by_a_phone_for_the_same_reason(
    cases: dict[str, tuple[Seen, str | None]], browser: Browser
) -> None:
    found = dict(zip(cases, proved_by_phone(browser, [game for game, _ in cases.values()]), strict=True))
    wanted = {name: reason for name, (_, reason) in cases.items()}
    assert {name: told["fault"] and told["fault"]["why"] for name, told in found.items()} == wanted
    honest = {name: told for name, told in found.items() if wanted[name] is None}
    for name, told in honest.items():
        game = cases[name][0]
        dealt = [line for line in game.entries if line["entry"].get("by") == "companion"]
        assert told["draws"] == len(dealt) == len(game.draws["draws"]), name
        assert told["moments"] == len(game.seen["heads"]), name


def test_none_passes_the_command(
    cases: dict[str, tuple[Seen, str | None]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, (game, reason) in cases.items():
        file = tmp_path / "record.json"
        file.write_text(json.dumps(game.record))
        noted = msgspec.convert({key: seen for key, seen in game.seen.items() if seen}, proofs.SeenHeads)
        try:
            passes = commands.prove(file, noted, "en") == 0
        except Malformed:
            passes = False
        assert passes == (reason is None), name
        assert ("Everything holds" in capsys.readouterr().out) <= passes, name


HEAVY = {"as a number": 2**53, "as text that is none": "0x20000000000000", "too much": str(2**64), "light as text": "7"}


@pytest.mark.browser
@pytest.mark.parametrize("how", HEAVY)
def test_odds_that_json_does_not_tell_for_certain_are_no_odds(
    played: dict[str, Seen], how: str, browser: Browser
) -> None:
    """Digside makes the odds anew; whoever is given them refuses such."""
    game = played["toolbox"].copy()
    game.draws["draws"][0]["odds"][0][1] = HEAVY[how]
    assert by_stranger(game) == "draw"
    (found,) = proved_by_phone(browser, [game])
    assert found["fault"]["why"] == "draw"
