"""Units: by group, by Location, one by one, with what each went through."""

from __future__ import annotations

import pytest
from django.utils import translation

from laager.campaign.views import view
from laager.rules.board.units import HIDING
from laager.web.campaigns import tables
from laager.web.models import Game
from laager.web.records import tags
from laager.web.records.log import diary
from laager.web.records.sheets import roster
from laager.web.records.sheets.roster import RosterFilter
from tests.web.conftest import Begin, People, seat
from tests.web.seen import read, url


@pytest.mark.parametrize("by", roster.BY)
@pytest.mark.parametrize("sort", roster.SORTS)
def test_every_unit_is_in_the_list_once(by: str, sort: str, game: Game, people: People) -> None:
    with tables.look(seat(game, people.anna, "axis")) as table:
        found = roster.parts(table, RosterFilter(by, sort, state="all"))
        listed = [one.id for part in found for one in part.units]
        known = {
            one.id for one in table.view.state.units.values()
            if one.side == "axis" or not one.has(*HIDING)
        }  # fmt: skip
        own = [one.id for p in roster.parts(table, RosterFilter(by, sort, "axis")) for one in p.units]
        lost = [o.id for p in roster.parts(table, RosterFilter(by, sort, "", "lost")) for o in p.units]
    assert sorted(listed) == sorted(known)
    assert own
    assert {name for name in own if not name.startswith("AX")} == set()
    assert not set(lost) & set(own)


def test_parts_are_what_they_say(game: Game, people: People) -> None:
    with tables.look(seat(game, people.anna, "axis")) as table:
        groups = roster.parts(table, RosterFilter("group"))
        places = roster.parts(table, RosterFilter("location"))
        units = table.view.state.units
    assert len(groups) > 4
    for part in groups:
        assert {one.group for one in part.units} == {part.title}
    assert any(part.about for part in groups)
    for part in places:
        assert {units[one.id].at for one in part.units} == {part.title} or not part.hex
    assert any(part.hex for part in places)


def test_words_narrow_the_list(game: Game, people: People) -> None:
    client = people.client(people.anna)
    with tables.look(seat(game, people.anna, "axis")) as table:
        wanted = [one for one in roster.units(table) if one.kind == "leader" and not one.lost]
        others = [one for one in roster.units(table) if one.kind == "squad"]
    page = read(client, url(game, "axis", "units?q=leader"))
    assert all(one.label in page for one in wanted if one.side == "axis")
    assert not any(one.label in page for one in others)


def test_a_unit_tells_what_it_went_through(game: Game, people: People) -> None:
    with tables.look(seat(game, people.anna, "axis")) as table:
        unit = next(u for u in roster.units(table) if u.side == "axis" and u.hex and u.group)
        story = diary.story(table, unit.id)
    assert len(story) > 1
    page = read(people.client(people.anna), url(game, "axis", f"units/{unit.id}"))
    for line in story:
        assert f"log/{line.number}" in page
    assert unit.label in page
    assert f"map?hex={unit.hex}" in page


def test_an_unknown_unit_is_the_same_as_none(game: Game, people: People) -> None:
    """Nobody can try out ids to learn which units the other side has."""
    with tables.look(seat(game, people.anna, "axis")) as table:
        truth = view(table.campaign, "umpire").state
        told = str([one.entry.body for one in table.view.log])
        hidden = next(one for one in truth.units if f"'{one}'" not in told)
    client = people.client(people.anna)
    answers = [client.get(url(game, "axis", f"units/{name}")) for name in (hidden, "AL999", "AL1;x")]
    assert {answer.status_code for answer in answers} == {404}
    pages = [answer.content.decode().split("<main", 1)[1] for answer in answers[:2]]
    assert pages[0].replace(hidden, "AL999") == pages[1]
    assert people.client(people.cleo).get(url(game, "umpire", f"units/{hidden}")).status_code == 200


def test_a_purchase_has_sheets_instead_of_units(begin: Begin, people: People) -> None:
    game = begin("vistula")
    page = read(people.client(people.anna), url(game, "axis", "units"))
    assert "track units" in page
    assert people.client(people.anna).get(url(game, "axis", "units/AX1")).status_code == 404


@pytest.mark.parametrize("rest", ["units?by=x", "units?sort=x", "units?state=x", "units?side=x"])
def test_wrong_choices_are_told(rest: str, game: Game, people: People) -> None:
    page = people.client(people.anna).get(url(game, "axis", rest))
    assert page.status_code == 404
    assert "units cannot be shown" in page.content.decode()


def test_kinds_and_markers_are_said_as_players_say_them() -> None:
    assert [tags.kind_of_unit(kind) for kind in ("sw", "half-squad")] == ["SW", "half-squad"]
    assert tags.marks_in_words(("concealed", "hip", "was-revealed")) == "concealed, hidden, has been seen"
    with translation.override("de"):
        assert tags.marks_in_words(("concealed", "emplaced")) == "unter „?“, Emplaced"
