"""What was taken back in a file of one's own can be done again."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0007_dice_of_drafts")]

    operations: ClassVar = [migrations.AddField("ownfile", "after", models.JSONField(blank=True, default=list))]
