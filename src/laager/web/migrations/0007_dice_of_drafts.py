"""The rolls of the log that a report was read from, kept until the report is submitted."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0006_own_counters")]

    operations: ClassVar = [migrations.AddField("draft", "dice", models.JSONField(default=list))]
