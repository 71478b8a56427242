"""Brings the German texts up to date with pages, templates and printed forms: `python -m tests.web.texts`.

What templates and modules say is gathered, merged into `django.po` and `sheets.po` (what is gone is
dropped, what is new waits for its translation), and the `.mo` files are made, which programs read.
All are committed: a machine that serves or prints needs nothing for it, and nobody needs GNU gettext.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import yaml
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

import laager
import laager.campaign
import laager.sheets
import laager.web
from laager.base.blanks import is_blank, meaning
from laager.base.texts import Multilingual, is_in_languages, text_of
from laager.campaign.readings import Reading
from laager.campaign.speech import PLACE
from laager.hexmap.draw import legend_texts
from laager.kinds import CHECKERS, KIND_NAMES
from laager.tables import Table
from laager.web.library.editor.schema_form import sections
from laager.web.rules.reference import books
from laager.web.shared.forms.field_names import label_of

HEADER = "# German texts of Laager. `python -m tests.web.texts` keeps them up to date."

_STRING = r"""u?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
_CALL = re.compile(rf"\b(n?gettext|_)\(\s*({_STRING})(?:\s*,\s*({_STRING}))?", re.DOTALL)
_ONE = frozenset({"gettext", "gettext_lazy", "gettext_noop", "_"})
_OF_SHEETS = frozenset({"words", "columns", "ticks", "mark_texts", "of_side"})
_TWO = frozenset({"ngettext", "ngettext_lazy"})

Text = str | tuple[str, str]
"""What is translated: one text, or one for one and one for many."""


def of_template(source: str) -> Iterator[Text]:
    """Yield the texts of a template."""
    for name, one, many in _CALL.findall(templatize(source)):
        text = ast.literal_eval(one)
        yield (text, ast.literal_eval(many)) if name == "ngettext" else text


def of_module(source: str) -> Iterator[Text]:
    """Yield the texts of a Python module. Raises ValueError for one put together on the spot.

    A text that comes from elsewhere, such as `gettext(NAMES[side])`, is marked where it stands.
    """
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        wanted = 1 if node.func.id in _ONE else 2 if node.func.id in _TWO else 0
        given = node.args[:wanted]
        if any(isinstance(one, (ast.JoinedStr, ast.BinOp, ast.Call)) for one in given):
            raise ValueError(f"line {node.lineno}: what is translated must be a plain string")
        said = [str(one.value) for one in given if isinstance(one, ast.Constant)]
        if len(said) == wanted == 1:
            yield said[0]
        elif len(said) == wanted == 2:
            yield said[0], said[1]


def of_sheets(source: str) -> Iterator[Text]:
    """Yield the texts of a module of the printed forms."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _OF_SHEETS:
                yield from (
                    one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )


def of_pages() -> Iterator[Text]:
    """Yield all texts of pages and templates, and of the legend of their maps."""
    yield from legend_texts()
    home = Path(laager.web.__file__).parent
    for path in sorted(home.rglob("*.py")):
        if path.parent.name != "migrations":
            source = path.read_text(encoding="utf-8")
            if "django.utils.translation" in source:
                yield from of_module(source)
    for path in sorted(path for path in home.rglob("*.*") if path.suffix in {".html", ".txt"}):
        yield from of_template(path.read_text(encoding="utf-8"))
    yield from KIND_NAMES.values()


def of_forms() -> Iterator[Text]:
    """Yield all texts of the printed forms."""
    for path in sorted(Path(laager.sheets.__file__).parent.rglob("*.py")):
        yield from of_sheets(path.read_text(encoding="utf-8"))


SPEAKING = (
    *("base", "campaign", "catalogue", "commanders", "dice", "hexmap"),
    *("rules", "sheets", "simulation", "tables", "vasl", "web"),
)
"""The packages whose texts are translated when they are shown (`laager.campaign.speech`)."""
_LETTERS = re.compile(r"[A-Za-z]{2}")
LEADS = ("known are", "kinds are", "there are", "your cards are", "a card may omit", "its columns are", "shipped are")
"""What stands before a list of names that are known."""
OF_DATA = (
    *("dawn", "declared guns", "fortified building"),
    *("stated", "mild", "usual", "bloody", "sensible", "bold", "cautious"),
    *(f"{lead} {{names}}" for lead in LEADS),
)
"""Words that cards and the names of what is agreed have, and no code."""
MOST_WAYS = 16
"""So many texts can come from one f-string with conditions in it."""


def of_rules() -> Iterator[Text]:
    """Yield the texts that rules say and that are translated: the others stay English, and aren't listed."""
    known = {str(one.id) for one in stored(RULES) if one.id}
    yield from sorted(known & set(all_of_rules()))


def all_of_rules() -> Iterator[str]:
    """Yield all texts that rules may say, with their placeholders."""
    home = Path(str(laager.__file__)).parent
    for package in SPEAKING:
        for path in sorted((home / package).rglob("*.py")):
            yield from of_speaking(path.read_text(encoding="utf-8"))
        for path in sorted((home / package).rglob("*.yaml")):
            for line in path.read_text(encoding="utf-8").splitlines():
                found = _TITLED.fullmatch(line)
                if found is not None:
                    yield found[1].strip("\"'")
    for path in sorted((home / "catalogue").rglob("*.yaml")):
        yield from _NATIONS.findall(path.read_text(encoding="utf-8"))
    yield from of_books()
    yield from of_speaking((home / "kinds.py").read_text(encoding="utf-8"))
    yield from OF_DATA
    yield from of_cards()
    yield from of_kinds()
    yield from of_blanks()


_LOOK_UP = re.compile(r"\((?:ABtF|ER) [^)]*\)")


def of_blanks() -> Iterator[str]:
    """Yield what belongs in the blanks of the skeletons; where to look it up is a placeholder."""
    for path in sorted((Path(str(laager.__file__)).parent / "packs").glob("*/skeleton/*.yaml")):
        for text in _strings(yaml.safe_load(path.read_text(encoding="utf-8"))):
            if is_blank(text):
                yield _LOOK_UP.sub("({where})", " ".join(meaning(text).split()))


def of_kinds() -> Iterator[str]:
    """Yield what the editor says of the fields of each kind of file."""
    for kind in CHECKERS:
        for section in sections(kind):
            yield section.meaning
            for word in section.words:
                yield word.meaning
                yield label_of(word.name)


def of_cards() -> Iterator[str]:
    """Yield what the cards that ship with Laager say to players: hints, rules, notes, their own tables."""
    for path in sorted((Path(str(laager.__file__)).parent / "packs").glob("*/*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield from (" ".join(text.split()) for text in _strings(data) if _LETTERS.search(text))


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif is_in_languages(data):
        yield text_of(data)
    elif isinstance(data, dict | list):
        for one in (*data, *data.values()) if isinstance(data, dict) else data:
            yield from _strings(one)


def said_by_cards() -> Mapping[str, str]:
    """Return what the cards that ship say in German themselves, by the English.

    Old campaigns have the cards' English alone in their logs, so that the catalogue of the rules has both.
    """
    home = Path(str(laager.__file__)).parent / "packs"
    cards = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(home.glob("*/*.yaml")))
    return {
        " ".join(text.split()): " ".join(text.meanings["de"].split()) for card in cards for text in _in_german(card)
    }


def _in_german(data: object) -> Iterator[Multilingual]:
    if is_in_languages(data):
        text = text_of(data)
        if isinstance(text, Multilingual) and "de" in text.meanings:
            yield text
    elif isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _in_german(one)


def of_books() -> Iterator[str]:
    """Yield what the rules' data says: chapters and clauses by name, readings, tables."""
    for found in books():
        yield from found.index.chapters
        yield from (clause.heading for clause in found.index.values())
        for reading in found.readings.values():
            yield from of_reading(reading)
        for table in found.tables.values():
            yield from of_table(table)


def of_reading(reading: Reading) -> Iterator[str]:
    """Yield the texts of a reading: its question, what each option means, why, and what it changes."""
    yield from (reading.question, *reading.options.values(), reading.why, reading.changes)


def of_table(table: Table) -> Iterator[str]:
    """Yield the texts of a table: titles, modifiers, notes, and its results in words."""
    yield from (table.title, *table.notes, *(column.title() for column in table.columns))
    for modifier in table.modifiers:
        yield from filter(None, (modifier.when, modifier.per))
    for row in table.rows:
        yield from (said for said in map(table.words, row.results.values()) if _LETTERS.search(said))


_TITLED = re.compile(r"\s*(?:- )?title: (.+)")
_NATIONS = re.compile(r"^(?:name|adjective|people|plural): (.+)$", re.MULTILINE)


def of_speaking(source: str) -> Iterator[str]:
    """Yield the texts of a module of the rules: strings, and f-strings with their placeholders."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = " ".join(node.value.split())
            if _LETTERS.search(text):
                yield text
                yield node.value.strip()
                # What is wrong, and what would be right.
                yield from text.split("; ")
        elif isinstance(node, ast.JoinedStr):
            for text in _ways(node):
                if _LETTERS.search(PLACE.sub("", text)):
                    yield text.strip()
                    yield from text.strip().split("; ")


REFUSING = frozenset({"NobodyError", "Problem", "RefusedError", "WrongValueError", "add_problem", "problem", "refuse"})
"""What is called with a text that says what was refused."""
OFF_PAGES = frozenset({"api.py", "catalogue", "cli", "dice", "los", "serving"})
"""Packages whose refusals reach the command line alone."""


def of_refusals() -> Iterator[str]:
    """Yield what pages say when they refuse: what is wrong, and what would be right."""
    home = Path(str(laager.__file__)).parent
    for path in sorted(home.rglob("*.py")):
        if OFF_PAGES.isdisjoint(path.relative_to(home).parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _called(node) in REFUSING:
                    for part in (*node.args, *(one.value for one in node.keywords)):
                        yield from _refused(part)


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def _refused(node: ast.AST) -> Iterator[str]:
    """Yield the sentences of an argument; what calls in it are given isn't said as it stands."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from (text for text in node.value.strip().split("; ") if " " in text)
    elif isinstance(node, ast.JoinedStr):
        yield from (text for way in _ways(node) for text in way.strip().split("; ") if " " in text)
    elif not isinstance(node, ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _refused(part)


def _ways(node: ast.JoinedStr) -> list[str]:
    """Return the texts that an f-string can make: each of its conditions doubles them."""
    ways, names = [""], dict[str, str]()
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces = [str(part.value)]
        else:
            assert isinstance(part, ast.FormattedValue)
            pieces = _either(part.value) or [f"{{{_placeholder(part.value, names)}}}"]
        ways = [f"{way}{piece}" for way in ways for piece in pieces][:MOST_WAYS]
    return ways


def _either(node: ast.expr) -> list[str]:
    """Return both texts of a condition, if they are plain."""
    if not isinstance(node, ast.IfExp):
        return []
    found = [one.value for one in (node.body, node.orelse) if isinstance(one, ast.Constant)]
    return [str(one) for one in found] if len(found) == 2 else []


def _placeholder(node: ast.expr, names: dict[str, str]) -> str:
    """Return the name of a placeholder: what the code calls it, or a number."""
    whole = ast.unparse(node)
    if whole not in names:
        inner = node.args[-1] if isinstance(node, ast.Call) and node.args else node
        inner = inner.func if isinstance(inner, ast.Call) else inner
        found = inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else ""
        taken = set(names.values())
        name = found if found and found not in taken else f"{found}{len(names) + 1}"
        names[whole] = name
    return names[whole]


@dataclass(frozen=True)
class Domain:
    """The texts of one package, with its catalogue: `locale/de/LC_MESSAGES/NAME.po` and `.mo`."""

    package: ModuleType
    name: str
    texts: Callable[[], Iterator[Text]]

    @property
    def po(self) -> Path:
        """The translations as people edit them."""
        home = Path(str(self.package.__file__)).parent
        return home / "locale" / "de" / "LC_MESSAGES" / f"{self.name}.po"

    @property
    def mo(self) -> Path:
        """The translations as programs read them."""
        return self.po.with_suffix(".mo")


PAGES = Domain(laager.web, "django", of_pages)
SHEETS = Domain(laager.sheets, "sheets", of_forms)
RULES = Domain(laager.campaign, "rules", of_rules)
DOMAINS = (PAGES, SHEETS, RULES)


def gathered(domain: Domain) -> Catalog:
    """Return all texts that a package says."""
    found = Catalog()
    _add(found, domain.texts())
    return found


def _add(catalog: Catalog, texts: Iterator[Text]) -> None:
    for text in texts:
        # A text may stand in several places, in one of them with a plural.
        plain = text if isinstance(text, str) else text[0]
        if plain and not (isinstance(text, str) and plain in catalog):
            catalog.add(text)


def stored(domain: Domain) -> Catalog:
    """Return the translations as they lie in the file."""
    with domain.po.open("rb") as stream:
        return read_po(stream, locale="de")


def merged(domain: Domain) -> Catalog:
    """Return the stored translations with just those texts that there are."""
    catalog = stored(domain) if domain.po.exists() else Catalog(locale="de")
    catalog.update(gathered(domain), no_fuzzy_matching=True)
    if domain is RULES:
        for text, german in said_by_cards().items():
            if text in catalog:
                catalog[text].string = german
    catalog.obsolete.clear()
    catalog.header_comment = HEADER
    catalog.fuzzy = False
    catalog.project = catalog.version = "Laager"
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """Return a catalogue as people edit it, without dates that change with every run."""
    out = io.BytesIO()
    write_po(out, catalog, width=100, omit_header=False, no_location=True, sort_output=True)
    dated = re.compile(
        rb'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To):.*\n', re.MULTILINE
    )
    return dated.sub(b"", out.getvalue())


def as_mo(catalog: Catalog) -> bytes:
    """Return a catalogue as Django reads it."""
    out = io.BytesIO()
    # The file changes when its texts do, and not with every run.
    catalog.creation_date = catalog.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    write_mo(out, catalog)
    return out.getvalue()


def untranslated(catalog: Catalog) -> list[Text]:
    """Return the texts for which there is no translation, or only a doubtful one."""
    return [
        one.id if isinstance(one.id, str) else (one.id[0], one.id[1])
        for one in catalog
        if one.id and (one.fuzzy or not all(said(one)))
    ]


def said(message: Message) -> tuple[str, ...]:
    """Return the translations of a text: one, or one for each number; "" where there is none."""
    string = message.string
    if isinstance(string, (tuple, list)):
        return tuple(one or "" for one in string)
    return (string or "",)


def main() -> int:
    """Write the files of both packages; return 1 if something still has to be translated."""
    missing: list[Text] = []
    for domain in DOMAINS:
        domain.po.parent.mkdir(parents=True, exist_ok=True)
        catalog = merged(domain)
        domain.po.write_bytes(as_po(catalog))
        domain.mo.write_bytes(as_mo(stored(domain)))
        missing += untranslated(catalog)
    for text in missing:
        sys.stdout.write(f"not translated: {text!r}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
