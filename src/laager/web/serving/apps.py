"""The one Django application, and which files of its rooms browsers get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from django.apps import AppConfig
from django.contrib.staticfiles.finders import FileSystemFinder


class WebConfig(AppConfig):
    """Accounts, campaigns, and all that lies around them."""

    name = "laager.web"
    label = "web"
    verbose_name = "Laager"

    def ready(self) -> None:
        """Register what the owner of a server looks after."""
        from laager.web.people import admin  # noqa: F401


# Scripts, styles and icons ------------------------------------------------------------------------

SUFFIXES = frozenset({".css", ".js", ".png", ".svg"})
"""What is sent to browsers. Nothing else in the rooms is."""


class RoomFinder(FileSystemFinder):
    """Finds the files for browsers in all rooms, and no others."""

    def find_location(self, root: str, path: str, prefix: str | None = None) -> str | None:
        """Return where a file lies; None if there is none for browsers."""
        return super().find_location(root, path, prefix) if _is_public(path) else None

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        """Yield each file for browsers with its storage."""
        files = super().list(ignore_patterns)
        return ((path, storage) for path, storage in files if _is_public(path))


def _is_public(path: str) -> bool:
    return PurePath(path).suffix in SUFFIXES
