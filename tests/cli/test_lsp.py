"""`laager lsp`: completion, help and problems while a file is typed, and where a cursor stands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from laager.cli.editor.cursor import Cursor, find_cursor
from laager.cli.editor.names import list_names
from laager.cli.editor.problems import Severity, find_problems
from laager.cli.editor.schema import FileSchema
from laager.kinds import schema_of
from tests.docs.pages import EXAMPLES

from .running import COMMAND

HALF_TYPED = """\
laager: pl-card/1  # a card
sides:
  axis:
    name: Germans
    chart:
      - id: I1
        kind: |
        units:
        - {type: 4-6-7, |
        - type: LMG
          |
      - |
      - id: I2
        name: Rifle, platoon
    ob: {groups: [{rg: I1, se|
    setup: [A1, |
    "elr": |
    na|
about:
  history: |
    Sides: |
"""
AXIS = ("sides", "axis")
PLACES = [
    Cursor((*AXIS, "chart", 0), "kind", "", frozenset()),
    Cursor((*AXIS, "chart", 0, "units", 0), None, "", frozenset({"type"})),
    Cursor((*AXIS, "chart", 0, "units", 0), None, "", frozenset({"type"})),
    Cursor((*AXIS, "chart", 0), None, ""),
    Cursor((*AXIS, "ob", "groups", 0), None, "se", frozenset({"rg"})),
    Cursor((*AXIS, "setup", 0), None, ""),
    Cursor(AXIS, "elr", ""),
    Cursor(AXIS, None, "na", frozenset({"name", "chart", "ob", "setup", "elr"})),
]


def test_where_a_cursor_stands_in_a_file_that_is_half_typed() -> None:
    lines = HALF_TYPED.splitlines()
    text = [line if line == "  history: |" else line.rstrip("|") for line in lines]
    places = [row for row, line in enumerate(lines) if line.endswith("|") and line != "  history: |"]
    found = [find_cursor(text, row, len(text[row])) for row in places]
    assert found[:-1] == PLACES
    assert found[-1] is None, "in a text of several lines no name begins"
    assert find_cursor(text, 0, len(text[0])) is None, "nor in a comment"


@given(st.lists(st.text("ab:-# {}[],|>'\"", max_size=24), min_size=1, max_size=8), st.data())
def test_every_cursor_is_read(lines: list[str], data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, len(lines[row])))
    found = find_cursor(lines, row, column)
    assert found is None or all(step == 0 or isinstance(step, str) for step in found.path)


def test_what_can_stand_at_a_place() -> None:
    schema = FileSchema(schema_of("pl-card"))
    assert [field.name for field in schema.list_fields(("sides",))] == ["axis", "allied"]
    group = schema.list_fields((*AXIS, "chart", 0))
    assert [field.name for field in group if field.needed] == ["id", "name", "cost", "kind"]
    assert next(field.meaning for field in group if field.name == "op_vehicle").startswith("For an `oba` group")
    assert schema.list_words(schema.find(("firefights", 0, "night", "moon"))) == ["none", "half", "full"]
    assert schema.list_words(schema.find(("pto",))) == ["yes", "no"]
    assert schema.list_fields(("nowhere", 0)) == []


def test_the_types_of_a_side_are_those_of_its_nation() -> None:
    lines = HALF_TYPED.replace("name: Germans", "nation: german  # since May").splitlines()
    typed = Cursor((*AXIS, "chart", 0, "units", 0), "type", "")
    names = list_names(lines, typed)
    assert {"4-6-7", "LMG", "PzIVH", "9-1"} <= set(names)
    assert "6-2-8" not in names, "a Soviet squad"
    assert list_names(lines, Cursor(("sides", "allied", "chart", 0), "type", "")) == [], "it names no nation yet"
    assert "russian" in list_names(lines, Cursor(("sides", "allied"), "nation", ""))
    assert list_names(lines, Cursor(AXIS, "name", "")) == []


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A good card beside its map."""
    for name in ("bridge.yaml", "bridge-map.yaml"):
        copy(EXAMPLES / name, tmp_path)
    return tmp_path / "bridge.yaml"


def test_the_text_in_the_editor_is_checked_not_the_saved_one(card: Path) -> None:
    good, map_ = card.read_text("utf-8"), card.with_name("bridge-map.yaml")
    assert find_problems(card, {card: good}) == []
    (found,) = find_problems(card, {card: good.replace("nation: russian", "nation: rusian")})
    assert (found.file, found.severity, found.text) == (
        card,
        Severity.ERROR,
        "there is no nation 'rusian'; did you mean russian?",
    )
    assert good.splitlines()[found.line].strip() == "nation: russian"
    broken = map_.read_text("utf-8") + "nonsense: 1\n"
    (there,) = find_problems(card, {card: good, map_: broken})
    assert (there.file, there.line) == (map_, len(broken.splitlines()) - 1)
    assert find_problems(card, {card: good}) == [], "a map that was closed counts as it was saved"


def test_other_yaml_is_left_alone_and_blanks_are_no_errors(card: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "docker.yaml"
    assert find_problems(foreign, {foreign: "services: [\n"}) == []
    house = tmp_path / "mine.yaml"
    (unknown,) = find_problems(house, {house: "title: x\nlaager: pl-crad/1\n"})
    assert (unknown.line, unknown.severity) == (1, Severity.ERROR)
    assert "did you mean pl-card/1" in unknown.text
    half = card.read_text("utf-8").replace("title: Two days at a bridge", "title: <fill in> a title")
    (blank,) = find_problems(card, {card: half})
    assert (blank.line, blank.severity) == (2, Severity.BLANK)


class Editor(LanguageClient):
    """An editor that remembers how its server ended."""

    ended: int | None = None

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        self.ended = server.returncode


def play(
    told: Callable[[LanguageClient, asyncio.Queue[lsp.PublishDiagnosticsParams]], Awaitable[None]], folder: Path
) -> None:
    """Start `laager lsp` in a folder as an editor does, and let a test speak with it; it must end well."""

    async def speak() -> None:
        client = Editor("test", "1")
        marks: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def keep(marked: lsp.PublishDiagnosticsParams) -> None:
            marks.put_nowait(marked)

        await client.start_io(*COMMAND, "lsp", cwd=folder)
        try:
            await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
            client.initialized(lsp.InitializedParams())
            await told(client, marks)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]
        assert client.ended == 0

    asyncio.run(asyncio.wait_for(speak(), 60))
    assert not list(folder.glob("laager-bug-*")), "an editor that closes is no bug"


def test_an_editor_completes_explains_and_marks(card: Path) -> None:
    good = card.read_text("utf-8")
    lines = good.splitlines()
    row = next(row for row, line in enumerate(lines) if line.strip() == "nation: russian")
    document = lsp.TextDocumentIdentifier(card.as_uri())

    async def told(client: LanguageClient, marks: asyncio.Queue[lsp.PublishDiagnosticsParams]) -> None:
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(document.uri, "yaml", 1, good))
        )
        assert not (await marks.get()).diagnostics
        begins = lines[row].index("nation")
        typed = lsp.Range(lsp.Position(row, begins), lsp.Position(row, len(lines[row])))
        change = lsp.TextDocumentContentChangePartial(typed, "nat")
        version = lsp.VersionedTextDocumentIdentifier(2, document.uri)
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
        (mark,) = (await marks.get()).diagnostics
        assert mark.severity == lsp.DiagnosticSeverity.Error
        here = lsp.Position(row, begins + 3)
        items = await client.text_document_completion_async(lsp.CompletionParams(document, here))
        assert items is not None
        assert not isinstance(items, lsp.CompletionList)
        names = {item.label: item for item in items}
        assert names["nation"].detail == "needed"
        assert names["nation"].insert_text == "nation: "
        assert "name" not in names, "it stands there already"
        title = next(row for row, line in enumerate(lines) if line.startswith("tvp:"))
        hover = await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(title, 1)))
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        assert "points, such as" in hover.contents.value

    play(told, card.parent)
