"""A real HTTP server on the loopback interface, for tests of what talks to services."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """content: sent as JSON unless it is bytes; cut: bytes kept back before the line is closed."""

    content: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int = 0


@dataclass
class Loopback:
    url: str
    calls: list[Call]


@contextmanager
def serving(answer: Callable[[Call], Reply]) -> Iterator[Loopback]:
    """Serve on a free port until the block ends."""
    calls: list[Call] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            call = Call(
                self.command,
                parts.path,
                dict(parse_qsl(parts.query, keep_blank_values=True)),
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(length),
            )
            with lock:
                calls.append(call)
            reply = answer(call)
            content = reply.content
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in reply.headers:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data[: len(data) - reply.cut])
            except OSError:
                pass  # the client went away, which some tests are about

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield Loopback(f"http://127.0.0.1:{server.server_port}", calls)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
