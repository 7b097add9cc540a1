"""A verifier that a stranger wrote from `companion/play/LUCK.md`: it knows that page, and nothing of Digside.

``python tests/attack/stranger.py RECORD DRAWS [SEAL [HEAD]]``
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = {  # by kind, the fields an entry has and those it may have
    "move": ("by seat move", ""),
    "outcome": ("by outcome draw", "seat"),
    "correct": ("correction", ""),
    "undo": ("by to", "seat again"),
    "join": ("by tip", "seat part"),
    "tell": ("by part", "seat"),
    "stir": ("by pinch since", "seat"),
    "commit": ("by commit", "seat"),
    "open": ("by pinch", "seat"),
    "seal": ("seal", ""),
    "close": ("", ""),
    "settle": ("by", "seat"),
    "end": ("", ""),
    "leave": ("ticket house", ""),
    "arrive": ("ticket", ""),
    "stay": ("ticket", ""),
    "restore": ("", ""),
    "sit": ("by of plays", "seat"),
    "hints": ("of hints", ""),
    "hint": ("by seat", ""),
    "seats": ("by do host seats", "name of own seat"),
    "want": ("by seat", ""),
    "agree": ("by seat", ""),
    "keep": ("by", "seat"),
}
SEAT = ("name colour shape key", "taken")
MOVED = {"leave", "arrive", "stay"}
OVER = {"close", "settle", "end"}
FOUR_TIMES = 4


class Doubt(Exception):
    """Something does not hold: the reason, as the page names it."""


def sure(holds: object, reason: str, *more: object) -> None:
    if not holds:
        raise Doubt(reason, *more)


def sha(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def spelled(thing: Any) -> str:
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def is_plain(thing: Any) -> bool:
    if isinstance(thing, dict | list):
        return all(map(is_plain, thing.values() if isinstance(thing, dict) else thing))
    return thing is None or isinstance(thing, str | bool) or (isinstance(thing, int) and abs(thing) < 2**53)


def is_number(thing: Any) -> bool:
    return type(thing) is int and abs(thing) < 2**53


def is_text(thing: Any) -> bool:
    return isinstance(thing, str)


def is_hex(thing: Any) -> bool:
    return is_text(thing) and len(thing) == 64 and not set(thing) - set("0123456789abcdef")


def is_object(thing: Any) -> bool:
    return isinstance(thing, dict)


def is_short(thing: Any, most: int = 64) -> bool:
    return is_text(thing) and 0 < len(thing) <= most


def is_true(thing: Any) -> bool:
    return thing is True


VALUES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(["seat", "of", "own", "key", "draw", "to", "since", "rules"], is_number),
    **dict.fromkeys(["tip", "part", "commit", "seal"], is_hex),
    **dict.fromkeys(["pinch", "table", "box_digest", "digside", "after", "was", "name", "colour", "shape"], is_text),
    **dict.fromkeys(["move", "correction", "setup", "box", "laid"], is_object),
    **dict.fromkeys(["ticket", "house"], is_short),
    **dict.fromkeys(["again", "confirms", "taken"], is_true),
    "plays": lambda thing: thing in {"person", "away", "curious", "steady", "sharp"},
    "hints": lambda thing: thing in {"none", "few", "free"},
    "do": lambda thing: thing in {"add", "leave", "take", "free", "name", "host"},
    "host": lambda thing: is_number(thing) or thing in {"key", "owner"},
    "seats": lambda thing: isinstance(thing, list) and all(is_whole(each, *SEAT) for each in thing),
    "over": lambda thing: isinstance(thing, bool),
    **dict.fromkeys(["secret", "head"], lambda thing: thing is None or is_text(thing)),
    "outcome": lambda thing: is_text(thing) or is_number(thing),
    "at": lambda thing: is_number(thing) and 0 <= thing < 253_370_764_800_000,
    "chain": lambda thing: is_number(thing) and thing in {0, 1, 2},
    "luck": lambda thing: is_number(thing) and thing == 2,
    "format": lambda thing: thing == "digside-record",
    "version": lambda thing: is_number(thing) and thing in {1, 2},
    "entries": lambda thing: isinstance(thing, list),
}


def is_whole(fields: Any, needed: str, allowed: str, own: dict[str, Callable[[Any], bool]] | None = None) -> bool:
    must, may, holds = set(needed.split()), set(allowed.split()), VALUES | (own or {})
    return must <= set(fields) <= must | may and all(holds[name](value) for name, value in fields.items())


def check_form(record: Any) -> None:
    sure(is_whole(record, "format version digside over laid entries secret", "head"), "form")
    laid = record["laid"]
    known = is_whole(laid, "table at setup box box_digest rules seal digside", "after chain was confirms luck")
    sure(known and is_plain(laid), "form")
    for number, line in enumerate(record["entries"], 1):
        entry = line["entry"]
        in_order = set(line) == {"seq", "at", "entry"} and is_number(line["seq"]) and line["seq"] == number
        sure(in_order and VALUES["at"](line["at"]) and is_plain(entry), "form", number)
        if entry["kind"] == "masked":
            continue
        sure(entry["kind"] in KINDS, "form", number)
        who = ["companion", "table"] if entry["kind"] == "outcome" else ["host", "seat"]
        who += {"move": ["bot"], "seats": ["owner", "guest"]}.get(entry["kind"], [])
        fields = {name: value for name, value in entry.items() if name != "kind"}
        own: dict[str, Callable[[Any], bool]] = {"by": who.__contains__}
        if entry["kind"] == "open":
            own["pinch"] = lambda pinch: is_short(pinch, 256)
        sure(is_whole(fields, *KINDS[entry["kind"]], own), "form", number)
        sure(entry["kind"] != "undo" or 0 <= entry["to"] < number, "form", number)


def check_secret(record: Any) -> bytes:
    told = record.get("secret")
    sure(is_hex(told), "secret")
    secret = bytes.fromhex(told)
    sure(hashlib.sha256(secret).hexdigest() == seals(record)[-1][1], "secret")
    sure(all(line["entry"]["kind"] != "masked" for line in record["entries"]), "secret")
    return secret


def seals(record: Any) -> list[tuple[int, str]]:
    later = [(line["seq"], line["entry"]["seal"]) for line in record["entries"] if line["entry"]["kind"] == "seal"]
    return [(0, record["laid"]["seal"]), *later]


def chain(record: Any, secret: bytes) -> list[str]:
    if not record["laid"].get("chain"):
        return []
    laid = {key: value for key, value in record["laid"].items() if key not in {"after", "was"}}
    laid["table"] = record["laid"].get("was", record["laid"]["table"])
    links = [sha("digside chain 1", spelled(laid))]
    for line in record["entries"]:
        told = spelled({key: line[key] for key in ("at", "entry", "seq")})
        message = "\0".join(("digside chain 1", links[-1], told)).encode()
        links.append(hmac.new(secret, message, "sha256").hexdigest())
    return links


def check_seen(record: Any, links: list[str], seen: Any) -> None:
    sure(not seen.get("seal") or seals(record)[-1][1] == seen["seal"], "seal")
    for seq, head in seen.get("heads", ()):
        sure(seq < len(links) and links[seq] == head, "head", seq)
    entries, newest = record["entries"], 0
    for part in seen.get("parts", ()):
        newest = next((line["seq"] for line in entries if value_of(line["entry"]) == part), 0)
        sure(newest, "part")
    for line in entries[newest:] if newest else ():
        entry, own = line["entry"], entries[newest - 1]["entry"]
        again = entry["kind"] == "join" and name(entry) == name(own)
        sure(entry["kind"] != "seal" and not again, "part", line["seq"])


def value_of(entry: Any) -> Any:
    return {"join": entry.get("tip"), "tell": entry.get("part")}.get(entry["kind"])


def name(entry: Any) -> str:
    return str(entry.get("seat", "host"))


class Members:
    """Who stirs, since there are members."""

    def __init__(self) -> None:
        self.value: dict[str, str] = {}  # in the order in which they joined
        self.asked: set[str] = set()
        self.joined: dict[str, int] = {}
        self.seen_when_joined: dict[str, int] = {}
        self.taken: set[str] = set()
        self.stirs: list[tuple[int, str]] = []
        self.together = self.all_taken = False
        self.drawn = 0

    def read(self, entry: Any) -> bool:
        who = name(entry)
        match entry["kind"]:
            case "join":
                if not self._may_join(who, entry):
                    return False
                if who in self.value and "part" not in entry:
                    self.taken.add(who)
                self.value.pop(who, None)
                self.asked = set(self.value)
                self.value[who], self.seen_when_joined[who] = entry["tip"], self.drawn
                self.joined[who] = self.joined.get(who, 0) + 1
            case "tell":
                if who not in self.asked or sha("digside part 1", entry["part"]) != self.value[who]:
                    return False
                self.asked.remove(who)
                self.value[who] = entry["part"]
            case "seats" if entry["do"] != "leave":
                return True
            case "seal" | "seats":
                self.value, self.joined, self.asked = {}, {}, set()
                return True
            case _:
                return False
        if not self.asked:
            values = [f"{each}:{value}" for each, value in self.value.items()]
            self.stirs.append((self.drawn, sha("digside stir 2", *values)))
            self.all_taken |= self.together and set(self.value) <= self.taken
            self.together |= len(self.value) > 1
        return True

    def _may_join(self, who: str, entry: Any) -> bool:
        if "part" in entry and sha("digside part 1", entry["part"]) != self.value.get(who):
            return False
        seen = self.seen_when_joined[who] == self.drawn if who in self.value else False
        return not seen and self.joined.get(who, 0) < FOUR_TIMES

    def fell(self, draw: int) -> None:
        self.drawn = max(self.drawn, draw + 1)


class Pinches:
    """Rounds of stirring, in older tables."""

    all_taken = False

    def __init__(self) -> None:
        self.ended: list[tuple[int, str]] = []
        self.round: dict[str, list[Any]] = {}
        self.drawn = 0

    @property
    def stirs(self) -> list[tuple[int, str]]:
        told = [f"{who}:{pinch}" for who, (_, pinch) in self.round.items() if pinch is not None]
        return [*self.ended, *([(self.drawn, sha("digside stir 1", *told))] if told else [])]

    def end(self) -> None:
        self.ended, self.round = self.stirs, {}

    def read(self, entry: Any) -> bool:
        who = name(entry)
        match entry["kind"]:
            case "stir":
                self.ended.append((entry["since"], entry["pinch"]))
                return bool(entry["since"] == self.drawn)
            case "commit":
                if self.round and all(pinch is not None for _, pinch in self.round.values()):
                    self.end()
                told = any(pinch is not None for _, pinch in self.round.values())
                if told or who in self.round:
                    return False
                self.round[who] = [entry["commit"], None]
            case "open":
                commit, pinch = self.round.get(who, ["", None])
                if pinch is not None or commit != sha("digside pinch 1", who, entry["pinch"]):
                    return False
                self.round[who][1] = entry["pinch"]
            case "join" | "tell":
                return False
        return True

    def fell(self, draw: int) -> None:
        if self.stirs != self.ended:
            self.end()
        self.drawn = max(self.drawn, draw + 1)


def before(stirs: list[tuple[int, str]], draw: int) -> str:
    counted = [hashlib.sha256(f"{since}:{pinch}".encode()).digest() for since, pinch in stirs if since <= draw]
    return hashlib.sha256(b"".join(counted)).hexdigest() if counted else ""


def weight_of(told: Any) -> int:
    sure(isinstance(told, int) or (isinstance(told, str) and told.isdecimal()), "draw")
    weight = int(told)
    sure(weight >= 0 and isinstance(told, str) == (weight >= 2**53), "draw")
    return weight


def fallen(secret: bytes, stirs: str, asked: Any) -> Any:
    sure(is_text(asked["question"]), "draw")
    odds = [(outcome, weight_of(told)) for outcome, told in asked["odds"]]
    total, block = sum(weight for _, weight in odds), 0
    if not 0 < total <= 2**64:
        return None
    while True:
        message = "\0".join(("digside 1", stirs, str(asked["draw"]), asked["question"], str(block)))
        digest = hmac.new(secret, message.encode(), "sha256").digest()
        for at in range(0, 32, 8):
            word = int.from_bytes(digest[at : at + 8], "big")
            if word < 2**64 - 2**64 % total:
                return reached(odds, word % total)
        block += 1


def reached(odds: Any, point: int) -> Any:
    for outcome, weight in odds:
        if point < weight:
            return outcome
        point -= weight
    return None


class Course:
    """What may follow what."""

    def __init__(self, laid: Any) -> None:
        self.ends_itself = laid.get("chain", 0) > 1
        self.confirms = laid.get("confirms", False)
        self.hung: list[Any] = [None]  # after each entry, the report on which an end there would hang
        self.ticket: str | None = None
        self.last = ""

    def read(self, entry: Any) -> Any:
        kind, report = entry["kind"], self.hung[-1]
        comes = kind in {"arrive", "stay"}
        follows = kind in MOVED or self.last not in OVER
        follows &= (kind == "seal" or (comes and entry["ticket"] == self.ticket)) if self.ticket else not comes
        follows &= kind != "end" or self.ends_itself
        if kind == "settle":
            own = entry["by"] == "seat" and report is not None and entry.get("seat") == report.get("seat")
            follows &= self.confirms and report is not None and not own
        self.ticket = entry["ticket"] if kind == "leave" else None
        self.last = self.last if kind in MOVED else kind
        if kind == "undo":
            report = self.hung[entry["to"]]
        elif kind in {"move", "correct"} or (kind == "outcome" and entry["by"] == "table"):
            report = entry if kind == "outcome" else None
        self.hung.append(report)
        return follows

    def is_over(self) -> Any:
        if self.ends_itself or self.last in OVER:
            return self.last in OVER
        return self.hung[-1] is None or not self.confirms


def follow(record: Any, draws: Any, secret: bytes) -> int:
    """How many draws were recomputed."""
    since, count, counts = seals(record)[-1][0], 0, [0]
    asked = {each["seq"]: each for each in draws["draws"]}
    course, stirrers = Course(record["laid"]), Members() if record["laid"].get("luck", 1) > 1 else Pinches()
    for line in record["entries"]:
        seq, entry = line["seq"], line["entry"]
        sure(course.read(entry), "end", seq)
        if entry["kind"] == "outcome":
            sure(entry["draw"] == counts[-1], "draw", seq)
            if entry["by"] == "companion" and seq > since:
                draw = asked.get(seq, {})
                sure(draw.get("draw") == entry["draw"], "draw", seq)
                sure(fallen(secret, before(stirrers.stirs, entry["draw"]), draw) == entry["outcome"], "draw", seq)
                count += 1
            stirrers.fell(entry["draw"])
        elif entry["kind"] in {"join", "tell", "stir", "commit", "open", "seal", "seats"}:
            sure(stirrers.read(entry), "stir", seq)
        counts.append(counts[entry["to"]] if entry["kind"] == "undo" else counts[-1] + (entry["kind"] == "outcome"))
    sure(record["over"] is True and course.is_over(), "end")
    sure(not stirrers.all_taken, "taken")
    return count


def verify(record: Any, draws: Any, seen: Any = None) -> int:
    """How many draws were recomputed.

    :param seen: the `seal`, the `heads` as pairs of an entry's number and its link, and the `parts` that were seen.
    :raises Doubt: where something does not hold.
    """
    seen = seen or {}
    try:
        check_form(record)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Doubt("form") from None
    secret = check_secret(record)
    links = chain(record, secret)
    sure((links[-1] if links else None) == record.get("head"), "chain")
    check_seen(record, links, seen)
    count = follow(record, draws, secret)
    sure(seen.get("seal") or len(seals(record)) == 1, "unseen")
    return count


if __name__ == "__main__":
    given, asked_of_it = (json.loads(Path(file).read_bytes()) for file in sys.argv[1:3])
    seal, newest = (*sys.argv[3:5], None, None)[:2]
    noted = [[len(given["entries"]), newest]] if newest else []
    print(verify(given, asked_of_it, {"seal": seal, "heads": noted}), "draws recomputed")
