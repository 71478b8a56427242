"""The commands of `laager`, one function each; what they do is in the modules beside."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from laager.cli.dyo.commands import app as dyo_commands
from laager.cli.options import LOOK, PLAY, READ, AsJson, CampaignFile, Side, examples
from laager.cli.reading.catalogue import app as catalogue_commands
from laager.cli.reading.charts import app as chart_commands
from laager.cli.reading.commands import app as reading_commands
from laager.cli.server.commands import app as serving_commands
from laager.cli.vasl.commands import app as vasl_commands

OTHERS = "Other commands"


class Commands(TyperGroup):
    """The group of all commands: help shows them by what they are for."""

    def invoke(self, ctx: Any) -> Any:
        """Carry a command out; Ctrl-C leaves with a sentence, and a closed pipe with none."""
        from laager.cli.ending import BROKEN_OFF, WELL
        from laager.cli.out import complain

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("", ["broken off; what was confirmed is kept"])
            raise typer.Exit(BROKEN_OFF) from None
        except BrokenPipeError:
            raise typer.Exit(WELL) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command; `map import` is the one of `vasl`, where boards are read."""
        if args[:2] == ["map", "import"]:
            args = ["vasl", *args[1:]]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands group by group, each with its first sentence."""
        shown = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        room = max(len(name) for name, _ in shown)
        for group in (PLAY, LOOK, READ):
            lines = [
                (name.ljust(room), command.short_help or "")
                for name, command in shown
                if command is not None and getattr(command, "rich_help_panel", None) == group
            ]
            if lines:
                with formatter.section(group):
                    formatter.write_dl(lines)


app = typer.Typer(
    name="laager",
    cls=Commands,
    help="The campaign referee for squad-level hex wargames.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "\b\n"
        "Begin with:\n"
        "  laager cards          which campaigns there are\n"
        "  laager new rzhavets   begin one\n"
        "  laager next           play; again and again\n"
        "\n"
        "laager COMMAND --help tells more about a command."
    ),
)


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    server: Annotated[
        str | None, typer.Option(metavar="URL", envvar="LAAGER_SERVER", help="Play on this server, not in a file.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            show_default=False,
            help="Your token there; else LAAGER_TOKEN, or that which laager login keeps.",
        ),
    ] = None,
) -> None:
    """The campaign referee for squad-level hex wargames."""
    from laager.cli.play.session import NAMED, Server

    source = ctx.get_parameter_source("server")
    typed = source is not None and source.name == "COMMANDLINE"
    NAMED.set(Server(server or None, token or None, typed))
    if version:
        from laager import __version__

        typer.echo(f"laager {__version__}")
        raise typer.Exit


# Playing ------------------------------------------------------------------------------------------


@app.command(
    rich_help_panel=PLAY,
    short_help="begin a campaign from a card",
    epilog=examples(
        "laager new rzhavets",
        "laager new my-card.yaml --file tuesday.laager",
        "laager new rzhavets --entered-dice --reading cthc-radius=1",
    ),
)
def new(
    card: Annotated[str, typer.Argument(metavar="CARD", help="A card's file, or the name of a shipped card.")],
    file: Annotated[
        Path | None, typer.Option("--file", "-f", metavar="FILE", help="The campaign file to be made.")
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="RULES", help="The rule system, if the card leaves it open.")
    ] = None,
    entered_dice: Annotated[
        bool, typer.Option("--entered-dice", help="The players roll their own dice and type them.")
    ] = False,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading",
            "-r",
            metavar="ID=OPTION",
            help="How a rule is read where groups differ (laager rules pl --readings).",
        ),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="On a server: whom you play; if left out, both sides.")
    ] = None,
    count_units: Annotated[
        bool,
        typer.Option(
            "--count-units",
            help="Number units AX1, AX2 … as they come, not by lot; the enemy can then tell how "
            "many he does not see. For answers files that are ready before the campaign begins.",
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Begin a campaign: check the card, and make a campaign file."""
    from laager.cli.play.session import place

    place().new(card, file, ruleset, entered_dice, reading or [], json, seat, count_units)


@app.command(
    name="next",
    rich_help_panel=PLAY,
    short_help="go on: answer what is asked",
    epilog=examples(
        "laager next                 both sides at one keyboard",
        "laager next --side axis     only the Axis is asked",
        "laager next --defaults 5    take five proposals",
    ),
)
def go_on(
    campaign: CampaignFile = None,
    side: Side = None,
    defaults: Annotated[
        int,
        typer.Option(
            "--defaults", min=0, metavar="N", show_default=False, help="First take so many proposals unasked."
        ),
    ] = 0,
    solo: Annotated[
        bool,
        typer.Option(
            "--solo",
            envvar="LAAGER_SOLO",
            help="One person plays both sides: nothing is hidden, the screen never cleared.",
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Go on: ask whoever must answer, until nobody must or you stop.

    You can stop at any question (Ctrl-C) and go on later where you were. With --side only that
    side is asked, and sees only what it may. Without, both sides use one keyboard; before the other
    one is asked something secret, the screen is cleared and handed over.

    In a pipe one line of YAML is read for each question. With --json nobody is asked: what is
    waited for is printed.
    """
    from laager.cli.play.session import place

    place(campaign).go_on(side, defaults, solo, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="where the campaign stands, who must answer",
    epilog=examples("laager status", "laager status --side allied --json"),
)
def status(campaign: CampaignFile = None, side: Side = None, json: AsJson = False) -> None:
    """Tell where the campaign stands, and who must answer what."""
    from laager.cli.play.session import place

    place(campaign).status(side, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="give answers from a file (play by mail)",
    epilog=examples(
        "laager answer --side axis --template > axis.yaml     what is asked, to be filled in",
        "laager answer --side axis axis.yaml",
    ),
)
def answer(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="An answers file (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print what is asked with its proposals, to be filled in.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Give the answers of a file: all of them, or none if one is refused."""
    from laager.cli.play.session import place

    if template:
        place(campaign).template(side)
    else:
        place(campaign).give(file, side, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="report a battle from a file",
    epilog=examples(
        "laager report --side axis --template > axis.yaml     your units as recorded",
        "laager report --side axis axis.yaml                  after changing what has changed",
        "laager report --side axis --from-vasl game.vsav      out of a save of VASL",
        "laager report --side axis --from-vasl game.vsav --template > axis.yaml",
    ),
)
def report(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The report (YAML).")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print the record as a report, to be filled in.")
    ] = False,
    from_vasl: Annotated[
        Path | None, typer.Option("--from-vasl", metavar="SAVE", help="Make the report out of a save or a log of VASL.")
    ] = None,
    boards: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="With a save: where the boards are, if not all are ordinary.")
    ] = None,
    owner: Annotated[
        int | None, typer.Option(metavar="N", help="With a save: you are this owner of hidden and concealed pieces.")
    ] = None,
    choose: Annotated[
        list[str] | None, typer.Option("--choose", metavar="KEY=VALUE", help="With a save: settle what it leaves open.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Report a side's battle at the end of a firefight; needs --side.

    With --from-vasl the report is made out of a save: what it leaves open is asked at a terminal,
    else told. It is given when nothing is open any more; --template prints it as it stands, and
    --json all that was read; both give nothing.
    """
    from laager.cli.play.session import place

    if from_vasl is not None:
        from laager.cli.play.from_save import Opening

        opening = Opening(from_vasl, boards, owner, tuple(choose or ()))
        place(campaign).report_save(opening, file, side, template, json)
        return
    if boards is not None or owner is not None or choose:
        from laager.cli.ending import WrongUseError

        raise WrongUseError("--boards, --owner and --choose go with --from-vasl SAVE")
    place(campaign).report(file, side, template, json)


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
    agree: Annotated[bool, typer.Option("--agree", help="Agree to the other side's wish.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse it, or withdraw your own.")] = False,
    json: AsJson = False,
) -> None:
    """Take back your last answer, or all after an entry; a side needs the other's consent.

    Nothing is erased, and dice that were rolled do not come again.
    """
    from laager.cli.play.session import place

    place(campaign).undo(side, to, step, agree, refuse, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="bring back what was taken back",
    epilog=examples("laager redo", "laager redo --side axis", "laager redo --agree --side allied"),
)
def redo(
    campaign: CampaignFile = None,
    side: Side = None,
    agree: Annotated[bool, typer.Option("--agree", help="Agree to the other side's wish.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse it, or withdraw your own.")] = False,
    json: AsJson = False,
) -> None:
    """Bring back what was last taken back, if nothing new has happened.

    A side needs the other's consent. What was answered in secret meanwhile is given up.
    """
    from laager.cli.play.session import place

    place(campaign).redo(side, agree, refuse, json)


@app.command(
    rich_help_panel=PLAY,
    short_help="concede, or agree on a draw",
    epilog=examples("laager end --side axis --concede", "laager end --side axis --draw"),
)
def end(
    campaign: CampaignFile = None,
    side: Side = None,
    concede: Annotated[bool, typer.Option("--concede", help="Give the campaign up.")] = False,
    draw: Annotated[bool, typer.Option("--draw", help="Propose (or agree to) a draw.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse the proposed draw.")] = False,
    json: AsJson = False,
) -> None:
    """End the campaign before its time; needs --side."""
    from laager.cli.play.session import place

    place(campaign).end(side, concede, draw, refuse, json)


app.add_typer(dyo_commands, rich_help_panel=PLAY, short_help="Design Your Own: buy an order of battle, check any")


# Looking ----------------------------------------------------------------------------------------


@app.command(
    rich_help_panel=LOOK,
    short_help="what has happened",
    epilog=examples("laager log --last 30", "laager log --side axis --full"),
)
def log(
    campaign: CampaignFile = None,
    side: Side = None,
    last: Annotated[int | None, typer.Option("--last", "-n", min=1, metavar="N", help="Only the last so many.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Every line; long runs of like facts are not folded.")] = False,
    json: AsJson = False,
) -> None:
    """Print what has happened, as far as the side may know."""
    from laager.cli.play.session import place

    place(campaign).log(side, last, full, json)


@app.command(rich_help_panel=LOOK, short_help="why something happened", epilog=examples("laager why 57"))
def why(
    number: Annotated[int, typer.Argument(metavar="N", help="The number of a log entry.")],
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
) -> None:
    """Explain an entry: its rule, the answers and rolls it followed from, every modifier."""
    from laager.cli.play.session import place

    place(campaign).why(number, side, json)


@app.command(
    rich_help_panel=LOOK,
    short_help="the record sheets",
    epilog=examples(
        "laager sheet",
        "laager sheet roster",
        "laager sheet ob --side axis",
        "laager sheet roster --csv > roster.csv",
        "laager sheet --list",
        "laager sheet setup report --side axis --pdf axis.pdf",
    ),
)
def sheet(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which; if left out, all.")] = None,
    campaign: CampaignFile = None,
    side: Side = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Print forms into a PDF.")] = None,
    paper: Annotated[str | None, typer.Option("--paper", metavar="SIZE", help="Of a PDF: a4 or letter.")] = None,
    language: Annotated[str | None, typer.Option("--language", metavar="CODE", help="Of a PDF: en or de.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List what there is to print just now.")] = False,
) -> None:
    """Print record sheets: roster, purchases, order of battle; as PDF every form for the table."""
    from laager.cli.play import printing
    from laager.cli.play.session import place

    given = {"--list": listed, "--pdf": pdf is not None, "--csv": csv, "NAME": bool(names)}
    printing.check_use(given | {"--paper": bool(paper), "--language": bool(language)})
    if listed:
        place(campaign).offered(side, json)
    elif pdf is not None:
        place(campaign).to_pdf(names or [], pdf, side, paper or "a4", language or "en", json)
    else:
        place(campaign).sheets(names or [], side, json, csv)


@app.command(
    name="map",
    rich_help_panel=LOOK,
    short_help="draw the map",
    epilog=examples(
        "laager map --side axis --out axis.png",
        "laager map my-map.yaml --out my-map.svg",
        "laager map my-map.yaml --backdrop --boards ~/vasl/boards --out my-map.png",
    ),
)
def draw_map(
    source: Annotated[
        Path | None, typer.Argument(metavar="MAP", help="A map file; if left out, the campaign's map.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="An .svg, .png or .pdf file.")] = Path(
        "map.svg"
    ),
    campaign: CampaignFile = None,
    side: Side = None,
    width: Annotated[int, typer.Option(min=100, max=20000, metavar="N", help="Width of a PNG in pixels.")] = 2400,
    backdrop: Annotated[
        bool, typer.Option("--backdrop", help="Of maps made from VASL boards: on the boards' own pictures.")
    ] = False,
    boards: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of your VASL boards, for --backdrop; if left out, that which "
            "LAAGER_BOARDS names, else the one that was told last.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Draw the map: terrain, Control, clusters, MLRs, No Man's Land, the units you may see."""
    from laager.cli.play.session import place

    place(campaign).draw(source, out, side, width, json, backdrop, boards)


@app.command(
    rich_help_panel=LOOK,
    short_help="all that a side may know, as JSON",
    epilog=examples("laager export --side axis > axis.json"),
)
def export(campaign: CampaignFile = None, side: Side = None) -> None:
    """Print all that one side (or the umpire) may know as JSON."""
    from laager.cli.play.session import place

    place(campaign).export(side)


@app.command(
    rich_help_panel=LOOK,
    short_help="prove the campaign: dice, results, rules",
    epilog=examples("laager verify", "laager verify tuesday.laager"),
)
def verify(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The campaign file, as with --campaign.")] = None,
    campaign: CampaignFile = None,
    json: AsJson = False,
) -> None:
    """Prove the log: hashes, dice, every fact from the rules. Exit code 4 if it is not sound."""
    from laager.cli.play.session import place

    place(file or campaign).verify(json)


# Rules, cards and files -------------------------------------------------------------------------

app.registered_commands += serving_commands.registered_commands
app.registered_commands += reading_commands.registered_commands
app.add_typer(
    catalogue_commands, rich_help_panel=READ, short_help="Design Your Own: enter and check what can be bought"
)
app.add_typer(
    chart_commands, rich_help_panel=READ, short_help="historical campaigns: enter and check a module's charts"
)
app.add_typer(vasl_commands, rich_help_panel=READ, short_help="VASL: make maps from boards, look into boards and saves")
