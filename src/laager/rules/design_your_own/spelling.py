"""Types as the catalogue has them, of what people write: VASL's and the rulebook's spellings too."""

from __future__ import annotations

from typing import TypeVar

from laager.base.files import FilePart
from laager.catalogue.dyo import DyoNation
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.exports.vasl_names import type_of
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.plan.wishes import Wishes

P = TypeVar("P", bound=FilePart)


def _spelled(nation: DyoNation, section: str, entries: tuple[P, ...]) -> tuple[P, ...]:
    """Return entries with the catalogue's types; a type that nothing fits stays as it is written."""
    if section == "fortifications":
        known = [row.type for row in charts().fortifications.rows]
    else:
        known = [entry.key for entry in nation.found(section)]
    types = [type_of(str(getattr(entry, "type", "")), known, section, nation.id, nation.group) for entry in entries]
    return tuple(
        entry if type_ == getattr(entry, "type", "") else entry.model_copy(update={"type": type_})
        for entry, type_ in zip(entries, types, strict=True)
    )


def spell_ob(ob: OrderOfBattle, nation: DyoNation) -> OrderOfBattle:
    """Return an order of battle from elsewhere with the types of the catalogue, however they are spelt in it."""
    guns = ob.ordnance.model_copy(update={"guns": _spelled(nation, "guns", ob.ordnance.guns)})
    tanks = ob.vehicles.model_copy(update={"entries": _spelled(nation, "vehicles", ob.vehicles.entries)})
    works = _spelled(nation, "fortifications", ob.fortifications)
    sw = _spelled(nation, "support_weapons", ob.sw)
    return ob.model_copy(update={"ordnance": guns, "vehicles": tanks, "fortifications": works, "sw": sw})


def spell_wishes(wishes: Wishes, nation: DyoNation) -> Wishes:
    """Return wishes with the types of the catalogue, however they are spelt in them."""
    return wishes.model_copy(
        update={
            "platoons": _spelled(nation, "vehicles", wishes.platoons),
            "vehicles": _spelled(nation, "vehicles", wishes.vehicles),
            "guns": _spelled(nation, "guns", wishes.guns),
            "fortifications": _spelled(nation, "fortifications", wishes.fortifications),
        }
    )
