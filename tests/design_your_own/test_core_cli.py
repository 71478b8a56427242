"""A purchase from the command line: begun from terms, answered, looked at, proven."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer

from laager.cli import main
from laager.rules.design_your_own.files import shipped_terms

# A process builds its commands once; these tests run many in one.
_commands = cache(typer.main.get_command)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def laager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(typer.main, "get_command", _commands)
    for name in ("LAAGER_CAMPAIGN", "LAAGER_SIDE", "LAAGER_SOLO", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str | Path, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["laager", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        return code, out, err

    return run


def well(ended: tuple[int, str, str]) -> str:
    code, out, err = ended
    assert code == 0, (out, err)
    return out


def test_own_terms_to_the_end_by_proposals(laager: Run, tmp_path: Path) -> None:
    text = shipped_terms()["vistula"].read_text(encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(text.replace("points: 1000", "points: 444"), "utf-8")
    assert "Bridgehead on the Vistula: mine.laager" in well(laager("new", "mine.yaml"))
    out = well(laager("next", "--defaults", "200", "--solo"))
    assert "The purchase is over: both Rosters are open" in out
    assert re.search(r"German \(axis\): 444 points, \d left, ELR 3", out), "the proposals spend the points"
    assert well(laager("verify")).endswith("sound\n")


def test_the_demo_of_both_sides(laager: Run) -> None:
    well(laager("new", "vistula", "--entered-dice"))
    folder = files("laager.packs") / "dyo" / "demo"
    path = Path(str(folder / "vistula.yaml"))
    well(laager("answer", path))
    status = well(laager("status"))
    assert "German (axis): 1000 points, 1 left, ELR 3" in status
    assert "axis is asked [open-roster]" in status
    exported = json.loads(well(laager("export", "--side", "allied")))
    assert "4-2-6" in json.dumps(exported)
    assert "PzIVH" not in json.dumps(exported)
    assert well(laager("verify")).endswith("sound\n")


def test_a_side_sees_its_own_offers_and_points(laager: Run) -> None:
    well(laager("new", "vistula"))
    rows = '{"lines": [{"type": "4-6-7", "number": 12}]}'
    out = well(laager("next", "--side", "axis", stdin=f"{rows}\n2\n"))
    assert "Infantry on offer" in out
    assert "buy 12 4-6-7 for 144" in out
    assert "Guns on offer" in out
    other = well(laager("status", "--side", "allied"))
    assert "144" not in other
    assert "German (axis): 1000 points\n" in other


def test_terms_that_cannot_be(laager: Run, tmp_path: Path) -> None:
    text = shipped_terms()["vistula"].read_text(encoding="utf-8")
    wrong = text.replace("nation: german", "nation: martian")
    (tmp_path / "wrong.yaml").write_text(wrong, "utf-8")
    code, out, err = laager("new", "wrong.yaml")
    assert code != 0
    assert "martian" in out + err
