"""Every exit code, and the sentence that goes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Laager

PARLOUR = Path(__file__).parent / "parlour"

COMMANDS = (
    *("new", "next", "status", "answer", "report", "undo", "redo", "patience", "rename", "reopen", "ruling", "end"),
    *("log", "why", "sheet", "map", "export", "verify", "story", "simulate", "try", "forecast", "settle"),
    *("serve", "login", "logout", "backup", "restore", "doctor"),
    *("cards", "rules", "table", "house", "check", "diff", "schema", "lsp", "los"),
)

REFUSED = [
    ("new nosuchcard", "'nosuchcard' is neither a file nor a shipped card"),
    ("new rzhavet", "did you mean rzhavets?"),
    ("new evening", "evening.laager already exists"),
    ("new evening -f .", "is a folder; name the file"),
    ("new evening --ruleset parlor", "there is no ruleset 'parlor'; did you mean parlour?"),
    ("status --side rad", "there is no side 'rad'; did you mean red?"),
    ("next --side rad", "there is no side 'rad'; did you mean red?"),
    ("log --side rad", "there is no side 'rad'; did you mean red?"),
    ("why 4 --side rad", "there is no side 'rad'"),
    ("sheet --side rad", "there is no side 'rad'"),
    ("map --side rad", "there is no side 'rad'"),
    ("export --side rad", "there is no side 'rad'"),
    ("undo --side rad", "there is no side 'rad'"),
    ("redo --side rad", "there is no side 'rad'"),
    ("end --draw --side rad", "there is no side 'rad'"),
    ("end --draw --side umpire", "umpire is not a side; only a side can end it"),
    ("answer --template --side rad", "there is no side 'rad'"),
    ("report --template --side rad", "there is no side 'rad'"),
    ("report --template --side red", "no battle report is wanted from red just now"),
    ("why 999", "there is no entry 999"),
    ("why 0", "there is no entry 0"),
    ("undo", "nothing has been answered yet that could be taken back"),
    ("undo --to 77", "there is no entry 77"),
    ("undo --to 1", "there is nothing to take back to at 1"),
    ("undo --agree --side red", "nobody has asked to take anything back"),
    ("patience --side rad", "there is no side 'rad'; did you mean red?"),
    ("patience --days 7", "the sides agree on this; ask one of them to propose it"),
    ("patience --days 400 --side red", "a side can't have 400 days for a move; 0 to 365 days"),
    ("patience --days 7 --then umpir --side red", "'umpir' isn't what can happen to a late side; did you mean umpire?"),
    ("new training -f x.laager --days 400", "a side can't have 400 days for a move; 0 to 365 days"),
    ("new training -f x.laager --days 7 --then umpir", "isn't what can happen to a late side; did you mean umpire?"),
    ("patience --agree --side red", "nobody has asked for other terms"),
    ("patience --answer-for rad", "there is no side 'rad'; did you mean red?"),
    ("patience --answer-for red", "you can't let the commander answer for this side"),
    ("redo", "nothing was taken back since the last answer"),
    ("end --refuse --side red", "nobody has asked to end the campaign"),
    ("sheet pionts", "there is no sheet 'pionts'; did you mean points?"),
    ("rules parlor", "there is no ruleset 'parlor'; did you mean parlour?"),
    ("rules parlour 9", "there is no clause '9'"),
    ("rules parlour --search xylophone", "no clause speaks of 'xylophone'"),
    ("table parlour nervs", "there is no table 'nervs'; did you mean nerve?"),
    ("story", "campaigns of these rules have no battles to tell of"),
    ("story last -o story.md", "campaigns of these rules have no battles to tell of"),
    ("settle --side red", "there is no battle to be settled now"),
    ("settle --refuse --side red", "nobody has asked to settle the battle"),
    ("settle --side rad", "there is no side 'rad'"),
    ("simulate evening", "campaigns of these rules have no board"),
    ("forecast evening.laager --side rad", "there is no side 'rad'"),
    ("try evening", "campaigns of these rules have no board"),
    ("simulate rzhavets --axis sensibel", "there is no commander 'sensibel'; did you mean sensible?"),
    ("simulate rzhavets --setting bloddy", "has no setting 'bloddy'; did you mean bloody?"),
    ("schema maps", "there is no schema 'maps'; did you mean map?"),
]

WRONG_USE = [
    ("nxet", "No such command 'nxet'. Did you mean 'next'"),
    ("next --sied red", "--side"),
    ("next --defaults -1", "'--defaults': \"-1\" is too low; write 0 or more"),
    ("next --defaults many", '"many" is not a whole number; write a number such as 3'),
    ("log --last 0", "--last"),
    ("log --last", "--last"),
    ("why", "Missing argument"),
    ("why four", "'N': \"four\" is not a whole number"),
    ("new", "name a card"),
    ("new training --then umpire", "--then goes with --days"),
    ("new training --days 0 --then umpire", "--then says what happens after some days"),
    ("new evening x", "unexpected extra argument"),
    ("new evening --reading early-tea", "'early-tea' is not a reading; write ID=OPTION"),
    ("answer", "name the answers file; laager answer --template begins one"),
    ("report", "say whose report it is: --side SIDE"),
    ("report --side red", "name the report's file; laager report --template begins one"),
    ("end", "say who ends it: --side SIDE"),
    ("end --side red", "choose one of --concede, --draw, --refuse"),
    ("end --side red --draw --concede", "choose one of --concede, --draw, --refuse"),
    ("undo --step --to 4", "choose one of --to, --step, --agree, --refuse"),
    ("undo --agree --refuse", "choose one of --to, --step, --agree, --refuse"),
    ("patience --agree --days 7", "choose one of --days, --agree, --refuse, --answer-for"),
    ("patience --then umpire", "--then goes with --days"),
    ("story third", "'third' is not a battle; give its number, or last"),
    ("story --result result.jpg", "result.jpg is not a .png file; name the result such as result.png"),
    ("story last --result result.png", "--result stands alone"),
    ("story -o story.doc", "story.doc is not an .md, .txt, .html or .pdf file"),
    ("map -o map.jpg", "map.jpg is not an .svg, .png or .pdf"),
    ("map --width 5 -o map.png", "--width"),
    ("rules parlour 2 --coverage", "choose one of a clause, --search, --coverage, --readings"),
    ("check evening.laager", "is a campaign; prove it with laager verify -c evening.laager"),
    ("table parlour nerve --drm x", "--drm"),
]

BAD_FILE = [
    ("new nothing.yaml", "nothing.yaml: there is no such file"),
    ("new evening -f nowhere/e.laager", "nowhere: this folder doesn't exist"),
    ("new {map}", "laager"),
    ("status -c evenin", "evenin: this campaign file doesn't exist; did you mean evening.laager?"),
    ("next -c nowhere/x.laager", "this campaign file doesn't exist"),
    ("answer nothing.yaml", "nothing.yaml: there is no such file"),
    ("check nothing.yaml", "nothing.yaml: there is no such file"),
    ("check .", "this is a folder; name a file"),
    ("map nothing.yaml", "nothing.yaml: there is no such file"),
    ("map -o nowhere/map.svg", "nowhere/map.svg: can't be written (No such file or directory)"),
    ("schema --write evening.laager", "evening.laager: File exists; nothing more was done"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=lambda text: text)
def test_what_is_refused_ends_with_1(evening: Laager, words: str, says: str) -> None:
    before = Path("evening.laager").read_bytes()
    ended = evening(*words.split())
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("laager: ")
    assert says in ended.err
    assert ended.err.count("\n") == 1
    assert Path("evening.laager").read_bytes() == before


@pytest.mark.parametrize(("words", "says"), WRONG_USE, ids=lambda text: text)
def test_wrong_use_ends_with_2(evening: Laager, words: str, says: str) -> None:
    before = Path("evening.laager").read_bytes()
    ended = evening(*words.split())
    assert ended.code == 2, ended
    assert says in ended.text
    assert "Input should" not in ended.text
    assert Path("evening.laager").read_bytes() == before


@pytest.mark.parametrize(("words", "says"), BAD_FILE, ids=lambda text: text)
def test_a_bad_file_ends_with_3(evening: Laager, words: str, says: str) -> None:
    ended = evening(*words.format(map=PARLOUR / "map.yaml").split())
    assert (ended.code, ended.out) == (3, ""), ended
    assert says in ended.err


def test_two_campaigns_in_a_folder_must_be_told_apart(evening: Laager) -> None:
    evening.well("new", "evening", "-f", "other.laager")
    ended = evening("status")
    assert ended.code == 1
    assert (
        "there are 2 campaigns in this folder (evening.laager, other.laager); name one with "
        "--campaign FILE" in ended.err
    )
    assert evening("status", "-c", "other.laager").code == 0
    assert evening("status", LAAGER_CAMPAIGN="other.laager").code == 0


def test_no_lock_is_left_beside_a_campaign_that_does_not_exist(laager: Laager) -> None:
    assert laager("next", "-c", "nothing.laager").code == 3
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("words", [["--version"], ["--help", "--version"], ["--version", "--help"]])
def test_version_and_help_go_well(laager: Laager, words: list[str]) -> None:
    ended = laager(*words)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(("laager 0.", "Usage: laager"))


def test_help_shows_every_command_in_its_group(laager: Laager) -> None:
    from laager.cli.app import app

    out = laager.well("--help")
    groups = [line for line in out.splitlines() if line.endswith(":") and line[0] != " "]
    assert groups == ["Options:", "Playing:", "Looking:", "Rules, cards and files:", "Hosting a server:"]
    shown = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line.strip()]
    assert set(COMMANDS) <= set(shown)
    assert len(app.registered_commands) == len(COMMANDS)
    assert "…" not in out
    assert "..." not in out.replace("[ARGS]...", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(laager: Laager, command: str) -> None:
    out = laager.well(command, "-h")
    assert out.startswith(f"Usage: laager {command}")
    assert f"Examples:\n    laager {command}" in out
