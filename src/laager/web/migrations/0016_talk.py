"""What is said at a table, how far each has read it, and who is muted."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def to(model: str, related: str = "+") -> models.ForeignKey[models.Model, models.Model]:
    """Return a column that goes with the row it names."""
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name=related, to=model)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0015_announcements")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="TalkChannel",
            fields=[
                ("id", ID.clone()),
                ("name", models.CharField(max_length=60)),
                ("last", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=0)),
                ("game", to("web.game", "channels")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["game", "name"], name="each_channel_once")],
            },
        ),
        migrations.CreateModel(
            name="TalkMessage",
            fields=[
                ("id", ID.clone()),
                ("number", models.PositiveIntegerField()),
                ("by_name", models.CharField(max_length=150)),
                ("seat", models.CharField(max_length=40)),
                ("text", models.TextField(blank=True, max_length=4000)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("may_be_quoted", models.BooleanField(default=False)),
                ("deleted", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("channel", to("web.talkchannel", "messages")),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=["channel", "number"], name="each_message_once")],
            },
        ),
        migrations.CreateModel(
            name="TalkMute",
            fields=[
                ("id", ID.clone()),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("game", to("web.game", "mutes")),
                ("user", to(settings.AUTH_USER_MODEL)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=["game", "user"], name="muted_once")]},
        ),
        migrations.CreateModel(
            name="TalkRead",
            fields=[
                ("id", ID.clone()),
                ("number", models.PositiveIntegerField()),
                ("channel", to("web.talkchannel")),
                ("member", to("web.member", "talk_read")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=["member", "channel"], name="read_so_far")]},
        ),
    ]
