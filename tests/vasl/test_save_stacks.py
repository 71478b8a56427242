"""Stacks of saves of our own: status and location counters in them, and whose the pieces are."""

from __future__ import annotations

import pytest

from laager.vasl.saves.counters import CounterKind, status_by_marker
from laager.vasl.saves.game import pieces_visible_to
from laager.vasl.saves.save import save_of
from tests.vasl.save_writer import Counter, archive, concealed, game, hidden, label, stack
from tests.vasl.test_save_pieces import piled, read


def test_a_stack_is_from_the_bottom_to_the_top() -> None:
    counters = [Counter("7", "LMG"), Counter("8", "4-6-7 1sq")]
    save = read(*counters, stacks=[[counters[1], counters[0]], []])
    assert [(piece.stack, piece.order) for piece in save.pieces] == [("s0", 1), ("s0", 0)]
    assert save.stacks[0].pieces == ("8", "7")
    assert save.empty_stacks == 1


def test_where_stack_and_piece_disagree_the_stack_is_right() -> None:
    counter = Counter("7", "LMG", at=(1, 1))
    save = save_of(archive(game(counter.command(), stack("s", [counter], at=(456, 464)))))
    assert (save.pieces[0].x, save.pieces[0].y) == (456, 464)


def test_layers_of_stacks_in_newer_versions_are_no_pieces() -> None:
    text = game(Counter("7", "LMG").command(), "+/9/stack/Main Map;0;0;7;@@1")
    assert save_of(archive(text)).stacks[0].pieces == ("7",)


def test_a_status_counter_is_about_the_piece_right_below_it() -> None:
    squad, other, pin = piled("4-6-7 1sq", "8-1", "Pin")
    assert (other.status, other.perhaps) == (("pinned",), ())
    assert (squad.status, squad.perhaps) == ((), ("pinned",))
    assert pin.status == ()


def test_several_status_counters_on_one_piece() -> None:
    squad, *_ = piled("broken 4-6-7 1sq", "DM", "Encircled")
    assert squad.status == ("broken", "DM", "encircled")


def test_a_location_counter_keeps_status_from_the_pieces_below_it() -> None:
    below, _, above, _ = piled("4-6-7 1sq", "Building Level 1", "8-1", "CX")
    assert (below.status, below.perhaps) == ((), ("CX",))
    assert above.status == ("CX",)


def test_a_concealment_counter_hides_no_status() -> None:
    squad, _, _ = piled("4-6-7 1sq", "?", "Motion")
    assert squad.status == ("motion",)


@pytest.mark.parametrize(("name", "status"), sorted(status_by_marker().items()))
def test_every_status_counter(name: str, status: str) -> None:
    unit, _ = piled("PzKw IVH", name)
    assert unit.status == (status,)


@pytest.mark.parametrize(
    ("names", "level"),
    [
        (("Building Level 2", "4-6-7 1sq"), ("Building Level 2", "building", 2)),
        (("Building Ground Level", "4-6-7 1sq"), ("Building Ground Level", "building", 0)),
        (("Fort Bldg Cellar", "4-6-7 1sq"), ("Fort Bldg Cellar", "building", -1)),
        (("Building Roof Level", "4-6-7 1sq"), ("Building Roof Level", "roof", None)),
        (("Crest ca4", "4-6-7 1sq"), ("Crest ca4", "crest", None)),
        (("Climb -1: 1 ca2", "4-6-7 1sq"), ("Climb -1: 1 ca2", "climb", -1)),
        (("Trench BRT", "4-6-7 1sq"), ("Trench BRT", "entrenchment", 0)),
        (("Pin", "4-6-7 1sq"), None),
    ],
)
def test_units_above_a_counter_are_in_its_location(
    names: tuple[str, ...], level: tuple[str, str, int | None] | None
) -> None:
    found = piled(*names)[1].level
    assert (found and (found.name, found.kind, found.level)) == level


@pytest.mark.parametrize("name", ["1S Foxhole", "3S Foxhole", "Trench", "A-T Ditch"])
def test_units_below_an_entrenchment_are_in_it(name: str) -> None:
    inside, counter, outside = piled("4-6-7 1sq", name, "8-1")
    assert inside.level is not None
    assert (inside.level.name, inside.level.itself) == (name, False)
    assert counter.level is not None
    assert counter.level.itself
    assert outside.level is None


def test_a_counter_below_goes_before_one_above() -> None:
    _, squad, _ = piled("Building Level 1", "4-6-7 1sq", "1S Foxhole")
    assert squad.level is not None
    assert squad.level.name == "Building Level 1"


def test_the_nearest_counter_counts() -> None:
    _, _, squad, _, _ = piled("Building Level 1", "Building Level 2", "4-6-7 1sq", "Pin", "Building Level 3")
    assert squad.level is not None
    assert squad.level.level == 2


def test_a_location_counter_without_a_stack() -> None:
    piece = read(Counter("1", "1S Foxhole")).pieces[0]
    assert piece.level is not None
    assert piece.level.itself


# Owners


def test_owners_are_numbers_in_the_order_of_the_pieces() -> None:
    save = read(
        Counter("1", "4-6-7 1sq", [hidden("zebra77")]),
        Counter("2", "4-6-7 1sq", [concealed("apple88")]),
        Counter("3", "8-1", [hidden("zebra77"), concealed(None)]),
        Counter("4", "?", [("concealment;apple88;ge", "")]),
        Counter("5", "8-0"),
    )
    assert [(one.hidden_by, one.concealed_by, one.counter_of) for one in save.pieces] == [
        (1, None, None),
        (None, 2, None),
        (1, None, None),
        (None, None, 2),
        (None, None, None),
    ]
    assert save.owners == 2


def test_a_viewer_sees_his_own_and_what_is_open() -> None:
    save = read(
        Counter("1", "4-6-7 1sq", [hidden("zebra77")]),
        Counter("2", "T-34 M43", [concealed("apple88", "ru"), label("Boss")], slot="597"),
        Counter("3", "8-0"),
        Counter("4", "9-2", [hidden("zebra77"), concealed("apple88")]),
    )
    assert [one.name for one in pieces_visible_to(save)] == ["?", "8-0"]
    assert [one.name for one in pieces_visible_to(save, 1)] == ["4-6-7 1sq", "?", "8-0", "?"]
    assert [one.name for one in pieces_visible_to(save, 2)] == ["T-34 M43", "8-0"]
    masked = pieces_visible_to(save)[0]
    assert (masked.kind, masked.nation, masked.slot, masked.labels) == (CounterKind.UNKNOWN, "ru", None, ())
    assert "T-34" not in repr(masked)
    assert "Boss" not in repr(masked)
