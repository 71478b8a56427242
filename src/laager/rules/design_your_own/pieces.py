"""Guns and vehicles of the catalogue as the rules reckon them."""

from __future__ import annotations

from laager.catalogue.dyo import UNKNOWN, Armament, DyoGun, DyoVehicle, Month, Unknown
from laager.rules.design_your_own.lines import known
from laager.rules.design_your_own.ordnance import Wanted
from laager.rules.design_your_own.vehicles import OptionalWeapon

LACKING = "{} lacks values; add them to the catalogue"
"""Why a piece can't be chosen whose price or rarity nobody has entered."""


def priced(piece: DyoGun | DyoVehicle, month: Month) -> bool:
    """Whether the catalogue tells price and rarity of a Gun or vehicle."""
    return known(piece.bpv) and piece.rf.at(month) is not UNKNOWN


def wanted(piece: DyoGun | DyoVehicle, month: Month, number: int = 1, held: int = 0) -> Wanted:
    """Return so many of a Gun or vehicle as the rules judge them; it must be `priced`."""
    rf = piece.rf.at(month)
    return Wanted(
        name=piece.type,
        bpv=plain(piece.bpv),
        rf=None if isinstance(rf, Unknown) else rf,
        number=number,
        counters=plain(piece.counters),
        held=held,
    )


def weapons_of(arms: tuple[Armament, ...], month: Month) -> tuple[OptionalWeapon, ...]:
    """Return the optional weapons of a vehicle as the rules judge them; unknown ones are barred.

    An RF that nobody has entered counts as one that cannot be had.
    """
    found = []
    for arm in arms:
        rf = arm.rf.at(month)
        found.append(
            OptionalWeapon(
                name=arm.type,
                rf=None if isinstance(rf, Unknown) else rf,
                fp=plain(arm.fp),
                bpv=plain(arm.bpv),
                vehicles_with_it=plain(arm.counters),
                on_counter=arm.on_counter,
            )
        )
    return tuple(found)


def plain(value: int | Unknown | None) -> int | None:
    """Return a number of the catalogue, None if nobody has entered it."""
    return value if isinstance(value, int) else None


def price_words(piece: DyoGun | DyoVehicle, month: Month) -> str:
    """Return price, rarity and counters of a piece, as an option shows them."""
    counters = f", {piece.counters} counters" if known(piece.counters) else ""
    return f"BPV {piece.bpv}, RF {piece.rf.at(month)}{counters}"
