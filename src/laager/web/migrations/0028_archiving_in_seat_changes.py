"""Who archived a campaign is among the changes that everybody in it can read."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

KINDS = (
    "taken", "left", "passed", "announced", "returned", "called-off", "freed", "owner", "asked", "agreed", "refused",
    "archived", "unarchived",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0027_kept_endings")]

    operations: ClassVar = [
        migrations.AlterField(
            "seatchange",
            "kind",
            models.CharField(max_length=12, choices=[(kind, kind.replace("-", " ").title()) for kind in KINDS]),
        ),
    ]
