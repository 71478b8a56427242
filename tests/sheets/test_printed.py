"""All that can be printed of the shipped campaigns: every row is there, on both papers."""

from __future__ import annotations

import re
from functools import cache

import pytest

from laager.base import RefusedError
from laager.campaign.facts import UMPIRE
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.sheets import LANGUAGES, PAPERS, catalogue, plain, print_pdf
from laager.tables import load_packaged

from .campaigns import DEMOS, SIDES, begun, played
from .reading import pages, sizes, squeezed, whole

A4, LETTER = (595.3, 841.9), (612.0, 792.0)

NUMBER = re.compile(r"Page (\d+) of (\d+)")

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")
"""Campaigns with units on a map."""


MOST = (
    "rzhavets",
    "rijnoord",
    "vistula",
    *(pytest.param(card, marks=pytest.mark.soak) for card in ("kokusa-ridge", "sorgiva")),
)
"""All campaigns, of which two are left to the soak."""


@cache
def sheet(card: str, viewer: str, *names: str) -> bytes:
    """Sheets of a campaign as a PDF."""
    return print_pdf(played(card), viewer, names)


@cache
def text_of(card: str, viewer: str, *names: str) -> str:
    """All the text on sheets, without blanks."""
    return whole(sheet(card, viewer, *names))


def ids(card: str, viewer: str) -> list[str]:
    return [one.id for one in catalogue(played(card), viewer)]


def test_what_is_offered_to_a_side() -> None:
    assert ids("rzhavets", "axis") == [
        "roster-axis", "purchases-axis", "ob-axis", "setup-axis", "report-axis",
        "roster-allied", "ob-allied", "rules", "reference", "diary",
    ]  # fmt: skip


def test_what_is_offered_to_the_umpire() -> None:
    found = ids("rzhavets", UMPIRE)
    assert {f"{name}-{side}" for name in ("purchases", "setup", "report") for side in SIDES} <= {*found}


def test_a_purchase_offers_its_roster() -> None:
    assert ids("vistula", "axis") == ["purchase-roster-axis", "reference", "diary"]


@pytest.mark.parametrize("card", sorted(DEMOS))
def test_offers_say_whose_they_are_and_as_what_they_can_be_had(card: str) -> None:
    for one in catalogue(played(card), "axis"):
        assert one.side in (*SIDES, "")
        assert one.id.endswith(f"-{one.side}") or not one.side
        tables = "csv" in one.kinds
        assert one.kinds == (("pdf", "csv", "json") if tables else ("pdf",))
        if tables:
            assert plain(played(card), "axis", one.id)


@pytest.mark.parametrize(("card", "viewer"), [*((card, "axis") for card in sorted(DEMOS)), ("rzhavets", UMPIRE)])
def test_every_row_of_every_sheet_is_printed(card: str, viewer: str) -> None:
    campaign = played(card)
    for one in catalogue(campaign, viewer):
        if "csv" not in one.kinds:
            continue
        text = text_of(card, viewer, one.id)
        assert squeezed(one.title) in text
        for table in plain(campaign, viewer, one.id):
            # Who sets up now has boxes to tick, not a word.
            told = len(table.columns) - (table.id == "setup-units")
            for cell in (*(cell for row in table.rows for cell in row[:told]), *table.notes):
                missing = [word for word in cell.split() if squeezed(word) not in text]
                assert not missing, f"{one.id}: {cell!r} lacks {missing}"


@pytest.mark.parametrize("card", MOST)
def test_everything_fits_both_papers(card: str) -> None:
    assert sizes(print_pdf(played(card), "axis", ids(card, "axis"), "letter")) == {LETTER}
    assert sizes(sheet(card, "axis", ids(card, "axis")[0])) == {A4}


@pytest.mark.parametrize("card", CARDS)
def test_every_unit_is_on_setup_sheet_and_report(card: str) -> None:
    campaign = played(card)
    units = list(view(campaign, "axis").state.units_of("axis"))
    assert units
    for name in ("setup-axis", "report-axis"):
        text = text_of(card, "axis", name)
        assert not [unit.id for unit in units if squeezed(unit.id + unit.type) not in text]


def test_the_setup_sheet_says_who_goes_first_and_where() -> None:
    text = text_of("rijnoord", "axis", "setup-axis")
    assert "SetsupfirstBritish" in text
    assert "MovesfirstGerman" in text
    assert "SetupAreaIS6-S10,T6-T10,U6-U10" in text
    assert "entersbyJJ15" in text
    assert "ABtFCG5b" in text


def test_the_setup_ground_of_a_firefight_is_the_mlr() -> None:
    tables = {sheet.id: sheet for sheet in plain(played("rzhavets"), "axis", "setup")}
    ground = {row[0]: row[1] for row in tables["setup-ground"].rows}
    assert "R15" in ground["Friendly MLR"].split(", ")
    assert ground["Friendly Map Edge and entry hexes"].startswith("A20, B20")
    new = {row[0]: row[5:] for row in tables["setup-units"].rows}
    assert new["AX1"] == ("stays on the map", "")
    assert new["AX4"] == ("with AX1", "")


def test_before_play_the_setup_ground_is_that_of_the_card() -> None:
    campaign = begun("rzhavets")
    for side in SIDES:
        key = "setup-sheet"
        found = find_ruleset("pl").sheets_beside(campaign.context, view(campaign, side).state, key, side)
        assert found[1].rows[0][0] == "Setup area"


def test_the_report_has_boxes_for_each_controlled_location() -> None:
    campaign = played("rijnoord")
    control = view(campaign, "axis").state.ground.control
    text = text_of("rijnoord", "axis", "report-axis")
    names = {"axis": "German", "allied": "British"}
    assert len(control) > 200
    for name, side in control.items():
        assert f"{name}{names[side]}GermanBritishnobody" in text


def test_markers_to_tick_are_those_that_fit_the_unit() -> None:
    text = text_of("rzhavets", "axis", "report-axis")
    leader = text[text.index("AX458-0") :]
    assert "Wnd" in leader[: leader.index("AX", 2)]
    weapon = text[text.index("AX4LMG") :]
    weapon = weapon[: weapon.index("AX", 2)]
    assert "Malf" in weapon
    assert "Wnd" not in weapon


@pytest.mark.parametrize("card", sorted(DEMOS))
def test_the_reference_card_has_steps_tables_and_clauses(card: str) -> None:
    campaign = played(card)
    text = text_of(card, "axis", "reference")
    for step in campaign.ruleset.steps.values():
        assert squeezed(step.title) in text
    package = find_ruleset(campaign.ruleset.id).package
    if card in ("rzhavets", "vistula"):
        for table in load_packaged(package, "tables.yaml").values():
            assert squeezed(table.title) in text
            for modifier in table.modifiers:
                assert squeezed(modifier.when) in text
    tables = getattr(campaign.context, "chart_tables", None) or {}
    assert all(squeezed(table.title) in text for table in tables.values())


def test_house_data_is_labelled_on_every_page() -> None:
    for page in pages(print_pdf(played("rijnoord"), "axis", ["setup", "diary"])):
        assert "House data" in page
        assert "A Bridge Too Far" in page
        assert "rijnoord" in page


def test_pages_are_numbered_within_each_sheet() -> None:
    found = pages(print_pdf(played("rijnoord"), "axis", ["setup", "roster-axis", "diary"]))
    numbers = [NUMBER.findall(page) for page in found]
    assert all(len(one) == 1 for one in numbers)
    counted = [(int(page), int(of)) for ((page, of),) in numbers]
    firsts = [i for i, (page, _) in enumerate(counted) if page == 1]
    assert len(firsts) == 3
    expected = [(n, of) for _, of in (counted[i] for i in firsts) for n in range(1, of + 1)]
    assert counted == expected
    assert ["(continued)" in page for page in found] == [page > 1 for page, _ in counted]
    assert counted[0][1] > 1
    assert counted[-1][1] > 1


def test_titles_come_again_on_each_page() -> None:
    found = pages(print_pdf(played("kokusa-ridge"), "axis", ["setup"]))
    assert len(found) > 1
    assert "(continued)" not in found[0]
    assert all("Setup sheet: Japanese (axis) (continued)" in page for page in found[1:])
    assert "Set up in / enters by" in found[0]
    assert "Set up in / enters by" in found[1]


def test_sheets_come_in_the_order_named_and_once() -> None:
    found = pages(print_pdf(played("rzhavets"), "axis", ["rules", "roster", "roster-axis"]))
    titles = ("Special rules", "CG Roster: Germans (axis)", "CG Roster: Soviets (allied)")
    assert len(found) == len(titles)
    assert all(map(str.startswith, found, titles))


@pytest.mark.parametrize("card", MOST)
def test_the_same_campaign_gives_the_same_bytes(card: str) -> None:
    names = ids(card, "axis")[:4]
    assert print_pdf(played(card), "axis", names) == print_pdf(played(card), "axis", names)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("axis", ["rooster"]), "there is no sheet 'rooster'; did you mean roster"),
        (("axis", []), "no sheet is named; name some, such as roster-axis"),
        (("axsi", ["roster"]), "there is no side 'axsi'; did you mean axis?"),
        (("axis", ["roster"], "a5"), "there is no paper 'a5'; there are a4, letter"),
        (("axis", ["roster"], "a4", "fr"), "there is no language 'fr'; there are en, de"),
        (("axis", ["purchases-allied"]), "there is no sheet 'purchases-allied'"),
        (("axis", ["setup-allied"]), "there is no sheet 'setup-allied'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[object, ...], sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        print_pdf(played("rzhavets"), *arguments)  # type: ignore[arg-type]
    assert str(refused.value).startswith(sentence)


def test_a_form_to_fill_in_is_no_plain_table() -> None:
    with pytest.raises(RefusedError, match="comes as PDF only"):
        plain(played("rzhavets"), "axis", "report")


def test_papers_and_languages() -> None:
    assert tuple(PAPERS) == ("a4", "letter")
    assert tuple(LANGUAGES) == ("en", "de")
