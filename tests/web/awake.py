"""Imports all pages before it is known what a server's settings are: each process forked from here reads its own."""

from __future__ import annotations

import sys
from importlib import import_module

from django.conf import settings
from django.db import connections
from django.utils.functional import empty

from laager.web.serving.config import wake_django

NAMES = (
    "campaigns.thinking", "play.short_way.front", "serving.chores", "serving.handover", "serving.header_limits",
    "serving.metrics", "serving.urls", "serving.workers", "simulating.runs",
)  # fmt: skip
"""What a server and its workers import; not `serving.asgi`, which begins to work."""


def forget_settings() -> None:
    """Let Django read the settings of this process from its environment."""
    for connection in connections.all(initialized_only=True):
        del connections[connection.alias]
    settings._wrapped = empty
    sys.modules.pop("laager.web.serving.settings", None)
    vars(connections).pop("settings", None)
    vars(connections)["_settings"] = None


wake_django()
for name in NAMES:
    import_module(f"laager.web.{name}")
# Each worker makes it some seconds after its start; that takes a second.
sys.modules["laager.web.serving.api"].api.get_openapi_schema()
