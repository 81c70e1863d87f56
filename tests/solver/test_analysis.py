"""A game looked over: what each move lost, and where it turned."""

import json
import time

import pytest

from tests.engine.games import PLAYED
from tests.engine.table import DOWN, RIGHT, UP, Table
from twofold.parse import parse
from twofold.replay import replay
from twofold_solver.analysis import BLUNDER, LEAST_POINTS, SECOND_LOOKS, TURNING_POINTS, Kind, analyse, path_of

CORNERED = [[4, 8, 4, 2], [32, 16, 8, 2], [8, 2, 16, 8], [128, 8, 2, 16]]
"""Down leaves one gap, and a game that ends if a 2 appears there; up leaves a merge."""


def found(solver, table, depth=2):
    return analyse(solver, path_of(table.events), depth)


def test_a_game_of_the_best_moves_loses_nothing(solver):
    table = Table("classic")
    for _ in range(60):
        table.move(solver.advise(4, table.board, 2).best)

    analysis = found(solver, table)

    assert (analysis.loss, analysis.accuracy, analysis.turning_points) == (0, 100, ())
    assert [move.best for move in analysis.moves] == [turn.direction for turn in analysis.path.turns]


def test_a_loss_is_what_the_best_direction_is_worth_more(solver):
    analysis = found(solver, Table("classic").play(5), 4)

    for turn, move in zip(analysis.path.turns, analysis.moves, strict=True):
        worths = solver.advise(4, turn.cells, 4).worths
        assert move.loss == max(worths.values()) - worths[turn.direction]
        assert move.share == pytest.approx(move.loss / max(worths.values()))


def test_a_move_that_may_end_the_game_is_a_turning_point_with_its_reasons(solver):
    (point,) = found(solver, Table("practice", given=CORNERED).move(DOWN)).turning_points

    assert (point.move, point.version, point.played, point.best) == (1, 1, DOWN, UP)
    assert (point.kind, [list(row) for row in point.board]) == (Kind.BLUNDER, CORNERED)
    assert point.share >= BLUNDER and point.loss > LEAST_POINTS
    assert [reason.code for reason in point.reasons] == ["end_possible"]


def test_turning_points_are_what_one_move_deeper_finds_as_well(solver):
    analysis = found(solver, Table("classic").play_out())

    for point in analysis.turning_points:
        worths = solver.advise(4, analysis.path.turns[point.move - 1].cells, 3).worths
        assert point.loss == max(worths.values()) - worths[point.played]


def test_what_is_told_is_bounded_and_in_the_order_of_the_game(solver):
    table = Table("practice").play_out()
    for _ in range(3):
        table.undo(20).play_out()
    points = found(solver, table, 1).turning_points

    assert len(points) <= TURNING_POINTS < SECOND_LOOKS
    assert [point.move for point in points] == sorted(point.move for point in points)


def test_moves_that_were_undone_do_not_count():
    table = Table("practice").play(20).undo(15).play(3)

    path = path_of(table.events)

    assert [turn.version for turn in path.turns] == [1, 2, 3, 4, 5, 6, 37, 38]


@pytest.mark.parametrize("name", PLAYED)
def test_records_and_logs_make_the_same_path(name):
    table = PLAYED[name]()

    assert path_of(replay(parse(table.record()))) == path_of(table.events)


def test_a_game_without_moves_has_nothing_to_tell(solver):
    document = found(solver, Table("break")).document()

    assert (document["moves"], document["accuracy"], document["loss"]) == (0, None, 0)


def test_moves_without_a_choice_do_not_count_for_accuracy(solver):
    forced = [[2, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]]

    analysis = found(solver, Table("practice", given=forced).move(RIGHT))

    assert not analysis.moves[0].free
    assert analysis.accuracy is None


def test_other_sizes_are_judged_without_points(solver):
    analysis = found(solver, Table("practice", given=[[2, 4, 8], [4, 2, 0], [0, 0, 0]]).play(5), 3)

    document = analysis.document()
    assert (document["trained"], document["depth"], document["accuracy"], document["loss"]) == (False, 2, None, None)
    assert document["points"]["share"] == [None] * 5
    assert document["counts"] == {"blunders": 0, "mistakes": 0, "inaccuracies": 0}
    assert all(loss >= 0 for loss in document["points"]["loss"])


def test_the_document_is_plain_json(solver):
    document = found(solver, Table("practice", given=CORNERED).move(DOWN)).document()

    assert json.loads(json.dumps(document)) == document
    assert document["turning_points"][0]["reasons"] == [{"code": "end_possible", "chance": 0.9, "better": 0.0}]
    assert {len(column) for column in document["points"].values()} == {document["moves"]}


@pytest.mark.parametrize("depth", [1, 2])
def test_progress_is_told_up_to_all(solver, depth):
    told: list[float] = []

    analyse(solver, path_of(Table("classic").play_out().events), depth, told.append)

    assert told == sorted(told) and told[0] > 0 and told[-1] == 1


def test_who_hears_the_progress_can_stop_it(solver):
    class Stopped(Exception):
        pass

    def stop(share):
        raise Stopped

    with pytest.raises(Stopped):
        analyse(solver, path_of(Table("classic").play_out().events), 2, stop)


def test_a_depth_that_is_none_is_refused(solver):
    with pytest.raises(ValueError, match="depth: 1 to 4"):
        found(solver, Table("break"), 5)


def test_a_thousand_moves_take_a_third_of_a_second_at_most(solver):
    table = Table("classic")
    while len(table.path) <= 1000:
        table.go_on() if table.game.status == "won" else table.move(solver.advise(4, table.board, 1).best)
    path = path_of(table.events)
    begun = time.process_time()

    analyse(solver, path, 2)

    assert len(path.turns) >= 1000
    assert time.process_time() - begun < 0.3
