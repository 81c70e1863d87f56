"""The proxies of `deploy/`, running with the very files that lie there, on loopback and without TLS."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.tools import DEPLOY, from_system, from_wheel
from tests.ports import Port

OPEN_WITHIN = 30.0
NGINX = """daemon off;
pid {folder}/pid;
error_log stderr;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {site};
}}
"""


def caddy(folder: Path, port: int, *upstreams: int) -> tuple[list[str], dict[str, str]]:
    """The command that runs Caddy, and its environment."""
    environment = {
        "SITE": f"http://127.0.0.1:{port}",
        "BIND": "127.0.0.1",
        "UPSTREAMS": " ".join(f"127.0.0.1:{upstream}" for upstream in upstreams),
        "ADMIN": f"unix/{folder}/admin",
        **dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder)),
    }
    return [from_wheel("caddy"), "run", "--config", str(DEPLOY / "caddy/Caddyfile")], environment


def nginx(folder: Path, port: int, *upstreams: int) -> tuple[list[str], dict[str, str]]:
    """The same for nginx: only the files that differ from place to place are the test's."""
    program = from_system("nginx", "nginx-light")
    made = nginx_folder(folder)
    (made / "twofold/listen.conf").write_text(f"listen 127.0.0.1:{port};\n")
    one = (DEPLOY / "nginx/twofold/upstreams.conf").read_text().splitlines(keepends=True)[-1]
    servers = [one.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}") for upstream in upstreams]
    (made / "twofold/upstreams.conf").write_text("".join(servers))
    return [program, "-c", str(made / "nginx.conf"), "-p", str(made), "-e", "stderr"], {}


def nginx_folder(folder: Path) -> Path:
    """A folder of nginx that includes the site as it lies in `deploy/`, and an empty `twofold/` beside it."""
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "twofold").mkdir()
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user, site=DEPLOY / "nginx/twofold.conf"))
    return folder


PROXIES = {"caddy": caddy, "nginx": nginx}


@contextmanager
def proxy(kind: str, folder: Path, *upstreams: int) -> Iterator[str]:
    """A proxy before ports of this machine; its URL."""
    held = Port()
    port = held.number
    command, environment = PROXIES[kind](folder, port, *upstreams)
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **environment}
        )
    try:
        _wait_until_open(port, process, folder / "log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_open(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + OPEN_WITHIN
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"the proxy does not listen: {log.read_text()[-2000:]}")
