"""What players read: the Purchase Roster, what is on offer, and what a roll can bring."""

from __future__ import annotations

from laager.campaign import Column


def columns_of(*names: str) -> tuple[Column, ...]:
    """Return the columns of a sheet by their heads; figures stand to the right under heads that end in `>`."""
    return tuple(Column(name[:-1], "right") if name.endswith(">") else Column(name) for name in names)
