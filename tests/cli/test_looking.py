"""Looking from the command line: log, why, sheets, map, export, verify; and taking back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Laager
from .evenings import BLUE_PLAN, RED_PLAN, RED_WORD, THE_REST

Write = Callable[[str, str], Path]


@pytest.fixture
def late(evening: Laager, write: Write) -> Laager:
    """An evening on which plans and stakes are made."""
    for name, text in (("red", RED_PLAN), ("blue", BLUE_PLAN), ("rest", THE_REST)):
        evening.well("answer", write(f"{name}.yaml", text))
    return evening


# log --------------------------------------------------------------------------------------------


def test_the_log_groups_by_step_and_folds_long_runs(late: Laager) -> None:
    lines = late.well("log").splitlines()
    assert lines[0].startswith("    1  ── An evening in the parlour; dice committed to ")
    assert "    3  ── PARLOUR 1 Beginning" in lines
    # Of units of whom the same is told one line tells.
    assert "    4     8 x 4-6-7 (R1, R2, R3, R4, R5, R6, R7, R8) join Red [PARLOUR 1]" in lines
    assert not any("(R5) joins" in line for line in lines)


def test_the_full_log_folds_nothing(late: Laager) -> None:
    out = late.well("log", "--full")
    assert "    8     4-6-7 (R5) joins Red [PARLOUR 1]" in out
    assert "…     " not in out


def test_the_last_lines_of_the_log(late: Laager) -> None:
    lines = late.well("log", "--last", "2").splitlines()
    assert len(lines) == 2
    assert lines[-1].endswith("── PARLOUR 6 Battle report")


def test_answers_are_told_with_the_question_and_short_ones_in_words(late: Laager) -> None:
    out = late.well("log")
    assert "Red answers: Does it rain? – yes" in out
    assert "Blue answers: Your stake? – 71" in out


def test_an_empty_step_is_left_out_unless_all_is_wanted(late: Laager, write: Write) -> None:
    late.well("answer", write("a.yaml", "laager: answers/1\nanswers: [{until: more}]\n"))
    late.well("answer", write("b.yaml", "laager: answers/1\nanswers: [{until: rain}]\n"))
    assert late.well("log").count("PARLOUR 1 Beginning") == 1
    assert late.well("log", "--full").count("PARLOUR 1 Beginning") == 2


def test_units_are_named_as_they_were_then(late: Laager, write: Write) -> None:
    report = """laager: answers/1
answers:
  - {side: red, for: battle-report, answer: {units: [{unit: R1, type: 4-4-7}]}}
  - {side: blue, for: battle-report, default: true}
"""
    late.well("answer", write("a.yaml", report))
    out = late.well("log", "--full")
    assert "4-6-7 (R1) to B2" in out
    assert "4-6-7 (R1) becomes 4-4-7" in out
    assert "4-4-7 (R1)" in late.well("sheet", "plan")


# why --------------------------------------------------------------------------------------------


def _number(log: str, text: str) -> str:
    return next(line for line in log.splitlines() if text in line).split()[0]


def test_why_shows_rule_answer_roll_and_modifiers(late: Laager) -> None:
    number = _number(late.well("log"), "4-6-7 (R1) to B2")
    out = late.well("why", number)
    assert "4-6-7 (R1) to B2" in out
    assert "Red rolls dr for Nerve of Red: 5, +4 the bid of red (PARLOUR 2) = 9" in out
    assert "+4 the bid of red (PARLOUR 2)" in out
    assert "Red answers: What is the plan of Red?" in out
    assert f"word: {RED_WORD}" in out
    assert "- {unit: R1, at: B2, count: 3}" in out
    assert "PARLOUR 2 Plans" in out
    assert "Who bids more than 5 may not defend" in out


def test_why_of_a_line_that_keeps_the_books(late: Laager) -> None:
    assert "(seed: keeps the books)" in late.well("why", "2")


def test_why_of_what_is_not_there(late: Laager) -> None:
    ended = late("why", "999")
    assert ended.code == 1
    assert ended.err.startswith("laager: there is no entry 999; the log goes from 1 to ")


# sheet, map, export -------------------------------------------------------------------------------


def test_sheets_by_name_and_all_of_them(late: Laager) -> None:
    assert "Plan of red" not in late.well("sheet", "points")
    everything = late.well("sheet")
    assert all(title in everything for title in ("Points", "Plan of red", "Plan of blue", "Wide"))
    ended = late("sheet", "pints")
    assert (ended.code, ended.err) == (1, "laager: there is no sheet 'pints'; did you mean points?\n")


def test_every_line_of_every_sheet_fits_in_a_hundred_characters(late: Laager) -> None:
    assert max(len(line) for line in late.well("sheet").splitlines()) <= 100


def test_the_sheets_of_a_real_campaign_fit_and_keep_their_ids_whole(laager: Laager) -> None:
    laager.well("new", "rzhavets", "--count-units")
    laager.well("next", "--defaults", "12", stdin="q\n")
    out = laager.well("sheet")
    assert max(len(line) for line in out.splitlines()) <= 100
    assert "AX14  PzIVH" in out


@pytest.mark.parametrize("columns", ["40", "60", "80", "160"])
def test_sheets_fit_whatever_width_is_asked_for(late: Laager, columns: str) -> None:
    out = late.well("sheet", "points", COLUMNS=columns)
    assert max(len(line) for line in out.splitlines()) <= int(columns)


def test_the_map_is_drawn_as_svg_and_as_png(late: Laager) -> None:
    assert late.well("map") == "drawn: map.svg\n"
    assert Path("map.svg").read_text(encoding="utf-8").startswith("<")
    assert late.well("map", "-o", "m.png", "--width", "300") == "drawn: m.png\n"
    assert Path("m.png").read_bytes().startswith(b"\x89PNG")


def test_a_map_file_is_drawn_without_a_campaign(laager: Laager) -> None:
    source = Path(__file__).parent / "parlour" / "map.yaml"
    assert laager.well("map", source, "--out", "p.svg") == "drawn: p.svg\n"


def test_export_is_all_that_a_viewer_may_know(late: Laager) -> None:
    exported = json.loads(late.well("export"))
    assert exported["viewer"] == "umpire"
    assert exported["state"]["secrets"]["red"] == [RED_WORD]
    assert [one["key"] for one in exported["pending"]] == ["battle-report"] * 2


# verify -----------------------------------------------------------------------------------------


def test_verify_proves_a_campaign(late: Laager) -> None:
    out = late.well("verify")
    assert "3 rolls (3 entered by players)" in out
    assert out.endswith("sound\n")


def test_verify_finds_a_roll_that_was_made_up(late: Laager) -> None:
    from laager.campaign.log import ROOT, encode, read_lines

    path = Path("evening.laager")
    entries = list(read_lines(path.read_bytes(), "it")[0].entries)
    head, lines = ROOT, []
    for entry in entries:
        if entry.type == "roll":
            entry.body["final"] += 1
        line, head = encode(entry, head)
        lines.append(line)
    path.write_bytes(b"".join(lines))
    ended = late("verify")
    assert ended.code == 4
    assert "the final result isn't faces plus modifiers" in ended.out
    assert ended.out.endswith("NOT SOUND\n")
    assert json.loads(late("verify", "--json").out)["sound"] is False


# Looking changes nothing ------------------------------------------------------------------------


def test_looking_writes_nothing_and_needs_no_lock(late: Laager) -> None:
    from filelock import FileLock

    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    with FileLock(".evening.laager.lock"):
        for words in (
            ["status"], ["log"], ["why", "4"], ["sheet"], ["export"], ["verify"],
            ["map", "-o", "../map.svg"], ["answer", "--template"],
            ["report", "--side", "red", "--template"],
        ):  # fmt: skip
            late.well(*words)
    after = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    assert after == before


# Taking back ------------------------------------------------------------------------------------


def test_a_side_asks_the_other_agrees(late: Laager) -> None:
    out = late.well("undo", "--side", "blue")
    assert "Blue asks to take back to entry 30" in out
    assert "red answers with: laager undo --agree --side red (or --refuse)" in late.well("status")
    assert "asks to take back" in late.well("next", "--side", "red", stdin="q\n")
    out = late.well("undo", "--agree", "--side", "red")
    assert "taken back to" in out
    assert "blue is asked [stake]" in late.well("status")
    assert "×    Blue answers: Your stake? – 71" in late.well("log")


def test_the_other_side_refuses(late: Laager) -> None:
    late.well("undo", "--side", "blue")
    assert "Red refuses" in late.well("undo", "--refuse", "--side", "red")
    assert "asks to take back" not in late.well("status")


def test_nobody_agrees_with_himself(late: Laager) -> None:
    late.well("undo", "--side", "blue")
    ended = late("undo", "--agree", "--side", "blue")
    assert ended.code == 1
    assert "the other side must agree" in ended.err


def test_the_umpire_takes_back_alone_and_brings_back(late: Laager) -> None:
    late.well("undo")
    assert "blue is asked [stake]" in late.well("status")
    assert "brought back by the umpire" in late.well("redo")
    assert "[battle-report]" in late.well("status")
    ended = late("redo")
    assert (ended.code, ended.err) == (1, "laager: nothing was taken back since the last answer\n")


def test_a_step_is_taken_back(late: Laager) -> None:
    late.well("undo")
    late.well("undo", "--step")
    assert "[rain]" in late.well("status") or "[stake]" in late.well("status")


def test_to_an_entry_by_the_viewers_own_number(late: Laager) -> None:
    number = _number(late.well("log", "--side", "blue"), "PARLOUR 3 Weather")
    late.well("undo", "--side", "blue", "--to", number)
    out = late.well("undo", "--agree", "--side", "red")
    assert "red is asked [rain]" in out
    assert f"taken back to {number} (asked by Blue)" in late.well("log", "--side", "blue")


@pytest.mark.parametrize("number", ["1", "0", "9999", "-3"])
def test_there_is_nothing_to_take_back_to(late: Laager, number: str) -> None:
    ended = late("undo", "--to", number, "--side", "red")
    assert ended.code == 1
    assert "there is no" in ended.err


# Ending -----------------------------------------------------------------------------------------


def test_a_side_concedes(late: Laager) -> None:
    assert "over: red concedes" in late.well("end", "--side", "red", "--concede")
    assert "nobody has anything to answer" in late.well("next")


def test_a_draw_needs_both(late: Laager) -> None:
    out = late.well("end", "--side", "red", "--draw")
    assert "Red proposes a draw; blue answers with: laager end --draw --side blue (or --refuse)" in out
    assert "Red proposes a draw; blue answers with" in late.well("status", "--side", "blue")
    assert late("end", "--side", "red", "--draw").code == 1
    assert "over: a draw" in late.well("end", "--side", "blue", "--draw")


def test_a_draw_is_refused(late: Laager) -> None:
    late.well("end", "--side", "red", "--draw")
    late.well("end", "--side", "blue", "--refuse")
    assert "Blue refuses" in late.well("log")
    ended = late("end", "--side", "blue", "--refuse")
    assert (ended.code, ended.err) == (1, "laager: nobody has asked to end the campaign\n")
