"""Battles reported on the map and from saves of VASL, by each side for itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.http import HttpResponse

from laager.rules.board.units import HIDING
from laager.web.campaigns import tables
from laager.web.campaigns.tables import Asked
from laager.web.models import Draft, Game
from laager.web.play.battle import saves
from tests.vasl import board_writer
from tests.vasl.battle_saves import PASSWORDS, as_recorded
from tests.vasl.save_writer import hidden
from tests.web.conftest import Desk, People, add_spectator, seat
from tests.web.fielded import fielded
from tests.web.seen import read, sitting
from tests.web.serving import until

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

SIDES = ("axis", "allied")


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rzhavets")


@pytest.fixture
def boards(tmp_path: Path, settings: Any) -> Path:
    """The folder of boards on the server: one as large as the campaign's map."""
    board_writer.Draft("RZ", columns=33, rows=20).write(tmp_path)
    settings.CONFIG = settings.CONFIG.model_copy(update={"boards": str(tmp_path)})
    return tmp_path


def player(people: People, side: str) -> Any:
    return people.client(people.anna if side == "axis" else people.bert)


def asked(game: Game, people: People, side: str) -> Asked:
    with tables.look(seat(game, people.anna if side == "axis" else people.bert, side)) as table:
        return saves.reports_of(table)[0]


def proposal(one: Asked) -> dict[str, Any]:
    """Return the report that the question proposes."""
    assert one.pending.question is not None
    return dict(one.pending.question.default)


def url(game: Game, side: str, mark: str, rest: str = "") -> str:
    return f"/campaign/{game.pk}/{side}/report/{mark}/{rest}"


def board_of(answer: HttpResponse) -> dict[str, Any]:
    """Return what the page gives its script to work with."""
    text = answer.content.decode()
    found = re.search(r'<script id="report-board" type="application/json">(.*?)</script>', text)
    assert found is not None
    made: dict[str, Any] = json.loads(found[1])
    return made


def state_of(game: Game, people: People) -> Any:
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        return table.view.state


def saved(game: Game, people: People) -> Any:
    """Return the battle as counters: every unit where the record has it."""
    return as_recorded(state_of(game, people).units.values(), "RZ", 20)


def doubtful(game: Game, people: People) -> bytes:
    """Return the save of a battle with a squad in it that is in nobody's record."""
    battle = saved(game, people)
    battle.put("B9", battle.counter("8-3-8 Esq", code="ge"), pile=9)
    data: bytes = battle.save()
    return data


# Who may ------------------------------------------------------------------------------------------


def test_each_side_finds_its_own_report(game: Game, people: People) -> None:
    for side in SIDES:
        client = player(people, side)
        first = client.get(f"/campaign/{game.pk}/{side}/report")
        assert first["Location"] == url(game, side, asked(game, people, side).mark)
        board = board_of(client.get(first["Location"]))
        assert board["side"] == side
        assert {row["unit"] for row in board["value"]["units"]} == {u["id"] for u in board["units"]}
        becomes = {unit["type"]: unit["becomes"] for unit in board["units"]}
        leaders = {unit["type"] for unit in board["units"] if unit["kind"] == "leader"}
        assert all(set(becomes[leader]) <= {"replaced", "hardened"} for leader in leaders)
        if side == "axis":
            assert becomes["4-6-7"] == {"reduced": "2-4-7", "replaced": "4-4-7", "hardened": "4-6-8"}


def test_nobody_else_reports(game: Game, people: People) -> None:
    mark = asked(game, people, "axis").mark
    add_spectator(game, people.dora)
    assert player(people, "allied").get(url(game, "allied", mark)).status_code == 409
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        theirs = table.asked[0].mark
    assert people.client(people.cleo).get(url(game, "umpire", theirs)).status_code == 403
    assert people.client(people.dora).get(url(game, "spectator", mark)).status_code == 403
    assert people.client(None).get(url(game, "axis", mark)).status_code == 302
    for rest in ("check", "save"):
        answer = people.client(people.cleo).post(url(game, "umpire", theirs, rest), {"value": "{}"})
        assert answer.status_code in {403, 422}
    assert not Draft.objects.exists()


def test_no_report_is_asked_before_the_battle(people: People, begin: Callable[..., Game]) -> None:
    game = begin("rzhavets")
    answer = people.client(people.anna).get(f"/campaign/{game.pk}/axis/report")
    assert answer.status_code == 409


# Checking, keeping, giving ------------------------------------------------------------------------


def test_a_change_is_checked_and_kept_for_the_form_too(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    value = proposal(one)
    value["units"] = [dict(row) for row in value["units"]]
    value["units"][0] |= {"fate": "on-map", "at": "ZZ99"}
    told = client.post(url(game, "axis", one.mark, "check"), {"value": json.dumps(value)}).json()
    assert any(problem["field"].startswith("units[1]") for problem in told["problems"])
    again = board_of(client.get(url(game, "axis", one.mark)))
    assert again["value"]["units"][0]["at"] == "ZZ99"
    form = client.get(f"/campaign/{game.pk}/axis/ask/{one.mark}/").content.decode()
    assert "ZZ99" in form


def test_a_refused_report_is_not_lost_and_a_right_one_counts_once(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    value = proposal(one)
    wrong = value | {"control": [{"location": "ZZ99", "side": "axis"}]}
    answer = client.post(url(game, "axis", one.mark), {"value": json.dumps(wrong), "do": "give"})
    assert answer.status_code == 422
    assert board_of(answer)["value"]["control"] == wrong["control"]
    assert "Nothing was submitted" in answer.content.decode()
    given = client.post(url(game, "axis", one.mark), {"value": json.dumps(value), "do": "give"})
    assert given.status_code == 302
    assert not Draft.objects.filter(asked=one.mark).exists()
    with tables.look(seat(game, people.anna, "axis")) as table:
        assert not saves.reports_of(table)
    twice = client.post(url(game, "axis", one.mark), {"value": json.dumps(value), "do": "give"})
    assert twice.status_code == 409


@pytest.mark.parametrize("sent", ["", "{", "[" * 100_000, "nan", "7", '"x"', "[]", "null"])
def test_what_is_no_report_is_refused_in_words(sent: str, game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    answer = client.post(url(game, "axis", one.mark), {"value": sent, "do": "give"})
    assert answer.status_code == 422
    assert client.get(url(game, "axis", one.mark)).status_code == 200
    assert asked(game, people, "axis").mark == one.mark


@pytest.mark.parametrize("side", SIDES)
def test_a_report_page_tells_nothing_hidden_of_the_enemy(side: str, game: Game, people: People) -> None:
    enemy = SIDES[side == "axis"]
    units = state_of(game, people).units.values()
    planted = {unit.id for unit in units if unit.side == enemy and not unit.known}
    assert planted
    answer = player(people, side).get(url(game, side, asked(game, people, side).mark))
    text = answer.content.decode()
    assert not {one for one in planted if re.search(rf"\b{one}\b", text)}


# From a save --------------------------------------------------------------------------------------


def sent(
    client: Any,
    game: Game,
    side: str,
    mark: str,
    data: bytes,
    more: Mapping[str, str] | None = None,
    as_json: bool = True,
) -> HttpResponse:
    file = BytesIO(data)
    file.name = "our game.vsav"
    headers = {"accept": "application/json"} if as_json else {}
    made: HttpResponse = client.post(url(game, side, mark, "save"), {"save": file, **(more or {})}, headers=headers)
    return made


@pytest.mark.usefixtures("boards")
@pytest.mark.parametrize("side", SIDES)
def test_a_save_becomes_the_draft_and_can_be_given(side: str, game: Game, people: People) -> None:
    client, mark = player(people, side), asked(game, people, side).mark
    answer = sent(client, game, side, mark, saved(game, people).save())
    assert answer.status_code == 200, answer.content
    told = json.loads(answer.content)
    assert Draft.objects.get(asked=mark).value == told["value"]
    kept = board_of(client.get(url(game, side, mark)))["value"]
    assert kept == told["value"]
    units = {u.id: u for u in state_of(game, people).units.values() if u.side == side and u.on_map}
    placed = {row["unit"]: row["at"] for row in kept["units"] if row.get("fate") == "on-map"}
    same = [one for one in units if placed.get(one) == units[one].at]
    assert len(same) > len(units) // 2


@pytest.mark.usefixtures("boards")
def test_the_dice_of_a_log_are_kept_with_the_report(game: Game, people: People) -> None:
    client, one = player(people, "axis"), asked(game, people, "axis")
    chats = (
        "*** (IFT DR) 3,4 ***   <Ann>",
        "*** (MC DR) 6,5 ***   <Ann>",
        "*** (Other dr) 2 ***   <Bob>",
        "Well rolled!",
    )
    answer = sent(client, game, "axis", one.mark, saved(game, people).save(chats=chats))
    assert answer.status_code == 200, answer.content
    client.post(url(game, "axis", one.mark), {"value": json.dumps(proposal(one)), "do": "give"})
    told = "3 rolls in the game&#x27;s log: Ann 2 DR (average 9.00), Bob 1 dr (average 2.00)."
    assert told in client.get(f"/campaign/{game.pk}/axis/log").content.decode()
    with tables.look(seat(game, people.anna, "axis")) as table:
        (body,) = [e.entry.body for e in table.view.log if "dice" in e.entry.body and e.entry.type == "answer"]
    assert body["dice"][0] == ["Ann", "IFT", "DR", [3, 4]]
    # A report that is given later, from no log, has none of them.
    other = asked(game, people, "allied")
    player(people, "allied").post(url(game, "allied", other.mark), {"value": json.dumps(proposal(other)), "do": "give"})
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        assert len([e for e in table.view.log if e.entry.type == "answer" and "dice" in e.entry.body]) == 1


@pytest.mark.usefixtures("boards")
def test_choices_settle_what_is_open_and_are_kept_from_turn_to_turn(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    data = doubtful(game, people)
    first = json.loads(sent(client, game, "axis", mark, data).content)["html"]
    keys = re.findall(r'<select[^>]*name="choice:([^"]*)"', first)
    assert keys, "the battle leaves something open"
    options = re.findall(r'<option value="([^"]+)"', first.split(f'name="choice:{keys[0]}"')[1])
    more = {f"choice:{keys[0]}": options[0]}
    second = json.loads(sent(client, game, "axis", mark, data, more).content)["html"]
    assert f'<input type="hidden" name="choice:{keys[0]}" value="{options[0]}">' in second
    wrong = sent(client, game, "axis", mark, data, {f"choice:{keys[0]}": "nonsense"})
    assert wrong.status_code == 422
    assert "nonsense" in json.loads(wrong.content)["html"]


@pytest.mark.usefixtures("boards")
def test_a_save_is_read_without_a_script_too(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    page = sent(client, game, "axis", mark, saved(game, people).save(), as_json=False)
    assert page.status_code == 200
    assert "our game.vsav" in page.content.decode()
    assert 'data-findings="certain"' in page.content.decode()


def everything_stored() -> str:
    """Return all that the database holds, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


@pytest.mark.usefixtures("boards")
def test_no_password_and_no_hidden_piece_leaves_a_save(
    game: Game, people: People, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    battle = saved(game, people)
    for side, name, code, at in (("allied", "6-2-8 Esq", "ru", "F8"),
                                 ("axis", "8-3-8 Esq", "ge", "B9")):  # fmt: skip
        battle.put(at, battle.counter(name, hidden(PASSWORDS[side]), code=code), pile=9)
    data, answers = battle.save(), {}
    for side in SIDES:
        client, mark = player(people, side), asked(game, people, side).mark
        answers[side] = sent(client, game, side, mark, data).content.decode()
        answers[side] += client.get(url(game, side, mark)).content.decode()
        sent(client, game, side, mark, data[: len(data) // 2])
    assert "6-2-8" not in answers["axis"]
    assert "8-3-8" not in answers["allied"]
    assert "8-3-8" in answers["axis"], "its own hidden squad is asked of the side itself"
    out = capfd.readouterr()
    everything = "".join([*answers.values(), everything_stored(), caplog.text, out.out, out.err])
    for password in PASSWORDS.values():
        assert password not in everything
        assert password.encode().hex() not in everything


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04" + b"\0" * 200, bytes(range(256)) * 50])
def test_files_that_are_no_saves_are_refused_in_words(data: bytes, game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, data)
    assert answer.status_code == 422
    assert 'role="alert"' in json.loads(answer.content)["html"]
    assert not Draft.objects.exists()
    assert sent(client, game, "axis", mark, data, as_json=False).status_code == 422


def test_a_save_without_its_board_or_of_another_one_is_refused(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, saved(game, people).save())
    assert answer.status_code == 422
    assert "not on the campaign" in json.loads(answer.content)["html"]


def test_names_of_files_are_shown_without_folders_or_markup(game: Game, people: People) -> None:
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    file = BytesIO(b"nothing")
    file.name = "C:\\secret\\<b>x.vsav"
    answer = client.post(url(game, "axis", mark, "save"), {"save": file}, headers={"accept": "application/json"})
    text = json.loads(answer.content)["html"]
    assert "secret" not in text
    assert "<b>" not in text


def test_a_file_too_large_is_not_read(
    game: Game, people: People, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1000
    client, mark = player(people, "axis"), asked(game, people, "axis").mark
    answer = sent(client, game, "axis", mark, b"x" * 2000)
    assert answer.status_code == 422
    assert "no file arrived" in json.loads(answer.content)["html"]
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 2**24
    monkeypatch.setattr(saves, "MOST", 1000)
    answer = sent(client, game, "axis", mark, b"x" * 2000)
    assert "too large" in json.loads(answer.content)["html"]


# In a browser -------------------------------------------------------------------------------------


def click_hex(one: Desk, name: str) -> None:
    """Bring a hex into sight and click its middle."""
    one.page.evaluate("(name) => document.querySelector('[data-report]').page.view.show(name)", name)
    place = one.page.evaluate(
        """(name) => { const view = document.querySelector('[data-report]').page.view;
        view.stage.scrollIntoView({block: "center"});
        const box = view.hexes.get(name).target.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }""",
        name,
    )
    one.page.mouse.click(*place)


def kept(game: Game) -> dict[str, Any]:
    """Return what the German page has kept of its report; empty if nothing."""
    found = Draft.objects.filter(game=game, seat="axis").first()
    return found.value if found is not None else {"units": [], "control": []}


@pytest.mark.browser
@pytest.mark.parametrize("width", [pytest.param(1366, marks=pytest.mark.soak), 390])
def test_units_are_placed_and_control_is_clicked(
    width: int, game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    unit = next(
        one for one in state_of(game, people).units.values()
        if one.side == "axis" and one.kind == "squad" and one.in_play
    )  # fmt: skip
    anna = desk(people.anna, width=width)
    anna.go(f"/campaign/{game.pk}/axis/report")
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    page.locator("[data-all-units] summary").click()
    page.locator(f'[data-all-units] .unit-chip[data-unit="{unit.id}"]').click()
    with page.expect_response("**/check"):
        click_hex(anna, "J16")
    assert page.get_by_label("Location", exact=True).input_value() == "J16"
    page.get_by_text("More: markers").click()
    with page.expect_response("**/check"):
        page.get_by_label("cx", exact=True).check()
    page.get_by_role("button", name="Done").click()
    with page.expect_response("**/check"):
        page.locator("[data-brushes] input[value=axis]").check()
        click_hex(anna, "L18")
    value = kept(game)
    row = next(one for one in value["units"] if one["unit"] == unit.id)
    assert (row["fate"], row["at"]) == ("on-map", "J16")
    assert "cx" in row["marks"]
    assert all(one["side"] == "axis" for one in value["control"])
    page.evaluate("document.querySelector('[data-report]').page.dirty = false")
    page.get_by_role("button", name="Submit the report").click()
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    with tables.look(seat(game, people.anna, "axis")) as table:
        given = [e for e in table.view.log if e.entry.type == "answer"][-1].entry.body
        still = saves.reports_of(table)
    assert bool(still) != (given.get("key") == "battle-report")
    if still:
        assert page.locator(".refused").is_visible()
    else:
        assert "J16" in json.dumps(given)


@pytest.mark.browser
def test_a_first_pass_says_only_what_changed(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    units = [one for one in state_of(game, people).units.values() if one.side == "axis" and one.on_map]
    squad = next(one for one in units if one.kind == "squad")
    (other, *_) = {one.hex for one in units if one.kind == "squad"} - {squad.hex}
    one = asked(game, people, "axis")
    board = board_of(player(people, "axis").get(url(game, "axis", one.mark)))
    goal = next(
        name for name, there in board["strategic"].items()
        if there == [name] and board["control"].get(name) == "allied"
    )  # fmt: skip
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/")
    page = anna.page
    page.get_by_role("link", name="Report on the map").click()
    page.wait_for_selector(".map-stage.drawn")
    click_hex(anna, squad.hex)
    page.locator(f'[data-keep="broken-{squad.id}"]').click()
    page.locator(".report-there button[data-do=eliminated]").last.click()
    assert page.locator("[data-changes] .count").inner_text() == "2"
    page.locator("[data-brushes] input[value=move]").check()
    click_hex(anna, other)
    click_hex(anna, goal)
    page.locator("[data-take]").click()
    # Each click is kept a moment after it.
    until(lambda: kept(game)["control"] == [{"location": goal, "side": "axis"}])
    value, before = kept(game), proposal(one)
    changed = {row["unit"]: row for row in value["units"] if row not in before["units"]}
    assert "broken" in changed[squad.id]["marks"]
    assert HIDING.isdisjoint(changed[squad.id]["marks"])
    assert [row["fate"] for row in changed.values()].count("eliminated") == 1
    moved = {one.id for one in units if one.hex == other}
    assert {row["unit"] for row in changed.values() if row.get("at") == goal} == moved
    # All but that is as it was, and the way back leads there.
    assert {name: rows for name, rows in value.items() if name not in {"units", "control"}} == {
        name: rows for name, rows in before.items() if name not in {"units", "control"}
    }
    while page.locator("[data-changes] .changes").count():
        page.locator("[data-changes] button.plain").last.click()
    until(lambda: sorted(kept(game)["units"], key=str) == sorted(before["units"], key=str))
    page.get_by_role("button", name="Submit the report").click()
    page.wait_for_url("**/axis/**?since=*")


def test_a_save_can_be_dropped_where_the_report_is_asked_of_the_seat(game: Game, people: People) -> None:
    for name, user in sitting(game, people).items():
        page = read(people.client(user), f"/campaign/{game.pk}/{name}/")
        expected = [url(game, name, asked(game, people, name).mark)] if name in SIDES else []
        assert re.findall(r'data-save-page="([^"]*)"', page) == expected


def drop(page: Page, on: str, data: bytes) -> None:
    """Drop a save onto an element of a page."""
    page.evaluate(
        """([on, bytes]) => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "evening.vsav"));
        const zone = document.querySelector(on), happens = {dataTransfer: data, cancelable: true, bubbles: true};
        zone.dispatchEvent(new DragEvent("dragover", happens));
        zone.dispatchEvent(new DragEvent("drop", happens)); }""",
        [on, list(data)],
    )


@pytest.mark.browser
@pytest.mark.usefixtures("boards")
def test_a_save_dropped_on_the_table_opens_the_report_filled_in(
    game: Game, people: People, desk: Callable[..., Desk]
) -> None:
    data = doubtful(game, people)
    anna = desk(people.anna)
    page = anna.page
    anna.go(f"/campaign/{game.pk}/axis/")
    page.wait_for_selector("[data-save-page]")
    drop(page, "header", data)
    page.wait_for_url("**/axis/report/*/")
    page.wait_for_selector("[data-findings]")
    assert "evening.vsav" in page.locator("[data-proposal]").inner_text()
    # The file is there for the choices, and is not read again with the next visit.
    with page.expect_response("**/save"):
        page.get_by_role("button", name="Read it again").click()
    page.reload()
    page.wait_for_selector(".map-stage.drawn")
    assert not page.locator("[data-findings]").count()
    # Where no report is asked nothing is taken.
    anna.go(f"/campaign/{game.pk}/axis/log")
    drop(page, "body", data)
    assert page.url.endswith("/log")


@pytest.mark.browser
@pytest.mark.usefixtures("boards")
def test_a_save_is_dropped_and_its_proposal_shown(game: Game, people: People, desk: Callable[..., Desk]) -> None:
    data = doubtful(game, people)
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/report")
    page = anna.page
    page.wait_for_selector(".map-stage.drawn")
    drop(page, "[data-stage]", data)
    page.wait_for_selector("[data-findings]")
    assert "evening.vsav" in page.locator("[data-proposal]").inner_text()
    unknown = page.locator("[data-findings=unknown] select, [data-findings=to-confirm] select")
    unknown.first.select_option(index=1)
    with page.expect_response("**/save"):
        page.get_by_role("button", name="Read it again").click()
    page.wait_for_selector("[data-findings=certain] input[type=hidden]", state="attached")
    assert page.locator("[data-findings=certain] input[type=hidden]").count() == 1
    bad: FilePayload = {"name": "bad.vsav", "mimeType": "application/zip", "buffer": b"no"}
    page.set_input_files("#report-save", files=[bad])
    page.get_by_role("button", name="Read it", exact=True).click()
    page.wait_for_selector("[data-refusal] .refused")


@pytest.mark.browser
def test_a_hex_of_a_form_is_picked_on_the_map(people: People, desk: Callable[..., Desk]) -> None:
    game = fielded(people, "rzhavets", ("setup",))
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        side = table.asked[0].pending.side
    who = people.anna if side == "axis" else people.bert
    with tables.look(seat(game, who, side)) as table:
        mark = table.asked[0].mark
    one = desk(who, width=390)
    one.go(f"/campaign/{game.pk}/{side}/ask/{mark}/")
    page = one.page
    field = page.locator("input[data-hex=one]").first
    before = field.input_value()
    page.locator(".hexpick-open").first.click()
    page.wait_for_selector(".hexpick .map-stage.drawn")
    page.wait_for_selector(".hexpick .hex-others", state="attached")
    told = page.locator(".hexpick [role=status]")
    assert "Pale: where this can't be. Shaded: where the other rows go" in told.inner_text()
    with tables.look(seat(game, who, side)) as table:
        question = table.asked[0].need_question()
    assert question.placing is not None
    unit = page.locator("[data-row]").first.locator("select, input[list]").first.input_value()
    pale = page.locator(".hexpick .hex-barred").get_attribute("d")
    everywhere = page.locator(".hexpick [data-hex]").count()
    assert pale is not None
    assert pale.count("M") == everywhere - len(question.placing.allowed()[unit])
    # The shading lets the pointer through to the hex below, which says who goes there.
    x, y = page.evaluate(
        "() => { const all = document.querySelector('.hexpick .hex-others'), at = all.getPointAtLength(0),"
        " to = new DOMPoint(at.x, at.y).matrixTransform(all.getScreenCTM()); return [to.x, to.y]; }"
    )
    page.mouse.move(x + 4, y + 4)
    page.wait_for_function("() => /: 4-4-7 .* of I1/.test(document.querySelector('.hexpick [role=status]').innerText)")
    stage = page.locator(".hexpick [data-stage]")
    stage.focus()
    page.keyboard.press("Escape" if page.locator(".hexpick .hex-chosen").count() else "+")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    chips = page.locator(".hexpick .toolbar button.primary")
    page.wait_for_function(
        "() => !document.querySelector('.hexpick').open || document.querySelector('.hexpick .toolbar button.primary')"
    )
    if chips.count():
        chips.first.click()
    page.wait_for_function("() => !document.querySelector('.hexpick').open")
    assert field.input_value() != before
    assert re.fullmatch(r"[A-Z]+[0-9]+(\.\w+)?", field.input_value())
