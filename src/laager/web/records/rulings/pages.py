"""Putting the record right: the editor on the map and beside the sheets, its list before and after, asking for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError, Problem, RefusedError
from laager.base.files import check, parse_document
from laager.campaign import UMPIRE, rulings
from laager.rules.board.rulings import proposing
from laager.rules.board.rulings.files import RulingFile
from laager.rules.board.rulings.template import ruling_template, write_yaml
from laager.web.campaigns import actions, scenes
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records.map.pages import stage
from laager.web.records.rulings import cells, drafts
from laager.web.records.rulings.editor import Editor
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import file_response, show_refusal


@table_page
def ruling_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Show what can be put right, what the draft changes before and after, and what is asked for."""
    table.seat.need(Action.DRAFT)
    editor = Editor(table, drafts.load_draft(table.seat))
    scene = scenes.scene_of(table)
    name = request.GET.get("hex", "").strip()
    hex_url = reverse("ruling-hex", args=[table.seat.game.pk, table.seat.name, "HEX"])
    context = {
        **frame_context(table, "map"),
        **stage(table, scene),
        **_hex_context(editor, name),
        "chosen": {"name": name},
        **_draft_context(table, editor),
        "hex_url": hex_url,
        "map_home": reverse("ruling", args=[table.seat.game.pk, table.seat.name]),
        "sheets": editor.sheets(),
        "elsewhere": editor.units_elsewhere(),
        "forts_elsewhere": editor.forts_elsewhere(),
        "page_counters": editor.counters,
    }
    return render(request, "records/rulings/rulings.html", context)


@table_page
def ruling_cells(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the record sheets cell by cell, and the form of the cell that was clicked; `bare`: the tables alone."""
    table.seat.need(Action.DRAFT)
    editor = Editor(table, drafts.load_draft(table.seat))
    sheet = request.GET.get("sheet", "")[:40]
    context = frame_context(table, "sheets") | {
        "tables": list(cells.list_tables(editor, sheet)),
        "sheet": sheet,
        "draft": editor.draft,
        "empty": drafts.is_empty(editor.draft),
    }
    if "bare" in request.GET:
        return render(request, "records/rulings/rulings_tables.html", context)
    return render(
        request, "records/rulings/rulings_cells.html", context | {"cell": cells.find_cell(editor, request.GET)}
    )


@table_page
def ruling_hex(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Show what stands in a hex, to be changed: as part of the page."""
    table.seat.need(Action.DRAFT)
    editor = Editor(table, drafts.load_draft(table.seat))
    context = {"seat": table.seat, "game": table.seat.game, **_hex_context(editor, name)}
    context["hex_counters"] = editor.counters
    return render(request, "records/rulings/rulings_hex.html", context)


def _hex_context(editor: Editor, name: str) -> dict[str, Any]:
    """Return what the editor of one hex shows; no hex for a name that the map doesn't have."""
    if not name or name not in editor.cg.map:
        return {"hex": "", "asked_hex": name}
    hex_ = editor.cg.map.main(name)
    return {
        "hex": hex_,
        "units": editor.units_in(hex_),
        "forts": editor.forts_in(hex_),
        "ground": editor.ground_line(hex_),
        "types": editor.types_of(),
        "sides": editor.sides(),
        "fort_kinds": editor.fort_kinds(),
    }


def _draft_context(table: Table, editor: Editor) -> dict[str, Any]:
    """Return what the page says of the draft: before and after, what is wrong with it, what is asked for already."""
    seat, draft = table.seat, editor.draft
    preview: dict[str, Any] | None = None
    problems: tuple[Problem, ...] = ()
    if not drafts.is_empty(draft):
        try:
            preview = proposing.preview_ruling(table.campaign, seat.viewer, drafts.document_of(_with_reason(draft)))
        except DataError as err:
            problems = err.problems
        except RefusedError as err:
            problems = (err.problem,)
    return {
        "draft": draft,
        "empty": drafts.is_empty(draft),
        "preview": preview,
        "problems": problems,
        "text": write_yaml(draft),
        "new_lines": list(_new_lines(draft)),
        "open": rulings.open_ruling(table.campaign, seat.viewer),
        "may_propose": drafts.may_propose(seat),
        "at_once": proposing.counts_at_once(table.campaign, seat.viewer),
        "terms": rulings.terms_of(table.campaign.opening),
    }


def _new_lines(draft: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the new lines of a draft: where each stands in it, and what it's called."""
    for kind, lines in draft.get("new", {}).items():
        for place, line in enumerate(lines):
            said = (line.get(name) for name in ("type", "kind", "rg", "size", "at"))
            yield f"{kind}.{place}", " ".join(str(word) for word in said if word)


def _with_reason(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft with some reason: what it changes can be seen before one is given."""
    return draft if str(draft.get("why", "")).strip() else {**draft, "why": "…"}


# Changing the draft -------------------------------------------------------------------------------


@seat_page(Action.DRAFT, post=True)
def ruling_change(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Take what a form says of one line, a new line, or that a line is struck, into the draft."""
    doing = request.POST.get("do", "line")
    with look(seat) as table:
        editor = Editor(table, drafts.load_draft(seat))
        take = {"new": editor.take_new, "strike": editor.strike}.get(doing, editor.take_line)
        draft = cells.take_cell(editor, request.POST) if doing == "cell" else take(request.POST)
    drafts.keep_draft(seat, draft)
    if doing == "cell":
        sheet = urlencode({"sheet": request.POST.get("sheet", "")[:40]})
        return redirect(f"{reverse('ruling-cells', args=[seat.game.pk, seat.name])}?{sheet}")
    return _back(seat, request.POST.get("hex", ""))


@seat_page(Action.DRAFT, post=True)
def ruling_text(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Take the whole draft as a file's text."""
    try:
        data = parse_document(request.POST.get("text", ""), drafts.NAME).data
        shape = data | {"why": data.get("why") or "…"} if isinstance(data, dict) else data
        check(drafts.document_of(shape), RulingFile)
    except LaagerError as err:
        show_refusal(request, err)
        return _back(seat, "")
    drafts.keep_draft(seat, data)
    return _back(seat, "")


@seat_page(Action.DRAFT, post=True)
def ruling_drop(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Forget the draft."""
    drafts.drop_draft(seat)
    return _back(seat, "")


@seat_page(Action.LOOK, post=True)
def ruling_propose(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask the table for the ruling, with its reason."""
    seat.need(Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER)
    draft = {**drafts.load_draft(seat), "why": request.POST.get("why", "").strip()}
    drafts.keep_draft(seat, draft)
    try:
        counts = actions.propose_ruling(seat, drafts.document_of(draft))
    except LaagerError as err:
        show_refusal(request, err)
        return _back(seat, "")
    drafts.drop_draft(seat)
    done = _("The ruling counts.") if counts else _("You asked for a ruling. It counts when the others agree.")
    messages.success(request, done)
    return redirect("table", seat.game.pk, seat.name)


@table_page
def ruling_file(request: HttpRequest, table: Table) -> HttpResponse:
    """Give a ruling's file to fill in, with what holds now."""
    table.seat.need(Action.DRAFT)
    proposing.check_has_record(table.campaign)
    text = ruling_template(table.campaign, table.seat.viewer)
    return file_response(text.encode(), "application/yaml; charset=utf-8", drafts.NAME)


def _back(seat: Seat, hex_: str) -> HttpResponse:
    address = reverse("ruling", args=[seat.game.pk, seat.name])
    return redirect(f"{address}?hex={hex_}#changes" if hex_.isalnum() else f"{address}#changes")


seat_patterns = [
    path("ruling/", ruling_page, name="ruling"),
    path("ruling/cells/", ruling_cells, name="ruling-cells"),
    path("ruling/hex/<str:name>", ruling_hex, name="ruling-hex"),
    path("ruling/change/", ruling_change, name="ruling-change"),
    path("ruling/text/", ruling_text, name="ruling-text"),
    path("ruling/drop/", ruling_drop, name="ruling-drop"),
    path("ruling/propose/", ruling_propose, name="ruling-propose"),
    path("ruling/ruling.yaml", ruling_file, name="ruling-file"),
]
