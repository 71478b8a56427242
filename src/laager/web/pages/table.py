"""The table: where the campaign stands, and what must be done now."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.pages.seated import at_table, frame
from laager.web.services.tables import Table


@at_table
def table(request: HttpRequest, table: Table) -> HttpResponse:
    """Show where the campaign stands, what is asked, and what was last told."""
    news = [one for one in table.log if one.text][-12:]
    return render(request, "laager/table.html", frame(table, "table") | {"news": news})


seat_patterns = [path("", table, name="table")]
