"""The order of battle: its sums, by section and in all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laager.rules.design_your_own.ob import (
    SECTIONS,
    AirEntry,
    Arm,
    BatteryEntry,
    Dr,
    GunEntry,
    InfantryEntry,
    Leaders,
    OrderOfBattle,
    Ordnance,
    VehicleEntry,
    Vehicles,
    WorkEntry,
)
from tests.tries import tries


def german() -> OrderOfBattle:
    """The purchase of the printed example, as far as its lines are known."""
    lines = [
        ("4-6-8", 3, 15, ()),
        ("4-6-8", 4, 22, ("sapper",)),
        ("8-3-8", 3, 34, ("assault-engineer",)),
        ("4-6-7", 12, 12, ()),
        ("4-3-6", 10, 7, ()),
    ]
    infantry = [
        InfantryEntry(type=t, number=n, each=each, total=n * each, capabilities=marks) for t, n, each, marks in lines
    ]
    second = InfantryEntry(type="4-6-8", number=3, each=15, total=45, purchase="second")
    bonus = InfantryEntry(type="4-6-7", number=5, purchase="bonus")
    tanks = tuple(VehicleEntry(type="PzIVH", id=letter, bpv=73) for letter in "ABC")
    batteries = (
        BatteryEntry(dr=Dr(final=10), size="70+", bpv=63, bought=True, letter="A", total=63),
        BatteryEntry(
            dr=Dr(final=2), size="80+", sort="M", bpv=92, bought=True, letter="B",
            ammunition="plentiful", total=111,
        ),
        BatteryEntry(dr=Dr(final=6), size="150+", bpv=170),
    )  # fmt: skip
    return OrderOfBattle(
        side="axis",
        nation="german",
        allotment=1000,
        infantry=(*infantry, second, bonus),
        ordnance=Ordnance(guns=(GunEntry(type="88L AA", number=2, each=56, total=112),)),
        vehicles=Vehicles(availability=Dr(final=10), entries=tanks),
        oba=batteries,
    )


def test_the_printed_example_balances() -> None:
    ob = german()
    assert ob.mpv("first") == 449
    assert ob.vehicles.spent == 219
    assert ob.spent["oba"] == 174
    assert list(ob.subtotals.values()) == [551, 551, 439, 220, 46, 46, 1]
    assert ob.left == 1
    assert [battery.letter for battery in ob.batteries] == ["A", "B"]


def test_what_was_declined_costs_nothing() -> None:
    air = AirEntry(dr=Dr(final=4), number=3, cost=0)
    assert german().model_copy(update={"air": air}).left == 1


def test_a_vehicle_costs_what_is_on_it() -> None:
    tank = VehicleEntry(type="M4", id="A", bpv=70, arms=(Arm(name="AAMG", cost=4),), fittings=("G",), fitting_cost=5)
    assert tank.total == 79
    section = Vehicles(motorized=100, entries=(tank,))
    assert section.spent == 179
    assert section.find("M4:A") is tank
    assert section.find("M4:B") is None


def test_leaders_are_counted() -> None:
    assert Leaders(count=10, extra="7-0", held={"7-0": 1, "8-0": 3}).total == 4


entries = st.builds(
    InfantryEntry,
    type=st.sampled_from(["4-6-7", "4-4-7"]),
    number=st.integers(1, 9),
    total=st.integers(0, 300),
    purchase=st.sampled_from(["first", "second"]),
)
works = st.builds(WorkEntry, type=st.just("wire"), number=st.integers(1, 9), total=st.integers(0, 99))


@given(st.lists(entries, max_size=6), st.lists(works, max_size=6), st.integers(0, 90))
@tries(50)
def test_subtotals_always_balance(infantry: list[InfantryEntry], forts: list[WorkEntry], san: int) -> None:
    ob = OrderOfBattle(
        side="allied",
        nation="russian",
        allotment=5000,
        infantry=tuple(infantry),
        fortifications=tuple(forts),
        san_cost=san,
    )
    everything = sum(e.total for e in infantry) + sum(w.total for w in forts) + san
    assert ob.total == everything
    assert tuple(ob.subtotals) == SECTIONS
    assert ob.subtotals[SECTIONS[-1]] == ob.left == 5000 - everything


def test_a_file_keeps_everything() -> None:
    ob = german()
    data = ob.model_dump(mode="json", exclude_defaults=True)
    assert OrderOfBattle.model_validate(data) == ob
