"""`python -m bench.attacks`: how long others wait while somebody tries to bring a server down.

A player asks where the campaign stands ten times a second, by the short way (status) and by Django's (log). First
nothing else happens, then one attack after the other: `ATTACKS`. Told are the median and the 95th percentile of what
the player waits, how many requests of the player failed, and what the attack was answered. Attackers and player come
from addresses of their own, as a proxy on this machine tells them.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from bench.load import RESULTS
from bench.loading import inside

EVERY = 0.1
"""Seconds between two looks of the player."""
PATIENCE = 120.0
PACK = Path(__file__).parent.parent / "src" / "laager" / "packs" / "pl"


@dataclass
class Watch:
    """What the player waited for each look, in seconds, and what went wrong."""

    waited: dict[str, list[float]] = field(default_factory=lambda: {"status": [], "log": []})
    failed: Counter[str] = field(default_factory=Counter)

    def row(self) -> dict[str, Any]:
        """Return the figures in ms."""
        found: dict[str, Any] = {}
        for what, taken in self.waited.items():
            ordered = sorted(taken) or [0.0]
            for name, share in (("p50", 0.5), ("p95", 0.95)):
                found[f"{what} {name}"] = round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)
        return found | {"looks": len(self.waited["status"]), "failed": dict(self.failed)}


class Scene:
    """A server with some campaigns, one of whose players looks; another person attacks."""

    def __init__(self, url: str, seats: list[dict[str, str]]) -> None:
        self.url = url
        self.player = seats[0]
        self.foe, self.other_foe = seats[2], seats[4]
        self.answers: Counter[int] = Counter()
        # Without TLS: to prepare it costs more than what is asked.
        self.client = httpx.Client(
            base_url=url, verify=False, timeout=PATIENCE, limits=httpx.Limits(max_connections=None)
        )

    def ask(self, path: str, seat: dict[str, str] | None = None, method: str = "GET", **more: Any) -> httpx.Response:
        """Ask something as an attacker, and count the answer."""
        headers = {"X-Forwarded-For": "203.0.113.9", **more.pop("headers", {})}
        if seat:
            headers["Authorization"] = f"Bearer {seat['token']}"
        got = self.client.request(method, path, headers=headers, **more)
        self.answers[got.status_code] += 1
        return got

    def of(self, seat: dict[str, str], rest: str) -> str:
        """Return an address of the API at a seat."""
        return f"/api/v1/campaigns/{seat['game']}/{seat['seat']}{rest}"

    def at_once(self, tasks: Sequence[Callable[[], Any]]) -> None:
        """Do many things at once."""

        def one(task: Callable[[], Any]) -> None:
            with suppress(httpx.HTTPError, OSError):
                task()

        with ThreadPoolExecutor(len(tasks)) as threads:
            list(threads.map(one, tasks))

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """Let the player look in the meantime."""
        watch, over = Watch(), threading.Event()
        threads = [
            threading.Thread(target=self._look, args=(watch, over, what, self.of(self.player, rest)))
            for what, rest in (("status", ""), ("log", "/log?last=5"))
        ]
        for thread in threads:
            thread.start()
        try:
            yield watch
        finally:
            over.set()
            for thread in threads:
                thread.join()

    def _look(self, watch: Watch, over: threading.Event, what: str, path: str) -> None:
        headers = {"Authorization": f"Bearer {self.player['token']}", "X-Forwarded-For": "198.51.100.1"}
        with httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE) as client:
            while True:
                begun = time.perf_counter()
                try:
                    status = client.get(path).status_code
                    if status != 200:
                        watch.failed[f"{what} {status}"] += 1
                except httpx.HTTPError as err:
                    watch.failed[f"{what} {type(err).__name__}"] += 1
                watch.waited[what].append(time.perf_counter() - begun)
                if over.wait(EVERY):
                    return


# Attacks ------------------------------------------------------------------------------------------


def peace(scene: Scene) -> None:
    """Nothing happens."""
    time.sleep(8)


def _sockets(scene: Scene, number: int, data: bytes, then: bytes, seconds: float) -> None:
    parts = urlsplit(scene.url)
    open_ones = []
    for _ in range(number):
        one = socket.create_connection((str(parts.hostname), parts.port), timeout=30)
        with suppress(OSError):
            one.sendall(data)
        open_ones.append(one)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in open_ones:
            with suppress(OSError):
                one.sendall(then)
        time.sleep(0.5)
    for one in open_ones:
        one.close()


def bodies(scene: Scene) -> None:
    """Two hundred bodies that never end, a byte at a time."""
    head = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    _sockets(scene, 200, head, b"x", 6)


def heads(scene: Scene) -> None:
    """A thousand and two hundred heads that never end, a line at a time."""
    _sockets(scene, 1200, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-A: b\r\n", 8)


def document(scene: Scene) -> None:
    """Forty first looks at the API's document."""
    scene.at_once([partial(scene.ask, "/api/v1/openapi.json")] * 40)


def public(scene: Scene) -> None:
    """Each public page, forty times at once."""
    for path in ("/login/", "/api/v1/docs", "/api/v1/rules", "/api/v1/cards", "/static/laager/records/map/map.css"):
        scene.at_once([partial(scene.ask, path)] * 40)


def tokens(scene: Scene) -> None:
    """Three hundred tokens that nobody has, each of them for itself."""

    def ask(number: int) -> None:
        headers = {"Authorization": f"Bearer laager_{number}"}
        scene.ask(scene.of(scene.player, ""), headers=headers)

    with ThreadPoolExecutor(60) as threads:
        list(threads.map(ask, range(300)))


def logins(scene: Scene) -> None:
    """Forty passwords at once."""

    def one() -> None:
        with httpx.Client(base_url=scene.url, headers={"X-Forwarded-For": "203.0.113.9"}, timeout=PATIENCE) as client:
            client.get("/login/")
            word = {"username": f"x{time.monotonic()}", "password": "y"}
            word["csrfmiddlewaretoken"] = client.cookies["csrftoken"]
            scene.answers[client.post("/login/", data=word).status_code] += 1

    scene.at_once([one] * 40)


def pictures(scene: Scene) -> None:
    """Twenty-four PNGs and eight PDFs of somebody else's campaign."""
    foe = scene.foe
    rests = [f"/map.png?width=3200&at={number}" for number in numbers(scene, foe)[-24:]]
    rests += [
        f"/print?paper={paper}&language={language}" for paper in ("a4", "letter") for language in ("en", "de")
    ] * 2
    scene.at_once([partial(scene.ask, scene.of(foe, rest), foe) for rest in rests])


def drawings(scene: Scene) -> None:
    """Sixty drawings of two people at once."""
    scene.at_once(
        [
            partial(scene.ask, scene.of(seat, f"/map.svg?at={number}"), seat)
            for seat in (scene.foe, scene.other_foe)
            for number in numbers(scene, seat)[-30:]
        ]
    )


def numbers(scene: Scene, seat: dict[str, str]) -> list[int]:
    """Return the numbers of the entries that a seat can see."""
    told = scene.ask(scene.of(seat, "/log"), seat).json()
    return [one["number"] for one in (told["entries"] if isinstance(told, dict) else told)]


def large_map(hexes: tuple[int, int] = (104, 400)) -> str:
    """Return the map of a shipped card on a far larger board."""
    text = (PACK / "rzhavets-map.yaml").read_text(encoding="utf-8")
    return text.replace("columns: 33, rows: 20", f"columns: {hexes[0]}, rows: {hexes[1]}")


def _card(scene: Scene, name: str, map_: str, padding: int = 0) -> httpx.Response:
    """Put a card with its map into the library of an attacker."""
    card = (PACK / "rzhavets.yaml").read_text(encoding="utf-8").replace("rzhavets-map.yaml", f"{name}-map.yaml")
    card += "\n# ".join(["", *["x" * 70] * (padding // 72)])
    scene.ask(f"/api/v1/files/{name}-map.yaml", scene.foe, "PUT", json={"text": map_})
    return scene.ask(f"/api/v1/files/{name}.yaml", scene.foe, "PUT", json={"text": card})


def _began(scene: Scene, name: str) -> dict[str, str] | None:
    got = scene.ask("/api/v1/campaigns", scene.foe, "POST", json={"card": f"{name}.yaml", "own": True, "seat": "both"})
    if got.status_code != 201:
        sys.stdout.write(f"{name}: {got.status_code} {got.text[:300]}\n")
        return None
    told = got.json()
    return {**scene.foe, "game": told["campaign"], "seat": told["seat"]}


def large(scene: Scene) -> None:
    """A campaign on a map of 104 x 400 hexes, its drawing and its PNG."""
    _card(scene, "large", large_map())
    mine = _began(scene, "large")
    if mine is not None:
        scene.at_once([partial(scene.ask, scene.of(mine, rest), mine) for rest in ("/map.svg", "/map.png")])


def names(scene: Scene) -> None:
    """A name of 300,000 letters, then 1,500 of 200 letters each on a map that is drawn."""
    lines = large_map((33, 20))
    long = lines.replace("name: Church", f"name: {'W' * 300_000}")
    scene.ask("/api/v1/files/long-map.yaml", scene.foe, "PUT", json={"text": long})
    many = lines.replace(
        "buildings:",
        "buildings:\n"
        + "".join(f"  - {{name: {'W' * 200}, hexes: [{c}{r}]}}\n" for c in "VWXYZ" for r in range(1, 20)),
    )
    _card(scene, "named", many)
    mine = _began(scene, "named")
    if mine is not None:
        scene.at_once([partial(scene.ask, scene.of(mine, "/map.svg"), mine)] * 6)


def checks(scene: Scene) -> None:
    """Six checks of files as large as they may be, at once."""
    rows = "".join(f"  H{number}: {{note: some words about it}}\n" for number in range(14_000))
    text = f"laager: map/1\nid: x\ntitle: x\nnotes:\n{rows}"[: 2**19]
    tasks = [
        partial(scene.ask, f"/api/v1/files/c{n}.yaml/check", scene.foe, "POST", json={"text": f"# {n}\n{text}"})
        for n in range(6)
    ]
    scene.at_once(tasks)


def cards(scene: Scene) -> None:
    """A card of half a megabyte: in the list, by itself, and a campaign from it, again and again."""
    _card(scene, "huge", large_map(), 480_000)
    paths = ["/api/v1/cards", "/api/v1/cards/own/huge.yaml"] * 6
    scene.at_once([partial(scene.ask, path, scene.foe) for path in paths])
    scene.at_once([partial(_began, scene, "huge")] * 3)


def drafts(scene: Scene) -> None:
    """Twenty drafts as large as they may be, and larger."""
    foe = scene.foe
    asked = scene.ask(scene.of(foe, "/asked"), foe).json()
    mark = (asked[0] if isinstance(asked, list) else asked["asked"][0])["mark"]
    tasks = [
        partial(
            scene.ask, scene.of(foe, f"/asked/{mark}/draft"), foe, "PUT", json={"answer": {"units": ["x" * 20] * size}}
        )
        for size in (8_000, 40_000)
        for _ in range(10)
    ]
    scene.at_once(tasks)


ATTACKS = {
    one.__name__: one
    for one in (
        peace, document, public, bodies, heads, tokens, logins, pictures, drawings, large, names, checks, cards, drafts,
    )
}  # fmt: skip


def main() -> int:
    """Attack, print how the player fared, write it beside the other figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("attacks", nargs="*", choices=[[], *ATTACKS], default=[])
    given = parser.parse_args()
    from tests.web.serving import environment, serving

    found = {}
    with tempfile.TemporaryDirectory(prefix="laager-attacks-") as place:
        data = Path(place) / "data"
        with serving(data, LAAGER_PROXIES="127.0.0.1") as served:
            scene = Scene(served.url, inside(environment(data, ""), "begin", "4"))
            for name in given.attacks or ATTACKS:
                scene.answers.clear()
                begun = time.monotonic()
                with scene.watched() as watch:
                    ATTACKS[name](scene)
                took = round(time.monotonic() - begun, 1)
                found[name] = watch.row() | {"seconds": took, "answered": dict(scene.answers)}
                sys.stdout.write(f"{name:10} {found[name]}\n")
                sys.stdout.flush()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "attacks.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
