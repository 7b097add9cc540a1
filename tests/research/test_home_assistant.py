"""Home Assistant itself takes the devices, keeps the entities from game to game, and runs the blueprints.

It is no part of `make test`: it needs `homeassistant` and `home-assistant-frontend` from PyPI, which take the newest
Python alone (2025.4 takes 3.13). Digside, a broker and Home Assistant's own core run side by side; nothing of them is
simulated but the lamp.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from companion.words import LANGUAGES
from tests.web.broker import Mosquitto, broker
from tests.web.live import Live
from web_ui.blueprints import NAMES, blueprint

CONFIGURATION = """
automation: !include automations.yaml
mqtt:
"""
AUTOMATIONS = """
- id: turn
  use_blueprint:
    path: digside/your_turn.yaml
    input: {{ events: {events}, player: "  ADA" }}
- id: call
  use_blueprint:
    path: digside/somebody_calls.yaml
    input: {{ events: {events} }}
- id: light
  use_blueprint:
    path: digside/phase_light.yaml
    input: {{ phase: {phase}, light: [light.lamp], over_for: 1 }}
"""
PATIENCE = 30.0


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    folder = tmp_path / "broker"
    folder.mkdir()
    with broker(folder) as made:
        yield made


async def until(holds: Callable[[], object], what: str) -> Any:
    """Wait until something is so."""
    for _ in range(int(PATIENCE * 20)):
        if found := holds():
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(what)


async def home(folder: Path, mosquitto: Mosquitto) -> Any:
    """Home Assistant, with the broker set up as somebody would on its page."""
    from homeassistant import bootstrap, runner

    automations = folder / "automations.yaml"
    automations.write_text("[]\n")
    (folder / "configuration.yaml").write_text(CONFIGURATION)
    kept = folder / "blueprints" / "automation" / "digside"
    kept.mkdir(parents=True)
    for name in NAMES:
        (kept / f"{name}.yaml").write_text(blueprint(name, "en"), "utf-8")
    hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(config_dir=str(folder), skip_pip=True))
    assert hass is not None
    await hass.async_start()
    flow = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
    while flow["type"].value != "create_entry":
        step: dict[str, Any] = {"broker": "127.0.0.1", "port": mosquitto.open_port}
        if flow["type"].value == "menu":
            step = {"next_step_id": "broker"}
        flow = await hass.config_entries.flow.async_configure(flow["flow_id"], step)
        assert not flow.get("errors"), flow
    return hass


def of(hass: Any, domain: str, unique: str) -> str | None:
    """The entity of a kind whose unique id ends so."""
    from homeassistant.helpers import entity_registry

    found = entity_registry.async_get(hass).entities.values()
    return next((each.entity_id for each in found if each.domain == domain and each.unique_id.endswith(unique)), None)


async def imported(hass: Any, live: Live) -> None:
    """Each blueprint by its address, in each language, as its page of blueprints imports it."""
    from homeassistant.components.blueprint import importer

    for language in LANGUAGES:
        for name in NAMES:
            url = f"http://127.0.0.1:{live.port}/home-assistant/{language}/{name}.yaml"
            found = await importer.fetch_blueprint_from_url(hass, url)
            assert found.blueprint.domain == "automation"
            assert found.blueprint.validate() is None


async def played(hass: Any, live: Live) -> None:
    """Two games one after the other; the entities of the table here stay."""
    from homeassistant.core import Event

    lamp: list[tuple[str, Any]] = []
    messages: list[str] = []

    async def switched(call: Any) -> None:
        lamp.append((call.service, call.data.get("rgb_color")))

    def heard(event: Event[Any]) -> None:
        if event.data["domain"] == "persistent_notification":
            messages.append(event.data["service_data"]["message"])

    for service in ("turn_on", "turn_off"):
        hass.services.async_register("light", service, switched)
    hass.bus.async_listen("call_service", heard)
    phase = await until(lambda: of(hass, "sensor", "_here_phase"), "the phase")
    events = of(hass, "event", "_here_events")
    await until(lambda: hass.states.get(phase).state == "nobody", "nobody")
    text = AUTOMATIONS.format(events=events, phase=phase)
    await asyncio.to_thread(Path(hass.config.path("automations.yaml")).write_text, text)
    await hass.services.async_call("automation", "reload", blocking=True)
    assert {each.state for each in hass.states.async_all("automation")} == {"on"}
    assert len(hass.states.async_all("automation")) == 3
    known = []
    for box in ("horus", "tutankhamun"):
        lamp.clear()
        messages.clear()
        await a_game(hass, live, box, phase, lambda: (lamp, messages))
        known.append(sorted(each.entity_id for each in hass.states.async_all() if "digside" in each.entity_id))
    assert known[0] == known[1]
    assert all(hass.states.get(each).state != "unavailable" for each in known[1])


async def a_game(hass: Any, live: Live, box: str, phase: str, came: Callable[[], tuple[list[Any], list[str]]]) -> None:
    laying = {"box": box, "mode": "referee", "wait": False, "seats": [{"name": "Ada"}, {"name": "Ben"}]}
    laid = (await ask(live, "POST", "/api/tables", laying))[1]
    path, key = f"/api/tables/{laid['table']}", laid["host"]
    turn = await until(lambda: of(hass, "sensor", "_here_turn"), "the turn")
    await until(lambda: hass.states.get(phase).state == "move", f"a move of {box}")
    assert hass.states.get(phase).attributes["table"] == laid["table"]
    name = hass.states.get(turn).state
    colour = hass.states.get(phase).attributes["rgb"]
    lamp, messages = came()
    await until(lambda: lamp and lamp[-1] == ("turn_on", colour), f"{lamp}: the colour of {name}")
    if name == "Ada":
        await until(lambda: messages, "a message for Ada")
        assert messages[0].startswith("It is Ada’s turn (")
    messages.clear()
    await ask(live, "POST", f"{path}/call", {"wanted": True}, key)
    await until(lambda: any(each.startswith("A table calls for help") for each in messages), f"{messages}: the call")
    await until(lambda: lamp[-1] == ("turn_on", [255, 0, 0]), f"{lamp}: the colour of a call")
    seq = (await ask(live, "GET", path))[1]["seq"]
    await ask(live, "POST", f"{path}/close", {"seq": seq, "request": "close"}, key)
    await until(lambda: hass.states.get(phase).state == "over", "the end")
    await until(lambda: lamp[-1][1] != [255, 0, 0], "the colour of the end")


async def ask(live: Live, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
    asked: Awaitable[tuple[int, Any]] = asyncio.to_thread(live.call, method, path, body, key=key)
    status, told = await asked
    assert status < 300, told
    return status, told


def test_home_assistant_keeps_the_entities_and_runs_the_blueprints(mosquitto: Mosquitto, tmp_path: Path) -> None:
    live = Live(tmp_path / "data", settings={"mqtt": mosquitto.url(), "mqtt_tables": "here"})

    async def whole() -> None:
        (tmp_path / "home").mkdir()
        hass = await home(tmp_path / "home", mosquitto)
        try:
            await imported(hass, live)
            await played(hass, live)
        finally:
            await hass.async_stop(force=True)

    try:
        with ThreadPoolExecutor(1) as beside:  # in whose thread it forbids what would hold up its loop
            beside.submit(asyncio.run, whole()).result()
    finally:
        live.stop()
