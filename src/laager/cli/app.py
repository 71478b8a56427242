"""The commands of `laager`, one function each; what they do is in the modules beside."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="laager",
    help="The campaign referee for squad-level hex wargames.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: laager cards; laager new CARD; laager next",
)

CampaignFile = Annotated[
    Path | None,
    typer.Option(
        "--campaign", "-c", envvar="LAAGER_CAMPAIGN", help="Campaign file; else the only one here."
    ),
]
Side = Annotated[
    str | None,
    typer.Option(
        "--side", "-s", envvar="LAAGER_SIDE", help="See and do only what this side may. Else: all."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """The campaign referee for squad-level hex wargames."""
    if version:
        from laager import __version__

        typer.echo(f"laager {__version__}")
        raise typer.Exit


# A campaign from its beginning to its end ---------------------------------------------------------


@app.command()
def cards(json: AsJson = False) -> None:
    """List the campaigns that come with Laager."""
    from laager.cli import reference

    reference.cards(json)


@app.command()
def new(
    card: Annotated[str, typer.Argument(help="A card file, or the id of a shipped card.")],
    file: Annotated[Path | None, typer.Option("--file", "-f", help="The campaign file.")] = None,
    ruleset: Annotated[str, typer.Option(help="The rule system of the card.")] = "pl",
    entered_dice: Annotated[
        bool, typer.Option("--entered-dice", help="The players roll their own dice and type them.")
    ] = False,
    reading: Annotated[
        list[str] | None, typer.Option("--reading", "-r", help="A reading in force: ID=OPTION.")
    ] = None,
) -> None:
    """Begin a campaign: check the card and make a campaign file.

    Example: laager new rzhavets --entered-dice
    """
    from laager.cli import playing

    playing.new(card, file, ruleset, entered_dice, reading or [])


@app.command()
def status(campaign: CampaignFile = None, side: Side = None, json: AsJson = False) -> None:
    """Tell where the campaign stands and who must answer what."""
    from laager.cli import playing

    playing.status(campaign, side, json)


@app.command(name="next")
def go_on(
    campaign: CampaignFile = None,
    side: Side = None,
    defaults: Annotated[
        int, typer.Option("--defaults", help="Take so many proposals without asking.")
    ] = 0,
) -> None:
    """Go on: ask whoever must answer, until nobody must or you stop.

    With --side only that side is asked, and sees only what it may.
    """
    from laager.cli import playing

    playing.go_on(campaign, side, defaults)


@app.command()
def answer(
    file: Annotated[Path, typer.Argument(help="An answers file (YAML).")],
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Give the answers of a file, all or none of them.

    For play by mail: laager answer axis-turn-3.yaml --side axis
    """
    from laager.cli import answers

    answers.give(file, campaign, side, json)


@app.command()
def report(
    file: Annotated[Path | None, typer.Argument(help="The report (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print the record as a report to fill in.")
    ] = False,
) -> None:
    """Report a side's battle at the end of a firefight; needs --side.

    laager report --side axis --template > axis.yaml, change what has changed, and
    laager report --side axis axis.yaml
    """
    from laager.cli import answers

    answers.report(file, campaign, side, template)


@app.command()
def undo(
    campaign: CampaignFile = None,
    side: Side = None,
    to: Annotated[int | None, typer.Option(help="The log entry to go back to.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Go back to before this step.")] = False,
    agree: Annotated[bool, typer.Option("--agree", help="Agree to the other side's wish.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse it.")] = False,
) -> None:
    """Take back the last answer, or to an entry; a side needs the other's consent."""
    from laager.cli import changing

    changing.undo(campaign, side, to, step, agree, refuse)


@app.command()
def redo(campaign: CampaignFile = None, side: Side = None) -> None:
    """Bring back what was last taken back, if nothing new has happened."""
    from laager.cli import changing

    changing.redo(campaign, side)


@app.command()
def end(
    campaign: CampaignFile = None,
    side: Side = None,
    concede: Annotated[bool, typer.Option("--concede", help="Give the campaign up.")] = False,
    draw: Annotated[bool, typer.Option("--draw", help="Propose (or agree to) a draw.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the proposed draw.")] = False,
) -> None:
    """End the campaign before its time; needs --side."""
    from laager.cli import changing

    changing.end(campaign, side, concede, draw, refuse)


# Looking ----------------------------------------------------------------------------------------


@app.command()
def log(
    campaign: CampaignFile = None,
    side: Side = None,
    last: Annotated[int | None, typer.Option("--last", "-n", help="Only the last so many.")] = None,
    json: AsJson = False,
) -> None:
    """Print what has happened, as far as the side may know."""
    from laager.cli import looking

    looking.log(campaign, side, last, json)


@app.command()
def why(
    number: Annotated[int, typer.Argument(help="The number of a log entry.")],
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Explain an entry: its rule, the answers and rolls it followed from, every modifier."""
    from laager.cli import looking

    looking.why(number, campaign, side, json)


@app.command()
def sheet(
    name: Annotated[str | None, typer.Argument(help="Which sheet; without it, all.")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Print record sheets: roster, purchases, order of battle."""
    from laager.cli import looking

    looking.sheets(name, campaign, side, json)


@app.command(name="map")
def draw_map(
    source: Annotated[
        Path | None, typer.Argument(help="A map file; without it, the campaign's map.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="An .svg or .png file.")] = Path(
        "map.svg"
    ),
    campaign: CampaignFile = None,
    side: Side = None,
    width: Annotated[int, typer.Option(help="Width of a PNG in pixels.")] = 2400,
) -> None:
    """Draw the map: terrain, Control, clusters, MLRs, No Man's Land, the units you may see."""
    from laager.cli import looking

    looking.draw(source, out, campaign, side, width)


@app.command()
def export(campaign: CampaignFile = None, side: Side = None) -> None:
    """Print all that one side (or the umpire) may know as JSON."""
    from laager.cli import looking

    looking.export(campaign, side)


@app.command()
def verify(campaign: CampaignFile = None, json: AsJson = False) -> None:
    """Prove the log: hashes, dice, every fact from the rules. Exit code 4 if not sound."""
    from laager.cli import looking

    looking.verify(campaign, json)


# Reference and files ------------------------------------------------------------------------------


@app.command()
def rules(
    ruleset: Annotated[str, typer.Argument(help="The rule system, such as pl.")],
    clause: Annotated[list[str] | None, typer.Argument(help="A clause, such as 3.47.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="How each clause is handled, and by what.")
    ] = False,
    search: Annotated[str | None, typer.Option(help="Clauses that speak of this.")] = None,
    readings: Annotated[bool, typer.Option("--readings", help="Where groups differ.")] = False,
    json: AsJson = False,
) -> None:
    """Browse the rules index: a clause, a search, or the coverage.

    Examples: laager rules pl 3.47; laager rules pl --search sniper
    """
    from laager.cli import reference

    reference.rules(ruleset, " ".join(clause or []), coverage, search, readings, json)


@app.command()
def table(
    ruleset: Annotated[str, typer.Argument(help="The rule system, such as pl.")],
    name: Annotated[str | None, typer.Argument(help="The table; without it, their list.")] = None,
    drm: Annotated[int, typer.Option(help="Sum of the modifiers.")] = 0,
    json: AsJson = False,
) -> None:
    """Print a table with the exact odds of each row.

    Example: laager table pl redeployment --drm +2
    """
    from laager.cli import reference

    reference.table(ruleset, name, drm, json)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A card, map, catalogue or tables file.")],
    json: AsJson = False,
) -> None:
    """Check a file that you wrote, and tell everything that is wrong with it."""
    from laager.cli import files

    files.check(file, json)


@app.command()
def schema(
    kind: Annotated[str | None, typer.Argument(help="card, map, catalogue, tables …")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write all schemas into this folder.")
    ] = None,
) -> None:
    """Print the JSON Schema of a kind of file, for your editor."""
    from laager.cli import files

    files.schema(kind, write)
