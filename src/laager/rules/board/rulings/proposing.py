"""Proposing a ruling from its file, and reading one that waits for consent: for commands, pages and calls alike."""

from __future__ import annotations

from typing import Any

from laager.base import Refusal, RefusedError
from laager.base.files import Document
from laager.campaign import UMPIRE, rulings
from laager.campaign.engine import Campaign
from laager.campaign.facts import may_see
from laager.rules.board.context import CardContext
from laager.rules.board.rulings.differences import Difference, differences
from laager.rules.board.rulings.ruling import WrittenRuling, base_contexts, write_ruling


def preview_ruling(campaign: Campaign, by: str, document: Document) -> dict[str, Any]:
    """Return what a ruling's file would change, as its proposer sees it; nothing is stored.

    Raises DataError with all that is wrong with it, RefusedError if it can't be asked for now.
    """
    written = _write(campaign, by, document)
    ruling = rulings.Ruling(by, written.why, written.facts)
    rulings.preview(campaign, ruling)
    return describe_ruling(written) | {"at_once": counts_at_once(campaign, by)}


def propose_ruling(campaign: Campaign, by: str, document: Document) -> bool:
    """Ask the table for the ruling in a file; return True if it counts at once. Raises DataError, RefusedError."""
    written = _write(campaign, by, document)
    return rulings.propose(campaign, rulings.Ruling(by, written.why, written.facts))


def counts_at_once(campaign: Campaign, by: str) -> bool:
    """True if nobody needs to agree to rulings of a viewer."""
    return by == UMPIRE and rulings.terms_of(campaign.opening).umpire_alone


def describe_ruling(written: WrittenRuling) -> dict[str, Any]:
    """Return a ruling for programs: why, before and after, what it leaves contradictory."""
    return {
        "why": written.why,
        "changes": [difference.describe() for difference in written.changes],
        "left": [{"what": mismatch.what, "mend": mismatch.mend} for mismatch in written.left],
    }


def open_changes(campaign: Campaign, viewer: str) -> list[Difference]:
    """Return what the ruling that waits for consent changes, before and after, as far as a viewer may know."""
    asked = rulings.open_ruling(campaign, viewer)
    if asked is None or not isinstance(campaign.context, CardContext):
        return []
    _, seen = base_contexts(campaign, viewer)
    after = seen.state
    for fact in asked.facts:
        after = fact.apply(after) if may_see(fact.to, viewer) else after
    return differences(seen, seen.with_state(after))


def describe_open(campaign: Campaign, viewer: str) -> dict[str, Any] | None:
    """Return the ruling that waits for consent for programs, as a viewer may know it; None if none does."""
    asked = rulings.open_ruling(campaign, viewer)
    if asked is None:
        return None
    return {
        "request": asked.number,
        "by": asked.by,
        "why": asked.why,
        "changes": [difference.describe() for difference in open_changes(campaign, viewer)],
        "secret": {side: dict(counts) for side, counts in asked.secret.items()},
        "reopens": asked.reopens,
        "agreed": list(asked.agreed),
        "waiting_for": list(asked.waiting_for),
    }


def check_has_record(campaign: Campaign) -> None:
    """Raise RefusedError unless a campaign keeps a record that can be put right."""
    if not isinstance(campaign.context, CardContext):
        sentence = f"{campaign.ruleset.title} keeps no record of units"
        raise RefusedError(Refusal.NO_SUCH, sentence, "take back the answer instead (laager undo)")


def _write(campaign: Campaign, by: str, document: Document) -> WrittenRuling:
    check_has_record(campaign)
    if campaign.over:
        sentence = "the campaign is over and its dice are shown"
        raise RefusedError(Refusal.OVER, sentence, "nothing can be put right any more")
    return write_ruling(campaign, by, document)
