"""Whose pieces a save's are, and what of it the side may see that reports from it.

Owners of hidden and concealed pieces have numbers only (`owners`). An owner belongs to a side if
all men and concealment counters that he hides, conceals or has put down are of that side's nation.
Of any other owner nothing hidden is seen, unless the side says which number is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from laager.base import Refusal, RefusedError
from laager.vasl.counters import Kind, own_status
from laager.vasl.game import Piece, Save, seen_by
from laager.vasl.stacks import settled

CODES: Mapping[str, frozenset[str]] = {
    "german": frozenset({"ge", "ss"}),
    "russian": frozenset({"ru"}),
    "partisan": frozenset({"ru"}),
    "american": frozenset({"am", "us"}),
    "british": frozenset({"br"}),
    "french": frozenset({"fr"}),
    "italian": frozenset({"it"}),
    "japanese": frozenset({"ja"}),
    "finnish": frozenset({"fi"}),
    "hungarian": frozenset({"hu"}),
    "axis-minor": frozenset({"ax"}),
    "allied-minor": frozenset({"al"}),
    "chinese": frozenset({"ch"}),
}
"""The codes that VASL's counters have, by the group of the catalogue's nation."""

MEN = frozenset({Kind.MMC, Kind.SMC, Kind.CONCEALMENT})
"""What tells whose owner somebody is: weapons and vehicles can be captured."""

ARMS = frozenset({Kind.SW, Kind.GUN, Kind.VEHICLE})


@dataclass(frozen=True)
class Nations:
    """The codes of the reporting side's nation, and of the enemy's."""

    own: frozenset[str]
    enemy: frozenset[str]

    def whose(self, code: str | None) -> str:
        """Return `own` or `enemy`; "" if the code does not tell."""
        if code in self.own and code not in self.enemy:
            return "own"
        if code in self.enemy and code not in self.own:
            return "enemy"
        return ""


def codes_of(group: str) -> frozenset[str]:
    """Return the codes of a nation's counters; nothing of a nation that VASL does not have."""
    return CODES.get(group, frozenset())


def owners_of(save: Save, nations: Nations) -> Mapping[int, frozenset[str]]:
    """Return by owner whose men (or else weapons) he hides, conceals or covers: own, enemy, ""."""
    men: dict[int, set[str]] = {}
    arms: dict[int, set[str]] = {}
    for piece in save.pieces:
        for owner in (piece.hidden_by, piece.concealed_by, piece.counter_of):
            if owner is None:
                continue
            whose = nations.whose(piece.nation)
            if piece.kind in MEN:
                men.setdefault(owner, set()).add(whose)
            elif piece.kind in ARMS:
                arms.setdefault(owner, set()).add(whose)
    return {owner: frozenset(men.get(owner) or arms[owner]) for owner in {*men, *arms}}


def visible(save: Save, nations: Nations, owner: int | None = None) -> tuple[Piece, ...]:
    """Return the pieces as the side may see them, their stacks read anew from these alone.

    `owner` is the number that the side says is its own; of one who hides for both sides only pieces
    of its nation are shown. Raises RefusedError for a number that cannot be its own.
    """
    whose = owners_of(save, nations)
    sure = {number for number, sides in whose.items() if sides == {"own"}}
    if owner is not None and whose.get(owner, frozenset({"enemy"})) == {"enemy"}:
        # One sentence for both: whether somebody else hides something is not told.
        sentence = f"owner {owner} of {save.file} hides or conceals nothing of yours"
        raise RefusedError(Refusal.NO_SUCH, sentence)

    def mine(piece: Piece) -> bool:
        holders = {one for one in (piece.hidden_by, piece.concealed_by) if one is not None}
        if holders <= sure:
            return True
        same = owner is not None and "enemy" not in whose[owner]
        return holders <= {*sure, owner} and (same or nations.whose(piece.nation) == "own")

    shown = {piece.id: piece for piece in seen_by(save)}
    found: dict[str, Piece] = {}
    for piece in save.pieces:
        if mine(piece):
            found[piece.id] = _bare(piece)
        elif piece.id in shown:
            found[piece.id] = _bare(shown[piece.id])
    return tuple(settled(found, save.stacks).values())


def _bare(piece: Piece) -> Piece:
    """Return a piece with what it tells of itself alone, not what its stack tells."""
    told = own_status(piece.name)
    if "moved" in piece.status:
        told = (*told, "moved")
    return replace(piece, level=None, stack=None, order=None, status=told, perhaps=())
