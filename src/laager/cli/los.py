"""Lines of sight on VASL boards on the command line: `laager los`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laager.base import read_all
from laager.cli.ending import WrongUseError
from laager.cli.options import READ, AsJson, OverlayFolder, Overlays, TerrainRules, examples
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.vasl.importing import (
    ScenarioOptions,
    changed_boards,
    drop_unknown_rules,
    overlay_folders,
    saved_boards,
    typed_wishes,
)
from laager.cli.writing import write_bytes

if TYPE_CHECKING:
    from laager.cli.vasl.importing import BoardWishes
    from laager.hexmap import HexMap
    from laager.los import LosMap, Viewshed
    from laager.vasl import Archive, Layout, PlacedBoard

app = typer.Typer()
"""`laager.cli.app` takes the command over as its own."""

_WIDTH = 1600
"""How wide a PNG is, in pixels."""


@app.command(
    rich_help_panel=READ,
    short_help="line of sight between Locations of VASL boards",
    epilog=examples(
        "laager los boards/bd01 D5 F9",
        "laager los boards/bd01 'F5 level 1' G6:roof",
        "laager los boards/bd01 --from D5 --map seen.svg",
        "laager los boards/bd01 --with boards/bd22 --layout '01 r22' 01Y9 22CC9",
        "laager los boards 1H5 22C3 --from-save game.vsav",
        "laager los boards/bd01 D5 F9 --overlay 01:B1:E5:F4",
        "laager los boards/bd01 --keep",
        "laager los --prepare",
    ),
)
def los(
    board: Annotated[
        Path | None, typer.Argument(metavar="BOARD", help="A board archive out of VASL's boards folder.")
    ] = None,
    source: Annotated[str | None, typer.Argument(metavar="FROM", help="Who looks: D5, D5:1, 'D5 rooftop'.")] = None,
    target: Annotated[str | None, typer.Argument(metavar="TO", help="Where to, in the same words.")] = None,
    viewpoint: Annotated[
        str | None, typer.Option("--from", metavar="LOCATION", help="Look from there at the whole board.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Draw what is seen: an .svg or .png file.")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--with", metavar="BOARD", help="Another board next to it; can be repeated.")
    ] = None,
    layout: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Rows of boards, / between rows, r before a reversed board.")
    ] = None,
    rule: TerrainRules = None,
    overlay: Overlays = None,
    overlays: OverlayFolder = None,
    from_save: Annotated[
        Path | None,
        typer.Option(metavar="GAME", help="Boards as in this save, with its rules and overlays; BOARD: their folder."),
    ] = None,
    deviation: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A deviation from VASL, such as both-ways; see the guide.")
    ] = None,
    prepare: Annotated[bool, typer.Option("--prepare", help="Compile what whole boards need, once.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Look from everywhere to everywhere once, and keep the answers on disk.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Say whether one Location sees another, as VASL decides it, and what blocks or hinders.

    Locations are hexes with a level, rooftop, cellar, bridge, below (a bridge) or bypass and a hexside. LOS
    may differ in the other direction. Without the extra los single lines are computed slowly; whole boards need it.
    """
    if prepare:
        _prepare(json)
        return
    if board is None:
        raise WrongUseError("name a board and two Locations, such as laager los boards/bd01 D5 F9")
    if keep and (viewpoint is not None or source is not None):
        raise WrongUseError("--keep looks from everywhere; leave out FROM, TO and --from")
    if not keep and viewpoint is None and (source is None or target is None):
        raise WrongUseError("name two Locations, or one with --from to look at the whole board")
    if viewpoint is not None and source is not None:
        raise WrongUseError("--from looks at the whole board; leave out FROM and TO")
    if picture is not None and (viewpoint is None or picture.suffix not in {".svg", ".png"}):
        raise WrongUseError("--map draws what --from sees, into an .svg or .png file")
    scenario = ScenarioOptions(from_save, tuple(rule or ()), tuple(overlay or ()), overlays)
    ground = _ground([board, *(others or ())], layout, scenario)
    made = ground.los_map(deviation or [])
    if keep:
        _keep(made, json)
        return
    if viewpoint is None:
        assert source is not None
        assert target is not None
        _line(made, source, target, json)
        return
    from laager.los import viewshed

    seen = viewshed(made, viewpoint)
    if picture is not None:
        _draw(seen, ground.drawable(), picture, json)
    else:
        _view(seen, json)


def _prepare(as_json: bool) -> None:
    from laager.los import prepare

    tenths_said: list[int] = []

    def progress(share: float) -> None:
        tenth = int(share * 10)
        if not as_json and tenth not in tenths_said:
            tenths_said.append(tenth)
            say(f"compiling: {tenth * 10} %")

    prepare(progress)
    if as_json:
        show_json({"ready": True})
    else:
        say("Lines of sight are ready.")


def _keep(on: LosMap, as_json: bool) -> None:
    from laager.los import make_table

    tenths_said: set[int] = set()

    def progress(share: float) -> None:
        tenth = int(share * 10)
        if not as_json and tenth not in tenths_said:
            tenths_said.add(tenth)
            say(f"looking: {tenth * 10} %")

    make_table(on, progress)
    if as_json:
        show_json({"kept": len(on.locations) ** 2, "boards": dict(on.sha256)})
    else:
        say(f"All lines between the {len(on.locations)} Locations of {on.name} are kept.")


def _boards(paths: list[Path], text: str | None) -> tuple[list[Archive], Layout]:
    """Return the archives in the order of the layout, and the layout."""
    from laager.vasl import PlacedBoard, open_archive, parse_layout, read_metadata, shape_of, side_by_side

    archives = read_all(paths, open_archive)
    by_name: dict[str, tuple[Archive, PlacedBoard]] = {}
    names = []
    for archive in archives:
        shape = shape_of(archive)
        placed = PlacedBoard(shape.name, shape.geometry, (shape.width, shape.height))
        by_name[archive.name.removeprefix("bd")] = by_name[shape.name] = (archive, placed)
        names.append(read_metadata(archive).name)

    def find(name: str) -> PlacedBoard | None:
        return by_name[name][1] if name in by_name else None

    arranged = parse_layout(side_by_side(names) if text is None else text, find, names)
    return [by_name[board.name][0] for board in arranged.boards], arranged


@dataclass(frozen=True)
class _Ground:
    """Boards as they lie, with what a scenario changes on each, and the folders of overlays."""

    archives: list[Archive]
    layout: Layout
    wishes: list[BoardWishes]
    folders: list[Path]

    def los_map(self, deviations: list[str]) -> LosMap:
        """Make them ready for lines of sight."""
        from laager.los import boards_map

        rules, overlays = [wish.rules for wish in self.wishes], [wish.overlays for wish in self.wishes]
        return boards_map(self.archives, self.layout, rules, overlays, self.folders, deviations)

    def drawable(self) -> HexMap:
        """Return Laager's map of them."""
        from laager.vasl import import_boards

        boards, _ = changed_boards(list(zip(self.archives, self.wishes, strict=True)), self.folders)
        return import_boards(self.layout, boards).map


def _ground(paths: list[Path], text: str | None, scenario: ScenarioOptions) -> _Ground:
    folders = overlay_folders(paths, scenario)
    if scenario.save is not None:
        if text is not None:
            raise WrongUseError("--layout and --from-save both say how boards lie; keep one of the two")
        saved = saved_boards(paths, scenario)
        drop_unknown_rules(saved.archives, saved.wishes, scenario)
        return _Ground(saved.archives, saved.layout, saved.wishes, folders)
    archives, layout = _boards(paths, text)
    names = [board.name for board in layout.boards]
    codes = {archive.name.removeprefix("bd"): name for archive, name in zip(archives, names, strict=True)}
    wishes_by_board = typed_wishes({**codes, **{name: name for name in names}}, names, scenario)
    wishes = [wishes_by_board[name] for name in names]
    drop_unknown_rules(archives, wishes, scenario)
    return _Ground(archives, layout, wishes, folders)


def _line(on: LosMap, source: str, target: str, as_json: bool) -> None:
    from laager.los import sight

    result = sight(on, source, target)
    if as_json:
        show_json(result.describe() | {"boards": dict(on.sha256)})
        return
    say_wrapped(result.sentence)
    if on.deviations:
        say_wrapped(f"Deviations from VASL: {', '.join(on.deviations)}.")


def _view(view: Viewshed, as_json: bool) -> None:
    if as_json:
        show_json(_describe(view))
        return
    seen = [look for look in view if look.clear and look.target != view.source]
    say(f"{view.source} sees {len(seen)} of {len(view.map.locations) - 1} Locations of {view.map.name}.")
    clear = [str(look.target) for look in seen if not look.hindrance]
    if clear:
        say_wrapped(f"Clear: {', '.join(clear)}.")
    for drm in sorted({look.hindrance for look in seen} - {0}):
        say_wrapped(f"Hindrance +{drm}: {', '.join(str(look.target) for look in seen if look.hindrance == drm)}.")
    silent = sum(look.clear is None for look in view)
    if silent:
        say(f"No answer for {silent} Locations.")


def _describe(view: Viewshed) -> dict[str, Any]:
    return {
        "from": str(view.source),
        "map": view.map.name,
        "boards": dict(view.map.sha256),
        "deviations": list(view.map.deviations),
        "locations": [
            {"location": str(look.target), "clear": look.clear, "hindrance": look.hindrance} for look in view
        ],
    }


def _draw(view: Viewshed, map_: HexMap, out: Path, as_json: bool) -> None:
    from laager.hexmap.draw import draw_png
    from laager.los import draw_viewshed

    svg = draw_viewshed(view, map_)
    data = draw_png(svg, _WIDTH) if out.suffix == ".png" else svg.encode()
    write_bytes(out, data, "drawn", as_json)
