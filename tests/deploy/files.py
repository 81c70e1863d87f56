"""What lies in `deploy/`, read by the programs it is meant for, or line by line."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from dotenv import dotenv_values

from tests.deploy.tools import DEPLOY, from_wheel, said

Json = dict[str, Any]
OPERATORS = {"SITE": "play.example.org", "TWOFOLD_SECRET": "ab" * 32, "POSTGRES_PASSWORD": "cd" * 24}
"""What nobody but an operator can say."""


def text(name: str) -> str:
    return (DEPLOY / name).read_text()


@cache
def compose() -> Json:
    """The Compose file as Compose understands it, with what an operator says."""
    command = (from_wheel("docker-compose"), "--file", DEPLOY / "compose.yaml", "--env-file", "/dev/null")
    read: Json = json.loads(said(*command, "config", "--format", "json", environment=OPERATORS))
    return read


@cache
def manifests() -> tuple[Json, ...]:
    """What `kubectl apply -k` would apply."""
    return tuple(yaml.safe_load_all(said(from_wheel("kubectl"), "kustomize", DEPLOY / "kubernetes")))


def manifest(kind: str) -> Json:
    (found,) = [one for one in manifests() if one["kind"] == kind]
    return found


def pods() -> dict[str, Json]:
    """The specs of all pods, by what makes them."""
    return {one["kind"]: one["spec"]["template"]["spec"] for one in manifests() if one["kind"] in ("Deployment", "Job")}


def config_map() -> dict[str, str]:
    values: dict[str, str] = manifest("ConfigMap")["data"]
    return values


def unit(name: str) -> list[str]:
    """All values of one key of the unit."""
    return re.findall(rf"^{name}=(.*)$", text("systemd/twofold.service"), re.MULTILINE)


def env_example() -> dict[str, str]:
    """The settings that the unit's example gives."""
    return {name: value or "" for name, value in dotenv_values(DEPLOY / "systemd/twofold.env.example").items()}


def all_files() -> list[Path]:
    return sorted(path for path in DEPLOY.rglob("*") if path.is_file())


def seconds(amount: str) -> float:
    """`1m30s`, `15s`, `2s` as seconds."""
    return sum(
        float(number) * {"m": 60, "s": 1, "ms": 0.001}[unit] for number, unit in re.findall(r"([\d.]+)(ms|m|s)", amount)
    )
