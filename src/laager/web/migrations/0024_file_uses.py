"""The campaigns that were begun from files of a library."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0023_file_versions")]

    operations: ClassVar = [
        migrations.CreateModel(
            "FileUse",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uses", to="web.ownfile"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="web.game"),
                ),
            ],
        ),
        migrations.AddConstraint(
            "fileuse", models.UniqueConstraint(fields=("file", "game"), name="each_use_once")
        ),
    ]
