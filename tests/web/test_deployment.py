"""What is in deploy/: units of systemd, the image, the compose file. All is looked at, nothing is started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dj_database_url
import pytest
import yaml

from laager.web.serving.config import Config
from tests.web.serving import LAAGER

if TYPE_CHECKING:
    from collections.abc import Mapping

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = ("compose.yaml", "compose-two-servers.yaml")


@pytest.mark.parametrize("name", ["laager.env", "laager.service", "laager-backup.service", *COMPOSE])
def test_examples_of_deployment_name_settings_that_there_are(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    known = {f"LAAGER_{field.upper()}" for field in Config.model_fields}
    used = set(re.findall(r"LAAGER_[A-Z_]+", text))
    assert used
    assert used <= known


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd isn't here")
@pytest.mark.parametrize("unit", ["laager.service", "laager-backup.service"])
def test_the_units_leave_the_server_little_of_the_machine(unit: str) -> None:
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=19", DEPLOY / unit],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_backup_unit_has_the_servers_data_and_user() -> None:
    units = [(DEPLOY / name).read_text("utf-8") for name in ("laager.service", "laager-backup.service")]
    server, backup = ([line for line in text.splitlines() if not line.startswith("#")] for text in units)
    assert set(server) & set(backup) >= {"Environment=LAAGER_DATA=/var/lib/laager", "EnvironmentFile=-/etc/laager.env"}
    # A dynamic user has the name of its unit unless it is given one.
    assert {"User=laager", "DynamicUser=yes", "StateDirectory=laager laager-backup"} <= set(backup)
    (command,) = (line for line in backup if line.startswith("ExecStart="))
    assert command.split()[1:3] == ["backup", "/var/lib/laager-backup"]


@pytest.mark.parametrize("name", COMPOSE)
def test_the_compose_file_fits_its_schema(name: str) -> None:
    # No engine is here to start it: this knows the fields of the compose specification, and works offline.
    checker = str(Path(sys.executable).with_name("check-jsonschema"))
    words = ["-q", "--builtin-schema", "vendor.compose-spec", str(DEPLOY / name)]
    checked = subprocess.run([checker, *words], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_image_has_all_that_the_package_is_built_from() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = {word for line in re.findall(r"^COPY (.+)$", text, re.M) for word in line.split()[:-1]}
    assert {word for word in copied if not (DEPLOY.parent / word).exists()} == set()
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert copied >= {project["project"]["readme"], "src", "LICENSE", *wheel["force-include"]}
    python = re.search(r"^FROM python:(\d+)\.(\d+)-slim$", text, re.M)
    assert python
    assert (int(python[1]), int(python[2])) >= (3, 11)
    # Not as root, and with what is asked of the server.
    assert re.search(r"^USER laager\n(?:.*\n)*CMD \[\"laager\", \"serve\"", text, re.M)


@pytest.mark.parametrize("name", COMPOSE)
def test_the_compose_file_starts_what_there_is(name: str) -> None:
    whole = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    services = whole["services"]
    # Caddy tells where visitors come from; else all of them would be one.
    (network,) = whole["networks"]["default"]["ipam"]["config"]
    caddy = services["caddy"]["networks"]["default"]["ipv4_address"]
    assert ip_address(caddy) in ip_network(network["subnet"])
    assert caddy != network["gateway"]
    file = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert set(re.findall(r"\{\$(\w+)\}", file)) == set(services["caddy"]["environment"])
    volumes = {volume.partition(":")[0] for each in services.values() for volume in each.get("volumes", ())}
    assert volumes - {"./Caddyfile"} == set(whole["volumes"])
    options = subprocess.run([LAAGER, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    servers = dict(address.split(":") for address in services["caddy"]["environment"]["SERVERS"].split())
    settings = [services[server]["environment"] for server in servers]
    assert all(given == settings[0] for given in settings)
    assert settings[0]["LAAGER_PROXIES"] == caddy
    # Several servers don't share a folder that keeps the key.
    assert len(servers) == 1 or "LAAGER_SECRET_KEY" in settings[0]
    for number, (server, port) in enumerate(servers.items()):
        command = services[server]["command"]
        assert port == command[command.index("--port") + 1]
        assert services[server]["ports"] == [f"127.0.0.1:{8000 + number}:{port}"]
        assert command[:2] == ["laager", "serve"]
        assert [word for word in command if word.startswith("--") and word not in options] == []


def compose(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all services of a compose file, and those that are servers."""
    services = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))["services"]
    return services, {
        name: service for name, service in services.items() if service.get("command", [""])[0] == "laager"
    }


def filled(text: str, given: Mapping[str, str]) -> str:
    """Return a text with its variables put in as Compose does, `${NAME:-default}` and `${NAME:?why}`."""
    return re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: given.get(found[1], found[2] or ""), text)


@pytest.mark.parametrize("name", COMPOSE)
def test_servers_open_the_database_that_is_made_for_them(name: str) -> None:
    services, servers = compose(name)
    given = {"POSTGRES_PASSWORD": "a-long-one", "LAAGER_SECRET_KEY": "k" * 50, "DOMAIN": "laager.example"}
    for server in servers.values():
        environment = {key: filled(value, given) for key, value in server["environment"].items()}
        # Exactly what the server reads.
        assert set(environment) <= {"DATABASE_URL"} | {f"LAAGER_{field.upper()}" for field in Config.model_fields}
        opened = dj_database_url.parse(Config.of(environment).database_url)
        host = opened["HOST"]
        made = {key: filled(value, given) for key, value in services[host]["environment"].items()}
        assert opened["ENGINE"] == "django.db.backends.postgresql"
        assert (opened["USER"], opened["PASSWORD"], opened["NAME"]) == (
            made["POSTGRES_USER"], made["POSTGRES_PASSWORD"], made["POSTGRES_DB"],
        )  # fmt: skip
        assert opened["PORT"] in ("", 5432)
        assert server["depends_on"][host] == {"condition": "service_healthy"}
        # Newer images keep their data elsewhere.
        assert services[host]["image"] == "postgres:17"
        assert services[host]["volumes"] == ["database:/var/lib/postgresql/data"]
        assert services[host]["healthcheck"]["test"] == ["CMD-SHELL", f"pg_isready -U {made['POSTGRES_USER']}"]


@pytest.mark.parametrize("name", COMPOSE)
def test_what_is_waited_for_says_when_it_is_there(name: str) -> None:
    services, servers = compose(name)
    for service in services.values():
        waits = service.get("depends_on", {})
        assert set(waits) <= set(services)
        for other in waits if isinstance(waits, dict) else ():
            assert "healthcheck" in services[other]
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for server in servers.values():
        (asked,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", server["healthcheck"]["test"][-1])
        port = server["command"][server["command"].index("--port") + 1]
        assert asked == (port, "/ready")
        assert re.search(rf"^EXPOSE {port}$", image, re.M)
        # The folder belongs to the image's user, who may do nothing else there.
        assert server["environment"]["LAAGER_DATA"] == "/data"
        assert server["volumes"] == ["data:/data"]
        assert re.search(r"install -d -o laager -m 700 /data$\nUSER laager\nVOLUME /data$", image, re.M)
    # Only Caddy can be reached from other machines.
    reached = {key: service["ports"] for key, service in services.items() if "ports" in service}
    assert reached.pop("caddy") == ["80:80", "443:443", "443:443/udp"]
    assert set(reached) == set(servers)


def test_the_image_is_built_from_nothing_else() -> None:
    lines = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = {word.removeprefix("./") for line in re.findall(r"^COPY (.+)$", text, re.M) for word in line.split()[:-1]}
    assert rules[0] == "*"
    assert {rule.removeprefix("!") for rule in rules if rule.startswith("!")} == copied
    assert "**/__pycache__" in rules


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy isn't here")
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "DOMAIN": "localhost", "SERVERS": "127.0.0.1:1 127.0.0.1:2"}
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    checked = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
