"""The record of a campaign begun on paper, filled from a save."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import Refusal, RefusedError
from laager.cli.ending import WrongUseError
from laager.cli.options import AsJson, Force, examples
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.writing import OR_FORCE, check_free, put

if TYPE_CHECKING:
    from laager.vasl import RecordFromSave

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the command over as its own."""


@app.command(
    short_help="fill the record of a campaign begun on paper from a save",
    epilog=examples(
        "laager vasl record game.vsav rzhavets -o record.yaml",
        "laager vasl record game.vsav rzhavets --side axis -o record.yaml",
        "laager vasl record game.vsav my-card.yaml --into record.yaml --choose piece:1234=leave",
    ),
)
def record(
    game: Annotated[Path, typer.Argument(metavar="GAME", help="A save or a log of VASL.")],
    card: Annotated[str, typer.Argument(metavar="CARD", help="A file, or the name of a shipped card.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="The record to be made.")] = None,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="RECORD", help="A record that you have begun: it is filled in.")
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            "-s",
            metavar="SIDE",
            help="Read also what this side hides; give it twice for both. If left out, what everybody sees.",
        ),
    ] = None,
    boards: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the boards are, if some aren't ordinary.")
    ] = None,
    owner: Annotated[
        int | None, typer.Option(metavar="N", help="Who you are among the owners of hidden pieces, if it isn't plain.")
    ] = None,
    choose: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Settle something that is to be confirmed.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write the position of a save into a record: units with their state, fortifications, fires, Control.

    Units that the record has already are recognised by type and place, all others come onto it with new numbers.
    What no save tells (points, groups, the roster) is listed: fill it in, then laager new CARD --from RECORD.
    """
    if out is not None and into is not None and out != into:
        raise WrongUseError("--into fills a record in, and --out writes another; name one of them")
    target = into or out or Path("record.yaml")
    if into is None:
        check_free(target, force=force, or_else=OR_FORCE)
    made = _read_position(game, card, into, tuple(side or ()), boards, owner, tuple(choose or ()))
    put(target, made.text.encode())
    if json:
        show_json({"record": str(target), **made.proposal.describe()})
        return
    from laager.cli.play.from_save import proposal_lines

    say(*proposal_lines(made.proposal), "")
    say(f"written: {target}")
    say_wrapped(f"Fill in what no save tells, then: laager new {card} --from {target}")


def _read_position(
    game: Path,
    card: str,
    into: Path | None,
    sides: tuple[str, ...],
    boards: Path | None,
    owner: int | None,
    choose: tuple[str, ...],
) -> RecordFromSave:
    from laager.base.files import read_text
    from laager.campaign.cards import find_card
    from laager.campaign.ruleset import find_ruleset
    from laager.cli.play.from_save import choices_of
    from laager.vasl import RecordToFill, open_archive, put_save_into_record, shapes_in, usual_shape

    if boards is not None and not boards.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{boards} is not a folder", "name the folder of your VASL boards")
    path, rules = find_card(card, None)
    ruleset = find_ruleset(rules)
    setting: Any = ruleset.read_card(path, {}).setting
    text = read_text(into, as_is=True) if into is not None else ruleset.record_template(setting)
    paper = RecordToFill(rules, setting, text, str(into or "record.yaml"), sides)
    shapes = usual_shape if boards is None else shapes_in(boards)
    return put_save_into_record(paper, open_archive(game), shapes=shapes, owner=owner, choices=choices_of(choose))
