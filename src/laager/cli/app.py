"""The commands of `laager`, one function each; each is next to the code that carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_name
from typer.models import CommandInfo

from laager.cli.dyo.commands import app as dyo_commands
from laager.cli.forecasting import app as forecast_commands
from laager.cli.los import app as los_commands
from laager.cli.options import HOST, LOOK, PLAY, READ
from laager.cli.play.corrections import app as correction_commands
from laager.cli.play.looking import app as looking_commands
from laager.cli.play.patience import app as patience_commands
from laager.cli.play.playing import app as playing_commands
from laager.cli.play.renaming import app as renaming_commands
from laager.cli.play.story import app as story_commands
from laager.cli.reading.cards import app as card_commands
from laager.cli.reading.catalogue import app as catalogue_commands
from laager.cli.reading.charts import app as chart_commands
from laager.cli.reading.files import app as file_commands
from laager.cli.reading.house import app as house_commands
from laager.cli.reading.reference import app as reference_commands
from laager.cli.server.commands import app as serving_commands
from laager.cli.server.hosting import app as hosting_commands
from laager.cli.simulate import app as simulation_commands
from laager.cli.trying import app as trying_commands
from laager.cli.vasl.commands import app as vasl_commands

OTHERS = "Other commands"


class CommandGroup(TyperGroup):
    """The group of all commands: help shows them by what they are for."""

    def invoke(self, ctx: Any) -> Any:
        """Carry a command out; Ctrl-C and a wrong option leave with a sentence, and a closed pipe with none."""
        from laager.cli.ending import BROKEN_OFF, WELL
        from laager.cli.out import complain

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("", ["stopped; what you confirmed is kept"])
            raise typer.Exit(BROKEN_OFF) from None
        except BrokenPipeError:
            raise typer.Exit(WELL) from None
        except typer.BadParameter as err:
            cause: Any = err.__cause__
            if hasattr(cause, "errors"):
                # Typer gives the validator's own text.
                from laager.base.schema_words import explain

                err.message = "; ".join(filter(None, explain(cause.errors()[0])))
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command; `map import` is the one of `vasl`, where boards are read."""
        return super().resolve_command(ctx, at_home(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands group by group, each with its first sentence."""
        shown = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        room = max(len(name) for name, _ in shown)
        for group in (PLAY, LOOK, READ, HOST):
            lines = [
                (name.ljust(room), command.short_help or "")
                for name, command in shown
                if command is not None and getattr(command, "rich_help_panel", None) == group
            ]
            if lines:
                with formatter.section(group):
                    formatter.write_dl(lines)


def at_home(words: Sequence[str]) -> list[str]:
    """Return words with `vasl import` for `map import`, which is what people look for."""
    return ["vasl", *words[1:]] if list(words[:2]) == ["map", "import"] else list(words)


app = typer.Typer(
    name="laager",
    cls=CommandGroup,
    help="The campaign referee for squad-level hex wargames.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "\b\n"
        "Begin with:\n"
        "  laager serve          play in the browser\n"
        "  laager new training   learn it here, with hints\n"
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
            help="Your token there; if left out, LAAGER_TOKEN, or the one that laager login keeps.",
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
    if ctx.invoked_subcommand is None:
        from laager.cli.greeting import greet

        for words in greet():
            ctx.command.main(list(words), prog_name="laager", standalone_mode=False)


for commands in (
    *(
        playing_commands,
        correction_commands,
        patience_commands,
        renaming_commands,
        looking_commands,
        story_commands,
        serving_commands,
    ),
    *(simulation_commands, trying_commands, forecast_commands),
    *(card_commands, reference_commands, house_commands, file_commands, los_commands),
    hosting_commands,
):
    app.registered_commands += commands.registered_commands
app.add_typer(dyo_commands, rich_help_panel=PLAY, short_help="Design Your Own: buy an order of battle, check any")
app.add_typer(
    catalogue_commands, rich_help_panel=READ, short_help="Design Your Own: enter and check what can be bought"
)
app.add_typer(
    chart_commands, rich_help_panel=READ, short_help="historical campaigns: enter and check a module's charts"
)
app.add_typer(vasl_commands, rich_help_panel=READ, short_help="VASL: make maps from boards, look into boards and saves")


def alone(words: Sequence[str], of: typer.Typer = app) -> typer.Typer:
    """Return the app with the one command that these words begin with, or all of it if they name none.

    Typer looks at every parameter of every command it has, which takes longer than most commands do.
    """
    words = at_home(words)
    name = words[0] if words else ""
    commands = [
        group for group in of.registered_commands if name == (group.name or get_command_name(_function_name(group)))
    ]
    groups = [
        copy(group) for group in of.registered_groups if group.typer_instance and group.typer_instance.info.name == name
    ]
    if not commands and not groups:
        return of
    for group in groups:
        assert group.typer_instance is not None
        group.typer_instance = alone(words[1:], group.typer_instance)
    narrowed = copy(of)
    narrowed.registered_commands, narrowed.registered_groups = commands, groups
    return narrowed


def _function_name(command: CommandInfo) -> str:
    """Return the name of the function that carries a command out."""
    return "" if command.callback is None else command.callback.__name__
