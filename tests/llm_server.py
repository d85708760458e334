"""A small OpenAI-compatible server on loopback that plays what servers do to their callers."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Reply:
    """What is played for one call."""

    status: int = 200
    body: object = None
    headers: dict = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False
    drop: bool = False


def said(text, **message):
    """A chat reply."""
    turn = {"role": "assistant", "content": text, **message}
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    return Reply(body={"choices": [{"message": turn, "finish_reason": "stop"}], "usage": usage})


def refused(status, message, **headers):
    """An error as the protocol words it."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"error": {"message": message}}, headers)


def prompt_in(body):
    return body["prompt"] if "prompt" in body else body["messages"][-1]["content"]


class EndpointServer:
    """Counts calls by prompt, and answers each with `play(prompt, how many times it was asked)`."""

    def __init__(self, play: Callable[[str, int], Reply]):
        pytest.importorskip("openai")  # whatever calls a server needs the SDK
        self.play = play
        self.calls = Counter()
        self.bodies = []
        self.headers = []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                server.handle(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_):
                pass  # a caller that hangs up is part of the play

        self.http = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def handle(self, call):
        body = json.loads(call.rfile.read(int(call.headers["content-length"])))
        prompt = prompt_in(body)
        with self.lock:
            self.calls[prompt] += 1
            self.bodies.append(body)
            self.headers.append(dict(call.headers))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            times = self.calls[prompt]
        try:
            self.send(call, self.reply(body, times))
        finally:
            with self.lock:
                self.at_once -= 1

    def reply(self, body, times):
        return self.play(prompt_in(body), times)

    def send(self, call, reply):
        time.sleep(reply.seconds)
        if reply.drop:
            call.close_connection = True
            call.connection.close()
            return
        content = reply.body if isinstance(reply.body, str | bytes) else json.dumps(reply.body)
        content = content.encode() if isinstance(content, str) else content
        call.send_response(reply.status)
        call.send_header("content-type", "application/json")
        for name, value in reply.headers.items():
            call.send_header(name, value)
        call.send_header("content-length", str(len(content)))
        call.end_headers()
        call.wfile.write(content[: len(content) // 2] if reply.cut else content)
        call.close_connection = reply.cut
