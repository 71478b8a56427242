"""The map editor: the drawing of a map of one's own, changed hex by hex, and VASL boards."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from laager.base import DataError, LaagerError, RefusedError
from laager.hexmap import HexMap
from laager.hexmap.draw.painting import draw_sheet, painting_changes, painting_data, palette
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, WATERCOURSES, describe_unknown
from laager.vasl import PTO, backdrop_at, legend_words, mark, read_changes
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.library.files.pages import not_kept
from laager.web.library.maps import board_maps, boards, hex_editing, hex_places, strokes
from laager.web.library.maps.doubts import list_alone, list_doubts, list_kinds
from laager.web.library.sharing.opened import OpenFile, open_file
from laager.web.models import OwnFile, Player
from laager.web.shared import processes
from laager.web.shared.http import STATUS_OF, file_response, person, person_page

SHOWN_DOUBTS = 100
"""How many doubts the map editor lists at once."""


@person_page
def draw(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show a map with a hex to be changed; take what is changed."""
    opened = open_file(user, name, number)
    if request.method == "POST":
        return _take_change(request, opened)
    return _page(request, opened, request.GET.get("hex", "").strip())


def _page(request: HttpRequest, opened: OpenFile, hex_: str, **more: Any) -> HttpResponse:
    file = opened.file
    try:
        map_ = hex_editing.map_of(file.text, file.name)
    except DataError as err:
        # A map that cannot be read cannot be drawn: its text tells where it breaks.
        messages.error(request, _("The map can't be drawn yet. See what is wrong with it."))
        line = next((problem.line for problem in err.problems if problem.line), None)
        return redirect(f"{opened.edit_url}?line={line}" if line else opened.edit_url)
    context = _tools(opened, map_) | {
        "photographed": boards.has_boards(map_, opened.viewer),
        "unknown": describe_unknown(map_),
        "painted": {"palette": palette(), "painted": painting_data(map_)},
        **_doubts(file, map_, singly="singly" in request.GET),
        **_needs(request, opened, map_),
        **_places(map_),
        **_panel(opened, map_, hex_),
        **more,
    }
    return render(request, "library/maps/edit_map.html", context)


def _needs(request: HttpRequest, opened: OpenFile, map_: HexMap) -> dict[str, Any]:
    """Return what the map lacks for a card: the one that is chosen, else the first that names the map."""
    cards = strokes.cards_for(opened)
    asked = request.POST.get("card", request.GET.get("card"))
    chosen = next((card.id for card in cards if card.fits), "") if asked is None else asked.strip()[:120]
    try:
        lacking = strokes.find_lacking(opened, map_, chosen)
    except LaagerError as err:
        lacking = strokes.find_lacking(opened, map_, "")
        return {"cards": cards, "card": chosen, "lacking": lacking, "card_refused": err}
    return {"cards": cards, "card": chosen, "lacking": lacking}


def _places(map_: HexMap) -> dict[str, Any]:
    """Return the areas, Blocks and arrows of a map, for lists that rename them and take them away."""
    return {
        "setup_areas": {name: len(own) for name, own in map_.setup_areas.items()},
        "blocks": {} if map_.blocks.lettered else {name: len(own) for name, own in map_.blocks.hexes.items()},
        "arrows": map_.entry_arrows,
    }


def _doubts(file: OwnFile, map_: HexMap, *, singly: bool) -> dict[str, Any]:
    """Return what to look at on a map that was read by colours: the worst, each with its likely answers."""
    doubts = list_doubts(file.text, file.name, map_, singly=singly)
    return {
        "doubts": doubts[:SHOWN_DOUBTS],
        "more_doubts": max(0, len(doubts) - SHOWN_DOUBTS),
        "singly": singly,
        "grouped": any(len(doubt.places) > 1 for doubt in doubts),
        "alone": list_alone(doubts),
        "kinds": () if singly else list_kinds(doubts),
    }


def _tools(opened: OpenFile, map_: HexMap) -> dict[str, Any]:
    return {
        "opened": opened,
        "file": opened.file,
        "map": map_,
        "terrains": TERRAINS,
        "levels": range(-2, 9),
        "features": FEATURES,
        "hexsides": HEXSIDES,
        "roads": ROADS,
        "watercourses": WATERCOURSES,
        "materials": MATERIALS,
    }


def _panel(opened: OpenFile, map_: HexMap, hex_: str) -> dict[str, Any]:
    context: dict[str, Any] = {"was": opened.was, "undo": opened.may_take_back, "redo": opened.may_do_again}
    if hex_:
        try:
            context["hex"] = hex_editing.describe_hex(map_, hex_)
            context["place"] = hex_places.places_of(map_, hex_)
        except RefusedError as err:
            context["refusal"] = err
    return context


def _take_change(request: HttpRequest, opened: OpenFile) -> HttpResponse:
    """Carry out a change: strokes, a hex, places, changes as text, or taking the last one back."""
    hex_ = request.POST.get("hex", "").strip()
    by_script = request.headers.get("Accept") == "application/json"
    try:
        carried = _carry_out(request, opened, request.POST.get("do", "hex"), hex_)
    except LaagerError as err:
        shown: dict[str, Any] = {"refusal": err, "problems": err.problems}
        if by_script:
            return _answer(request, opened.reopen(), hex_, shown, STATUS_OF[err.code])
        page = _page(request, opened, hex_, **shown, typed=request.POST.get("changes", ""))
        page.status_code = STATUS_OF[err.code]
        return page
    if by_script:
        shown = {"problems": carried.problems} if carried.problems else {}
        return _answer(request, carried.opened, hex_, shown, 422 if shown else 200, carried)
    return redirect(f"{opened.map_url}?hex={hex_}" if hex_ else opened.map_url)


def _carry_out(request: HttpRequest, opened: OpenFile, do: str, hex_: str) -> strokes.Carried:
    """Return what became of a change. Raises DataError or RefusedError."""
    file, was = opened.file, request.POST.get("was", "")
    if do != "look":
        opened.need_change()
    if do == "strokes":
        return strokes.carry_out(opened, strokes.strokes_in(request.POST.get("strokes", "")), was)
    moved = bool(was) and was != opened.was
    before = hex_editing.map_of(file.text, file.name)
    if do == "undo":
        opened = opened.take_back(was)
    elif do == "redo":
        opened = opened.do_again(was)
    elif do != "look":
        opened.save(_text(request, file, do, hex_), was or opened.was)
        opened = opened.reopen()
    return strokes.Carried(opened, before, hex_editing.map_of(opened.file.text, file.name), (), moved)


def _answer(
    request: HttpRequest,
    opened: OpenFile,
    hex_: str,
    shown: dict[str, Any],
    status: int,
    carried: strokes.Carried | None = None,
) -> HttpResponse:
    """Tell a script what became of a change: what to draw anew, the lists beside the map, what was refused.

    If the map is another one than the script knows, or something was refused, it gets the whole map.
    """
    file = opened.file
    map_ = carried.after if carried else hex_editing.map_of(file.text, file.name)
    context = _tools(opened, map_) | {**_panel(opened, map_, hex_), **_places(map_)}
    parts = {
        "needs": render_to_string("library/maps/edit_map_needs.html", context | _needs(request, opened, map_), request),
        "places": render_to_string("library/maps/edit_map_places.html", context, request),
    }
    answer = {key: context[key] for key in ("was", "undo", "redo")} | {
        "parts": parts,
        "unknown": describe_unknown(map_),
        "doubts": [doubt.where for doubt in hex_editing.doubts(file.text, file.name)],
        "told": "",
    }
    if hex_ and request.POST.get("do", "hex") not in {"strokes", "look"}:
        answer["panel"] = render_to_string("library/maps/edit_map_hex.html", context, request)
    if shown:
        answer["refused"] = render_to_string("shared/refused_part.html", shown, request)
    if carried is None or shown or carried.moved:
        answer["painted"] = painting_data(map_)
    else:
        answer["changed"] = painting_changes(carried.before, map_)
    if carried and carried.moved:
        answer["told"] = _("The map was changed in another window, too. You see both now.")
    return JsonResponse(answer, status=status)


def _text(request: HttpRequest, file: OwnFile, do: str, hex_: str) -> str:
    if do == "changes":
        changes = request.POST.get("changes", "")[:200_000]
        if changes.endswith("="):
            # What a group of doubts is, out of the list beside its button.
            changes += request.POST.get(f"say:{changes[:-1]}", "")[:60]
        listed = read_changes(changes)
        return mark(file.text, listed, file.name)
    if do == "rename":
        kind, old, new = (request.POST.get(key, "").strip() for key in ("kind", "old", "new"))
        return mark(file.text, [f"{kind[:20]}:{old}={new or '-'}"], file.name)
    wish = {key: request.POST.getlist(key) for key in request.POST}
    if do == "places":
        map_ = hex_editing.map_of(file.text, file.name)
        return mark(file.text, hex_places.lines(map_, hex_, wish), file.name)
    return hex_editing.change_hex(file.text, file.name, hex_, wish)


@require_GET
@login_required
def panel(request: HttpRequest, hex_name: str, name: str = "", number: int = 0) -> HttpResponse:
    """Give the form of one hex."""
    opened = open_file(person(request), name, number)
    map_ = hex_editing.map_of(opened.file.text, opened.name)
    hex_editing.describe_hex(map_, hex_name)
    context = _tools(opened, map_) | _panel(opened, map_, hex_name)
    return render(request, "library/maps/edit_map_hex.html", context)


@require_GET
@login_required
def drawing(request: HttpRequest, name: str = "", number: int = 0) -> HttpResponse:
    """Give the map as SVG; with `?boards=1` on the pictures of the boards in the viewer's library.

    With `?sheet=1` it is the empty sheet, for a page that paints what is on it.
    """
    user = person(request)
    opened = open_file(user, name, number)
    map_ = hex_editing.map_of(opened.file.text, opened.name)
    backdrop = None
    if request.GET.get("boards") and boards.has_boards(map_, user):
        backdrop = backdrop_at(map_, lambda board: opened.address("map-picture", "", board))
    drawn = draw_sheet(map_, backdrop) if request.GET.get("sheet") else hex_editing.svg(user, map_, backdrop)
    return _image(drawn, "image/svg+xml")


@require_GET
@login_required
def alike(request: HttpRequest, hex_name: str, name: str = "", number: int = 0) -> HttpResponse:
    """Give the hexes that a flood from a hex fills: `by` their terrain, their colour on the picture, or their Block."""
    user = person(request)
    file = open_file(user, name, number).file
    map_ = hex_editing.map_of(file.text, file.name)
    hexes = strokes.flood_from(map_, user, hex_name, request.GET.get("by", "terrain"))
    return JsonResponse({"hexes": hexes})


@require_GET
@login_required
def picture(request: HttpRequest, board: int, name: str = "", number: int = 0) -> HttpResponse:
    """Give the picture of one board that the map was made from, to who has this board."""
    user = person(request)
    file = open_file(user, name, number).file
    map_ = hex_editing.map_of(file.text, file.name)
    data, media_type, _mark = boards.board_picture(map_, board, user)
    return _image(data, media_type)


def _image(data: str | bytes, media_type: str) -> HttpResponse:
    return HttpResponse(data, media_type, headers={"X-Content-Type-Options": "nosniff"})


@require_POST
@login_required
def import_boards(request: HttpRequest) -> HttpResponse:
    """Make a map of VASL boards that are sent, or lie in the library already."""
    user = person(request)
    try:
        name = request.POST.get("name", "").strip()
        name = checks.check_name(name if "." in name else f"{name}.yaml")
        sent = [(board.name or "", board.read()) for board in request.FILES.getlist("boards")]
        archives = boards.keep_boards(user, sent) if sent else []
        there = {archive.name for archive in archives}
        kept = [board for board in request.POST.getlist("kept")[:40] if board not in there]
        shelf = boards.Shelf(user)
        archives += [shelf(board) for board in kept]
        layout = request.POST.get("layout", "").strip()[:400]
        rules = PTO if "pto" in request.POST else ()
        made = processes.SLOW.do(user.pk, board_maps.import_map, archives, layout, "", None, rules)
        library.save(user, name, made.text, "")
    except LaagerError as err:
        return not_kept(request, user, err)
    text = _("The map has %(count)d hexes.") % {"count": len(made.map.hexes)}
    if made.unknown:
        more = _("The terrain of %(count)d is not known: mark what matters.")
        text += " " + more % {"count": made.unknown}
    if made.doubts:
        more = _("Its terrain was read from colours; %(count)d hexes and hexsides need a look.")
        text += " " + more % {"count": len(made.doubts)}
    if made.letters and not any(board.has("blockhouse") for board in made.map.hexes.values()):
        text += " " + _("If there is a Blockhouse (ABtF 5.1), mark its hex.")
    if made.left_out:
        more = _("Left out, because maps have no word for it: %(names)s.")
        text += " " + more % {"names": ", ".join(made.left_out)}
    messages.success(request, text)
    if len(archives) == 1 and board_maps.is_doubtful(made):
        # Said once of a colour, what it is need not be said of each of its hexes.
        address = reverse("board-legend", args=[archives[0].name])
        return redirect(f"{address}?{urlencode({'name': name, **({'pto': 'on'} if rules else {})})}")
    return redirect("library-map", name)


@person_page
def legend(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Ask what the colours of a board mean, and make a map of it with the answers.

    A map that was made of it before (`?name=`) is made again.
    """
    archive = boards.Shelf(user)(name)
    again = OwnFile.objects.filter(owner=user, name=request.GET.get("name", "")).first()
    context: dict[str, Any] = {"board": name, "words": legend_words(), "again": again, "rest": True}
    context["pto"] = "pto" in (request.POST if request.method == "POST" else request.GET)
    if again:
        context |= {"name": again.name, "was": library.digest(again.text)}
    if request.method == "POST":
        given = request.POST
        words = {key: given[key].strip()[:60] for key in given if key.startswith("#")}
        context |= {"told": words, "rest": given.get("rest") == "right"}
        try:
            file = given.get("name", "").strip()
            file = checks.check_name(file if "." in file else f"{file}.yaml")
            meant = board_maps.legend(words, rest=context["rest"])
            made = processes.SLOW.do(
                user.pk, board_maps.import_map, [archive], "", "", meant, PTO if context["pto"] else ()
            )
            library.save(user, file, made.text, given.get("was", ""))
            messages.success(request, _("The map has %(count)d hexes.") % {"count": len(made.map.hexes)})
            return redirect("library-map", file)
        except LaagerError as err:
            context |= {"refusal": err, "problems": err.problems, "name": given.get("name", "")}
    words = context.get("told", {})
    cuts = processes.SLOW.do(user.pk, board_maps.colours, archive)
    names = [",".join(entry.colour for entry in shades) for shades, _ in cuts]
    context["colours"] = [
        (shades, name, cut, round(sum(entry.share for entry in shades), 2), words.get(name, ""))
        for (shades, cut), name in zip(cuts, names, strict=True)
    ]
    status = STATUS_OF[context["refusal"].code] if "refusal" in context else 200
    return render(request, "library/maps/legend.html", context, status=status)


@require_GET
@login_required
def take_board(request: HttpRequest, name: str = "", number: int = 0) -> HttpResponse:
    """Give the VASL board of a map, to be put among the boards of VASL."""
    user = person(request)
    file = open_file(user, name, number).file
    board, data = processes.SLOW.do(user.pk, board_maps.make_board, hex_editing.map_of(file.text, file.name))
    return file_response(data, "application/octet-stream", board)


@require_POST
@login_required
def remove_board(request: HttpRequest, name: str) -> HttpResponse:
    """Remove a board from the library."""
    boards.remove_board(person(request), name)
    messages.success(request, _("%(name)s is removed.") % {"name": name})
    return redirect("library")


urlpatterns = [
    path("library/boards", import_boards, name="board-import"),
    path("library/boards/<str:name>/colours", legend, name="board-legend"),
    path("library/boards/<str:name>/remove", remove_board, name="board-remove"),
    *(
        path(f"library/{at}/{page}", view, name=f"{room}-{title}")
        for room, at in (("library", "file/<str:name>"), ("shared", "shared/<int:number>"))
        for page, view, title in (
            ("map", draw, "map"),
            ("map.svg", drawing, "map-svg"),
            ("map/vasl", take_board, "map-vasl"),
            ("map/hex/<str:hex_name>", panel, "map-hex"),
            ("map/alike/<str:hex_name>", alike, "map-alike"),
            ("map/board/<int:board>", picture, "map-picture"),
        )
    ),
]
