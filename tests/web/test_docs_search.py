"""The documentation from a folder, without a server: its search finds what it finds on the web."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_search_works_from_disk(chromium: Browser, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    context = chromium.new_context()
    sheet, asked = context.new_page(), list[str]()
    sheet.on("request", lambda request: asked.append(request.url))
    sheet.goto((tmp_path / "guide" / "index.html").as_uri())
    sheet.keyboard.press("/")
    sheet.locator("input.md-search__input").press_sequentially("ammunition shortage")
    found = sheet.locator(".md-search-result__link", has_text="shortage").first
    with sheet.expect_navigation():
        found.click()
    assert "shortage" in sheet.locator("article").inner_text().lower()
    assert not [url for url in asked if url.startswith("http")]
    context.close()
