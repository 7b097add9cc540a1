"""Forgeries of a record, held against three verifiers: `digside verify`, a phone, and a stranger's program.

Each is made by somebody who can read the disk, knows the secret, and makes the chain fit where that is of use.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from playwright.sync_api import Browser

from companion.play import proof as proofs
from companion.play import record as records
from companion.play.hall import Hall
from companion.play.members import after
from companion.play.opening import box_of
from companion.play.record import Record
from companion.refusals import Malformed, Refusal
from companion.terminal import commands
from tests.attack import games_seen, stranger
from tests.attack.games_seen import OTHER, Seen
from tests.attack.phone import proved_by_phone
from tests.core.devices import Device

NEW_SEAL = hashlib.sha256(OTHER).hexdigest()


# How a forger goes on once something is changed.


def as_it_is(game: Seen) -> Seen:
    """Nothing else is touched."""
    return game


def linked(game: Seen) -> Seen:
    """The chain is made to fit, by whoever can read the disk."""
    return game.linked()


def alone(game: Seen) -> Seen:
    """The chain is made to fit, and nobody has seen a head of the real one."""
    return game.linked().without_heads()


def dealt(game: Seen) -> Seen:
    """All is dealt anew from the secret."""
    return game.dealt()


def dealt_alone(game: Seen) -> Seen:
    """All is dealt anew, and nobody has seen a head of the real one."""
    return game.dealt().without_heads()


def from_another(game: Seen) -> Seen:
    """All is dealt from another secret."""
    return game.dealt(OTHER)


def from_another_alone(game: Seen) -> Seen:
    """All is dealt from another secret, and nobody has seen a head of the real one."""
    return game.dealt(OTHER).without_heads()


def unstirred(game: Seen) -> Seen:
    """All is dealt as if nobody had stirred, and nobody has seen a head of the real one."""
    return game.dealt(stirred=False).without_heads()


class Forgery(NamedTuple):
    """What is done to a record, and for which reason it does not pass."""

    reason: str
    name: str
    edit: Callable[[Seen], object]
    then: Callable[[Seen], Seen] = linked
    of: str = "toolbox"


def with_field(kind: str, name: str, value: object, of: str = "toolbox") -> Forgery:
    """An entry of a kind whose field is not what it should be."""
    named = f"The {name} of a {kind} is {json.dumps(value)}"
    return Forgery("form", named, lambda it: it.of(kind)["entry"].update({name: value}), alone, of)


def put_in(before: int, kind: str, **fields: object) -> Callable[[Seen], object]:
    """An entry put in before another; counted from the end, where the number is negative."""
    return lambda it: it.with_entry(before % (len(it.entries) + 1), {"kind": kind, **fields})


def under_another_seal(game: Seen) -> None:
    """The luck was another's from the beginning, who knows that secret."""
    stirs = {"join", "tell"}
    game.entries[:] = [line for line in game.entries if line["entry"]["kind"] not in stirs]
    game.numbered().with_entry(0, {"kind": "seal", "seal": NEW_SEAL})


def nothing_but_the_laying(game: Seen) -> Seen:
    """Seen was how the table was laid, and nothing since."""
    return game.dealt(OTHER)._replace(seen={"seal": None, "heads": game.seen["heads"][:1], "parts": []})


def with_other_tips(game: Seen) -> None:
    """A device joined with another chain of values."""
    other = Device("0")
    game.of("join", 1)["entry"]["tip"] = other.value
    for line in game.entries:
        if line["entry"]["kind"] == "tell" and line["entry"].get("seat") == 0:
            line["entry"]["part"] = other.next()


def forgetting(what: str, edit: Callable[[Seen], object]) -> Callable[[Seen], object]:
    """Something is done, and the device remembers none of its heads, or of its parts."""

    def forget(game: Seen) -> None:
        game.seen[what] = []
        edit(game)

    return forget


def without_points(game: Seen) -> None:
    """Points that were given are left out."""
    game.entries.remove(game.of("move", 1))
    game.numbered()


def without(*kinds: str) -> Callable[[Seen], object]:
    """Some kinds of entries are left out, and the others counted anew."""

    def left_out(game: Seen) -> None:
        game.entries[:] = [line for line in game.entries if line["entry"]["kind"] not in kinds]
        game.numbered()

    return left_out


def dice_of_the_table(game: Seen) -> None:
    """Every outcome is said to have been the table's own, and a six."""
    game.record["laid"]["setup"]["sources"] = {"default": "table"}
    for line in game.entries:
        if line["entry"]["kind"] == "outcome":
            line["entry"].update(by="table", outcome=6)


def other_figures(game: Seen) -> None:
    """The mummies stand as the other plan of the rulebook has them."""
    plan = game.record["laid"]["box"]["plan"]
    plan["mummies"] = plan["alternative"]
    game.record["laid"]["box_digest"] = box_of(msgspec.convert(game.record, Record).laid).digest


MORE: tuple[tuple[str, dict[str, object]], ...] = (
    ("move", {"by": "host", "move": {"points": 9, "seat": 0, "type": "award"}, "seat": 0}),
    ("undo", {"by": "host", "to": 0}),
    ("join", {"by": "host", "tip": "ab" * 32}),
    ("end", {}),
)


def again_at_the_end(game: Seen) -> object:
    return game.with_entry(len(game.entries), game.of("move")["entry"])


def a_seal_after_the_end(game: Seen) -> None:
    game.record["secret"] = OTHER.hex()
    game.with_entry(len(game.entries), {"kind": "seal", "seal": NEW_SEAL})


def joined_anew(game: Seen) -> None:
    joins = game.of("join", 3)
    game.with_entry(joins["seq"], {**joins["entry"], "tip": "ab" * 32})


def told_twice(game: Seen) -> None:
    tells = game.of("tell", 2)
    game.with_entry(tells["seq"], dict(tells["entry"]))


def another_number(game: Seen) -> None:
    fell = game.of("outcome")["entry"]
    fell["outcome"] = fell["outcome"] % 6 + 1


def another_draw(game: Seen) -> None:
    line = game.of("outcome")
    line["entry"]["draw"] = 77
    next(draw for draw in game.draws["draws"] if draw["seq"] == line["seq"])["draw"] = 77


def not_arranged(game: Seen) -> None:
    """A draw that was arranged fell as it could have by itself."""
    arranged = next(draw for draw in game.draws["draws"] if draw.get("arranged"))
    (line,) = (line for line in game.entries if line["seq"] == arranged["seq"])
    line["entry"]["outcome"] = next(outcome for outcome, weight in arranged["odds"] if not weight)


def unasked(game: Seen) -> None:
    count = sum(line["entry"]["kind"] == "outcome" for line in game.entries) - 1
    fell = {"kind": "outcome", "by": "companion", "draw": count, "outcome": 6}
    game.with_entry(len(game.entries) - 1, fell)


def all_put_out(game: Seen) -> None:
    """Devices of the forger's take the place of all others, and tell their values."""
    at, values = len(game.entries) - 1, {None: "ab" * 32, 0: "cd" * 32, 1: "ef" * 32, 2: "ba" * 32}
    whose = {seat: {"by": "host"} if seat is None else {"by": "seat", "seat": seat} for seat in values}
    joins = [{"kind": "join", "tip": after(after(after(values[seat]))), **by} for seat, by in whose.items()]
    tells = [{"kind": "tell", "part": after(after(values[seat])), **by} for seat, by in whose.items() if seat != 2]
    for nth, entry in enumerate((*joins, *tells)):
        game.with_entry(at + nth, entry)


FORGERIES = (
    # What is no record as they are written.
    Forgery("form", "An entry is missing, and its number with it", lambda it: it.entries.pop(3)),
    Forgery("form", "An entry is there twice", lambda it: it.entries.insert(3, it.entries[3])),
    Forgery("form", "An entry is of an unknown kind", lambda it: it.of("correct")["entry"].update(kind="cheat")),
    Forgery("form", "An entry says more than its kind does", lambda it: it.of("outcome")["entry"].update(instead=6)),
    Forgery("form", "What is absent is null", lambda it: it.of("join")["entry"].update(part=None)),
    Forgery("form", "What an entry has to say is absent", lambda it: it.of("outcome")["entry"].pop("draw")),
    Forgery("form", "A number is too large", lambda it: it.of("move", 1)["entry"]["move"].update(points=2**53)),
    Forgery("form", "Back to what is yet to come", lambda it: it.of("undo")["entry"].update(to=len(it.entries))),
    Forgery("form", "An unknown version of the chain", lambda it: it.record["laid"].update(chain=3)),
    Forgery("form", "An unknown version of the luck", lambda it: it.record["laid"].update(luck=3)),
    with_field("outcome", "by", "host"),
    with_field("move", "by", "somebody"),
    with_field("undo", "again", value=False),
    with_field("undo", "to", -3),
    with_field("join", "tip", ["ab" * 32]),
    with_field("join", "seat", "0"),
    with_field("outcome", "outcome", [6]),
    with_field("move", "seat", value=True),
    with_field("correct", "correction", None),
    with_field("open", "pinch", "", of="older"),
    with_field("leave", "house", "a" * 65, of="moved"),
    Forgery("form", "More is said of how it was laid", lambda it: it.record["laid"].update(honest=True), alone),
    Forgery("form", "The chain's version is none", lambda it: it.record["laid"].update(chain=True), alone, "older"),
    Forgery("form", "An entry from before there was time", lambda it: it.entries[4].update(at=-1), alone),
    # What was dealt from another secret, or cannot be opened.
    Forgery("secret", "Another secret", lambda it: it.record.update(secret=OTHER.hex()), as_it_is),
    Forgery("secret", "No secret", lambda it: it.record.update(secret=None), as_it_is),
    Forgery(
        "secret",
        "An entry is masked",
        lambda it: it.of("move", 1).update(entry={"kind": "masked", "seat": 0}),
        as_it_is,
    ),
    # What was changed by hand.
    Forgery("chain", "Another name", lambda it: it.record["laid"]["setup"]["seats"][0].update(name="Eve"), as_it_is),
    Forgery("chain", "Another hour", lambda it: it.entries[4].update(at=it.entries[4]["at"] + 1), as_it_is),
    Forgery("chain", "The last entry is left out", lambda it: it.entries.pop(), as_it_is),
    Forgery("chain", "The last five are left out", lambda it: it.entries.__delitem__(slice(-5, None)), as_it_is),
    Forgery("chain", "No head", lambda it: it.record.update(head=None), as_it_is),
    Forgery("chain", "No chain, and a head", lambda it: it.record["laid"].update(chain=0), as_it_is),
    # Other luck than what was sealed.
    Forgery("seal", "Laid under another seal", lambda it: it.record["laid"].update(seal=NEW_SEAL), from_another),
    Forgery("seal", "A seal is put in", under_another_seal, from_another),
    Forgery("seal", "A seal is put in, where the seal alone was seen", under_another_seal, from_another_alone),
    Forgery(
        "unseen", "A seal is put in, where nothing but the laying was seen", under_another_seal, nothing_but_the_laying
    ),
    Forgery(
        "unseen", "A seal is put in, where nothing was seen", under_another_seal, lambda it: it.dealt(OTHER).unseen()
    ),
    # Another game, by whoever can read the disk, than the one of which heads were seen.
    Forgery("head", "The chain is taken off", lambda it: it.record["laid"].update(chain=0)),
    Forgery("head", "The chain is taken off", lambda it: it.record["laid"].pop("chain"), of="older"),
    Forgery("head", "Others sat there", lambda it: it.record["laid"]["setup"]["seats"][0].update(name="Eve")),
    Forgery("head", "It was laid on another day", lambda it: it.record["laid"].update(at=1)),
    Forgery("head", "It is of another table", lambda it: it.record["laid"].update(table="xxxxx")),
    Forgery("head", "Points are left out", without_points),
    Forgery("head", "The dice were the table's", dice_of_the_table),
    Forgery("head", "It was played with other figures", other_figures, dealt),
    Forgery("head", "Devices joined with other tips", forgetting("parts", with_other_tips), dealt),
    Forgery("head", "It is said to come from a backup", put_in(8, "restore")),
    Forgery("head", "It was never elsewhere", without("leave", "arrive", "stay"), of="moved"),
    # What a device added to the luck, which remembers that and no head.
    Forgery("part", "This device joined with another tip", forgetting("heads", with_other_tips), dealt),
    Forgery(
        "part",
        "Another took the place of this device",
        forgetting("heads", put_in(-2, "join", by="seat", seat=0, tip="ab" * 32)),
        dealt,
    ),
    # What follows what nothing follows.
    *(Forgery("end", f"A {kind} follows the end", put_in(-1, kind, **fields)) for kind, fields in MORE),
    Forgery("end", "A step follows the end", again_at_the_end, of="by itself"),
    Forgery("end", "A step follows the end", again_at_the_end, of="older"),
    Forgery("end", "A seal follows the end", a_seal_after_the_end, lambda it: it.linked(OTHER).unseen()),
    Forgery(
        "end",
        "Whoever made the report confirmed it",
        lambda it: it.entries[-1]["entry"].update(seat=1 - it.entries[-1]["entry"]["seat"]),
        alone,
        "confirmed",
    ),
    Forgery("end", "It is taken back after its end", put_in(-1, "undo", by="host", to=3), alone, "confirmed"),
    Forgery("end", "Nobody confirmed it", lambda it: it.entries.pop(), alone, "confirmed"),
    Forgery("end", "It is cut short, and was not over there", lambda it: it.entries.pop(), alone),
    Forgery("end", "It says itself that it is not over", lambda it: it.record.update(over=False), as_it_is),
    Forgery(
        "end", "An end that there was not then", lambda it: it.entries[-1].update(entry={"kind": "end"}), alone, "older"
    ),
    Forgery(
        "end",
        "Somebody played while it was on its way",
        lambda it: put_in(it.of("leave", 1)["seq"], "correct", correction={"type": "points"})(it),
        alone,
        "moved",
    ),
    Forgery(
        "end", "It arrived by another ticket", lambda it: it.of("arrive")["entry"].update(ticket="?"), alone, "moved"
    ),
    Forgery("end", "It arrived, and had not left", put_in(5, "arrive", ticket="from nowhere at all"), alone),
    # What was stirred otherwise than was promised.
    Forgery("stir", "A value that is not the next", lambda it: it.of("tell")["entry"].update(part="ab" * 32), alone),
    Forgery("stir", "A value that nobody waited for", told_twice, alone),
    Forgery(
        "stir",
        "A device joined as one that it is not",
        put_in(-2, "join", by="seat", seat=0, tip="ab" * 32, part="cd" * 32),
        alone,
    ),
    Forgery("stir", "A device joined anew before anything was drawn", joined_anew, alone),
    Forgery("stir", "Somebody stirred as in older tables", put_in(8, "stir", by="host", pinch="x", since=5), alone),
    Forgery("stir", "A pinch not promised", lambda it: it.of("open")["entry"].update(pinch="better"), alone, "older"),
    Forgery(
        "stir",
        "A pinch chosen when others were told",
        lambda it: put_in(it.of("open")["seq"], "commit", by="host", commit="ab" * 32)(it),
        alone,
        "older",
    ),
    Forgery(
        "stir",
        "A stir reaches back to a draw that was seen",
        lambda it: put_in(it.of("move", 1)["seq"] - 1, "stir", by="host", pinch="x", since=0)(it),
        alone,
        "older",
    ),
    # What fell otherwise than it had to.
    Forgery("draw", "A die shows another number", another_number, alone),
    Forgery("draw", "A draw was taken for another, whose number pleased", another_draw, alone),
    Forgery(
        "draw", "A report has another number", lambda it: it.of("outcome")["entry"].update(draw=5), alone, "confirmed"
    ),
    Forgery("draw", "All was dealt as if nobody had stirred", lambda it: None, unstirred),
    Forgery("draw", "All was dealt as if nobody had stirred", lambda it: None, unstirred, "older"),
    Forgery("draw", "A draw that was arranged fell as by itself", not_arranged, alone, "taught"),
    Forgery("draw", "Something fell that nobody had asked for", unasked, alone),
    # Luck that somebody could choose, and the record says so.
    Forgery("taken", "Every device that had stirred was put out by another", all_put_out, dealt_alone),
)
DOUBTS = {
    "A seal is put in": "under another seal",
    "The dice were the table's": "no luck to prove",
    "It was played with other figures": "not those Digside comes with",
    "The chain is taken off": "before entries formed a chain",
}
"""What is said of a forgery that agrees with itself, to whoever has seen nothing."""
HOLD_NOTHING = {"under another seal", "no luck to prove"}
NOT_TAKEN_IN = {"form", "chain", "stir", "Another secret", "Something fell", "A report has"}
"""Why a record is not kept either, or what was done to it. What is cut short goes on under a new seal."""


Cases = dict[str, tuple[Seen, str | None]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """Honest games."""
    return games_seen.all_of(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="module")
def cases(played: dict[str, Seen]) -> Cases:
    """Every game as it was, and every forgery, with why it does not hold."""
    made: Cases = {f"honest ({name})": (game, None) for name, game in played.items()}
    made |= {f"unseen ({name})": (game.unseen(), None) for name, game in played.items()}
    for reason, name, edit, then, of in FORGERIES:
        forged = played[of].copy()
        edit(forged)
        forged = then(forged)
        assert forged != played[of], name
        made[f"{name} ({of})"] = (forged, reason)
    assert len(made) == len(FORGERIES) + 2 * len(played)
    return made


def noted(game: Seen) -> proofs.SeenHeads:
    """What a device remembers, as `digside verify` is told it."""
    return msgspec.convert({key: seen for key, seen in game.seen.items() if seen}, proofs.SeenHeads)


def decoded(game: Seen) -> Record:
    return records.decode(json.dumps(game.record).encode())


def by_digside(game: Seen) -> str | None:
    """What `digside verify` finds."""
    try:
        return proofs.verify(decoded(game), noted=noted(game)).why
    except Malformed:
        return "form"


def by_stranger(game: Seen) -> str | None:
    """What a stranger finds."""
    try:
        stranger.verify(game.record, game.draws, game.seen)
    except stranger.Doubt as doubt:
        return str(doubt.args[0])
    return None


def test_each_is_found_by_digside_and_by_a_stranger_for_the_same_reason(
    cases: Cases,
) -> None:
    wanted = {name: reason for name, (_, reason) in cases.items()}
    assert {name: by_digside(game) for name, (game, _) in cases.items()} == wanted
    assert {name: by_stranger(game) for name, (game, _) in cases.items()} == wanted


@pytest.mark.browser
def test_each_is_found_by_a_phone_for_the_same_reason(cases: Cases, browser: Browser) -> None:
    found = dict(zip(cases, proved_by_phone(browser, [game for game, _ in cases.values()]), strict=True))
    wanted = {name: reason for name, (_, reason) in cases.items()}
    assert {name: told["fault"] and told["fault"]["why"] for name, told in found.items()} == wanted
    honest = {name: told for name, told in found.items() if wanted[name] is None}
    for name, told in honest.items():
        game = cases[name][0]
        dealt = [line for line in game.entries if line["entry"].get("by") == "companion"]
        assert told["draws"] == len(dealt) == len(game.draws["draws"]), name
        assert told["moments"] == len(game.seen["heads"]), name
        assert told["arranged"] == proofs.verify(records.decode(json.dumps(game.record).encode())).arranged, name
    assert honest["honest (taught)"]["arranged"] == 3


def test_none_passes_the_command(cases: Cases, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"
    for name, (game, reason) in cases.items():
        file.write_text(json.dumps(game.record))
        try:
            passes = commands.prove(file, noted(game), "en") == 0
        except Malformed:
            passes = False
        assert passes == (reason is None), name
        assert ("Everything holds" in capsys.readouterr().out) <= passes, name


def test_one_head_is_enough(cases: Cases) -> None:
    for name, (game, reason) in cases.items():
        if reason == "head":
            _, last = game.seen["heads"][-1]
            for heads in (game.seen["heads"][-1:], [(None, last)], [(None, last[:32])]):
                assert proofs.verify(decoded(game), noted=proofs.SeenHeads(None, tuple(heads))).why == "head", name
    honest = cases["honest (toolbox)"][0]
    _, last = honest.seen["heads"][-1]
    assert proofs.verify(decoded(honest), noted=proofs.SeenHeads(None, ((None, last[:32]),))).holds
    for few_or_none in ((None, last[:31]), (99, last)):
        assert proofs.verify(decoded(honest), noted=proofs.SeenHeads(None, (few_or_none,))).why == "head"


def test_what_agrees_with_itself_is_not_told_as_more_than_it_proves(
    cases: Cases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seal and head are printed for whoever has them on paper; what cannot be proved is said."""
    file, doubted = tmp_path / "record.json", set()
    for name, (game, reason) in cases.items():
        if reason in {"seal", "head", "part"}:
            file.write_text(json.dumps(game.record))
            commands.prove(file, proofs.SeenHeads(), "en")
            said = capsys.readouterr().out
            assert "✗ " not in said.splitlines()[0], f"{name}: it does not agree with itself"
            assert game.record["laid"]["seal"] in said
            assert "proved by the seal and the head you saw" in said
            doubts = {doubt for doubt in DOUBTS.values() if doubt in said}
            assert doubts == {doubt for forged, doubt in DOUBTS.items() if name.startswith(forged)}, name
            assert ("Everything holds" in said) == doubts.isdisjoint(HOLD_NOTHING), name
            doubted |= doubts
    assert doubted == set(DOUBTS.values())


def test_the_first_entry_that_does_not_fit_is_named(played: dict[str, Seen], cases: Cases) -> None:
    for reason, name, _, _, of in FORGERIES:
        if reason in {"stir", "draw"}:
            forged, honest = cases[f"{name} ({of})"][0].entries, played[of].entries
            first = next(n for n, (one, other) in enumerate(zip(forged, honest, strict=False), 1) if one != other)
            assert proofs.verify(decoded(cases[f"{name} ({of})"][0])).seq == first, name


def test_what_cannot_have_been_played_is_not_taken_in(cases: Cases, tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for name, (game, reason) in cases.items():
        try:
            hall.take_in(decoded(game))
        except Refusal:
            assert reason is not None, name
        else:
            assert name.startswith("The last") or reason not in NOT_TAKEN_IN, name
            assert not name.startswith(tuple(NOT_TAKEN_IN)), name
    hall.close()


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
