"""The counters of people's VASL modules, for setups."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0005_zones_of_browsers")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="OwnCounters",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(max_length=40)),
                ("counters", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("data", models.BinaryField()),
                ("made", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="counters",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        )
    ]
