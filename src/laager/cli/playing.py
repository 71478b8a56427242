"""Beginning a campaign, and seeing where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json
from laager.cli.table import (
    SUFFIX,
    hint,
    installed_rulesets,
    looked_at,
    outcome,
    requests,
    ruleset_of,
    viewer_of,
    waiting,
)

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign, Pending
    from laager.campaign.log import Entry


DEFAULT_RULES = "pl"
"""The rule system of a card that does not say; its own check tells what is wrong with it."""


def find_card(card: str, ruleset: str | None) -> tuple[Path, str]:
    """Return the file of a card (a path, or the id of a shipped one) and its rule system.

    Raises RefusedError if there is no such card.
    """
    from laager.campaign.ruleset import find_ruleset

    path = Path(card)
    if path.suffix in {".yaml", ".yml"} or path.is_file():
        from laager.base.files import read_document

        return path, ruleset or rules_of(read_document(path).data)
    known = [(ruleset, find_ruleset(ruleset))] if ruleset else list(installed_rulesets())
    found = {shipped: name for name, rules in reversed(known) for shipped in rules.shipped_cards()}
    if card in found:
        return find_ruleset(found[card]).shipped_cards()[card], found[card]
    advice = did_you_mean(card, found, "shipped are")
    raise RefusedError(Refusal.NO_SUCH, f"{card!r} is neither a file nor a shipped card; {advice}")


def rules_of(data: object) -> str:
    """Return the rule system that a card names: `pl-card/1` is pl's, `dyo/1` is dyo's.

    The cards of the HASL family are of one kind; each names its rule system beside.
    """
    from importlib.metadata import entry_points

    from laager.campaign.ruleset import GROUP

    card = data if isinstance(data, dict) else {}
    kind = str(card.get("laager", "")).partition("/")[0].removesuffix("-card")
    known = {point.name for point in entry_points(group=GROUP)}
    for name in (str(card.get("ruleset", "")) if kind == "hasl" else "", kind):
        if name in known:
            return name
    return DEFAULT_RULES


def new(
    card: str,
    file: Path | None,
    ruleset: str | None,
    entered_dice: bool,
    reading: list[str],
    as_json: bool,
) -> None:
    """Make a campaign file from a card."""
    from laager.campaign.opening import opening_entries
    from laager.campaign.ruleset import find_ruleset

    path, rules = find_card(card, ruleset)
    made = find_ruleset(rules).read_card(path, _readings(reading))
    target = file or Path(f"{path.stem}{SUFFIX}")
    _check_target(target)
    campaign = _created(target, opening_entries(rules, made.title, made.setting, entered_dice))
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
        raise RefusedError(
            Refusal.BAD_DATA, f"{target} is a folder; name the file, such as {target / 'my.laager'}"
        )
    if target.exists():
        raise RefusedError(
            Refusal.BAD_DATA,
            f"{target} exists already; go on with it (laager next -c {target}), or choose another "
            "name with --file",
        )


def _created(target: Path, entries: tuple[Entry, ...]) -> Campaign:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore

    with FileStore(target) as store:
        store.create(entries)
        campaign = Campaign(store)
        campaign.advance()
    return campaign


def _readings(given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, sign, option = text.partition("=")
        if not sign:
            raise WrongUseError(
                f"{text!r} is no reading; write ID=OPTION (laager rules pl --readings lists them)"
            )
        found[name.strip()] = option.strip()
    return found


def status(campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Tell where the campaign stands."""
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
                "pending": [described(pending) for pending in seen_by.pending],
            }
        )
        return
    say(seen_by.title, *headline, "", *waiting(campaign, seen_by))
    todo = hint(seen_by, campaign_file)
    if todo:
        say(todo)


def described(pending: Pending) -> dict[str, object]:
    """Return what is waited for as JSON: a question, or dice to be entered."""
    if pending.question is not None:
        return pending.question.describe()
    assert pending.roll is not None
    roll = pending.roll
    return {
        "key": "roll",
        "side": pending.side,
        "label": roll.label,
        "dice": roll.dice.value,
        "modifiers": [
            {"value": m.value, "reason": m.reason, "rule": m.rule} for m in roll.modifiers
        ],
    }
