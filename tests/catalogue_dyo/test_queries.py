"""What a nation can buy in a month, and what becomes of it when files and answers are added."""

from __future__ import annotations

from decimal import Decimal

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.catalogue import Column
from laager.catalogue.dyo import (
    UNKNOWN,
    Battery,
    DyoCatalogue,
    DyoNation,
    GivenEntry,
    Month,
    OriginKind,
    catalogue_data,
    from_data,
    load_dyo,
)

TEXT = """\
laager: dyo-catalogue/1
nation: testland
name: Testland
source: p. 7
group: axis-minor
capabilities: {lg: {..1942: 6, 1943..: 5}, pf_range: {1944: 1}, column: finn, partisan: true,
  commissars: {..1942-10: true}, air_number: {1943: 3}, fraction_leader: 8-0, ladder: [8-0, 9-0]}
squads:
  - {type: 4-6-8, class: elite, bpv: 13, half: 2-4-8, dates: 1943.., ski_included: true}
  - {type: 4-6-7, class: green, bpv: 9, half: none, dates: always, pf_range: none,
      elr: 5, counters: 9}
  - {type: 4-2-6, class: conscript, dates: ..1941, must_be: [commando]}
  - {type: 2-4-8, kind: half-squad, class: elite, bpv: 7, dates: 1943.., equivalent: 1}
  - {type: 2-2-8, kind: crew, dates: always}
leaders: [{type: 8-0, counters: 4}, {type: 9-0}]
armor_leaders: []
guns:
  - {type: 37L AT, sort: at, bpv: 20, rf: {..1941: 0.9, 1942: unknown}, source: house,
      sources: {bpv: DYO H1.3}}
vehicles:
  - {type: Tank, afv: true, bpv: 50, rf: {1943..: 1.1}, wreck: [Sz, G]}
armament:
  - {vehicle: Tank, type: AAMG, fp: 4, rf: {1944..: 1.2}}
  - {vehicle: Tank, type: NbW, fp: none, bpv: 3, rf: 1.0, on_counter: false}
oba:
  - {year: 1944, 2: 80+M 92, 3: none, 4: 150+R ?, max_bpv: 120}
oba_options: [{type: plentiful, bpv: none, percent: 20, dates: 1943..}]
transport: [{type: Mule, sort: horse, bpv: 1, dates: ..1943}]
op_tanks: [{type: OP, counter: Tank, oba: [100+], dates: 1944}]
support_weapons:
  - {type: LMG, ratio: {1944: 4}, counters: 20}
  - {type: FT, ratio: 2, per: assault-engineers}
"""


@pytest.fixture(scope="module")
def catalogue() -> DyoCatalogue:
    return load_dyo(set="none", own=[parse_document(TEXT, "testland")])


@pytest.fixture(scope="module")
def nation(catalogue: DyoCatalogue) -> DyoNation:
    return catalogue["testland"]


def test_what_there_is_by_date(nation: DyoNation) -> None:
    early, late = Month(1941, 6), Month(1944, 6)
    assert [one.type for one in nation.squads(early)] == ["4-6-7", "4-2-6"]
    assert [one.type for one in nation.squads(late)] == ["4-6-8", "4-6-7"]
    assert [one.type for one in nation.half_squads(late)] == ["2-4-8"]
    assert nation.half_squads(early) == ()
    assert [one.type for one in nation.crews(early)] == ["2-2-8"]
    assert [one.type for one in nation.guns(early)] == ["37L AT"]
    assert nation.guns(Month(1942, 6))[0].rf.at(Month(1942, 6)) is UNKNOWN
    assert nation.guns(late) == ()
    assert [one.type for one in nation.vehicles(late)] == ["Tank"]
    assert nation.vehicles(early) == ()
    assert [one.type for one in nation.transport(early)] == ["Mule"]
    assert nation.transport(late) == ()
    assert [one.type for one in nation.op_tanks(late)] == ["OP"]
    assert nation.op_tanks(early) == ()
    assert [one.type for one in nation.oba_options(late)] == ["plentiful"]
    assert nation.oba_options(early) == ()
    assert [(one.type, one.rf.at(late)) for one in nation.vehicles(late)] == [("Tank", Decimal("1.1"))]
    assert [one.rf.at(Month(1942, 1)) for one in nation.guns(Month(1942, 1))] == [UNKNOWN]


def test_optional_armament(nation: DyoNation) -> None:
    aamg, thrower = nation.armament("Tank")
    assert (aamg.cost, thrower.cost) == (4, 3)
    assert not thrower.on_counter
    assert nation.armament("Tank", Month(1943, 6)) == (thrower,)
    assert nation.armament("Tank", Month(1944, 6)) == (aamg, thrower)
    assert nation.armament("Car") == ()


def test_squads_in_full(nation: DyoNation) -> None:
    skis, fixed, hill, half, crew = (nation.mmc(text) for text in ("4-6-8", "4-6-7", "4-2-6", "2-4-8", "2-2-8"))
    late = Month(1944, 6)
    assert skis.ski_included
    assert (skis.counters, fixed.counters, half.counters) == (26, 9, UNKNOWN)
    assert skis.origin("counters").source == "DYO H1.11"
    assert [one.equivalent for one in (skis, half, crew)] == [1, 1, 0]
    assert (skis.range_at(late), fixed.range_at(late), half.range_at(late)) == (1, 0, 1)
    assert (skis.range_at(Month(1943, 6)), crew.range_at(late)) == (0, 0)
    assert (skis.elr, fixed.elr) == (None, 5)
    assert hill.must_be == ("commando",)
    assert [one.subsection for one in (skis, fixed, hill, crew)] == [
        "Elite", "Line", "Conscript", UNKNOWN,
    ]  # fmt: skip
    assert not skis.dates.at(Month(1942, 12))
    assert skis.dates.at(late) is True
    assert fixed.half is None
    assert skis.key == "4-6-8"


def test_capabilities_and_air(nation: DyoNation) -> None:
    line, early, late = nation.line, Month(1942, 10), Month(1944, 1)
    assert (line.lg.at(early), line.lg.at(late)) == (6, 5)
    assert (line.commissars.at(early), line.commissars.at(late)) == (True, None)
    assert (nation.pf_range(early), nation.pf_range(late)) == (0, 1)
    assert (line.column, line.fraction_leader, line.ladder) == (Column.FINN, "8-0", ("8-0", "9-0"))
    assert line.crew_morale is UNKNOWN
    assert line.elr_row is UNKNOWN
    assert line.partisan
    assert line.announced_elr is UNKNOWN
    assert line.air_number.at(Month(1943, 1)) == 3
    assert line.air_number.at(late) is None
    assert line.air_exponent.at(late) is None
    assert line.observation_plane.at(late) is UNKNOWN
    assert nation.group == "axis-minor"


def test_charts(nation: DyoNation) -> None:
    chart = nation.oba_chart(Month(1944, 5))
    assert chart.at(2) == Battery("80+", "M", 92)
    assert chart.at(2).words == "80+mm medium mortar OBA"  # type: ignore[union-attr]
    assert chart.at(3) is None
    assert chart.at(4) == Battery("150+", "R")
    assert str(chart.at(4)) == "150+R ?"
    assert chart.at(5) is UNKNOWN
    assert chart.max_bpv == 120
    assert set(nation.oba_chart(Month(1943, 5)).cells.values()) == {UNKNOWN}
    late = {line.type: (line.ratio, line.per) for line in nation.sw_chart(Month(1944, 1))}
    assert late == {"LMG": (4, "squads"), "FT": (2, "assault-engineers")}
    assert [line.type for line in nation.sw_chart(Month(1943, 1))] == ["FT"]
    assert nation.leader_counters == {"8-0": 4, "9-0": UNKNOWN}
    assert nation.armor_leaders == {}
    assert nation.knows("armor_leaders")


def test_one_type_and_what_is_none(nation: DyoNation) -> None:
    assert nation.gun("37L AT").bpv == 20
    assert nation.vehicle("Tank").wreck == ("Sz", "G")
    assert nation.entry("transport", "Mule").key == "Mule"
    assert nation.entry("support_weapons", "LMG").key == "LMG"
    with pytest.raises(RefusedError) as caught:
        nation.gun("38L AT")
    assert str(caught.value) == ("Testland has no Gun '38L AT' in Design Your Own; did you mean 37L AT?")
    with pytest.raises(RefusedError, match="there is no section 'gun'; did you mean guns"):
        nation.knows("gun")
    with pytest.raises(RefusedError, match="there is no nation 'testlund'; did you mean testland"):
        DyoCatalogue({"testland": nation}).nation("testlund")


def test_origins(nation: DyoNation) -> None:
    assert nation.origin("guns", "37L AT", "bpv").words == "published (DYO H1.3)"
    assert nation.origin("guns", "37L AT", "rf").words == "house"
    assert nation.origin("vehicles", "Tank", "bpv").words == "user (p. 7)"
    assert nation.origin("vehicles", "Tank", "tows").kind is OriginKind.USER
    kinds = {origin.kind for origin in nation.sources}
    assert kinds == {OriginKind.PUBLISHED, OriginKind.HOUSE, OriginKind.USER}


def test_the_record_of_a_purchase_keeps_everything(catalogue: DyoCatalogue) -> None:
    again = from_data(catalogue_data(catalogue))
    assert catalogue_data(again) == catalogue_data(catalogue)
    assert again["testland"].file == catalogue["testland"].file


OVER = """\
laager: dyo-catalogue/1
nation: german
name: Germans
source: rulebook p. H5
notes: [entered on a Sunday]
capabilities: {lg: {1944-09: 3, other: unknown}}
squads:
  - {type: 4-6-7, bpv: 11}
  - {type: 4-6-8, bpv: unknown}
guns:
  - {type: 75L AT PaK 40, rf: {1943: 1.5, other: unknown}, note: by our book}
  - {type: Odd Gun, bpv: 30}
"""


def test_own_files_lie_over_what_ships_field_by_field() -> None:
    base = load_dyo("german")["german"]
    found = load_dyo(own=[parse_document(OVER, "mine")])["german"]
    assert found.name == "Germans"
    assert found.file.notes == [*base.file.notes, "entered on a Sunday"]
    squad = found.mmc("4-6-7")
    assert (squad.bpv, squad.origin("bpv").source) == (11, "rulebook p. H5")
    assert squad.grade == base.mmc("4-6-7").grade
    assert squad.origin("class").source == "DYO H1.26"
    # What the upper file does not know stays as it was.
    assert found.mmc("4-6-8").bpv == base.mmc("4-6-8").bpv
    assert found.mmc("4-6-8").origin("bpv").source == "DYO H1.26"
    gun, before = found.gun("75L AT PaK 40"), base.gun("75L AT PaK 40")
    assert gun.rf.at(Month(1943, 5)) == Decimal("1.5")
    assert gun.rf.at(Month(1944, 5)) == before.rf.at(Month(1944, 5))
    assert gun.note == "by our book"
    assert found.gun("Odd Gun").sort is UNKNOWN
    assert found.line.lg.at(Month(1944, 9)) == 3
    assert found.line.lg.at(Month(1944, 8)) == base.line.lg.at(Month(1944, 8))
    assert [one.type for one in found.squads(Month(1944, 9))] == [one.type for one in base.squads(Month(1944, 9))]


def test_answers_fill_the_catalogue(catalogue: DyoCatalogue) -> None:
    month = Month(1942, 3)
    found = catalogue.with_values(
        [
            GivenEntry("testland", "guns", "37L AT", "rf", 1.2, month),
            GivenEntry("testland", "guns", "New Gun", "bpv", "44"),
            GivenEntry("testland", "armament", "Tank: CMG", "fp", 5),
            GivenEntry("testland", "oba", "1944", "5", "70+ 60", month),
            GivenEntry("testland", "oba", "1945", "2", None),
            GivenEntry("testland", "capabilities", "", "crew_morale", 8, month),
            GivenEntry("testland", "capabilities", "", "ladder", ("8-0", "9-0")),
            GivenEntry("testland", "squads", "4-2-6", "dates", "always"),
        ]
    )["testland"]
    gun = found.gun("37L AT")
    assert [gun.rf.at(Month(1942, m)) for m in (2, 3, 4)] == [UNKNOWN, Decimal("1.2"), UNKNOWN]
    assert gun.rf.at(Month(1941, 12)) == Decimal("0.9")
    assert gun.origin("rf").words == "user (the players)"
    assert gun.origin("bpv").source == "DYO H1.3"
    assert found.gun("New Gun").bpv == 44
    assert [one.type for one in found.armament("Tank")] == ["AAMG", "NbW", "CMG"]
    assert found.oba_chart(Month(1944, 1)).at(5) == Battery("70+", "", 60)
    assert found.oba_chart(Month(1944, 1)).at(2) == Battery("80+", "M", 92)
    assert found.oba_chart(Month(1945, 1)).at(2) is None
    assert found.line.crew_morale == 8
    assert len(found.squads(Month(1944, 1))) == 3
    assert catalogue["testland"].gun("37L AT").rf.at(month) is UNKNOWN


def test_answers_that_will_not_do_are_all_told(catalogue: DyoCatalogue) -> None:
    with pytest.raises(DataError) as caught:
        catalogue.with_values(
            [
                GivenEntry("testland", "guns", "37L AT", "rf", 12),
                GivenEntry("testland", "gun", "37L AT", "rf", 1.2),
                GivenEntry("testland", "guns", "37L AT", "vpv", 12),
                GivenEntry("testland", "capabilities", "", "lg", 0),
                GivenEntry("testland", "guns", "37L AT", "", 1),
            ]
        )
    assert [str(problem) for problem in caught.value.problems][:4] == [
        "guns.37L AT.rf: 12 is not an RF; did you mean 1.2?",
        "there is no section 'gun'; did you mean guns?",
        "there is no field 'vpv'; did you mean bpv?",
        "lg: 0 is not a valid number of squads; write a whole number from 1 to 20, or unknown",
    ]
    assert len(caught.value.problems) == 5


@pytest.mark.parametrize("ladder", ["[8-0, 9-0, 9-1, 10-0, 10-1]", "[9-0, 9-1, 10-0, 10-1, 10-2]"])
def test_a_ladder_may_rise_as_the_columns_of_the_exchange_table_do(ladder: str) -> None:
    """The Leader Exchange Table ranks a 10-0 above a 9-1: morale counts first (H1.82-T)."""
    head = "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: p. 7\n"
    document = parse_document(f"{head}capabilities: {{ladder: {ladder}}}\n", "t.yaml")
    assert load_dyo(set="none", own=[document]).nation("testland").line.ladder is not UNKNOWN
