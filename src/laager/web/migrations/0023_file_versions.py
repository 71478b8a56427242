"""Who wrote a file of a library, since when others see it, and its earlier versions."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def name_writers(apps: Any, _schema: Any) -> None:
    """Until now every file was written by its owner."""
    apps.get_model("web", "OwnFile").objects.update(writer=F("owner"))


def share_since_now(apps: Any, _schema: Any) -> None:
    """What is shared already has no earlier versions."""
    files = apps.get_model("web", "OwnFile").objects.exclude(seen_by="nobody")
    files.update(shared_since=F("changed"))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0022_library_sharing")]

    operations: ClassVar = [
        migrations.AddField("ownfile", "shared_since", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "ownfile",
            "writer",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(name_writers, migrations.RunPython.noop),
        migrations.RunPython(share_since_now, migrations.RunPython.noop),
        migrations.CreateModel(
            "FileVersion",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("packed", models.BinaryField()),
                ("size", models.PositiveIntegerField()),
                ("written", models.DateTimeField()),
                ("replaced", models.DateTimeField(auto_now_add=True)),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="web.ownfile"
                    ),
                ),
                (
                    "writer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-number"]},
        ),
        migrations.AddConstraint(
            "fileversion", models.UniqueConstraint(fields=("file", "number"), name="each_version_once")
        ),
    ]
