"""A record proves itself, whatever it is handed over as."""

import json

import pytest

from twofold.errors import InvalidRecord
from twofold_client import Record, verify


@pytest.fixture(scope="module")
def record(service) -> Record:
    from twofold_client import Client

    with Client(service.url) as client:
        client.join("Ada")
        game = client.new_game("classic", undo_limit=0)
        for _ in range(10):
            game.move(game.state.legal_moves[0])
        game.abandon()
        return game.record()


def test_it_is_proved_by_its_seed(record):
    verdict = record.verify()

    assert (verdict.valid, verdict.proof, verdict.result) == (True, "seed", record.result)


def test_it_may_be_handed_over_in_any_form(record, tmp_path):
    path = record.save(tmp_path / "game.json")
    forms = [record, dict(record.document), record.to_json(), record.to_json().encode(), path]

    assert [verify(form) for form in forms] == [record.verify()] * 5
    assert Record.load(path) == record


def test_a_changed_figure_is_named(record):
    document = json.loads(record.to_json())
    document["result"]["score"] += 4

    assert [finding.place for finding in verify(document).findings] == [("digest",), ("result", "score")]


@pytest.mark.parametrize("source", [b"", "<h1>", "{}", {"format": "twofold.record/2"}])
def test_what_is_no_record_is_refused_with_its_place(source):
    with pytest.raises(InvalidRecord):
        verify(source)
