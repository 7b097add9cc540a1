"""A verifier that a stranger wrote from `companion/play/LUCK.md`: it knows that page, and nothing of Digside.

``python tests/attack/stranger.py RECORD DRAWS [SEAL [HEAD]]``
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any


class Doubt(Exception):
    """Something does not hold."""


def sha(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def spelled(thing: Any) -> str:
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def chain(record: Any, secret: bytes) -> list[str]:
    laid = {key: value for key, value in record["laid"].items() if key not in {"after", "was"}}
    laid["table"] = record["laid"].get("was") or record["laid"]["table"]
    links = [sha("digside chain 1", spelled(laid))]
    for line in record["entries"]:
        told = spelled({key: line[key] for key in ("at", "entry", "seq")})
        message = "\0".join(("digside chain 1", links[-1], told)).encode()
        links.append(hmac.new(secret, message, "sha256").hexdigest())
    return links


def check_chain(record: Any, secret: bytes, head: str | None) -> None:
    if not record["laid"].get("chain"):
        return
    links = chain(record, secret)
    if links[-1] != record["head"]:
        raise Doubt("the chain does not end as the record says")
    if head is not None and head not in links:
        raise Doubt("the head that was seen is not in the chain")


def check_seal(record: Any, secret: bytes, seal: str | None) -> int:
    """The number of the entry from which on draws can be checked."""
    seals = [(0, record["laid"]["seal"])]
    seals += [(line["seq"], line["entry"]["seal"]) for line in record["entries"] if line["entry"]["kind"] == "seal"]
    since, newest = seals[-1]
    if hashlib.sha256(secret).hexdigest() != newest:
        raise Doubt("the secret does not belong to the seal")
    if seal not in {None, newest}:
        raise Doubt("another seal was seen")
    return since


class Pinches:
    """Rounds of stirring."""

    def __init__(self) -> None:
        self.stirs: list[tuple[int, str]] = []
        self.round: dict[str, list[Any]] = {}
        self.drawn = 0

    def now(self) -> list[tuple[int, str]]:
        told = [f"{who}:{pinch}" for who, (_, pinch) in self.round.items() if pinch is not None]
        return [*self.stirs, *([(self.drawn, sha("digside stir 1", *told))] if told else [])]

    def end(self) -> None:
        self.stirs, self.round = self.now(), {}

    def read(self, seq: int, entry: Any) -> None:
        who = str(entry.get("seat", "host"))
        match entry["kind"]:
            case "stir":
                self.stirs.append((entry["since"], entry["pinch"]))
            case "commit":
                if self.round and all(pinch is not None for _, pinch in self.round.values()):
                    self.end()
                self.round[who] = [entry["commit"], None]
            case "open":
                if self.round.get(who, [""])[0] != sha("digside pinch 1", who, entry["pinch"]):
                    raise Doubt(f"entry {seq}: another pinch was promised")
                self.round[who][1] = entry["pinch"]
            case "outcome":
                if self.now() != self.stirs:
                    self.end()
                self.drawn = max(self.drawn, entry["draw"] + 1)

    def before(self, draw: int) -> str:
        counted = [hashlib.sha256(f"{since}:{pinch}".encode()).digest() for since, pinch in self.now() if since <= draw]
        return hashlib.sha256(b"".join(counted)).hexdigest() if counted else ""


def fallen(secret: bytes, stirs: str, asked: Any) -> Any:
    total, block = sum(weight for _, weight in asked["odds"]), 0
    while True:
        message = "\0".join(("digside 1", stirs, str(asked["draw"]), asked["question"], str(block)))
        digest = hmac.new(secret, message.encode(), "sha256").digest()
        for at in range(0, 32, 8):
            word = int.from_bytes(digest[at : at + 8], "big")
            if word < 2**64 - 2**64 % total:
                return reached(asked["odds"], word % total)
        block += 1


def reached(odds: Any, point: int) -> Any:
    for outcome, weight in odds:
        if point < weight:
            return outcome
        point -= weight
    return None


def check_end(record: Any) -> None:
    """An end that hangs on a report is confirmed by somebody else than whoever made it, and nothing follows."""
    hung: list[Any] = [None]  # after each entry, the report on which an end there would hang
    kind = ""
    for line in record["entries"]:
        entry = line["entry"]
        if kind == "settle":
            raise Doubt(f"entry {line['seq']}: something follows the end")
        kind, newest = entry["kind"], hung[-1]
        if kind == "settle" and (newest is None or (entry["by"] == "seat" and entry["seat"] == newest.get("seat"))):
            raise Doubt(f"entry {line['seq']}: that was not theirs to confirm")
        if kind == "undo":
            newest = hung[entry["to"]]
        elif kind in {"move", "correct"} or (kind == "outcome" and entry["by"] == "table"):
            newest = entry if kind == "outcome" else None
        hung.append(newest)
    if record["laid"].get("confirms") and record["over"] and kind not in {"settle", "close"} and hung[-1] is not None:
        raise Doubt("the end hangs on a report that nobody has confirmed")


def verify(record: Any, draws: Any, seal: str | None = None, head: str | None = None) -> int:
    """How many draws were recomputed.

    :raises Doubt: where something does not hold.
    """
    secret = bytes.fromhex(record["secret"] or "")
    since = check_seal(record, secret, seal)
    check_chain(record, secret, head)
    check_end(record)
    asked, pinches, count = {each["seq"]: each for each in draws["draws"]}, Pinches(), 0
    for number, line in enumerate(record["entries"], 1):
        seq, entry = line["seq"], line["entry"]
        if seq != number:
            raise Doubt(f"entry {seq} is not entry {number}")
        if entry["kind"] == "outcome" and entry["by"] == "companion" and seq > since:
            draw = asked.get(seq, {})
            stirs = pinches.before(entry["draw"])
            if draw.get("draw") != entry["draw"] or fallen(secret, stirs, draw) != entry["outcome"]:
                raise Doubt(f"entry {seq}: another outcome should have come up")
            count += 1
        pinches.read(seq, entry)
    return count


if __name__ == "__main__":
    files = [json.loads(Path(name).read_bytes()) for name in sys.argv[1:3]]
    print(verify(*files, *sys.argv[3:]), "draws recomputed")
