"""Maps from VASL boards on the command line, as they are or as a scenario changes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean, read_all
from laager.cli.options import AsJson, Force, OverlayFolder, Overlays, TerrainRules, examples
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.vasl import backdrops
from laager.cli.writing import OR_FORCE, check_free, put

if TYPE_CHECKING:
    from laager.vasl import Archive, Board, BoardInSave, ChangeOutcome, Imported, Layout, Meaning, Overlay, PlacedBoard

app = typer.Typer()
"""`laager.cli.vasl.commands` takes the command over as its own."""

_RULE = re.compile(r"(?:(?P<board>[^:]{1,40}):)?(?P<name>[^:]{1,80})")
MANY = 20
"""How many hexes must be in doubt for their colours alone to make a legend worth the while."""
_OVERLAY = "BOARD:NAME:HEX, BOARD:NAME:HEX:HEX or BOARD:NAME:HEX:HEX:ORIGIN"


@dataclass(frozen=True)
class ScenarioOptions:
    """What a scenario does to boards: a save that tells it, rules and overlays as typed."""

    save: Path | None = None
    rules: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    folder: Path | None = None


@dataclass
class BoardWishes:
    """What a scenario changes on a board: rules, then overlays."""

    rules: list[str] = field(default_factory=list)
    overlays: list[Overlay] = field(default_factory=list)


@app.command(
    name="import",
    short_help="make a map from VASL boards",
    epilog=examples(
        "laager vasl import boards/bd01 -o map.yaml",
        "laager vasl import boards/bd02 boards/bd04 --layout '02 / r04' -o map.yaml",
        "laager vasl import boards/bd10 --layout '10[A-P]' -o half.yaml",
        "laager vasl import boards --from-save game.vsav -o game.yaml",
        "laager vasl import boards/bd10 --rule NoGrain --overlay 10:og1:H5:H6 -o map.yaml",
        "laager vasl import boards/bdER --pto -o ridge.yaml",
    ),
)
def import_boards(
    boards: Annotated[
        list[Path],
        typer.Argument(
            metavar="BOARD", help="A board archive out of VASL's boards folder; with --from-save also the folder."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The map file to be made.")] = Path(
        "map.yaml"
    ),
    layout: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Rows of boards, / between rows, r before a reversed board; else one row."),
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The map's title; else the boards' names.")] = "",
    cellars: Annotated[bool, typer.Option("--cellars", help="Larger buildings have cellars.")] = False,
    from_save: Annotated[
        Path | None, typer.Option(metavar="GAME", help="Lay out boards as this save does, with its rules and overlays.")
    ] = None,
    rule: TerrainRules = None,
    pto: Annotated[
        bool, typer.Option("--pto", help="PTO Terrain: woods are jungle, orchards palms, brush bamboo.")
    ] = False,
    overlay: Overlays = None,
    overlays: OverlayFolder = None,
    legend: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What the colours of a board mean: see laager vasl legend.")
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make a map file from one or more VASL board archives.

    Terrain, levels, buildings, roads, water and hexsides are read from the archive. If it holds
    only a picture, its colours tell; see laager vasl doubts for what to look at. Changes of a
    scenario are applied if the archives hold
    what they need, and listed otherwise.
    """
    from laager.vasl import PTO
    from laager.vasl import import_boards as made_of

    check_free(out, force=force, or_else=OR_FORCE)
    scenario = ScenarioOptions(from_save, (*(rule or ()), *(PTO if pto else ())), tuple(overlay or ()), overlays)
    if scenario.save is not None:
        if layout is not None:
            message = "--layout and --from-save both say how boards lie; keep one of the two"
            raise RefusedError(Refusal.BAD_DATA, message)
        joined, chosen = _as_saved(boards, scenario, _meanings_of(legend))
    else:
        joined, chosen = _astyped_wishes(boards, layout, scenario, _meanings_of(legend))
    if legend is not None and not any(board.by_colours for board in chosen.boards):
        message = "these boards hold LOS data, which tells more than their colours"
        raise RefusedError(Refusal.BAD_DATA, message, "leave out --legend")
    made = made_of(joined, chosen.boards, title=title, cellars=cellars)
    put(out, made.text.encode())
    backdrops.remember_folder_of(boards)
    if json:
        show_json(_describe(out, made, chosen))
    else:
        _say_made(out, made, chosen)


@dataclass(frozen=True)
class Chosen:
    """Boards as a scenario changes them, what became of its wishes, and why pictures can't be read, by board.

    `parking` are the boards of a save that were left out, as players only park counters on them.
    """

    boards: list[Board]
    outcomes: list[ChangeOutcome]
    unread: dict[str, str]
    parking: tuple[str, ...] = ()


def _meanings_of(legend: Path | None) -> Mapping[int, Meaning] | None:
    from laager.base.files import read_text
    from laager.vasl import read_legend

    return None if legend is None else read_legend(read_text(legend), str(legend))


def _astyped_wishes(
    paths: list[Path], layout: str | None, scenario: ScenarioOptions, meanings: Mapping[int, Meaning] | None
) -> tuple[Layout, Chosen]:
    """Return boards as a layout puts them; each is there once, so each is changed once."""
    from laager.vasl import open_archive, parse_layout, place_alone, read_metadata, side_by_side

    archives = read_all(paths, open_archive)
    names = [read_metadata(archive).name for archive in archives]
    if len(set(names)) != len(names):
        raise RefusedError(Refusal.BAD_DATA, "a board is named twice", "name each once, the layout says where it is")
    codes = {archive.name.removeprefix("bd"): name for archive, name in zip(archives, names, strict=True)}
    wishes = typed_wishes({**codes, **{name: name for name in names}}, names, scenario)
    wanted = [(archive, wishes[name]) for archive, name in zip(archives, names, strict=True)]
    chosen = _read_boards(wanted, overlay_folders(paths, scenario), meanings)
    by_name = {name: board for board in chosen.boards for name in (board.name, board.code)}

    def find(name: str) -> PlacedBoard | None:
        board = by_name.get(name)
        return place_alone(board) if board else None

    joined = parse_layout(side_by_side(names) if layout is None else layout, find, names)
    return joined, replace(chosen, boards=[by_name[each.name] for each in joined.boards])


def _as_saved(
    paths: list[Path], scenario: ScenarioOptions, meanings: Mapping[int, Meaning] | None
) -> tuple[Layout, Chosen]:
    """Return the boards of a save as it lays them, with its rules and overlays."""
    saved = saved_boards(paths, scenario)
    wanted = list(zip(saved.archives, saved.wishes, strict=True))
    chosen = _read_boards(wanted, overlay_folders(paths, scenario), meanings)
    return saved.layout, replace(chosen, parking=saved.parking)


class SavedBoards(NamedTuple):
    """How a save lays its boards, their archives, its rules and overlays with what was typed, board by board.

    `parking` are those for parking counters, which are left out.
    """

    layout: Layout
    archives: list[Archive]
    wishes: list[BoardWishes]
    parking: tuple[str, ...]


def saved_boards(paths: list[Path], scenario: ScenarioOptions) -> SavedBoards:
    """Return the boards of a save.

    Raises DataError for a save without boards, or one whose boards are not among the paths.
    """
    from laager.vasl import Shape, arrange, open_archive, read_save, shape_of, usual_shape

    assert scenario.save is not None
    archives: dict[str, Archive] = {}
    missing: dict[str, None] = {}

    def shape(code: str) -> Shape | None:
        if code not in archives:
            path = _board_file(paths, code)
            if path is None:
                missing[code] = None
                return usual_shape(code)
            archives[code] = open_archive(path)
        return shape_of(archives[code])

    save = read_save(scenario.save, shape)
    if not save.boards:
        raise DataError([Problem("has no boards", "name the boards", file=str(scenario.save))])
    boards = [board for board in save.boards if not board.is_parking] or list(save.boards)
    missing = {board.code: None for board in boards if board.code in missing}
    if missing:
        right = "name its archive, or the folder of your boards"
        raise DataError(Problem(f"board {code[:40]!r} of the save is not among those named", right) for code in missing)
    known = {name: board.code for board in boards for name in (board.code, board.name)}
    typed = typed_wishes(known, [board.code for board in boards], scenario)
    layout = arrange([board.placed for board in save.boards if board.placed is not None])
    parking = tuple(board.name for board in save.boards if board not in boards)
    return SavedBoards(
        layout.without(parking),
        [archives[board.code] for board in boards],
        [_with_typed(board, typed[board.code]) for board in boards],
        parking,
    )


def _with_typed(board: BoardInSave, typed: BoardWishes) -> BoardWishes:
    """Return what a save asks of a board, with what was typed; typed overlays come first."""
    from laager.vasl import Overlay

    typed_places = {(overlay.name, overlay.first) for overlay in typed.overlays}
    saved = [Overlay(*saved_overlay) for saved_overlay in board.overlays if saved_overlay[:2] not in typed_places]
    return BoardWishes([*board.rules, *typed.rules], [*saved, *typed.overlays])


def changed_boards(
    wanted: Sequence[tuple[Archive, BoardWishes]], folders: Sequence[Path]
) -> tuple[list[Board], list[ChangeOutcome]]:
    """Return boards changed as wished, and what became of every wish. Raises DataError."""
    from laager.vasl import changed_board

    made = read_all(
        wanted,
        lambda board_and_wishes: changed_board(
            board_and_wishes[0], board_and_wishes[1].rules, board_and_wishes[1].overlays, folders
        ),
    )
    return [board for board, _ in made], [outcome for _, outcomes in made for outcome in outcomes]


def _read_boards(
    wanted: Sequence[tuple[Archive, BoardWishes]], folders: Sequence[Path], meanings: Mapping[int, Meaning] | None
) -> Chosen:
    """Return boards changed as wished, those without LOS data by their pictures. Raises DataError."""
    from laager.vasl import read_changed

    made = read_all(
        wanted,
        lambda board_and_wishes: read_changed(
            board_and_wishes[0], board_and_wishes[1].rules, board_and_wishes[1].overlays, folders, meanings
        ),
    )
    unread = {board.name: why for board, _, why in made if why}
    return Chosen([board for board, _, _ in made], [outcome for _, outcomes, _ in made for outcome in outcomes], unread)


def _board_file(paths: list[Path], code: str) -> Path | None:
    """Return the archive of a board by its code, among files and in folders."""
    for path in paths:
        if path.is_dir() and (path / f"bd{code}").is_file():
            return path / f"bd{code}"
        if path.name == f"bd{code}" and not path.is_dir():
            return path
    return None


def overlay_folders(paths: list[Path], scenario: ScenarioOptions) -> list[Path]:
    """Return where overlays may lie: the folder named, else `overlays` next to the boards."""
    if scenario.folder is not None:
        return [scenario.folder]
    beside = [path if path.is_dir() else path.parent for path in paths]
    return list(dict.fromkeys(folder / "overlays" for folder in beside))


def typed_wishes(known: dict[str, str], boards: Sequence[str], scenario: ScenarioOptions) -> dict[str, BoardWishes]:
    """Return the rules and overlays that were typed, by board; `known` maps what boards are called.

    Raises DataError with all that is wrong.
    """
    wishes = {board: BoardWishes() for board in boards}
    problems: list[Problem] = []
    for text in scenario.rules:
        match = _RULE.fullmatch(text)
        if match is None:
            right = "NAME, or BOARD:NAME for one board"
            problems.append(Problem(f"{text[:60]!r} isn't a rule", right, "--rule"))
        elif match["board"] is None:
            for wish in wishes.values():
                wish.rules.append(match["name"])
        elif match["board"] in known:
            wishes[known[match["board"]]].rules.append(match["name"])
        else:
            problems.append(_no_board(match["board"], boards, "--rule"))
    for text in scenario.overlays:
        _add_overlay(text, known, wishes, problems)
    if problems:
        raise DataError(problems)
    return wishes


def drop_unknown_rules(archives: Sequence[Archive], wishes: Sequence[BoardWishes], scenario: ScenarioOptions) -> None:
    """Take rules that were typed for all boards from those that have no such rule.

    Raises DataError for a rule that no board has which it was typed for.
    """
    from laager.vasl import known_rules

    known = [known_rules(archive) for archive in archives]
    problems: list[Problem] = []
    for text in scenario.rules:
        board, _, rule = text.rpartition(":")
        meant = [i for i, wish in enumerate(wishes) if rule in wish.rules]
        having = [i for i in meant if rule in known[i]]
        if not having:
            names = tuple(dict.fromkeys(name for i in meant for name in known[i]))
            right = did_you_mean(rule, names, "there are")
            problems.append(Problem(f"there is no rule {rule[:80]!r}", right, "--rule"))
        elif not board:
            for i in set(meant) - set(having):
                wishes[i].rules.remove(rule)
    if problems:
        raise DataError(problems)


def _add_overlay(text: str, known: dict[str, str], wishes: dict[str, BoardWishes], problems: list[Problem]) -> None:
    from laager.vasl import Overlay

    board, *words = text.split(":")
    if not 2 <= len(words) <= 4 or not all(words):
        problems.append(Problem(f"{text[:60]!r} isn't an overlay", _OVERLAY, "--overlay"))
    elif board not in known:
        problems.append(_no_board(board, list(wishes), "--overlay"))
    else:
        name, first, second, origin = [*words, *[words[1]] * (len(words) == 2), ""][:4]
        wishes[known[board]].overlays.append(Overlay(name, first, second, origin))


def _no_board(name: str, boards: Sequence[str], option: str) -> Problem:
    right = did_you_mean(name, boards, "the boards are")
    return Problem(f"there is no board {name[:40]!r}", right, option)


def _describe(out: Path, made: Imported, chosen: Chosen) -> dict[str, Any]:
    return {
        "file": str(out),
        "hexes": len(made.map.hexes),
        "source": made.map.source_note,
        "left_out": dict(made.left_out),
        "unknown": made.unknown,
        "doubts": len(made.doubts),
        "not_read": chosen.unread,
        "parking": list(chosen.parking),
        "empty": [board.name for board in chosen.boards if board.is_empty],
        "blocks": None if made.letters is None else asdict(made.letters),
        "scenario": [outcome.describe() for outcome in chosen.outcomes],
    }


def _say_chosen(chosen: Chosen) -> None:
    for outcome in chosen.outcomes:
        say_wrapped(str(outcome), "  ")
    if any(outcome.result == "not applied" for outcome in chosen.outcomes):
        say("What was not applied is not on the map: mark it with laager vasl mark.")
    if chosen.parking:
        say_wrapped(f"Left out, as they are for parking counters: {', '.join(chosen.parking)}.")
    for board in chosen.boards:
        if board.is_empty:
            message = f"Board {board.name} is empty: all its hexes are Open Ground in play."
            say_wrapped(f"{message} If that's wrong, leave it out.")
    for name, reason in chosen.unread.items():
        say_wrapped(f"Board {name}: there is no LOS data, and its picture can't be read: {reason}.")


def _say_made(out: Path, made: Imported, chosen: Chosen) -> None:
    from laager.hexmap.terrain import is_half_pacific
    from laager.vasl import UNKNOWN

    say(f"written: {out} ({len(made.map.hexes)} hexes)")
    _say_chosen(chosen)
    if is_half_pacific(made.map):
        say_wrapped("There is jungle beside woods. If PTO Terrain is in force, import the board again with --pto.")
    if made.unknown:
        say_wrapped(
            f"The terrain of {made.unknown} hexes is not known. "
            "Mark what matters to the campaign with laager vasl mark."
        )
    if "colours of its picture" in made.map.source_note:
        say_wrapped(
            f"Terrain was read from the colours of the picture. {len(made.doubts)} hexes and hexsides need a look: "
            f"laager vasl doubts {out}."
        )
    unnamed = sum(doubt.why == UNKNOWN for doubt in made.doubts)
    if unnamed >= MANY:
        say_wrapped(
            f"{unnamed} of them are in colours that nobody has named. Say what these colours are first: "
            "laager vasl legend BOARD."
        )
    if made.letters is not None:
        say_wrapped(str(made.letters))
        if not any(hex_.has("blockhouse") for hex_ in made.map.hexes.values()):
            say_wrapped(f"If there is a Blockhouse (ABtF 5.1), mark its hex: laager vasl mark {out} C4=blockhouse.")
    if made.left_out:
        listed = ", ".join(f"{name} ({count} hexes)" for name, count in made.left_out.items())
        say_wrapped(f"Left out, as a map file has no word for it: {listed}.")
    say(f"look at it with: laager map {out} --out map.svg")
