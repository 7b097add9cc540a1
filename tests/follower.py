"""A client of the stream of changes, written from the API's document alone: what a browser does, in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.canonical import canonical
from web_ui.views import Version

decode = msgspec.json.decode


class Follower:
    """Keeps a view by what it is told, and notices where it has drifted; then `version` is None."""

    def __init__(self) -> None:
        self.view: Any = None
        self.version: Version | None = None
        self.asks = 0

    def hear(self, events: bytes) -> None:
        """Events as they come."""
        for event in events.split(b"\n\n")[:-1]:
            self.take(decode(event.partition(b"data: ")[2]))

    def take(self, told: Any) -> None:
        """What one event says."""
        leads_to = Version(told["seq"], told["sum"])
        if leads_to == self.version:
            return  # it came twice
        if "view" in told:
            self._is(told["seq"], told["view"])
        elif self.version == Version(told["after"], told["from"]):
            self._is(told["seq"], applied(self.view, told["patch"]))
        if self.version != leads_to:
            self.version, self.asks = None, self.asks + 1

    def _is(self, seq: int, view: Any) -> None:
        self.view, self.version = view, Version.of(seq, canonical(view))


def applied(view: Any, operations: Sequence[dict[str, Any]]) -> Any:
    """A JSON Patch as RFC 6902 has it, applied to a copy."""
    whole = decode(msgspec.json.encode(view))
    for each in operations:
        *way, last = (part.replace("~1", "/").replace("~0", "~") for part in each["path"][1:].split("/"))
        at = whole
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        if isinstance(at, list):
            match each["op"]:
                case "add":
                    assert int(last) <= len(at)
                    at.insert(int(last), each["value"])
                case "remove":
                    del at[int(last)]
                case "replace":
                    at[int(last)] = each["value"]
        elif each["op"] == "remove":
            del at[last]
        else:
            assert each["op"] == "add" or last in at
            at[last] = each["value"]
    return whole
