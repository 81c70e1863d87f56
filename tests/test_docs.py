"""What documents promise: every setting, error code and route is named where people look for it."""

import re
import subprocess
from pathlib import Path

import pytest

from twofold import errors as rules
from twofold_cli.servers import SERVER, TOKEN
from twofold_service import errors as service
from twofold_service.api.interface import undeployed_api
from twofold_service.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
OPENAPI = (ROOT / "openapi/openapi.json").read_text()


def all_codes() -> set[str]:
    def below(root: type[Exception]) -> list[type[Exception]]:
        return [root, *(deeper for child in root.__subclasses__() for deeper in below(child))]

    classes = [*below(service.ServiceError), *below(rules.Refusal)]
    return {kind.__dict__["code"] for kind in classes if isinstance(kind.__dict__.get("code"), str)} - {"refused"}


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_stands_in_the_readme_with_its_default(name):
    row = next(line for line in README.splitlines() if line.startswith(f"| `TWOFOLD_{name.upper()}`"))

    default = Settings.model_fields[name].default

    assert str(default) in row


def test_the_readme_names_no_setting_that_is_none():
    named = set(re.findall(r"TWOFOLD_([A-Z_]+)", README))

    of_the_command = {name.removeprefix("TWOFOLD_") for name in (SERVER, TOKEN)}
    assert of_the_command <= named <= {name.upper() for name in Settings.model_fields} | of_the_command


@pytest.mark.parametrize("code", sorted(all_codes()))
def test_every_error_code_stands_in_the_api_document(code):
    assert f'"{code}"' in OPENAPI


def test_every_route_stands_in_the_api_document():
    paths = undeployed_api().openapi()["paths"]

    assert {"/v1/games/{game_id}/moves", "/v1/players/me/token", "/v1/daily/{date}", "/v1/verify"} <= set(paths)
    assert all(f'"{path}"' in OPENAPI for path in paths)


def test_no_tracked_file_names_a_host_of_a_registry_or_a_machine_path():
    hosts = re.compile(r"https?://[\w.-]*(?:pypi|pythonhosted|npmjs|debian)[\w.-]*/|(?<![\w.])/(?:work|root)/\w")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    found = [name for name in names.split("\0") if name and hosts.search(_text(ROOT / name))]

    assert found == []


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.is_file() else ""
