"""Problems: one shape for every failure there is, told in JSON whatever they carry."""

import inspect
import json

import pytest

from tests.engine.table import Table
from tests.service import NOON
from twofold import errors as rules
from twofold_service import errors
from twofold_service.usecases.values import GameView, Header, Player
from twofold_service.wire.encode import dumps
from twofold_service.wire.problems import problem


def below(root):
    return [root, *(deeper for child in root.__subclasses__() for deeper in below(child))]


FAILURES = [
    kind for kind in below(errors.ServiceError) if kind.__module__ == errors.__name__ and kind is not errors.RuleRefused
]
REFUSALS = [kind for kind in below(rules.Refusal) if kind is not rules.Refusal]
NEED_NO_MORE = [kind for kind in FAILURES if not kind.__name__.startswith("_")]


@pytest.mark.parametrize("kind", NEED_NO_MORE)
def test_every_failure_has_a_code_a_status_and_words(kind):
    told = problem(kind(), "r1", NOON)

    assert told["status"] == kind.status and 400 <= told["status"] < 600
    assert told["code"].isidentifier() and told["code"] == told["code"].lower()
    assert told["type"] == f"/docs/problems#{told['code']}"
    assert told["title"] and told["detail"] and told["request_id"] == "r1"
    assert told["retryable"] is (told["status"] in (429, 503, 507))
    assert inspect.signature(kind).parameters.keys() >= {"detail"}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refusal_of_the_rules_keeps_its_code(kind):
    told = problem(errors.RuleRefused(kind), "r1", NOON)

    assert (told["status"], told["code"], told["detail"]) == (409, kind.code, kind.says)


def test_codes_are_told_apart():
    codes = [kind.code for kind in NEED_NO_MORE] + [kind.code for kind in REFUSALS]

    assert len(codes) - len(set(codes)) == codes.count("internal") - 1


def test_the_fields_at_fault_are_named():
    told = problem(errors.Invalid(errors=[(("body", "board", 1), "is bad"), (("query", "limit"), "too")]), "r", NOON)

    assert told["errors"] == [{"loc": ["body", "board", 1], "msg": "is bad"}, {"loc": ["query", "limit"], "msg": "too"}]


def test_a_stale_version_tells_the_game_as_it_stands_now():
    table = Table().play(3)
    header = Header(1, "g", Player(1, "p", None), "classic", "classic-4-1", False, None, None, None, "00", NOON)
    stale = errors.StaleVersion()
    stale.game = GameView(header, table.game, 0)

    told = problem(stale, "r", table.now + 5_000)

    assert (told["game"]["version"], told["game"]["clock"]["active_ms"]) == (4, 5)
    assert json.loads(dumps(told))["game"]["seed"] is None


@pytest.mark.parametrize("text", ["a\0b", "\u2028", '"', "x" * 100_000])
def test_a_field_s_name_is_told_whatever_it_is(text):
    told = json.loads(dumps(problem(errors.Invalid(errors=[(("body", text), "is not known")]), "r", NOON)))

    assert told["code"] == "invalid"
