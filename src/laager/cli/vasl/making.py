"""A map of Laager's as a board of VASL, on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laager.base import Refusal, RefusedError
from laager.cli.options import AsJson, CampaignFile, Force, examples
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.play.session import in_file
from laager.cli.writing import OR_FORCE, check_free, put

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.vasl import BoardLoss

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the command over as its own."""

_MOST_NAMED = 12
"""Most hexes that are named for one thing."""


@app.command(
    name="board",
    short_help="make a VASL board of a map",
    epilog=examples(
        "laager vasl board -o boards/bdMill",
        "laager vasl board training -o boards/bdMill",
        "laager vasl board village.yaml -o boards/bdVillage",
    ),
)
def make_board(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The board to be made, named as VASL's are: bdMill.")
    ],
    source: Annotated[
        str | None,
        typer.Argument(metavar="MAP", help="A map file, a card or the name of a shipped one; else the campaign's map."),
    ] = None,
    campaign: CampaignFile = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make a board for VASL of a map that isn't from VASL.

    The board has a picture with the hex grid, and terrain and levels by which VASL decides on line of sight. Put
    it among your VASL boards; everybody who plays on it needs the file. What VASL can't express is listed.
    """
    from laager.vasl import find_losses, make_board_archive

    check_free(out, force=force, or_else=OR_FORCE)
    map_ = _campaign_map(campaign) if source is None else _read_map(source)
    archive = make_board_archive(map_, out.name)
    losses = find_losses(map_, archive)
    put(out, archive.data)
    if json:
        report = {"file": str(out), "bytes": len(archive.data), "hexes": len(map_.hexes)}
        show_json(report | {"losses": [asdict(loss) for loss in losses]})
        return
    say(f"written: {out} ({len(map_.hexes)} hexes)")
    code = out.name.removeprefix("bd")
    say_wrapped(
        f"Put it into VASL's boards folder. Set a battle up on it: laager vasl setup --layout {code} --boards …"
    )
    _say_losses(losses)


def _campaign_map(campaign: Path | None) -> HexMap:
    """Return the printed map of a campaign. Raises RefusedError for a campaign without one."""
    from laager.cli.play.campaign_file import looked_at
    from laager.hexmap import HexMap

    at = in_file(campaign, None, "leave out --server and LAAGER_SERVER, or name the file with -c")
    data = looked_at(at.file).opening.get("map")
    if data is None:
        raise RefusedError(Refusal.NO_SUCH, "this campaign has no map", "name a map file")
    return HexMap.from_data(data)


def _read_map(source: str) -> HexMap:
    """Return the map of a map file, a card's file or a shipped card. Raises RefusedError for a card without a map."""
    from laager.base.files import read_document
    from laager.campaign.cards import card_map, find_card
    from laager.campaign.ruleset import find_ruleset
    from laager.hexmap import map_from_document

    path = Path(source)
    if path.is_file():
        document = read_document(path)
        if isinstance(document.data, dict) and str(document.data.get("laager", "")).startswith("map/"):
            return map_from_document(document)
    path, rules = find_card(source, None)
    map_ = card_map(find_ruleset(rules), path)
    if map_ is None:
        raise RefusedError(Refusal.NO_SUCH, f"the card {source} has no map", "name a map file")
    return map_


def _say_losses(losses: Sequence[BoardLoss]) -> None:
    for added, heading in ((False, "VASL can't express:"), (True, "On the board instead:")):
        chosen = [loss for loss in losses if loss.added == added]
        if chosen:
            say("", heading)
        for loss in chosen:
            more = len(loss.where) - _MOST_NAMED
            places = ", ".join(loss.where[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
            say_wrapped(f"  {loss.what}: {places}")
