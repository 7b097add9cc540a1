"""The reports that brought a game to its end: it is final only once somebody else has confirmed them."""

from __future__ import annotations

import msgspec

from companion.game import Chance
from companion.play.actors import Actor
from companion.play.entries import OutcomeRecorded
from companion.play.position import Trail


class PendingFinalReports(msgspec.Struct, frozen=True):
    """The reports that ended the game and are not confirmed yet, oldest first."""

    reports: tuple[Trail, ...]

    @property
    def seat(self) -> int | None:
        """The seat that made the last of them; None where the host reported for nobody in particular."""
        return self.reports[-1].entry.seat if isinstance(self.reports[-1].entry, OutcomeRecorded) else None

    def may_be_confirmed_by(self, actor: Actor) -> bool:
        """Whether an actor may confirm them: the host, or any seat but the one that made them."""
        return actor.role == "host" or (actor.role == "seat" and not self.reports[-1].is_of(actor.seat))


def ending_reports(trail: Trail | None) -> tuple[Trail, ...]:
    """The consecutive reports, by one seat and from one randomizer, that ended the game; the companion's draws after
    them do not count."""
    while trail is not None and isinstance(trail.entry, OutcomeRecorded) and trail.entry.by == "companion":
        trail = trail.before.trail
    reports: list[Trail] = []
    while trail is not None and _by_one_hand(trail, reports[-1] if reports else trail):
        reports.append(trail)
        trail = trail.before.trail
    return tuple(reversed(reports))


def _by_one_hand(trail: Trail, newer: Trail) -> bool:
    """Whether an entry and a newer one are reports of the same seat, drawn from the same randomizer."""
    hands = [
        (each.entry.seat, each.before.ask.randomizer)
        for each in (trail, newer)
        if isinstance(each.entry, OutcomeRecorded) and each.entry.by == "table" and isinstance(each.before.ask, Chance)
    ]
    return len(hands) == 2 and hands[0] == hands[1]
