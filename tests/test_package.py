"""What is installed is whole: the wheel, outside the checkout, has migrations, documentation and page in it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from twofold_service.api.page import found

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder with the wheel's content, to be put before everything else on the path."""
    folder: Path = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    target = folder / "site"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(target)
    return target


def printed(*command: object, cwd: Path | None = None) -> str:
    """What a Python of its own prints, which must succeed."""
    done = subprocess.run([sys.executable, *map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_every_migration(installed):
    versions = Path("twofold_service/storage/migrations/versions")

    shipped = {path.name for path in (installed / versions).glob("0*.py")}

    assert shipped == {path.name for path in (ROOT / "service" / versions).glob("0*.py")} != set()


def test_the_wheel_serves_and_migrates_outside_the_checkout(installed, tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import twofold_service.storage.database as database\n"
        "assert database.__file__.startswith(sys.argv[1]), database.__file__\n"
        "held = database.Database('sqlite:///new.db', 1000)\n"
        "held.hold(); held.migrate(); print(*held.revision()); held.close()\n"
    )

    current, newest = printed("-c", program, installed, cwd=tmp_path).split()[-2:]

    assert current == newest


def test_the_wheel_serves_the_page_of_the_checkout(installed, tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from twofold_service.api import page\n"
        "assert page.__file__.startswith(sys.argv[1]), page.__file__\n"
        "print(page.found().edition.name)\n"
    )

    assert printed("-c", program, installed, cwd=tmp_path).strip() == found().edition.name


def test_the_rule_book_imports_nothing_but_the_standard_library(installed):
    program = (
        "import sys; sys.path = [sys.argv[1]] + [p for p in sys.path if 'site-packages' not in p]\n"
        "import twofold.verify, twofold.compare, twofold.__main__\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))\n"
    )

    assert printed("-S", "-c", program, installed).strip() == "['__main__', 'twofold']"


def test_the_wheel_has_the_solver_and_its_weights(installed, tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from twofold_solver.weights import SHIPPED, WeightsFile\n"
        "assert str(SHIPPED).startswith(sys.argv[1]), SHIPPED\n"
        "print(WeightsFile.opened().moves > 0)\n"
    )

    assert printed("-c", program, installed, cwd=tmp_path) == "True\n"
