"""Campaign files: finding the one that is meant, and opening it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean

if TYPE_CHECKING:
    from laager.campaign import PlayedRuleset
    from laager.campaign.engine import Campaign

SUFFIX = ".laager"


def campaign_path(given: Path | None) -> Path:
    """Return the campaign file: the one given, else the only one in this folder."""
    if given is not None:
        return _existing(given)
    here = sorted(Path().glob(f"*{SUFFIX}"))
    if len(here) == 1:
        return here[0]
    if not here:
        message, right = "there is no campaign in this folder", "begin one with laager new CARD, or name its file"
    else:
        message = f"there are {len(here)} campaigns in this folder ({', '.join(path.name for path in here)})"
        right = "name one"
    raise RefusedError(Refusal.NO_SUCH, message, f"{right} with --campaign FILE")


def _existing(given: Path) -> Path:
    """Return the file that is meant, with or without its ending. Raises DataError."""
    if given.is_dir():
        raise DataError([Problem("this is a folder", "name a campaign file", file=str(given))])
    longer = given.with_name(given.name + SUFFIX) if given.name else given
    for path in (given, longer):
        if path.exists():
            return path
    around = [path.name for path in sorted(given.parent.glob(f"*{SUFFIX}"))]
    advice = did_you_mean(given.name, around, "there are") if around else ""
    raise DataError([Problem("this campaign file doesn't exist", advice, file=str(given))])


@contextmanager
def open_campaign(given: Path | None) -> Iterator[Campaign]:
    """Open a campaign file for this process alone, as far as it can go by itself."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore

    with FileStore(campaign_path(given)) as store:
        yield _advance(Campaign(store))


def looked_at(given: Path | None) -> Campaign:
    """Return a campaign to look at: this writes and locks nothing.

    It works while somebody else plays, and on a read-only disk. What the rules make of the last answer, if that
    is not stored yet, is only in memory.
    """
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore, StagedStore

    return _advance(Campaign(StagedStore(FileStore(campaign_path(given)))))


def _advance(campaign: Campaign) -> Campaign:
    from laager.cli.out import complain

    if campaign.repaired:
        complain("", [f"{campaign.store.name}: {campaign.repaired}"])
    go_on(campaign)
    return campaign


def go_on(campaign: Campaign) -> None:
    """Go on until a player is asked: commanders answer for the sides that they hold."""
    campaign.advance()
    if campaign.opening.get("commanders"):
        from laager.commanders.seats import play_held_seats

        play_held_seats(campaign, _tell_thinking if sys.stderr.isatty() else None)


def _tell_thinking(done: int, total: int) -> None:
    """Write on the terminal how far a commander is with an answer."""
    end = "\n" if done == total else ""
    sys.stderr.write(f"\rThe commander looks ahead: {done:3} %{end}")
    sys.stderr.flush()


def ruleset_of(campaign: Campaign) -> PlayedRuleset:
    """Return the campaign's ruleset with everything that players see of it."""
    from laager.campaign import find_ruleset

    return find_ruleset(campaign.opening["ruleset"])


def warn_of_broken_rules() -> None:
    """Name installed rules that cannot be loaded."""
    from laager.campaign.cards import installed_rulesets
    from laager.cli.out import complain

    broken = installed_rulesets().broken
    if broken:
        complain("", broken)


def news_lines(campaign: Campaign, before: int, viewer: str, language: str = "en") -> list[str]:
    """Return the lines that a viewer sees of all entries after (real) number `before`."""
    from laager.campaign.telling import lines_of, log_in_words
    from laager.campaign.views import view

    lines = log_in_words(campaign, view(campaign, viewer), language)
    return lines_of(line for line in lines if line.entry.number > before)
