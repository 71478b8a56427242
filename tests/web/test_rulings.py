"""Putting the record right by the pages and the API: the editor, its list, asking, agreeing, secrets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils.html import escape

from laager.rules.board.names import UnitNames
from laager.rules.board.units import Mark
from laager.web.campaigns.tables import look
from laager.web.library.files import offers
from laager.web.models import Member, Role
from laager.web.starting import beginning
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from django.test import Client

    from laager.rules.board.units import Unit
    from laager.web.models import Game
    from tests.web.conftest import Begin, People


@pytest.fixture
def game(people: People, begin: Begin) -> Game:
    made = begin()
    both = [seat(made, people.anna, "axis"), seat(made, people.bert, "allied")]
    assert take_defaults(both, until="battle-report")
    return made


def units(game: Game, people: People, side: str) -> list[Unit]:
    """The units of a side on the map, as its own player knows them."""
    player = people.anna if side == "axis" else people.bert
    with look(seat(game, player, side)) as table:
        return [unit for unit in table.view.state.units_of(side) if unit.on_map]


def named(game: Game, people: People, unit: Unit) -> str:
    """What the player of the Axis calls a unit of that side, as a page has it."""
    with look(seat(game, people.anna, "axis")) as table:
        return str(escape(UnitNames(table.view.state).name(unit)))


def page(client: Client, game: Game, side: str, address: str = "ruling/") -> str:
    """A page of a seat, its blanks as a reader sees them."""
    answer = client.get(f"/campaign/{game.pk}/{side}/{address}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def send(client: Client, game: Game, seat_: str, address: str, **data: Any) -> None:
    """Send a form of the editor."""
    assert client.post(f"/campaign/{game.pk}/{seat_}/ruling/{address}/", data).status_code == 302


def unit_form(client: Client, game: Game, side: str, unit: Unit) -> dict[str, Any]:
    """The form of a unit as its page has it."""
    html = page(client, game, side, f"ruling/hex/{unit.hex}")
    form = next(part for part in html.split("<form")[1:] if f'name="key" value="{unit.id}"' in part)
    data: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        assert name
        if 'type="checkbox"' not in tag:
            data[name[1]] = value[1] if value else ""
        elif "checked" in tag and value:
            data.setdefault(name[1], []).append(value[1])
    for name_, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)"\s+selected', options)
        data[name_] = chosen[1] if chosen else ""
    return {name: value for name, value in data.items() if name != "csrfmiddlewaretoken"}


def test_a_slip_is_put_right_and_nothing_else_changes(game: Game, anna: Client, bert: Client, people: People) -> None:
    unit = next(unit for unit in units(game, people, "axis") if unit.kind == "squad")
    form = unit_form(anna, game, "axis", unit)
    send(anna, game, "axis", "change", **form)
    assert "Nothing yet." in page(anna, game, "axis")
    send(anna, game, "axis", "change", **form | {"v.marks": ["broken"]})
    name = named(game, people, unit)
    assert name.startswith("4-6-7 &quot;")
    assert f"{name}: marks: concealed → broken" in page(anna, game, "axis")
    before = {u.id: u for u in units(game, people, "axis")}
    send(anna, game, "axis", "propose", why="it broke in the last turn")
    table = page(bert, game, "allied", "")
    assert "it broke in the last turn" in table
    # The enemy sees it from then on, and does not learn its letter and group.
    assert f"a {unit.type}: – → axis map {unit.at}" in table
    assert name not in table
    assert bert.post(f"/campaign/{game.pk}/allied/changing/consent-ruling/", {"agree": "yes"}).status_code == 302
    after = {u.id: u for u in units(game, people, "axis")}
    assert {key for key in after if after[key] != before[key]} == {unit.id}
    assert "it broke in the last turn" in page(bert, game, "allied", "log")
    assert "Nothing yet." in page(anna, game, "axis")


def test_what_is_wrong_is_said_in_the_list(game: Game, anna: Client, people: People) -> None:
    unit = next(unit for unit in units(game, people, "axis") if unit.kind == "squad")
    form = unit_form(anna, game, "axis", unit)
    send(anna, game, "axis", "change", **form | {"v.at": "Z99"})
    html = page(anna, game, "axis")
    assert f"units › {unit.id} › at: there is no hex" in html
    send(anna, game, "axis", "propose", why="typed wrong")
    assert "You asked for a ruling" not in page(anna, game, "axis", "")
    send(anna, game, "axis", "drop")
    assert "Nothing yet." in page(anna, game, "axis")


def test_hexes_sheets_and_new_units(game: Game, anna: Client, people: People) -> None:
    unit = units(game, people, "axis")[0]
    send(anna, game, "axis", "change", do="new", part="units", side="axis", type="4-6-7", at=unit.at, shown="yes")
    send(anna, game, "axis", "change", do="new", part="forts", side="axis", kind="foxhole", size="1", at=unit.hex)
    html = page(anna, game, "axis")
    assert "axis map" in html
    assert "foxhole" in html
    sides = re.search(r'name="part" value="sides">\s*<input[^>]*name="key" value="axis">.*?</form>', html, re.S)
    assert sides
    values = dict(re.findall(r'name="(v\.[a-z_]+)"\s+type="number"[^>]*value="([^"]*)"', sides[0]))
    send(anna, game, "axis", "change", part="sides", key="axis", **values | {"v.elr": "1"})
    assert "Germans: ELR" in page(anna, game, "axis")
    send(anna, game, "axis", "change", do="strike", part="new", key="units.0")
    assert "axis map" not in page(anna, game, "axis")
    send(anna, game, "axis", "text", text="laager: ruling/1\nwhy: so\nground:\n  blazes: [+" + str(unit.hex) + "]\n")
    assert "blazes" in page(anna, game, "axis")


def test_only_those_at_the_table_rule(game: Game, anna: Client, people: People) -> None:
    stranger = people.client(people.cleo)
    assert stranger.get(f"/campaign/{game.pk}/axis/ruling/").status_code == 404
    assert anna.get(f"/campaign/{game.pk}/allied/ruling/").status_code == 404


# Secrets ------------------------------------------------------------------------------------------


def everything(client: Client, game: Game, side: str) -> str:
    """All that a seat is sent, by pages and calls."""
    addresses = ("", "changing/", "ruling/", "log", "units", "map", "sheets", "history")
    calls = ("", "/log", "/state", "/ruling/open", "/sheets", "/asked")
    sent = [page(client, game, side, address) for address in addresses]
    sent += [client.get(f"/api/v1/campaigns/{game.pk}/{side}{call}").content.decode() for call in calls]
    return "\n".join(sent)


def test_the_opponent_reads_a_count_and_the_reason(begin: Begin, anna: Client, bert: Client, people: People) -> None:
    game = begin()
    assert take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="purchases")
    with look(seat(game, people.anna, "axis")) as table:
        hidden = next(u for u in table.view.state.units_of("axis") if not u.known)
        cp = table.view.state.side("axis").cp
    ruling = {
        "laager": "ruling/1",
        "why": "I typed it wrong",
        "units": {hidden.id: {"name": "Hidden Hugo"}},
        "sides": {"axis": {"cp": cp + 31}},
    }
    base = f"/api/v1/campaigns/{game.pk}"
    checked = anna.post(f"{base}/axis/ruling/check", json.dumps({"ruling": ruling}), "application/json").json()
    assert len(checked["changes"]) == 2
    before = bert.get(f"{base}/allied/state").json()
    assert anna.post(f"{base}/axis/ruling", json.dumps({"ruling": ruling}), "application/json").status_code == 200
    asked = bert.get(f"{base}/allied/ruling/open").json()["open"]
    assert (asked["secret"], asked["changes"]) == ({"axis": {"entry": 1, "unit": 1}}, [])
    sent = everything(bert, game, "allied")
    assert "I typed it wrong" in sent
    bert.post(f"{base}/allied/ruling/consent", json.dumps({"agree": True}), "application/json")
    sent += everything(bert, game, "allied")
    assert "Hugo" not in sent
    assert hidden.id not in sent
    after = bert.get(f"{base}/allied/state").json()
    assert after["state"] == before["state"]
    with look(seat(game, people.anna, "axis")) as table:
        assert table.view.state.units[hidden.id].name == "Hidden Hugo"
        assert table.view.state.side("axis").cp == cp + 31


def test_the_umpire_agrees_where_the_terms_say_so(anna: Client, bert: Client, people: People) -> None:
    cleo = people.client(people.cleo)
    card = offers.find_shipped("rzhavets")
    wanted = beginning.Beginning(seat="axis", corrections="umpire")
    game, _seat, _links = beginning.begin(people.anna, card, wanted)
    Member.objects.create(game=game, user=people.bert, role=Role.PLAYER, side="allied")
    Member.objects.create(game=game, user=people.cleo, role=Role.UMPIRE)
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="purchases")
    assert "with the umpire" in page(bert, game, "allied", "people/")
    with look(seat(game, people.anna, "axis")) as table:
        cp = table.view.state.side("axis").cp
    send(anna, game, "axis", "text", text=f"laager: ruling/1\nwhy: typed wrong\nsides: {{axis: {{cp: {cp + 3}}}}}\n")
    send(anna, game, "axis", "propose", why="typed wrong")
    button = 'name="agree" value="yes"'
    assert button not in page(bert, game, "allied", "")
    assert "1 entry" in page(bert, game, "allied", "")
    assert bert.post(f"/campaign/{game.pk}/allied/changing/consent-ruling/", {"agree": "no"}).status_code == 403
    asked = page(cleo, game, "umpire", "")
    assert button in asked
    assert f"CP: {cp} → {cp + 3}" in asked
    assert cleo.post(f"/campaign/{game.pk}/umpire/changing/consent-ruling/", {"agree": "yes"}).status_code == 302
    with look(seat(game, people.anna, "axis")) as table:
        assert table.view.state.side("axis").cp == cp + 3


def test_a_cell_of_a_sheet_becomes_a_line_of_the_ruling(game: Game, anna: Client, bert: Client) -> None:
    (roster, *_) = re.findall(r"/sheets/(roster[a-z-]*)", page(anna, game, "axis", "sheets"))
    assert f"ruling/cells/?bare&amp;sheet={roster}" in page(anna, game, "axis", f"sheets/{roster}")
    tables = page(anna, game, "axis", "ruling/cells/?bare&sheet=roster")
    assert "The sides" in tables
    assert "Reinforcement groups" not in tables
    assert re.search(r"part=sides&amp;key=allied&amp;field=elr", tables)
    # What only the enemy knows has no cell.
    assert not re.search(r"part=sides&amp;key=allied&amp;field=cp&", tables)
    cell = page(anna, game, "axis", "ruling/cells/?part=sides&key=axis&field=elr&sheet=roster")
    now = re.search(r'name="v.elr" type="number" autocomplete="off" value="(\d+)"', cell)
    assert now is not None
    other = str((int(now[1]) + 1) % 6)
    given = {"part": "sides", "key": "axis", "field": "elr", "sheet": "roster", "do": "cell"}
    send(anna, game, "axis", "change", **given, **{"v.elr": other, "why": "we read the wrong line"})
    changed = page(anna, game, "axis", "ruling/cells/?sheet=roster")
    assert f"<del>{now[1]}</del> {other}" in changed
    ruling = page(anna, game, "axis")
    assert f"ELR: {now[1]} → {other}" in ruling
    assert "we read the wrong line" in ruling
    # A cell set back to what the record has is no line any more.
    send(anna, game, "axis", "change", **given, **{"v.elr": now[1]})
    assert "Nothing yet." in page(anna, game, "axis")
    missing = anna.get(f"/campaign/{game.pk}/axis/ruling/cells/?part=sides&key=allied&field=cp")
    assert missing.status_code == 404
    assert "ruling/cells" in page(bert, game, "allied", "sheets")


def test_mlr_links_are_changed_in_the_editor(game: Game, anna: Client) -> None:
    given = {"part": "campaign", "key": "", "field": "line", "do": "cell"}
    links = "firefight: 1\nstage: final\ncontrolled: {axis: [A1], allied: [B1]}\nground: {}\n"
    links += "links: {axis: [{a: A1, b: A3, chain: [A2], kind: edge}]}"
    send(anna, game, "axis", "change", **given, **{"v.line": links})
    assert "chain" in page(anna, game, "axis", "ruling/cells/?part=campaign&key=&field=line")
    send(anna, game, "axis", "change", **given, **{"v.line": "controlled: ["})
    assert "is not a set of fields" in page(anna, game, "axis")


# Counters -----------------------------------------------------------------------------------------


def test_units_of_the_editor_are_counters_and_the_enemys_only_as_seen(
    game: Game, people: People, anna: Client, bert: Client
) -> None:
    own, enemy = units(game, people, "axis")[0], units(game, people, "allied")[0]
    assert enemy.has(Mark.CONCEALED)

    def faces(client: Client, side: str, hex_: str | None) -> list[str]:
        panel = page(client, game, side, f"ruling/hex/{hex_}")
        drawn = re.findall(r'<svg class="counter" .*?</svg>', panel, re.DOTALL)
        return [face for svg in drawn for face in re.findall(r'href="#([^"]+)"', svg)]

    assert [face for face in faces(anna, "axis", own.hex) if own.type in face]
    assert [face for face in faces(bert, "allied", enemy.hex) if enemy.type in face]
    # Of a concealed unit the other side has no line, and so no counter.
    assert faces(anna, "axis", enemy.hex) == []
    whole = page(anna, game, "axis", f"ruling/?hex={own.hex}")
    for face in set(re.findall(r'<use href="#([^"]+)"', whole)):
        assert f'id="{face}"' in whole, face
