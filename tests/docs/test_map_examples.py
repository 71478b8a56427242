"""The examples in the running text of the map page, each completed to a whole map."""

from __future__ import annotations

import re

import pytest

from laager.base.files import parse_document
from laager.hexmap.files.loading import map_from_document

from .pages import DOCS, running_text, words_in_code

HEAD = "laager: map/1\nid: example\ntitle: An example\nsource: own\n"
BOARD = "boards: [{columns: 33, rows: 20, half_rows: true}]\n"
TOWN = "boards: [{columns: 9, rows: 7, half_rows: true}]\nroads: [{kind: paved, along: [E1, E2, E3, E4, E5, E6, E7]}]\n"
PICTURE = f"file: bd01, sha256: {'a' * 64}, hex: A1, part: [0, 0, 1800, 645]"

COMPLETED = {
    "laager: map/1": f"{HEAD.replace('laager: map/1', '<it>')}{BOARD}",
    "boards: [{columns: 33, rows: 20, half_rows: true}]": f"{HEAD}<it>",
    "columns: 33, rows: 10, half_rows: true": f"{HEAD}boards: [{{board: 20, <it>}}]",
    "[0, 29]": f"{HEAD}boards: [{{columns: 4, rows: 30, even_rows: <it>, odd_rows: [0, 29]}}]",
    "[32, 0]": (
        f"{HEAD}boards:\n- {{board: 20, columns: 33, rows: 10, half_rows: true}}\n"
        "- {board: 6a, columns: 33, rows: 10, half_rows: true, at: <it>}"
    ),
    "{1: [B2, B4], 2: [B3]}": f"{HEAD}{BOARD}levels: <it>",
    "{E3: 1}": f"{HEAD}{BOARD}buildings: [{{material: stone, levels: 2, levels_at: <it>, hexes: [E2, E3]}}]",
    "wall: [C4/C5]": f"{HEAD}{BOARD}hexsides: {{<it>}}",
    "{C4: [C5, D4]}": f"{HEAD}{BOARD}slopes: <it>",
    "[C4, D4-D9, E2-K2]": f"{HEAD}{BOARD}playable: <it>",
    "also: {river: […]}": f"{HEAD}{BOARD}<it>",
    "{Mill: C4, Church: H7}": f"{HEAD}{TOWN}block_names: <it>",
    "[0, 32.25]": f"{HEAD}{BOARD}pictures: [{{{PICTURE}, hex_size: [56.25, 64.5], at: <it>}}]",
    "[56.25, 64.5]": f"{HEAD}{BOARD}pictures: [{{{PICTURE}, at: [0, 32.25], hex_size: <it>}}]",
}
"""For each example a whole map in which it stands at <it>; where it says …, C4 does for it."""


def examples() -> set[str]:
    """Return what the page has of YAML outside its blocks: lists, mappings, and lines of a field."""
    codes = words_in_code(running_text(DOCS / "cards" / "map.md"))
    return {code for code in codes if re.search(r"[\[{]|\w: ", code)}


def test_each_example_is_completed() -> None:
    assert examples() == set(COMPLETED)


@pytest.mark.parametrize("example", sorted(COMPLETED))
def test_a_map_with_the_example_is_good(example: str) -> None:
    text = COMPLETED[example].replace("<it>", example.replace("…", "C4"))
    assert map_from_document(parse_document(text, "example")).id == "example"
