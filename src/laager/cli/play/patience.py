"""The command about the time that a side has for a move, and what then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import PLAY, Agree, AsJson, CampaignFile, Refuse, Side, Then, examples
from laager.cli.out import show
from laager.cli.play.session import session

if TYPE_CHECKING:
    from laager.campaign.patience import Late, Patience

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


@app.command(
    rich_help_panel=PLAY,
    short_help="how many days a side has for a move, and who is late",
    epilog=examples(
        "laager patience                                       what was agreed, and who is late",
        "laager patience --days 7 --then umpire --side axis    ask the other side for these terms",
        "laager patience --agree --side allied                 agree to them (or --refuse)",
        "laager patience --answer-for allied --side axis       let the commander answer for who is late",
    ),
)
def patience(
    campaign: CampaignFile = None,
    side: Side = None,
    days: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Ask for so many days for a move; 0: as long as it takes.")
    ] = None,
    then: Then = None,
    agree: Agree = False,
    refuse: Refuse = False,
    answer_for: Annotated[
        str | None, typer.Option(metavar="SIDE", help="Let the sensible commander answer for this side, which is late.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say how many days a side has for a move and who is late; or change that.

    Both sides must agree on other terms. Time counts from the last thing that everybody could see happen.
    """
    if sum((days is not None, agree, refuse, answer_for is not None)) > 1:
        raise WrongUseError("choose one of --days, --agree, --refuse, --answer-for")
    terms = read_terms(days, then)
    at = session(campaign, side)
    if terms is not None:
        at.propose_patience(terms.days, terms.then).tell(json)
    elif agree or refuse:
        at.consent("patience", agree).tell(json)
    elif answer_for is not None:
        at.answer_late(answer_for).tell(json)
    else:
        agreed, late = at.patience()
        show(json, describe_patience(agreed, late), *patience_lines(agreed, late))


def read_terms(days: int | None, then: str | None) -> Patience | None:
    """Return the terms that options ask for; None without --days. Raises WrongUseError, RefusedError."""
    from laager.campaign.patience import Patience, check_patience

    if days == 0 and then is not None:
        raise WrongUseError("--then says what happens after some days; 0 days are as long as it takes")
    if days is not None:
        return check_patience(Patience(days, then or "remind"))
    if then is not None:
        raise WrongUseError("--then goes with --days")
    return None


def describe_patience(terms: Patience, late: tuple[Late, ...]) -> dict[str, Any]:
    """Return the terms and who is late for programs."""
    sides = [
        {
            "side": each.side,
            "waited_since": each.waited_since.isoformat(timespec="seconds"),
            "late_since": each.late_since.isoformat(timespec="seconds"),
        }
        for each in late
    ]
    return {"days": terms.days, "then": terms.then, "late": sides}


def patience_lines(terms: Patience, late: tuple[Late, ...]) -> list[str]:
    """Return the terms and who is late in lines."""
    from laager.campaign.patience_words import terms_in_words

    return [terms_in_words(terms), *(f"{each.side} is late since {each.late_since:%Y-%m-%d %H:%M %Z}" for each in late)]
