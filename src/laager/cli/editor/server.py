"""The language server of `laager lsp`: it speaks with an editor over standard input and output.

Completion and help come from the JSON Schema of the kind that a file names; problems are those of `laager check`, for
the text as it stands in the editor.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from laager import __version__
from laager.cli.editor.cursor import Cursor, find_cursor
from laager.cli.editor.names import list_names
from laager.cli.editor.problems import LineMark, Severity, find_problems
from laager.cli.editor.schema import FieldHelp, FileSchema
from laager.kinds import CHECKERS, schema_of

PAUSE = 0.3
"""Seconds after the last key before a file is checked."""

_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.BLANK: lsp.DiagnosticSeverity.Information,
}
_log = logging.getLogger(__name__)


class CardServer(LanguageServer):
    """A language server that remembers which files it has said something about."""

    def __init__(self) -> None:
        super().__init__("laager", __version__)
        self.marked: frozenset[str] = frozenset()
        self.changes = 0

    async def check_soon(self) -> None:
        """Check all open files once nobody has typed for a moment."""
        self.changes += 1
        current = self.changes
        await asyncio.sleep(PAUSE)
        if current != self.changes:
            return
        marks = await asyncio.to_thread(self._check_all)
        if current == self.changes:
            self._publish(marks)

    def _check_all(self) -> list[LineMark]:
        documents = list(self.workspace.text_documents.values())
        texts = {Path(name).absolute(): each.source for each in documents if (name := uris.to_fs_path(each.uri))}
        marks: dict[LineMark, None] = {}
        for path in texts:
            try:
                marks.update(dict.fromkeys(find_problems(path, texts)))
            except Exception:
                # An editor's helper goes on: the next key may mend what it stumbled over.
                _log.exception("%s could not be checked", path)
        return list(marks)

    def _publish(self, marks: list[LineMark]) -> None:
        """Show marks, and take away what was shown of files that are right now."""
        shown: dict[str, list[lsp.Diagnostic]] = {uri: [] for uri in (*self.marked, *self.workspace.text_documents)}
        for mark in marks:
            uri = uris.from_fs_path(str(mark.file))
            if uri is not None:
                shown.setdefault(uri, []).append(_diagnose(mark))
        for uri, diagnostics in shown.items():
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))
        self.marked = frozenset(uri for uri, diagnostics in shown.items() if diagnostics)


def _diagnose(mark: LineMark) -> lsp.Diagnostic:
    """Return a mark as editors want it, under its whole line."""
    whole = lsp.Range(lsp.Position(mark.line, 0), lsp.Position(mark.line + 1, 0))
    return lsp.Diagnostic(whole, mark.text, severity=_SEVERITY[mark.severity], source="laager")


SERVER = CardServer()


@SERVER.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
@SERVER.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
@SERVER.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
async def check_again(server: CardServer, _: object) -> None:
    """Check the open files again: the one that changed, and those that may use it."""
    await server.check_soon()


@SERVER.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "{", "["]))
def complete(server: CardServer, asked: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return the fields and words that can stand at the cursor."""
    document = server.workspace.get_text_document(asked.text_document.uri)
    cursor = _cursor(document, asked.position)
    if cursor is None:
        return []
    if not cursor.path and cursor.key == "laager":
        kinds = [f"{kind}/1" for kind in CHECKERS]
        return [lsp.CompletionItem(kind, kind=lsp.CompletionItemKind.Value) for kind in kinds]
    schema = _schema(document)
    if schema is None:
        return []
    path = cursor.path if cursor.key is None else (*cursor.path, cursor.key)
    words = schema.list_words(schema.find(path)) + list_names(document.lines, cursor)
    fields = schema.list_fields(path) if cursor.key is None else []
    return [lsp.CompletionItem(word, kind=lsp.CompletionItemKind.EnumMember) for word in words] + [
        _field_item(field, order) for order, field in enumerate(fields) if field.name not in cursor.beside
    ]


def _field_item(field: FieldHelp, order: int) -> lsp.CompletionItem:
    """Return a field to choose; those that are needed stand first."""
    return lsp.CompletionItem(
        field.name,
        kind=lsp.CompletionItemKind.Field,
        detail="needed" if field.needed else f"if left out: {field.default}" if field.default else "",
        documentation=field.meaning or None,
        sort_text=f"{order:03}",
        insert_text=f"{field.name}: ",
    )


@SERVER.feature(lsp.TEXT_DOCUMENT_HOVER)
def explain(server: CardServer, asked: lsp.HoverParams) -> lsp.Hover | None:
    """Return what the field under the cursor means, and which words it takes."""
    document = server.workspace.get_text_document(asked.text_document.uri)
    # At the end of a name nothing of it is missing.
    line = document.lines[asked.position.line] if asked.position.line < len(document.lines) else ""
    name = line[: line.find(":")].strip().lstrip("- ").strip("\"'") if ":" in line else ""
    begins = lsp.Position(asked.position.line, line.find(name)) if name else asked.position
    cursor, schema = _cursor(document, begins), _schema(document)
    if cursor is None or schema is None or not name:
        return None
    nodes = schema.find((*cursor.path, name))
    meanings = dict.fromkeys(meaning for node in nodes if (meaning := schema.explain(node)))
    field = next((field for field in schema.list_fields(cursor.path) if field.name == name), None)
    if field is not None and field.meaning:
        meanings = {field.meaning: None}
    words = schema.list_words(nodes)
    lines = [*meanings, *([" | ".join(f"`{word}`" for word in words)] if words else [])]
    if field is not None and (field.needed or field.default):
        lines.append("Needed." if field.needed else f"If left out: `{field.default}`.")
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(lines))) if lines else None


def _cursor(document: TextDocument, position: lsp.Position) -> Cursor | None:
    at = document.position_codec.position_from_client_units(document.lines, position)
    return find_cursor([line.rstrip("\r\n") for line in document.lines], at.line, at.character)


def _schema(document: TextDocument) -> FileSchema | None:
    """Return the schema of the kind that a file names in its line `laager: KIND/1`."""
    for line in document.lines:
        if line.startswith("laager:"):
            kind = line.removeprefix("laager:").strip().strip("\"'").partition("/")[0]
            return _schema_of(kind) if kind in CHECKERS else None
    return None


def serve_editor() -> None:
    """Speak with the editor that started this process, until it says goodbye."""
    # The server closes its streams at the end; the process still needs its own. What anything prints meanwhile would
    # be no message to the editor: it goes to the error stream, which editors keep as a log.
    with os.fdopen(os.dup(0), "rb") as stdin, os.fdopen(os.dup(1), "wb") as stdout, redirect_stdout(sys.stderr):
        SERVER.start_io(stdin, stdout)


@cache
def _schema_of(kind: str) -> FileSchema:
    return FileSchema(schema_of(kind))
