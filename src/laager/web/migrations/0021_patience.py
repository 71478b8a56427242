"""When it must be looked at whether a side is over the days that were agreed on."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0020_next_session")]

    operations: ClassVar = [
        migrations.AddField("game", "patience_look", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "game",
            models.Index(
                condition=models.Q(("patience_look__isnull", False)),
                fields=["patience_look"],
                name="games_with_patience",
            ),
        ),
    ]
