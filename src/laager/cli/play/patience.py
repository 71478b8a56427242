"""The command about the time that a side has for a move, and what then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import PLAY, Agree, AsJson, CampaignFile, Refuse, Side, examples
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
    then: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="With --days: what happens then. remind; umpire or sensible: besides, the umpire, or the other side "
            "too, can let the sensible commander answer.",
        ),
    ] = None,
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
    if then is not None and days is None:
        raise WrongUseError("--then goes with --days")
    at = session(campaign, side)
    if days is not None:
        at.propose_patience(days, then or "remind").tell(json)
    elif agree or refuse:
        at.consent("patience", agree).tell(json)
    elif answer_for is not None:
        at.answer_late(answer_for).tell(json)
    else:
        terms, late = at.patience()
        show(json, describe_patience(terms, late), *patience_lines(terms, late))


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
