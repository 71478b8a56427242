"""Runs of whole campaigns that a server plays."""

from __future__ import annotations

import uuid
from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

STATES = [("playing", "being played"), ("paused", "paused"), ("ended", "ended"), ("failed", "broken off")]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0009_mails_that_wait")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Simulation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=200)),
                ("card", models.CharField(max_length=200)),
                ("own", models.BooleanField(default=False)),
                ("ruleset", models.CharField(max_length=40)),
                ("plan", models.BinaryField()),
                ("commanders", models.JSONField()),
                ("intensity", models.CharField(max_length=20)),
                ("changes", models.JSONField(default=list)),
                ("campaigns", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                ("state", models.CharField(choices=STATES, default="playing", max_length=8)),
                ("wins", models.JSONField(default=dict)),
                ("digest", models.CharField(blank=True, db_index=True, max_length=64)),
                ("trouble", models.TextField(blank=True)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("turn", models.DateTimeField(default=django.utils.timezone.now)),
                ("held_until", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="simulations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made"],
                "indexes": [models.Index(fields=["state", "turn"], name="simulations_that_wait")],
            },
        ),
        migrations.CreateModel(
            name="SimulatedPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("change", models.PositiveSmallIntegerField()),
                ("first", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                (
                    "simulation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="web.simulation"
                    ),
                ),
            ],
            options={"ordering": ["change", "first"]},
        ),
        migrations.AddConstraint(
            "simulatedpart",
            models.UniqueConstraint(fields=["simulation", "change", "first"], name="each_campaign_counts_once"),
        ),
    ]
