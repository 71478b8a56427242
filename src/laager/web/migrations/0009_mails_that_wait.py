"""Mails wait a little, and until their reader has left the table."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0008_changes_again")]

    operations: ClassVar = [
        migrations.AddField("member", "untold", models.JSONField(blank=True, default=dict)),
        migrations.AddField("member", "mail_due", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "member",
            models.Index(condition=models.Q(mail_due__isnull=False), fields=["mail_due"], name="mails_that_wait"),
        ),
    ]
