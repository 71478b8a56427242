"""The seeds of campaigns begun before are sealed with the server's key, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.db import migrations

from laager.web.campaigns import sealing


def _each(change: Callable[[Any, str], str]) -> Callable[[Any, Any], None]:
    def run(apps: Any, editor: Any) -> None:
        if editor.connection.vendor == "sqlite":
            # What stood there before must not stay in the file's free pages.
            with editor.connection.cursor() as cursor:
                cursor.execute("PRAGMA secure_delete = ON")
        lines = apps.get_model("web", "EntryLine").objects
        for row in lines.filter(number=sealing.SEED_LINE).iterator():
            lines.filter(pk=row.pk).update(line=change(row.game_id, row.line))

    return run


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0001_initial")]

    operations: ClassVar = [
        migrations.RunPython(_each(sealing.reseal), _each(sealing.unseal)),
    ]
