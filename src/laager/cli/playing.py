"""Beginning a campaign, seeing where it stands, going on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.cli.out import say, show_json, show_sheets
from laager.cli.table import SUFFIX, news, opened, ruleset_of, waiting

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign, Pending
    from laager.campaign.views import View


def card_path(card: str, ruleset: str) -> Path:
    """Return the file of a card: a path, or the id of a shipped one."""
    from laager.campaign.ruleset import find_ruleset

    path = Path(card)
    if path.suffix in {".yaml", ".yml"} or path.exists():
        return path
    shipped = find_ruleset(ruleset).shipped_cards()
    if card not in shipped:
        advice = did_you_mean(card, shipped, "shipped are")
        raise RefusedError(
            Refusal.NO_SUCH, f"{card!r} is neither a file nor a shipped card; {advice}"
        )
    return shipped[card]


def new(card: str, file: Path | None, ruleset: str, entered_dice: bool, reading: list[str]) -> None:
    """Make a campaign file from a card."""
    from laager.campaign.engine import Campaign
    from laager.campaign.log import FileStore
    from laager.campaign.opening import opening_entries
    from laager.campaign.ruleset import find_ruleset

    path = card_path(card, ruleset)
    rules = find_ruleset(ruleset)
    made = rules.read_card(path, _readings(reading))
    target = file or Path(f"{path.stem}{SUFFIX}")
    with FileStore(target) as store:
        store.create(opening_entries(ruleset, made.title, made.setting, entered_dice))
        campaign = Campaign(store)
        campaign.advance()
        commitment = campaign.opening["dice"]["commitment"]
    for warning in made.warnings:
        say(f"note: {warning}")
    dice = "the players roll and type their dice" if entered_dice else "Laager rolls"
    say(
        f"{made.title}: {target}",
        f"dice: {dice}; committed to {commitment}",
        "go on with: laager next" + (f" -c {target}" if file else ""),
    )


def _readings(given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, sign, option = text.partition("=")
        if not sign:
            raise DataError(
                [Problem(f"{text!r} is no reading", "write ID=OPTION")], Refusal.BAD_ANSWER
            )
        found[name.strip()] = option.strip()
    return found


def status(campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Tell where the campaign stands."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        seen_by = view(campaign, side or UMPIRE)
        rules = ruleset_of(campaign)
        headline = rules.headline(campaign.context, seen_by.state)
        if as_json:
            show_json(
                {
                    "title": seen_by.title,
                    "viewer": seen_by.viewer,
                    "version": seen_by.version,
                    "headline": list(headline),
                    "waiting_for": list(seen_by.waiting_for),
                    "pending": [_described(pending) for pending in seen_by.pending],
                }
            )
            return
        say(seen_by.title, *headline, "", *waiting(seen_by))


def _described(pending: Pending) -> dict[str, object]:
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


def go_on(campaign_file: Path | None, side: str | None, defaults: int) -> None:
    """Ask whoever must answer, one question at a time; the file is free while people think."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    viewer = side or UMPIRE
    told = 0
    while True:
        with opened(campaign_file) as campaign:
            if told:
                say(*news(campaign, told, viewer))
            told = campaign.version
            seen_by = view(campaign, viewer)
            if not seen_by.pending:
                say("", *ruleset_of(campaign).headline(campaign.context, seen_by.state))
                say(*waiting(seen_by))
                return
            pending = seen_by.pending[0]
            if defaults > 0:
                defaults -= 1
                _take_default(campaign, pending)
                continue
            _before(campaign, seen_by, pending)
        if not _answered(campaign_file, pending):
            return


def _take_default(campaign: Campaign, pending: Pending) -> None:
    if pending.question is None:
        campaign.roll_for(pending.side)
    else:
        campaign.answer(pending.side, pending.key, pending.question.default)


def _before(campaign: Campaign, seen_by: View, pending: Pending) -> None:
    """Show what the side should have before its eyes, and the rules to remember now."""
    from laager.campaign.clauses import RulesIndex

    rules = ruleset_of(campaign)
    state = view_of_side(campaign, seen_by, pending.side)
    show_sheets(rules.beside(campaign.context, state, pending.key, pending.side))
    moment = rules.moment(pending.step.id)
    if moment:
        index = RulesIndex.load_packaged(rules.package)
        for clause in index.reminders(moment):
            say(f"  remember {clause.id} {clause.title}")


def view_of_side(campaign: Campaign, seen_by: View, side: str) -> object:
    """Return what the asked side itself may know, also when the umpire holds the keyboard."""
    from laager.campaign.views import view

    return seen_by.state if seen_by.viewer == side else view(campaign, side).state


def _answered(campaign_file: Path | None, pending: Pending) -> bool:
    """Ask a person and give the answer; False if they stopped. The file is open only to write."""
    from laager.cli.asking import STOP, ask_person

    if pending.question is not None:
        value = ask_person(pending.question)
        if value is STOP:
            say("stopped; go on with laager next")
            return False
    else:
        value = _ask_faces(pending)
        if value is STOP:
            return False
    with opened(campaign_file) as campaign:
        if value is None:
            campaign.roll_for(pending.side)
        else:
            campaign.answer(pending.side, pending.key, value)
    return True


def _ask_faces(pending: Pending) -> object:
    """Ask for dice that the players roll; None: Laager shall roll."""
    from laager.cli.asking import STOP
    from laager.dice import parse_faces

    roll = pending.roll
    assert roll is not None
    say("", f"[{pending.side}] {roll.label}: roll a {roll.dice.value}")
    for modifier in roll.modifiers:
        say(f"    {modifier.value:+d} {modifier.reason} ({modifier.rule})")
    while True:
        try:
            text = input("    faces (coloured die first), empty: Laager rolls, q: stop > ").strip()
        except EOFError:
            return STOP
        if text == "q":
            return STOP
        if not text:
            return None
        try:
            return list(parse_faces(roll.dice, text))
        except DataError as err:
            say(*(str(problem) for problem in err.problems))
