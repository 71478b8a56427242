"""The commands of `laager dyo`: buying an order of battle for points, and checking any."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laager.cli.options import AsJson, CampaignFile, Side, examples

app = typer.Typer(
    name="dyo",
    help="Design Your Own: agree on terms, buy, look at the Rosters, check any order of battle.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

ObFile = Annotated[Path, typer.Argument(metavar="OB", help="An order of battle (YAML, laager: dyo-ob/1).")]


@app.command(
    short_help="agree on terms and begin a purchase",
    epilog=examples(
        "laager dyo new                       asks for everything",
        "laager dyo new --month 1944-09 --points 1000/900 --axis german --allied russian",
        "laager dyo new -m 1943-07 -p 1500 --axis german --allied russian --open -o kursk.yaml",
    ),
)
def new(
    month: Annotated[str | None, typer.Option("--month", "-m", metavar="MONTH", help="As 1944-09.")] = None,
    points: Annotated[
        str | None, typer.Option("--points", "-p", metavar="N/N", help="Of axis and allied; 1000: each has.")
    ] = None,
    axis: Annotated[str | None, typer.Option("--axis", metavar="NATION", help="Of the Axis, such as german.")] = None,
    allied: Annotated[str | None, typer.Option("--allied", metavar="NATION", help="Of the Allies.")] = None,
    in_the_open: Annotated[
        bool | None, typer.Option("--open/--secret", help="Whether each sees what the other buys.")
    ] = None,
    first: Annotated[
        str | None, typer.Option("--first", metavar="SIDE", help="In the open: who buys first; else both.")
    ] = None,
    elr: Annotated[str | None, typer.Option("--elr", metavar="N/N", help="Agreed ELR; else by the chart.")] = None,
    boards: Annotated[str | None, typer.Option("--boards", metavar="IDS", help="Boards in use, as 3,16.")] = None,
    theatre: Annotated[str | None, typer.Option("--theatre", metavar="WORD", help="Such as nw-europe, burma.")] = None,
    weather: Annotated[str | None, typer.Option("--weather", metavar="WORD", help="If left out, asked first.")] = None,
    catalogue: Annotated[
        str | None, typer.Option("--catalogue", metavar="SET", help="Shipped values: house, published, none.")
    ] = None,
    own: Annotated[
        list[Path] | None, typer.Option("--own", metavar="FILE", help="A catalogue file of yours; can be repeated.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="What the scenario is called.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The terms; the purchase goes beside.")
    ] = None,
    reading: Annotated[
        list[str] | None, typer.Option("--reading", metavar="ID=OPTION", help="Of a clause; can be repeated.")
    ] = None,
    entered_dice: Annotated[bool, typer.Option("--entered-dice", help="The players roll and type their dice.")] = False,
    json: AsJson = False,
) -> None:
    """Agree on terms, write them to a file, and begin a purchase by them.

    What is left out of month, points and nations is asked. The terms can be changed by hand, and a
    purchase begun by them again with laager new FILE.
    """
    from laager.cli.dyo import terms

    given = terms.Given(
        month=month, points=points, axis=axis, allied=allied, open=in_the_open, first=first,
        elr=elr, boards=boards, theatre=theatre, weather=weather, catalogue=catalogue,
        own=tuple(own or ()), title=title, readings=tuple(reading or ()),
    )  # fmt: skip
    terms.new(given, out, entered_dice, json)


@app.command(
    short_help="buy: answer what is asked",
    epilog=examples("laager dyo buy --side axis", "laager dyo buy       both at one keyboard"),
)
def buy(
    campaign: CampaignFile = None,
    side: Side = None,
    defaults: Annotated[
        int,
        typer.Option(
            "--defaults", min=0, metavar="N", show_default=False, help="First take so many proposals unasked."
        ),
    ] = 0,
    solo: Annotated[bool, typer.Option("--solo", envvar="LAAGER_SOLO", help="One person buys for both sides.")] = False,
    json: AsJson = False,
) -> None:
    """Buy: ask a side what it must decide next, until nothing is left or it stops.

    Each side buys at its own time. This is laager next for a purchase.
    """
    from laager.cli.dyo import looking
    from laager.cli.play.file_session import FileSession
    from laager.cli.play.playing import answer_all

    looking.check_purchase(campaign)
    answer_all(FileSession(campaign, side), defaults, solo, json)


@app.command(
    short_help="the Purchase Rosters",
    epilog=examples(
        "laager dyo roster --side axis",
        "laager dyo roster --side axis --csv",
        "laager dyo roster ob.yaml             of a file, with the prices of the rules",
    ),
)
def roster(
    file: Annotated[
        Path | None, typer.Argument(metavar="OB", help="An order of battle; if left out, the purchase's.")
    ] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
) -> None:
    """Print the Purchase Rosters that you may see, section by section, with the points left."""
    from laager.cli.dyo import looking

    looking.roster(file, campaign, side, json, csv)


@app.command(
    short_help="check any order of battle",
    epilog=examples(
        "laager dyo check ob.yaml",
        "laager dyo check axis.yaml --against allied.yaml",
        "laager dyo check ob.yaml --json",
    ),
)
def check(
    file: ObFile,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="OB", help="The other side's: for bonus and limits.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check an order of battle: what it costs, and every rule that it breaks.

    It need not have been bought in Laager. Prices that are left out are filled in. What the
    catalogue lacks cannot be judged, and is listed. Exit code 4 if a rule is broken.
    """
    from laager.cli.dyo import looking

    looking.check(file, against, json)


Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="If left out, printed.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


@app.command(
    short_help="write an order of battle for use elsewhere",
    epilog=examples(
        "laager dyo export --side axis -o axis.yaml              check it: laager dyo check",
        "laager dyo export --side axis --as pl                   part of a Platoon Leader card",
        "laager dyo export --as vasl-templates -o both.json",
    ),
)
def export(
    campaign: CampaignFile = None,
    side: Side = None,
    form: Annotated[str, typer.Option("--as", metavar="FORM", help="ob, pl, hasl or vasl-templates.")] = "ob",
    out: Out = None,
    force: Force = False,
) -> None:
    """Write what a side has bought so far; needs --side (vasl-templates: both, if left out).

    As ob: an order of battle that laager dyo check reads. As pl or hasl: the part of a card for
    that side. As vasl-templates: a scenario that this program opens.
    """
    from laager.cli.dyo import looking

    looking.export(campaign, side, form, out, force)


@app.command(short_help="the odds of the rolls to come", epilog=examples("laager dyo odds --side axis"))
def odds(
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
) -> None:
    """Print the exact odds of each roll before a side, and what it could afford; needs --side."""
    from laager.cli.dyo import looking

    looking.odds(campaign, side, json, csv)


@app.command(
    short_help="propose a purchase for your wishes",
    epilog=examples(
        "laager dyo suggest --side axis --squads 20:first-line --platoon 5 --oba 1",
        "laager dyo suggest --side axis --squads 12 --maximise afv -o idea.yaml",
        "laager dyo suggest --side axis wishes.yaml",
    ),
)
def suggest(
    file: Annotated[
        Path | None, typer.Argument(metavar="WISHES", help="A file of wishes (YAML, laager: dyo-wishes/1).")
    ] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    squads: Annotated[
        list[str] | None, typer.Option("--squads", metavar="N[:CLASS]", help="At least so many, of a class.")
    ] = None,
    platoon: Annotated[
        list[str] | None, typer.Option("--platoon", metavar="N[:TYPE]", help="So many AFV of one type.")
    ] = None,
    guns: Annotated[
        list[str] | None, typer.Option("--guns", metavar="N[:TYPE]", help="So many Guns of one type.")
    ] = None,
    oba: Annotated[int | None, typer.Option("--oba", metavar="N", help="At least so many batteries.")] = None,
    san: Annotated[int | None, typer.Option("--san", metavar="N", help="This SAN.")] = None,
    air: Annotated[bool, typer.Option("--air", help="Air Support.")] = False,
    motorized: Annotated[bool, typer.Option("--motorized", help="A motorized unit.")] = False,
    reserve: Annotated[int | None, typer.Option("--reserve", metavar="N", help="Points to be left over.")] = None,
    maximise: Annotated[
        str | None, typer.Option("--maximise", metavar="WHAT", help="equivalency, squads, afv, guns or points.")
    ] = None,
    outlook: Annotated[
        str | None, typer.Option("--outlook", metavar="HOW", help="Of dice not rolled: expected or worst.")
    ] = None,
    out: Out = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Propose a purchase that meets your wishes and spends the points, legal by the rules.

    With --out it is written as an order of battle. Nothing is bought by it. Needs --side.
    """
    from laager.cli.dyo import looking, terms

    wishes = terms.wishes_of(
        squads=squads, platoons=platoon, guns=guns, oba=oba, san=san, air=air,
        motorized=motorized, reserve=reserve, maximise=maximise, outlook=outlook,
    )  # fmt: skip
    looking.suggest(file, wishes, campaign, side, out, force, json)
