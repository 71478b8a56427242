"""A ruling's file made into facts: all problems at once, what it changes in words, what it leaves contradictory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import DataError
from laager.base.files import Document, Where, check
from laager.campaign import UMPIRE, Fact
from laager.campaign.engine import Campaign
from laager.campaign.house import block_document, check_house, printed_of
from laager.campaign.telling import number_seen
from laager.campaign.undo import step_start
from laager.campaign.views import state_at, view
from laager.rules.board.context import CardContext
from laager.rules.board.facts import HouseRulesChanged
from laager.rules.board.record import parts
from laager.rules.board.rulings.differences import Difference, differences
from laager.rules.board.rulings.draft import WHY, RulingDraft
from laager.rules.board.rulings.facts import RecordChanged
from laager.rules.board.rulings.files import RulingFile
from laager.rules.board.rulings.forts import rule_forts
from laager.rules.board.rulings.lines import LineRulings
from laager.rules.board.rulings.sense import Mismatch, find_new_mismatches
from laager.rules.board.rulings.units import UnitRulings

READINGS = "readings"
"""What is agreed about readings of rules since the campaign began."""


@dataclass(frozen=True)
class WrittenRuling:
    """A ruling as facts.

    `changes` are before and after as its proposer sees them, on the record that its step began with; `left` is what
    it leaves contradictory, each with the mend.
    """

    why: str
    facts: tuple[Fact, ...]
    changes: tuple[Difference, ...]
    left: tuple[Mismatch, ...]


def write_ruling(campaign: Campaign, by: str, document: Document) -> WrittenRuling:
    """Return the facts of a ruling that a side (or the umpire) proposes, from its file.

    Raises DataError with all that is wrong with it, as far as the proposer's own view shows.
    """
    file = check(document, RulingFile)
    whole, seen = base_contexts(campaign, by)
    before = seen.with_state(seen.state)
    draft = RulingDraft(document, whole, seen, by, _list_fresh(campaign, by, seen))
    where = _rule_all(draft, file, campaign.ruleset.facts)
    _rule_house(draft, file, campaign)
    left = _judge(draft, before, where)
    changes = tuple(differences(before, seen))
    if not draft.problems and not draft.facts:
        draft.refuse((), "this ruling changes nothing", "name what holds from now on")
    if draft.problems:
        raise DataError(draft.problems)
    return WrittenRuling(file.why.strip(), sort_by_audience(draft.facts), changes, left)


def sort_by_audience(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts as they come into the log: those that everybody may know first, then each side's own."""
    return tuple(sorted(facts, key=lambda fact: () if fact.to is None else ("", *fact.to)))


def base_contexts(campaign: Campaign, by: str) -> tuple[CardContext, CardContext]:
    """Return the campaign as its present step began: with all that there is, and as a viewer sees it.

    That is the record on which a ruling's facts come; the step then begins again.
    """
    context = campaign.context
    assert isinstance(context, CardContext)
    return context.with_state(_base(campaign, UMPIRE)), context.with_state(_base(campaign, by))


def _list_fresh(campaign: Campaign, by: str, seen: CardContext) -> frozenset[str]:
    """Return what came in the step under way, as far as a viewer knows."""
    now, base = view(campaign, by).state, seen.state
    groups = {parts.to_plain_key(key) for key in now.groups.keys() - base.groups.keys()}
    return frozenset({*(now.units.keys() - base.units.keys()), *(now.forts.keys() - base.forts.keys()), *groups})


def _base(campaign: Campaign, viewer: str) -> Any:
    seen = view(campaign, viewer)
    if campaign.step is None:
        return seen.state
    number = number_seen(seen.log, step_start(campaign))
    return state_at(campaign, viewer, number)


def _rule_all(draft: RulingDraft, file: RulingFile, kinds: Mapping[str, type[Fact]]) -> Mapping[str, Where]:
    """Take all that a file says; return where it speaks of units that it numbers otherwise."""
    lines, units = LineRulings(draft, kinds), UnitRulings(draft)
    for part, values in (("groups", file.new.groups), ("areas", file.new.areas)):
        for i, new in enumerate(values):
            lines.join(part, new, ("new", part, i))
    rule_forts(draft, file.forts, file.new.forts)
    lines.rule_part("ground", {"": file.ground})
    units.rule(file.units, file.new.units)
    for part, fields in (("groups", file.groups), ("sides", file.sides), ("areas", file.areas), ("past", file.past)):
        lines.rule_part(part, fields)
    for part, alone in (("fight", file.fight), ("scenario", file.scenario), ("campaign", file.campaign)):
        lines.rule_part(part, {"": alone})
    _readings(draft, file)
    return {number: where for number, (_, where) in units.lines.items()}


def _readings(draft: RulingDraft, file: RulingFile) -> None:
    """Readings of rules are others from now on."""
    if not file.readings:
        return
    cg = draft.seen
    for problem in cg.readings.check(file.readings):
        draft.refuse((READINGS, problem.field.rpartition(".")[2]), problem.what, problem.right)
    before = dict(cg.state.agreed.get(READINGS, {}))
    now = {**before, **file.readings}
    if not draft.problems and any(cg.reading(name) != option for name, option in file.readings.items()):
        was = {f"agreed[{READINGS}]": before or None}
        draft.take([RecordChanged(part="campaign", changes={f"agreed[{READINGS}]": now}, was=was, why=WHY)])


def _rule_house(draft: RulingDraft, file: RulingFile, campaign: Campaign) -> None:
    """The campaign is played by other house rules from now on."""
    if file.house is None:
        return
    data: Mapping[str, Any] = {}
    if file.house:
        ruleset: Any = campaign.ruleset
        try:
            document = block_document(draft.document, ruleset.id, file.why)
            data = check_house(document, printed_of(ruleset, campaign.opening))[0].data
        except DataError as err:
            draft.problems += err.problems
            return
    if data != draft.seen.house.data:
        draft.take([HouseRulesChanged(house=dict(data), why=WHY)])


def _judge(draft: RulingDraft, before: CardContext, numbered: Mapping[str, Where]) -> tuple[Mismatch, ...]:
    """Refuse what no record can have; return what is only contradictory."""
    fresh = find_new_mismatches(before, draft.seen)
    for mismatch in fresh:
        if mismatch.hard:
            draft.refuse(_place(draft.document, mismatch, numbered), mismatch.what, mismatch.mend)
    return tuple(mismatch for mismatch in fresh if not mismatch.hard)


def _place(document: Document, mismatch: Mismatch, numbered: Mapping[str, Where]) -> Where:
    """Return where a file speaks of what doesn't fit, as near as can be."""
    at: Sequence[str | int] = numbered.get(mismatch.key, ()) if mismatch.part == "units" else ()
    at = at or [word for word in (mismatch.part, mismatch.key) if word]
    return _in(document.data, (*at, mismatch.field))


def _in(data: Any, where: Where) -> Where:
    """Return as much of a path as there is."""
    for i, key in enumerate(where):
        there = key in data if isinstance(data, dict) else isinstance(data, list) and key in range(len(data))
        if not there:
            return where[:i]
        data = data[key]
    return where
