"""Evenings with VASL in the browser: from board files to a campaign, from saves to the purchase."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from ruamel.yaml import YAML

from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.views import view
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, OwnFile, Player
from laager.web.seats.permissions import Seat
from tests.vasl import board_writer as w
from tests.vasl.battle_saves import PASSWORDS, Battle, as_recorded
from tests.vasl.board_writer import Draft
from tests.vasl.test_report_command import ABTF, PL, numbered
from tests.web.conftest import Desk, People, seat, take_defaults

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

Desks = Callable[..., Desk]
SIDES = ("axis", "allied")


@dataclass
class Evening:
    """A campaign on somebody's own board, and whose browser each side sits at."""

    game: Game
    desks: dict[str, Desk]
    users: dict[str, Player]
    code: str
    rows: int
    prefix: str = ""

    @property
    def seats(self) -> list[Seat]:
        return [seat(self.game, self.users[side], side) for side in SIDES]

    @property
    def state(self) -> Any:
        return view(Campaign(DatabaseStore(self.game.pk)), UMPIRE).state

    def squad(self, side: str) -> Any:
        return next(unit for unit in self.state.units_of(side, "squad") if unit.on_map and not unit.has("hip"))

    def battle(self, *gone: str) -> Battle:
        """Return the battle as it is recorded without some units."""
        units = [one for one in self.state.units.values() if one.on_map and one.id not in gone]
        units = [one.but(at=one.at.removeprefix(self.prefix).partition(".")[0]) for one in units]
        return as_recorded(units, self.code, self.rows)


# What one does in the browser ---------------------------------------------------------------------


def lay_in(one: Desk, board: Path, name: str, hexes: int) -> None:
    """Make a map of a board file on the page of one's library."""
    one.go("/library/")
    form = one.page.locator("form[action$='/library/boards']")
    form.locator("input[type=file]").set_input_files(board)
    form.get_by_label("Name of the map's file").fill(name)
    form.get_by_role("button", name="Make the map").click()
    one.page.wait_for_selector("text=/The map has [0-9]+ hexes/")
    assert f"The map has {hexes} hexes" in one.page.inner_text("main")


def send_card(one: Desk, *files: Path, over: bool = False) -> None:
    """Send a card with its files; the page of the card opens, with nothing wrong in it."""
    one.go("/new")
    page = one.page
    page.set_input_files("#files", list(files))
    if over:
        page.get_by_label("Replace files of the same names").check()
    page.get_by_role("button", name="Send and check").click()
    page.wait_for_selector("#check")
    assert not page.locator("section .problem").count(), page.inner_text("main")


def begun(one: Desk, seat_: str, invite: str = "") -> Game:
    """Begin the campaign of the card that is open."""
    page = one.page
    page.locator(f"input[name=seat][value='{seat_}']").check()
    if invite:
        page.locator(f"input[name=invite][value='{invite}']").check()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url(re.compile(r"/campaign/|begun"))
    return Game.objects.get()


def reports(one: Desk, game: Game, side: str, save: bytes, **choices: str) -> str:
    """Give a report from a save: settle what is open, the named choices or what is proposed.

    Returns all that the pages said.
    """
    page, seen = one.page, []
    one.go(f"/campaign/{game.pk}/{side}/report")
    page.wait_for_selector(".map-stage.drawn")
    file: FilePayload = {"name": "evening.vsav", "mimeType": "application/zip", "buffer": save}
    page.set_input_files("#report-save", files=[file])
    read(page, "Read it")
    seen.append(page.content())
    while page.locator("select[name^='choice:']").count():
        for open_ in page.locator("select[name^='choice:']").all():
            settle(open_, choices)
        read(page, "Read it again with these choices")
        seen.append(page.content())
    assert "Everything was certain" in page.inner_text("[data-proposal]")
    page.evaluate("document.querySelector('[data-report]').page.dirty = false")
    page.get_by_role("button", name="Submit the report").click()
    # The next question may be a report, too.
    page.wait_for_url(re.compile(rf"/campaign/{game.pk}/{side}/.*\?since="))
    return "".join([*seen, page.content()])


def read(page: Page, button: str) -> None:
    with page.expect_response("**/save") as answer:
        page.get_by_role("button", name=button, exact=True).click()
    assert answer.value.ok, answer.value.text()
    page.wait_for_function("() => !document.querySelector('[data-refusal] [role=status]')")


def settle(open_: Any, choices: dict[str, str]) -> None:
    """Choose for one line that is open: as told for its kind, else what is proposed."""
    listed = open_.locator("option").all()
    options = {one.inner_text(): one.get_attribute("value") for one in listed}
    proposed = listed[0].inner_text().partition(": ")[2]
    kind = str(open_.get_attribute("name")).removeprefix("choice:").partition(":")[0]
    wanted = choices.get(kind)
    value = wanted if wanted in options.values() else options.get(proposed)
    open_.select_option(value or next(one for one in options.values() if one))


def purchase_is_asked(evening: Evening, side: str, desk: Desk) -> None:
    """See in the browser that the purchase is asked of a side."""
    desk.go(f"/campaign/{evening.game.pk}/{side}/")
    desk.page.wait_for_selector("a[href*='/ask/']")
    desk.page.locator("a[href*='/ask/']").first.click()
    desk.page.wait_for_selector("form")
    assert "chase" in desk.page.inner_text("main").lower()


@pytest.fixture
def unwritten() -> Iterator[list[str]]:
    """Hold what pages said, and all that is stored at the end, to be free of passwords."""
    said: list[str] = []
    yield said
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            said += [str(row) for row in cursor.fetchall()]
    assert len("".join(said)) > 10_000
    assert not [word for word in PASSWORDS.values() if word in "".join(said)]


# Platoon Leader, one person for both sides --------------------------------------------------------


@pytest.fixture
def villages(people: People, desk: Desks, tmp_path: Path) -> Evening:
    """Begin a campaign of Platoon Leader from a board file and a card, up to the reports."""
    draft = Draft("20", columns=14, rows=10)
    for name in ("C4", "C8", "G2", "K4", "K9"):
        draft.box(name, w.WOODEN, half=14)
    draft.fill("L1", w.WOODS)
    board = draft.write(tmp_path)
    card = tmp_path / "card.yaml"
    card.write_text(numbered((PL / "walkthrough.yaml").read_text("utf-8")), "utf-8")
    anna = desk(people.anna)
    lay_in(anna, board, "walkthrough-map.yaml", 147)
    send_card(anna, card)
    game = begun(anna, "both")
    both = dict.fromkeys(SIDES, people.anna)
    evening = Evening(game, dict.fromkeys(SIDES, anna), both, "20", 10, "20")
    take_defaults(evening.seats, 300, "battle-report")
    return evening


@pytest.mark.browser
def test_a_firefight_on_an_imported_board_goes_from_the_save_to_the_next_purchase(
    villages: Evening, unwritten: list[str]
) -> None:
    lost = villages.squad("axis")
    battle = villages.battle(lost.id)
    battle.put("C8", battle.marker("GE Control", "ge"), pile=8)
    for side in SIDES:
        unwritten.append(reports(villages.desks[side], villages.game, side, battle.save(), unit="eliminated"))
    dead = [one for one in villages.state.units.values() if one.place == "eliminated"]
    assert [(one.type, one.side) for one in dead] == [(lost.type, "axis")]
    take_defaults(villages.seats, 300, "purchases")
    assert villages.state.ground.control["20C8"] == "axis"
    assert villages.state.number == 2
    purchase_is_asked(villages, "axis", villages.desks["axis"])


# A Bridge Too Far, two people ---------------------------------------------------------------------


@pytest.fixture
def bridge(people: People, desk: Desks, tmp_path: Path) -> Evening:
    """Begin a campaign on an imported historical map, each side at a browser of its own."""
    board = Draft("AR", columns=36, rows=23).write(tmp_path)
    anna, bert = desk(people.anna), desk(people.bert)
    lay_in(anna, board, "arnhem-map.yaml", 846)
    # What a board does not tell its owner marks in the file.
    file = OwnFile.objects.get(owner=people.anna, name="arnhem-map.yaml")
    yaml = YAML(typ="safe")
    made, own = yaml.load(file.text), yaml.load(ABTF / "arnhem-map.yaml")
    assert made["source"] == "imported"
    for part in ("terrain", "roads", "buildings", "block_names", "entry_areas"):
        made[part] = own[part]
    with (tmp_path / "arnhem-map.yaml").open("w", encoding="utf-8") as out:
        yaml.dump(made, out)
    more = [ABTF / name for name in ("arnhem.yaml", "arnhem-charts.yaml", "arnhem-tables.yaml")]
    send_card(anna, *more, tmp_path / "arnhem-map.yaml", over=True)
    game = begun(anna, "axis", "player:allied")
    bert.page.goto(anna.page.locator("input[type=url]").input_value())
    bert.page.get_by_role("button", name="Take the seat").click()
    # He has the board, too: without it nobody knows where a piece of the save lies.
    lay_in(bert, board, "town.yaml", 846)
    users = {"axis": people.anna, "allied": people.bert}
    evening = Evening(game, {"axis": anna, "allied": bert}, users, "AR", 23)
    take_defaults(evening.seats, 600, "scenario-report")
    return evening


@pytest.mark.browser
@pytest.mark.soak
def test_a_scenario_on_an_imported_map_goes_from_the_save_to_the_next_purchase(
    bridge: Evening, unwritten: list[str]
) -> None:
    lost = bridge.squad("allied")
    battle = bridge.battle(lost.id)
    battle.put("I2", battle.marker("BR Control", "br"), pile=8)
    battle.put("H3", battle.marker("Flame"), pile=8)
    for side in SIDES:
        desk = bridge.desks[side]
        unwritten.append(reports(desk, bridge.game, side, battle.save(), unit="eliminated"))
    dead = [one for one in bridge.state.units.values() if one.place == "eliminated"]
    assert [(one.type, one.side) for one in dead] == [(lost.type, "allied")]
    ((side, key),) = [(one.side, one.key) for one in view(Campaign(DatabaseStore(bridge.game.pk)), UMPIRE).pending]
    assert key == "ground-report"
    unwritten.append(reports(bridge.desks[side], bridge.game, side, battle.save()))
    other = bridge.desks[SIDES[side == "axis"]]
    other.go(f"/campaign/{bridge.game.pk}/{SIDES[side == 'axis']}/")
    told = other.page.inner_text("main")
    assert "I2 is Controlled by British" in told
    assert "flame in H3" in told
    take_defaults(bridge.seats, 600, "purchases")
    assert bridge.state.ground.control["I2"] == "allied"
    for one in SIDES:
        purchase_is_asked(bridge, one, bridge.desks[one])
