"""`laager vasl show` on saves: tables for people, JSON for programs, nothing that is secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laager.vasl.saves.game import plain_text
from tests.cli.conftest import Laager, laager
from tests.vasl.save_writer import Counter, board, concealed, game, hidden, label, layer, stack, write
from tests.vasl.test_save_places import own_board

__all__ = ["laager"]

SECRET = "swordfish77"


def saved(folder: Path, boards: str = "") -> Path:
    squad = Counter("1", "4-6-7 1sq", [layer("broken +")], at=(456, 464))
    pin = Counter("2", "DM", at=(456, 464))
    tank = Counter("3", "T-34 M43", [concealed(SECRET, "ru"), layer("+ BU")], at=(456, 528))
    gun = Counter("4", "76L ART", [hidden(SECRET), label(f"Ivan {SECRET}")], at=(456, 528))
    text = Counter(
        "5", "User-Labeled", [label("<html><style>b {}</style>CG <b>Date</b> &amp; more", "$label$")], at=(2, 3)
    )
    level = Counter("6", "Building", [layer("Building Level 1")], at=(512, 496))
    leader = Counter("7", "9-1", at=(512, 496))
    side = Counter("8", "Wire", at=(484, 448))
    dead = Counter("9", "8-0", map="Casualties")
    crest = Counter("10", "Pin", at=(512, 496))
    first, second = [squad, pin], [leader, level, Counter("11", "8-1", at=(512, 496)), crest]
    counters = [*first, tank, gun, text, side, dead, *second]
    commands = [one.command() for one in counters]
    commands += [stack("s", first), stack("t", second)]
    boards = boards or board(0, 0, "01") + board(1, 0, "r02", "0", "0", "900", "-1") + "SSR\tMud"
    game_ = game(*commands, boards=boards, info="INFO\tAxis\tAllied\t3\t3\t4\t2\t5\t?\t?")
    return write(folder, game_ + "\x1bLOG\tCHAThello", "game.vsav")


def test_tables(laager: Laager, tmp_path: Path) -> None:
    out = laager.well("vasl", "show", saved(tmp_path), COLUMNS="150")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "game.vsav: VASL 6.5.1, VASSAL 3.2.17, saved 2019-08-03 01:25 UTC" in lines
    assert "Turn 3, Allied to move, Axis moves first; Axis ELR 3 SAN 4, Allied ELR 2 SAN 5" in lines
    assert "This is a log: shown is the state after its last step; steps: 1" in lines
    assert "02 1,0 reversed, cropped 6.0 Mud" in lines
    assert "01B1 broken 4-6-7 1sq mmc broken, DM" in lines
    assert "01B2 ? unknown Russian concealed by owner 1" in lines
    assert "01C2 9-1 smc pinned?" in lines
    assert "01C2, Building Level 1 8-1 smc pinned" in lines
    assert any("(B1/C1) Wire fortification" in line for line in lines)
    assert "off the boards Label CG Date & more" in lines
    assert "8-0 smc" in lines
    assert "What players have hidden or concealed isn't shown" in out
    assert "76L ART" not in out
    assert "T-34" not in out
    assert SECRET not in out


def test_what_one_owner_sees(laager: Laager, tmp_path: Path) -> None:
    out = laager.well("vasl", "show", saved(tmp_path), "--owner", "1", COLUMNS="150")
    assert "T-34 M43 BU" in out
    assert "buttoned up, concealed by owner 1" in out
    assert "hidden by owner 1" in out
    assert "Ivan ***" in out
    assert "What other players have hidden" in out
    assert SECRET not in out


def test_everything(laager: Laager, tmp_path: Path) -> None:
    out = laager.well("vasl", "show", saved(tmp_path), "--all")
    assert "76L ART" in out
    assert "What" not in out
    assert SECRET not in out


def test_json(laager: Laager, tmp_path: Path) -> None:
    path = saved(tmp_path)
    open_ = json.loads(laager.well("vasl", "show", path, "--json"))
    whole = json.loads(laager.well("vasl", "show", path, "--json", "--all"))
    assert open_["kind"] == "save"
    assert {one["id"] for one in whole["pieces"]} - {one["id"] for one in open_["pieces"]} == {"4"}
    squad = next(one for one in open_["pieces"] if one["id"] == "1")
    assert (squad["location"], squad["status"]) == ("01B1", ["broken", "DM"])
    leader = next(one for one in open_["pieces"] if one["id"] == "11")
    assert leader["level"]["level"] == 1
    assert open_["boards"][1]["rules"] == ["Mud"]
    assert open_["scenario"]["axis_san"] == "4"
    assert "owners" not in open_
    assert SECRET not in json.dumps(whole)
    assert json.loads(laager.well("vasl", "show", path, "--json", "--owner", "1")) == whole


def test_an_owner_who_is_not_there(laager: Laager, tmp_path: Path) -> None:
    ended = laager("vasl", "show", saved(tmp_path), "--owner", "2")
    assert ended.code != 0
    assert "there is no owner 2 in game.vsav; hidden or concealed pieces belong to 1" in ended.err
    path = write(tmp_path, game(Counter("1", "8-0").command()), "open.vsav")
    assert "belong to nobody" in laager("vasl", "show", path, "--owner", "1").err


def test_boards_from_a_folder(laager: Laager, tmp_path: Path) -> None:
    path = saved(tmp_path, board(0, 0, "Own"))
    out = laager.well("vasl", "show", path)
    assert "note: board Own: its size is not known here" in out
    own_board(tmp_path, "Own", (300, 200))
    out = laager.well("vasl", "show", path, "--boards", tmp_path)
    assert "OwnB1" in out
    assert "note:" not in out
    ended = laager("vasl", "show", path, "--boards", path)
    assert "isn't a folder; name that of your VASL boards" in ended.err


def test_a_damaged_save(laager: Laager, tmp_path: Path) -> None:
    path = write(tmp_path, "nothing of the kind", "bad.vsav")
    ended = laager("vasl", "show", path)
    assert ended.code != 0
    assert "is not a saved game of VASSAL" in ended.err


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("as it is <b>", "as it is <b>"),
        ("  two\nlines ", "two lines"),
        ("<html>a<br>b", "a b"),
        ("<HTML><STYLE>x</STYLE>a<script>y</script>&lt;", "a <"),
        ("<html><style>never closed", ""),
        ("<html><<<a>", "<<"),
    ],
)
def test_texts_without_html(text: str, plain: str) -> None:
    assert plain_text(text) == plain
