"""The campaign at hand: opening its file, and showing what is new in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean

if TYPE_CHECKING:
    from laager.campaign import PlayedRuleset
    from laager.campaign.engine import Campaign, Pending
    from laager.campaign.views import View

SUFFIX = ".laager"


def campaign_path(given: Path | None) -> Path:
    """Return the campaign file: the one given, else the only one in this folder."""
    if given is not None:
        return _existing(given)
    here = sorted(Path().glob(f"*{SUFFIX}"))
    if len(here) == 1:
        return here[0]
    if not here:
        raise RefusedError(
            Refusal.NO_SUCH,
            "there is no campaign in this folder",
            "begin one with laager new CARD, or name its file with --campaign FILE",
        )
    found = ", ".join(path.name for path in here)
    raise RefusedError(
        Refusal.NO_SUCH, f"there are {len(here)} campaigns in this folder ({found})", "name one with --campaign FILE"
    )


def _existing(given: Path) -> Path:
    """Return the file that is meant, be it named without its ending. Raises DataError."""
    longer = given.with_name(given.name + SUFFIX) if given.name else given
    if given.is_dir():
        raise DataError([Problem("this is a folder", "name a campaign file", file=str(given))])
    if given.exists() or not longer.exists():
        if not given.exists():
            around = [path.name for path in sorted(given.parent.glob(f"*{SUFFIX}"))]
            advice = did_you_mean(given.name, around, "there are") if around else ""
            raise DataError([Problem("there is no such campaign file", advice, file=str(given))])
        return given
    return longer


@contextmanager
def opened(given: Path | None) -> Iterator[Campaign]:
    """Open a campaign file for this process alone, as far as it can go by itself."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore

    path = campaign_path(given)
    with FileStore(path) as store:
        campaign = Campaign(store)
        _told_of_repair(campaign)
        campaign.advance()
        yield campaign


def looked_at(given: Path | None) -> Campaign:
    """Return a campaign to look at: nothing is written or locked.

    So it can be looked at while somebody else is at work on it, and from a disk that can only be
    read. What the rules make of the last answer, should that not have been stored, is kept in mind.
    """
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore, StagedStore

    campaign = Campaign(StagedStore(FileStore(campaign_path(given))))
    _told_of_repair(campaign)
    campaign.advance()
    return campaign


def _told_of_repair(campaign: Campaign) -> None:
    from laager.cli.out import complain

    if campaign.repaired:
        complain("", [f"{campaign.store.name}: {campaign.repaired}"])


def ruleset_of(campaign: Campaign) -> PlayedRuleset:
    """Return the campaign's ruleset with all that players meet of it."""
    from laager.campaign import find_ruleset

    return find_ruleset(campaign.opening["ruleset"])


def told_of_broken() -> None:
    """Say a word of the installed rules that cannot be loaded."""
    from laager.campaign.cards import installed_rulesets
    from laager.cli.out import complain

    broken = installed_rulesets().broken
    if broken:
        complain("", broken)


def viewer_of(side: str | None) -> str:
    """Return who looks: the side named, else the umpire."""
    from laager.campaign import UMPIRE

    return side or UMPIRE


def news(campaign: Campaign, before: int, viewer: str) -> list[str]:
    """Return the lines that a viewer sees of all entries after (real) number `before`."""
    from laager.campaign.telling import lines_of, told
    from laager.campaign.views import view

    lines = told(campaign, view(campaign, viewer))
    return lines_of(one for one in lines if one.entry.number > before)


# What is waited for -----------------------------------------------------------------------------


def waiting(campaign: Campaign, seen_by: View) -> list[str]:
    """Return lines that say what is asked of the viewer, and of whom else, and what to do."""
    lines = list(requests(campaign, seen_by))
    for pending in seen_by.pending:
        what = pending.question.text if pending.question else f"roll {_roll(pending)}"
        lines.append(f"{pending.side} is asked [{pending.key}]: {what}")
    others = [side for side in seen_by.waiting_for if side not in {p.side for p in seen_by.pending}]
    if others:
        lines.append(f"waiting for {' and '.join(others)}")
    return lines or ["nothing is waited for"]


def _roll(pending: Pending) -> str:
    roll = pending.roll
    return f"{roll.dice.value} for {roll.label}" if roll else ""


def requests(campaign: Campaign, seen_by: View) -> Iterator[str]:
    """Yield what one side wants of the other, and how that one answers."""
    from laager.campaign.describing import wishes

    for wish in wishes(campaign, seen_by):
        yield wish_line(wish.kind, wish.text, wish.others)


def wish_line(kind: str, text: str, others: Sequence[str]) -> str:
    """Return a wish of one side, with the command by which the others answer it."""
    commands = {"undo": "undo --agree", "redo": "redo --agree", "draw": "end --draw"}
    other = " or ".join(others)
    return f"{text}; {other} answers with: laager {commands[kind]} --side {other} (or --refuse)"


def hint(seen_by: View, given: Path | None) -> str:
    """Return what to type next, as seen by the viewer; "" when there is nothing to do."""
    from laager.campaign import UMPIRE

    if not seen_by.pending:
        return ""
    side = "" if seen_by.viewer == UMPIRE else f" --side {seen_by.viewer}"
    return f"go on with: laager next{side}{f' -c {given}' if given else ''}"


def outcome(campaign: Campaign, viewer: str, before: int) -> dict[str, Any]:
    """Return, for programs, what a command has changed for a viewer and what is waited for now."""
    from laager.campaign.telling import told
    from laager.campaign.views import view

    seen_by = view(campaign, viewer)
    fresh = [one for one in told(campaign, seen_by) if one.entry.number > before]
    return {
        "version": seen_by.version,
        "news": [{"number": one.number, "type": one.entry.type, "text": one.text.strip()} for one in fresh if one.text],
        "requests": list(requests(campaign, seen_by)),
        "waiting_for": list(seen_by.waiting_for),
        "asked": [{"side": p.side, "key": p.key} for p in seen_by.pending],
    }
