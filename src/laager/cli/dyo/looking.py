"""Looking at purchases and orders of battle: Rosters, checks, export, odds and suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.ending import NOT_SOUND, WrongUseError
from laager.cli.out import print_sheets, say, show_json
from laager.cli.play.campaign_file import looked_at
from laager.cli.play.file_session import FileSession
from laager.cli.writing import write_texts

if TYPE_CHECKING:
    from laager.rules.design_your_own.check.check import Verdict
    from laager.rules.design_your_own.check.review import Found
    from laager.rules.design_your_own.context import Cg
    from laager.rules.design_your_own.files import LoadedOb

RULES = "dyo"


def check_purchase(campaign_file: Path | None) -> None:
    """Raise RefusedError if the campaign is not a purchase."""
    campaign = looked_at(campaign_file)
    if campaign.ruleset.id != RULES:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"{campaign.opening['title']} is a campaign of {campaign.ruleset.id}, not a purchase",
            "go on with laager next, or name a purchase with --campaign FILE",
        )


def roster(file: Path | None, campaign_file: Path | None, side: str | None, as_json: bool, as_csv: bool) -> None:
    """Print the Rosters of a purchase, or that of a file."""
    if file is None:
        check_purchase(campaign_file)
        print_sheets(FileSession(campaign_file, side).sheets(()), as_json, as_csv)
        return
    from laager.rules.design_your_own.check.check import check_file
    from laager.rules.design_your_own.files import context_of, load_ob
    from laager.rules.design_your_own.sheets.roster import roster as made

    loaded = load_ob(file)
    verdict = check_file(loaded)
    cg = context_of(loaded)
    cg.state = cg.state.having(verdict.ob)
    print_sheets(made(cg, loaded.ob.side), as_json, as_csv)


def check(file: Path, against: Path | None, as_json: bool) -> None:
    """Check an order of battle; exits with 4 if it breaks a rule."""
    import typer

    from laager.rules.design_your_own.check.check import check_file, describe_verdict
    from laager.rules.design_your_own.files import facing, load_ob

    loaded = load_ob(file)
    enemy = load_ob(against) if against is not None else None
    if enemy is not None:
        facing(loaded, enemy, str(file), str(against))
    verdict = check_file(loaded, enemy)
    if as_json:
        warnings = [str(warning) for warning in loaded.terms.warnings]
        told = describe_verdict(verdict, loaded.document)
        show_json({"file": str(file), **told, "warnings": warnings})
    else:
        _say(verdict, loaded)
    if not verdict.legal:
        raise typer.Exit(NOT_SOUND)


def _say(verdict: Verdict, loaded: LoadedOb) -> None:
    ob, terms = verdict.ob, loaded.terms.terms
    for warning in loaded.terms.warnings:
        say(f"note: {warning}")
    say(f"{terms.name(ob.side)} ({ob.side}), {terms.date}: {ob.allotment} points")
    parts = [f"{section.replace('-', ' ')} {spent}" for section, spent in ob.spent.items() if spent]
    say(f"spent {ob.total}: {', '.join(parts) or 'nothing'}; {ob.left} left")
    for note in verdict.notes:
        say(f"note: {note}")
    _list(f"cannot be judged ({len(verdict.unjudged)}):", verdict.unjudged, loaded)
    _list(f"against the rules ({len(verdict.broken)}):", verdict.broken, loaded)
    if verdict.legal:
        say("legal" + (", as far as the catalogue tells" if verdict.unjudged else ""))


def _list(heading: str, found: tuple[Found, ...], loaded: LoadedOb) -> None:
    from laager.rules.design_your_own.check.check import placed

    if found:
        say(heading, *(f"  {placed(one, loaded.document)}" for one in found))


# Export -----------------------------------------------------------------------------------------


def export(campaign_file: Path | None, side: str | None, form: str, out: Path | None, force: bool) -> None:
    """Write a side's order of battle; of both sides in the form that can hold them."""
    from laager.campaign import UMPIRE
    from laager.rules.design_your_own.exports.forms import FORMS, OF_BOTH
    from laager.rules.design_your_own.terms import SIDES

    if form not in FORMS:
        raise WrongUseError(f"--as {form}: no such form; {did_you_mean(form, FORMS, 'forms are')}")
    both = side in (None, UMPIRE)
    if both and form != OF_BOTH:
        raise WrongUseError("whose order of battle? add --side axis or --side allied")
    cg = seen(campaign_file, side or UMPIRE)
    text = FORMS[form](cg, SIDES if both or side is None else (side,))
    write(text, out, force)


def write(text: str, out: Path | None, force: bool) -> None:
    """Print a text, or write it to a file."""
    if out is None:
        say(text.rstrip())
        return
    write_texts({out: text}, force)


def seen(campaign_file: Path | None, viewer: str) -> Cg:
    """Return the purchase as a viewer may see it."""
    from laager.campaign.views import view
    from laager.rules.design_your_own.context import Cg

    check_purchase(campaign_file)
    campaign = looked_at(campaign_file)
    state = view(campaign, viewer).state
    assert isinstance(campaign.context, Cg)
    return campaign.context.seeing(state)


# Help -------------------------------------------------------------------------------------------


def odds(campaign_file: Path | None, side: str | None, as_json: bool, as_csv: bool) -> None:
    """Print the odds of every roll that a side can look forward to."""
    from laager.rules.design_your_own.sheets.prospects import all_prospects, sheet

    own = _of_one(side, "whose rolls?")
    found = [sheet(one, own) for one in all_prospects(seen(campaign_file, own), own)]
    if not found and not as_json:
        say(f"no roll lies before {own} just now")
        return
    print_sheets(found, as_json, as_csv)


def _of_one(side: str | None, question: str) -> str:
    """Return the side that is meant; the umpire must name one."""
    from laager.campaign import UMPIRE

    if side is None or side == UMPIRE:
        raise WrongUseError(f"{question} add --side axis or --side allied")
    return side


def suggest(
    file: Path | None,
    wishes: Mapping[str, Any],
    campaign_file: Path | None,
    side: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Print a purchase that meets a side's wishes, or write it as an order of battle."""
    from laager.base.files import Document, check
    from laager.rules.design_your_own.plan.suggest import suggest as suggested
    from laager.rules.design_your_own.plan.wishes import Wishes, load_wishes

    own = _of_one(side, "for whom?")
    if file is not None and wishes:
        names = ", ".join(f"--{name}" for name in wishes)
        raise WrongUseError(f"{file} and {names} do not go together; write all into the file")
    wished = load_wishes(file) if file else check(Document(dict(wishes), "options"), Wishes)
    found = suggested(seen(campaign_file, own), own, wished)
    if as_json:
        assumed = list(found.assumed)
        show_json({"assumed": assumed, "reached": found.reached, "ob": found.data})
        return
    if out is not None:
        from laager.rules.design_your_own.exports.forms import yaml_text

        write(yaml_text(found.data), out, force)
        return
    print_sheets(found.sheets(), as_json)
