"""Rules of the boards that Laager makes: colours that a scenario changes, and who controls a Block."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from laager.hexmap import HexMap
from laager.hexmap.draw.style import GROUNDS, level_tint
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.boards.layout import arrange
from laager.vasl.making.archive import make_board_archive
from laager.vasl.making.tints import named_tints, to_gif
from laager.vasl.maps.tomap import Imported, import_boards, place_alone
from laager.vasl.saves.marks import Marks
from laager.vasl.scenario.changes import changed_board
from laager.vasl.setup.board import battlefield, boards_at
from laager.vasl.setup.writing import ScenarioBox, write_save

from .engine import ask, needs_engine, needs_module
from .fields import CODE
from .fields import board_of as own_board
from .test_board_making import shipped, typed
from .test_setup_writing import NOW, module

STREETS = [{"kind": "paved", "along": [f"{column}{row}" for row in range(6)]} for column in ("B", "D", "F")]
"""Streets from north to south that make Blocks of columns A, C and E."""


def town(**parts: Any) -> HexMap:
    return typed(roads=STREETS, **parts)


def named(*names: str) -> dict[str, str]:
    """Return the Blocks of the town by such names."""
    return dict(zip(names, ("A2", "C2", "E2"), strict=True))


def again(archive: Archive) -> Imported:
    board = board_of(archive)
    return import_boards(arrange([place_alone(board)]), [board])


def rgb(tint: str) -> tuple[int, int, int]:
    return int(tint[1:3], 16), int(tint[3:5], 16), int(tint[5:7], 16)


def counted(picture: bytes) -> dict[Any, int]:
    """Return how many pixels of a picture have each colour."""
    with Image.open(BytesIO(picture)) as image:
        return {colour: count for count, colour in image.convert("RGB").getcolors(1 << 24) or []}


def test_the_picture_has_the_colours_that_the_archive_names() -> None:
    archive = make_board_archive(
        typed(terrain={"woods": ["B2", "B3"], "grain": ["D3"]}, levels={"1": ["E4"]}), "bdMine"
    )
    lines = dict(line.split(" ") for line in archive.read("colors").decode().splitlines())
    assert lines["Level0"] == ",".join(map(str, rgb(level_tint(0))))
    pixels = counted(archive.read("bdMine.gif"))
    for name in ("Level0", "Level1", "WoodsGreen", "GrainL0"):
        assert pixels[tuple(map(int, lines[name].split(",")))] > 200, name


def test_named_colours_stay_to_the_last_bit_in_a_picture_of_many_others() -> None:
    tint = rgb(level_tint(0))
    colours = np.random.default_rng(1).integers(-6, 7, (80, 80, 3)) + tint
    colours[10::20, 10::20] = tint
    png = BytesIO()
    Image.fromarray(colours.astype(np.uint8)).save(png, "PNG")
    with Image.open(BytesIO(to_gif(png.getvalue(), {"Level0": level_tint(0)}))) as gif:
        made = np.asarray(gif.convert("RGB"))
    assert (made[(colours == tint).all(axis=2)] == tint).all()


def test_colours_are_named_once_and_stand_for_one_thing() -> None:
    tints = named_tints(typed(terrain={kind: [f"B{at}"] for at, kind in enumerate(("pond", "river", "brush"), 1)}))
    assert len(set(tints.values())) == len(tints)
    assert tints["Water"] == GROUNDS["river"].fill
    assert "WoodsGreen" not in tints


def test_named_blocks_come_back_with_their_names() -> None:
    map_ = town(block_names=named("A", "Old Mill", "B"))
    read = again(make_board_archive(map_, "bdMine")).map
    assert {name: map_.blocks.hexes[name] for name in ("A", "Old Mill", "B")} == read.blocks.hexes


@pytest.mark.parametrize("name", ["abtf/rijnoord", "hasl/ripamare"])
def test_a_shipped_towns_blocks_come_back(name: str) -> None:
    map_ = shipped(name)
    read = again(Archive(own_board(map_), f"bd{CODE}"))
    assert set(read.map.block_names) == set(map_.block_names)
    assert all(read.map.blocks.block_at(map_.block_names[block]) == block for block in map_.block_names)


def test_each_block_has_a_rule_for_each_side() -> None:
    archive = make_board_archive(town(block_names=named("A", "B", "Ü")), "bdMine")
    rules = ["AxisBlkA", "AlliedBlkA", "AxisBlkB", "AlliedBlkB"]
    listed = archive.read("overlaySSR").decode().split("\n\n")
    assert [part.split("\n")[0] for part in listed if part] == rules
    metadata, controls = (archive.read(name).decode() for name in ("BoardMetadata.xml", "SSRControls"))
    for rule in rules:
        assert f'name="{rule}"' in metadata
        assert f'rule="{rule}"' in controls
        assert f"{rule}.gif" in archive


@pytest.mark.parametrize("name", ["A_1", "Mühle", "a" * 21, '"<'])
def test_a_name_that_no_rule_can_have_gets_none(name: str) -> None:
    archive = make_board_archive(town(block_names=named(name, "Ü", "Ö")), "bdMine")
    assert "overlaySSR" not in archive


def test_a_map_without_named_blocks_has_no_rules() -> None:
    assert "overlaySSR" not in make_board_archive(town(), "bdMine")


def test_a_rule_of_control_changes_no_ground() -> None:
    archive = make_board_archive(town(block_names=named("A", "B", "Old Mill")), "bdMine")
    board, outcomes = changed_board(archive, ["AxisBlkA", "AlliedBlk_Old_Mill"])
    assert [(outcome.result, outcome.why) for outcome in outcomes] == [
        ("nothing", "it shows who controls Block A"),
        ("nothing", "it shows who controls Block Old Mill"),
    ]
    assert board.hexes == board_of(archive).hexes


def shown(map_: HexMap, folder: Path, *rules: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the engine's picture of a map's board with rules of a scenario, by the pixels of the board's hexes."""
    ground = battlefield(map_, boards_at(folder), module().edge[0], "Mine", [])
    ruled = replace(ground, boards=tuple(replace(board, rules=rules) for board in ground.boards))
    save, picture = folder / "rules.vsav", folder / "rules.png"
    save.write_bytes(write_save([], Marks("", "", 1), ruled, module(), ScenarioBox(), "", NOW).data)
    ask(save, folder, "--picture", picture)
    with Image.open(picture) as image:
        half, edge = image.convert("RGB"), module().edge
        width, height = ground.boards[0].placed.shown
        spots = ((x, y) for x in range(0, width, 4) for y in range(0, height, 4))
        return {(x, y): half.getpixel(((x + edge[0]) // 2, (y + edge[1]) // 2)) for x, y in spots}  # type: ignore[misc]


@needs_module
@needs_engine
def test_vasl_lays_the_rules_on_the_board(tmp_path: Path) -> None:
    map_ = town(block_names=named("A", "B", "C"), terrain={"brush": ["C4", "C5"]})
    archive = make_board_archive(map_, "bdMine")
    (tmp_path / "bdMine").write_bytes(archive.data)
    plain, winter, brush, held = (
        shown(map_, tmp_path, *rules) for rules in ((), ("Winter",), ("BrushToOpenGround",), ("AxisBlkB",))
    )
    open_ground = [spot for spot, colour in plain.items() if colour == rgb(level_tint(0))]
    overgrown = [spot for spot, colour in plain.items() if colour == rgb(GROUNDS["brush"].fill)]
    assert len(open_ground) > len(plain) / 4
    assert overgrown
    # The engine draws it at half size, so that some pixels are mixed.
    ((snow, count),) = Counter(winter[spot] for spot in open_ground).most_common(1)
    assert snow != rgb(level_tint(0))
    assert count > 0.9 * len(open_ground)
    bare = Counter(brush[spot] for spot in overgrown)
    assert bare.most_common(1)[0][0] == rgb(level_tint(0))
    assert rgb(GROUNDS["brush"].fill) not in bare
    changed = [spot for spot in plain if plain[spot] != held[spot]]
    left, top = next(
        (int(x), int(y))
        for x, y in (
            line.split(" ")[1].split(",")
            for line in archive.read("overlaySSR").decode().split("\n")
            if "AxisBlkB.gif" in line
        )
    )
    assert changed
    assert all(left - 4 <= x <= left + 40 and top - 4 <= y <= top + 32 for x, y in changed)
