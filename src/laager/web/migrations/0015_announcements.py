"""What the host tells everybody."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0014_answerers")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=500)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("made", models.DateTimeField(auto_now=True)),
            ],
        ),
    ]
