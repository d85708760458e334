"""A real browser, and a listener for what a page does in it: dialogs, console, requests.

Chromium is spoken to over two pipes (`--remote-debugging-pipe`): messages of JSON, each ended by a
zero byte. No port is opened and no library is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --disable-extensions "
    "--remote-debugging-pipe"
)
PATIENCE = 60.0
"""Seconds for one answer of the browser; a bound on hanging."""

QUIET = 0.3
"""Seconds without an event after which nothing more is waited for."""


def installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@dataclass
class Heard:
    """What one page did.

    dialogs   what it said in alert, confirm or prompt
    console   what it, or the browser about it, wrote to the console
    requests  every address that was asked for, the page's own first
    moves     every address that the page went to
    html      what the page became
    """

    dialogs: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    html: str = ""


class Browser:
    def __init__(self, profile: Path) -> None:
        path = installed()
        assert path is not None
        self._profile = profile
        ours, theirs = os.pipe(), os.pipe()  # (read, write)

        def at_3_and_4() -> None:
            read, write = os.dup(ours[0]), os.dup(theirs[1])
            read, write = (os.dup(each) if each < 5 else each for each in (read, write))
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(
            [path, *FLAGS.split(), f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=at_3_and_4, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        self._left = b""
        self._number = 0
        self._events: list[dict[str, Any]] = []
        self.call("Browser.getVersion")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """Ask the browser for something; return its answer, and keep what it tells on the way."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        message |= {"sessionId": session} if session else {}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            told = self._next(until - time.monotonic())
            if told is None:
                continue
            if told.get("id") == self._number:
                assert "error" not in told, told
                return told["result"]
            self._heard(told)
        raise AssertionError(f"the browser did not answer {method}")

    def visit(self, address: str, *steps: str, width: int = 1280) -> Heard:
        """Open an address, run steps of JavaScript in it as a user would act, and listen.

        steps  run beside the page: its policy does not forbid them
        """
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable", session)
        self.call("Page.setInterceptFileChooserDialog", session, enabled=True)
        self.call("Browser.setDownloadBehavior", behavior="deny")
        self.call(
            "Emulation.setDeviceMetricsOverride", session,
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        self._until_loaded(session)
        for step in steps:
            self._run(session, step)
        self._until_quiet()
        html = self._run(session, "document.documentElement.outerHTML")
        heard = self._told(session)
        heard.html = html["result"].get("value", "")
        self.call("Target.closeTarget", targetId=target)
        return heard

    def printed(self, address: str) -> bytes:
        """Return an address as the PDF that printing it on A4 gives."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable", session)
        self._events.clear()
        self.call("Page.navigate", session, url=address)
        self._until_loaded(session)
        size = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        told = self.call("Page.printToPDF", session, printBackground=True, **size)
        self.call("Target.closeTarget", targetId=target)
        return base64.b64decode(told["data"])

    def _run(self, session: str, step: str) -> dict[str, Any]:
        return self.call("Runtime.evaluate", session, expression=step, userGesture=True)

    def _until_loaded(self, session: str) -> None:
        until = time.monotonic() + PATIENCE
        while not any(each["method"] == "Page.loadEventFired" for each in self._of(session)):
            assert time.monotonic() < until, "the page was not loaded"
            told = self._next(1.0)
            if told is not None:
                self._heard(told)

    def _until_quiet(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (told := self._next(QUIET)) is not None:
            self._heard(told)

    def _heard(self, told: dict[str, Any]) -> None:
        if "method" not in told:
            return
        self._events.append(told)
        if told.get("method") == "Page.javascriptDialogOpening":
            # A dialog holds everything up until it is closed.
            closing = {"id": -1, "method": "Page.handleJavaScriptDialog",
                       "params": {"accept": True}, "sessionId": told["sessionId"]}  # fmt: skip
            os.write(self._to, json.dumps(closing).encode() + b"\0")

    def _of(self, session: str) -> list[dict[str, Any]]:
        return [each for each in self._events if each.get("sessionId") == session]

    def _told(self, session: str) -> Heard:
        heard = Heard()
        for each in self._of(session):
            method, given = each.get("method", ""), each.get("params", {})
            if method == "Page.javascriptDialogOpening":
                heard.dialogs.append(given["message"])
            elif method == "Runtime.consoleAPICalled":
                heard.console.append(str([one.get("value") for one in given["args"]]))
            elif method == "Runtime.exceptionThrown":
                heard.console.append(given["exceptionDetails"].get("text", "exception"))
            elif method == "Log.entryAdded":
                heard.console.append(given["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                heard.requests.append(given["request"]["url"])
            elif method == "Page.frameNavigated":
                heard.moves.append(given["frame"]["url"])
        return heard

    def _next(self, seconds: float) -> dict[str, Any] | None:
        """Return the next message, or None when none came in that time."""
        until = time.monotonic() + seconds
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            read = os.read(self._from, 1 << 16)
            assert read, "the browser has ended"
            self._left += read
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)
