"""A broker, and as whom it knows us: named at the start, or kept in a file of the data folder."""

from __future__ import annotations

import json
import os
import ssl
import tomllib
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import msgspec

from companion.refusals import AsTyped, Illegal, Malformed, Storage
from companion.whole_file import set_aside, write_whole

FILE = "mqtt.toml"
PORT, TLS_PORT = 1883, 8883
ENVIRONMENT = ("DIGSIDE_MQTT", "DIGSIDE_MQTT_PASSWORD")


TablesTold = Literal["here", "each"]


class Broker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A broker, and as whom it knows us.

    :ivar url: ``mqtt://host:port``, or ``mqtts://`` for TLS
    :ivar ca: the file of an authority of one's own that signed the broker's certificate
    :ivar tables: whether it is told of the table here alone, or of each beside it

    >>> Broker.of("mqtts://digside@broker.lan", password="p").shown
    'mqtts://broker.lan:8883'
    """

    url: str
    user: str = ""
    password: str = ""
    ca: str = ""
    tables: TablesTold = "each"

    @classmethod
    def of(cls, url: str, *, user: str = "", password: str = "", ca: str = "", tables: TablesTold = "each") -> Broker:
        """A broker by its address, in which user and password may stand.

        :raises Malformed: where it is no address of a broker.
        """
        try:
            parts = urlsplit(url)
            port = parts.port or (TLS_PORT if parts.scheme == "mqtts" else PORT)
        except ValueError:
            raise Malformed("web.mqtt_url") from None
        plain = parts.path in {"", "/"} and not parts.query and not parts.fragment
        if parts.scheme not in {"mqtt", "mqtts"} or not parts.hostname or not plain or not url.isprintable():
            raise Malformed("web.mqtt_url")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        known = (user or unquote(parts.username or ""), password or unquote(parts.password or ""))
        return cls(f"{parts.scheme}://{host}:{port}", *known, ca, tables)

    @property
    def shown(self) -> str:
        """The address alone."""
        return self.url

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or PORT

    def trusted(self) -> ssl.SSLContext | None:
        """Whose certificates are believed; None where none is asked for.

        :raises Illegal: where its authority's file cannot be read.
        """
        if not self.url.startswith("mqtts:"):
            return None
        try:
            return ssl.create_default_context(cafile=self.ca or None)
        except OSError as error:
            raise Illegal("web.mqtt_unread", file=AsTyped(self.ca), reason=AsTyped(error)) from None


def chosen(
    folder: Path,
    url: str | None = None,
    password_file: Path | None = None,
    ca: Path | None = None,
    tables: TablesTold = "each",
) -> Broker | None:
    """The broker that was named: on the command line, else in the environment, else in the settings' file.

    :raises Malformed: where something of that cannot be read.
    """
    url = url or os.environ.get(ENVIRONMENT[0])
    if not url:
        return kept(folder)
    try:
        said = password_file.read_text("utf-8").strip() if password_file else os.environ.get(ENVIRONMENT[1], "")
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed("web.mqtt_unread", file=AsTyped(password_file), reason=AsTyped(error)) from None
    return Broker.of(url, password=said, ca=str(ca or ""), tables=tables)


def kept(folder: Path) -> Broker | None:
    """The broker in the settings' file, if there is one.

    :raises Malformed: where the file cannot be read.
    """
    file = folder / FILE
    try:
        told = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Broker)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Malformed("web.mqtt_unread", file=AsTyped(file), reason=AsTyped(error)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        set_aside(file, error)
        raise Malformed("web.mqtt_unread", file=AsTyped(file), reason=AsTyped(error)) from None
    return Broker.of(told.url, user=told.user, password=told.password, ca=told.ca, tables=told.tables)


def keep(folder: Path, broker: Broker | None) -> None:
    """Keep a broker in the settings' file, which nobody else on the machine can read; or none.

    :raises Storage: where the disk does not take it.
    """
    file = folder / FILE
    try:
        if broker is None:
            file.unlink(missing_ok=True)
            return
        told = msgspec.to_builtins(broker)
        lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items() if value)
        write_whole(file, "".join(lines).encode())
    except OSError as error:
        raise Storage("web.mqtt_unkept", file=AsTyped(file), reason=error.strerror or str(error)) from error
