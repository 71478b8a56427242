"""The documentation builds without a warning, leads nowhere in vain, and asks no other host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import ROOT, text_of

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*rel=["']?canonical)[^>]*\bhref=["']?(?:https?:)?//"""
)
IMPORTED = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", folder],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_builds(site: Path) -> None:
    assert (site / "index.html").is_file()
    assert (site / "campaigns" / "rzhavets.html").is_file()


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert LOADED.findall(text_of(page)) == [], page.name
    for style in site.rglob("*.css"):
        assert IMPORTED.findall(text_of(style)) == [], style.name


def test_no_snippet_is_left_unfilled(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert "--8&lt;--" not in text_of(page), page.name


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_links_beside_the_site_lead_somewhere(name: str) -> None:
    for target in LINK.findall(text_of(ROOT / name)):
        if "://" not in target:
            assert (ROOT / target.partition("#")[0]).exists(), target
