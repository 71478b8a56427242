"""A story as a file: Markdown, BBCode (for forums), HTML and PDF, with its pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

from laager.base import find_named
from laager.hexmap.draw import draw_png
from laager.sheets.story.document import Block, Heading, Listing, Paragraph, Story, StoryPicture, StoryTable, describe

PIXELS = 1400
"""The width of pictures next to a text."""

WIDEST = 38
"""Characters after which a cell of a table in fixed letters is broken."""


@dataclass(frozen=True)
class Written:
    """A story as a file: its name, its bytes, their media type; `beside` are the pictures that go with it, by name."""

    name: str
    data: bytes
    media_type: str
    beside: Mapping[str, bytes]

    def as_one_file(self) -> Written:
        """Return it as one file: with its pictures in a ZIP archive if it has some beside it, else as it is.

        The same story gives the same bytes.
        """
        if not self.beside:
            return self
        from io import BytesIO
        from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

        made = BytesIO()
        with ZipFile(made, "w") as archive:
            for name, data in {self.name: self.data, **self.beside}.items():
                archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
        stem = self.name.partition(".")[0]
        return Written(f"{stem}.zip", made.getvalue(), "application/zip", {})


def write_document(document: Story, format_: str, paper: str = "a4") -> Written:
    """Return a document in a format, one of `FORMATS`. Raises RefusedError for another format or paper.

    HTML and PDF hold their pictures; with Markdown and BBCode they come beside, as PNG.
    """
    write = find_named(FORMATS, format_, f"there is no format {format_!r}", "there are")
    return write(document, paper)


def _markdown(document: Story, _paper: str) -> Written:
    lines = [f"# {_md(document.title)}", "", f"*{_md(document.subtitle)}*", ""]
    for block in document.blocks:
        lines += [*_md_block(block), ""]
    return _with_pictures(document, "md", "\n".join(lines), "text/markdown; charset=utf-8")


def _md_block(block: Block) -> list[str]:
    match block:
        case Heading(text):
            return [f"## {_md(text)}"]
        case Paragraph(text):
            return [_md(text)]
        case Listing(items):
            return [f"* {_md(item)}" for item in items]
        case StoryPicture(name, title):
            return [f"![{_md(title)}]({name}.png)"]
        case StoryTable(title, columns, rows, figures):
            rule = "|".join("---:" if i >= figures else "---" for i in range(len(columns)))
            return [f"**{_md(title)}**", "", _md_row(columns), f"|{rule}|", *(_md_row(row) for row in rows)]


def _md_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(_md(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _md(text: str) -> str:
    """Return a text in which nothing is markup."""
    plain = " ".join(text.split())
    shown = "".join(f"\\{mark}" if mark in "\\`*_[]<>#" else mark for mark in plain)
    return f"\\{shown}" if shown.startswith(("-", "+", ">")) else shown


def _bbcode(document: Story, _paper: str) -> Written:
    lines = [f"[b][size=5]{_bb(document.title)}[/size][/b]", f"[i]{_bb(document.subtitle)}[/i]", ""]
    for block in document.blocks:
        lines += [*_bb_block(block), ""]
    return _with_pictures(document, "txt", "\n".join(lines), "text/plain; charset=utf-8")


def _bb_block(block: Block) -> list[str]:
    match block:
        case Heading(text):
            return [f"[b]{_bb(text)}[/b]"]
        case Paragraph(text):
            return [_bb(text)]
        case Listing(items):
            return ["[list]", *(f"[*]{_bb(item)}" for item in items), "[/list]"]
        case StoryPicture(name, title):
            return [f"[i]{_bb(title)}[/i]", f"[img]{name}.png[/img]"]
        case StoryTable(title, columns, rows, figures):
            # Not every forum has tables; all have fixed letters.
            return [f"[b]{_bb(title)}[/b]", "[code]", *fixed_lines((columns, *rows), figures), "[/code]"]


def _bb(text: str) -> str:
    """Return a text in which nothing is markup: a bracket is followed by a mark that isn't seen."""
    return " ".join(text.split()).replace("[", "[\u200b")


def fixed_lines(rows: tuple[tuple[str, ...], ...], figures: int) -> list[str]:
    """Return rows as lines of fixed letters; cells that are too long go on in the next line."""
    cut = [[_cut(cell.replace("[", "(").replace("]", ")")) for cell in row] for row in rows]
    widths = [max(len(line) for row in cut for line in row[i]) for i in range(len(rows[0]))]
    lines = []
    for k, row in enumerate(cut):
        for j in range(max(len(cell) for cell in row)):
            cells = [
                (cell[j] if j < len(cell) else "").rjust(width)
                if i >= figures
                else (cell[j] if j < len(cell) else "").ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        if k == 0:
            lines.append("  ".join("-" * width for width in widths))
    return lines


def _cut(cell: str) -> list[str]:
    from textwrap import wrap

    return wrap(cell, WIDEST, break_on_hyphens=False) or [""]


def _with_pictures(document: Story, ending: str, text: str, media_type: str) -> Written:
    beside = {f"{picture.name}.png": draw_png(picture.svg, PIXELS) for picture in document.pictures}
    return Written(f"{document.name}.{ending}", (text.rstrip() + "\n").encode(), media_type, beside)


# HTML ---------------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { margin-bottom: 0; } .sub { margin-top: 0; opacity: .8; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; max-width: 100%; }
caption { text-align: left; font-weight: bold; } th, td { border: 1px solid #8888; padding: .2rem .5rem; }
th { text-align: left; } .n { text-align: right; } td { vertical-align: top; }
figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; } figcaption { font-style: italic; }
"""


def _html(document: Story, _paper: str) -> Written:
    title = escape(document.title)
    body = "\n".join(_html_block(block) for block in document.blocks)
    text = (
        f'<!doctype html>\n<html lang="{document.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f'<p class="sub">{escape(document.subtitle)}</p>\n{body}\n</body>\n</html>\n'
    )
    return Written(f"{document.name}.html", text.encode(), "text/html; charset=utf-8", {})


def _html_block(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Listing(items):
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"
        case StoryPicture(_, title):
            # Of its own each: names inside one drawing mean nothing in another.
            said = escape(title)
            return f'<figure><img src="{block.address}" alt="{said}"><figcaption>{said}</figcaption></figure>'
        case StoryTable(title, columns, rows, figures):
            head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
            body = "".join(f"<tr>{_html_cells(row, figures)}</tr>" for row in rows)
            return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{body}</table>"


def _html_cells(row: tuple[str, ...], figures: int) -> str:
    marks = ('<td class="n">' if i >= figures else "<td>" for i in range(len(row)))
    return "".join(f"{mark}{escape(cell)}</td>" for mark, cell in zip(marks, row, strict=True))


# PDF ----------------------------------------------------------------------------------------------


def _pdf(document: Story, paper: str) -> Written:
    from laager.sheets.paper import paper_named
    from laager.sheets.pdf import story_pdf

    data = describe(document) | {"lang": document.language}
    pictures = {picture.name: picture.svg for picture in document.pictures}
    made = story_pdf(data, pictures, paper_named(paper), document.at)
    return Written(f"{document.name}.pdf", made, "application/pdf", {})


FORMATS: Mapping[str, Callable[[Story, str], Written]] = {
    "md": _markdown,
    "bbcode": _bbcode,
    "html": _html,
    "pdf": _pdf,
}
"""The formats that a story can be had in."""
