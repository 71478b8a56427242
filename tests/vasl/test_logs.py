"""Logs: the state after the last step, as VASSAL has it, and the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from laager.base import DataError
from laager.vasl.saves.game import Save, describe_save
from laager.vasl.saves.owners import MASK
from laager.vasl.saves.save import save_of
from tests.vasl.save_writer import (
    NEW,
    Counter,
    archive,
    board,
    change,
    concealed,
    game,
    hidden,
    label,
    layer,
    log,
    move,
    sequence,
    stack,
)

HERE, THERE, FAR = (456, 464), (456, 528), (512, 496)
"""Centres of 01B1, 01B2 and 01C2."""
SECRET = "swordfish77"

squad = Counter("1", "4-6-7 1sq", [layer("broken +", at=-1)], at=HERE)
leader = Counter("2", "9-1", at=HERE)
gun = Counter("3", "LMG", at=HERE)
enemy = Counter("4", "4-4-7 1sq", [hidden(None), concealed(None, "ru")], at=THERE)
wire = Counter("5", "Wire", [("immob;g;", "")], at=FAR)
START = (
    *(one.command() for one in (squad, leader, gun, enemy, wire)),
    stack("10", [squad, leader, gun]),
    stack("11", [enemy]),
)


def played(*steps: Sequence[str], start: Sequence[str] = START) -> Save:
    return save_of(archive(log(game(*start, boards=board(0, 0, "01")), *steps)))


def stacks(save: Save) -> Mapping[str, tuple[str, ...]]:
    return {one.id: one.pieces for one in save.stacks}


def where(save: Save) -> Mapping[str, str | None]:
    return {one.id: one.place.location for one in save.pieces}


def test_without_steps_nothing_differs() -> None:
    text = game(*START, boards=board(0, 0, "01"))
    assert played() == save_of(archive(text))
    assert played().steps == 0


def test_a_piece_moves_out_of_its_stack_and_onto_another() -> None:
    save = played([move("2", THERE, under="4")])
    assert stacks(save) == {"10": ("1", "3"), "11": ("4", "2")}
    assert where(save)["2"] == "01B2"
    assert save.steps == 1


def test_a_piece_without_one_beneath_goes_to_the_bottom() -> None:
    assert stacks(played([move("2", THERE)])) == {"10": ("1", "3"), "11": ("2", "4")}


def test_a_piece_goes_right_above_the_one_beneath_it() -> None:
    save = played([move("4", HERE, under="1")])
    assert stacks(save) == {"10": ("1", "4", "2", "3")}
    assert save.empty_stacks == 1


def test_within_its_stack_a_piece_changes_its_place() -> None:
    assert stacks(played([move("1", HERE, under="3")]))["10"] == ("2", "3", "1")
    assert stacks(played([move("3", HERE, under="1")]))["10"] == ("3", "1", "2"), "one too low, as VASSAL has it"
    assert stacks(played([move("3", HERE)]))["10"] == ("3", "1", "2")


def test_what_was_beneath_may_have_gone_elsewhere() -> None:
    """Then it's put on top of what lies there."""
    save = played([move("2", THERE, under="3")])
    assert stacks(save) == {"10": ("1", "3"), "11": ("4", "2")}


def test_on_empty_ground_a_piece_lies_alone_until_a_stack_is_made_of_it() -> None:
    save = played([move("2", FAR)])
    assert stacks(save) == {"10": ("1", "3"), "11": ("4",)}
    assert where(save)["2"] == "01C2"
    made = played([move("2", FAR), "+/12/stack/" + f"{NEW};{FAR[0]};{FAR[1]};2"])
    assert stacks(made)["12"] == ("2",)
    assert where(made)["2"] == "01C2"


def test_a_stack_moves_with_all_that_is_in_it() -> None:
    save = played([move("10", FAR)])
    assert stacks(save)["10"] == ("1", "2", "3")
    assert {where(save)[one] for one in ("1", "2", "3")} == {"01C2"}


def test_a_stack_moved_onto_another_is_left_empty() -> None:
    save = played([move("10", THERE)])
    assert stacks(save) == {"11": ("4", "1", "2", "3")}
    assert save.empty_stacks == 1


def test_nothing_merges_with_what_stays_out_of_stacks() -> None:
    save = played([move("2", FAR)], [move("5", HERE)])
    assert "5" not in {piece for inside in stacks(save).values() for piece in inside}
    assert where(save)["5"] == "01B1"


def test_a_stack_is_made_of_two_that_lay_alone() -> None:
    save = played([move("2", FAR)], [move("3", FAR, under="2")])
    assert sorted(stacks(save).values()) == [("1",), ("2", "3"), ("4",)]


def test_what_the_mover_cannot_see_is_no_reason_to_merge() -> None:
    unseen = replace(enemy, traits=[hidden("other"), concealed(None, "ru")])
    start = (*(one.command() for one in (squad, unseen)), stack("10", [squad]), stack("11", [unseen]))
    assert stacks(played([move("1", THERE, player="me")], start=start)) == {"11": ("4",)}
    assert stacks(played([move("1", THERE, player="other")], start=start)) == {"11": ("1", "4")}


def test_a_piece_changes_its_state() -> None:
    save = played([change(squad, replace(squad, traits=[layer("broken +", at=1)]))])
    assert next(one for one in save.pieces if one.id == "1").status == ("broken",)


def test_only_what_a_change_changes_is_changed() -> None:
    broken = replace(squad, traits=[layer("broken +", at=1)])
    moved = replace(squad, at=FAR)
    save = played([change(squad, broken), change(squad, moved)])
    piece = next(one for one in save.pieces if one.id == "1")
    assert piece.name == "broken 4-6-7 1sq"
    assert piece.stack == "10"


def test_a_change_without_the_old_state_counts_whole() -> None:
    told = "D/" + sequence(["1", replace(squad, traits=[layer("broken +", at=1)]).state()], "/")
    assert next(one for one in played([told]).pieces if one.id == "1").status == ("broken",)


def test_a_piece_is_added_and_another_removed() -> None:
    pin = Counter("20", "Pin", at=HERE)
    save = played([pin.command(), move("20", HERE, under="1")], ["-/2"])
    assert stacks(save)["10"] == ("1", "20", "3")
    assert "2" not in where(save)
    assert "pinned" in next(one for one in save.pieces if one.id == "1").status


def test_pieces_of_a_removed_stack_are_on_no_map() -> None:
    save = played(["-/10"])
    assert [one.map for one in save.pieces if one.id in ("1", "2", "3")] == [None] * 3


def test_a_stack_is_given_another_order() -> None:
    here = f"{NEW};{HERE[0]};{HERE[1]}"
    assert stacks(played([f"D/10/{here};3;2;1/{here};1;2;3"]))["10"] == ("3", "2", "1")


def test_what_came_into_a_stack_meanwhile_stays_in_it() -> None:
    here = f"{NEW};{HERE[0]};{HERE[1]}"
    save = played([move("4", HERE, under="1")], [f"D/10/{here};3;1/{here};1;2;3"])
    assert stacks(save)["10"] == ("3", "1", "4")
    assert where(save)["2"] == "01B1", "what a stack no longer names stays where the stack is"


def test_the_dead_go_into_the_bin() -> None:
    save = played([move("2", (30, 30), on="Casualties")])
    assert next(one for one in save.pieces if one.id == "2").map == "Casualties"


def test_what_a_step_says_of_the_scenario_counts() -> None:
    save = played(["INFO\tAxis\tAllied\t6\t3\t4\t2\t5"])
    assert save.info is not None
    assert save.info.turn == "6"


def test_commands_that_are_not_known_are_counted() -> None:
    save = played(["LOS\tx", "something"], [""], ["D/99/x/y", "-/98", "M/97/Main Map/1/1/null/null/0/0/null/x"])
    assert save.others == {"other": 2}
    assert save.misfits == 0
    assert where(save) == where(played())


@pytest.mark.parametrize("bad", ["D/1/x/y", "D/1", "M/1/Main Map", "M/1/Main Map/a/b/null/null/0/0/null/x"])
def test_changes_that_do_not_fit_are_left_out_and_told(bad: str) -> None:
    save = played([bad])
    assert save.misfits == 1
    assert where(save) == where(played())
    assert "changes in the log that don't fit" in " ".join(describe_save(save)["doubts"])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("+/a b/stack/x", "without a valid number"),
        ("+/77/stack/x", "without a position"),
        ("M/1/Main Map/9999999/1/null/null/0/0/null/x", "impossible coordinates"),
        ("+/77/piece;;;;x", "adds a piece of 2 parts"),
    ],
)
def test_what_no_game_has_is_refused(bad: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        played([bad])


def test_too_many_pieces_are_refused() -> None:
    steps = [[f"+/{number}/piece;;;;x/{NEW};1;1;"] for number in range(1000, 11_100)]
    with pytest.raises(DataError, match="too many pieces; 10000 at most"):
        played(*steps)


# Dice ---------------------------------------------------------------------------------------------

CHATS = {
    "*** (IFT DR) 3,4 ***   <Ann>      Axis SAN    [2 / 9   avg   6,62 (6,62)]    (01.51)": (
        "Ann, IFT DR: 3,4 (Axis SAN)"
    ),
    "*** (SA dr) 5 ***   <Bob Ray>      [1 / 6   avg   3.00 (3.67)]    (01.27 - by random.org)": "Bob Ray, SA dr: 5",
    "*** (Other DR) 6,6,2 ***   <Ann>      [1 / 1   avg   12.00 (12.00)]    (01.27)": "Ann, Other DR: 6,6,2",
    "*** 1tK DR = 3,4 ***   <Ann>": "Ann, 1tK DR: 3,4",
    "*** DR = 1,2 *** &lt;Ann&gt;": "Ann, DR: 1,2",
    "** dr = 4 *** <Ann>": "Ann, dr: 4",
    "*** 3d6 = 4,2,6 ***   <Ann>": "Ann, 3d6: 4,2,6",
    "<Ann> - *** (IFT DR) 1,1 ***   <Bob>": None,
    "*** (IFT DR) 7,1 ***   <Ann>": None,
    "*** (IFT DR) 3 ***   <Ann>": None,
    "* 6+1 Pin in B1 *": None,
    "*** well ***": None,
}


@pytest.mark.parametrize(("line", "told"), list(CHATS.items()))
def test_what_vasl_announces_is_read(line: str, told: str | None) -> None:
    save = played([move("2", FAR)], [f"CHAT{line}"])
    assert [str(one) for one in save.rolls] == ([] if told is None else [told])
    assert {one.step for one in save.rolls} <= {2}


# What must not get out ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", [hidden, concealed])
def test_a_password_that_only_a_step_names_is_masked(how: object) -> None:
    open_, shut = hidden(None), hidden(SECRET)
    before, after = replace(enemy, traits=[open_]), replace(enemy, traits=[shut])
    talk = f"CHAT*** (IFT DR) 1,2 ***   <{SECRET}>"
    noted = Counter("9", "User-Labeled", [label(f"{SECRET}!")], at=FAR)
    start = (before.command(), noted.command())
    for step in (
        [change(before, after), change(after, before)],
        [move("4", FAR, player=SECRET)],
        [f"INFO\t{'x' + chr(9) * 9}\t{SECRET}\tnote"],
        [f"PNOTES\t{SECRET}\tnote"],
        [f"UNMASK\t{SECRET}"],
        [f"OBA/+/1/{SECRET},text"],
        [Counter("8", "?", [hidden(SECRET)]).command(), "-/8"],
    ):
        save = played(step, [talk], start=start)
        assert [one.who for one in save.rolls] == [MASK]
        assert SECRET not in repr(save) + str(describe_save(save, everything=True))


def test_what_was_hidden_on_the_way_is_no_owners_any_more() -> None:
    before, after = enemy, replace(enemy, traits=[hidden(SECRET), concealed(None, "ru")])
    save = played([change(before, after)], [change(after, before)], start=(enemy.command(),))
    assert save.owners == 0
    assert save.pieces[0].hidden_by is None
