"""Commands that change what is played already: take back, open again, put right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.ending import WrongUseError
from laager.cli.options import PLAY, Agree, AsJson, CampaignFile, Refuse, Side, examples
from laager.cli.out import say
from laager.cli.play.session import session

app = typer.Typer()
"""`laager.cli.app` takes these commands over as its own."""


@app.command(
    rich_help_panel=PLAY,
    short_help="take back",
    epilog=examples(
        "laager undo --side axis              ask to take the last answer back",
        "laager undo --side allied --agree    agree to it (or --refuse)",
        "laager undo --to 40                  back to just after entry 40, as the umpire",
    ),
)
def undo(
    campaign: CampaignFile = None,
    side: Side = None,
    to: Annotated[int | None, typer.Option(metavar="N", help="Go back to just after this log entry.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Go back to before this step.")] = False,
    agree: Agree = False,
    refuse: Refuse = False,
    json: AsJson = False,
) -> None:
    """Take back your last answer, or all after an entry; a side needs the other side's consent.

    Nothing is erased, and dice that were rolled don't come again.
    """
    if sum((to is not None, step, agree, refuse)) > 1:
        raise WrongUseError("choose one of --to, --step, --agree, --refuse")
    at = session(campaign, side)
    change = at.consent("undo", agree) if agree or refuse else at.undo(to, step)
    change.tell(json)


@app.command(
    rich_help_panel=PLAY,
    short_help="bring back what was taken back",
    epilog=examples("laager redo", "laager redo --side axis", "laager redo --agree --side allied"),
)
def redo(
    campaign: CampaignFile = None, side: Side = None, agree: Agree = False, refuse: Refuse = False, json: AsJson = False
) -> None:
    """Bring back what was last taken back, if nothing new has happened.

    A side needs the other side's consent. Secret answers given meanwhile are lost.
    """
    if agree and refuse:
        raise WrongUseError("choose one of --agree, --refuse")
    at = session(campaign, side)
    change = at.consent("redo", agree) if agree or refuse else at.redo()
    change.tell(json)


@app.command(
    rich_help_panel=PLAY,
    short_help="open your last battle report again: something was forgotten",
    epilog=examples(
        'laager reopen --side axis --why "we forgot the lost squad"   ask to open your last battle report',
        'laager reopen 81 --side axis --why "typed the wrong hex"     ask to open another answer: entry 81',
        "laager reopen --side allied --agree                          agree to it (or --refuse)",
        "laager reopen --side axis --as-before                        answer again what still holds",
    ),
)
def reopen(
    entry: Annotated[int | None, typer.Argument(metavar="ENTRY", help="An answer, by its number in your log.")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="What was forgotten; the other side reads it.")
    ] = "",
    agree: Agree = False,
    refuse: Refuse = False,
    as_before: Annotated[
        bool, typer.Option("--as-before", help="Give your later answers of this step again, where they hold.")
    ] = False,
    onward: Annotated[bool, typer.Option("--onward", help="With --as-before: in the steps that follow, too.")] = False,
    json: AsJson = False,
) -> None:
    """Open an earlier answer again: your last battle report, or the answer that you name.

    It is asked anew with the old answer as proposal. What followed stays where it still holds, and no die is rolled
    again for what hasn't changed. The other side must agree; the umpire needs nobody.
    """
    if sum((bool(why), agree, refuse, as_before)) != 1:
        raise WrongUseError("choose one of --why, --agree, --refuse, --as-before")
    at = session(campaign, side)
    if agree or refuse:
        change = at.consent("ruling", agree)
    elif as_before:
        change = at.answer_as_before(onward)
    else:
        change = at.reopen(entry, why)
    change.tell(json)


@app.command(
    rich_help_panel=PLAY,
    short_help="put the record right, as the table decides",
    epilog=examples(
        "laager ruling --side axis --template > ruling.yaml   what holds now, to be changed",
        "laager ruling --side axis ruling.yaml --check        before and after; nothing is asked yet",
        "laager ruling --side axis ruling.yaml                ask the other side",
        "laager ruling                                        what is asked for, before and after",
        "laager ruling --side allied --agree                  agree to it (or --refuse)",
    ),
)
def ruling(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The ruling (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print what holds now as a ruling, to be changed.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Show what the ruling would change; ask for nothing.")] = False,
    agree: Annotated[bool, typer.Option("--agree", help="Agree to the ruling that is asked for.")] = False,
    refuse: Refuse = False,
    json: AsJson = False,
) -> None:
    """Put the record right where the table decides otherwise; the other side must agree.

    The ruling's file says what holds from now on, and why. What it changes is shown before and after; at a
    terminal you confirm it. What only your side knows stays with your side: the others agree to a count of it. The
    umpire rules alone, if the campaign's terms say so.
    """
    from laager.cli.play.ruling import check_ruling, propose_ruling, show_open_ruling

    if sum((file is not None, template, agree, refuse)) > 1:
        raise WrongUseError("choose one of FILE, --template, --agree, --refuse")
    at = session(campaign, side)
    if template:
        say(at.ruling_template().rstrip("\n"))
    elif agree or refuse:
        at.consent("ruling", agree).tell(json)
    elif file is None:
        show_open_ruling(at, json)
    elif check:
        check_ruling(at, file, json)
    else:
        propose_ruling(at, file, json)
