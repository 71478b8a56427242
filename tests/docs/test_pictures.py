"""Every picture of the docs is made by a command, and shown somewhere."""

from __future__ import annotations

from pathlib import Path

from tests.pictures import IMAGES, MAKERS, sources


def test_every_picture_has_a_source_and_every_source_its_picture() -> None:
    made = sources()
    there = {picture.name for picture in IMAGES.iterdir()}
    assert there - made.keys() == set(), "no command makes these: say in tests/pictures.py what does"
    assert made.keys() - there == set(), "these are made and not there: run make pictures"
    assert set(made.values()) == set(MAKERS)


def test_every_picture_is_shown() -> None:
    pages = [Path("README.md"), *Path("docs").rglob("*.md")]
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [picture.name for picture in IMAGES.iterdir() if f"images/{picture.name}" not in shown] == []
