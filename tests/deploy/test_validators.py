"""Each file in `deploy/` is accepted by the program that it is written for, or by one that knows its rules."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.deploy.files import OPERATORS
from tests.deploy.proxies import nginx_folder
from tests.deploy.tools import DEPLOY, from_system, from_wheel, said

EXPOSURE = 1.5
"""The most that `systemd-analyze security` may count: 0 is a closed box, 10 an open one."""


def test_hadolint_finds_nothing_in_the_dockerfile():
    assert said(from_wheel("hadolint"), DEPLOY / "Dockerfile") == ""


def test_compose_understands_its_file():
    command = (from_wheel("docker-compose"), "--file", DEPLOY / "compose.yaml", "--env-file", "/dev/null")

    assert said(*command, "config", "--quiet", environment=OPERATORS) == ""


@pytest.mark.parametrize("left_out", OPERATORS)
def test_compose_starts_nothing_without_what_the_operator_must_say(left_out):
    command = (
        from_wheel("docker-compose"),
        "--file",
        DEPLOY / "compose.yaml",
        "--env-file",
        DEPLOY / "compose.env.example",
    )

    printed = said(*command, "config", "--quiet", environment={**OPERATORS, left_out: ""}, status=1)

    assert f"required variable {left_out} is missing a value" in printed


def test_kubernetes_accepts_every_manifest(tmp_path):
    made = tmp_path / "manifests.yaml"
    made.write_text(said(from_wheel("kubectl"), "kustomize", DEPLOY / "kubernetes"))

    printed = said(from_wheel("kubernetes-validate"), "--strict", made)

    assert printed.count(" passed for resource ") == len(re.findall("^kind:", made.read_text(), re.MULTILINE)) >= 10


def test_caddy_accepts_its_file(tmp_path):
    caddy, file = from_wheel("caddy"), DEPLOY / "caddy/Caddyfile"
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    printed = said(caddy, "validate", "--config", file, environment={**home, "SITE": "play.example.org"})

    assert "Valid configuration" in printed
    assert '"level":"warn"' not in printed
    said(caddy, "fmt", "--diff", file)


def test_nginx_accepts_its_files(tmp_path):
    nginx, openssl = from_system("nginx", "nginx-light"), from_system("openssl", "openssl")
    if os.geteuid() != 0:
        pytest.skip("needs root: nginx -t opens the ports 80 and 443")
    folder = nginx_folder(tmp_path)
    for name in ("listen.conf", "redirect.conf", "upstreams.conf"):
        shutil.copy(DEPLOY / "nginx/twofold" / name, folder / "twofold")
    key, certificate = folder / "twofold/privkey.pem", folder / "twofold/fullchain.pem"
    made = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=play.example.org")
    said(openssl, "req", *made, "-keyout", key, "-out", certificate)

    printed = said(nginx, "-t", "-c", folder / "nginx.conf", "-p", folder, "-e", "stderr")

    assert printed.count("\n") == 2 and "test is successful" in printed, printed


@pytest.fixture(scope="module")
def machine(tmp_path_factory) -> Path:
    """A root folder with systemd's own units, ours, and a command where it says one is."""
    root: Path = tmp_path_factory.mktemp("machine")
    units = root / "usr/lib/systemd/system"
    shutil.copytree("/lib/systemd/system", units, symlinks=True)
    (root / "lib").symlink_to("usr/lib")
    command = root / "opt/twofold/bin/twofold"
    command.parent.mkdir(parents=True)
    command.write_text("")
    command.chmod(0o755)
    shutil.copy(DEPLOY / "systemd/twofold.service", units)
    return root


def test_systemd_understands_the_unit(machine):
    assert said(from_system("systemd-analyze", "systemd"), "verify", f"--root={machine}", "twofold.service") == ""


def test_the_unit_is_a_tight_box():
    analyze = from_system("systemd-analyze", "systemd")
    limit = f"--threshold={EXPOSURE * 10:.0f}"

    printed = said(analyze, "security", "--offline=true", limit, "--no-pager", DEPLOY / "systemd/twofold.service")

    (exposure,) = re.findall(r"Overall exposure level for twofold\.service: ([\d.]+)", printed)
    assert float(exposure) <= EXPOSURE


def test_systemd_would_make_the_user():
    printed = said(
        from_system("systemd-sysusers", "systemd"), "--dry-run", "--root=/nowhere", DEPLOY / "systemd/twofold.sysusers"
    )

    assert "Creating user 'twofold'" in printed


def test_bash_reads_the_trials():
    trials = sorted((DEPLOY / "trials").glob("*.sh"))

    assert len(trials) == 3
    assert [said(from_system("bash", "bash"), "-n", trial) for trial in trials] == ["", "", ""]
