"""Audit: check a campaign from its log alone.

Reading the log has checked the hashes. This checks that the seed fits its commitment, that every
roll follows from seed and number, every final result from faces and modifiers, and every fact from
the rules, the answers and the rolls. Words (labels, reasons) aren't compared: a later Laager may
put them better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from laager.campaign.again import roll_id, still_holds
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, Fact, Side
from laager.campaign.history import History
from laager.campaign.house.in_campaign import campaign_house_lines
from laager.campaign.lanes import Lane, lanes_of
from laager.campaign.log import Entry
from laager.campaign.patience import check_patience_entries
from laager.campaign.readings import describe_ruled
from laager.campaign.rolls import rolled_of, same_roll
from laager.campaign.ruleset import Ruleset
from laager.campaign.rulings import terms_of
from laager.campaign.steps import Ask, Roll
from laager.dice import Dice, Modifier, SeededDice


@dataclass(frozen=True)
class Finding:
    """Something wrong in a log, with the real number of its entry."""

    number: int
    what: str


@dataclass(frozen=True)
class AuditedRuling:
    """A ruling that counts: the real number of its entry, who proposed it, who agreed, why, and how many facts it has.

    `reopens` is the step of which it reopened an answer; "" if it didn't.
    """

    number: int
    by: Side
    agreed: tuple[Side, ...]
    why: str
    facts: int
    reopens: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "entry": self.number,
            "by": self.by,
            "agreed": list(self.agreed),
            "why": self.why,
            "facts": self.facts,
            "reopens": self.reopens,
        }


@dataclass(frozen=True)
class Audit:
    """The result of an audit: how much was checked, and what is wrong."""

    entries: int
    rolls: int
    entered: int
    facts: int
    findings: tuple[Finding, ...]
    corrected: tuple[str, ...] = ()
    """The clauses whose procedure was corrected after steps of this log were played by it."""
    rulings: tuple[AuditedRuling, ...] = ()
    """What the table decided outside the rules, and what counts of it."""
    house: tuple[str, ...] = ()
    """The clauses that the campaign plays differently from the rules as printed, each with what and why."""
    readings: tuple[str, ...] = ()
    """The readings that rulings have changed since the campaign began."""

    @property
    def sound(self) -> bool:
        """True if nothing is wrong."""
        return not self.findings


def audit(campaign: Campaign) -> Audit:
    """Check a campaign; findings are in the order of the log."""
    rolls = [entry for entry in campaign.entries if entry.type == "roll"]
    findings = [*_seed(campaign), *_rolls(campaign, rolls), *_check_rulings(campaign)]
    findings += [*_check_patience(campaign), *_derive(campaign)]
    return Audit(
        entries=len(campaign.entries),
        rolls=len(rolls),
        entered=sum(entry.body["source"] == "entered" for entry in rolls),
        facts=sum(entry.type == "fact" for entry in campaign.history.counted),
        findings=tuple(sorted(findings, key=lambda finding: finding.number)),
        corrected=tuple(sorted(set(_corrected_clauses(campaign)))),
        rulings=tuple(_rulings(campaign)),
        house=tuple(str(line) for line in campaign_house_lines(campaign)),
        readings=tuple(_readings(campaign)),
    )


def _readings(campaign: Campaign) -> Iterator[str]:
    readings = getattr(campaign.context, "readings", None)
    return describe_ruled(readings, campaign.opening, campaign.state) if readings else iter(())


def _rulings(campaign: Campaign) -> Iterator[AuditedRuling]:
    counted = campaign.history.counted
    for i, entry in enumerate(counted):
        if entry.type == "ruling":
            body = entry.body
            facts = sum(1 for _ in takewhile(lambda each: each.type == "ruled", counted[i + 1 :]))
            yield AuditedRuling(
                entry.number, body["by"], tuple(body["agreed"]), body["why"], facts, body.get("reopens", "")
            )


def _corrected_clauses(campaign: Campaign) -> Iterator[str]:
    for entry in campaign.history.counted:
        step = campaign.ruleset.steps.get(entry.body["step"]) if entry.type == "step" else None
        if step is not None and step.corrected_since(entry.body):
            yield step.clause


def _seed(campaign: Campaign) -> Iterator[Finding]:
    seed = campaign.app_dice()
    if not SeededDice.verify(seed.seed, campaign.opening["dice"]["commitment"]):
        yield Finding(2, "the dice seed isn't the one that was committed to")


def _rolls(campaign: Campaign, rolls: list[Entry]) -> Iterator[Finding]:
    dice = campaign.app_dice()
    last: dict[str, int] = {}
    again = _rolls_again(campaign)
    for entry in rolls:
        body = entry.body
        stream, number = body["stream"], body["number"]
        if entry.number in again:
            if not again[entry.number]:
                yield Finding(entry.number, f"roll {number} of {stream} comes again, but no ruling brought it back")
        elif number != last.get(stream, 0) + 1:
            yield Finding(entry.number, f"roll {number} of {stream} is out of order")
        last[stream] = max(number, last.get(stream, 0))
        if rolled_of(entry).final != body["final"]:
            yield Finding(entry.number, "the final result isn't faces plus modifiers")
        if body["source"] == "rolled":
            expected = dice.faces(Dice(body["dice"]), stream, number)
            if list(expected) != body["faces"]:
                yield Finding(entry.number, "the faces aren't those of seed and number")


def _check_rulings(campaign: Campaign) -> Iterator[Finding]:
    """Yield rulings that count without those who had to agree, and facts of a ruling that follow none."""
    terms, sides = terms_of(campaign.opening), campaign.ruleset.sides
    before = ""
    for entry in campaign.history.counted:
        body = entry.body
        if entry.type == "ruled" and before not in {"ruling", "ruled"}:
            yield Finding(entry.number, "this fact stands outside any ruling")
        if entry.type == "ruling":
            agreed = {body["by"], *body["agreed"]}
            alone = terms.umpire_alone and UMPIRE in agreed
            if body["secret"] and terms.corrections == "none":
                yield Finding(entry.number, "the terms of the campaign allow no correction of secret records")
            elif body["secret"] and terms.corrections == "umpire" and UMPIRE not in agreed:
                yield Finding(entry.number, "the umpire didn't agree to this correction of a secret record")
            elif not (alone or agreed >= set(sides) or (UMPIRE in agreed and body["by"] in sides)):
                yield Finding(entry.number, "not everybody agreed to this ruling who had to")
        before = entry.type


def _check_patience(campaign: Campaign) -> Iterator[Finding]:
    """Yield changes of the terms about time without consent, and answers for a side that wasn't late."""
    for number, problem in check_patience_entries(campaign.entries, campaign.ruleset.sides):
        yield Finding(number, problem)


def _rolls_again(campaign: Campaign) -> dict[int, bool]:
    """Return of each roll that came again, by its real number, if a ruling had put those dice in reserve."""
    again: dict[int, bool] = {}
    history = History()
    for entry in campaign.entries:
        if entry.type == "roll" and entry.body.get("again"):
            again[entry.number] = _in_reserve(history, entry)
        history.take(entry)
    return again


def _in_reserve(history: History, roll: Entry) -> bool:
    """True if a roll repeats dice in reserve: rolled by the same side for the same, and counting no more."""
    if any(entry.type == "roll" and roll_id(entry) == roll_id(roll) for entry in history.counted):
        return False
    return any(
        entry.type == "roll" and all(entry.body[part] == roll.body[part] for part in SAME_ROLL)
        for reserved in history.reserves
        for entry in reserved.entries
        if roll_id(roll) not in reserved.spent
    )


SAME_ROLL = ("stream", "number", "side", "label", "dice", "faces", "source")
"""What a roll that comes again has in common with the one that it repeats."""


def _derive(campaign: Campaign) -> Iterator[Finding]:
    """Run every step again on the recorded answers and rolls; compare what follows."""
    context = campaign.ruleset.context(campaign.opening)
    context.state = campaign.ruleset.start(campaign.opening, UMPIRE)
    lanes: dict[str, Lane] = {}
    broken = False
    for entry in campaign.history.counted:
        if entry.type == "step":
            name = entry.body["step"]
            if not _is_due(campaign.ruleset, context.state, entry):
                yield Finding(entry.number, f"step {name} was not due")
            step = campaign.ruleset.steps.get(name)
            corrected = step is not None and step.corrected_since(entry.body)
            lanes = lanes_of(step, campaign.ruleset.sides, context) if step else {}
            broken = step is None or corrected
        elif entry.type == "done":
            if not broken and not all(lane.ready() is None for lane in lanes.values()):
                yield Finding(entry.number, "the step was ended before it was finished")
            context.state = campaign.ruleset.step_done(context.state, entry.body["step"])
        elif entry.type in {"declared", "ruled"}:
            lanes = {}
            context.state = campaign.fact_of(entry).apply(context.state)
        elif entry.type in {"fact", "answer", "roll"}:
            wrong = "" if broken else _compare(lanes.get(entry.lane), entry)
            if wrong:
                yield Finding(entry.number, wrong)
                broken = True
            if entry.type == "fact":
                context.state = campaign.fact_of(entry).apply(context.state)
            if not broken:
                _feed(lanes[entry.lane], entry)


def _is_due(ruleset: Ruleset, state: Any, begun: Entry) -> bool:
    """True if the step that an entry begins was due in the edition of the sequence that it names."""
    for _ in ruleset.steps:
        due = ruleset.next_step(state)
        if due is None or due.stands_for(begun.body["step"]):
            return due is not None
        if not due.added_since(begun.body):
            return False
        state = ruleset.step_done(state, due.id)
    return False


def _compare(lane: Lane | None, entry: Entry) -> str:
    command = lane.ready() if lane else None
    if entry.type == "fact":
        if not isinstance(command, Fact):
            return f"the rules give no {entry.body['kind']} here"
        recorded, given = _without_reason(entry.body["fact"]), _without_reason(command.body())
        given.setdefault("rule", recorded.get("rule", ""))
        if command.kind != entry.body["kind"] or given != recorded:
            return f"the rules give another fact: {command.tell()}"
    elif entry.type == "roll":
        if not isinstance(command, Roll) or not same_roll(command, entry):
            return "the rules ask for no such roll here"
        if _weights(command.all_modifiers) != _weights(rolled_of(entry).modifiers):
            return "the modifiers aren't those of the rules"
    elif not isinstance(command, Ask) or not _was_asked(command, entry):
        return "this was not asked here"
    return ""


def _without_reason(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a fact says, without its reason in words, which a later Laager may put better."""
    return {key: value for key, value in fact.items() if key != "why"}


def _weights(modifiers: Iterable[Modifier]) -> list[tuple[int, str]]:
    """Return values and rules of modifiers; their reasons are words too."""
    return [(modifier.value, modifier.rule) for modifier in modifiers]


def _was_asked(command: Ask, entry: Entry) -> bool:
    return any(
        question.side == entry.body["side"]
        and question.key == entry.body["key"]
        and still_holds(question, entry.body["value"])
        for question in command.questions
    )


def _feed(lane: Lane, entry: Entry) -> None:
    if entry.type == "fact":
        lane.send(None)
    elif entry.type == "roll":
        lane.send(rolled_of(entry))
    else:
        lane.answer(entry.body["side"], entry.body["key"], entry.body["value"])
