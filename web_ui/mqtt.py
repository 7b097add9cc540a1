"""Tells a house of its tables by an MQTT broker, in the way Home Assistant discovers devices by itself.

There is a device for the table here, which stays from game to game, one for the rig, and, where the owner wants it, one
for each table in play. What is so is retained, what happens is not; whoever leaves is `offline` by the broker's own
word. A broker that is away, slow or silent keeps nobody waiting: of what it has not taken only the newest is kept. What
is told is what everybody sees (`house.py`, `devices.py`); what is taken is STOP alone.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from companion import games
from companion.refusals import AsTyped
from companion.terminal.doctor import house_of
from companion.words import person, say
from web_ui.broker import Broker, TablesTold
from web_ui.devices import (
    HERE,
    Names,
    TableHere,
    event_told,
    here_device,
    here_state,
    rig_device,
    rig_state,
    table_device,
    table_state,
)
from web_ui.events import tell
from web_ui.house import HouseEvent, HouseView, RigNow, TableNow, keep_house

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

log = logging.getLogger(__name__)

DISCOVERY = "homeassistant"
ALIVE_EVERY = 30  # seconds of silence after which broker and service ask each other
TRIED_AGAIN = (1, 60)  # seconds until a broker that is away is tried again: at first, and at last
CONNECTED_WITHIN = 5.0
UNTAKEN = 20  # messages that may be under way
EVENTS_KEPT = 100  # of those that wait; older ones are not told any more
SWEPT_FOR = 5.0  # seconds after a connection in which the broker tells of what was left behind
SAID_WITHIN = 0.5  # seconds for the broker to take that we leave
WORD_EVERY = 1.0  # seconds between two questions whether it is still, or now, for us to tell

LinkState = Literal["off", "missing", "beside", "trying", "online", "refused", "away"]


class LinkTold(msgspec.Struct, frozen=True):
    """How it stands with the broker, for the owner.

    :ivar broker: its address, without user and password
    :ivar ca: the file of an authority of one's own
    :ivar message: the same in the asker's language
    :ivar tables: whether it is told of the table here alone, or of each beside it
    :ivar fixed: it was named at the start, and is changed there
    """

    broker: str
    user: str
    ca: str
    state: LinkState
    message: str
    fixed: bool
    tables: TablesTold


class BrokerLink:
    """The way to a broker.

    :param stop: stops the shovel, at once.
    :param address: where this service is reached, for the pages that a device leads to.
    :param has_word: whether it is for this process to tell, where several share the tables; None where it is alone.
    """

    def __init__(
        self,
        house: HouseView,
        folder: Path,
        *,
        stop: Callable[[], None],
        address: Callable[[], str | None],
        language: str,
        has_word: Callable[[], bool] | None = None,
    ) -> None:
        self._house = house
        self._folder = folder
        self._stop = stop
        self._address = address
        self._language = language
        self._has_word = has_word
        self._choosing = threading.RLock()  # held while a connection is begun or ended
        self._chosen = threading.Event()  # set once something else is
        self._lock = threading.Lock()  # never held while the client is asked for anything
        self._wake = threading.Event()
        self._client: Client | None = None
        self._deaf: Callable[[], None] = _nothing
        self.broker: Broker | None = None
        self.fixed = False
        self.id = ""
        self.state: LinkState = "off"
        self.reason = ""
        self._waiting: OrderedDict[str, tuple[str, bytes, bool]] = OrderedDict()
        self._events = 0  # so many were told, for their names among what waits
        self._here = TableHere()
        self._untaken = 0
        self._said: dict[str, int] = {}
        self._told: set[str] = set()  # the tables that the broker knows of by us
        self._left: set[str] = set()  # what it knows of that may have been left behind
        self._settled = False
        self._swept = 0.0

    # What an owner does.

    def use(self, broker: Broker | None, *, fixed: bool = False) -> None:
        """Tell that broker from now on, or none.

        :raises Illegal: where its authority's file cannot be read; all is as it was then.
        """
        trusted = broker.trusted() if broker else None
        with self._choosing:
            self.close()
            self.broker, self.fixed, self.reason = broker, fixed, ""
            self._chosen = threading.Event()
            if broker is None:
                self._is("off")
                if house_of(self._folder) is not None:
                    keep_house(self._folder, link="off", reason="")  # whatever it was when the service ran before
            elif self._has_word is None:
                self._begin(broker, trusted)
            else:
                self._is("beside")
                turns = (broker, trusted, self._has_word, self._chosen)
                threading.Thread(target=self._take_turns, args=turns, name="mqtt word", daemon=True).start()

    def close(self) -> None:
        """Say that we leave, if anybody listens, and be silent."""
        self._chosen.set()
        with self._choosing:
            self._end()

    def _take_turns(
        self,
        broker: Broker,
        trusted: ssl.SSLContext | None,
        has_word: Callable[[], bool],
        chosen: threading.Event,
    ) -> None:
        """Tell it while that is for us: of processes that share the tables one tells, once it has ended the next."""
        while not chosen.is_set():
            ours = has_word()
            with self._choosing:
                if chosen.is_set():
                    return
                if ours and self._client is None:
                    self._begin(broker, trusted)
                elif not ours and self._client is not None:
                    self._end()
                    self._is("beside")
            chosen.wait(WORD_EVERY)

    def _begin(self, broker: Broker, trusted: ssl.SSLContext | None) -> None:
        self.id = keep_house(self._folder, broker=broker.shown).id
        try:
            client = self._client_for(broker, trusted)
        except ImportError:
            self._is("missing")
            return
        self._client = client
        self._wake = threading.Event()  # the thread before this one may still wake by its own
        self._is("trying")
        self._here = TableHere()
        client.connect_async(broker.host, broker.port, keepalive=ALIVE_EVERY)
        client.loop_start()
        threading.Thread(target=self._run, args=(client, self._wake), name="mqtt", daemon=True).start()
        self._deaf = self._house.listen(self)

    def _end(self) -> None:
        client, self._client = self._client, None
        self._deaf()
        self._deaf = _nothing
        if client is None:
            return
        self._wake.set()
        if self.state == "online" and not self._takes_leave(client):
            _hang_up(client)
        client.disconnect()
        threading.Thread(target=client.loop_stop, daemon=True).start()  # it may be in the middle of a connection
        with self._lock:
            self._waiting.clear()
            self._said.clear()
            self._told.clear()
            self._untaken = 0

    def _takes_leave(self, client: Client) -> bool:
        """Tell the broker that we leave; whether it has taken that."""
        said = client.publish(f"{self._base}/status", "offline", qos=1, retain=True)
        try:
            said.wait_for_publish(SAID_WITHIN)
            return said.is_published()
        except (RuntimeError, ValueError):  # it has gone just now, and tells it by itself
            log.debug("the broker was not told that we leave")
            return False

    def status(self, language: str) -> LinkTold:
        """How it stands."""
        broker = self.broker or Broker("")
        facts = {"broker": AsTyped(broker.shown), "reason": AsTyped(self.reason)}
        message = say(language, f"web.mqtt.{self.state}", facts)
        return LinkTold(broker.shown, broker.user, broker.ca, self.state, message, self.fixed, broker.tables)

    # What the house tells.

    def table(self, now: TableNow, events: Sequence[HouseEvent]) -> None:
        """A table is so now, and this has happened at it."""
        seats = tuple(replace(each, name=person(self._language, each.name)) for each in now.seats)
        now = replace(now, seats=seats)
        self._here.told(now)
        if self.state != "online":
            return
        self._tell_here()
        for event in events:
            self._put_event(f"{self._base}/{HERE}/event", event_told(now, event))
        if not self._tells_each:
            return
        self._told.add(now.table)
        if not now.over:
            calls = now.table in self._house.calling()
            self._put(f"{self._base}/{now.table}/state", table_state(now, calls=calls))
            self._put(self._config(now.table), table_device(now, self._names()))
        for event in events:
            self._put_event(f"{self._base}/{now.table}/event", event_told(now, event))

    def table_gone(self, table: str) -> None:
        """A table is told of no more: what was retained of it goes."""
        self._here.gone(table)
        if self.state == "online":
            self._tell_here()
            if self._tells_each:
                self._take_back(table)

    def rig(self, now: RigNow) -> None:
        """The rig is so now."""
        if self.state != "online" or now.kind == "none":
            return
        self._told.add("rig")
        self._put(f"{self._base}/rig/state", msgspec.json.encode(rig_state(now)))
        self._put(self._config(), rig_device(now, self._names()))

    def all_told(self, *, again: bool) -> None:
        """All that is so has been told: what the broker knows beside it was left behind."""
        if self.state != "online" or not again:
            return
        self._settled = True
        self._told.add(HERE)
        self._tell_here()
        self._sweep()

    def _tell_here(self) -> None:
        """Tell how the table here stands, once it is known which that is."""
        if self._settled:
            seats = max(games.box(name).seats.max for name in games.names())
            self._put(f"{self._base}/{HERE}/state", here_state(self._here.now, self._house.calling(), seats))
            self._put(self._config(HERE), here_device(self._names(), seats))

    def _sweep(self) -> None:
        """Take back what was left behind."""
        with self._lock:
            left, self._left = self._left - self._told, set()
        for table in left:
            self._take_back(table)

    def _take_back(self, table: str) -> None:
        self._told.discard(table)
        for topic in (self._config(table), f"{self._base}/{table}/state"):
            self._put(topic, b"")

    # On its way.

    @property
    def _base(self) -> str:
        return f"digside/{self.id}"

    @property
    def _tells_each(self) -> bool:
        return self.broker is not None and self.broker.tables == "each"

    def _config(self, table: str | None = None) -> str:
        return f"{DISCOVERY}/device/digside_{self.id}{f'_{table}' if table and table != 'rig' else ''}/config"

    def _names(self) -> Names:
        return Names(self.id, self._base, self._address() or "", self._language)

    def _put(self, topic: str, payload: bytes) -> None:
        """Something is so, and is retained: only the newest of it is told, and nothing twice."""
        with self._lock:
            if self._said.get(topic) == hash(payload):
                return
            self._said[topic] = hash(payload)
            if not payload:
                del self._said[topic]
            self._waiting.pop(topic, None)
            self._waiting[topic] = (topic, payload, True)
        self._wake.set()

    def _put_event(self, topic: str, payload: bytes) -> None:
        """Something happened: it is told once, unless too much waits."""
        with self._lock:
            self._events += 1
            self._waiting[f"#{self._events}"] = (topic, payload, False)
            self._waiting.pop(f"#{self._events - EVENTS_KEPT}", None)
        self._wake.set()

    def _run(self, client: Client, wake: threading.Event) -> None:
        """Hand on what waits, no faster than the broker takes it."""
        while client is self._client:
            while (message := self._next()) is not None:
                topic, payload, retain = message
                client.publish(topic, payload, qos=1, retain=retain)
            wake.wait(SWEPT_FOR if self._swept else None)
            wake.clear()
            if self._swept and time.monotonic() >= self._swept and self._settled:
                self._swept = 0.0
                client.unsubscribe(f"{self._base}/+/state")

    def _next(self) -> tuple[str, bytes, bool] | None:
        with self._lock:
            if self.state != "online" or not self._waiting or self._untaken >= UNTAKEN:
                return None
            self._untaken += 1
            return self._waiting.popitem(last=False)[1]

    def _client_for(self, broker: Broker, trusted: ssl.SSLContext | None) -> Client:
        from paho.mqtt import client as paho
        from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

        link = self

        class Ours(paho.Client):
            """Remembers why it could not connect."""

            def reconnect(self) -> MQTTErrorCode:
                try:
                    return super().reconnect()
                except OSError as error:
                    plain = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else error.strerror
                    link.reason = plain or str(error)
                    raise

        client = Ours(CallbackAPIVersion.VERSION2, client_id=f"digside-{self.id}")
        if broker.user:
            client.username_pw_set(broker.user, broker.password or None)
        if trusted is not None:
            client.tls_set_context(trusted)
        client.connect_timeout = CONNECTED_WITHIN
        client.reconnect_delay_set(*TRIED_AGAIN)
        client.max_inflight_messages_set(UNTAKEN)
        client.will_set(f"{self._base}/status", "offline", qos=1, retain=True)
        client.on_connect = self._connected
        client.on_connect_fail = self._not_connected
        client.on_disconnect = self._disconnected
        client.on_publish = self._taken
        client.on_message = self._heard
        return client

    # What the client's own thread tells.

    def _connected(
        self, client: Client, _: object, flags: ConnectFlags, code: ReasonCode, more: Properties | None
    ) -> None:
        if client is not self._client:
            return
        if code.is_failure:
            self.reason = str(code)
            self._is("refused")
            return
        with self._lock:
            self._waiting.clear()
            self._said.clear()
            self._told.clear()
            self._left.clear()
            self._settled, self._swept = False, time.monotonic() + SWEPT_FOR
        client.subscribe([(f"{self._base}/cmd", 1), (f"{DISCOVERY}/status", 1), (f"{self._base}/+/state", 1)])
        self.reason = ""
        self._is("online")
        self._put(f"{self._base}/status", b"online")
        self._house.again()

    def _not_connected(self, client: Client, _: object) -> None:
        if client is self._client:
            self._is("away")

    def _disconnected(
        self, client: Client, _: object, flags: DisconnectFlags, code: ReasonCode, more: Properties | None
    ) -> None:
        if client is self._client and self.state == "online":
            self.reason = str(code)
            self._is("away")

    def _taken(self, client: Client, _: object, number: int, code: ReasonCode, more: Properties) -> None:
        with self._lock:
            self._untaken = max(0, self._untaken - 1)
        self._wake.set()

    def _heard(self, client: Client, _: object, message: MQTTMessage) -> None:
        """STOP, which is everybody's; that Home Assistant has started anew; or something left behind."""
        if message.topic == f"{self._base}/cmd":
            if message.payload == b"stop" and not message.retain:
                self._stop()
        elif message.topic == f"{DISCOVERY}/status":
            if message.payload == b"online" and not message.retain:
                self._say_again()
        elif message.payload:
            table = message.topic.split("/")[2]
            with self._lock:
                self._left.add(table)
            if self._settled:
                self._sweep()

    def _say_again(self) -> None:
        with self._lock:
            self._said.clear()
        self._put(f"{self._base}/status", b"online")
        self._house.again()

    def _is(self, state: LinkState) -> None:
        """It stands so now: that is noted and logged as it changes, and not as often as it is tried."""
        before, self.state = self.state, state
        if before == state:
            return
        if state not in {"trying", "beside"}:
            keep_house(self._folder, link=state, reason=self.reason)
        if state in {"refused", "away", "missing"}:
            log.warning("the broker: %s", self.status("en").message)
        tell("broker", state=state)
        self._wake.set()


def _hang_up(client: Client) -> None:
    """Leave without a word, so that the broker tells our last will."""
    wire = client.socket()
    if isinstance(wire, socket.socket):
        with suppress(OSError):
            socket.socket.shutdown(wire, socket.SHUT_RDWR)  # TLS would say a word of its own


def _nothing() -> None:
    pass
