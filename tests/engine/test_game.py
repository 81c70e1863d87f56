"""The life of a game: which command is allowed when, wins, ends, undos, time."""

import pytest

from tests.engine.table import DOWN, LAST_GAP, LEFT, NOON, RIGHT, TWO_HALVES, UP, Table
from tests.engine.vectors import vectors
from twofold import errors
from twofold.board import Direction, cells_of, rows_of
from twofold.clock import MS, SECOND
from twofold.game import HISTORY, IDLE, Cause, EventType, Outcome, Status, create
from twofold.rules import Rules


def ready() -> Table:
    return Table("sprint")


def running() -> Table:
    return Table("classic").play(3)


def paused() -> Table:
    return running().pause()


def won() -> Table:
    return Table("practice", given=TWO_HALVES).move(LEFT)


def finished() -> Table:
    return Table("practice", given=LAST_GAP).move(LEFT)


def exhausted() -> Table:
    return Table("classic", Rules(undo_limit=0, move_limit=3)).play(3)


def timed_out() -> Table:
    return Table("sprint", start=True).play(3).wait(120_000)


def abandoned() -> Table:
    return running().abandon()


def given_up() -> Table:
    return finished().abandon()


LIVES = {
    life.__name__: life for life in (ready, running, paused, won, finished, exhausted, timed_out, abandoned, given_up)
}
COMMANDS = {
    "start": lambda table: table.start(),
    "move": lambda table: table.move(*table.game.legal_moves[:1] or [LEFT]),
    "undo": lambda table: table.undo(),
    "pause": lambda table: table.pause(),
    "resume": lambda table: table.resume(),
    "continue": lambda table: table.go_on(),
    "abandon": lambda table: table.abandon(),
}
REFUSALS = """
status    start           move              undo           pause       resume      continue    abandon
ready     -               not_started       not_started    not_started not_started not_started -
running   already_started -                 -              -           not_paused  not_won     -
paused    already_started paused            -              not_running -           not_won     -
won       already_started awaiting_continue -              not_running not_paused  -           -
finished  game_over       game_over         -              game_over   game_over   game_over   -
exhausted game_over       game_over         undo_exhausted game_over   game_over   game_over   game_over
timed_out game_over       game_over         -              game_over   game_over   game_over   game_over
abandoned game_over       game_over         game_over      game_over   game_over   game_over   game_over
given_up  game_over       game_over         game_over      game_over   game_over   game_over   game_over
"""


def cases() -> list[tuple[str, str, str]]:
    (_, *names), *lines = [line.split() for line in REFUSALS.strip().splitlines()]
    return [(life, name, code) for life, *codes in lines for name, code in zip(names, codes, strict=True)]


@pytest.mark.parametrize(("life", "command", "code"), cases())
def test_a_command_is_allowed_or_refused_by_the_games_status(life, command, code):
    table = LIVES[life]()
    before = table.game
    if code == "-":
        assert COMMANDS[command](table).game.version == before.version + 1
    else:
        with pytest.raises(errors.Refusal) as refusal:
            COMMANDS[command](table)
        assert (refusal.value.code, table.game) == (code, before)


# Moves


def test_a_new_game_has_two_start_tiles_and_version_1():
    table = Table()
    assert sum(map(bool, table.board)) == 2
    assert (table.game.version, table.game.status, table.game.position.spawn_index) == (1, Status.RUNNING, 2)
    assert (table.game.peak_score, table.game.peak_tile) == (0, 0)


def test_a_move_that_changes_nothing_costs_nothing():
    table = Table("practice", given=[[2, 0, 0, 0], *[[0] * 4] * 3])
    before = table.game
    assert table.wait(500).move(LEFT, UP).game == before


def test_a_move_makes_one_event_one_version_and_one_tile():
    table = Table("practice", given=[[2, 2, 0, 0], *[[0] * 4] * 3]).move(LEFT)
    event = table.events[-1]
    assert (event.type, event.version, event.score_delta, table.game.position.moves) == (
        EventType.MOVE,
        2,
        4,
        1,
    )
    assert event.spawn is not None
    assert sum(map(bool, table.board)) == 2


def test_the_same_move_after_an_undo_gives_the_same_spawn():
    table = running()
    way = table.game.legal_moves[0]
    first = table.move(way).game.position
    again = table.undo().move(way).game.position
    assert again._replace(version=0) == first._replace(version=0)


# Winning


@pytest.mark.parametrize("case", vectors("win"), ids=lambda case: case["direction"])
def test_the_goal_is_told_when_the_original_tells_it(case):
    size, cells = cells_of(case["before"])
    game = create(Rules(size), bytes(32), 0, given=cells).game
    reached = (0, 0) if case["won_before"] else (None, None)
    game = game._replace(position=game.position._replace(goal_moves=reached[0], goal_active=reached[1]))
    if case["won_before"] and not case["keep_playing"]:
        game = game._replace(status=Status.WON)
    if case["ignored"]:
        with pytest.raises(errors.AwaitingContinue):
            game.move(Direction(case["direction"]), 0)
    elif (event := game.move(Direction(case["direction"]), 0)) is not None:
        game = event.game
    assert game.position.reached_goal is case["won_after"]
    assert (game.status is Status.WON) <= case["won_after"]


def test_at_the_goal_the_clock_stops_until_continue():
    table = Table("practice", given=TWO_HALVES).wait(700).move(LEFT)
    assert (table.game.status, table.game.clock.running) == (Status.WON, False)
    table.wait(5_000).go_on().wait(300).move(RIGHT)
    assert (table.game.status, table.game.active) == (Status.RUNNING, 1_000 * MS)


def test_the_goal_is_told_once_a_game():
    twice = [[1024, 1024, 0, 0], [0] * 4, [0] * 4, [1024, 512, 512, 0]]
    table = Table("practice", given=twice).move(LEFT).go_on().move(LEFT)
    assert rows_of(4, table.board)[3][0] == 2048
    assert (table.game.status, table.game.position.goal_moves) == (Status.RUNNING, 1)


def test_undoing_the_winning_move_clears_the_goal_and_it_can_be_won_again():
    table = won().undo()
    assert (table.game.status, table.game.position.reached_goal) == (Status.RUNNING, False)
    assert table.move(LEFT).game.status is Status.WON


def test_undoing_a_later_move_keeps_the_goal():
    table = won().go_on().move(RIGHT).undo()
    assert (table.game.status, table.game.position.reached_goal) == (Status.RUNNING, True)


@pytest.mark.parametrize("tile", [2048, 4096, 2**40])
def test_a_given_board_past_the_goal_is_never_stopped(tile):
    table = Table("practice", given=[[tile, 1024, 1024, 0], *[[0] * 4] * 3])
    assert (table.game.position.goal_moves, table.game.position.goal_active) == (0, 0)
    assert table.move(RIGHT).game.status is Status.RUNNING


def test_the_goal_is_reached_at_its_moves_and_active_time():
    table = Table("practice", given=TWO_HALVES).move(DOWN).wait(1_234.567).move(LEFT).wait(99)
    assert (table.game.position.goal_moves, table.game.position.goal_active) == (2, 1_234_567)


# Ends


def test_a_game_without_a_move_left_is_over_in_the_very_event():
    table = finished()
    assert (table.events[-1].type, table.game.status, table.game.outcome) == (
        EventType.MOVE,
        Status.OVER,
        Outcome.NO_MOVES,
    )
    assert (table.game.ended_at, table.game.legal_moves, table.game.final) == (NOON, (), False)


def test_a_full_board_with_a_pair_is_not_over():
    pair = [[2, 2, 8, 16], [4, 32, 64, 128], [2, 4, 8, 16], [32, 64, 128, 256]]
    table = Table("practice", given=pair).move(LEFT)
    assert 0 not in table.board
    assert (table.game.status, table.game.legal_moves) == (Status.RUNNING, (UP, DOWN))


def test_a_given_board_without_a_move_is_over_at_once_and_final():
    stuck = Table("practice", given=[[2, 4, 8], [4, 8, 2], [2, 4, 8]])
    assert (stuck.game.version, stuck.game.outcome, stuck.game.final) == (1, Outcome.NO_MOVES, True)
    with pytest.raises(errors.NothingToUndo):
        stuck.undo()


def test_a_winning_move_that_leaves_no_move_is_over_and_keeps_the_goal():
    last = [[1024, 1024, 4, 8], [16, 32, 64, 128], [2, 4, 8, 16], [32, 64, 128, 256]]
    table = Table("practice", given=last).move(LEFT)
    assert (table.game.outcome, table.game.position.reached_goal) == (Outcome.NO_MOVES, True)
    assert not table.game.clock.running


def test_a_winning_last_move_of_the_limit_is_over_by_the_limit_and_keeps_the_goal():
    table = Table("practice", Rules(move_limit=1), given=TWO_HALVES).move(LEFT)
    assert (table.game.status, table.game.outcome) == (Status.OVER, Outcome.MOVE_LIMIT)
    assert table.game.position.reached_goal


def test_the_move_limit_goes_before_no_moves():
    table = Table("practice", Rules(move_limit=1), given=LAST_GAP).move(LEFT)
    assert (0 in table.board, table.game.outcome) == (False, Outcome.MOVE_LIMIT)


def test_a_hundred_moves_end_at_the_hundredth_and_an_undo_leads_back_to_99():
    table = Table("moves100").play(100)
    assert (table.game.position.moves, table.game.outcome) == (100, Outcome.MOVE_LIMIT)
    assert (table.undo().game.position.moves, table.game.status, table.game.ended_at) == (
        99,
        Status.RUNNING,
        None,
    )
    assert (table.play(1).game.outcome, table.game.final) == (Outcome.MOVE_LIMIT, True)


def test_undo_revives_a_game_without_moves_and_its_clock_goes_on():
    table = finished().wait(9_000).undo().wait(250)
    assert (table.game.status, table.game.outcome, table.game.ended_at) == (Status.RUNNING, None, None)
    assert rows_of(4, table.board) == tuple(map(tuple, LAST_GAP))
    assert table.game.clock.active(table.now) == 250 * MS


def test_abandoning_a_finished_game_gives_up_its_undos_and_keeps_outcome_and_end():
    table = finished()
    ended = table.game.ended_at
    table.wait(1_000).abandon()
    assert (table.game.outcome, table.game.ended_at, table.game.final) == (Outcome.NO_MOVES, ended, True)
    assert table.events[-1][:1] == (EventType.OVER,)


def test_an_abandoned_game_that_never_started_has_no_elapsed_time():
    table = ready().wait(500).abandon()
    assert (table.game.outcome, table.game.ended_at, table.game.elapsed_ms) == (
        Outcome.ABANDONED,
        table.now,
        None,
    )


@pytest.mark.parametrize(
    ("life", "final"),
    [
        (running, False),
        (won, False),
        (finished, False),
        (exhausted, True),
        (timed_out, True),
        (abandoned, True),
    ],
)
def test_a_game_is_final_when_no_undo_can_revive_it(life, final):
    assert life().game.final is final


def test_the_reveal_abandons_an_open_game():
    table = Table("daily").play(2).abandon(Cause.REVEAL)
    assert (table.events[-1].cause, table.game.outcome, table.game.final) == (
        Cause.REVEAL,
        Outcome.ABANDONED,
        True,
    )


# Undo


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_an_undo_is_spent_for_ever(limit):
    table = Table("classic", Rules(undo_limit=limit)).play(9).undo(limit).play(9)
    with pytest.raises(errors.UndoExhausted):
        table.undo()


def test_used_up_is_said_before_nothing_to_undo():
    fresh, spent = Table("classic"), Table("classic").play(1).undo()
    with pytest.raises(errors.NothingToUndo):
        fresh.undo()
    with pytest.raises(errors.UndoExhausted):
        spent.undo()


def test_unlimited_undo_leads_back_to_the_start():
    table = Table("practice").play(HISTORY * 3)
    seen = [event.game.position for event in table.path]
    for position in reversed(seen[:-1]):
        assert table.undo().game.position == position
    assert table.game.undos == HISTORY * 3


def test_a_game_holds_the_positions_of_eight_undos():
    table = Table("practice").play(HISTORY * 2)
    game = table.game
    for event in reversed(table.path[-HISTORY - 1 : -1]):
        game = game.undo(NOON).game
        assert game.position == event.game.position


def test_an_undo_beyond_the_positions_held_asks_for_one():
    game = Table("practice").play(HISTORY * 2).undo(HISTORY).game
    with pytest.raises(errors.PositionForgotten):
        game.undo(NOON)


def test_an_undo_gives_no_time_back():
    table = running().wait(4_000).undo()
    assert (table.game.clock.running, table.game.active) == (True, 4_000 * MS)


def test_a_paused_game_stays_paused_through_an_undo():
    table = running().wait(50).pause().wait(5_000).undo()
    assert (table.game.status, table.game.active, table.game.pauses) == (Status.PAUSED, 50 * MS, 1)


def test_after_time_up_an_undo_restores_the_board_and_no_time():
    table = timed_out()
    before = table.path[-2].game.position
    table.wait(777).undo()
    assert table.game.position == before
    assert (table.game.status, table.game.outcome, table.game.final) == (Status.OVER, Outcome.TIME_UP, True)
    assert (table.game.active, table.game.ended_at) == (120 * SECOND, NOON + 120 * SECOND)


def test_undo_lowers_no_peak():
    table = Table("practice", given=TWO_HALVES).move(LEFT).undo()
    assert (table.game.position.score, table.game.peak_score, table.game.peak_tile) == (0, 2048, 2048)


# Time


def test_time_is_up_at_the_very_deadline():
    table = Table("sprint").wait(9_000).start().wait(119_999.999)
    assert table.game.status is Status.RUNNING
    table.wait(60_000)
    assert (table.game.status, table.game.outcome) == (Status.OVER, Outcome.TIME_UP)
    assert (table.game.at - NOON, table.game.active) == (129 * SECOND, 120 * SECOND)


def test_pauses_put_the_deadline_off():
    table = Table("sprint", start=True).wait(100_000).pause().wait(500_000).resume()
    assert table.game.deadline() == table.now + 20 * SECOND


@pytest.mark.parametrize("life", [ready, paused, won, finished, timed_out, abandoned])
def test_nothing_is_due_while_the_clock_stands(life):
    assert life().game.due(NOON + 10**12) is None


def test_an_untimed_game_falls_idle_five_minutes_after_its_last_command():
    table = running().wait(1_000).play(1)
    arrival = table.now
    table.wait(3_600_000)
    assert (table.game.status, table.events[-1].cause) == (Status.PAUSED, Cause.IDLE)
    assert (table.game.at, table.game.active) == (arrival + IDLE, 301 * SECOND)


def test_a_no_op_puts_the_idle_pause_off():
    game = running().game
    assert game.due(NOON + IDLE, touched=NOON + 1) is None
    event = game.due(NOON + IDLE + 1, touched=NOON + 1)
    assert event is not None
    assert event.game.at == NOON + IDLE + 1


def test_a_timed_game_never_falls_idle():
    table = Table("break", start=True).wait(299_999)
    assert table.game.status is Status.RUNNING


@pytest.mark.parametrize(
    ("cause", "counted"),
    [(Cause.PLAYER, 1), (Cause.DISCONNECT, 1), (Cause.IDLE, 0), (Cause.OUTAGE, 0)],
)
def test_only_the_players_own_pauses_and_lost_connections_are_counted(cause, counted):
    table = running().pause(cause)
    assert (table.game.pauses, table.events[-1].cause) == (counted, cause)


def test_a_command_that_arrives_before_the_last_event_counts_as_that_events():
    event = running().wait(1_000).play(1).game.pause(NOON)
    assert (event.game.at, event.game.active) == (NOON + SECOND, SECOND)


def test_elapsed_time_is_the_difference_of_the_instants_shown():
    table = Table("sprint").wait(1.5).start().wait(0.1).abandon()
    assert table.game.elapsed_ms == 1
