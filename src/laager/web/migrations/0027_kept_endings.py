"""How campaigns ended, so that lists of results needn't read their logs."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0026_public_pages")]

    operations: ClassVar = [
        migrations.CreateModel(
            "KeptEnding",
            [
                (
                    "game",
                    models.OneToOneField(
                        "web.Game",
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="kept_ending",
                        serialize=False,
                    ),
                ),
                ("head", models.CharField(max_length=64)),
                ("shape", models.PositiveSmallIntegerField()),
                ("ending", models.JSONField(null=True)),
            ],
        ),
    ]
