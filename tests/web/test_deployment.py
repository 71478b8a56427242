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

import pytest
import yaml

from laager.web.serving.config import Config
from tests.web.serving import LAAGER

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


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy isn't here")
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "DOMAIN": "localhost", "SERVERS": "127.0.0.1:1 127.0.0.1:2"}
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    checked = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
