"""Whether whoever wrote against one document of the API gets on with another: nothing they use is gone or has changed.

What is sent may become less strict, and what is answered may become more; never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]
SAID = {"title", "description", "summary", "tags", "info", "servers", "contact", "security"}
"""What a program does not go by."""


class Side(NamedTuple):
    """A document, and a schema in it."""

    document: Schema
    schema: Schema

    def resolved(self) -> Side:
        """The schema itself, where it is a reference."""
        schema = self.schema
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return Side(self.document, schema)

    def of(self, schema: Schema) -> Side:
        """Another schema of the same document."""
        return Side(self.document, schema)

    def kinds(self) -> list[Side]:
        """What it may be: each of a union's kinds, or itself."""
        whole = self.resolved()
        if "anyOf" not in whole.schema:
            return [whole]
        return [kind for each in whole.schema["anyOf"] for kind in whole.of(each).kinds()]

    @property
    def values(self) -> list[Any]:
        """The only values it may have; none where it may have any."""
        return [self.schema["const"]] if "const" in self.schema else self.schema.get("enum", [])


class Breaks:
    """Finds what has become of each schema, once."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int, bool], list[str]] = {}

    def between(self, old: Side, new: Side, where: str, *, sent: bool) -> list[str]:
        """What of `old` is not in `new`."""
        old, new = old.resolved(), new.resolved()
        both = (id(old.schema), id(new.schema), sent)
        if both not in self.known:
            self.known[both] = []  # what refers to itself
            self.known[both] = [*self._between(old, new, where, sent=sent)]
        return self.known[both]

    def _between(self, old: Side, new: Side, where: str, *, sent: bool) -> Iterator[str]:
        before, after = old.kinds(), new.kinds()
        if any(not kind.schema.keys() - SAID for kind in (after if sent else before)):
            return  # anything goes
        for kind in before:
            found = [[*self._kind(kind, each, where, sent=sent)] for each in after if _alike(kind, each)]
            if not found:
                yield f"{where}: no {_name(kind)} any more"
            elif all(found):
                yield from min(found, key=len)
        if not sent:
            types = {kind.schema.get("type") for kind in before}
            yield from (f"{where}: may be {_name(kind)} now" for kind in after if kind.schema.get("type") not in types)

    def _kind(self, old: Side, new: Side, where: str, *, sent: bool) -> Iterator[str]:
        if old.values and new.values and (lost := [value for value in old.values if value not in new.values]):
            yield f"{where}: no {lost} any more"
        if sent and new.values and not old.values:
            yield f"{where}: only {new.values} now"
        fields, now = old.schema.get("properties", {}), new.schema.get("properties", {})
        for name, schema in fields.items():
            if name in now:
                yield from self.between(old.of(schema), new.of(now[name]), f"{where}.{name}", sent=sent)
            else:
                yield f"{where}.{name}: gone"
        needed, before = set(new.schema.get("required", ())), set(old.schema.get("required", ()))
        if sent and (more := needed - before):
            yield f"{where}: needs {sorted(more)} now"
        if not sent and (less := before - needed):
            yield f"{where}: may lack {sorted(less)} now"
        for part in ("items", "additionalProperties"):
            was, is_ = old.schema.get(part), new.schema.get(part)
            if isinstance(was, dict) and isinstance(is_, dict):
                yield from self.between(old.of(was), new.of(is_), f"{where}[]", sent=sent)


def _alike(old: Side, new: Side) -> bool:
    """Whether one may be what has become of the other: of its type and, where these tell kinds apart, its constants."""
    if old.schema.get("type") != new.schema.get("type"):
        return False
    fields, now = old.schema.get("properties", {}), new.schema.get("properties", {})
    return all(
        schema["const"] == now[name]["const"]
        for name, schema in fields.items()
        if "const" in schema and "const" in now.get(name, {})
    )


def _name(kind: Side) -> str:
    return str(kind.schema.get("title") or kind.values or kind.schema.get("type"))


def breaks(old: Schema, new: Schema) -> list[str]:
    """What somebody who goes by the old document misses in the new one."""
    found = Breaks()
    missed: list[str] = []
    for path, item in old["paths"].items():
        for method, call in item.items():
            now = new["paths"].get(path, {}).get(method)
            name = f"{method.upper()} {path}"
            missed += [f"{name}: gone"] if now is None else _of_call(found, name, Side(old, call), Side(new, now))
    return missed


def _of_call(found: Breaks, name: str, old: Side, new: Side) -> Iterator[str]:
    taken = {(each["in"], each["name"]): each for each in new.schema["parameters"]}
    known = {(each["in"], each["name"]) for each in old.schema["parameters"]}
    yield from (f"{name}: no {what} in {where} any more" for where, what in known - taken.keys())
    yield from (f"{name}: needs {at[1]} now" for at, each in taken.items() if each["required"] and at not in known)
    sent, needed = _content(old.schema.get("requestBody")), _content(new.schema.get("requestBody"))
    for media, schema in sent.items():
        if media in needed:
            yield from found.between(old.of(schema), new.of(needed[media]), name, sent=True)
        else:
            yield f"{name}: takes no {media} any more"
    for status, told in old.schema["responses"].items():
        given, now = _content(told), _content(new.schema["responses"].get(status))
        if status not in new.schema["responses"] and status < "400":
            yield f"{name}: no {status} any more"
        for media, schema in given.items():
            if media in now:
                yield from found.between(old.of(schema), new.of(now[media]), f"{name} {status}", sent=False)


def _content(body: Schema | None) -> dict[str, Schema]:
    return {media: told["schema"] for media, told in (body or {}).get("content", {}).items()}


def stored(document: Schema) -> Schema:
    """A document as it is kept: without its sentences, and with one of the refusals, which all look alike."""

    def bare(part: Any, *, names: bool = False) -> Any:
        if isinstance(part, dict):
            return {
                key: bare(value, names=key in {"properties", "schemas"})
                for key, value in part.items()
                if names or (key not in SAID - {"title"} and (key[:1] not in "45" or key == "409"))
            }
        return [bare(each) for each in part] if isinstance(part, list) else part

    kept: Schema = bare(document)
    return kept
