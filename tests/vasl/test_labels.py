"""Labels put into saves: found again, renewed, taken out; nothing else changes by a byte."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.saves.game import pieces_visible_to
from laager.vasl.saves.labels import LEFT, LabelledSave, MapLabel, label_mark, label_save, our_labels
from laager.vasl.saves.save import GAME, read_save, save_of
from laager.vasl.saves.sequence import unveil
from tests.tries import tries

from .save_writer import (
    ESC,
    NEW,
    OLD,
    Counter,
    board,
    concealed,
    game,
    hidden,
    label,
    packed,
    save_bytes,
    sequence,
    stack,
    veiled,
)

SHARED = Path(__file__).parents[3] / "shared" / "data" / "saves"
DATE = MapLabel("campaign", "The Mill", ("CG Date 3", "ELR 3 <or> 4 & more"))
AXIS = MapLabel("ratings-axis", "Axis", ("ELR 3, SAN 4", "CPP 12"))
PASSWORD = "open sesame"


def our_game(*more: str, boards: str = board(0, 0, "01")) -> str:
    squad = Counter("11", "4-6-7 1sq", [hidden(PASSWORD)], at=(900, 900), image="ge/ge467")
    other = Counter("12", "9-1", [concealed("secret2")], at=(960, 960))
    note = Counter("13", "User-Labeled", [label("a player's own\tnote \\", "$label$")], at=(99, 90))
    return game(squad.command(), other.command(), stack("20", [other]), note.command(), *more, boards=boards)


def text_of(data: bytes) -> str:
    return unveil(Archive(data, "own.vsav").read(GAME))[0]


def put(data: bytes, *labels: MapLabel) -> LabelledSave:
    return label_save(data, "own.vsav", labels)


def parts(data: bytes) -> dict[str, tuple[bytes, tuple[int, ...], int]]:
    with zipfile.ZipFile(BytesIO(data)) as file:
        return {one.filename: (file.read(one), one.date_time, one.compress_type) for one in file.infolist()}


def test_all_but_the_labels_stays_to_the_byte() -> None:
    old = save_bytes(our_game())
    made = put(old, DATE, AXIS)
    assert made.added == ("campaign", "ratings-axis")
    before, after = text_of(old), text_of(made.data)
    at = next(i for i, (one, two) in enumerate(zip(before, after, strict=False)) if one != two)
    start = after.rfind("+/", 0, at + 4)
    rest = len(before) - start
    assert after[:start] == before[:start]
    assert after[-rest:] == before[start:]
    assert after[start:-rest].count("+/") == 2, "the two labels are all there is between"
    names = set(parts(old)) - {GAME}
    assert {n: parts(old)[n] for n in names} == {n: parts(made.data)[n] for n in names}
    assert list(parts(made.data)) == list(parts(old)), "in the same order"


def test_the_key_of_the_veil_is_kept_and_plain_saves_stay_plain() -> None:
    made = put(save_bytes(our_game(), key=201), DATE)
    assert Archive(made.data, "x").read(GAME).startswith(b"!VCSKc9")
    plain = put(save_bytes(our_game(), key=None), DATE)
    assert Archive(plain.data, "x").read(GAME).startswith(b"begin_save")


def test_our_reader_sees_them_beside_the_boards() -> None:
    made = put(save_bytes(our_game()), DATE, AXIS)
    save = save_of(Archive(made.data, "own.vsav"))
    found = [one for one in save.pieces if one.labels and "laager:label" in one.labels[0].text]
    assert [one.name for one in found] == ["User-Labeled"] * 2
    assert all(one.on_map and one.place.hex is None and one.x == LEFT for one in found)
    assert "ELR 3 &lt;or&gt; 4 &amp; more" in found[0].labels[0].text
    heights = [one.y for one in found]
    assert heights == sorted(heights)
    assert heights[0] > 90 + 40, "clear of the player's own note"
    assert len(save.pieces) == 3 + 2
    assert len({one.id for one in save.pieces}) == 5


def test_labels_are_found_again_and_renewed() -> None:
    first = put(save_bytes(our_game()), DATE, AXIS)
    again = put(first.data, DATE, AXIS)
    assert again.data == first.data
    assert again.unchanged == ("campaign", "ratings-axis")
    later = MapLabel("campaign", "The Mill", ("CG Date 4",))
    renewed = put(first.data, later, AXIS)
    assert (renewed.updated, renewed.unchanged, renewed.added) == (("campaign",), ("ratings-axis",), ())
    texts = our_labels(renewed.data, "own.vsav")
    assert set(texts) == {"campaign", "ratings-axis"}
    assert "CG Date 4" in texts["campaign"]
    assert "CG Date 3" not in text_of(renewed.data)


def test_a_label_that_a_player_moved_stays_where_it_is() -> None:
    first = put(save_bytes(our_game()), DATE)
    text = text_of(first.data)
    at = text.index(f"{NEW};{LEFT};")
    moved = text[:at] + f"{NEW};1234;" + text[at + len(f"{NEW};{LEFT};") :]
    renewed = put(save_bytes(moved), MapLabel("campaign", "The Mill", ("CG Date 5",)))
    assert text_of(renewed.data) == moved.replace("CG Date 3<br>ELR 3 &lt;or&gt; 4 &amp; more", "CG Date 5")


def test_what_is_no_longer_wanted_is_taken_out_without_a_trace() -> None:
    old = save_bytes(our_game())
    both = put(old, DATE, AXIS)
    one = put(both.data, DATE)
    assert one.removed == ("ratings-axis",)
    assert "CPP" not in text_of(one.data)
    none = put(one.data)
    assert none.removed == ("campaign",)
    assert text_of(none.data) == text_of(old)


def test_a_label_that_a_player_copied_is_there_once() -> None:
    first = put(save_bytes(our_game()), DATE)
    text = text_of(first.data)
    at = text.index("+/", text.rindex("PNOTES"))
    command = text[at : text.index(ESC + "end_save")]
    number = command.split("/")[1]
    twice = text.replace(command, command + ESC + command.replace(number, "777", 1))
    renewed = put(save_bytes(twice), MapLabel("campaign", "The Mill", ("CG Date 6",)))
    assert (renewed.updated, renewed.removed) == (("campaign",), ("campaign",))
    assert text_of(renewed.data).count("laager:label") == 1


def test_players_own_words_are_no_mark() -> None:
    other = Counter("40", "User-Labeled", [label("laager:label campaign", "$label$")])
    made = put(save_bytes(our_game(other.command())), DATE)
    assert made.added == ("campaign",)
    assert text_of(put(made.data).data).count("laager:label campaign") == 1


@pytest.mark.parametrize(("vasl", "name"), [("6.4.4", OLD), ("6.5.1", NEW), ("6.10.0", NEW), ("5.9.2", OLD), ("", NEW)])
def test_the_map_has_the_name_of_the_version(vasl: str, name: str) -> None:
    made = put(save_bytes(game(), vasl=vasl), DATE)
    (piece,) = save_of(Archive(made.data, "own.vsav")).pieces
    assert piece.map == name


def test_pieces_tell_the_name_of_the_map_better_than_the_version() -> None:
    text = game(Counter("1", "9-1", map=OLD).command())
    made = put(save_bytes(text, vasl="6.5.1"), DATE)
    assert save_of(Archive(made.data, "own.vsav")).pieces[-1].map == OLD


def test_logs_get_them_into_their_starting_state() -> None:
    text = our_game()
    log = text + ESC + sequence(["LOG\tM/11/Main Map/1/1/null/Main Map/2/2/null/x", ""], ESC)
    made = put(save_bytes(log), DATE)
    save = save_of(Archive(made.data, "own.vlog"))
    assert save.steps == 1
    assert any(one.labels and label_mark("campaign") in one.labels[0].text for one in save.pieces)
    assert text_of(made.data).endswith(log[len(text) :])


def test_deeply_nested_saves() -> None:
    inner = our_game()
    nested = sequence(["", inner], ESC)
    assert save_of(Archive(save_bytes(nested), "x")).pieces
    made = put(save_bytes(nested), DATE)
    assert len(save_of(Archive(made.data, "x")).pieces) == 4
    assert text_of(put(made.data).data) == nested


def test_nothing_secret_of_the_save_is_told_or_lost() -> None:
    made = put(save_bytes(our_game()), DATE)
    save = save_of(Archive(made.data, "own.vsav"))
    assert [one.hidden_by for one in save.pieces if one.id == "11"] == [1]
    assert all(PASSWORD not in repr(one) for one in pieces_visible_to(save))
    assert PASSWORD not in repr(made.added + made.updated + made.removed)
    assert text_of(made.data).count(PASSWORD) == text_of(save_bytes(our_game())).count(PASSWORD)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no archive", "is not a ZIP archive"),
        (packed({"moduledata": b"<data/>"}), "is not in the archive"),
        (packed({GAME: veiled("begin_save" + ESC + "hello")}), "no end of its starting state"),
        (packed({GAME: veiled("hello")}), "is not a saved game"),
    ],
)
def test_files_that_will_not_do(data: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        put(data, DATE)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)


@tries(60)
@given(st.lists(WORDS, min_size=1, max_size=4), WORDS)
def test_any_words_can_stand_on_a_label(lines: list[str], title: str) -> None:
    wanted = MapLabel("campaign", title, tuple(lines))
    old = save_bytes(our_game())
    made = put(old, wanted)
    assert our_labels(made.data, "x") == {"campaign": wanted.text}
    assert text_of(put(made.data).data) == text_of(old)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the example saves are not in ../shared/data")
@pytest.mark.parametrize("name", ["empty", "basic", "full", "labels", "hip-concealed", "landing-craft"])
def test_real_saves(name: str) -> None:
    path = SHARED / f"{name}.vsav"
    old = path.read_bytes()
    made = put(old, DATE, AXIS)
    before, after = read_save(path), save_of(Archive(made.data, path.name))
    assert after.pieces[:-2] == before.pieces
    assert (before.stacks, before.notes, before.info) == (after.stacks, after.notes, after.info)
    later = MapLabel("ratings-axis", "Axis", ("ELR 2",))
    renewed = put(made.data, DATE, later)
    assert (renewed.updated, renewed.unchanged) == (("ratings-axis",), ("campaign",))
    assert text_of(put(renewed.data).data) == text_of(old)
