"""Caddy before several instances, as an operator would put it there."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

WITHIN = 15.0
CONFIGURATION = """
{{
	admin off
	auto_https off
}}
http://127.0.0.1:{port} {{
	reverse_proxy {instances} {{
		lb_policy round_robin
		lb_try_duration 3s
		lb_try_interval 50ms
		health_uri /readyz
		health_interval 250ms
		health_timeout 1s
	}}
}}
"""


def program() -> str | None:
    return shutil.which("caddy")


class Caddy:
    """A proxy on a port of its own, which sends nobody to an instance that is not ready."""

    def __init__(self, folder: Path, *ports: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        instances = " ".join(f"127.0.0.1:{port}" for port in ports)
        (folder / "Caddyfile").write_text(CONFIGURATION.format(port=self.port, instances=instances))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [program() or "caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
        homes = {name: str(self._folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        with open(self._folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._folder, env={**os.environ, **homes}
            )
        end = time.monotonic() + WITHIN
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"caddy did not come up: {(self._folder / 'log').read_text()[-2000:]}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
