"""VASL's own classes asked about lines on real boards: by cliffs and depressions, from roofs, cellars and bypass."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from laager.los import board_map
from laager.los.exact import fields as f
from laager.los.exact.engine import raw
from laager.los.exact.losmap import LosMap
from laager.los.exact.rulenames import LEVEL_OR_STAIRWAY, RULES, UNDER_BRIDGE
from tests.los.boards import BOARDS, SHARED, needs_boards, odd_pairs, real

HOME = SHARED / "vassal"
SOURCE = Path(__file__).parent / "VaslLos.java"

UNNUMBERED = {LEVEL_OR_STAIRWAY, UNDER_BRIDGE}
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
