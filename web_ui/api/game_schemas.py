"""The games' part of the OpenAPI document, made from the types of their moves, corrections, boards, hands and help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union, get_args, get_type_hints, is_typeddict

import msgspec

from companion import games
from companion.game import Correction, Move
from companion.games import RulesPlayed
from companion.referee import Referee, Verdict
from companion.refusals import PlainRefusal
from companion.words import catalogue, said_of

Schema = dict[str, Any]
Schemas = dict[str, Schema]
NAMED = "#/components/schemas/{name}"
SHARED = (Verdict, PlainRefusal)
"""Types that all games share."""
FREE: Schema = {"type": "object", "additionalProperties": True}
PARTS = ("Move", "Correction", "Board", "Hand", "Help", "Randomizer", "ChanceFacts", "Logged")
"""The schemas that each game has of its own."""
SAID: Schema = {"$ref": NAMED.format(name="SaidFact")}
PLAIN: list[Schema] = [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]
SAID_FACT: Schema = {
    "title": "SaidFact",
    "description": "A fact that a sentence is filled with: a thing by its name, a number, several of them.",
    "anyOf": [*PLAIN, {"type": "array", "items": {"anyOf": PLAIN}}, {"type": "null"}],
}
NOT_LOGGED = frozenset({"who", "type"})
"""What a sentence of the log says that stands beside the facts."""


def name_of(game: RulesPlayed) -> str:
    """The prefix of the names of a game's schemas."""
    return camel(game.box or games.TOOLBOX)


def camel(name: str) -> str:
    """A game's name in CamelCase.

    >>> camel("my_hill")
    'MyHill'
    """
    return "".join(part.capitalize() for part in name.split("_"))


def schemas_of(game: RulesPlayed) -> Schemas:
    """The schemas of a game: its own `PARTS`, and the types these refer to."""
    rules = game.rules
    kinds = {
        "Move": _any_of(rules.acts),
        "Correction": _any_of(rules.corrections),
        "Board": _typed(rules.board),
        "Hand": _typed(rules.hand) if has_hand(game) else None,
        "Help": _typed(rules.help),
    }
    typed = {part: kind for part, kind in kinds.items() if kind is not None}
    made, known = msgspec.json.schema_components(list(typed.values()), ref_template=NAMED)
    first = camel((game.box or games.TOOLBOX).split("_")[0])
    names = {each: each if each.startswith(first) else name_of(game) + each for each in known}
    names |= {kind.__name__: kind.__name__ for kind in SHARED}
    names |= {kind.__name__: name_of(game) + part for part, kind in typed.items() if is_typeddict(kind)}
    named = {name_of(game) + part: schema for part, schema in zip(typed, made, strict=True)}
    named |= {names[each]: {**schema, "title": names[each]} for each, schema in known.items()}
    named[f"{name_of(game)}Randomizer"] = {"type": "string", "enum": list(game.randomizers)}
    named = dict.fromkeys((name_of(game) + part for part in kinds if part != "Hand" or has_hand(game)), FREE) | named
    whole: Schemas = renamed(named, names) | log_schemas(game)
    whole[f"{name_of(game)}Help"].pop("required", None)  # empty for a seat that is not to move
    return whole


def log_schemas(game: RulesPlayed) -> Schemas:
    """What the log tells of a step, and a screen of a question to chance: the facts that the game's sentences say."""
    said = catalogue("en", [game.box or games.TOOLBOX])

    def sentences(area: str, *scopes: str) -> Iterator[tuple[str, list[str]]]:
        for begins in (f"{scope}{area}." for scope in scopes):
            for key in said:
                if key.startswith(begins):
                    yield key.removeprefix(begins), sorted(said_of("en", key) - NOT_LOGGED)

    own = f"{game.box or games.TOOLBOX}."
    logged, asked = dict(sentences("log", "", own)), dict(sentences("ask", own))
    by_type = "; ".join(f"`{kind}`: {', '.join(facts) or '–'}" for kind, facts in logged.items())
    return {
        "SaidFact": SAID_FACT,
        f"{name_of(game)}Logged": {
            "title": f"{name_of(game)}Logged",
            "description": f"What happened, as these eyes may read it; its facts, by its `type`. {by_type}",
            "type": "object",
            "properties": {"type": {"type": "string", "enum": sorted(logged)}, **_facts(logged)},
            "additionalProperties": SAID,
        },
        f"{name_of(game)}ChanceFacts": {
            "title": f"{name_of(game)}ChanceFacts",
            "description": "What may be said of a question to chance.",
            "type": "object",
            "properties": _facts(asked),
            "additionalProperties": SAID,
        },
    }


def _facts(said: Mapping[str, Sequence[str]]) -> Schemas:
    return dict.fromkeys(sorted({each for facts in said.values() for each in facts}), SAID)


def has_hand(game: RulesPlayed) -> bool:
    """Whether there is anything that one seat alone sees."""
    return game.rules.hand is not Referee.hand


def views_of(every: Sequence[RulesPlayed], known: Mapping[str, Schema]) -> Schemas:
    """For each game the schemas of a view and of what it asks for, with the game's own parts."""
    made: Schemas = {}
    for game in every:
        name = name_of(game)
        own = {part: {"$ref": _ref(name + part)} for part in PARTS}
        made[f"{name}AskMove"] = _with(known["AskMove"], f"{name}AskMove", options=own["Help"])
        made[f"{name}AskChance"] = _with(
            known["AskChance"], f"{name}AskChance", randomizer=own["Randomizer"], facts=own["ChanceFacts"]
        )
        made[f"{name}LogLine"] = _with(known["LogLine"], f"{name}LogLine", what=own["Logged"])
        asks = [f"{name}AskMove", f"{name}AskChance", "AskOver"]
        made[f"{name}View"] = _with(
            known["View"],
            f"{name}View",
            mode={"type": "string", "const": game.mode},
            board=own["Board"],
            you={"anyOf": [own["Hand"] if has_hand(game) else FREE, {"type": "null"}]},
            ask={
                "anyOf": [{"$ref": _ref(each)} for each in asks],
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": dict(zip(("move", "chance", "over"), map(_ref, asks), strict=True)),
                },
            },
            log={"type": "array", "items": {"$ref": _ref(f"{name}LogLine")}},
            **({"box": {"type": "string", "const": game.box}} if game.box else {}),
        )
    return made


def unions(every: Sequence[RulesPlayed], schemas: Mapping[str, Schema]) -> Schemas:
    """The schemas that accept any game.

    Moves and corrections of several games may have the same `type`. Those with more fields come first, as many
    generated clients take the first that fits and drop the fields it does not have.
    """
    descriptions = {
        "View": "A table as one viewer sees it: of which game, its `mode` says, and of a referee its `box`.",
        "Move": "A move of any game, as `…/moves` lists it; its `type` says which, within its game.",
        "Correction": "A correction of any game; its `type` says which, within its game.",
        "Board": "What lies on the table, by name.",
        "Help": "What each choice costs, why one may not, and the odds, as whoever asks may read it.",
    }
    made: Schemas = {}
    for part, about in descriptions.items():
        refs = [{"$ref": _ref(name_of(game) + part)} for game in every]
        if part in {"Move", "Correction"}:
            own = [schemas[name_of(game) + part] for game in every]
            each = [kind for schema in own for kind in schema.get("anyOf", [schema]) if "$ref" in kind]
            refs = sorted(each, key=lambda kind: -len(schemas[named_by(kind)]["properties"]))
        made[part] = {"description": about, "anyOf": refs}
    return made


def named_by(reference: Schema) -> str:
    """The name in a reference."""
    ref: str = reference["$ref"]
    return ref.removeprefix(NAMED.format(name=""))


def renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """A schema with its references renamed."""
    if isinstance(schema, dict):
        return {
            key: _renamed_ref(value, names) if key == "$ref" else renamed(value, names) for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [renamed(each, names) for each in schema]
    return _renamed_ref(schema, names) if isinstance(schema, str) else schema


def _renamed_ref(ref: str, names: Mapping[str, str]) -> str:
    name = ref.removeprefix(NAMED.format(name=""))
    return _ref(names.get(name, name)) if name != ref else ref


def _ref(name: str) -> str:
    return NAMED.format(name=name)


def _any_of(kinds: Sequence[type[Move]] | Sequence[type[Correction]]) -> Any:
    return Union[tuple(kinds)] if kinds else None  # noqa: UP007 -- the members are only known at run time


def _typed(shows: Callable[..., object]) -> Any:
    """The `TypedDict` that a referee's method returns; None where it returns any JSON object."""
    given = get_type_hints(shows)["return"]
    return next((kind for kind in (given, *get_args(given)) if is_typeddict(kind)), None)


def _with(schema: Schema, title: str, **properties: Schema) -> Schema:
    """A schema of an object with some properties replaced."""
    return {**schema, "title": title, "properties": {**schema["properties"], **properties}}
