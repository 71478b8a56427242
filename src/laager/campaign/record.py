"""Records: a campaign written out at the start of a step, and one that goes on from there.

What is written for a viewer comes from that viewer's own view and a spectator's, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from laager.base import Refusal, RefusedError
from laager.base.files import Document, parse_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE, Side
from laager.campaign.opening import DRAWN, RECORD
from laager.campaign.ruleset import NewCampaign, PlayedRuleset, find_ruleset
from laager.campaign.steps import Step
from laager.campaign.views import View, check_viewer, state_at, view

KEY = "record"
"""The key of the question for a side's own part of the record."""

ENGINE = frozenset({"format", "laager", "ruleset", "title", "dice", DRAWN, RECORD})
"""The fields of an opening that aren't the rule system's own."""


# Out ----------------------------------------------------------------------------------------------


def keeps_records(rules: str) -> bool:
    """True if campaigns of a rule system can be written out as records, and go on from them."""
    try:
        _with_record(rules)
    except RefusedError:
        return False
    return True


def has_record(campaign: Campaign) -> bool:
    """True if the record of a campaign can be written out now; everybody may know that."""
    try:
        check_recordable(campaign)
    except RefusedError:
        return False
    return True


def check_recordable(campaign: Campaign) -> tuple[PlayedRuleset, Step]:
    """Return the ruleset, and the step at whose start the record is. Raises RefusedError if there is no record now."""
    step = campaign.step or campaign.ruleset.next_step(campaign.state)
    if campaign.over or step is None:
        raise RefusedError(Refusal.OVER, "the campaign is over", "its log and its story are what is left to write")
    ruleset = _with_record(campaign.ruleset.id)
    if getattr(campaign.state, "taking_up", False):
        right = "it can be written out once both have answered"
        raise RefusedError(Refusal.NOT_ASKED, "the sides are still entering their parts of the record", right)
    return ruleset, step


def write_record(campaign: Campaign, viewer: Side) -> str:
    """Return a campaign's record as a file, with what the viewer may know: a side's own secrets, the umpire's all.

    In the middle of a step it is the record with which the step began. Raises RefusedError once the campaign is over,
    for rules that have no record, and while a record is being taken up.
    """
    check_viewer(campaign, viewer)
    ruleset, step = check_recordable(campaign)
    sides = campaign.ruleset.sides if viewer == UMPIRE else [side for side in campaign.ruleset.sides if side == viewer]
    public = _state_before_step(campaign, SPECTATOR)
    own = {side: _state_before_step(campaign, side) for side in sides}
    return ruleset.record_text(campaign.context, step.id, public, own, _remark(campaign, step, viewer))


def _remark(campaign: Campaign, step: Step, viewer: Side) -> str:
    """Return what stands at the top of the file: the campaign, the point, whose secrets it holds."""
    whose = {UMPIRE: "with the secrets of both sides", SPECTATOR: "without any secrets"}
    lines = [
        f"{' '.join(campaign.opening['title'].split())}, at the start of {step.clause} ({step.title}),",
        f"{whose.get(viewer, f'with the secrets of the side {viewer} alone')}.",
    ]
    if campaign.step is not None:
        since = ", except for what a side is through with" if hasattr(campaign.ruleset, "is_record_point") else ""
        lines.append(f"That step is under way; what was answered and rolled in it is not here{since}.")
    return "\n".join(lines)


def _state_before_step(campaign: Campaign, viewer: Side) -> Any:
    """Return what a viewer knew when the step under way began; what it knows now if none is."""
    seen = view(campaign, viewer)
    begun = find_record_point(seen, campaign.ruleset) if campaign.step is not None else None
    return seen.state if begun is None else state_at(campaign, viewer, begun)


def find_record_point(seen: View, ruleset: Any) -> int | None:
    """Return the viewer's number of the entry after which the record is written: of the step that began last.

    None before the first step. Some rules have points within a step from which a side can go on by itself.
    """
    is_point = getattr(ruleset, "is_record_point", lambda fact: False)
    for line in reversed(seen.log):
        entry = line.entry
        if line.counts and (entry.type == "step" or (entry.type == "fact" and is_point(entry.body.get("kind")))):
            return line.number
    return None


def _with_record(rules: str) -> PlayedRuleset:
    """Return a ruleset whose campaigns have a record. Raises RefusedError if its campaigns have none."""
    ruleset = find_ruleset(rules)
    default = PlayedRuleset.record_text
    if getattr(type(ruleset), "record_text", default) is default:
        raise RefusedError(Refusal.NO_SUCH, f"{ruleset.title} has no record from which a campaign goes on")
    return ruleset


# In -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BegunOnPaper:
    """A campaign that is to go on from a record: what it opens with, and what sides enter of it at once."""

    made: NewCampaign
    secrets: Mapping[Side, Any] = field(default_factory=dict)


def chosen_readings(document: Document) -> dict[str, str]:
    """Return the readings that a record names."""
    data = document.data if isinstance(document.data, Mapping) else {}
    readings = data.get("readings")
    return {str(name): str(value) for name, value in readings.items()} if isinstance(readings, Mapping) else {}


def begin_on_paper(rules: str, made: NewCampaign, document: Document) -> BegunOnPaper:
    """Return how a campaign on a card goes on from a record. Raises DataError with everything that is wrong with it."""
    read = _with_record(rules).read_record(document, made.setting)
    return BegunOnPaper(replace(made, setting={**made.setting, RECORD: read.opening}), read.secrets)


def copy_of(campaign: Campaign) -> BegunOnPaper:
    """Return how another campaign goes on from where this one stands, to try what would be if.

    It has this one's card, map and readings, a new seed, and begins the step under way again.
    """
    text = write_record(campaign, UMPIRE)
    setting = {name: part for name, part in campaign.opening.items() if name not in ENGINE}
    made = NewCampaign(str(campaign.opening["title"]), setting)
    return begin_on_paper(campaign.ruleset.id, made, parse_document(text, "the record", own=True))


def take_up(campaign: Campaign, secrets: Mapping[Side, Any]) -> None:
    """Enter the sides' own parts of the record that a file has; the others are asked. Raises DataError.

    A part is entered as an answer of its side, in the first step of a campaign that goes on from a record.
    """
    campaign.advance()
    for side, section in secrets.items():
        campaign.answer(side, KEY, section)
