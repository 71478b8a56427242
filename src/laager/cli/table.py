"""The campaign at hand: opening its file, and showing what is new in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry
    from laager.campaign.ruleset import PlayedRuleset
    from laager.campaign.views import Seen, View

SUFFIX = ".laager"


def campaign_path(given: Path | None) -> Path:
    """Return the campaign file: the one given, else the only one in this folder."""
    if given is not None:
        return given
    here = sorted(Path().glob(f"*{SUFFIX}"))
    if len(here) == 1:
        return here[0]
    found = ", ".join(path.name for path in here) or "none"
    raise RefusedError(
        Refusal.NO_SUCH, f"name the campaign file with --campaign FILE (in this folder: {found})"
    )


@contextmanager
def opened(given: Path | None) -> Iterator[Campaign]:
    """Open a campaign file for this process alone, as far as it can go by itself."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore
    from laager.cli.out import complain

    with FileStore(campaign_path(given)) as store:
        campaign = Campaign(store)
        if campaign.repaired:
            complain("", [campaign.repaired])
        campaign.advance()
        yield campaign


def ruleset_of(campaign: Campaign) -> PlayedRuleset:
    """Return the campaign's ruleset with all that players meet of it."""
    from laager.campaign.ruleset import find_ruleset

    return find_ruleset(campaign.opening["ruleset"])


def lines_of(campaign: Campaign, seen: Iterable[Seen]) -> Iterator[str]:
    """Return log entries as lines for people: number, rule, what happened."""
    for one in seen:
        text = tell(campaign, one.entry)
        if text:
            mark = " " if one.counts else "×"
            yield f"{one.number:>5}{mark} {text}"


def tell(campaign: Campaign, entry: Entry) -> str:
    """Return one entry as a line; "" for those that only keep the books."""
    body = entry.body
    match entry.type:
        case "step":
            step = campaign.ruleset.steps.get(body["step"])
            return f"── {body['clause']} {step.title if step else body['step']}"
        case "fact" | "declared":
            fact = campaign.fact_of(entry)
            why = f" ({fact.why})" if fact.why else ""
            return f"   {fact.tell()}{why} [{fact.rule}]"
        case "roll":
            return f"   {_rolled(entry)}"
        case "answer":
            return f"   {body['side']} answers: {body['text']}"
        case "undo":
            return f"── taken back to {body['to']} (asked by {body['by']})"
        case "redo":
            return f"── brought back by {body['by']}"
        case "undo-asked" | "end-asked":
            return f"── {body['by']} asks to {'take back' if 'undo' in entry.type else 'end it'}"
        case "undo-refused" | "end-refused":
            return f"── {body['by']} refuses"
        case "open":
            return f"── {body['title']}; dice committed to {body['dice']['commitment'][:16]}…"
        case _:
            return ""


def _rolled(entry: Entry) -> str:
    from laager.campaign.lanes import rolled_of

    body = entry.body
    return f"{body['side']} rolls {body['dice']} for {body['label']}: {rolled_of(entry)}"


def news(campaign: Campaign, before: int, viewer: str) -> list[str]:
    """Return the lines that a viewer sees of all entries after number `before`."""
    from laager.campaign.views import view

    fresh = [seen for seen in view(campaign, viewer).log if seen.entry.number > before]
    return list(lines_of(campaign, fresh))


def waiting(seen_by: View) -> list[str]:
    """Return lines that say what is asked of the viewer, and of whom else."""
    lines = []
    for pending in seen_by.pending:
        what = (
            pending.question.text
            if pending.question
            else f"roll {pending.roll and pending.roll.label}"
        )
        lines.append(f"{pending.side} is asked [{pending.key}]: {what}")
    others = [side for side in seen_by.waiting_for if side not in {p.side for p in seen_by.pending}]
    if others:
        lines.append(f"waiting for {' and '.join(others)}")
    return lines or ["nothing is waited for"]
