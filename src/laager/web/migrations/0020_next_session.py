"""When people play next: proposed times, and who can come."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
STATES = [("open", "Open"), ("fixed", "Fixed"), ("off", "Off")]


def to(model: str, related: str = "+") -> models.ForeignKey[models.Model, models.Model]:
    """Return a column that goes with the row it names."""
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name=related, to=model)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0019_error_places")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="SessionPlan",
            fields=[
                ("id", ID.clone()),
                ("number", models.PositiveIntegerField()),
                ("by_name", models.CharField(max_length=150)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("minutes", models.PositiveSmallIntegerField()),
                ("state", models.CharField(choices=STATES, default="open", max_length=6)),
                ("fixed", models.DateTimeField(blank=True, null=True)),
                ("made", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("game", to("web.game", "sessions")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=["game", "number"], name="each_plan_once")]},
        ),
        migrations.CreateModel(
            name="SessionTime",
            fields=[
                ("id", ID.clone()),
                ("at", models.DateTimeField()),
                ("plan", to("web.sessionplan", "times")),
            ],
            options={
                "ordering": ["at"],
                "constraints": [models.UniqueConstraint(fields=["plan", "at"], name="each_time_once")],
            },
        ),
        migrations.CreateModel(
            name="SessionReply",
            fields=[
                ("id", ID.clone()),
                ("yes", models.BooleanField()),
                ("time", to("web.sessiontime", "replies")),
                ("user", to(settings.AUTH_USER_MODEL)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=["time", "user"], name="one_reply")]},
        ),
    ]
