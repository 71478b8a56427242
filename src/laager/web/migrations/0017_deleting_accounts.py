"""When accounts can be deleted, and notes that outlast their writers."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0016_talk")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="player", name="deletion_on", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AlterField(
            model_name="note",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
