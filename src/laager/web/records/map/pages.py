"""The map: its page, the picture, and what a hex holds, as one seat may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from laager.base import DataError, Refusal, RefusedError
from laager.los.questions.map_los import BEST, ENEMY, FIRE, FROM, HULL, LINE, TO, make_los_wish
from laager.los.result import MOST_ABOVE
from laager.rules.board.state import BoardState
from laager.web.campaigns import los, scenes
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records.map import hexes, pictures
from laager.web.seats.permissions import Seat
from laager.web.shared.counters import CounterSheet
from laager.web.shared.http import parse_number, picture_response

if TYPE_CHECKING:
    from laager.los.questions.map_los import LosView, LosWish

TITLES = {
    FROM: _("What does it see?"),
    TO: _("From where is it seen?"),
    LINE: _("Does one see the other?"),
    HULL: _("How high must it be to be seen?"),
    FIRE: _("Fields of fire of my units"),
    ENEMY: _("Seen by enemies I see"),
    BEST: _("Best places on my ground"),
}
"""The ways to look, in the form's words."""

RANGES = (6, 8, 12, 16, 24)
"""The ranges that the form offers, in hexes."""


LEVELS = tuple(range(MOST_ABOVE + 1))
"""The levels above the ground that the form offers."""


def wish_of(request: HttpRequest) -> LosWish | None:
    """Return what the address asks to look at (`?see=from&spot=H7.1&range=16`); None if it asks for nothing."""
    get = request.GET.get
    mode = get("see", "").strip()
    if not mode:
        return None
    spots = get("spot", "").strip()[:40], get("other", "").strip()[:40]
    return make_los_wish(mode, *spots, parse_number(get("range", "")), parse_number(get("level", "")))


def look_from_address(request: HttpRequest, seat: Seat, at: int | None) -> tuple[LosView | None, str]:
    """Return what is seen, or why nothing is; the campaign is held only until it is known where to look."""
    wish = wish_of(request)
    if wish is None:
        return None, ""
    with look(seat) as table:
        wanted = los.prepare_look(table, scenes.scene_of(table, at), wish)
    try:
        return wanted.look(), ""
    except (RefusedError, DataError) as err:
        return None, str(err)


def form(request: HttpRequest, table: Table, view: LosView | None, wrong: str) -> dict[str, Any]:
    """Return what the page shows: the form, and what was seen or why not."""
    wish = wish_of(request)
    return {
        "wish": wish,
        "spot": wish.spot if wish else request.GET.get("hex", "").strip()[:40],
        "found": view,
        "look_wrong": wrong,
        "looks": [(mode, TITLES[mode]) for mode in los.modes(table)],
        "ranges": RANGES,
        "levels": LEVELS,
    }


# Pages --------------------------------------------------------------------------------------------

LAYERS = (
    ("ground", _("Terrain"), "levels terrain water contours watercourses roads buildings hexsides "
                             "features"),
    ("photo", _("Board picture"), "backdrop"),
    ("names", _("Hex names"), "coordinates grid"),
    ("places", _("Place names"), "names"),
    ("control", _("Control"), "control"),
    ("front", _("MLR and No Man's Land"), "front-ground front-clusters front-isolated front-nml "
                                          "front-links front-mlr front-letters"),
    ("blocks", _("Blocks and front line"), "block-ground block-outlines block-front block-names"),
    ("strategic", _("Strategic Locations"), "strategic tvp"),
    ("entry", _("Entry Areas"), "entry entry-areas"),
    ("units", _("Units"), "units"),
    ("forts", _("Fortifications and fires"), "forts fires"),
    ("changes", _("Changes of the ground"), "ground-changes"),
    ("oba", _("OBA"), "oba"),
    ("sight", _("Line of sight"), "sight"),
)  # fmt: skip
"""What can be shown and hidden: its name, its title, the layers of the drawing that it stands for.

Only layers that the drawing has are offered.
"""


def moment_of(request: HttpRequest) -> int | None:
    """Return the entry that is asked for (`?at=`), in the viewer's own number; None for now.

    Raises RefusedError for anything but a number.
    """
    text = request.GET.get("at", "")
    if not text:
        return None
    number = parse_number(text)
    if number is None:
        raise RefusedError(Refusal.NO_SUCH, f"{text[:20]!r} is not an entry", "give its number")
    return number


def chosen_hex(request: HttpRequest, table: Table, scene: scenes.Scene, sheet: CounterSheet | None = None) -> Any:
    """Return the content of the hex that the address names (`?hex=`), or None; its counters are on `sheet`."""
    name = request.GET.get("hex", "").strip()
    return hexes.hex_content(table, scene, name, sheet) if name else None


@seat_page(here=True)
def map_page(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show the map, with what can be done without a script: a hex at a time, and the list."""
    view, wrong = look_from_address(request, seat, moment_of(request))
    with look(seat) as table:
        scene = scenes.scene_of(table, moment_of(request))
        seen = form(request, table, view, wrong)
        sheet = hexes.counter_sheet(table, scene) if isinstance(scene.state, BoardState) else None
        context = {
            **frame_context(table, "map"),
            **stage(table, scene, seen["wish"] if view else None),
            **seen,
            "chosen": chosen_hex(request, table, scene, sheet),
            "sheet": sheet,
            "lines": hexes.list_occupied(table, scene),
            "widths": pictures.PNG_WIDTHS,
        }
        return render(request, "records/map/map.html", context)


def stage(table: Table, scene: scenes.Scene, wish: LosWish | None = None) -> dict[str, Any]:
    """Return what `map_stage.html` needs to show a map, with what a wish shows."""
    seat = table.seat
    asked = {"at": str(scene.at)} if scene.at is not None else {}
    asked |= wish.asked if wish else {}
    address = reverse("map-svg", args=[seat.game.pk, seat.name])
    return {
        "scene": scene,
        "at": scene.at,
        "asked": urlencode(asked),
        "svg_url": f"{address}?{urlencode(asked)}" if asked else address,
        "page_url": f"{address}?{urlencode(asked | {'beside': '1'})}",
        "small_url": f"{address}?small=1",
        "legend_url": f"{address}?{urlencode(asked | {'legend': '1'})}",
        "photo_url": f"{address}?{urlencode(asked | {'boards': '1', 'beside': '1'})}",
        "photographed": pictures.has_photos(table, scene.map),
        "layers": LAYERS,
    }


@seat_page()
def map_svg(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the map as SVG; with `?boards=1` on the boards' own pictures, each from its address.

    `?small=1` gives the printed ground alone, `?legend=1` the legend alone, `?beside=1` the map without its legend.
    """
    if request.GET.get("small"):
        with look(seat) as table:
            drawing = pictures.small_picture(table)
        return keep_for_a_day(_picture_response(request, drawing.render(), ""))
    with look(seat) as table:
        address = None
        if request.GET.get("boards"):
            if not pictures.has_photos(table, scenes.scene_of(table).map):
                raise RefusedError(Refusal.NO_SUCH, "you don't have the boards of this map")

            def address(number: int) -> str:
                return reverse("map-board", args=[seat.game.pk, seat.name, number])

        wish, beside = wish_of(request), bool(request.GET.get("beside"))
        if request.GET.get("legend"):
            drawing = pictures.legend_picture(table, moment_of(request))
        else:
            drawing = pictures.picture(table, moment_of(request), address, wish, legend=not beside)
    return _picture_response(request, drawing.render(), "svg")


def keep_for_a_day(response: HttpResponse) -> HttpResponse:
    """Let the browser keep a picture that never changes in a campaign, without asking for it again."""
    response["Cache-Control"] = "private, max-age=86400"
    return response


@seat_page()
def map_png(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the map as PNG, in one of a few widths."""
    width = request.GET.get("width", "1600")
    if width not in map(str, pictures.PNG_WIDTHS):
        right = ", ".join(map(str, pictures.PNG_WIDTHS))
        raise RefusedError(Refusal.NO_SUCH, f"the map comes in widths of {right}")
    with look(seat) as table:
        drawing = pictures.png(table, moment_of(request), int(width), wish_of(request))
    return _picture_response(request, drawing.render(), "png")


@seat_page()
def map_board(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Give the picture of one board that the map was made from."""
    with look(seat) as table:
        map_ = scenes.scene_of(table).map
    return _picture_response(request, pictures.board_picture(map_, number, seat.user), "")


@seat_page()
def map_sight(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show what can be seen from where: the part of the page that says it, or JSON (`?format=json`)."""
    wish = wish_of(request)
    if wish is None:
        raise RefusedError(Refusal.NO_SUCH, "this asks for nothing", "say what to look at")
    with look(seat) as table:
        wanted = los.prepare_look(table, scenes.scene_of(table, moment_of(request)), wish)
    view = wanted.look()
    if request.GET.get("format") == "json":
        return JsonResponse(view.describe())
    return render(request, "records/map/map_sight_found.html", {"found": view, "seat": seat, "game": seat.game})


def _picture_response(request: HttpRequest, made: pictures.RenderedMap, ending: str) -> HttpResponse:
    """Return a picture; nothing but its mark if the browser has it already."""
    response = picture_response(request, made.data, made.media_type, made.etag)
    if ending and request.GET.get("download"):
        response["Content-Disposition"] = f'attachment; filename="map.{ending}"'
    return response


@table_page
def map_hex(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Show what the seat may know of a hex: as part of the page, or as JSON (`?format=json`)."""
    if len(name) > 20:
        raise Http404
    scene = scenes.scene_of(table, moment_of(request))
    sheet = hexes.counter_sheet(table, scene) if isinstance(scene.state, BoardState) else None
    hex_content = hexes.hex_content(table, scene, name, sheet)
    if request.GET.get("format") == "json":
        return JsonResponse(hexes.describe_content(hex_content))
    context = {"chosen": hex_content, "sheet": sheet, "scene": scene, "seat": table.seat, "game": table.seat.game}
    return render(request, "records/map/map_hex.html", context)


seat_patterns = [
    path("map", map_page, name="map"),
    path("map.svg", map_svg, name="map-svg"),
    path("map.png", map_png, name="map-png"),
    path("map/board/<int:number>", map_board, name="map-board"),
    path("map/hex/<str:name>", map_hex, name="map-hex"),
    path("map/sight", map_sight, name="map-sight"),
]
