"""Makes a campaign file: from a card, a record of a campaign on paper, or another campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.cli.play.campaign_file import SUFFIX, go_on, looked_at, warn_of_broken_rules

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry
    from laager.campaign.record import BegunOnPaper
    from laager.cli.play.session import BeginOptions


def make_campaign_file(wanted: BeginOptions) -> tuple[Campaign, dict[str, Any], Sequence[str]]:
    """Return a campaign begun in a new file, what programs read of its beginning, and the lines for people.

    Raises DataError with everything that is wrong with card or record, RefusedError; then there is no file.
    """
    from laager.campaign.house.in_campaign import campaign_house_lines
    from laager.campaign.opening import opening_entries
    from laager.campaign.patience_words import opening_terms

    rules, begun_on_paper, stem = _read_beginning(wanted)
    made = begun_on_paper.made
    target = wanted.file or Path(f"{stem}{SUFFIX}")
    _check_target(target)
    setting = _with_patience({**made.setting, **wanted.terms, **_commanders(rules, wanted)}, wanted)
    opening = opening_entries(rules, made.title, setting, wanted.entered_dice, drawn=not wanted.count_units)
    campaign = _create(target, opening, begun_on_paper.secrets)
    commitment = campaign.opening["dice"]["commitment"]
    begun = {"file": str(target), "title": made.title, "commitment": commitment, "warnings": list(made.warnings)}
    dice = "you roll and type the dice" if wanted.entered_dice else "Laager rolls"
    lines = (
        *(f"note: {warning}" for warning in made.warnings),
        f"{made.title}: {target}",
        f"dice: {dice}; committed to {commitment}",
        *(f"{campaign.context.people_of(side)}: commander {name}" for side, name in wanted.commanders.items()),
        *(f"time: {terms}" for terms in opening_terms(setting)),
        *(f"house rule {line}" for line in campaign_house_lines(campaign)),
        "go on with: laager next" + (f" -c {target}" if wanted.file else ""),
    )
    return campaign, begun, lines


def _check_target(target: Path) -> None:
    if not target.name or target.is_dir():
        raise RefusedError(Refusal.BAD_DATA, f"{target} is a folder", f"name the file, such as {target / 'my.laager'}")
    if target.exists():
        right = f"go on with it (laager next -c {target}), or choose another name with --file"
        raise RefusedError(Refusal.BAD_DATA, f"{target} already exists", right)


def _read_beginning(wanted: BeginOptions) -> tuple[str, BegunOnPaper, str]:
    """Return rule system, what a campaign opens with, and the stem of its file's name.

    Raises DataError with everything that is wrong with card or record, RefusedError.
    """
    from laager.base.files import read_document
    from laager.campaign import find_ruleset
    from laager.campaign.cards import find_card
    from laager.campaign.house import add_house
    from laager.campaign.record import BegunOnPaper, begin_on_paper, chosen_readings, copy_of

    if wanted.source is not None and wanted.source.suffix == SUFFIX:
        campaign = looked_at(wanted.source)
        return campaign.ruleset.id, copy_of(campaign), f"{wanted.source.stem}-what-if"
    if not Path(wanted.card).is_file():
        warn_of_broken_rules()
    path, rules = find_card(wanted.card, wanted.ruleset)
    document = read_document(wanted.source) if wanted.source is not None else None
    on_paper = chosen_readings(document) if document else {}
    made = find_ruleset(rules).read_card(path, {**on_paper, **wanted.chosen_readings()})
    if wanted.house is not None:
        made = add_house(find_ruleset(rules), made, read_document(wanted.house))
    if document is None:
        return rules, BegunOnPaper(made), path.stem
    return rules, begin_on_paper(rules, made, document), path.stem


def _commanders(rules: str, wanted: BeginOptions) -> dict[str, Any]:
    """Return what the opening says of sides held by commanders. Raises RefusedError for one that isn't installed."""
    if not wanted.commanders:
        return {}
    from laager.campaign import find_ruleset
    from laager.commanders.seats import commanders_setting

    return commanders_setting(find_ruleset(rules).sides, wanted.commanders)


def _with_patience(setting: dict[str, Any], wanted: BeginOptions) -> dict[str, Any]:
    """Return what a campaign opens with, with the wanted terms about time; without wishes a copy keeps its own."""
    from laager.campaign.patience import PATIENCE, patience_setting

    if wanted.patience is None:
        return setting
    return {name: part for name, part in setting.items() if name != PATIENCE} | patience_setting(wanted.patience)


def _create(target: Path, entries: tuple[Entry, ...], secrets: Mapping[str, Any]) -> Campaign:
    """Make a campaign file; sides enter what its record has of their secrets."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore
    from laager.campaign.record import take_up

    with FileStore(target) as store:
        store.create(entries)
        try:
            campaign = Campaign(store)
            take_up(campaign, secrets)
            go_on(campaign)
        except BaseException:
            # On a full disk, say: nothing half made stays behind.
            target.unlink(missing_ok=True)
            raise
    return campaign
