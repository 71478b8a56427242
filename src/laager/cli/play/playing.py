"""Beginning a campaign, and seeing where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json
from laager.cli.play.campaign_file import (
    SUFFIX,
    hint,
    looked_at,
    outcome,
    requests,
    ruleset_of,
    told_of_broken,
    viewer_of,
    waiting,
)

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry


def new(
    card: str,
    file: Path | None,
    ruleset: str | None,
    entered_dice: bool,
    reading: list[str],
    as_json: bool,
    count_units: bool = False,
) -> None:
    """Make a campaign file from a card."""
    from laager.campaign import find_ruleset
    from laager.campaign.cards import find_card
    from laager.campaign.opening import opening_entries

    if not Path(card).is_file():
        told_of_broken()
    path, rules = find_card(card, ruleset)
    made = find_ruleset(rules).read_card(path, readings(reading))
    target = file or Path(f"{path.stem}{SUFFIX}")
    _check_target(target)
    opening = opening_entries(rules, made.title, made.setting, entered_dice, drawn=not count_units)
    campaign = _created(target, opening)
    commitment = campaign.opening["dice"]["commitment"]
    if as_json:
        begun = {"file": str(target), "title": made.title, "commitment": commitment}
        begun |= {"warnings": list(made.warnings)}
        show_json(begun | outcome(campaign, viewer_of(None), 0))
        return
    for warning in made.warnings:
        say(f"note: {warning}")
    dice = "the players roll and type their dice" if entered_dice else "Laager rolls"
    say(
        f"{made.title}: {target}",
        f"dice: {dice}; committed to {commitment}",
        "go on with: laager next" + (f" -c {target}" if file else ""),
    )


def _check_target(target: Path) -> None:
    if not target.name or target.is_dir():
        raise RefusedError(Refusal.BAD_DATA, f"{target} is a folder", f"name the file, such as {target / 'my.laager'}")
    if target.exists():
        raise RefusedError(
            Refusal.BAD_DATA,
            f"{target} exists already",
            f"go on with it (laager next -c {target}), or choose another name with --file",
        )


def _created(target: Path, entries: tuple[Entry, ...]) -> Campaign:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore

    with FileStore(target) as store:
        store.create(entries)
        campaign = Campaign(store)
        campaign.advance()
    return campaign


def readings(given: list[str]) -> dict[str, str]:
    """Return how rules are to be read, from ID=OPTION. Raises WrongUseError."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, option = text.partition("=")
        if not sign:
            raise WrongUseError(f"{text!r} is no reading; write ID=OPTION (laager rules pl --readings lists them)")
        found[name.strip()] = option.strip()
    return found


def status(campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Tell where the campaign stands."""
    from laager.campaign.describing import pending_json
    from laager.campaign.views import view

    campaign = looked_at(campaign_file)
    seen_by = view(campaign, viewer_of(side))
    rules = ruleset_of(campaign)
    headline = rules.headline(campaign.context, seen_by.state)
    if as_json:
        show_json(
            {
                "title": seen_by.title,
                "viewer": seen_by.viewer,
                "version": seen_by.version,
                "headline": list(headline),
                "requests": list(requests(campaign, seen_by)),
                "waiting_for": list(seen_by.waiting_for),
                "pending": [pending_json(pending) for pending in seen_by.pending],
            }
        )
        return
    say(seen_by.title, *headline, "", *waiting(campaign, seen_by))
    todo = hint(seen_by, campaign_file)
    if todo:
        say(todo)
