"""Talking to the JSON API in tests: as a program with a token, through Django's test client."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from laager.web.models import Game, Player
from laager.web.services.people import tokens

ROOT = "/api/v1"


class RefusedCallError(Exception):
    """A call that was refused: its status and what was told."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        super().__init__(f"{status}: {told}")
        self.status, self.told = status, told


@dataclass
class Program:
    """A program with the token of somebody; keeps every byte that it was ever answered."""

    user: Player
    heard: list[str]
    key: str

    @staticmethod
    def of(user: Player) -> Program:
        """Return a program of somebody, with a token of its own."""
        return Program(user, [], tokens.make(user, "tests"))

    def ask(self, method: str, path: str, sent: Any = None) -> Any:
        """Make a call. Raises RefusedCallError."""
        body = "" if sent is None else json.dumps(sent)
        response = Client().generic(
            method, ROOT + path, body, content_type="application/json", headers={"Authorization": f"Bearer {self.key}"}
        )
        text = response.content.decode("utf-8", "replace")
        self.heard.append(text)
        self.heard += [f"{name}: {value}" for name, value in response.items()]
        if response.status_code >= 400:
            raise RefusedCallError(response.status_code, json.loads(text))
        kind = response.get("Content-Type", "")
        return json.loads(text) if text and kind.startswith("application/json") else text

    def get(self, path: str) -> Any:
        """Look at something."""
        return self.ask("GET", path)

    def post(self, path: str, sent: Any = None) -> Any:
        """Change something."""
        return self.ask("POST", path, sent)


def at(game: Game, seat: str) -> str:
    """Return the path of a seat."""
    return f"/campaigns/{game.pk}/{seat}"
