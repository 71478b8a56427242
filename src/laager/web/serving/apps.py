"""The one Django application."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Accounts, campaigns, and all that lies around them."""

    name = "laager.web"
    label = "web"
    verbose_name = "Laager"

    def ready(self) -> None:
        """Register what the owner of a server looks after."""
        from laager.web.people import admin  # noqa: F401
