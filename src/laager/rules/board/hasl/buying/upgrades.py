"""Upgrades: what makes a better fortification of one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Upgrade:
    """What an upgrade is made of and what it makes; an empty size is any, or as bought."""

    old: str
    new: str
    old_size: str = ""
    new_size: str = ""

    def fits(self, kind: str, size: str) -> bool:
        """True if it can be made of a fortification of this kind and size (`3S`, or `3`)."""
        # Some charts write a 3S foxhole as 3.
        sizes = (self.old_size, self.old_size[:-1])
        return kind == self.old and (not self.old_size or size in sizes)

    @property
    def needs(self) -> str:
        """What it is made of, in words."""
        return f"{self.old_size} {self.old}".strip()


UPGRADES: Mapping[str, Upgrade] = {
    "trench-upgrade": Upgrade("foxhole", "trench"),
    "pillbox-upgrade": Upgrade("trench", "pillbox"),
}
"""The upgrades by their kinds, of a Foxhole and of a Trench, with no sizes of their own."""
