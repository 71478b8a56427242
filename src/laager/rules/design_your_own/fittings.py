"""Schuerzen and Gyrostabilizers: a dr for each AFV (H1.42)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from laager.campaign import implements
from laager.dice import Modifier
from laager.rules.design_your_own.charts import charts, dyo_tables
from laager.rules.design_your_own.dates import Month
from laager.rules.design_your_own.reckoning import Breach, Reason
from laager.tables import Table

BOTH = "both"


class Fitting(StrEnum):
    """What an AFV can have; the value is the symbol of its wreck side."""

    SCHUERZEN = "Sz"
    GYRO = "G"

    @property
    def words(self) -> str:
        """What players call it."""
        return "Schuerzen" if self is Fitting.SCHUERZEN else "a Gyrostabilizer"


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a dr gives an AFV: received or not, and the points to be paid if it is kept."""

    received: bool
    cost: int


def table() -> Table:
    """Return the table of Schuerzen and Gyrostabilizers."""
    return dyo_tables()["sz-gyro"]


COLUMNS = (
    (Month(1941, 12), None),
    (Month(1942, 12), "1942"),
    (Month(1943, 6), "1943-jan-jun"),
    (Month(1943, 9), "1943-jul-sep"),
    (Month(1943, 12), "1943-oct-dec"),
    (Month(1944, 3), "1944-jan-mar"),
    (Month(1944, 6), "1944-apr-jun"),
    (Month(1944, 12), "1944-jul-dec"),
    (Month(1945, 12), "1945"),
)
"""The last month of each column of the table; before 1942 there is none."""


def column_of(month: Month) -> str | None:
    """Return the column of a month, None where there is neither."""
    return next((name for last, name in COLUMNS if month <= last), None)


@implements("DYO H1.42")
def fitting_modifiers(
    fitting: Fitting, *, lend_lease: bool = False, us_crew: bool = False, other: int = 0
) -> tuple[Modifier, ...]:
    """Return the drm: +1 for the Gyrostabilizer of a Lend-Lease AFV with a crew not of the U.S.

    `other` are modifiers of D11.1, which the players supply.
    """
    found = []
    if fitting is Fitting.GYRO and lend_lease and not us_crew:
        found.append(table().modifier("lend-lease"))
    if other:
        found.append(table().modifier("other", value=other))
    return tuple(found)


@implements("DYO H1.42", "DYO H1.42-T")
def fitted(fitting: Fitting, month: Month, final_dr: int) -> Fitted:
    """Return what a final dr gives; who declines it pays nothing."""
    name = column_of(month)
    found = None if name is None else table().result(final_dr, name)
    received = found in (BOTH, fitting.value)
    return Fitted(received, charts().fittings.prices[fitting.value] if received else 0)


@implements("DYO H1.42")
def fitting_breach(fitting: Fitting, symbols: Collection[str], name: str) -> Breach | None:
    """Say whether an AFV cannot have this: its wreck side lacks the symbol (D11)."""
    if fitting.value in symbols:
        return None
    what = f"{name} cannot have {fitting.words}"
    return Breach(Reason.CAPABILITY, "DYO H1.42", what, f"its wreck side shows no {fitting.value}")


@implements("DYO H1.42-T")
def odds_fitting(fitting: Fitting, month: Month, drm: int = 0) -> Mapping[bool, Fraction]:
    """Return the probability that it is received, and that it is not."""
    name = column_of(month)
    rows = () if name is None else table().odds(drm, name)
    ways = sum(row.ways for row in rows if row.value in (BOTH, fitting.value))
    return {True: Fraction(ways, 6), False: Fraction(6 - ways, 6)}
