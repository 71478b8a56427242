"""A battle on its way into VASL: the counters of the player's module, and the setup as a save."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.options import AsJson, CampaignFile, Force, examples
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.play.session import in_file
from laager.cli.writing import OR_FORCE, check_free, put

if TYPE_CHECKING:
    from laager.vasl import BattleSetup, Boards, VaslModule, WrittenFile

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the commands over as its own."""

_LOG = ".vlog"
MAX_LEFT_OUT = 5
"""Most counters of an extension that are named because they can't be used."""
Extensions = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="An extension (.vmdx) whose counters are used too; several: name each."),
]
_PURCHASE = "dyo"
"""The rule system of purchases, which have no map."""


@app.command(
    short_help="take the counters out of your VASL module",
    epilog=examples(
        "laager vasl module VASL.vmod -o counters.gz",
        "laager vasl module VASL.vmod --extension BFP.vmdx -o counters.gz",
    ),
)
def module(
    file: Annotated[Path, typer.Argument(metavar="MODULE", help="The module of VASL, such as VASL.vmod.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to be made.")] = Path(
        "counters.gz"
    ),
    extension: Extensions = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Take out of your VASL module what Laager needs to write setups: the counters and their names.

    The file is small (some 250 kB) and has no pictures in it. Your module stays where it is. Take the
    counters out again when you have a new version of VASL. With --extension the counters of an extension
    are in the file as well.
    """
    from laager.vasl import read_module

    check_free(out, force=force, or_else=OR_FORCE)
    counters, left_out = _with_extensions(read_module(file), extension or ())
    data = counters.pack()
    put(out, data)
    report: dict[str, Any] = {
        "file": str(out),
        "bytes": len(data),
        "vasl": counters.version,
        "counters": len(counters.slots),
    }
    if counters.extensions:
        report |= {"extensions": [added.data for added in counters.extensions], "left_out": left_out}
    if json:
        show_json(report)
    else:
        names = "".join(f" and {added.name} {added.version}" for added in counters.extensions)
        say(f"written: {out} (VASL {counters.version}{names}, {len(counters.slots)} counters)")
        for counter in left_out:
            say_wrapped(f"left out of {counter}")


@app.command(
    short_help="set the battle up in VASL",
    epilog=examples(
        "laager vasl setup --side axis --module VASL.vmod -o battle.vsav",
        "laager vasl setup -s allied --module counters.gz --into from-axis.vsav -o battle.vsav",
        "laager vasl setup -s allied --module counters.gz -o my-units.vlog",
        "laager vasl setup --module VASL.vmod --layout RBv2 --boards boards -o open.vsav",
    ),
)
def setup(
    module: Annotated[
        Path,
        typer.Option(
            "--module",
            "-m",
            metavar="FILE",
            envvar="LAAGER_VASL_MODULE",
            help="Your VASL module, or the file of counters that laager vasl module made of it.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The save to be made; .vlog: your secret units alone.")
    ],
    campaign: CampaignFile = None,
    # Not from the environment: what a side alone may know is written only if it is asked for.
    side: Annotated[
        str | None,
        typer.Option(
            "--side", "-s", metavar="SIDE", help="Include what only this side may know; if left out, what both may."
        ),
    ] = None,
    extension: Extensions = None,
    boards: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where your VASL boards are, if some aren't ordinary.")
    ] = None,
    layout: Annotated[
        str, typer.Option(metavar="TEXT", help="The boards under a map that wasn't made from boards, such as RBv2.")
    ] = "",
    into: Annotated[
        Path | None, typer.Option(metavar="GAME", help="A save from the other side: add your units to it.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write the present battle as a save of VASL: boards, units, fortifications, Control, scenario box.

    With --side it also has what only this side knows, open, in stacks of its own. Before you give the
    file to anybody, open it in VASL and hide and conceal what is listed. --into adds your units to the save
    that the other side has sent; a .vlog adds your secret units to the game that is open in VASL
    (File, Load Continuation).

    Of a finished purchase (Design Your Own) it writes your forces beside the boards of the terms, or of --layout, by
    when they come into play: drag them to where you set up.
    """
    from laager.cli.play.campaign_file import looked_at
    from laager.vasl import read_counters, setup_of

    log = out.suffix.lower() == _LOG
    if log and (into is not None or side is None):
        raise WrongUseError("a log adds the secret units of one side: name it with --side, and leave --into out")
    if into is not None and side is None:
        raise WrongUseError("--into adds the units of a side; name it with --side")
    check_free(out, force=force, or_else=OR_FORCE)
    at = in_file(campaign, side, "leave out --server and LAAGER_SERVER, or name the file with -c")
    if layout and boards is None and at.about()[1] != _PURCHASE:
        raise WrongUseError("--layout compares the boards with the map: name their folder with --boards")
    known = [] if boards is None else [path.name.removeprefix("bd") for path in sorted(boards.glob("bd*"))]
    counters, _ = _with_extensions(read_counters(module), extension or ())
    battle = setup_of(looked_at(at.file), side, counters, _boards(boards), layout, known)
    made = _write_setup(battle, log, into)
    put(out, made.data)
    if json:
        written = {"file": str(out), "pieces": made.pieces, "there_already": made.there}
        show_json(battle.describe() | written)
    else:
        _tell(battle, made, out, log)


def _with_extensions(counters: VaslModule, files: Sequence[Path]) -> tuple[VaslModule, list[str]]:
    """Return the counters with those of extensions, and what is left out of these."""
    from laager.vasl import read_extension

    left_out: list[str] = []
    for path in files:
        file = read_extension(path)
        counters = counters.with_extension(file)
        left_out += [f"{file.extension.name}: {counter}" for counter in file.left_out[:MAX_LEFT_OUT]]
        if len(file.left_out) > MAX_LEFT_OUT:
            left_out.append(f"{file.extension.name}: {len(file.left_out) - MAX_LEFT_OUT} more")
    return counters, left_out


def _boards(folder: Path | None) -> Boards:
    from laager.vasl import boards_at, usual_board

    if folder is None:
        return usual_board
    if not folder.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{folder} is not a folder", "name the folder of your VASL boards")
    return boards_at(folder)


def _write_setup(battle: BattleSetup, log: bool, into: Path | None) -> WrittenFile:
    from laager.base.files import read_bytes
    from laager.vasl import MAX_FILE

    if into is not None:
        return battle.into(read_bytes(into, MAX_FILE), into.name)
    now = datetime.now(UTC)
    return battle.log(now) if log else battle.save(now)


def _tell(battle: BattleSetup, made: WrittenFile, out: Path, log: bool) -> None:
    from laager.vasl import TO_DO

    there = f", {made.there} were there already" if made.there else ""
    say(f"written: {out} ({made.pieces} counters{there})")
    if not battle.plan.has_units:
        whom = "" if battle.side else " that both sides may know"
        say_wrapped(f"Nothing is set up yet: there is no unit{whom}. Write it again after the setup.")
    if battle.plan.missing:
        say("", "Not as it should be:")
        for missing in battle.plan.missing:
            say_wrapped(f"  {missing.where}: {missing.what}; {missing.instead}")
    for how, piles in battle.to_do():
        say("", f"In VASL, {TO_DO[how]}:")
        for pile in piles:
            say_wrapped(f"  {pile.where}: {', '.join(missing.name for missing in pile.pieces)}")
    if battle.plan.secret:
        how = "It adds" if log else "It shows"
        say("")
        say_wrapped(
            f"{how} what {battle.side} alone may know. Do the above before anybody else gets the game, and "
            "remember that a file of VASL keeps no secret from those who read it with a program."
        )
