"""A real broker beside a test: Mosquitto on ports and in a folder of its own, and somebody who listens there."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from tests.needs import needs_program
from tests.web.live import free_port
from web_ui.certificate import certificate_for

APT = "mosquitto mosquitto-clients"
PATIENCE = 20.0


class Mosquitto:
    """A broker that takes `digside` with a password, in the clear and by TLS, and anybody on the port of the tests."""

    def __init__(self, folder: Path) -> None:
        self._program = needs_program("mosquitto", apt=APT)
        self._folder = folder
        self.port, self.open_port, self.tls_port = free_port(), free_port(), free_port()
        self.shown = certificate_for(folder / "certificate", (), ("127.0.0.1",))
        passwords = folder / "passwords"
        passwords.touch(mode=0o600)
        maker = needs_program("mosquitto_passwd", apt=APT)
        subprocess.run([maker, "-b", str(passwords), "digside", "right"], check=True, capture_output=True)
        self._file = folder / "mosquitto.conf"
        self._file.write_text(
            f"per_listener_settings true\nuser root\npersistence true\npersistence_location {folder}/\n"
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\n"
            f"listener {self.open_port} 127.0.0.1\nallow_anonymous true\n"
            f"listener {self.tls_port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\n"
            f"certfile {self.shown.certificate}\nkeyfile {self.shown.key}\n"
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Have it listen."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([self._program, "-c", str(self._file)], stdout=log, stderr=log)
        until(lambda: _listens(self.open_port), "a broker")

    def stop(self) -> None:
        """End it; what was retained it has kept."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._process = None

    def url(self, password: str = "right") -> str:
        """How a service is told of it."""
        return f"mqtt://digside:{password}@127.0.0.1:{self.port}"

    def tls_url(self, host: str = "127.0.0.1") -> str:
        """The same by TLS; its certificate is for 127.0.0.1 alone, and by an authority of its own."""
        return f"mqtts://digside:right@{host}:{self.tls_port}"


class Ear:
    """Somebody in the house who listens to everything, and keeps what is retained as a broker would."""

    def __init__(self, broker: Mosquitto, *topics: str) -> None:
        self.retained: dict[str, Any] = {}
        self.heard: list[tuple[str, Any, bool]] = []
        self._come = threading.Condition()
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._take
        self.client.connect("127.0.0.1", broker.open_port)
        for topic in topics or ("digside/#", "homeassistant/#"):
            self.client.subscribe(topic, qos=1)
        self.client.loop_start()

    def _take(self, client: paho.Client, _: object, message: paho.MQTTMessage) -> None:
        raw = message.payload.decode()
        told = json.loads(raw) if raw[:1] in {"{", "["} else raw
        with self._come:
            self.heard.append((message.topic, told, bool(message.retain)))
            if told == "":
                self.retained.pop(message.topic, None)
            else:
                self.retained[message.topic] = told
            self._come.notify_all()

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Wait until something is so."""
        with self._come:
            assert self._come.wait_for(lambda: bool(holds()), PATIENCE), f"{what}: {self.heard[-12:]}"

    def say(self, topic: str, payload: str, *, retain: bool = False) -> None:
        """Say something."""
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def devices(self) -> set[str]:
        """The devices that are to be discovered."""
        return {topic.split("/")[2] for topic in self.retained if topic.startswith("homeassistant/device/")}

    def events(self, table: str) -> list[Any]:
        """What happened at a table."""
        return [told for topic, told, _ in self.heard if topic.endswith(f"/{table}/event")]

    def close(self) -> None:
        """Leave."""
        self.client.disconnect()
        self.client.loop_stop()


def retained_at(broker: Mosquitto) -> dict[str, Any]:
    """What a newcomer is told at once: all that is retained."""
    ear = Ear(broker)
    marker: list[Any] = []
    ear.until(lambda: _marked(ear, marker), "the marker")
    ear.close()
    return {topic: told for topic, told, retain in ear.heard if retain}


def _marked(ear: Ear, marker: list[Any]) -> bool:
    """A message of one's own comes after all that is retained."""
    if not marker:
        marker.append(ear.client.publish("digside/marker", "now", qos=1))
    return any(topic == "digside/marker" for topic, _, _ in ear.heard)


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something is so that nobody tells of."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what} did not come"
        time.sleep(0.01)


@contextmanager
def broker(folder: Path) -> Iterator[Mosquitto]:
    """A broker for some tests."""
    made = Mosquitto(folder)
    try:
        yield made
    finally:
        made.stop()


def _listens(port: int) -> bool:
    import socket

    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
