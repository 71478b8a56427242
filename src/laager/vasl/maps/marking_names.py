"""The hexes that changes to a map name, and everything that is wrong with the changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from laager.base import DataError, Problem
from laager.hexmap import HexMap
from laager.hexmap.coords import hex_advice, parse_range, side_key


class HexFinder:
    """Finds the hexes of changes on a map. `met` are those that changes touch, `settled` what is no longer doubtful."""

    def __init__(self, map_: HexMap) -> None:
        self.map = map_
        self.problems: list[Problem] = []
        self.met: set[str] = set()
        self.settled: set[str] = set()

    def wrong(self, change: str, problem: str, right: str = "") -> None:
        """Note what is wrong with a change."""
        self.problems.append(Problem(problem, right, change[:80]))

    def main_names(self, texts: Iterable[object]) -> list[str]:
        """Return the main names of the hexes and ranges that the file lists."""
        return [self.map.main(name) for text in texts for name in parse_range(str(text))]

    def hexes(self, change: str, texts: Sequence[str]) -> list[str]:
        """Return the main names of hexes; none if one is not on the map, which is then noted."""
        hexes: list[str] = []
        for text in texts:
            try:
                names = parse_range(text.strip())
            except DataError as err:
                for problem in err.problems:
                    self.wrong(change, problem.what, problem.right)
                return []
            for name in names:
                if name not in self.map:
                    known = [known_name for h in self.map.hexes.values() for known_name in (h.name, *h.aliases)]
                    self.wrong(change, f"there is no hex {name} on this map", hex_advice(name, known))
                    return []
                hexes.append(self.map.main(name))
        return list(dict.fromkeys(hexes))

    def way(self, change: str, texts: Sequence[str]) -> list[str]:
        """Return hexes from hex to hex, each next to the one before; none if that is wrong, which is then noted."""
        along: list[str] = []
        for text in texts:
            names = self.hexes(change, [text])
            if not names:
                return []
            along += [name for name in names if along[-1:] != [name]]
        for first, other in pairwise(along):
            if self.map.distance(first, other) != 1:
                self.wrong(change, f"{other} does not touch {first}, the hex before it", "name every hex on the way")
                return []
        return along

    def sides(self, change: str, texts: Sequence[str]) -> list[str]:
        """Return hexsides by their one name, `C4/C5`; none if one is not valid, which is then noted."""
        pairs = []
        for text in texts:
            ends = [self.hexes(change, [end]) for end in text.split("/")]
            if not all(ends):
                return []
            pair = [end[0] for end in ends]
            if [len(end) for end in ends] != [1, 1] or self.map.distance(*pair) != 1:
                self.wrong(change, f"{text} is not a hexside", "two hexes that touch, such as C4/C5")
                return []
            pairs.append("/".join(side_key(*pair)))
        return pairs

    def pieces(self, hexes: Sequence[str]) -> list[list[str]]:
        """Return hexes in groups of those that are next to one another, each in the order given."""
        left, groups = list(hexes), []
        while left:
            edge = [left.pop(0)]
            piece = set(edge)
            while edge:
                here = edge.pop()
                near = [name for name in left if self.map.distance(here, name) == 1]
                left = [name for name in left if name not in near]
                piece.update(near)
                edge += near
            groups.append([name for name in hexes if name in piece])
        return groups
