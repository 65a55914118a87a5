"""Chromium without a window, driven over WebDriver: its protocol is JSON over HTTP."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

PROGRAMS: Final = ("chromium", "chromedriver")
ARGUMENTS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""Nothing but this machine can be reached: a page that needs the network fails."""


def missing() -> list[str]:
    """The programs that are not there."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


class Browser:
    """One session."""

    def __init__(self, driver: str) -> None:
        self._driver = driver
        capabilities = {
            "alwaysMatch": {
                "goog:chromeOptions": {"args": list(ARGUMENTS)},
                "goog:loggingPrefs": {"browser": "ALL"},
                "timeouts": {"script": 180_000, "pageLoad": 60_000},
            }
        }
        session = self._send("POST", "/session", {"capabilities": capabilities})
        self._at = f"/session/{session['sessionId']}"

    def _send(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._driver + path, data, {"Content-Type": "application/json"})
        request.method = method
        try:
            with urlopen(request, timeout=200) as reply:
                return json.load(reply)["value"]
        except HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def close(self) -> None:
        """End the session."""
        self._send("DELETE", self._at)

    def open(self, url: str) -> None:
        """Go to a page."""
        self._send("POST", f"{self._at}/url", {"url": url})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function's body returns; a promise is waited for."""
        body = {"script": script, "args": list(arguments)}
        return self._send("POST", f"{self._at}/execute/sync", body)

    def devtools(self, command: str, **parameters: Any) -> Any:
        """A command of the developer tools."""
        body = {"cmd": command, "params": parameters}
        return self._send("POST", f"{self._at}/goog/cdp/execute", body)

    def look(self, *, width: int, height: int = 900, dark: bool = False) -> None:
        """How wide the window is, and what colours its user likes."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.devtools("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def complaints(self) -> list[str]:
        """What the pages complained of since this was last asked."""
        log = self._send("POST", f"{self._at}/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] == "SEVERE"]


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser until the end of the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as driver:
        try:
            wait_for(port)
            browser = Browser(f"http://127.0.0.1:{port}")
            try:
                yield browser
            finally:
                browser.close()
        finally:
            driver.terminate()


def wait_for(port: int) -> None:
    """Until the driver listens."""
    for _ in range(200):
        try:
            with urlopen(f"http://127.0.0.1:{port}/status", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError("chromedriver did not start within 20 s")
