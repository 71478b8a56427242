"""Pictures of the tutorials, made by the run that types them: `python -m tests.pictures tutorials`.

A page says above a picture what it shows: `<!-- picture: my-map.svg -->` is a drawing that a command
of the page has made, `<!-- picture: 12 lines -->` the last command with the beginning of what it printed.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from laager.hexmap.draw import draw_png
from tests.cli.conftest import Laager

from .pages import DOCS, text_of

FOLDER = "LAAGER_TUTORIAL_PICTURES"
"""Environment variable: the folder for the pictures; if it isn't set, they are made and not kept."""
TUTORIALS = (DOCS / "cards" / "first-card.md", DOCS / "cards" / "your-module.md")
PICTURE = re.compile(r"<!-- picture: (?P<shows>.+?) -->\n\n!\[[^\]]+\]\(\.\./images/(?P<picture>\S+?)\)")
WIDTH_PX = 900
COLUMNS, CHAR_PX, LINE_PX, MARGIN_PX = 100, 9, 20, 16
PAPER, INK = "#fbfaf4", "#26241c"


def tutorial_pictures() -> tuple[str, ...]:
    """Return the names of the pictures that the tutorials show."""
    return tuple(match["picture"] for page in TUTORIALS for match in PICTURE.finditer(text_of(page)))


@dataclass
class Illustrator:
    """Makes the pictures of a page while its commands are typed."""

    screen: str = ""

    def note(self, command: str, printed: str) -> None:
        """Keep the last command and what it printed."""
        self.screen = f"$ {command}\n{printed}"

    def take(self, shows: str, name: str) -> None:
        """Make one picture; keep it if somebody wants it."""
        from PIL import Image
        from resvg_py import svg_to_bytes

        lines, _, unit = shows.partition(" ")
        if unit == "lines":
            # The shipped fonts have no letters of one width.
            png = svg_to_bytes(svg_string=draw_screen(self.screen, int(lines)), width=WIDTH_PX)
        else:
            png = draw_png(Path(shows).read_text("utf-8"), WIDTH_PX)
        if folder := os.environ.get(FOLDER):
            picture = Image.open(io.BytesIO(png)).convert("RGB")
            picture.quantize(32 if unit else 96).save(Path(folder) / name, optimize=True)


def draw_screen(text: str, most_lines: int) -> str:
    """Return a light terminal as SVG, with so many lines of a text."""
    lines = [
        part
        for line in text.rstrip().splitlines()
        for part in textwrap.wrap(line, COLUMNS, subsequent_indent="    ") or [""]
    ]
    assert len(lines) > 1, f"nothing was printed: {text!r}"
    if len(lines) > most_lines:
        lines = [*lines[:most_lines], "…"]
    width, height = COLUMNS * CHAR_PX + 2 * MARGIN_PX, len(lines) * LINE_PX + 2 * MARGIN_PX
    rows = "".join(
        f'<text x="{MARGIN_PX}" y="{MARGIN_PX + LINE_PX * number + 15}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        f'<g font-family="DejaVu Sans Mono" font-size="14.95" fill="{INK}">{rows}</g></svg>'
    )


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a block with the lines that it shall print; … stands for any others."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield command, [line for line in shown if line != "…"]


def type_commands(laager: Laager, text: str, illustrator: Illustrator) -> None:
    """Type the commands of a block; each prints the lines that stand below it."""
    for command, shown in commands(text):
        program, *words = shlex.split(command)
        assert program == "laager"
        ended = laager(*words)
        assert ended.code == 0, (command, ended.text)
        assert [line for line in shown if line not in ended.text.splitlines()] == [], command
        illustrator.note(command, ended.text)
