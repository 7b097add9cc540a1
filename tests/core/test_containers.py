"""The compose file and the add-on name what there is, and what they start is asked for as the program takes it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from ruamel.yaml import YAML

from companion import __version__
from companion.terminal import cli
from web_ui.broker import ENVIRONMENT, TablesTold

ROOT = Path(__file__).parents[2]
HALL = ROOT / "docs" / "hall"
ADD_ON = ROOT / "docs" / "home-assistant" / "add-on" / "digside"
OF_ONE_ALONE = re.compile(r"libpq5 | \\\n    && install -d .*|\$\{TARGETARCH\}|\$\(dpkg [^)]*\)")


def read(file: Path) -> Any:
    return YAML(typ="safe", pure=True).load(file)


def mounted(services: dict[str, Any]) -> Iterator[str]:
    """What is put into the containers, by its place outside."""
    for service in services.values():
        yield from (each.split(":")[0] for each in service.get("volumes", ()))


def test_the_compose_file_names_what_there_is() -> None:
    whole = read(HALL / "compose.yml")
    services = whole["services"]
    for source in mounted(services):
        assert (HALL / source).exists() if source.startswith(".") else source in whole["volumes"], source
    for service in services.values():
        assert set(service["networks"]) == set(whole["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
    assert "secret" not in (HALL / "compose.yml").read_text("utf-8"), "a file of root's, which the service cannot read"
    asked = [cli.parser().parse_args(service["command"]) for service in services.values() if "command" in service]
    assert [each.mqtt for each in asked] == ["mqtt://broker:1883"] * 3
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == ["8765:8765"], "no more is open to others"


def test_what_measures_asks_the_services() -> None:
    services = read(HALL / "compose.yml")["services"]
    (job,) = read(HALL / "prometheus.yml")["scrape_configs"]
    told = [f"{name}:8765" for name, service in services.items() if "command" in service]
    assert job["static_configs"][0]["targets"] == told
    (source,) = read(HALL / "grafana" / "datasource.yml")["datasources"]
    assert source["url"].split("/")[2].split(":")[0] in services
    (provider,) = read(HALL / "grafana" / "dashboards.yml")["providers"]
    places = [each.split(":")[1] for each in services["grafana"]["volumes"]]
    home = services["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home in places
    assert str(Path(home).parent) == provider["options"]["path"]


def installed(file: Path) -> str:
    """How the package is put into a container."""
    lines = re.search(r"RUN apt-get.*?(?=\n[A-Z])", file.read_text("utf-8"), re.DOTALL)
    assert lines is not None
    return OF_ONE_ALONE.sub("", lines[0])


def test_the_add_on_is_the_container_of_this_version() -> None:
    config = read(ADD_ON / "config.yaml")
    assert config["version"] == __version__
    assert re.fullmatch(r"https?://\[HOST\]:\[PORT:\d+\]", config["webui"]), "as its supervisor wants"
    assert config["schema"]["tables"] == f"list({'|'.join(get_args(TablesTold))})"
    assert installed(ADD_ON / "Dockerfile") == installed(HALL / "Containerfile")
    said = (ADD_ON / "run.sh").read_text("utf-8")
    line = said.partition("-m digside ")[2].replace("\\\n", " ")
    line = re.sub(r'"\$\(bashio::config (\w+)\)"', lambda each: config["options"][each[1]], line)
    asked = cli.parser().parse_args(shlex.split(line))
    assert (str(asked.data), asked.rig, asked.mqtt_tables) == ("/data", "none", "here")
    assert set(re.findall(r"DIGSIDE_\w+", said)) == set(ENVIRONMENT)
