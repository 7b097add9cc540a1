"""The calls with which the owner has a box match their own copy: look, check, save, go back, take out, bring in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion import games
from companion.boxes import BoxProblem, owners
from companion.boxes.problems import Doubt
from companion.boxes.shapes import named_fields, shape_of, words_in
from companion.refusals import AsTyped, Missing, Stale, Storage, as_typed
from companion.words import Scope, own, say, spoken
from web_ui.api import answers, bodies
from web_ui.api.calls import Asking, CallTable, Reply
from web_ui.http_errors import BadFigures, Facts

calls = CallTable()

State = Literal["shipped", "own", "amiss", "unread"]
Version = Annotated[
    str, Meta(max_length=16, description="Of the owner's file, as it was told; empty where there is none.")
]
Figures = Annotated[answers.Free, Meta(description="All figures of the box, as tables and lists.")]


class DoubtTold(msgspec.Struct, frozen=True):
    """What is wrong at a key, in the caller's language; `facts` by name, as a program may want them."""

    key: str
    message: str
    rule: str | None
    facts: Facts


class OwnBox(msgspec.Struct, frozen=True):
    """A box: as it is shipped, with figures of the owner's own, or with a file that does not hold or cannot be read.

    `own` counts the figures that are other than the shipped ones.
    """

    id: str
    title: str
    state: State
    message: str | None
    own: int


class OwnBoxes(msgspec.Struct, frozen=True):
    """All boxes, as the owner's files have them."""

    boxes: tuple[OwnBox, ...]


class BoxToEdit(msgspec.Struct, frozen=True):
    """A box with all that is needed to change its figures.

    `shape` says of every figure what it may be, `figures` what it is and `shipped` what it is as Digside comes. Where a
    figure is from stands in `origins` and `shipped_origins`, and the rule that states it in `rules`, each by its key;
    the longest that fits counts, and lists are counted from 1. `words` says what a field is, `names` what a thing is
    called.
    """

    id: str
    title: str
    version: str
    state: State
    message: str | None
    shape: answers.Free
    figures: answers.Free
    shipped: answers.Free
    origins: dict[str, str]
    shipped_origins: dict[str, str]
    rules: dict[str, str]
    words: dict[str, str]
    names: dict[str, str]
    doubts: tuple[DoubtTold, ...]


class DoubtsTold(msgspec.Struct, frozen=True):
    """All that is wrong; nothing, where the box holds. `own` counts the figures that would be the owner's."""

    doubts: tuple[DoubtTold, ...]
    own: int


class Kept(msgspec.Struct, frozen=True):
    """The owner's file is written; its new version."""

    version: str


class Drafting(bodies.Body, frozen=True):
    """Figures to look through."""

    figures: Figures


class Against(bodies.Body, frozen=True):
    """What takes the place of a version of the owner's file."""

    version: Version


class Saving(Against, frozen=True):
    """Figures to keep."""

    figures: Figures


class Resetting(Against, frozen=True):
    """A figure, by its key, that is to be as shipped again; without one, all are."""

    key: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class Importing(Against, frozen=True):
    """An owner's file, as TOML."""

    text: str


@calls.get("/api/owner/boxes", gives=OwnBoxes, who="owner")
def list_own_boxes(asking: Asking, _: bodies.Nothing) -> OwnBoxes:
    """All boxes: as shipped, with figures of one's own, or with a file that does not hold."""
    return OwnBoxes(tuple(_in_list(asking, name) for name in games.names()))


@calls.get("/api/owner/boxes/<box>", gives=BoxToEdit, who="owner")
def edit_box(asking: Asking, _: bodies.Nothing) -> BoxToEdit:
    """Every figure of a box, what it may be, where it is from, and which rule states it."""
    name = _known(asking)
    box, unread = _looked_at(asking, name)
    kind, scope = games.bundle(name).box, (name,)
    shape = shape_of(kind)
    fields = dict.fromkeys(named_fields(shape))
    things = dict.fromkeys((*words_in(shape), *_things(box.figures), *_things(box.ours)))
    names = {thing: _name(asking.language, thing, scope) for thing in things}
    names |= {rule: f"{rule}: {say(asking.language, f'{name}.rulings.{rule}', {})}" for rule in box.ours["rulings"]}
    listed = _in_list(asking, name)
    return BoxToEdit(
        id=name,
        title=listed.title,
        version=box.version,
        state=listed.state,
        message=unread,
        shape=shape,
        figures=box.figures,
        shipped=box.shipped,
        origins=dict(box.box["from"]),
        shipped_origins=dict(box.ours["from"]),
        rules=dict(kind.stated_by),
        words={field: _label(asking.language, field, scope) for field in fields},
        names={thing: said for thing, said in names.items() if said != thing},
        doubts=() if unread else tuple(_told(asking, each) for each in owners.doubts_about(box)),
    )


@calls.post("/api/owner/boxes/<box>/check", gives=DoubtsTold, who="owner", asks="looks")
def check_draft(asking: Asking, body: Drafting) -> DoubtsTold:
    """All that would be wrong with figures, in one pass; nothing is kept."""
    before, _ = _looked_at(asking, _known(asking))
    try:
        after = owners.with_figures(before, body.figures)
    except BoxProblem as wrong:
        return DoubtsTold(tuple(_told(asking, (each.key, each.reason)) for each in wrong.problems), 0)
    doubts = owners.doubts_about(after, before.box)
    return DoubtsTold(tuple(_told(asking, each) for each in doubts), owners.count_differing(after))


@calls.post("/api/owner/boxes/<box>/save", gives=Kept, who="owner", refuses=(Stale, BadFigures, Storage))
def save_box(asking: Asking, body: Saving) -> Kept:
    """Keep figures: in the owner's file stands what differs from the shipped box, and what stood there besides."""
    name = _known(asking)
    return _kept(lambda: owners.save(asking.service.hall.own_boxes, name, body.figures, version=body.version))


@calls.post("/api/owner/boxes/<box>/reset", gives=Kept, who="owner", refuses=(Stale, BadFigures, Storage))
def reset_box(asking: Asking, body: Resetting) -> Kept:
    """Have a figure as the shipped box has it; or all, and the owner's file goes."""
    name = _known(asking)
    return _kept(lambda: owners.reset(asking.service.hall.own_boxes, name, body.key, version=body.version))


@calls.get("/api/owner/boxes/<box>/export.toml", gives=bytes, media="application/toml", who="owner")
def export_box(asking: Asking, _: bodies.Nothing) -> Reply:
    """The owner's file, to keep or to bring in elsewhere; an empty one where there is none."""
    name = _known(asking)
    file = asking.service.hall.own_boxes / f"{name}.toml"
    text = file.read_bytes() if file.exists() else b""
    return Reply(text, (("Content-Disposition", f'attachment; filename="{name}.toml"'),))


@calls.post("/api/owner/boxes/<box>/import", gives=Kept, who="owner", refuses=(Stale, BadFigures, Storage))
def import_box(asking: Asking, body: Importing) -> Kept:
    """Bring an owner's file in, in place of the one there is: to the letter, if it holds."""
    name = _known(asking)
    return _kept(lambda: owners.replace_file(asking.service.hall.own_boxes, name, body.text, version=body.version))


def _known(asking: Asking) -> str:
    name = asking.where["box"]
    if name not in games.names():
        raise Missing("core.no_box", box=AsTyped(name), known=as_typed(games.names()))
    games.bundle(name)
    return name


def _looked_at(asking: Asking, name: str) -> tuple[owners.OwnersFile, str | None]:
    """A box with its owner's figures; as it is shipped, and why, where the file cannot be read."""
    try:
        return owners.owned(asking.service.hall.own_boxes, name), None
    except BoxProblem as wrong:
        return owners.unreadable(asking.service.hall.own_boxes, name), wrong.said(asking.language)


def _in_list(asking: Asking, name: str) -> OwnBox:
    games.bundle(name)
    box, unread = _looked_at(asking, name)
    title = str(box.box.get("title", ""))
    try:
        asking.service.hall.box(name)
    except BoxProblem as wrong:
        state: State = "unread" if unread else "amiss"
        return OwnBox(name, title, state, wrong.said(asking.language), owners.count_differing(box))
    return OwnBox(name, title, "own" if box.version else "shipped", None, owners.count_differing(box))


def _label(language: str, field: str, scope: Scope) -> str:
    """What a field of a box is called: by itself, or as the thing of that name."""
    key = own(language, f"figure.{field}", scope)
    return say(language, key, {}) if key else spoken(language, field, scope)


def _name(language: str, thing: str, scope: Scope) -> str:
    """What a thing is called by itself; where it has no name of its own, as a figure of the box."""
    said = spoken(language, thing, scope)
    return said if said != thing else _label(language, thing, scope)


def _told(asking: Asking, doubt: Doubt) -> DoubtTold:
    key, reason = doubt
    facts = reason.plain()["facts"]
    return DoubtTold(key, reason.said(asking.language), reason.rule, facts)


def _kept(write: Any) -> Kept:
    try:
        return Kept(write())
    except owners.OutdatedFile:
        raise Stale("web.box_changed") from None
    except BoxProblem as wrong:
        raise BadFigures(wrong) from None
    except OSError as error:
        raise Storage("web.box_unkept", reason=error.strerror or str(error)) from error


def _things(value: Any) -> Iterator[str]:
    """The words that stand in figures, as names of things or as things."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield str(name)
            yield from _things(part)
    elif isinstance(value, list):
        for part in value:
            yield from _things(part)
    elif isinstance(value, str):
        yield value
