"""Views: what a viewer may know. Everything that leaves the engine passes through `view`.

A view is built from nothing: the state is folded anew from those facts alone that the viewer may
see, so that what was never told cannot be in it. Entries get the viewer's own numbers, because
gaps in the real ones would tell that something happened in secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.engine import Campaign, Pending
from laager.campaign.facts import UMPIRE, Side, may_see
from laager.campaign.log import Entry


@dataclass(frozen=True)
class Seen:
    """An entry as a viewer sees it: under the viewer's own number (from 1)."""

    number: int
    entry: Entry
    counts: bool
    """Whether it still counts, or was taken back."""


@dataclass(frozen=True)
class View:
    """What one viewer may know of a campaign.

    `state` is folded from visible facts; `pending` holds the viewer's own questions (all for the
    umpire); `waiting_for` names the sides whose answers are missing.
    """

    viewer: Side
    title: str
    opening: Mapping[str, Any]
    state: Any
    log: tuple[Seen, ...]
    pending: tuple[Pending, ...]
    waiting_for: tuple[Side, ...]

    @property
    def version(self) -> int:
        """How many entries this viewer can see."""
        return len(self.log)


def check_viewer(campaign: Campaign, viewer: Side) -> None:
    """Raise RefusedError unless the viewer is a side of the campaign or the umpire."""
    known = (*campaign.ruleset.sides, UMPIRE)
    if viewer not in known:
        advice = did_you_mean(viewer, known, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {viewer!r}; {advice}")


def view(campaign: Campaign, viewer: Side) -> View:
    """Return what a viewer may know. The one way out of the engine."""
    check_viewer(campaign, viewer)
    counting = {entry.number for entry in campaign.history.counted}
    visible = [entry for entry in campaign.entries if may_see(entry.to, viewer)]
    log = tuple(Seen(i + 1, entry, entry.number in counting) for i, entry in enumerate(visible))
    pending = campaign.pending()
    return View(
        viewer=viewer,
        title=campaign.opening["title"],
        opening=campaign.opening,
        state=_folded(campaign, viewer),
        log=log,
        pending=tuple(p for p in pending if viewer in (UMPIRE, p.side)),
        waiting_for=tuple(
            side for side in campaign.ruleset.sides if any(p.side == side for p in pending)
        ),
    )


def _folded(campaign: Campaign, viewer: Side, before: int | None = None) -> Any:
    state = campaign.ruleset.start(campaign.opening, viewer)
    for entry in campaign.history.counted:
        if before is not None and entry.number > before:
            break
        if entry.type in {"fact", "declared"} and may_see(entry.to, viewer):
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            state = campaign.ruleset.step_done(state, entry.body["step"])
    return state


def state_at(campaign: Campaign, viewer: Side, number: int) -> Any:
    """Return the viewer's state as it was after the entry with this (viewer's) number."""
    seen = find(view(campaign, viewer), number)
    return _folded(campaign, viewer, before=seen.entry.number)


def find(seen_by: View, number: int) -> Seen:
    """Return the entry under a viewer's number. Raises RefusedError if there is none."""
    if not 1 <= number <= len(seen_by.log):
        sentence = f"there is no entry {number}; the log goes from 1 to {len(seen_by.log)}"
        raise RefusedError(Refusal.NO_SUCH, sentence)
    return seen_by.log[number - 1]


def causes(seen_by: View, number: int) -> tuple[Seen, ...]:
    """Return the answers and rolls from which a fact followed, as far as the viewer may see them.

    They are those of the same procedure just before it: going back over the facts that followed
    from the same cause to the answers and rolls before them.
    """
    fact = find(seen_by, number)
    found: list[Seen] = []
    for seen in reversed(seen_by.log[: number - 1]):
        entry = seen.entry
        if entry.type in {"step", "done", "open", "undo", "redo"}:
            break
        if entry.lane != fact.entry.lane:
            continue
        if entry.type in {"answer", "roll"}:
            found.append(seen)
        elif found:
            break
    return tuple(reversed(found))
