"""`import laager`: what people script with, and the page that describes it."""

from __future__ import annotations

import ast
import doctest
import re
import runpy
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import laager
from laager import api
from laager.campaign.log import FileStore

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "python.md"
MAP = files("laager.packs") / "pl" / "rzhavets-map.yaml"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_page_says_what_happens() -> None:
    text = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S))
    test = doctest.DocTestParser().get_doctest(text, {"MAP": str(MAP)}, "python.md", str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0
    assert runner.tries > 10


def test_the_example_plays_a_purchase(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "docs" / "examples" / "purchase.py"))
    out = capsys.readouterr().out
    assert "22 CP" in out
    assert "refused: " in out
    assert "'4-6-7': 3" in out


def test_the_stub_names_what_there_is() -> None:
    stub = ast.parse(Path(laager.__file__).with_name("__init__.pyi").read_text())
    names = {alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names == set(api.__all__)
    assert all(getattr(laager, name) is getattr(api, name) for name in names)
    assert names <= set(dir(laager))


def test_a_name_that_is_not_there_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="no attribute 'opened'"):
        getattr(laager, "opened")  # noqa: B009


def test_importing_laager_imports_nothing_else() -> None:
    code = "import sys, laager; print(sorted(name for name in sys.modules if name.startswith('laager')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['laager']"


def test_a_file_is_shared_with_other_programs() -> None:
    mine = laager.new("rzhavets", "evening.laager", seed=bytes(32))
    yours = laager.open("evening.laager")
    mine.answer("axis", "agreements")
    yours.answer("allied", "agreements")
    assert [one.key for one in yours.pending] == ["purchases", "purchases"]
    # What another program has written counts before the next answer is judged.
    with pytest.raises(laager.RefusedError, match="isn't asked 'agreements' now"):
        mine.answer("allied", "agreements")
    assert mine.seen_by("umpire").log == yours.seen_by("umpire").log
    assert mine.verify().sound


def test_a_file_that_another_program_holds_is_refused_and_free_again_afterwards() -> None:
    referee = laager.new("rzhavets", "evening.laager")
    with FileStore(Path("evening.laager")), pytest.raises(laager.RefusedError, match="another laager is using"):
        referee.answer("axis", "agreements")
    referee.answer("axis", "agreements")
    with pytest.raises(laager.DataError):
        referee.answer("allied", "agreements", {"balance": ["no-such"]})
    referee.answer("allied", "agreements")


def test_a_card_that_is_there_already_or_nowhere() -> None:
    laager.new("rzhavets", "evening.laager")
    with pytest.raises(laager.RefusedError, match="exists already"):
        laager.new("rzhavets", "evening.laager")
    with pytest.raises(laager.RefusedError, match="rzhavets"):
        laager.new("rzhavetz")
    with pytest.raises(laager.DataError):
        laager.open("morning.laager")


def test_dice_are_rolled_or_entered() -> None:
    referee = laager.new("rzhavets", entered_dice=True)
    while not any(one.roll for one in referee.pending):
        asked = referee.pending[0]
        referee.answer(asked.side, asked.key)
    wanted = next(one for one in referee.pending if one.roll is not None)
    assert wanted.roll is not None
    assert f"<{wanted.side} roll" in repr(referee)
    before = sum("rolled" not in line for line in referee.seen_by("umpire").log)
    referee.roll(wanted.side, *[3] * wanted.roll.dice.count)
    assert sum("rolled" not in line for line in referee.seen_by("umpire").log) >= before
    assert referee.verify().entered == 1


def test_a_look_holds_what_its_side_may_know() -> None:
    referee = laager.new("rzhavets", seed=bytes(32))
    for side in referee.sides:
        referee.answer(side, "agreements")
    referee.answer("axis", "purchases", {"groups": [{"rg": "I3", "setup": "on-map", "count": 1}]})
    own, enemy = (referee.seen_by(side) for side in referee.sides)
    assert [fact.rule for fact in own.facts("group-joined") if "I3/1" in str(fact)] == ["PL 2.3"]
    assert not [fact for fact in enemy.facts() if "I3/1" in str(fact)]
    assert any("I3/1" in line for line in own.log)
    assert not any("I3/1" in line for line in enemy.log)
    assert "<svg" in own.map_svg()[:200]
    assert repr(enemy) == "<Night March to Rzhavets as allied sees it: " + (
        f"{enemy.view.version} entries, waiting for {' and '.join(enemy.view.waiting_for)}>"
    )


def test_a_refusal_does_not_say_what_the_other_side_is_asked() -> None:
    referee = laager.new("rzhavets", seed=bytes(32))
    for side in referee.sides:
        referee.answer(side, "agreements")
    referee.answer("axis", "purchases")
    with pytest.raises(laager.RefusedError) as refused:
        referee.answer("allied", "setup")
    assert str(refused.value) == "allied isn't asked 'setup' now; asked now: purchases"


def test_a_front_lies_between_two_sides() -> None:
    map_ = laager.read_map(str(MAP))
    with pytest.raises(laager.RefusedError, match="exactly two"):
        laager.front_line(map_, {"axis": ["G15"]})
    front = laager.front_line(map_, {"axis": ["G15"], "allied": ["R15"]})
    assert front.controlled["axis"]
    assert front.controlled["allied"]
    assert "MLR" in repr(front)


def test_odds_add_up() -> None:
    rows = laager.odds("pl", "elr-change", drm=2, column="strict")
    assert sum(row.probability for row in rows) == 1


def test_an_order_of_battle_is_checked() -> None:
    data = ROOT / "tests" / "design_your_own" / "data"
    legal = data / "kampfgruppe.yaml"
    assert laager.check_ob(legal).legal
    Path("dear.yaml").write_text(legal.read_text().replace(" 3000", " 30"))
    verdict = laager.check_ob("dear.yaml")
    assert not verdict.legal
    assert any("30" in str(problem) for problem in verdict.problems())


def test_what_is_not_from_vasl_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bd01").write_bytes(b"not an archive")
    for read in (laager.read_board, laager.read_save):
        with pytest.raises(laager.DataError, match="bd01"):
            read("bd01")
