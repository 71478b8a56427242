"""All pages of the filled site: found by asking the resolver, not by a list that grows old."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any
from uuid import UUID

from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from laager.web.campaigns.tables import look
from laager.web.library.files import files as library
from laager.web.library.files.offers import find_shipped
from laager.web.library.sharing import shares
from laager.web.models import OwnFile, Player, Simulation
from laager.web.public.past import public_key
from laager.web.seats.permissions import Seat
from laager.web.simulating import runs
from tests.web.screenshots_fill import SLIPPED, Filled

FEW = ("purchase", "design")
"""The campaigns at which most pages are shown."""
MANY = frozenset({"table", "map", "ask"})
"""Pages that look different at each campaign: shown at some more of them, or at all."""
SOME = (*FEW, "report", "chance", "ridge")
STRANGERS = frozenset({"login", "register", "reset", "reset-sent", "reset-confirm", "invitation", "public"})
"""Pages for people who are not logged in."""

FILED = (
    "library-live", "library-check", "library-take", "library-remove", "library-rename",
    "library-map", "library-map-svg", "library-map-hex", "library-map-alike", "library-map-picture", "library-map-vasl",
)  # fmt: skip
"""Pages of a file in somebody's library."""
SHARED = (
    "library-shared-file", "library-share", "library-copy", "library-version",
    "shared-fill", "shared-fill-live", "shared-fill-csv", "shared-groups", "shared-form",
)  # fmt: skip
"""Pages of a file that others share."""
SHARED_MAP = (
    "shared-map", "shared-map-svg", "shared-map-hex", "shared-map-alike", "shared-map-picture", "shared-map-vasl",
)  # fmt: skip
"""Pages of a map that others share."""
PUBLIC = ("public", "public-map", "public-film", "public-card")
"""What everybody may see of a campaign."""
REFUSING = frozenset({"refused", "register"})
"""Pages that refuse, and are worth seeing all the same."""


class UnknownValueError(Exception):
    """An address has a part for which nobody has said what to put there."""


@dataclass(frozen=True)
class Page:
    """A page of the site: its name in the resolver, where it is, who looks (None: a stranger)."""

    name: str
    scene: str
    path: str
    user: Player | None

    @property
    def label(self) -> str:
        """What its picture's file is called."""
        return "-".join(part for part in (self.name, self.scene) if part)


def patterns() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name and the parts of each address that is Laager's own and no program's."""

    def walk(found: list[Any], above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
        for one in found:
            parts = (*above, *one.pattern.converters)
            if isinstance(one, URLResolver):
                if not (one.namespace or one.app_name):
                    yield from walk(one.url_patterns, parts)
            elif isinstance(one, URLPattern) and one.name:
                yield one.name, parts

    seen = set()
    for name, parts in walk(get_resolver().url_patterns, ()):
        if name not in seen:
            seen.add(name)
            yield name, parts


def _values(site: Filled) -> Mapping[str, list[Any]]:
    """Return what is put into addresses: by the part, or by the page's name and the part."""
    return {
        "ruleset": ["pl"],
        # Names mean something else on every page: a clause, a table, a unit, a file, a sheet.
        "clause.name": ["PL 3.47"],
        "rule-table.name": ["elr-change"],
        "map-hex.name": ["R15"],
        "ruling-hex.name": ["R15"],
        "unit.name": ["AX1"],
        "sheet.name": ["roster", "purchases"],
        "sheet-csv.name": ["roster"],
        "forecast.name": ["elr-change"],
        "dyo-terms.name": ["vistula.yaml"],
        "dyo-ob.name": ["kampfgruppe.yaml"],
        "dyo-export.name": ["kampfgruppe.yaml"],
        "new-own.name": ["rzhavets.yaml"],
        "simulate-own.name": ["rzhavets.yaml"],
        "run": [_simulation(site)],
        "kind": ["csv"],
        "simulation-plot.name": ["winners"],
        "own-card-map.name": ["rzhavets.yaml"],
        "library-edit.name": ["rzhavets.yaml"],
        "library-form.name": ["rzhavets.yaml"],
        "library-fill.name": ["arnhem.yaml", "arnhem-charts.yaml"],
        "library-groups.name": ["rzhavets.yaml"],
        "library-position.name": ["record.yaml"],
        "library-fill-csv.name": ["arnhem.yaml"],
        "library-house.name": ["house.yaml"],
        "library-fill-live.name": ["arnhem.yaml"],
        "board-remove.name": ["bd01"],
        "board-legend.name": ["bd01"],
        **{f"{page}.name": ["rzhavets-map.yaml"] for page in FILED},
        "hex_name": ["R15"],
        "form": ["csv"],
        "rest": ["nothing"],
        "card": ["rzhavets"],
        "key": [site.invitation],
        **{f"{page}.key": [public_key(site.games["ended"])] for page in PUBLIC},
        "uidb64": [urlsafe_base64_encode(force_bytes(site.bert.pk))],
        "token": [default_token_generator.make_token(site.bert)],
        "pk": [1],
        **{f"{page}.number": [_shared_file(site)] for page in SHARED},
        "shared-house.number": [_shared_file(site, "house.yaml", "club-house.yaml")],
        **{f"{page}.number": [_shared_file(site, "rzhavets-map.yaml", "club-map.yaml")] for page in SHARED_MAP},
        "number": [1],
        "board": [0],
        "version_number": [1],
        "user": [site.bert.pk],
        "talk-channel.name": ["side-axis"],
        "talk-delete.name": ["table"],
    }


def _shared_file(site: Filled, source: str = "rzhavets.yaml", name: str = "club.yaml") -> int:
    """Return the number of a file like one of anna's that bert shares with everybody, and has changed since."""
    text = OwnFile.objects.get(owner=site.anna, name=source).text
    file, _made = OwnFile.objects.get_or_create(owner=site.bert, name=name, defaults={"text": text})
    shares.share(site.bert, file.pk, shares.Sharing("everybody", "everybody"))
    library.save(site.bert, file.name, f"{text}\n# the club's own\n")
    return file.pk


def _simulation(site: Filled) -> UUID:
    """Return a run of anna's that was played."""
    run = Simulation.objects.filter(owner=site.anna).first()
    if run is None:
        wanted = {"axis": "sensible", "allied": "sensible"}
        run = runs.begin(site.anna, find_shipped("training"), 2, wanted, "usual", ["axis.cp+2"])
        while runs.play_next_part():
            pass
    return run.pk


def _at_seats(
    seats: Mapping[str, tuple[Seat, list[str]]], name: str, parts: tuple[str, ...], wide: bool
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the scene and the first parts of each address at a campaign."""
    many = seats if wide else SOME
    for scene, (seat, marks) in seats.items():
        if "seat" not in parts:
            # The host's pages of a campaign.
            if scene in FEW:
                yield scene, [seat.game.pk]
        elif "mark" not in parts:
            if scene in (many if name in MANY else FEW):
                yield scene, [seat.game.pk, seat.name]
        elif scene in (many if name in MANY else ("report",)):
            for mark in marks:
                yield scene, [seat.game.pk, seat.name, mark]


def _seats_of(site: Filled) -> Iterator[tuple[str, tuple[Seat, list[str]]]]:
    """Yield each scene with a seat there, and the mark of the first thing that it is asked."""
    for scene in site.games:
        with look(seat := site.seat(scene)) as table:
            yield scene, (seat, [one.mark for one in table.asked[:1]])


def addresses(site: Filled, wide: bool = False) -> Iterator[Page]:
    """Yield every address of the site, page or not. Raises UnknownValueError."""
    values, seats = _values(site), dict(_seats_of(site))
    for name, parts in patterns():
        scenes = [("", [])] if "game" not in parts else list(_at_seats(seats, name, parts, wide))
        for scene, given in scenes:
            wanted = [values.get(f"{name}.{part}", values.get(part)) for part in parts[len(given) :]]
            if None in wanted:
                raise UnknownValueError(
                    f"{name} has the parts {', '.join(parts)}: say in tests/web/screenshots_pages.py what to put there"
                )
            for one in product(*(some or [] for some in wanted)):
                user = None if name in STRANGERS else site.anna
                try:
                    yield Page(name, scene, reverse(name, args=[*given, *one]), user)
                except NoReverseMatch as err:
                    raise UnknownValueError(f"{name}: {err}") from err
    yield Page("refused", "", "/new/nothing", site.anna)
    yield Page("library-house", "clause", "/library/file/house.yaml/house?clause=PL 3.47", site.anna)
    yield Page("library-fill", "grid", "/library/file/arnhem-charts.yaml/fill?chart=axis-rg", site.anna)
    several = "chart=axis-rg&chart=points&chart=game-end"
    yield Page("library-fill", "grids", f"/library/file/arnhem-charts.yaml/fill?{several}", site.anna)
    yield Page("table", "umpire", f"/campaign/{site.games['ridge'].pk}/umpire/", site.cleo)
    sight = f"/campaign/{site.games['report'].pk}/{site.seat('report').name}/map?see=fire&range=12"
    yield Page("map", "sight", sight, site.anna)
    yield Page("table", "wish", f"/campaign/{site.games['ridge'].pk}/axis/", site.anna)
    yield Page("ruling", "draft", f"/campaign/{site.games['report'].pk}/axis/ruling/?hex={SLIPPED}", site.anna)
    yield Page("table", "ruling", f"/campaign/{site.games['setup'].pk}/axis/", site.anna)


def visits(
    site: Filled, wide: bool = False, tongue: str = "en", repeated: Collection[str] | None = None, only: str = ""
) -> Iterator[tuple[Page, str]]:
    """Yield those addresses at which a browser sees a whole page, with what it is sent.

    If `repeated` names pages, of all others the first one is enough. `only` is a pattern of the
    labels of those that are wanted.
    """
    seen: set[str] = set()
    for page in addresses(site, wide):
        if repeated is not None and page.name in seen and page.name not in repeated:
            continue
        if not re.search(only, page.label):
            continue
        client = Client(headers={"accept-language": tongue})
        if page.user is not None:
            client.force_login(page.user)
        response = client.get(page.path, follow=True)
        kind = response.headers.get("Content-Type", "")
        whole = kind.startswith("text/html") and b"<html" in response.content[:200]
        if whole and (response.status_code == 200 or page.name in REFUSING):
            seen.add(page.name)
            yield page, response.content.decode()


def pages(site: Filled, wide: bool = False, only: str = "") -> list[Page]:
    """Return those addresses at which a browser sees a whole page; at all campaigns if `wide`."""
    return [page for page, _ in visits(site, wide, only=only)]
