"""Roads and streams that changes to a map lead on, cut, or take away; each hexside has one kind of either."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from laager.hexmap.coords import side_key
from laager.hexmap.terrain import ROADS
from laager.vasl.maps.mapwriter import Entries
from laager.vasl.maps.marking_names import HexFinder

PARTS = ("roads", "watercourses")
Link = tuple[str, str]


@dataclass
class _Way:
    """One entry of a file, by its number there; None if it is new. No hexes: it goes away."""

    kind: str
    along: list[str]
    number: int | None = None
    changed: bool = False

    @property
    def links(self) -> list[Link]:
        return [side_key(a, b) for a, b in pairwise(self.along)]

    def entry(self) -> dict[str, Any] | None:
        return {"kind": self.kind, "along": self.along} if self.along else None


class Ways:
    """The roads and watercourses of a map file."""

    def __init__(self, data: Mapping[str, Any], named: HexFinder) -> None:
        self.before = {part: list(data.get(part) or ()) for part in PARTS}
        self.ways = {
            part: [_Way(entry["kind"], named.main_names(entry["along"]), i) for i, entry in enumerate(entries)]
            for part, entries in self.before.items()
        }

    def lead(self, kind: str, along: Sequence[str]) -> None:
        """Let a road or stream lead along hexes, in place of another kind of road or stream."""
        ways = self.ways[_part(kind)]
        own = {link for way in ways if way.kind == kind for link in way.links}
        links = {side_key(a, b) for a, b in pairwise(along)}
        self._cut(ways, links - own, [way.kind for way in ways if way.kind != kind])
        run = list(along[:1])
        for a, b in pairwise(along):
            if side_key(a, b) in own:
                self._join(ways, kind, run)
                run = [b]
            else:
                own.add(side_key(a, b))
                run.append(b)
        self._join(ways, kind, run)

    def cut(self, kind: str, along: Sequence[str]) -> None:
        """Take a road or stream away between hexes, or all of it that touches a single hex."""
        ways = self.ways[_part(kind)]
        links = {side_key(a, b) for a, b in pairwise(along)}
        if len(along) == 1:
            links = {link for way in ways for link in way.links if along[0] in link}
        self._cut(ways, links, [kind])

    def changes(self) -> dict[str, Entries]:
        """Return what becomes of the entries of the file."""
        entries = {}
        for part, ways in self.ways.items():
            changed = {way.number: way.entry() for way in ways if way.number is not None and way.changed}
            added = [entry for way in ways if way.number is None and (entry := way.entry())]
            if changed or added:
                entries[part] = Entries(self.before[part], changed, added)
        return entries

    def _cut(self, ways: list[_Way], links: Collection[Link], kinds: Iterable[str]) -> None:
        kinds = frozenset(kinds)
        for way in list(ways):
            cuts = [i for i, link in enumerate(way.links, 1) if link in links] if way.kind in kinds else []
            if not cuts:
                continue
            pieces = [way.along[m:n] for m, n in pairwise([0, *cuts, len(way.along)])]
            kept = [piece for piece in pieces if len(piece) > 1]
            way.along, way.changed = kept[0] if kept else [], True
            ways += [_Way(way.kind, piece) for piece in kept[1:]]

    def _join(self, ways: list[_Way], kind: str, run: list[str]) -> None:
        """Add hexes to the end of a way of the kind that is there, or as a new one."""
        if len(run) < 2:
            return
        for way in (candidate for candidate in ways if candidate.kind == kind and candidate.along):
            for along in (run, run[::-1]):
                if way.along[-1] == along[0]:
                    way.along, way.changed = way.along + along[1:], True
                    return
                if way.along[0] == along[-1]:
                    way.along, way.changed = along[:-1] + way.along, True
                    return
        ways.append(_Way(kind, list(run)))


def _part(kind: str) -> str:
    return PARTS[0] if kind in ROADS else PARTS[1]
