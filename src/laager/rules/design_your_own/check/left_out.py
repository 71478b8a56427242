"""What a house leaves out of the rules, held against an order of battle that has it all the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from laager.base.files import Where
from laager.rules.design_your_own.answers import Reason
from laager.rules.design_your_own.check.review import Review
from laager.rules.design_your_own.ob import OrderOfBattle

LEFT_OUT: Mapping[str, tuple[Where, Callable[[OrderOfBattle], object]]] = {
    "DYO H1.29": (("san_cost",), lambda ob: ob.san_cost),
    "DYO H1.41": (("vehicles",), lambda ob: any(entry.arms_dr for entry in ob.vehicles.entries)),
    "DYO H1.42": (("vehicles",), lambda ob: any(entry.fittings for entry in ob.vehicles.entries)),
    "DYO H1.43": (("vehicles", "trios"), lambda ob: ob.vehicles.trios),
    "DYO H1.46": (("vehicles",), lambda ob: any(entry.op for entry in ob.vehicles.entries)),
    "DYO H1.5": (("oba",), lambda ob: ob.oba),
    "DYO H1.531": (("air",), lambda ob: ob.air),
    "DYO H1.6": (("fortifications",), lambda ob: ob.fortifications),
    "DYO H1.7": (("infantry",), lambda ob: ob.infantry_of_purchase("second")),
    "DYO H1.73": (("infantry",), lambda ob: ob.infantry_of_purchase("bonus")),
    "DYO H1.82": (
        ("leaders", "exchange"),
        lambda ob: any(own and own.exchange for own in (ob.leaders, *ob.allied_leaders.values())),
    ),
    "DYO H1.84": (("reinforcement_leaders",), lambda ob: ob.reinforcement_leaders or ob.reinforcement_groups),
}
"""Where an order of battle has what a clause gives, by the clauses that a house can leave out."""


def left_out_rules(review: Review) -> None:
    """Note what the side has of clauses that its house leaves out."""
    house = review.cg.house
    for clause, (where, has) in LEFT_OUT.items():
        if house.is_off(clause) and has(review.ob):
            title = house.index[clause].title
            message = f"{title}: your house rules leave this out"
            review.broken(where, Reason.NOT_FOR_SALE, clause, message, "leave it out here, too")
