"""A small server that speaks as much of S3 as backups need, and remembers what it was sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape


@dataclass
class BucketServer:
    """Buckets with their files, and the heads of all requests."""

    url: str = ""
    key: str = "club-key"
    """The one key that opens it."""
    buckets: dict[str, dict[str, bytes]] = field(default_factory=dict)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    """Parts of large files that are under way, by their upload."""
    heads: list[str] = field(default_factory=list)
    loses: int = 0
    """So many bytes at the end of a file it loses."""


def _handler(server: BucketServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

        def _answer(self, status: int, body: bytes = b"", **heads: str) -> None:
            self.send_response(status)
            for name, value in heads.items():
                self.send_header(name.replace("_", "-"), value)
            if self.command != "HEAD":
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _refuse(self, status: int, code: str) -> None:
            # Real ones quote the key, too.
            self._answer(
                status, f"<Error><Code>{code}</Code><AWSAccessKeyId>{server.key}</AWSAccessKeyId></Error>".encode()
            )

        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            server.heads.append(f"{self.command} {self.path}\n{self.headers}")
            split = urlsplit(self.path)
            query = parse_qs(split.query, keep_blank_values=True)
            name, _slash, path = unquote(split.path).lstrip("/").partition("/")
            if f"Credential={server.key}/" not in self.headers.get("Authorization", ""):
                self._refuse(403, "InvalidAccessKeyId")
            elif name not in server.buckets:
                self._refuse(404, "NoSuchBucket")
            elif self.command == "GET" and not path:
                self._list(server.buckets[name], query.get("prefix", [""])[0])
            elif self.command == "POST":
                self._post(server.buckets[name], path, query, body)
            elif self.command == "PUT":
                self._put(server.buckets[name], path, query, body)
            elif path not in server.buckets[name]:
                self._refuse(404, "NoSuchKey")
            elif self.command == "DELETE":
                del server.buckets[name][path]
                self._answer(204)
            else:
                self._give(server.buckets[name][path])

        def _give(self, content: bytes) -> None:
            heads = {"ETag": '"1"', "Last_Modified": "Fri, 01 May 2026 03:00:00 GMT"}
            if self.command == "HEAD":
                heads["Content_Length"] = str(len(content))
            self._answer(200, content, **heads)

        def _list(self, files: dict[str, bytes], prefix: str) -> None:
            direct = [path for path in sorted(files) if path.startswith(prefix) and "/" not in path[len(prefix) :]]
            entries = "".join(
                f"<Contents><Key>{escape(path)}</Key><Size>{len(files[path])}</Size><ETag>1</ETag>"
                "<LastModified>2026-05-01T03:00:00.000Z</LastModified></Contents>"
                for path in direct
            )
            self._answer(
                200, f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>".encode()
            )

        def _put(self, files: dict[str, bytes], path: str, query: dict[str, list[str]], body: bytes) -> None:
            if "uploadId" in query:
                server.parts[query["uploadId"][0]][int(query["partNumber"][0])] = body
            else:
                files[path] = body[: len(body) - server.loses]
            self._answer(200, ETag='"1"')

        def _post(self, files: dict[str, bytes], path: str, query: dict[str, list[str]], body: bytes) -> None:
            if "delete" in query:
                gone = re.findall(r"<Key>([^<]*)</Key>", body.decode())
                for key in gone:
                    del files[key]
                deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in gone)
                self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())
            elif "uploads" in query:
                server.parts["1"] = {}
                self._answer(
                    200, b"<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
                )
            else:
                parts = server.parts.pop(query["uploadId"][0])
                files[path] = b"".join(parts[number] for number in sorted(parts))
                self._answer(200, b"<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>")

    for verb in ("GET", "HEAD", "PUT", "POST", "DELETE"):
        setattr(Handler, f"do_{verb}", Handler._handle)
    return Handler


@contextmanager
def bucket_server() -> Iterator[BucketServer]:
    """Start one with an empty bucket `club`."""
    server = BucketServer(buckets={"club": {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(server)) as http:
        server.url = f"http://127.0.0.1:{http.server_port}"
        thread = Thread(target=http.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
