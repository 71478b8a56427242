"""How often somebody is told, and the hours in which nobody is."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

PACES = [("always", "every time I am asked"), ("daily", "once a day, at 18:00"), ("never", "never")]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0011_webhooks")]

    operations: ClassVar = [
        migrations.AddField("member", "pace", models.CharField(choices=PACES, default="always", max_length=8)),
        migrations.AddField("player", "quiet_from", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddField("player", "quiet_to", models.PositiveSmallIntegerField(blank=True, null=True)),
    ]
