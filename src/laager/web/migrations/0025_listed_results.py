"""Whether a player lets a campaign's result be listed."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0024_file_uses")]

    operations: ClassVar = [
        migrations.AddField("member", "listed", models.BooleanField(default=False)),
    ]
