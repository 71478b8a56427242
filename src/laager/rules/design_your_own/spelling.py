"""Types as the catalogue has them, of what people write: VASL's and the rulebook's spellings too."""

from __future__ import annotations

from typing import TypeVar

from laager.base.files import FilePart
from laager.campaign import Choice, Field, Option, Text
from laager.catalogue.dyo import DyoNation, mark_type
from laager.catalogue.dyo.spelling import REFERENCES, type_of
from laager.rules.design_your_own.charts import printed_charts
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.plan.wishes import Wishes
from laager.rules.design_your_own.state import GivenValue

P = TypeVar("P", bound=FilePart)

FORTIFICATIONS = "fortifications"


def spell_type(nation: DyoNation, text: str, *sections: str) -> str:
    """Return the type of some sections that a text names, however it is spelt; the text itself if it names none."""
    home, plain = nation.home(text), nation.plain_type(text)
    for section in sections:
        if section == FORTIFICATIONS:
            known = [row.type for row in printed_charts().fortifications.rows]
        else:
            known = [str(getattr(entry, "type", "")) for entry in home.entries_of(section)]
        type_ = type_of(plain, known, section, home.id, home.group)
        if type_ != plain:
            return mark_type(type_, nation.ally(text))
    return text


def type_field(label: str, options: tuple[Option, ...], nation: DyoNation, *sections: str) -> Field:
    """Return the field of an answer for one of some types of these sections, however it is spelt."""
    return Field("type", Choice(options, lambda text: spell_type(nation, text, *sections)), label)


def type_text(nation: DyoNation, *sections: str) -> Text:
    """Return the text that names a type of these sections, or a new one."""
    return Text(limit=40, spell=lambda text: spell_type(nation, text, *sections))


def _spell_entries(nation: DyoNation, section: str, entries: tuple[P, ...]) -> tuple[P, ...]:
    """Return entries with the catalogue's types; a type that nothing fits stays as it is written."""
    types = [spell_type(nation, str(getattr(entry, "type", "")), section) for entry in entries]
    return tuple(
        entry if type_ == getattr(entry, "type", "") else entry.model_copy(update={"type": type_})
        for entry, type_ in zip(entries, types, strict=True)
    )


def spell_value(value: GivenValue, nation: DyoNation) -> GivenValue:
    """Return a value from elsewhere with the types of the catalogue of its nation."""
    type_, read = value.type, value.value
    if value.section == "armament":
        vehicle, colon, weapon = type_.partition(": ")
        weapon = spell_type(nation, weapon, value.section)
        type_ = f"{spell_type(nation, vehicle, 'vehicles')}{colon}{weapon}"
    else:
        type_ = spell_type(nation, type_, value.section)
    target = REFERENCES.get((value.section, value.field))
    if target and isinstance(read, str):
        read = spell_type(nation, read, target)
    return value.model_copy(update={"type": type_, "value": read})


def spell_ob(ob: OrderOfBattle, nation: DyoNation) -> OrderOfBattle:
    """Return an order of battle from elsewhere with the types of the catalogue, however they are spelt in it."""
    guns = ob.ordnance.model_copy(update={"guns": _spell_entries(nation, "guns", ob.ordnance.guns)})
    tanks = ob.vehicles.model_copy(update={"entries": _spell_entries(nation, "vehicles", ob.vehicles.entries)})
    works = _spell_entries(nation, FORTIFICATIONS, ob.fortifications)
    sw = _spell_entries(nation, "support_weapons", ob.sw)
    return ob.model_copy(update={"ordnance": guns, "vehicles": tanks, "fortifications": works, "sw": sw})


def spell_wishes(wishes: Wishes, nation: DyoNation) -> Wishes:
    """Return wishes with the types of the catalogue, however they are spelt in them."""
    return wishes.model_copy(
        update={
            "platoons": _spell_entries(nation, "vehicles", wishes.platoons),
            "vehicles": _spell_entries(nation, "vehicles", wishes.vehicles),
            "guns": _spell_entries(nation, "guns", wishes.guns),
            "fortifications": _spell_entries(nation, FORTIFICATIONS, wishes.fortifications),
        }
    )
