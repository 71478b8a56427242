"""The tutorial for designers, followed to the letter: its files are written, its commands typed, in its order."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.conftest import Laager, laager

from .illustrating import PICTURE, Illustrator, commands, type_commands
from .pages import DOCS, Block, blocks, running_text, text_of

__all__ = ["laager"]

PAGE = DOCS / "cards" / "first-card.md"
FILE = re.compile(r"<!-- file: (\S+) -->")
STEP = re.compile(f"{PICTURE.pattern}|^```(?P<language>yaml|console)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def file_of(block: Block) -> str:
    """Return the name of the file that a block holds."""
    named = FILE.search(text_of(PAGE).splitlines()[block.line - 4])
    assert named, block
    return named[1]


def follow(laager: Laager) -> None:
    """Do what the page says, and see that nothing is refused and that it prints what the page shows."""
    files = iter([file_of(block) for block in blocks(PAGE) if block.language == "yaml"])
    illustrator = Illustrator()
    for step in STEP.finditer(text_of(PAGE)):
        if step["picture"]:
            illustrator.take(step["shows"], step["picture"])
        elif step["language"] == "yaml":
            Path(next(files)).write_text(step["text"], encoding="utf-8")
        else:
            type_commands(laager, step["text"], illustrator)


def test_the_page_leads_to_a_played_firefight(laager: Laager) -> None:
    follow(laager)
    assert "firefight 2 begins" in laager.well("log", "--side", "axis")


def test_the_skeleton_is_what_the_page_fills(laager: Laager) -> None:
    laager.well("new", "my.yaml", "--skeleton", "pl")
    for block in blocks(PAGE):
        if block.language == "yaml":
            there = Path(file_of(block)).read_text("utf-8").splitlines()
            kept = [line for line in there if "<fill in>" not in line and not line.startswith(("#", "title:"))]
            assert set(kept) - set(block.text.splitlines()) == set()


def test_half_an_hour_is_enough(laager: Laager) -> None:
    """By the page's own measure: 100 characters a minute, half a minute a blank, 200 words of reading a minute."""
    laager.well("new", "my.yaml", "--skeleton", "pl")
    typed, blanks = 0, 0
    for block in blocks(PAGE):
        if block.language == "yaml":
            there = Path(file_of(block)).read_text("utf-8")
            blanks += there.count(": <fill in>") + there.count("- <fill in>")
            typed += sum(len(line) + 1 for line in block.text.splitlines() if line not in there.splitlines())
        else:
            typed += sum(len(command) + 1 for command, _ in commands(block.text))
    assert blanks == 15
    assert typed / 100 + blanks / 2 + len(running_text(PAGE).split()) / 200 < 30
