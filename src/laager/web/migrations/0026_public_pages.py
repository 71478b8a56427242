"""How far behind a player lets everybody see a campaign."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0025_listed_results")]

    operations: ClassVar = [
        migrations.AddField(
            "member",
            "public_delay",
            models.CharField(blank=True, choices=[("day", "a day"), ("battle", "a firefight")], max_length=8, default=""),
            preserve_default=False,
        ),
    ]
