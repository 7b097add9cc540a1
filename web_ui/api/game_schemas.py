"""The games' part of the OpenAPI document, made from the types of what is done, shown, said and drawn in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import cleandoc
from typing import Any, Union, get_args, get_type_hints, is_typeddict

import msgspec

from companion import games
from companion.game import Correction, Move, Outcome
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
PARTS = ("Move", "Correction", "Board", "Hand", "Help", "Randomizer", "Outcome", "ChanceFacts", "LogFacts")
"""The schemas that each game has of its own."""
FACT: Schema = {
    "title": "Fact",
    "description": "What a sentence is filled with: a thing by its name, a number, several; or why, in the same shape.",
    "anyOf": [
        {"type": "string"},
        {"type": "integer"},
        {"type": "number"},
        {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        {"$ref": NAMED.format(name="PlainRefusal")},
    ],
}
NAME_OF = {str: "a name", int: "a number"}
FACTS: Schema = {"type": "object", "additionalProperties": {"$ref": NAMED.format(name="Fact")}}


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
        "Outcome": _any_of((*rules.outcomes.values(), *([] if rules.outcomes else [Outcome]))),
        "ChanceFacts": rules.chance_facts,
        "LogFacts": rules.logged,
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
    whole: Schemas = renamed(named, names)
    whole[f"{name_of(game)}Help"].pop("required", None)  # empty for a seat that is not to move
    _tell_types_of_log(game, whole[f"{name_of(game)}LogFacts"])
    _tell_randomizers(game, whole[f"{name_of(game)}Outcome"])
    if "PlainRefusal" in whole:
        whole["PlainRefusal"]["properties"]["facts"] = FACTS
    return whole


def _tell_types_of_log(game: RulesPlayed, log: Schema) -> None:
    """Say which types of steps there are, and what the sentence of each says: there are as many as in the catalogue."""
    scopes = ("log.", f"{game.box or games.TOOLBOX}.log.")
    keys = [key for key in catalogue("en", [game.box or games.TOOLBOX]) if key.startswith(scopes)]
    said = {key.rpartition(".")[2]: sorted(said_of("en", key) & log["properties"].keys()) for key in keys}
    log["properties"]["type"] = {"type": "string", "enum": sorted(said)}
    by_type = "; ".join(f"`{kind}`: {', '.join(facts) or '–'}" for kind, facts in sorted(said.items()))
    log["description"] = f"{cleandoc(log.get('description', ''))}\n\nWhat the sentence of each says: {by_type}."


def _tell_randomizers(game: RulesPlayed, outcome: Schema) -> None:
    """Say of which type the outcomes of each randomizer are."""
    by_randomizer = "; ".join(
        f"`{randomizer}`: {' or '.join(NAME_OF[kind] for kind in get_args(each) or (each,))}"
        for randomizer, each in game.rules.outcomes.items()
    )
    outcome["title"] = f"{name_of(game)}Outcome"
    outcome["description"] = f"What falls, or is reported. {by_randomizer}".strip()


def with_outcomes(schema: Any, ref: Schema) -> Any:
    """A schema in which outcomes are named.

    >>> with_outcomes({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}, {"$ref": "#/Outcome"})
    {'anyOf': [{'$ref': '#/Outcome'}, {'type': 'null'}]}
    """
    match schema:
        case {"anyOf": [{"type": "string"}, {"type": "integer"}]}:
            return ref
        case {"anyOf": [{"type": "string"}, {"type": "integer"}, *rest]}:
            return {**schema, "anyOf": [ref, *with_outcomes(rest, ref)]}
        case dict():
            return {key: with_outcomes(value, ref) for key, value in schema.items()}
        case list():
            return [with_outcomes(each, ref) for each in schema]
    return schema


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
        chance = with_outcomes(known["AskChance"], own["Outcome"])
        made[f"{name}AskChance"] = _with(
            chance, f"{name}AskChance", randomizer=own["Randomizer"], facts=own["ChanceFacts"]
        )
        made[f"{name}LogLine"] = _with(
            known["LogLine"], f"{name}LogLine", what=own["LogFacts"], also=_several(own["LogFacts"])
        )
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
        "Outcome": "What falls, or is reported, in any game: a thing by its name, a number, or a seat by its index.",
        "LogFacts": "What the log says of a step of any game; its `type` says which facts there are, within its game.",
        "ChanceFacts": "What may be said of a question to chance, in any game.",
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


def _several(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _ref(name: str) -> str:
    return NAMED.format(name=name)


def _any_of(kinds: Sequence[type[Move]] | Sequence[type[Correction]] | Sequence[Any]) -> Any:
    return Union[tuple(kinds)] if kinds else None  # noqa: UP007 -- the members are only known at run time


def _typed(shows: Callable[..., object]) -> Any:
    """The `TypedDict` that a referee's method returns; None where it returns any JSON object."""
    given = get_type_hints(shows)["return"]
    return next((kind for kind in (given, *get_args(given)) if is_typeddict(kind)), None)


def _with(schema: Schema, title: str, **properties: Schema) -> Schema:
    """A schema of an object with some properties replaced."""
    return {**schema, "title": title, "properties": {**schema["properties"], **properties}}
