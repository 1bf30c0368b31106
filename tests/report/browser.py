"""A real browser under the hand of a test: Chromium through its debugging pipe, no port and no library."""

import base64
import contextlib
import fcntl
import json
import os
import shutil
import subprocess

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on the PATH to open the page in")

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--remote-debugging-pipe",
)  # fmt: skip


class Browser:
    """One tab; `requests` are the addresses it asked for, `faults` what went wrong in it."""

    def __init__(self, profile):
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def wire():  # Chromium reads from 3 and writes to 4
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 64) for end in (to_read, to_write)]
            for place, end in zip((3, 4), ends):
                os.dup2(end, place)
                os.close(end)

        command = [BROWSER, *_FLAGS, f"--user-data-dir={profile}"]
        self._process = subprocess.Popen(
            command,
            close_fds=False,
            preexec_fn=wire,  # noqa: PLW1509 - two calls of the system, no lock
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (to_read, to_write):
            os.close(end)
        self._number, self._rest, self._session = 0, b"", None
        self.requests, self.faults, self._loaded = [], [], False
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def close(self):
        self._session = None
        with contextlib.suppress(EOFError, BrokenPipeError):
            self._call("Browser.close")
        for end in (self._read, self._write):
            os.close(end)
        self._process.wait(timeout=30)

    def open(self, page, width=1400, height=1000, *, dark=False):
        """Open a file and wait until it is loaded; what was noted of the page before is forgotten."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Page.navigate", url="about:blank")
        while self._loaded is False:
            self._take()
        self.requests, self.faults, self._loaded = [], [], False
        self._call("Page.navigate", url=page.absolute().as_uri())
        while not self._loaded:
            self._take()
        self._loaded = False

    def media(self, kind):
        """Show the page as on "print", or with "" as on a screen again."""
        self._call("Emulation.setEmulatedMedia", media=kind)

    def run(self, code):
        """Return what JavaScript gives, awaited; a fault in it is the test's."""
        answer = self._call(
            "Runtime.evaluate", expression=f"(async () => {{{code}}})()", awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, condition):
        """Wait in the page until an expression holds; the page's own work drives it, no clock."""
        return self.run(f"while (!({condition})) await new Promise((done) => requestAnimationFrame(done)); return true")

    def before_scripts(self, code):
        """Run code at the start of every page from now on; returns what `forget` takes."""
        return self._call("Page.addScriptToEvaluateOnNewDocument", source=code)["identifier"]

    def forget(self, identifier):
        self._call("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)

    def press(self, key, code=None):
        codes = {"Enter": 13, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36, " ": 32}
        text = {"Enter": "\r", " ": " "}.get(key)
        event = {"key": key, "code": code or key, "windowsVirtualKeyCode": codes.get(key, 0)}
        self._call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self._call("Input.dispatchKeyEvent", type="keyUp", **event)

    def shot(self, file, *, whole=False):
        data = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))

    def _call(self, method, **parameters):
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._take()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _take(self):
        while b"\0" not in self._rest:
            data = os.read(self._read, 1 << 20)
            if not data:
                raise EOFError("the browser is gone")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            case "Runtime.exceptionThrown":
                self.faults.append(str(message["params"]["exceptionDetails"]))
            case "Log.entryAdded":
                self.faults.append(message["params"]["entry"]["text"])
        return message
