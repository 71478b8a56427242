"""Scripts, styles and icons: they stand in the rooms next to their templates, and are served below `static/laager/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from django.contrib.staticfiles.finders import FileSystemFinder

SUFFIXES = frozenset({".css", ".js", ".svg"})
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
