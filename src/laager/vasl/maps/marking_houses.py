"""Buildings that changes to a map put up, join, change and pull down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.vasl.maps.mapwriter import Entries, compact
from laager.vasl.maps.marking_names import HexFinder


@dataclass
class _House:
    """One entry of a file, by its number there; None if it is new. `more` is what else the entry says."""

    more: dict[str, Any]
    hexes: list[str]
    lower: dict[str, int] = field(default_factory=dict)
    number: int | None = None
    changed: bool = True

    @property
    def levels(self) -> int:
        return int(self.more.get("levels", 0))

    def level_in(self, name: str) -> int:
        return self.lower.get(name, self.levels)

    def set_levels(self, levels: Mapping[str, int]) -> None:
        """Take the storeys of each hex."""
        most = max(levels.values(), default=0)
        self.more["levels"] = most
        self.lower = {name: fewer for name, fewer in levels.items() if fewer < most}
        self.changed = True

    def entry(self) -> dict[str, Any] | None:
        if not self.hexes:
            return None
        lower = {"levels_at": self.lower} if self.lower else {}
        return {**self.more, **lower, "hexes": compact(self.hexes)}


class Houses:
    """The buildings of a map file."""

    def __init__(self, data: Mapping[str, Any], named: HexFinder) -> None:
        self.named = named
        self.before = list(data.get("buildings") or ())
        self.houses = [self._read(entry, number) for number, entry in enumerate(self.before)]

    def _read(self, entry: Mapping[str, Any], number: int) -> _House:
        more = {key: value for key, value in entry.items() if key not in {"hexes", "levels_at"}}
        lower = {
            name: int(fewer)
            for text, fewer in (entry.get("levels_at") or {}).items()
            for name in self.named.main_names([text])
        }
        return _House(more, self.named.main_names(entry["hexes"]), lower, number, changed=False)

    def at(self, name: str) -> _House | None:
        """Return the building in a hex."""
        return next((house for house in self.houses if name in house.hexes), None)

    def build(self, change: str, hexes: Sequence[str], material: str, storeys: int) -> bool:
        """Put one building up; False if that is wrong, which is then noted."""
        taken = next((name for name in hexes if self.at(name)), "")
        if taken:
            right = f"pull it down first: {taken}=-building"
            self.named.wrong(change, f"{taken} has a building already", right)
            return False
        if len(self.named.pieces(hexes)) > 1:
            self.named.wrong(change, "these hexes are not next to one another", "one change for each building")
            return False
        self.houses.append(_House({"material": material, "levels": storeys}, list(hexes)))
        return True

    def join(self, change: str, hexes: Sequence[str]) -> None:
        """Make hexes and all buildings in them one building, like the first of them."""
        houses = list({id(house): house for name in hexes if (house := self.at(name))}.values())
        if not houses:
            self.named.wrong(change, "there is no building in these hexes", "say of what it is, such as stone:1")
            return
        first = houses[0]
        all_hexes = list(dict.fromkeys([*(name for house in houses for name in house.hexes), *hexes]))
        if len(self.named.pieces(all_hexes)) > 1:
            self.named.wrong(change, "these hexes are not next to one another", "one change for each building")
            return
        holders = {name: house for house in houses for name in house.hexes}
        levels = {name: holders.get(name, first).level_in(name) for name in all_hexes}
        if len(all_hexes) > len(first.hexes):
            self.named.met.update(all_hexes)
            for house in houses[1:]:
                house.hexes, house.lower, house.changed = [], {}, True
            first.hexes = all_hexes
            first.set_levels(levels)

    def raze(self, hexes: Sequence[str]) -> None:
        """Pull down what stands in hexes; what is left of a building stays, piece by piece."""
        for house in list(self.houses):
            left = [name for name in house.hexes if name not in hexes]
            if len(left) == len(house.hexes):
                continue
            levels = {name: house.level_in(name) for name in left}
            self.named.met.update(house.hexes)
            house.hexes, house.lower, house.changed = [], {}, True
            for i, piece in enumerate(self.named.pieces(left)):
                part = house if i == 0 else _House(dict(house.more), [])
                part.hexes = piece
                part.set_levels({name: levels[name] for name in piece})
                if i:
                    self.houses.append(part)

    def storeys(self, change: str, hexes: Sequence[str], storeys: int) -> None:
        """Give buildings a number of storeys above the ground, in all their hexes."""
        for house in self._all(change, hexes):
            if house.levels != storeys or house.lower:
                house.set_levels(dict.fromkeys(house.hexes, storeys))

    def cellar(self, change: str, hexes: Sequence[str], *, present: bool) -> None:
        """Give buildings a cellar, or take it away."""
        for house in self._all(change, hexes):
            if bool(house.more.get("cellar")) != present:
                house.more["cellar"] = present
                house.changed = True

    def _all(self, change: str, hexes: Sequence[str]) -> list[_House]:
        unbuilt = next((name for name in hexes if self.at(name) is None), "")
        if unbuilt:
            self.named.wrong(change, f"{unbuilt} has no building", "put one up first, such as stone:1")
            return []
        houses = list({id(house): house for name in hexes if (house := self.at(name))}.values())
        self.named.met.update(name for house in houses for name in house.hexes)
        return houses

    def changes(self) -> dict[str, Entries]:
        """Return what becomes of the entries of the file."""
        changed = {house.number: house.entry() for house in self.houses if house.number is not None and house.changed}
        added = [entry for house in self.houses if house.number is None and (entry := house.entry())]
        return {"buildings": Entries(self.before, changed, added)} if changed or added else {}
