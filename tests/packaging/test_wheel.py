"""The wheel, installed into an environment with nothing else: its commands and pages, far from the source tree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx

from tests.packaging.installed import ROOT, Installed


def test_the_source_tree_is_not_used(bare: Installed) -> None:
    where = subprocess.run(
        [bare.python, "-c", "import laager; print(laager.__file__)"],
        capture_output=True, text=True, cwd=bare.folder, env=bare.env, check=True,
    )  # fmt: skip
    assert str(ROOT) not in where.stdout


def test_pictures_and_rules_are_in_the_wheel(bare: Installed) -> None:
    assert re.fullmatch(r"laager \d+\.\d+\.\d+\n", bare("--version"))
    bare("new", "training")
    bare("map", "-c", "training.laager", "--out", "map.png")
    assert (bare.folder / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "pl" in bare("rules", "pl", "2.3")


def test_what_is_left_out_says_what_to_install(bare: Installed) -> None:
    bare("new", "training", "--file", "pdf.laager")
    told = bare("sheet", "roster", "--pdf", "roster.pdf", "--campaign", "pdf.laager", code=1)
    assert 'uv tool install "laager[pdf]"' in told
    assert not (bare.folder / "roster.pdf").exists()


def test_its_pages_have_their_styles_scripts_and_german(served: tuple[str, str]) -> None:
    address, link = served
    assert link
    with httpx.Client(follow_redirects=True, headers={"Accept-Language": "de"}, base_url=address) as browser:
        # Whoever has played from the link (`test_first_page`) has used it up.
        page = browser.get("/login/")
        assert page.status_code == 200
        assert 'lang="de"' in page.text
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        assert {Path(file).suffix for file in files} >= {".css", ".js"}
        for file in files:
            got = browser.get(file)
            assert got.status_code == 200
            assert got.content


def test_the_wheel_holds_no_tests_and_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 4_000_000
    listed = subprocess.run([sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True)
    assert "laager/packs/pl/training.yaml" in listed.stdout
    assert "tests/" not in listed.stdout
