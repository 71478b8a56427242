"""Rulings: the table puts the record right, outside the rules, with a reason that everybody reads.

    ruling = Ruling("axis", "we forgot to give the Marines 2 CPP", facts=(CppChanged(side="allied", by=2),))
    preview(campaign, ruling, "axis")          # before and after, as the side would see it; nothing is stored
    propose(campaign, ruling)                  # asks the others, or rules at once where that needs nobody
    open_ruling(campaign)                      # what waits for consent: entry, facts as far as the viewer may know
    consent(campaign, "allied", agree=True)    # now it counts; refusing one's own withdraws it
    outcome(campaign, "allied")                # what of the step under way stayed, is asked again, fell away
    answer_as_before(campaign, "axis")         # what is for a side to confirm, and still holds

`Ruling(by, why, reopens=number)` reopens an earlier answer (its number in the log of `by`) instead: "I forgot
something in my battle report". It can hold facts besides.

A ruling that counts begins the step under way again on the corrected record, or the step of the reopened answer;
what of the old answers holds comes again, and no die is rolled twice (`again`). Facts that only a side may know
(`to`) stay with that side: the others agree to a count of them. Nobody may see if such a correction makes one of the
side's later answers impossible: that side gives all its answers by hand then, its old ones as proposals. If what all
know changes, every side that gave secret answers in the step confirms those, whatever they were. The terms of the
campaign (`RulingTerms`) say if secret records can be corrected: by agreement, by the umpire alone, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.campaign.again import roll_id
from laager.campaign.consent import check_asker, open_request
from laager.campaign.engine import Campaign, Recorded
from laager.campaign.facts import UMPIRE, Fact, Side, may_see
from laager.campaign.history import REOPENED
from laager.campaign.log import Entry, Loaded
from laager.campaign.sentences import side_name
from laager.campaign.undo import step_start
from laager.campaign.views import find, fold_seen, view
from laager.dice import EnteredDice

LONGEST_WHY = 500
"""The longest reason of a ruling, in characters."""

MOST_FACTS = 500
"""The most facts of one ruling."""


@dataclass(frozen=True)
class RulingTerms:
    """What a campaign has agreed about rulings when it began.

    `corrections` of what only one side may know: by "agreed" consent, by the "umpire" alone, or "none".
    `umpire_alone`: the umpire's own rulings need nobody's consent, and the umpire's consent is enough for a side's.
    """

    corrections: str = "agreed"
    umpire_alone: bool = True


CORRECTIONS = ("agreed", "umpire", "none")
"""What a campaign's terms can say of corrections of secret records."""


def terms_of(opening: Mapping[str, Any]) -> RulingTerms:
    """Return what a campaign has agreed about rulings; campaigns begun before there were any have the usual terms."""
    return RulingTerms(opening.get("corrections", "agreed"), opening.get("umpire_alone", True))


def terms_setting(corrections: str = "agreed", umpire_alone: bool = True) -> dict[str, Any]:
    """Return what an opening says of a campaign's terms: nothing of the usual ones. Raises RefusedError."""
    if corrections not in CORRECTIONS:
        advice = did_you_mean(corrections, CORRECTIONS)
        raise RefusedError(Refusal.NO_SUCH, f"{corrections!r} isn't how secret records can be corrected", advice)
    usual = RulingTerms()
    chosen = {"corrections": corrections, "umpire_alone": umpire_alone}
    return {name: value for name, value in chosen.items() if value != getattr(usual, name)}


@dataclass(frozen=True)
class Ruling:
    """What somebody wants to put right: who, why (in their own words), and the facts, or the answer to reopen.

    `reopens` is the number of an answer in the log of `by`; the step in which it was given begins again, and it is
    asked anew.
    """

    by: Side
    why: str
    facts: tuple[Fact, ...] = ()
    reopens: int | None = None


@dataclass(frozen=True)
class OpenRuling:
    """A ruling that waits for consent, as a viewer sees it; `number` is the request's in the viewer's log."""

    number: int
    by: Side
    why: str
    facts: tuple[Fact, ...]
    secret: Mapping[Side, Mapping[str, int]]
    agreed: tuple[Side, ...]
    waiting_for: tuple[Side, ...]
    """Who can still agree; one of several is enough unless all must."""
    reopens: str = ""
    """The clause and title of the step of which an answer is reopened; "" if none is."""


@dataclass(frozen=True)
class Preview:
    """What a ruling would change, for one viewer: the viewer's state before and after, when the step begins again.

    The umpire sees besides which answers would be asked again and which results would fall, as entries. Sides
    don't: that would tell what the other side has answered in secret.
    """

    before: Any
    after: Any
    asked_again: tuple[Entry, ...] = ()
    fallen: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of what a ruling took away, as far as a viewer may know: entries of answers and rolls.

    `stayed` came again, `changed` was given or rolled anew, `asked` is asked now or may still be, `fallen` is not
    asked any more.
    """

    stayed: tuple[Entry, ...] = ()
    changed: tuple[Entry, ...] = ()
    asked: tuple[Entry, ...] = ()
    fallen: tuple[Entry, ...] = ()


# Proposing ----------------------------------------------------------------------------------------


def propose(campaign: Campaign, ruling: Ruling) -> bool:
    """Ask the table for a ruling; one that needs nobody's consent counts at once. Return True if it counts.

    Raises DataError with everything that is wrong with it, RefusedError if it can't be asked now.
    """
    plan = _plan(campaign, ruling)
    _check_free(campaign, ruling.by)
    if ruling.by == UMPIRE and terms_of(campaign.opening).umpire_alone:
        _carry_out(campaign, plan, agreed=())
        return True
    campaign.record_all(_request(plan))
    return False


def preview(campaign: Campaign, ruling: Ruling, viewer: Side | None = None) -> Preview:
    """Return what a ruling would change for a viewer (None: for who proposes it). Nothing is stored.

    Raises what `propose` raises, but not for an open request.
    """
    viewer = viewer or ruling.by
    plan = _plan(campaign, ruling)
    before = _state_before(campaign, viewer, plan.to)
    after = before
    for fact in plan.facts:
        after = fact.apply(after) if may_see(fact.to, viewer) else after
    if viewer != UMPIRE:
        return Preview(before, after)
    fork = Campaign(_Fork(campaign), EnteredDice(), ruleset=campaign.ruleset)
    _carry_out(fork, plan, agreed=())
    result = outcome(fork, UMPIRE)
    return Preview(before, after, result.asked, result.fallen)


def open_ruling(campaign: Campaign, viewer: Side) -> OpenRuling | None:
    """Return the ruling that waits for consent, as far as the viewer may know it; None if none does."""
    request = open_request(campaign, "ruling")
    if request is None:
        return None
    plan = _read_request(campaign, request)
    agreed = _sides_agreed(campaign, request)
    log = view(campaign, viewer).log
    return OpenRuling(
        number=next(seen.number for seen in reversed(log) if seen.entry is request),
        by=plan.by,
        why=plan.why,
        facts=tuple(fact for fact in plan.facts if may_see(fact.to, viewer)),
        secret=request.body["secret"],
        agreed=agreed,
        waiting_for=tuple(side for side in _consenters(campaign, plan) if side not in agreed),
        reopens=request.body.get("reopens", ""),
    )


def consent(campaign: Campaign, side: Side, agree: bool) -> None:
    """Agree to a ruling that is asked for, or refuse it; one's own can be withdrawn by refusing it.

    Raises RefusedError if none is asked for, or the side has nothing to say about it.
    """
    check_asker(campaign, side)
    request = open_request(campaign, "ruling")
    if request is None:
        raise RefusedError(Refusal.NOT_ASKED, "nobody has asked for a ruling")
    by = request.body["by"]
    plan = _read_request(campaign, request)
    allowed = _consenters(campaign, plan)
    if not agree and side in (by, *allowed):
        own = {"withdrawn": True} if side == by else {}
        campaign.record("ruling-refused", {"by": side} | own)
        return
    if side not in allowed:
        why = "the other side must agree, not the one that asked" if side == by else "this is for the umpire to rule"
        raise RefusedError(Refusal.NOT_YOURS, why)
    before = _sides_agreed(campaign, request)
    if side in before:
        raise RefusedError(Refusal.NEEDS_CONSENT, "you have agreed already", "the other side must agree too")
    agreed = (*before, side)
    if len(agreed) < _count_needed(campaign, plan, side):
        campaign.record("ruling-agreed", {"by": side})
        return
    _carry_out(campaign, plan, agreed)


def _consenters(campaign: Campaign, plan: _Plan) -> tuple[Side, ...]:
    """Return who can agree to a ruling: the other sides, and the umpire where the terms say so."""
    terms = terms_of(campaign.opening)
    if plan.secret and terms.corrections == "umpire":
        return (UMPIRE,)
    umpire = (UMPIRE,) if terms.umpire_alone else ()
    return tuple(side for side in (*campaign.ruleset.sides, *umpire) if side != plan.by)


def _count_needed(campaign: Campaign, plan: _Plan, last: Side) -> int:
    """Return how many must agree: one, or both sides if the umpire asks and doesn't rule alone."""
    alone = plan.by != UMPIRE or last == UMPIRE
    return 1 if alone else len(campaign.ruleset.sides)


def _sides_agreed(campaign: Campaign, request: Entry) -> tuple[Side, ...]:
    """Return who has agreed to a request so far."""
    since = campaign.entries[request.number :]
    return tuple(dict.fromkeys(entry.body["by"] for entry in since if entry.type == "ruling-agreed"))


def answer_as_before(campaign: Campaign, side: Side, onward: bool = False) -> int:
    """Give again the answers of before a ruling to what a side is asked now, where they hold; return how many.

    `onward`: in the steps that follow too, until something doesn't hold or the other side must answer. The others
    can then see where it stops. Raises RefusedError if there is nothing to give again.
    """
    given = 0
    while more := campaign.answer_as_before(side):
        given += more
        if not onward:
            break
    if not given:
        raise RefusedError(
            Refusal.NOT_ASKED, "nothing that you are asked now can be answered as before", "answer it anew"
        )
    return given


# What a ruling is made of -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Plan:
    """A ruling that can be carried out: where it goes back to, and what it records there."""

    by: Side
    why: str
    facts: tuple[Fact, ...]
    to: int
    secret: Mapping[Side, Mapping[str, int]] = field(default_factory=dict)
    reopened: Recorded | None = None
    step: str = ""


def _plan(campaign: Campaign, ruling: Ruling) -> _Plan:
    """Return what a ruling would record. Raises DataError, RefusedError."""
    check_asker(campaign, ruling.by)
    if campaign.over:
        sentence = "the campaign is over and its dice are shown"
        raise RefusedError(Refusal.OVER, sentence, "nothing can be put right any more")
    problems = list(_problems(campaign, ruling))
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    to, reopened, step = step_start(campaign), None, ""
    if ruling.reopens is not None:
        to, reopened, step = _reopening(campaign, ruling)
    secret = _count_secrets(campaign, ruling.facts, reopened)
    if secret and terms_of(campaign.opening).corrections == "none":
        sentence = "this campaign began with the terms that nobody corrects what only one side knows"
        raise RefusedError(Refusal.NOT_YOURS, sentence, "a public ruling can be asked for")
    return _Plan(ruling.by, " ".join(ruling.why.split()), ruling.facts, to, secret, reopened, step)


def _problems(campaign: Campaign, ruling: Ruling) -> Iterator[Problem]:
    """Yield what is wrong with a ruling, as far as who proposes it can know."""
    why = ruling.why.strip()
    if not why:
        yield Problem("the reason is missing", "say in a sentence what the table decided, and why", "why")
    if len(why) > LONGEST_WHY:
        yield Problem(f"the reason has {len(why)} characters", f"{LONGEST_WHY} at most", "why")
    if not ruling.facts and ruling.reopens is None:
        yield Problem("it changes nothing", "name what is to be put right", "facts")
    if len(ruling.facts) > MOST_FACTS:
        yield Problem(f"it has {len(ruling.facts)} facts", f"{MOST_FACTS} at most; make several rulings", "facts")
    for number, fact in enumerate(ruling.facts, 1):
        if campaign.ruleset.facts.get(fact.kind) is not type(fact):
            yield Problem(f"{campaign.ruleset.title} has no fact {fact.kind!r}", "", f"facts[{number}]")
        elif not may_see(fact.to, ruling.by):
            right = "that side or the umpire can propose it"
            yield Problem("this corrects what another side alone may know", right, f"facts[{number}]")


def _reopening(campaign: Campaign, ruling: Ruling) -> tuple[int, Recorded, str]:
    """Return where the step of a reopened answer began, what names the answer, and the step in words."""
    assert ruling.reopens is not None
    seen = find(view(campaign, ruling.by), ruling.reopens)
    answer = seen.entry
    if answer.type != "answer" or not seen.counts:
        wrong = "isn't an answer" if answer.type != "answer" else "was taken back"
        raise RefusedError(Refusal.NO_SUCH, f"entry {ruling.reopens} {wrong}", "name an answer of your log that counts")
    body = answer.body
    if ruling.by not in (UMPIRE, body["side"]):
        raise RefusedError(Refusal.NOT_YOURS, f"{body['side']} gave this answer", "each side reopens its own answers")
    nth = 0
    for entry in reversed(campaign.history.counted):
        if entry.number > answer.number:
            continue
        if entry.type == "step":
            step = campaign.ruleset.steps.get(entry.body["step"])
            title = f"{entry.body['clause']}: {step.title if step else entry.body['step']}"
            named = {"side": body["side"], "key": body["key"], "nth": nth, "text": body["text"]}
            return entry.number - 1, ("reopened", named, answer.lane, answer.to), title
        same = entry.type == "answer" and entry.lane == answer.lane
        nth += same and (entry.body["side"], entry.body["key"]) == (body["side"], body["key"])
    raise RefusedError(Refusal.NO_SUCH, "no step has begun yet")


def _count_secrets(campaign: Campaign, facts: Iterable[Fact], reopened: Recorded | None) -> dict[Side, dict[str, int]]:
    """Return how many things of each side's secret record are corrected: all that the others learn."""
    things: dict[Side, dict[str, set[str]]] = {}
    for number, fact in enumerate(facts):
        if fact.to is None:
            continue
        noun, name = subject_of(fact)
        for side in [side for side in fact.to if side in campaign.ruleset.sides] or [UMPIRE]:
            things.setdefault(side, {}).setdefault(noun, set()).add(name or str(number))
    if reopened is not None and reopened[3] is not None:
        for side in reopened[3]:
            things.setdefault(side, {})[REOPENED] = {REOPENED}
    return {
        side: {noun: len(names) for noun, names in sorted(counts.items())} for side, counts in sorted(things.items())
    }


def subject_of(fact: Fact) -> tuple[str, str]:
    """Return what a fact is about, for counting: "unit", "fortification" or "entry", and which.

    A fact can say it itself with a method `subject`.
    """
    own = getattr(fact, "subject", None)
    if callable(own):
        noun, name = own()
        return str(noun), str(name)
    for noun, part in (("unit", "unit"), ("fortification", "fort")):
        thing = getattr(fact, part, None)
        if thing is not None:
            return noun, str(getattr(thing, "id", thing))
    return "entry", ""


def _body(fact: Fact) -> dict[str, Any]:
    return {"kind": fact.kind, "fact": fact.body()}


def _request(plan: _Plan) -> Iterator[Recorded]:
    """Yield what asks for a ruling: one entry for all, and to each side what only that side may know."""
    public = [_body(fact) for fact in plan.facts if fact.to is None]
    asked = {"by": plan.by, "why": plan.why, "facts": public, "secret": plan.secret}
    # The step is known to all; which of its answers is reopened may be its side's secret.
    yield "ruling-asked", asked | ({"to": plan.to, "reopens": plan.step} if plan.reopened else {}), "", None
    audiences = dict.fromkeys(fact.to for fact in plan.facts if fact.to is not None)
    for audience in audiences:
        yield "ruling-secret", {"facts": [_body(fact) for fact in plan.facts if fact.to == audience]}, "", audience
    if plan.reopened:
        _, named, lane, to = plan.reopened
        yield "ruling-secret", {"facts": [], "reopened": named}, lane, to


def _read_request(campaign: Campaign, request: Entry) -> _Plan:
    """Return the plan of a ruling that was asked for."""
    beside = [entry for entry in campaign.entries[request.number :] if entry.type == "ruling-secret"]
    bodies = [stored for entry in (request, *beside) for stored in entry.body["facts"]]
    facts = tuple(campaign.ruleset.facts[stored["kind"]].model_validate(stored["fact"]) for stored in bodies)
    reopened: Recorded | None = None
    for entry in beside:
        if "reopened" in entry.body:
            reopened = "reopened", entry.body["reopened"], entry.lane, entry.to
    to = request.body["to"] if "to" in request.body else step_start(campaign)
    body = request.body
    return _Plan(body["by"], body["why"], facts, to, body["secret"], reopened, body.get("reopens", ""))


def _carry_out(campaign: Campaign, plan: _Plan, agreed: Sequence[Side]) -> None:
    """Let a ruling count: go back, record it, and go on with what holds of what was there."""
    campaign.begin_again(_entries(plan, list(agreed), _sides_to_confirm(campaign, plan)))


def _sides_to_confirm(campaign: Campaign, plan: _Plan) -> list[Side]:
    """Return the sides that confirm their secret answers of the step: all that gave some, if what all know changes.

    Otherwise everybody could see whose answer no longer holds: it alone would be asked again.
    """
    if plan.reopened or all(fact.to is not None for fact in plan.facts):
        return []
    gone = campaign.history.going(plan.to)
    secret = {entry.body["side"] for entry in gone if entry.type == "answer" and entry.to is not None}
    return [side for side in campaign.ruleset.sides if side in secret]


def _entries(plan: _Plan, agreed: list[Side], confirm: list[Side]) -> Iterator[Recorded]:
    yield "undo", {"to": plan.to, "by": plan.by, "agreed": agreed, "again": True}, "", None
    head: dict[str, Any] = {"by": plan.by, "why": plan.why, "agreed": agreed, "secret": plan.secret}
    head |= {"confirm": confirm} if confirm else {}
    yield "ruling", head | ({"reopens": plan.step} if plan.reopened else {}), "", None
    for fact in plan.facts:
        yield "ruled", _body(fact), "", fact.to
    if plan.reopened:
        yield plan.reopened


def _check_free(campaign: Campaign, by: Side) -> None:
    """Raise RefusedError while a ruling waits: what is agreed to must not change meanwhile."""
    request = open_request(campaign, "ruling")
    if request is None:
        return
    if request.body["by"] == by:
        sentence = "you have asked for a ruling; the other side must answer, or withdraw it first"
    else:
        sentence = f"{side_name(request.body['by'])} has asked for a ruling; answer that first"
    raise RefusedError(Refusal.NEEDS_CONSENT, sentence)


# Looking ------------------------------------------------------------------------------------------


def outcome(campaign: Campaign, viewer: Side) -> Outcome:
    """Return what became of what the last ruling took away, as far as a viewer may know."""
    layers = campaign.again.layers if campaign.again is not None else ()
    if not layers:
        return Outcome()
    layer = layers[-1]
    stayed: list[Entry] = []
    changed: list[Entry] = []
    asked: list[Entry] = []
    fallen: list[Entry] = []
    past = layer.past_places()
    for place, kept in layer.kept.items():
        for old in (each.entry for each in kept):
            new = layer.used.get(old.number)
            if not may_see(old.to, viewer):
                continue
            if new is None:
                (fallen if place in past else asked).append(old)
            elif old.type == "answer":
                (stayed if new.body["value"] == old.body["value"] else changed).append(old)
            else:
                (stayed if roll_id(new) == roll_id(old) else changed).append(old)
    return Outcome(tuple(stayed), tuple(changed), tuple(asked), tuple(fallen))


def _state_before(campaign: Campaign, viewer: Side, to: int) -> Any:
    """Return a viewer's state just after the entry with this real number."""
    state = campaign.ruleset.start(campaign.opening, viewer)
    return fold_seen(campaign, viewer, state, (e for e in campaign.history.counted if e.number <= to))


class _Fork:
    """The log of a campaign for a look ahead: nothing is ever stored."""

    def __init__(self, campaign: Campaign) -> None:
        self.name = campaign.store.name
        self._entries = tuple(campaign.entries)

    def load(self) -> Loaded:
        return Loaded(self._entries, "")

    def append(self, entries: Sequence[Entry]) -> None:
        """Store nothing."""
