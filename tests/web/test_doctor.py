"""`laager doctor`: what it says of servers, certificates and mail servers that are really there."""

from __future__ import annotations

import json
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.utils import timezone
from jsonschema import Draft202012Validator

from laager.web.models import Device, Game, PushKey
from laager.web.serving import doctor
from laager.web.serving.config import Config
from laager.web.serving.serve import NOT_SOUND, how_friends_reach
from laager.web.shared import web_push
from tests.web.postgres import free_port
from tests.web.serving import PATIENCE, database_of_tests, run_laager, serving

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

TEXT = {"type": "string", "minLength": 1}
SHAPE = {
    "type": "object",
    "required": ["good", "findings"],
    "additionalProperties": False,
    "properties": {
        "good": {"type": "boolean"},
        "findings": {
            "type": "array",
            "minItems": 5,
            "items": {
                "type": "object",
                "required": ["about", "grade", "text", "advice"],
                "additionalProperties": False,
                "properties": {
                    "about": {"enum": list(doctor.ORDER)},
                    "grade": {"enum": ["good", "hint", "wrong"]},
                    "text": TEXT,
                    "advice": {"type": "string"},
                },
            },
        },
    },
}


def _findings(data: Path, database: str = "", *words: str, **more: str) -> dict[str, list[tuple[str, str, str]]]:
    """Examine a server; return grade, text and advice of what was found, by subject."""
    ended = run_laager(data, database, "doctor", "--json", *words, **more)
    assert ended.stderr == ""
    report = json.loads(ended.stdout)
    Draft202012Validator(SHAPE).validate(report)
    assert report["good"] == (ended.returncode == 0)
    assert ended.returncode in (0, NOT_SOUND)
    assert all(finding["advice"] for finding in report["findings"] if finding["grade"] != "good")
    found: dict[str, list[tuple[str, str, str]]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["about"], []).append((finding["grade"], finding["text"], finding["advice"]))
    return found


@pytest.mark.once
def test_it_examines_a_new_server_and_changes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    port = str(free_port())
    ended = run_laager(data, "", "doctor", "--port", port)
    assert ended.returncode == 0, ended
    assert "there is no data folder yet" in ended.stdout
    assert "there is no database yet" in ended.stdout
    assert f"nothing listens on 127.0.0.1, port {port}" in ended.stdout
    assert "-> start it: laager serve" in ended.stdout
    assert list(tmp_path.iterdir()) == []
    with serving(data, forked=True) as served:
        place = ["--port", served.url.rpartition(":")[2]]
        found = _findings(data, "", *place)
        assert found["port"] == [("good", f"Laager answers on 127.0.0.1, port {place[1]}", "")]
        assert found["database"][1] == ("good", "the database is up to date", "")
        assert found["backup"] == [("hint", "no backup was made here yet", "laager backup FOLDER makes one")]


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_behind_what_is_stored_is_wrong(begin: Begin, tmp_path: Path) -> None:
    game = begin()
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    (tmp_path / "data").mkdir()
    good = _findings(tmp_path / "data", database_of_tests(), **key)
    assert "wrong" not in {grade for grade, _text, _advice in good["clock"]}
    Game.objects.filter(pk=game.pk).update(changed=timezone.now() + timedelta(hours=2))
    found = _findings(tmp_path / "data", database_of_tests(), **key)
    assert found["clock"][0][0] == "wrong"
    assert found["clock"][0][1].startswith("the clock is behind: something was stored at ")


@pytest.mark.once
def test_it_knows_another_program_at_the_port(tmp_path: Path) -> None:
    with _listening(lambda line: line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")) as port:
        found = _findings(tmp_path / "data", "", "--port", str(port))
    wrong = f"another program answers on 127.0.0.1, port {port}"
    assert found["port"] == [("wrong", wrong, "end it, or choose another port: laager serve --port")]


@contextmanager
def _listening(answer: Any) -> Iterator[int]:
    """Answer whoever connects, each in a thread; give the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            # Whoever called may have hung up.
            with suppress(OSError):
                answer(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join(PATIENCE)


def _certificate(folder: Path, days: int) -> Path:
    """Write a certificate of localhost that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=100))
        .not_valid_after(now + timedelta(days=days, hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    file = folder / f"certificate-{days}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


@pytest.mark.once
@pytest.mark.parametrize(
    ("days", "trusted", "grade", "says"),
    [
        (60, True, "good", "the certificate of localhost is good for 60 more days"),
        (5, True, "hint", "the certificate of localhost is good for 5 more days"),
        (-3, True, "wrong", "the certificate of localhost isn't good (certificate has expired)"),
        (60, False, "wrong", "the certificate of localhost isn't good (self-signed certificate)"),
    ],
)
def test_it_looks_at_the_certificate_of_the_address(
    days: int, trusted: bool, grade: str, says: str, tmp_path: Path
) -> None:
    file = _certificate(tmp_path, days)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def answer(line: socket.socket) -> None:
        with context.wrap_socket(line, server_side=True) as secure:
            secure.recv(1)

    with _listening(answer) as port:
        more = {"SSL_CERT_FILE": str(file)} if trusted else {}
        address = {"LAAGER_ADDRESS": f"https://localhost:{port}", "LAAGER_HTTPS": "yes"}
        found = _findings(tmp_path / "data", **address, **more)
    assert [(one, text) for one, text, _advice in found["invitations"]] == [(grade, says)]


@pytest.mark.once
def test_an_address_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    found = _findings(tmp_path / "data", LAAGER_ADDRESS="http://laager.invalid")
    assert ("wrong", "nobody knows the name laager.invalid", "enter it where your domain is kept (DNS)") in found[
        "invitations"
    ]
    port = free_port()
    found = _findings(tmp_path / "data", LAAGER_ADDRESS=f"http://localhost:{port}")
    advice = "start the server and its proxy or tunnel"
    assert found["invitations"] == [("hint", f"nothing answers at localhost, port {port}", advice)]


@contextmanager
def _mail_server(login: str) -> Iterator[int]:
    """A mail server that says this to a login."""

    def answer(line: socket.socket) -> None:
        with closing(line.makefile("rwb")) as file:
            file.write(b"220 here\r\n")
            file.flush()
            for words in file:
                name = words.split()[0].upper()
                said = {b"EHLO": "250-here\r\n250 AUTH PLAIN", b"AUTH": login, b"QUIT": "221 bye"}
                file.write(f"{said.get(name, '502 what?')}\r\n".encode())
                file.flush()

    with _listening(answer) as port:
        yield port


@pytest.mark.once
@pytest.mark.parametrize(
    ("login", "tls", "grade", "says"),
    [
        ("235 welcome", "no", "good", "the mail server lets us in"),
        ("535 no", "no", "wrong", "the mail server doesn't take the login"),
        ("235 welcome", "yes", "wrong", "the mail server has no STARTTLS or no login"),
    ],
)
def test_it_logs_in_to_the_mail_server(login: str, tls: str, grade: str, says: str, tmp_path: Path) -> None:
    with _mail_server(login) as port:
        mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(port), "SMTP_TLS": tls}
        account = {"SMTP_USER": "laager", "SMTP_PASSWORD": "tell-nobody-7", "MAIL_FROM": "laager@laager.example"}
        more = {f"LAAGER_{name}": value for name, value in (mail | account).items()}
        ended = run_laager(tmp_path / "data", "", "doctor", **more)
        found = _findings(tmp_path / "data", "", **more)
    assert [(one, text) for one, text, _advice in found["mail"][1:]] == [(grade, says)]
    assert "tell-nobody-7" not in ended.stdout + ended.stderr
    assert ended.returncode == (NOT_SOUND if grade == "wrong" else 0)


@pytest.mark.once
def test_a_mail_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    port = free_port()
    found = _findings(tmp_path / "data", LAAGER_SMTP_HOST="127.0.0.1", LAAGER_SMTP_PORT=str(port))
    assert found["mail"][1][:2] == ("wrong", "the mail server doesn't answer (ConnectionRefusedError)")


@pytest.mark.django_db(transaction=True)
def test_push_services_that_devices_use_are_reached(people: People, tmp_path: Path) -> None:
    PushKey.objects.all().delete()
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY, "LAAGER_ADDRESS": "http://192.168.1.20:8000"}
    with _listening(lambda line: None) as port:
        Device.objects.create(user=people.anna, endpoint=f"https://127.0.0.1:{port}/very-secret", name="phone")
        new = _findings(tmp_path / "data", database_of_tests(), **key)["push"]
        web_push.keep_key()
        found = _findings(tmp_path / "data", database_of_tests(), LAAGER_MAIL_FROM="club@example.org", **key)["push"]
    gone = _findings(tmp_path / "data", database_of_tests(), **key)["push"]
    assert [grade for grade, _text, _advice in new] == ["hint", "hint", "hint", "good"]
    assert new[0][2] == "laager serve makes it"
    assert "only over https" in new[1][1]
    assert "set LAAGER_MAIL_FROM" in new[2][2]
    assert [grade for grade, _text, _advice in found] == ["good", "hint", "good"]
    assert found[2][1] == f"the push services can be reached: 127.0.0.1:{port}"
    assert gone[-1][:2] == ("hint", f"these push services can't be reached: 127.0.0.1:{port}")
    # Who knows a device's whole address can send to it.
    assert "very-secret" not in str((new, found, gone))


def test_a_full_disk_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = Config.of({"LAAGER_DATA": str(tmp_path)})
    for free, grade in ((1e8, "wrong"), (1e9, "hint"), (1e10, "good")):
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr("shutil.disk_usage", lambda _place, usage=usage: usage)
        (finding,) = doctor.OWN_CHECKS["disk"](config)
        assert finding.grade == grade


def test_serve_says_how_friends_reach_it() -> None:
    machine = how_friends_reach("http://127.0.0.1:8080", "127.0.0.1", 8080)
    assert machine[0].startswith("Only this machine can open it. Somebody in your network: laager serve --host 0.0.0.0")
    assert "--port 8080 --address http://" in machine[0]
    network = how_friends_reach("http://192.168.1.20:8000", "0.0.0.0", 8000)
    assert network[0].startswith("Everybody in your network can open http://192.168.1.20:8000")
    assert "--host 0.0.0.0" in how_friends_reach("http://192.168.1.20:8000", "127.0.0.1", 8000)[0]
    assert all("tunnel" in lines[1] for lines in (machine, network))
    assert how_friends_reach("https://laager.example", "127.0.0.1", 8000) == []
