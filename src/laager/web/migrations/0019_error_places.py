"""Where in the program errors happened."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0018_devices")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ErrorPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=100)),
                ("count", models.PositiveIntegerField(default=0)),
                ("seen", models.DateField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("place", "kind"), name="one_place_of_errors")],
            },
        ),
    ]
