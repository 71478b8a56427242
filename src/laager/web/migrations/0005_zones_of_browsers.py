"""Time zones come from the browser: who never chose one has none, instead of UTC."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models


def forget(apps: Any, _: Any) -> None:
    # UTC was everybody's from the start; whoever meant it can choose it again.
    apps.get_model("web", "Player").objects.filter(time_zone="UTC").update(time_zone="")


def restore(apps: Any, _: Any) -> None:
    apps.get_model("web", "Player").objects.filter(time_zone="").update(time_zone="UTC")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0004_first_seat_changes")]

    operations: ClassVar = [
        migrations.AlterField("player", "time_zone", models.CharField(blank=True, default="", max_length=64)),
        migrations.RunPython(forget, restore),
    ]
