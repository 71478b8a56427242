"""How long a side is waited for: what the table agreed on when the campaign began, or has since, and who is over it.

    patience_of(campaign)                      # so many days for a move, and what then
    late_sides(campaign, now)                  # who is over them, and since when
    propose(campaign, "axis", Patience(7, "umpire")); consent(campaign, "allied", agree=True)

Time counts from the last thing that everybody could see happen: when a side answers in secret stays secret, and who
is waited for is what every table shows. What may be done about a late side is `laager.commanders.lateness`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.consent import check_asker, check_consent, open_request, record_refusal
from laager.campaign.facts import UMPIRE, Side
from laager.campaign.log import REQUESTS, Entry

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign

PATIENCE = "patience"
"""The field of an opening with the terms, and the type of the entry that changes them."""
LONGEST_DAYS = 365
THEN = ("remind", "umpire", "sensible")
"""What can be agreed on for a late side: it is reminded; the umpire can let the sensible commander answer for it; the
other side can, too."""


@dataclass(frozen=True)
class Patience:
    """The terms: days for a move (0: as many as it takes), and what then (`THEN`)."""

    days: int = 0
    then: str = "remind"


@dataclass(frozen=True)
class Late:
    """A side that is over its days: since when it is waited for, and since when it is late."""

    side: Side
    waited_since: datetime
    late_since: datetime


def check_patience(terms: Patience) -> Patience:
    """Return terms that can be agreed on. Raises RefusedError for others."""
    if terms.then not in THEN:
        right = did_you_mean(terms.then, THEN)
        raise RefusedError(Refusal.BAD_ANSWER, f"{terms.then!r} isn't what can happen to a late side", right)
    if not 0 <= terms.days <= LONGEST_DAYS:
        right = f"0 to {LONGEST_DAYS} days; 0 for as long as it takes"
        raise RefusedError(Refusal.BAD_ANSWER, f"a side can't have {terms.days} days for a move", right)
    return terms if terms.days else Patience()


def patience_setting(terms: Patience) -> dict[str, Any]:
    """Return what an opening says of the terms: nothing if there is no limit. Raises RefusedError."""
    return {PATIENCE: asdict(terms)} if check_patience(terms).days else {}


def patience_of(campaign: Campaign) -> Patience:
    """Return the terms in force."""
    return terms_after(campaign.entries)


def terms_after(entries: Sequence[Entry]) -> Patience:
    """Return the terms in force after these entries of a log."""
    changed = next((entry.body for entry in reversed(entries) if entry.type == PATIENCE), None)
    return _read(changed or entries[0].body.get(PATIENCE, {}))


def _read(body: Mapping[str, Any]) -> Patience:
    return Patience(body.get("days", 0), body.get("then", "remind"))


# Who is late --------------------------------------------------------------------------------------


def waited_since(entries: Sequence[Entry]) -> datetime:
    """Return when everybody could last see something happen; requests between the sides don't count."""
    return next(datetime.fromisoformat(entry.at) for entry in reversed(entries) if _is_news(entry))


def _is_news(entry: Entry) -> bool:
    return entry.to is None and (entry.type not in REQUESTS or entry.type == "late")


def late_sides(campaign: Campaign, now: datetime) -> tuple[Late, ...]:
    """Return the sides that are over their days."""
    terms = patience_of(campaign)
    if not terms.days or campaign.over:
        return ()
    since = waited_since(campaign.entries)
    late_since = since + timedelta(days=terms.days)
    waiting = {pending.side for pending in campaign.pending()} if late_since <= now else set()
    return tuple(Late(side, since, late_since) for side in campaign.ruleset.sides if side in waiting)


def may_answer_late(terms: Patience, by: Side, side: Side) -> bool:
    """True if somebody may let the sensible commander answer for a late side."""
    if by == UMPIRE:
        return terms.then in {"umpire", "sensible"}
    return terms.then == "sensible" and by != side


# Changing the terms -------------------------------------------------------------------------------


def propose(campaign: Campaign, by: Side, terms: Patience) -> None:
    """Ask the other side for other terms. Raises RefusedError."""
    check_asker(campaign, by)
    if by not in campaign.ruleset.sides:
        raise RefusedError(Refusal.NOT_YOURS, "the sides agree on this", "ask one of them to propose it")
    terms = check_patience(terms)
    if terms == patience_of(campaign):
        raise RefusedError(Refusal.BAD_ANSWER, "these are the terms already")
    if open_request(campaign, PATIENCE) is not None:
        raise RefusedError(Refusal.NEEDS_CONSENT, "other terms have been proposed", "the other side must answer")
    campaign.record("patience-asked", {"by": by, **asdict(terms)})


def consent(campaign: Campaign, side: Side, agree: bool) -> None:
    """Agree to the other side's terms, or refuse them; withdraw one's own. Raises RefusedError."""
    request = check_consent(campaign, PATIENCE, side, "for other terms", agree=agree)
    if side not in campaign.ruleset.sides:
        raise RefusedError(Refusal.NOT_YOURS, "the sides agree on this")
    if agree:
        campaign.record("patience", {"by": side, **asdict(_read(request.body))})
    else:
        record_refusal(campaign, PATIENCE, request, side)


# Proof --------------------------------------------------------------------------------------------


def check_patience_entries(entries: Sequence[Entry], sides: Sequence[Side]) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with a log's entries about patience: the real number of each, and why."""
    asked: Entry | None = None
    for i, entry in enumerate(entries):
        if entry.type == "patience-asked":
            asked = entry
        elif entry.type == "patience":
            if asked is None or not _is_consent(entry, asked, sides):
                yield entry.number, "not both sides agreed to these terms"
            asked = None
        elif entry.type == "patience-refused" or _is_news(entry):
            asked = None
        if entry.type == "late":
            yield from ((entry.number, problem) for problem in _check_late(entry, entries[:i], sides))


def _is_consent(entry: Entry, asked: Entry, sides: Sequence[Side]) -> bool:
    both = {entry.body["by"], asked.body["by"]}
    return both == set(sides) and _read(entry.body) == _read(asked.body)


def _check_late(entry: Entry, before: Sequence[Entry], sides: Sequence[Side]) -> Iterator[str]:
    terms, body = terms_after(before), entry.body
    known = body["side"] in sides and body["by"] in (*sides, UMPIRE)
    if not known or not may_answer_late(terms, body["by"], body["side"]):
        yield "the terms didn't allow to answer for this side"
    waited = datetime.fromisoformat(entry.at) - waited_since(before)
    if not terms.days or waited < timedelta(days=terms.days):
        yield "this side wasn't late"
