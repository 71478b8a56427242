"""What a side needs in the battle, on one form: how things stand, when play ends, who enters, rules to remember."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from laager.campaign import Handling, Moment, Sheet
from laager.campaign.house.in_campaign import list_reminders
from laager.rules.board.sheets.battle import KEY
from laager.sheets.desk import Desk
from laager.sheets.leaf import Block, FormLine, FormTable, Leaf, Lines, SideBySide
from laager.sheets.offer import FormOffer
from laager.sheets.records import grid_of
from laager.sheets.setup import pairs


def battle_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the form of each side whose secrets the viewer knows, while a battle is fought."""
    if desk.over:
        return
    for side in desk.sides:
        sheets = {sheet.id: sheet for sheet in desk.sheets_beside(KEY, side)} if desk.mine(side) else {}
        if "battle-standing" in sheets:
            yield _offer(desk, side, sheets)


def _offer(desk: Desk, side: str, sheets: Mapping[str, Sheet]) -> FormOffer:
    title = desk.of_side(desk.words("The battle"), side)

    def make() -> Leaf:
        return Leaf(title, desk.boxes(side), tuple(_blocks(desk, sheets)))

    return FormOffer("battle", title, side, make, tuple(sheets.values()))


def _blocks(desk: Desk, sheets: Mapping[str, Sheet]) -> Iterator[Block]:
    words = desk.words
    yield pairs(words, words("How it stands"), sheets["battle-standing"])
    yield grid_of(desk, sheets["battle-numbers"])
    yield _side_by_side(grid_of(desk, sheets[name]) for name in ("battle-end", "battle-oba"))
    if sheets["battle-entering"].rows:
        yield grid_of(desk, sheets["battle-entering"])
    held = {sheet.id: sheet for sheet in desk.sheets if sheet.id in ("rules", "rules-now") and sheet.rows}
    if "rules" in held:
        yield pairs(words, words("Special rules"), held["rules"])
    if "rules-now" in held:
        yield pairs(words, words("Rules in force"), held["rules-now"])
    reminders = tuple(_reminders(desk))
    if reminders:
        yield Lines(words("To be remembered in play"), reminders, wide=62)


def _side_by_side(grids: Iterable[FormTable]) -> Block:
    """Return tables side by side, without those that would be empty."""
    held = tuple(grid for grid in grids if grid.rows)
    return held[0] if len(held) == 1 else SideBySide(held)


def _reminders(desk: Desk) -> Iterator[FormLine]:
    """Yield the clauses that players apply themselves while they play."""
    for clause in list_reminders(desk.campaign.context, desk.ruleset.package, Moment.PLAY):
        if clause.handling is Handling.REMINDED:
            yield FormLine(clause.id, " ".join(clause.text.split()), clause.title)
