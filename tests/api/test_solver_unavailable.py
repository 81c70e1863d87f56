"""A service whose solver is missing or not asked: all else works, and nothing of it is loaded."""

import subprocess
import sys

import pytest

from tests.callers import answer, problem
from twofold_solver.errors import WeightsRefused

BOARD = [[2, 2, 0], [0, 0, 0], [0, 0, 0]]
LOADED = (
    "import sys; from twofold_service import __main__, app; "
    "print([name for name in ('numpy', 'twofold_solver.solver', 'twofold_solver.weights') if name in sys.modules])"
)


class Broken:
    """A desk whose worker cannot open the weights."""

    async def do(self, address, call, *arguments):
        raise WeightsRefused("4x4.weights: damaged: its checksum is not that of its content")

    async def follow(self, address, told, call, *arguments):
        return await self.do(address, call, *arguments)


@pytest.fixture
def broken(serve):
    running = serve()
    services = running.service.hub._shared.services
    services.hints._desk = services.analyses._desk = services.pars._desk = Broken()
    return running


def test_importing_and_putting_a_service_together_loads_nothing_of_the_solver():
    said = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"


def test_games_go_on_and_questions_to_the_solver_are_refused(broken, join):
    me = join(broken.url)
    game = me.new()
    refusals = [
        problem(me.post("/hints", json={"board": BOARD}), 503, "solver_unavailable"),
        problem(me.get(f"/games/{game['id']}/hint"), 503, "solver_unavailable"),
    ]
    game = me.do(me.play(game, 5)["id"], "abandon")["game"]
    response = me.get(f"/games/{game['id']}/analysis")
    refusals.append(problem(response, 503, "solver_unavailable"))

    assert int(response.headers["retry-after"]) >= 30
    assert not any("4x4" in str(refusal) for refusal in refusals)
    assert game["assisted"] is False
    with type(me)(broken.url) as stranger:
        assert answer(stranger.get("/daily"))["par"] is None


def test_the_service_stays_well(broken, join):
    problem(join(broken.url).post("/hints", json={"board": BOARD}), 503, "solver_unavailable")
    with type(join(broken.url))(broken.url) as stranger:
        for path in ("/healthz", "/readyz"):
            assert stranger.get(broken.url + path).status_code == 200
