"""How well boards are read by their colours: `python -m bench.colours FOLDER [BOARD ...]`.

FOLDER is VASL's folder of boards. A board with LOS data is read twice, by them and by its colours, and both are
compared hex by hex in the words of map files; every other one is imported. Printed for each: the share of equal hexes
(terrain, level, material of buildings), of equal parts of them, how many wrong hexes are among the doubts, the
processor time of the import by colours. In the end: how good the doubts are, by their number and by their reason.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from laager.base import LaagerError
from laager.vasl import Board, arrange, board_of, import_boards, open_archive, place_alone, read_ground_by_colours
from laager.vasl.archive import Archive
from laager.vasl.boards.derive import HexGround
from laager.vasl.colours.reasons import REASONS
from laager.vasl.maps.cells import BoardPart, Cell
from laager.vasl.maps.contents import Contents, contents_of

PARTS = ("equal", "terrain", "level", "building", "storeys", "hexsides", "roads")
GOAL = 0.97
FIRST = (2, 5, 10, 20, 50, 100)


@dataclass
class Agreement:
    """Counts of one board: of each part how many there are and how many are equal."""

    name: str
    there: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    same: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    wrong: int = 0
    told: int = 0
    unknown: int = 0
    doubts: int = 0
    seconds: float = 0.0
    ranked: list[tuple[str, bool]] = field(default_factory=list)

    def add(self, part: str, same: bool) -> None:
        self.there[part] += 1
        self.same[part] += same

    def share(self, part: str) -> float:
        return self.same[part] / self.there[part] if self.there[part] else 1.0

    def __str__(self) -> str:
        shares = " ".join(f"{part} {100 * self.share(part):5.1f}" for part in PARTS)
        return (
            f"{self.name:14} {shares} unknown {self.unknown} "
            f"doubts {self.doubts} ({self.told} of {self.wrong} wrong) {self.seconds:.2f} s"
        )


def contents(ground: HexGround) -> Contents:
    """Return what a hex is in the words of a map file."""
    return contents_of(Cell("", (0, 0), (BoardPart(0, ground, 0),)))


def bare(board: Board, archive: Archive) -> tuple[Board, float]:
    """Return a board read by its colours, as if there were no LOS data, and the processor time."""
    start = time.process_time()
    found = read_ground_by_colours(archive, board)
    import_boards(arrange([place_alone(found)]), [found])
    return found, time.process_time() - start


def compared(name: str, known: Board, read: Board) -> Agreement:
    """Compare the hexes of a board by LOS data with those by colours."""
    found = Agreement(name, doubts=len(read.doubts))
    doubtful = {one.where for one in read.doubts}
    wrong = set()
    for one in known.hexes:
        other = read.by_name.get(one.name)
        if other is None or one.ground is None:
            continue
        if other.ground is None:
            found.unknown += 1
            continue
        equal = _hex(found, contents(one.ground), contents(other.ground))
        found.wrong += not equal
        found.told += not equal and one.name in doubtful
        if not equal:
            wrong.add(one.name)
    found.ranked = [(one.why, one.where in wrong) for one in read.doubts if "/" not in one.where]
    return found


def _hex(found: Agreement, a: Contents, b: Contents) -> bool:
    materials = [one.house.material if one.house else "" for one in (a, b)]
    same = {"terrain": a.terrain == b.terrain, "level": a.level == b.level, "building": materials[0] == materials[1]}
    for part, equal in same.items():
        found.add(part, equal)
    found.add("equal", all(same.values()))
    if a.house and b.house:
        found.add("storeys", a.house.storeys == b.house.storeys)
    for side in range(6):
        for part, own, others in (("hexsides", a.hexsides, b.hexsides), ("roads", a.roads, b.roads)):
            if side in own or side in others:
                found.add(part, own.get(side) == others.get(side))
    return all(same.values())


def report(found: Iterable[Agreement]) -> None:
    """Print the sums of all boards."""
    rows = list(found)
    print(f"\n{len(rows)} boards with LOS data, {sum(one.there['equal'] for one in rows)} hexes")
    for part in PARTS:
        there = sum(one.there[part] for one in rows)
        print(f"{part:10} {100 * sum(one.same[part] for one in rows) / max(there, 1):.2f} % of {there}")
    reached = sum(one.share("equal") >= GOAL for one in rows)
    print(
        f"{reached} boards reach {GOAL:.0%}; {sum(one.told for one in rows)} of {sum(one.wrong for one in rows)} ",
        end="",
    )
    hexes = sum(len(one.ranked) for one in rows)
    print(f"wrong hexes are among {sum(one.doubts for one in rows)} doubts, {hexes} of hexes")
    print(f"{sum(one.unknown for one in rows)} hexes stay unknown; they count neither as equal nor as wrong")
    for most in FIRST:
        first = [wrong for one in rows for _, wrong in one.ranked[:most]]
        print(f"the first {most:3} hexes of each list: {sum(first)} wrong ones among {len(first)}")
    for why in REASONS:
        told = [wrong for one in rows for reason, wrong in one.ranked if reason == why]
        print(f"{why:36} {sum(told)} wrong ones among {len(told)}")


def main(folder: Path, names: list[str]) -> None:
    """Read boards of a folder and print the figures."""
    rows, seconds = [], [0.0]
    for path in sorted(folder.glob("bd*")) if not names else [folder / name for name in names]:
        try:
            archive = open_archive(path)
            known = board_of(archive)
            read, took = bare(known, archive)
        except LaagerError as err:
            print(f"{path.name:14} refused: {err}".replace(f"{folder}/", ""))
            continue
        seconds.append(took)
        if known.known:
            rows.append(compared(path.name, known, read))
            rows[-1].seconds = took
            print(rows[-1])
        else:
            print(
                f"{path.name:14} {len(read.hexes)} hexes by {read.by_colours}; {len(read.doubts)} doubts {took:.2f} s"
            )
    report(rows)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"the slowest import took {max(seconds):.2f} s of processor time; {memory} MB for all in one process")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
