"""Forecasts of campaigns under way are runs too: of a campaign and a side instead of a card."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0028_archiving_in_seat_changes")]

    operations: ClassVar = [
        migrations.AddField(
            "simulation",
            "game",
            models.ForeignKey(
                "web.game", null=True, on_delete=django.db.models.deletion.CASCADE, related_name="forecasts"
            ),
        ),
        migrations.AddField("simulation", "side", models.CharField(blank=True, default="", max_length=40)),
    ]
