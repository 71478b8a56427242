"""Who sees and changes a file of a library besides its owner, and what it was copied from."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AUDIENCE = models.CharField(
    choices=[
        ("nobody", "only me"),
        ("named", "the players named below"),
        ("everybody", "everybody on this server"),
    ],
    default="nobody",
    max_length=12,
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0021_patience")]

    operations: ClassVar = [
        migrations.AddField("ownfile", "seen_by", AUDIENCE),
        migrations.AddField("ownfile", "changed_by", AUDIENCE),
        migrations.AddField(
            "ownfile",
            "copied_from",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="copies",
                to="web.ownfile",
            ),
        ),
        migrations.AddField(
            "ownfile",
            "copied_owner",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("ownfile", "copied_name", models.CharField(blank=True, max_length=120)),
        migrations.AddIndex("ownfile", models.Index(fields=["seen_by"], name="files_by_audience")),
        migrations.CreateModel(
            "FileGrant",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("changes", models.BooleanField(default=False)),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grants", to="web.ownfile"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "filegrant", models.UniqueConstraint(fields=("file", "user"), name="one_grant_a_person")
        ),
    ]
