"""Ammunition and equipment of OBA modules (PL 2.35, 2.351, CG4)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Option, Procedure, SecretQuestion, Several, ask, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.facts import GroupChanged
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Group

TABLE = "oba-ammunition"
RADIO, PHONE = "radio", "field-phone"


@step("PL 2.35", "OBA ammunition", each_side=True, also=("PL 2.351",))
def oba_ammunition(cg: Cg, side: str) -> Procedure[None]:
    """A secret DR for every new OBA module; those of the OB get their radio or phone."""
    yield from given_equipment(cg, side)
    table = cg.table(TABLE)
    for module in new_modules(cg, side):
        rolled = yield from roll(
            side, f"Ammunition of {module.id}", Dice.DR, oba_modifiers(cg, side), secret=True, table=TABLE
        )
        strength = str(table.result(rolled.final))
        yield GroupChanged.of(module, f"{rolled}: {table.words(strength)}", "PL 2.351", ammunition=strength)


def modules(cg: Cg, side: str) -> Iterator[Group]:
    """Return the OBA modules that a side has and may still use, oldest first (PL CG7)."""
    for group in cg.state.groups_of(side):
        line = cg.side(side).group(group.rg)
        if line is not None and line.kind is RgKind.OBA and not group.used and not group.lost:
            yield group


def new_modules(cg: Cg, side: str) -> list[Group]:
    """Return the modules whose ammunition is not yet known."""
    return [module for module in modules(cg, side) if not module.ammunition]


@implements("PL 2.351")
def oba_modifiers(cg: Cg, side: str) -> tuple[Modifier, ...]:
    """Return the DRM of the ammunition DR: the card's, and that for an Attack Option."""
    table = cg.table(TABLE)
    card = cg.side(side)
    return (
        table.modifier("card", value=card.drm.oba),
        table.modifier("historical", value=card.historical.oba),
        table.modifier("attack-option", times=int(cg.state.side(side).attack)),
    )


@implements("PL CG4")
def given_equipment(cg: Cg, side: str) -> Procedure[None]:
    """Ask for radio or field phone of the modules that the OB gives; a buyer chose when buying."""
    given = [module for module in new_modules(cg, side) if not module.equipment]
    if not given:
        return
    text = "Which of your OBA modules take a field phone instead of a radio?"
    form = Several(tuple(Option(module.id) for module in given))
    phones = yield from ask(SecretQuestion("field-phones", side, text, form, "PL CG4"))
    for module in given:
        equipment = PHONE if module.id in phones else RADIO
        why = f"{module.id} takes a {equipment.replace('-', ' ')}"
        yield GroupChanged.of(module, why, "PL CG4", equipment=equipment)
