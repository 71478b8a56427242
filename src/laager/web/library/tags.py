"""Addresses of files in editors; `{% load library %}` gives them to a template."""

from __future__ import annotations

from django import template
from django.urls import reverse

from laager.web.library.sharing.opened import OpenFile

register = template.Library()


@register.filter
def fill_address(opened: object, name: str) -> str:
    """Return where the charts of a file are: those that lie with an open file, else those of the own library."""
    return _address(opened, "fill", name)


@register.filter
def edit_address(opened: object, name: str) -> str:
    """Return where the text of a file is, as `fill_address` does."""
    return _address(opened, "edit", name)


@register.filter
def map_address(opened: object, name: str) -> str:
    """Return where a map is drawn, as `fill_address` does."""
    return _address(opened, "map", name)


def _address(opened: object, page: str, name: str) -> str:
    if isinstance(opened, OpenFile):
        return opened.address(page, name)
    return reverse(f"library-{page}", args=[name])
