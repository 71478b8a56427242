"""Telling the open pages of all workers that a campaign has changed.

On PostgreSQL by NOTIFY, which is sent with the transaction; on SQLite the pages' listeners look
at the database again and again. What is told is only which campaign it was: whether a seat can see
anything new is found out by its own listener (`tables.Table.tag`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from uuid import UUID

CHANNEL = "laager"


def publish(game: UUID) -> None:
    """Tell all workers, once the present transaction is stored."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(game)])
