"""Fortifications in a ruling: which there are, where, how strong, and who knows of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.base import did_you_mean
from laager.base.files import Where
from laager.campaign import UMPIRE
from laager.catalogue import load_fortifications
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import FortGone, FortJoined
from laager.rules.board.numbering import join_fort
from laager.rules.board.places import place_problem, room_of
from laager.rules.board.rulings.draft import WHY, RulingDraft
from laager.rules.board.rulings.facts import FortHidden
from laager.rules.board.rulings.files import AddedFort, RuledFort
from laager.rules.board.units import Fort

FIELDS = tuple(name for name in RuledFort.model_fields if name not in ("gone", "at", "hidden"))
"""What a line says of a fortification besides where it is, if it is hidden, and if it is there at all."""


def rule_forts(draft: RulingDraft, known: Mapping[str, RuledFort], new: tuple[AddedFort, ...]) -> None:
    """Take what a ruling's file says of fortifications."""
    for name, line in known.items():
        _change(draft, name, line)
    for i, fresh in enumerate(new):
        _join(draft, fresh, ("new", "forts", i))


def _join(draft: RulingDraft, line: AddedFort, where: Where) -> None:
    if line.side not in SIDES:
        draft.refuse((*where, "side"), f"there is no side {line.side}", did_you_mean(line.side, SIDES))
        return
    sorts = load_fortifications()
    if line.kind not in sorts:
        draft.refuse((*where, "kind"), f"there is no fortification {line.kind}", did_you_mean(line.kind, sorts))
        return
    if not draft.may_add_to(line.side, where):
        return
    changes = _changes(draft, line, line.side, line.kind, where)
    if changes is None:
        return
    joined = join_fort(draft.whole, line.side, line.kind, why=WHY)
    hidden = line.hidden is not False
    fort = joined.fort.but(**changes, hidden=hidden)
    draft.take([FortJoined(fort=fort, why=WHY, to=(line.side,) if hidden else None)])


def _change(draft: RulingDraft, name: str, line: RuledFort) -> None:
    where: Where = ("forts", name)
    number = name.strip().upper()
    fort = draft.seen.state.forts.get(number)
    if fort is None:
        draft.refuse_unknown(where, name, number, "fortification", draft.seen.state.forts)
        return
    audience = (fort.side,) if fort.hidden else None
    if line.gone:
        draft.take([FortGone(fort=number, why=WHY, to=audience)])
        return
    if line.kind is not None and line.kind not in load_fortifications():
        right = did_you_mean(line.kind, load_fortifications())
        draft.refuse((*where, "kind"), f"there is no fortification {line.kind}", right)
        return
    changes = _changes(draft, line, fort.side, line.kind or fort.kind, where)
    if changes is None:
        return
    _write(draft, fort, {key: value for key, value in changes.items() if value != getattr(fort, key)}, line, where)


def _write(draft: RulingDraft, fort: Fort, changes: dict[str, Any], line: RuledFort, where: Where) -> None:
    """Put a fortification right, and show it to the enemy or hide it again."""
    hidden = fort.hidden if line.hidden is None else line.hidden
    if hidden != fort.hidden and draft.by not in (UMPIRE, fort.side):
        draft.refuse((*where, "hidden"), "what you know of the enemy follows from what is shown", "leave it out")
        return
    if hidden and not fort.hidden:
        draft.take([FortHidden(fort=fort.id, side=fort.side, why=WHY)])
    if changes or hidden != fort.hidden:
        changed = draft.seen.state.forts[fort.id].but(**changes, hidden=hidden)
        draft.take([FortJoined(fort=changed, why=WHY, to=(fort.side,) if hidden else None)])


def _changes(draft: RulingDraft, line: RuledFort, side: str, kind: str, where: Where) -> dict[str, Any] | None:
    """Return what a line says of a fortification; None, with problems noted, if something is wrong with it."""
    before = len(draft.problems)
    changes = {name: getattr(line, name) for name in FIELDS if getattr(line, name) is not None}
    for name in ("factors", "count", "fp", "firefight"):
        least = 1 if name in ("count", "firefight") else 0
        if changes.get(name, least) < least:
            draft.refuse((*where, name), f"{changes[name]} is too small", f"{least} or more")
    if line.at:
        wrong = place_problem(draft.seen, side, line.at.strip().removesuffix(".p"))
        if wrong is not None:
            draft.refuse((*where, "at"), *wrong)
        else:
            changes["at"] = room_of(kind, draft.seen.map.main_location(line.at.strip().removesuffix(".p")))
    elif line.at == "":
        changes["at"] = None
    return changes if len(draft.problems) == before else None
