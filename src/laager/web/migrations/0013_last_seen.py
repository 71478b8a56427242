"""The last day on which somebody was here."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0012_pace_of_notices")]

    operations: ClassVar = [
        migrations.AddField(model_name="player", name="seen", field=models.DateField(blank=True, null=True)),
    ]
