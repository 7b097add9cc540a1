"""The API's own document, OpenAPI 3.1: made from the same table of calls that answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from http import HTTPStatus
from inspect import cleandoc
from itertools import takewhile
from typing import Any

import msgspec

from companion import __version__
from companion.games import played_by
from companion.refusals import Malformed, Missing, Refusal
from web_ui.api import answers, bodies, game_schemas
from web_ui.api.calls import JSON, STREAM, Asking, Call, CallTable, Reply
from web_ui.http_errors import (
    STATUS,
    CrossSite,
    Misdirected,
    NoKey,
    NotAllowed,
    NotJson,
    TooLarge,
    TooMany,
    TooSlow,
)
from web_ui.rig_at_table import RigTold

calls = CallTable()

STREAMED = {"beat": answers.Beat, "rig": RigTold, "bye": answers.Bye}
"""The events of live lines that have a name."""
OF_GAMES = (
    ("MovePlayed", "move", "Move"),
    ("Lift", "move", "Move"),
    ("LiftEnded", "move", "Move"),
    ("TableCorrected", "correction", "Correction"),
    ("MomentTold", "move", "LogFacts"),
    ("MomentTold", "best", "LogFacts"),
)
"""Fields that a game fills, and what is in them."""
WITH_OUTCOMES = ("Reporting", "ReportTold", "OutcomeLuck", "OutcomeRecorded", "RecordedDraw", "FindTold")
"""Schemas of what falls, in any game."""

Schema = dict[str, Any]
ABOUT = (
    "Digside beside a table: lay a table, move, draw, take back, watch, and use the shovel. "
    "A key says who is asking: the host's acts for every seat, a seat's for its own; without one you look on. "
    "The owner's has the rig, the settings and all that is kept; stopping the shovel is everybody's. "
    "It is sent as a bearer's key, or kept in a cookie once a table was entered. "
    "Sentences come in the language of `?lang=`, of the cookie `language`, or of Accept-Language. "
    "A refusal says to a program what its sentence says to a person, so that no program needs to read sentences."
)
WHO = {
    "anybody": "Anybody.",
    "player": "With the key of the host or of a seat.",
    "host": "With the host's key.",
    "lays": "Anybody; with the owner's key where the owner keeps laying tables to itself.",
    "owner": "With the owner's key.",
    "lends": "With the owner's key, or that of the host of the table that has the rig, or was the last to have it.",
    "rig": "With the key of the host of the table that has the rig, or the owner's.",
    "pi": "Another Digside, which proves that it has the token of this hub: it is not shown.",
    "mover": "Another Digside, which proves that it has the owner's key or the token of the house: neither is shown.",
}
PARTS = {
    "table": "A table's id.",
    "probe": "A table's id, or what could be one.",
    "box": "A box's id.",
    "copy": "A table's id, where it was laid.",
    "ticket": "What both Digsides know one move of a table by.",
    "seat": "A seat's number, `host` or `spectator`.",
    "backup": "A backup, by the name in the list of them.",
}


@calls.get("/api/openapi.json", gives=dict[str, Any], long=True)
def show_document(asking: Asking, _: bodies.Nothing) -> Reply:
    """This document."""
    from web_ui.api import ALL

    return Reply(document(ALL))


@cache
def document(every: tuple[Call, ...]) -> bytes:
    """The document of a table of calls."""
    schemas, known = _schemas(every)
    paths: dict[str, dict[str, Schema]] = {}
    for call in every:
        paths.setdefault(_path(call.path), {})[call.method.lower()] = _operation(call, schemas)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Digside",
            "version": __version__,
            "description": ABOUT,
            "contact": {"name": "Whoever runs the Digside that serves this document"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The Digside that serves this document."}],
        "tags": [
            {"name": tag, "description": about}
            for tag, about in dict.fromkeys((_tag(call), _about(call)) for call in every)
        ],
        "paths": paths,
        "components": {
            "schemas": known,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "digside-TABLE"},
                "secret": {"type": "http", "scheme": "digside", "description": "As web_ui/between.py proves it."},
            },
        },
    }
    document: Schema = plain(whole)
    _drop_unused(document)
    return msgspec.json.encode(document)


def _drop_unused(document: Schema) -> None:
    """Leave out the schemas of which every game has one of its own."""
    schemas: dict[str, Schema] = document["components"]["schemas"]
    used, found = set[str](), _referred(document["paths"])
    while found:
        used |= found
        found = set[str]().union(*(_referred(schemas[name]) for name in found)) - used
    for name in schemas.keys() - used:
        del schemas[name]


def _referred(schema: Any) -> set[str]:
    return set(re.findall(rf'"{game_schemas.NAMED.format(name="")}([^"]+)"', msgspec.json.encode(schema).decode()))


def _schemas(every: Sequence[Call]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """The schema of each type that goes in or out, and the named parts they refer to, those of the games among them."""
    types: list[Any] = [answers.Refused, *STREAMED.values()]
    for call in every:
        types += [each for each in (call.takes, call.gives, call.or_gives) if each not in (*types, bytes, None)]
    made, known = msgspec.json.schema_components(types, schema_hook=_anything, ref_template=game_schemas.NAMED)
    games = played_by()
    of_games = game_schemas.views_of(games, known)
    for game in games:
        of_games |= game_schemas.schemas_of(game)
    for name, field, part in OF_GAMES:
        ref = {"$ref": game_schemas.NAMED.format(name=part)}
        may_lack = {"type": "null"} in known[name]["properties"][field].get("anyOf", ())
        known[name]["properties"][field] = {"anyOf": [ref, {"type": "null"}]} if may_lack else ref
    for name in WITH_OUTCOMES:
        known[name] = game_schemas.with_outcomes(known[name], {"$ref": game_schemas.NAMED.format(name="Outcome")})
    known["Fact"] = game_schemas.FACT
    return dict(zip(types, made, strict=True)), {**known, **of_games, **game_schemas.unions(games, of_games)}


def plain(schema: Any) -> Any:
    """A schema as every generator understands it.

    A reference stands alone, a single value is a constant, a row of fixed length says so by its length, and a
    paragraph is one line.

    >>> plain({"enum": ["take"]}), plain({"prefixItems": [{}], "items": False})
    ({'type': 'string', 'const': 'take'}, {'prefixItems': [{}], 'items': {'anyOf': [{}]}})
    """
    match schema:
        case {"$ref": str(ref), "type": "object"}:
            return {"$ref": ref}
        case {"enum": [str(only)]}:
            return {**{key: value for key, value in schema.items() if key != "enum"}, "type": "string", "const": only}
        case {"enum": [str(), *_], **rest} if "type" not in rest:
            return {**schema, "type": "string"}
        case dict():
            made = {
                key: _described(value) if key == "description" and isinstance(value, str) else plain(value)
                for key, value in schema.items()
            }
            return made | {"items": {"anyOf": made["prefixItems"]}} if made.get("items") is False else made
        case list():
            return [plain(each) for each in schema]
    return schema


def _described(about: str) -> str:
    """What a docstring says, in paragraphs, without the list of its parameters."""
    paragraphs = (" ".join(each.split()) for each in cleandoc(about).split("\n\n"))
    return "\n\n".join(takewhile(lambda each: not each.startswith(":"), paragraphs))


def _event(name: str, data: Schema) -> Schema:
    """An event of a live line, whose data are JSON; those without a name are what the line is about."""
    told = {"type": "string", "contentMediaType": JSON, "contentSchema": data}
    if not name:
        return {"type": "object", "properties": {"id": {"type": "string"}, "data": told}, "required": ["data"]}
    named = {"type": "string", "const": name}
    return {"type": "object", "properties": {"event": named, "data": told}, "required": ["event", "data"]}


def _anything(kind: type) -> Schema:
    if kind is not object:
        raise NotImplementedError(kind)
    return {"description": "A game fills this as it likes."}


def _tag(call: Call) -> str:
    return call.answer.__module__.rpartition(".")[2]


def _about(call: Call) -> str:
    return (sys.modules[call.answer.__module__].__doc__ or "").partition("\n")[0]


def _operation(call: Call, schemas: dict[Any, Schema]) -> Schema:
    schema = {} if call.gives is bytes else schemas[call.gives]
    if call.or_gives is not None:
        schema = {"anyOf": [schema, schemas[call.or_gives]]}
    if call.media == STREAM:
        named = [_event(name, schemas[kind]) for name, kind in STREAMED.items()]
        schema = {"anyOf": [*named, _event("", schema)]}
    content = {call.media: {"schema": schema}}
    responses: Schema = {str(status): {"description": call.about, "content": content} for status in call.statuses}
    for status, names in _refused(call).items():
        responses[str(status)] = {
            "description": f"{HTTPStatus(status).phrase}: {', '.join(names)}",
            "content": {JSON: {"schema": schemas[answers.Refused]}},
        }
    operation: Schema = {
        "operationId": call.name,
        "tags": [_tag(call)],
        "summary": call.about,
        "description": WHO[call.who],
        "parameters": _parameters(call),
        "responses": responses,
        "security": _security(call),
    }
    if call.method == "POST":
        taken = {"type": "object"} if call.takes is bytes else schemas[call.takes]
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": taken}}}
    return operation


def _security(call: Call) -> list[Schema]:
    if call.who in {"pi", "mover"}:
        return [{"secret": []}]
    if call.who in {"anybody", "lays"} and "<table>" not in call.path:
        return []
    return [*([{}] if call.who == "anybody" else []), {"key": []}, {"cookie": []}]


def _parameters(call: Call) -> list[Schema]:
    in_path = [
        {"name": name, "in": "path", "required": True, "description": PARTS[name], "schema": {"type": "string"}}
        for name in re.findall(r"<(\w+)>", call.path)
    ]
    others = [
        {
            "name": each.name,
            "in": each.where,
            "required": False,
            "description": each.about,
            "schema": {"type": "string"},
        }
        for each in call.query
    ]
    return in_path + others


def _refused(call: Call) -> dict[int, list[str]]:
    """The statuses a call may refuse with, and the codes that come with each."""
    kinds: list[type[Refusal]] = [Misdirected, TooMany, *call.refuses]
    if call.method == "POST":
        kinds += [Malformed, CrossSite, TooSlow, TooLarge, NotJson]
    if "<" in call.path:
        kinds.append(Missing)
    if "<table>" in call.path:
        kinds += [NoKey, NotAllowed, Malformed]
    if call.who != "anybody":
        kinds += [NoKey, NotAllowed, Missing]
    return _by_status(kinds)


def _by_status(kinds: Iterable[type[Refusal]]) -> dict[int, list[str]]:
    told: dict[int, list[str]] = {}
    for kind in dict.fromkeys(kinds):
        told.setdefault(STATUS[kind], []).append(kind.code)
    return dict(sorted(told.items()))


def _path(path: str) -> str:
    return path.replace("<", "{").replace(">", "}")
