"""The check of words finds them where people read, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

from tests import prose


def test_strings_and_comments_of_a_module_are_read_and_its_names_are_not(tmp_path: Path) -> None:
    module = tmp_path / "one.py"
    module.write_text('thus = 1  # thus it is\ntext = """first\nthus"""\n')
    found = [number for number, line in prose.written(module) if "thus" in line]
    assert found == [1, 3]


def test_every_line_of_a_page_is_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("one\ntwo\n")
    assert list(prose.written(page)) == [(1, "one"), (2, "two")]


def test_every_pattern_says_what_to_say_instead() -> None:
    for pattern, right in prose.patterns():
        assert isinstance(pattern, re.Pattern)
        assert right


def test_a_word_that_is_refused_is_found() -> None:
    refused = [pattern for pattern, _ in prose.patterns()]
    for text in ("and thus", "you shall roll", "what came of it is shown", "for a kind that there is not"):
        assert any(pattern.search(text) for pattern in refused), text
    assert not any(pattern.search("so it moves along the road") for pattern in refused)
