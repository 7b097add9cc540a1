"""The calls about the addresses that are told what happens: which they are, what they are sent, what came of it."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.refusals import AsTyped, Illegal, Malformed, Missing, Storage
from companion.words import say
from web_ui.api import bodies
from web_ui.api.calls import Asking, CallTable
from web_ui.webhooks import FILE, MOST_HOOKS, Kind, Post, Try, Webhook, hooks_at_start, keep_hooks

calls = CallTable()


class TryTold(msgspec.Struct, frozen=True):
    """What came of one attempt, in the asker's language too."""

    at: int
    event: Kind | Literal["test"]
    status: int | None
    taken: bool
    message: str


class WebhookTold(msgspec.Struct, frozen=True):
    """An address, without what is secret of it.

    :ivar signed: whether what is sent is signed
    :ivar token: whether it is shown a token
    :ivar waiting: messages that wait for it
    :ivar tries: the last of them, the newest first
    """

    id: str
    url: str
    events: tuple[Kind, ...]
    send: Literal["json", "text"]
    body: str
    signed: bool
    token: bool
    waiting: int
    tries: tuple[TryTold, ...]


class WebhooksTold(msgspec.Struct, frozen=True):
    """The addresses that are told what happens.

    :ivar fixed: the file is changed by hand, as several processes share it
    :ivar secret: the secret that was made just now; it is told this once
    """

    webhooks: tuple[WebhookTold, ...]
    most: int
    fixed: bool
    secret: str | None = None


class Hooking(bodies.Body, frozen=True):
    """An address that is to be told, or another way to tell it.

    :ivar id: which is changed; none for one more
    :ivar sign: with the secret it has, with a new one, or not
    :ivar token: one that is left out is the one that is kept
    """

    url: Annotated[str, Meta(min_length=1, max_length=500)]
    events: Annotated[tuple[Kind, ...], Meta(min_length=1, max_length=4)]
    id: Annotated[str, Meta(max_length=40)] | None = None
    send: Literal["json", "text"] = "json"
    body: Annotated[str, Meta(max_length=2000)] = ""
    token: Annotated[str, Meta(max_length=500)] | None = None
    sign: Literal["kept", "new", "not"] = "kept"


class WhichHook(bodies.Body, frozen=True):
    """One of the addresses."""

    id: bodies.Key


@calls.get("/api/machine/webhooks", gives=WebhooksTold, who="owner")
def show_webhooks(asking: Asking, _: bodies.Nothing) -> WebhooksTold:
    """The addresses that are told of turns, calls, ends and faults, and what came of the last messages."""
    return _told(asking)


@calls.post("/api/machine/webhooks", gives=WebhooksTold, who="owner", refuses=(Illegal, Malformed, Missing, Storage))
def keep_webhook(asking: Asking, body: Hooking) -> WebhooksTold:
    """Have an address told, or change how; a secret that is made for it is in this answer alone."""
    with asking.service.hooks.choosing:
        hooks = _on_file(asking)
        before = _which(hooks, body.id) if body.id is not None else None
        if before is None and len(hooks) == MOST_HOOKS:
            raise Illegal("web.hooks_full", n=MOST_HOOKS)
        hook = _as_asked(body, before or Webhook(url=body.url))
        _keep(asking, [hook if each == before else each for each in hooks] if before else [*hooks, hook])
    return msgspec.structs.replace(_told(asking), secret=hook.secret if body.sign == "new" else None)


def _as_asked(body: Hooking, before: Webhook) -> Webhook:
    secret = {"kept": before.secret, "new": secrets.token_urlsafe(24), "not": ""}[body.sign]
    token = before.token if body.token is None else body.token
    return Webhook(
        url=body.url, events=body.events, secret=secret, send=body.send, body=body.body, token=token
    ).checked()


@calls.post(
    "/api/machine/webhooks/remove", gives=WebhooksTold, who="owner", refuses=(Illegal, Malformed, Missing, Storage)
)
def remove_webhook(asking: Asking, body: WhichHook) -> WebhooksTold:
    """Tell an address nothing more; what waits for it is dropped."""
    with asking.service.hooks.choosing:
        hooks = _on_file(asking)
        gone = _which(hooks, body.id)
        _keep(asking, [each for each in hooks if each != gone])
    return _told(asking)


@calls.post("/api/machine/webhooks/test", gives=WebhooksTold, who="owner", refuses=(Missing,))
def try_webhook(asking: Asking, body: WhichHook) -> WebhooksTold:
    """Send an address a test; what comes of it is among its tries a moment later."""
    asking.service.hooks.test(body.id, asking.language)
    return _told(asking)


def _on_file(asking: Asking) -> list[Webhook]:
    """What the owner's file names, before it is written anew: it may have been changed by hand."""
    if asking.service.hall.journal.shared:
        raise Illegal("web.hooks_fixed", file=AsTyped(FILE))
    return list(hooks_at_start(asking.service.hall.folder))


def _which(hooks: list[Webhook], wanted: str) -> Webhook:
    found = next((hook for hook in hooks if hook.id == wanted), None)
    if found is None:
        raise Missing("web.no_hook")
    return found


def _keep(asking: Asking, hooks: list[Webhook]) -> None:
    keep_hooks(asking.service.hall.folder, hooks)
    asking.service.hooks.use(hooks)


def _told(asking: Asking) -> WebhooksTold:
    posts = tuple(_hook_told(post, asking.language) for post in asking.service.hooks.posts)
    return WebhooksTold(posts, MOST_HOOKS, asking.service.hall.journal.shared)


def _hook_told(post: Post, language: str) -> WebhookTold:
    hook = post.hook
    tries = tuple(_try_told(each, language) for each in (*post.tries,))
    signed, token = bool(hook.secret), bool(hook.token)
    return WebhookTold(hook.id, hook.url, hook.events, hook.send, hook.body, signed, token, post.waiting, tries)


def _try_told(came: Try, language: str) -> TryTold:
    key = "taken" if came.taken else "answered" if came.status is not None else "away"
    facts = {"status": str(came.status), "reason": AsTyped(came.reason)}
    return TryTold(came.at, came.event, came.status, came.taken, say(language, f"web.hook_try.{key}", facts))
