"""All addresses, gathered from the pages' modules."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from laager.web.accounts import devices
from laager.web.accounts import pages as accounts
from laager.web.dyo import pages as dyo
from laager.web.library.editor import pages as editors
from laager.web.library.files import pages as library
from laager.web.library.grids import pages as grids
from laager.web.library.house import pages as house_rules
from laager.web.library.maps import pages as mapedit
from laager.web.library.sharing import pages as sharing
from laager.web.people import pages as people
from laager.web.play.asking import pages as asking
from laager.web.play.asking import several
from laager.web.play.battle import pages as battle
from laager.web.play.report import pages as reporting
from laager.web.play.setup import pages as setting_up
from laager.web.play.table import changing, news
from laager.web.play.table import pages as table
from laager.web.public import pages as public
from laager.web.records.log import feed, history
from laager.web.records.log import pages as diary
from laager.web.records.map import pages as maps
from laager.web.records.notes import pages as notes
from laager.web.records.rulings import pages as rulings
from laager.web.records.sheets import pages as units
from laager.web.records.story import pages as story
from laager.web.results import pages as results
from laager.web.rules import pages as reference
from laager.web.serving import api
from laager.web.serving.host import accounts as host_accounts
from laager.web.serving.host import campaigns as host_campaigns
from laager.web.serving.host import pages as host
from laager.web.serving.middleware import bad_request
from laager.web.simulating import pages as simulating
from laager.web.starting import home, own_part, position
from laager.web.starting import pages as starting
from laager.web.talk import date_pages
from laager.web.talk import pages as talk

PAGES = [
    *(accounts, devices, home, people, public, results, simulating, starting, position, own_part),
    *(editors, grids, house_rules, library, mapedit, sharing),
    *(diary, feed, history, maps, notes, reference, rulings, story, units),
    *(asking, battle, changing, dyo, news),
    *(reporting, setting_up, table, several),
    *(host, host_accounts, host_campaigns, talk, date_pages),
]

handler400 = bad_request

_seat: list[URLPattern | URLResolver] = [
    pattern for module in PAGES for pattern in getattr(module, "seat_patterns", [])
]

urlpatterns: list[URLPattern | URLResolver] = [
    *(pattern for module in PAGES for pattern in getattr(module, "urlpatterns", [])),
    path("campaign/<uuid:game>/<slug:seat>/", include(_seat)),
    *api.urlpatterns,
    path("admin/", admin.site.urls),
]
