"""VASL's own classes asked about lines on real boards: by cliffs and depressions, from roofs, cellars and bypass."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path
from random import Random
from string import ascii_uppercase

import numpy as np
import pytest

from laager.los import board_map
from laager.los.exact import fields as f
from laager.los.exact.engine import raw
from laager.los.exact.losmap import LosMap
from laager.los.exact.rulenames import LEVEL_OR_STAIRWAY, RULES, UNDER_BRIDGE, UP_SLOPE
from laager.vasl import open_archive
from tests.los.boards import BOARDS, SHARED, needs_boards, odd_pairs, real

HOME = SHARED / "vassal"
SOURCE = Path(__file__).parent / "VaslLos.java"

UNNUMBERED = {LEVEL_OR_STAIRWAY, UNDER_BRIDGE, UP_SLOPE}
"""What VASL says of these has no rule's number."""

needs_classes = pytest.mark.skipif(
    not (HOME / "VASL.vmod").exists() or shutil.which("javac") is None,
    reason="needs VASL in ../shared, and Java with its compiler",
)
pytestmark = [needs_boards, needs_classes]


def place(on: LosMap, number: int) -> str:
    """Return a Location as `VaslLos` takes it."""
    one = on.location_of(number)
    there = on.by_name[one.hex]
    column, row = on.grid.spots[there]
    if one.kind == "bypass":
        return f"{column} {row} {'a' if one.far else 'b'}{one.vertex}"
    up, above = number - int(on.firsts[there]), len(on.hexes.upper[there])
    return f"{column} {row} " + (f"u{up}" if up <= above else f"d{up - above}")


def answers(asked: list[str], boards: Path = BOARDS) -> list[str]:
    engine = HOME / "lib" / "vassal-engine-3.2.17.jar"
    path = f"{engine}:{HOME / 'lib'}/*:{HOME / 'VASL.vmod'}"
    # It runs for seconds: to compile it well takes longer than it saves.
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    words = ["java", *quick, "-Djava.awt.headless=true", "-cp", path, str(SOURCE), str(HOME / "VASL.vmod"), str(boards)]
    done = subprocess.run(words, input="\n".join(asked), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def ours(out: list[int]) -> str:
    status, x, y, _, hindrance, away, slope = out
    if status == f.NO_ANSWER:
        return "fails"
    block = f"{x} {y}" if status == f.BLOCKED else "- -"
    return f"{status} {block} {hindrance} {away} {slope}"


@pytest.mark.parametrize("count", [500, pytest.param(6000, marks=pytest.mark.soak)])
def test_vasls_classes_say_the_same_in_every_column(count: int) -> None:
    boards = {name: board_map(real(name)) for name in ("10", "22", "6a", "RBv2")}
    asked = {name: odd_pairs(on, count) for name, on in boards.items()}
    lines = [
        f"bd{name} {place(on, source)} {place(on, target)}"
        for name, on in boards.items() for source, target in asked[name].tolist()
    ]  # fmt: skip
    told = answers(lines)
    assert len(told) == len(lines)
    found = [out for name, on in boards.items() for out in raw(on, asked[name])[0].tolist()]
    rules: set[int] = set()
    wrong = []
    for line, theirs, out in zip(lines, told, found, strict=True):
        parts = theirs.split(" ", 6)
        if " ".join(parts[:6]) != ours(out):
            wrong.append((line, theirs, ours(out)))
        elif out[f.O_STATUS] == f.BLOCKED:
            rules.add(out[f.O_RULE])
            number = RULES[out[f.O_RULE]].number
            assert number in parts[6] or out[f.O_RULE] in UNNUMBERED, (line, theirs)
    assert not wrong, f"{len(wrong)} of {len(lines)} differ, the first: {wrong[:3]}"
    assert len(rules) >= 12, "most rules took part"


def test_within_a_hex_the_block_is_at_the_vertex_that_vasl_names() -> None:
    """From bypass to the building of the same hex; from the second vertex of a hexside VASL names the first."""
    on = board_map(real("22"))
    ground = len(on.locations)
    pairs = [
        (ground + 12 * number + vertex, at)
        for number, floors in enumerate(on.hexes.upper)
        if floors
        for at in range(int(on.firsts[number]), int(on.firsts[number]) + 2)
        for vertex in range(12)
    ][:1200]
    asked = np.array(pairs)
    told = answers([f"bd22 {place(on, source)} {place(on, target)}" for source, target in pairs])
    blocked = set()
    for (source, _), theirs, out in zip(pairs, told, raw(on, asked)[0].tolist(), strict=True):
        assert " ".join(theirs.split(" ", 6)[:6]) == ours(out)
        if out[f.O_STATUS] == f.BLOCKED:
            blocked.add((source - ground) % 12 >= f.VERTICES_APART)
    assert blocked == {False, True}


def test_on_slopes_the_rule_is_the_one_that_vasl_names(tmp_path: Path) -> None:
    """Board 10 with slopes by chance: of terrain before a Location up the slope VASL has a sentence, and no number."""
    rng = Random(5)
    columns = [*ascii_uppercase, *(2 * letter for letter in "ABCDEF")]
    hexes = [f"{column}{row}" for column in columns for row in range(1, 10) if rng.random() < 0.5]
    slopes = (f'<slope hex="{name}" hexsides="{"".join(rng.sample("012345", 2))}"/>' for name in hexes)
    with zipfile.ZipFile(BOARDS / "bd10") as board, zipfile.ZipFile(tmp_path / "bd10", "w") as sloped:
        for entry in board.namelist():
            data = board.read(entry)
            if entry == "BoardMetadata.xml":
                end = "</boardMetadata>"
                data = data.decode().replace(end, f"<slopes>{''.join(slopes)}</slopes>{end}").encode()
            sloped.writestr(entry, data)
    on = board_map(open_archive(tmp_path / "bd10"))
    asked = odd_pairs(on, 3000)
    told = answers([f"bd10 {place(on, source)} {place(on, target)}" for source, target in asked.tolist()], tmp_path)
    up = 0
    for theirs, out in zip(told, raw(on, asked)[0].tolist(), strict=True):
        parts = theirs.split(" ", 6)
        assert " ".join(parts[:6]) == ours(out)
        if out[f.O_STATUS] == f.BLOCKED:
            assert (out[f.O_RULE] == UP_SLOPE) == ("This terrain blocks LOS to up-slope" in parts[6])
            up += out[f.O_RULE] == UP_SLOPE
    assert up
