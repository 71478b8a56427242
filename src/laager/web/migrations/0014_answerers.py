"""Who of a side answered."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0013_last_seen")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Answerer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.CharField(max_length=40)),
                ("entry", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=150)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answerers", to="web.game"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "entry"), name="one_answerer")],
            },
        ),
    ]
