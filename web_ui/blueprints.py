"""Blueprints for Home Assistant: automations that need no more than an entity chosen, in the language of the house."""

from __future__ import annotations

import json
import re
from pathlib import Path

from companion.refusals import AsTyped, Missing
from companion.words import LANGUAGES, say

FOLDER = Path(__file__).parent / "home_assistant"
NAMES = ("your_turn", "somebody_calls", "phase_light")
PLACE = re.compile(r"\$\{(\w+)\}")
MESSAGES = {"your_turn": "web.hook.turn", "somebody_calls": "web.hook.call"}
"""What is said where nobody chooses anything else: the webhooks' sentence, with Home Assistant's own variables."""


def blueprint(name: str, language: str) -> str:
    """A blueprint as Home Assistant imports it.

    :raises Missing: where there is none of that name.

    >>> print(blueprint("your_turn", "en").splitlines()[1])
      name: "Digside: it is your turn"
    """
    if name not in NAMES or language not in LANGUAGES:
        raise Missing("web.no_blueprint", name=AsTyped(name))

    def said(place: re.Match[str]) -> str:
        if place[1] == "message":
            text = say(language, MESSAGES[name], {"name": AsTyped("{{ who }}"), "title": AsTyped("{{ game }}")})
        else:
            text = say(language, f"web.blueprint.{name}.{place[1]}", {})
        return json.dumps(text, ensure_ascii=False)

    return PLACE.sub(said, (FOLDER / f"{name}.yaml").read_text("utf-8"))
