"""Tells addresses that the owner named what happens at the tables: whose turn it is, who calls, an end, a fault.

Each address has a thread and a short queue of its own, so that one that hangs keeps nobody waiting, neither a press nor
another address. What is told is what everybody may see (`house.py`). Nothing is sent anywhere else: an answer that
points elsewhere is not followed, and no proxy of the environment is asked.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import logging
import os
import secrets
import ssl
import threading
import time
import tomllib
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from companion.refusals import AsTyped, Malformed, Missing, Storage
from companion.whole_file import write_whole
from companion.words import say
from web_ui.house import HouseEvent, HouseView, RigNow, TableNow

log = logging.getLogger(__name__)

FILE = "webhooks.toml"
MOST_HOOKS = 16
WAITING = 50  # events for one address; older ones are not told any more
WITHIN = 5.0  # seconds for an address to take an event
PAUSES = (1.0, 4.0, 15.0, 60.0, 180.0)  # seconds until an event is sent once more; after the last it is given up
TRANSIENT = frozenset({408, 425, 429})
"""Statuses below 500 after which it is worth trying again."""
SIGNATURE = "X-Digside-Signature"
DELIVERY = "X-Digside-Delivery"

TRIES_SHOWN = 5  # of each address, for its owner

Kind = Literal["turn", "call", "end", "fault"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Webhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An address that is told, and how.

    :ivar url: where it is posted to
    :ivar events: which of them
    :ivar secret: signs what is sent; without one it is not signed
    :ivar send: "json" tells a program, "text" a person, as ntfy shows it
    :ivar body: sent as it stands in the place of all that, as a lamp wants it
    :ivar token: for an address that asks for a bearer's token
    """

    url: Annotated[str, Meta(min_length=1, max_length=500)]
    events: tuple[Kind, ...] = KINDS
    secret: Annotated[str, Meta(max_length=200)] = ""
    send: Literal["json", "text"] = "json"
    body: Annotated[str, Meta(max_length=2000)] = ""
    token: Annotated[str, Meta(max_length=500)] = ""

    @property
    def id(self) -> str:
        """By which its owner's page means it; another as soon as anything of it is."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]

    def checked(self) -> Webhook:
        """Itself.

        :raises Malformed: where its address is none that can be posted to.
        """
        try:
            parts = urlsplit(self.url)
            _ = parts.port
        except ValueError:
            raise Malformed("web.hook_url", url=AsTyped(self.url)) from None
        plain = self.url.isascii() and self.url.isprintable() and " " not in self.url and self.token.isprintable()
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc or not plain:
            raise Malformed("web.hook_url", url=AsTyped(self.url))
        return self


class HooksFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the owner's file."""

    webhook: Annotated[tuple[Webhook, ...], Meta(max_length=MOST_HOOKS)] = ()


class Happening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an address is told: nothing that everybody at the table does not see.

    :ivar text: the same in a sentence, in the language of the service
    :ivar at: milliseconds since 1970
    """

    event: Kind | Literal["test"]
    text: str
    at: int
    table: str | None = None
    box: str | None = None
    seat: int | None = None
    name: str | None = None
    winners: tuple[str, ...] | None = None
    fault: str | None = None


def hooks_in(folder: Path) -> tuple[Webhook, ...]:
    """The addresses that the owner's file names.

    :raises Storage: where it cannot be read.
    :raises Malformed: where it says something else.
    """
    file = folder / FILE
    try:
        told = msgspec.convert(tomllib.loads(file.read_text("utf-8")), HooksFile)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise Storage("cli.cannot_read", file=str(file), reason=error.strerror or str(error)) from None
    except ValueError as error:
        raise Malformed("web.hooks_unread", file=AsTyped(file), reason=AsTyped(error)) from None
    return tuple(hook.checked() for hook in told.webhook)


def signed(secret: str, at: int, body: bytes) -> str:
    """What an address compares: when it was sent, and the HMAC-SHA256 of that, a dot and the body.

    >>> signed("s", 1, b"{}")
    't=1,v1=b253639bcd705ed1cda3073f66104f16988bd40272584dea7d0d345ae93e61cc'
    """
    digest = hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


class Try(msgspec.Struct, frozen=True):
    """An attempt to tell an address something.

    :ivar at: when it ended, in milliseconds since 1970
    :ivar status: what it answered; None where no answer came
    :ivar reason: why none came
    """

    at: int
    event: Kind | Literal["test"]
    status: int | None
    reason: str = ""

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_worth_another(self) -> bool:
        """Whether it may be taken if it is sent once more."""
        return self.status is None or self.status >= 500 or self.status in TRANSIENT


class Post:
    """One address with what waits for it.

    :ivar tries: the last of them, the newest first
    """

    def __init__(self, hook: Webhook, pauses: Sequence[float], within: float) -> None:
        self.hook = hook
        self.sent = self.lost = 0
        self.tries: deque[Try] = deque(maxlen=TRIES_SHOWN)
        self._pauses = pauses
        self._within = within
        self._waiting: deque[tuple[str, Happening]] = deque()
        self._wake = threading.Condition()
        self._closing = threading.Event()
        threading.Thread(target=self._run, name="webhook", daemon=True).start()

    def put(self, happening: Happening) -> None:
        """Send it, as soon as what came before is sent or given up. From any thread; waits for nobody."""
        with self._wake:
            if len(self._waiting) == WAITING:
                self._waiting.popleft()
                self.lost += 1
            self._waiting.append((secrets.token_hex(8), happening))
            self._wake.notify()

    def close(self) -> None:
        """Send nothing more."""
        self._closing.set()
        with self._wake:
            self._wake.notify()

    def _run(self) -> None:
        while not self._closing.is_set():
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._closing.is_set())
                if self._closing.is_set():
                    return
                delivery, happening = self._waiting.popleft()
            if self._told(delivery, happening):
                self.sent += 1
            else:
                self.lost += 1

    @property
    def waiting(self) -> int:
        """How much waits for it."""
        return len(self._waiting)

    def _told(self, delivery: str, happening: Happening) -> bool:
        """Whether it was taken, at once or after some tries; a test is sent once."""
        for pause in (*(() if happening.event == "test" else self._pauses), None):
            came = self._once(delivery, happening)
            self.tries.appendleft(came)
            if came.taken:
                return True
            if not came.is_worth_another:
                log.warning("webhook %s answered %d: not sent again", _host(self.hook), came.status)
                return False
            if pause is None or self._closing.wait(pause):
                break
        log.warning("webhook %s did not take an event", _host(self.hook))
        return False

    def _once(self, delivery: str, happening: Happening) -> Try:
        body, kind = _body(self.hook, happening)
        headers = {"Content-Type": kind, "User-Agent": "Digside", DELIVERY: delivery}
        if self.hook.send == "text":
            headers["Title"] = "Digside"
        if self.hook.secret:
            headers[SIGNATURE] = signed(self.hook.secret, int(time.time()), body)
        if self.hook.token:
            headers["Authorization"] = f"Bearer {self.hook.token}"
        parts = urlsplit(self.hook.url)
        link = _link(parts.scheme, parts.hostname or "", parts.port, self._within)
        status, reason = None, ""
        try:
            link.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
            status = link.getresponse().status  # no more of it is read, and no other address is asked
        except (OSError, http.client.HTTPException) as error:
            reason = _why(error)
        finally:
            link.close()
        return Try(time.time_ns() // 1_000_000, happening.event, status, reason)


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _link(scheme: str, host: str, port: int | None, within: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=within, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=within)


def _body(hook: Webhook, happening: Happening) -> tuple[bytes, str]:
    if hook.body:
        return hook.body.encode(), "application/json" if hook.body.lstrip()[:1] in {"{", "["} else "text/plain"
    if hook.send == "text":
        return happening.text.encode(), "text/plain; charset=utf-8"
    return msgspec.json.encode(happening), "application/json"


def _host(hook: Webhook) -> str:
    """Where an address leads, without what may be secret in it."""
    return urlsplit(hook.url).hostname or ""


class Webhooks:
    """What happens at the tables, for the owner's addresses.

    :param has_word: whether it is for this process to tell, where several share the tables; None where it is alone.
    """

    def __init__(
        self,
        house: HouseView,
        *,
        title: Callable[[str], str],
        language: str,
        has_word: Callable[[], bool] | None = None,
        pauses: Sequence[float] = PAUSES,
        within: float = WITHIN,
    ) -> None:
        self._house = house
        self._title = title
        self._language = language
        self._has_word = has_word
        self._pauses = pauses
        self._within = within
        self._deaf: Callable[[], None] | None = None
        self._fault: str | None = None
        self._begun = False
        self.posts: tuple[Post, ...] = ()
        self.choosing = threading.Lock()  # held while the owner's file is read and written anew

    def use(self, hooks: Sequence[Webhook]) -> None:
        """Tell these addresses from now on, and no others; what is so already is no news."""
        kept = {post.hook: post for post in self.posts if post.hook in hooks}
        for post in self.posts:
            if post.hook not in kept:
                post.close()
        self.posts = tuple(kept.get(hook) or Post(hook, self._pauses, self._within) for hook in dict.fromkeys(hooks))
        if self.posts and self._deaf is None:
            self._begun = False
            self._deaf = self._house.listen(self)
        elif not self.posts and self._deaf is not None:
            self._deaf()
            self._deaf = None

    def close(self) -> None:
        """Be silent."""
        self.use(())

    def test(self, hook: str, language: str) -> None:
        """Send an address a test, after what waits for it; what came of it is among its tries.

        :raises Missing: where there is none of that id.
        """
        post = next((post for post in self.posts if post.hook.id == hook), None)
        if post is None:
            raise Missing("web.no_hook")
        post.put(Happening(event="test", text=say(language, "web.hook.test", {}), at=time.time_ns() // 1_000_000))

    # As an ear of the house.

    def table(self, now: TableNow, events: Sequence[HouseEvent]) -> None:
        """Tell whose turn it has become at a table, that it calls, and its end."""
        for event in events:
            if event.kind == "turn" and event.seat is not None:
                self._tell("turn", now, seat=event.seat, name=now.seats[event.seat].name)
            elif event.kind == "call":
                self._tell("call", now)
            elif event.kind == "end":
                self._tell("end", now, winners=tuple(now.seats[each].name for each in now.winners))

    def table_gone(self, table: str) -> None:
        """A table is nobody's any more."""

    def rig(self, now: RigNow) -> None:
        """The rig is so now: tell of a new fault."""
        fault, self._fault = self._fault, now.fault
        if self._begun and now.fault is not None and now.fault != fault:
            self._tell("fault", None, fault=now.fault)

    def all_told(self, *, again: bool) -> None:
        """All there was is known: what comes from here on is news."""
        self._begun = True

    def _tell(self, kind: Kind, now: TableNow | None, **facts: Any) -> None:
        posts = [post for post in self.posts if kind in post.hook.events]
        if not posts or (self._has_word is not None and not self._has_word()):
            return
        winners = facts.get("winners", ())
        said = {"title": self._title(now.box) if now else "", "names": winners, "n": len(winners), **facts}
        key = f"web.hook.{kind}" if kind != "end" or facts["winners"] else "web.hook.end_nobody"
        text = say(self._language, key, said)
        table, box = (now.table, now.box) if now else (None, None)
        at = time.time_ns() // 1_000_000
        happening = Happening(event=kind, text=text, at=at, table=table, box=box, **facts)
        for post in posts:
            post.put(happening)


def hooks_at_start(folder: Path) -> tuple[Webhook, ...]:
    """The addresses of the owner's file, but for one that others may write: who could, could have us post anywhere."""
    file = folder / FILE
    if file.exists() and os.stat(file).st_mode & 0o022:
        raise Malformed("web.hooks_writable", file=AsTyped(file))
    return hooks_in(folder)


def keep_hooks(folder: Path, hooks: Sequence[Webhook]) -> None:
    """Write the owner's file anew, which nobody else on the machine can read.

    :raises Storage: where the disk does not take it.
    """
    file = folder / FILE
    try:
        write_whole(file, "\n".join(_as_toml(hook) for hook in hooks).encode())
    except OSError as error:
        raise Storage("web.mqtt_unread", file=AsTyped(file), reason=error.strerror or str(error)) from error


def _as_toml(hook: Webhook) -> str:
    told = {name: value for name, value in msgspec.to_builtins(hook).items() if value}
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items())
    return "[[webhook]]\n" + "".join(lines).replace("\x7f", "\\u007f")
