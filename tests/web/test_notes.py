"""Notes: private to a seat, shared by those who sit in it."""

from __future__ import annotations

import pytest

from laager.web.campaigns import notebook, tables
from laager.web.models import Game, Member, Note, Player, Role
from tests.web.conftest import People, seat
from tests.web.seen import read, sitting, url

SECRET = "Xylophon-4711"


def write(people: People, game: Game, name: str, user: Player, about: str, text: str) -> int:
    answer = people.client(user).post(url(game, name, "notes"), {"about": about, "text": text})
    return answer.status_code


@pytest.mark.once
def test_a_note_is_read_from_its_own_seat_alone(game: Game, people: People) -> None:
    who = sitting(game, people)
    mate = Player.objects.create_user("emil", "", "emil-secret-word")
    Member.objects.create(game=game, user=mate, role=Role.MATE, side="axis")
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        hex_ = next(iter(table.view.state.units.values())).hex
    for writer in ("axis", "allied", "umpire"):
        for about in ("", str(hex_), "9"):
            assert write(people, game, writer, who[writer], about, f"{SECRET}-{writer} <b>{about}</b>") == 302
    for name, user in (*who.items(), ("mate", mate)):
        at = "axis" if name == "mate" else name
        client, text = people.client(user), ""
        for rest in ("notes", "log", "log/9", f"map?hex={hex_}", f"map/hex/{hex_}", "", "units",
                     "sheets", "history", "over", "people"):  # fmt: skip
            page = client.get(url(game, at, rest))
            text += page.content.decode()
        for writer in ("axis", "allied", "umpire"):
            assert (f"{SECRET}-{writer}" in text) is (writer == at), (writer, name)
        assert "<b>9</b>" not in text


def test_spectators_have_no_notes(game: Game, people: People) -> None:
    sitting(game, people)
    client = people.client(people.dora)
    assert client.get(url(game, "spectator", "notes")).status_code == 403
    assert write(people, game, "spectator", people.dora, "", "x") == 403
    assert not Note.objects.exists()


def test_notes_are_changed_and_deleted_by_their_seat(game: Game, people: People) -> None:
    write(people, game, "axis", people.anna, "", "first")
    one = Note.objects.get()
    mine, theirs = people.client(people.anna), people.client(people.bert)
    for rest in (f"notes/{one.pk}", f"notes/{one.pk}/delete"):
        for client, name in ((theirs, "allied"), (people.client(people.cleo), "umpire")):
            answer = client.post(url(game, name, rest), {"about": "", "text": "changed"})
            assert answer.status_code == 404
        assert theirs.post(url(game, "axis", rest), {"text": "changed"}).status_code == 404
    assert "first" in read(mine, url(game, "axis", f"notes/{one.pk}"))
    mine.post(url(game, "axis", f"notes/{one.pk}"), {"about": "entry 12", "text": "second"})
    one.refresh_from_db()
    assert (one.about, one.text) == ("entry 12", "second")
    assert mine.get(url(game, "axis", f"notes/{one.pk}/delete")).status_code == 405
    assert mine.post(url(game, "axis", f"notes/{one.pk}/delete")).status_code == 302
    assert not Note.objects.exists()


def test_notes_are_about_what_the_seat_knows(game: Game, people: People) -> None:
    with tables.look(seat(game, people.anna, "axis")) as table:
        units = table.view.state.units
        own = next(one for one in units if one.startswith("AX"))
        known = notebook.known_units(table)
        at = next(one.hex for one in units.values() if one.hex)
        for typed, key in (
            ("", ""), (f"unit {own.lower()}", f"unit {own}"), ("12", "entry 12"),
            ("Entry 12", "entry 12"), (str(at).lower(), str(at)), (f"hex {at}", str(at)),
        ):  # fmt: skip
            assert notebook.find_subject(table, typed).key == key
            assert notebook.subject_of(key).key == key
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        hidden = next(one for one in notebook.known_units(table) if one not in known)
    for about in (f"unit {hidden}", "unit AL999", "ZZZ99", "entry 99999", "0", "hex 5", "a b"):
        client = people.client(people.anna)
        answer = client.post(url(game, "axis", "notes"), {"about": about, "text": "kept words"})
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "kept words" in page
        assert 'role="alert"' in page
    assert not Note.objects.exists()


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (notebook.LONGEST_NOTE_CHARS + 1)])
def test_a_note_needs_words_and_has_an_end(text: str, game: Game, people: People) -> None:
    assert write(people, game, "axis", people.anna, "", text) == 422
    assert not Note.objects.exists()


def test_there_is_room_for_so_many(game: Game, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "MOST_NOTES", 2)
    told = [write(people, game, "axis", people.anna, "", "x") for _ in range(3)]
    assert told == [302, 302, 422]
    assert write(people, game, "allied", people.bert, "", "x") == 302
