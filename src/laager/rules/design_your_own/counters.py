"""How many pieces there are: nobody buys more than one game contains (H1.11, H1.12)."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.reckoning import Breach, Reason, Unknown


@implements("DYO H1.11")
def squad_counters() -> int:
    """Return how many squads of a type one game has: one for each letter, A to Z."""
    return charts().counters.squads_of_a_type


@implements("DYO H1.11")
def counter_breach(
    name: str, held: int, adding: int, total: int | None, *, extra_pieces: bool = False
) -> Breach | Unknown | None:
    """Say whether more of a piece are wanted than one game has.

    `held` counts both sides and every line of the type; `total` is None if nobody knows it: then
    the answer is Unknown, a warning and no refusal. `extra_pieces` are those agreed on.
    """
    if extra_pieces or adding <= 0:
        return None
    if total is None:
        return Unknown(f"how many {name} one game has", "DYO H1.11")
    if held + adding <= total:
        return None
    left = max(total - held, 0)
    what = f"{adding} more {name} with {held} in use"
    right = f"one game has {total}, so {left} can be had" if left else f"one game has {total}"
    return Breach(Reason.COUNTERS, "DYO H1.11", what, right)


@implements("DYO H1.12")
def armament_breach(
    weapon: str, equipped: int, adding: int, counters: int | None, *, agreed: bool = False
) -> Breach | Unknown | None:
    """Say whether more optional weapons are wanted than the counters of one game show."""
    if agreed or adding <= 0:
        return None
    if counters is None:
        return Unknown(f"how many counters show the optional {weapon}", "DYO H1.12")
    if equipped + adding <= counters:
        return None
    what = f"{equipped + adding} vehicles with the optional {weapon}"
    return Breach(Reason.COUNTERS, "DYO H1.12", what, f"the counters of one game show {counters}")


@implements("DYO H1.12")
def arrangement_breach(
    weapons: frozenset[str], arrangements: frozenset[frozenset[str]], *, agreed: bool = False
) -> Breach | None:
    """Say whether a vehicle's optional weapons are together on no counter of its type.

    `arrangements` are those that the counters show; none at all means that nothing is known.
    """
    if agreed or not weapons or not arrangements or weapons in arrangements:
        return None
    shown = " or ".join(sorted(" and ".join(sorted(group)) for group in arrangements))
    what = f"no counter has just {' and '.join(sorted(weapons))}"
    return Breach(Reason.ARRANGEMENT, "DYO H1.12", what, f"there is {shown}")
