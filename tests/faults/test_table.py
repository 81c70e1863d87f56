"""The fault table keeps what was not run, and replaces what was."""

from tests.faults.table import Line, Table, seeds


def table(*lines: Line) -> Table:
    made = Table()
    made.lines = {line.title: line for line in lines}
    return made


def test_a_row_tells_runs_commands_result_and_seeds():
    line = Line("3 crash", done=1)
    line.ran(4, acknowledged=1000, seed=7)
    line.ran(acknowledged=234, seed=9, longest_pause="1.2 s")
    assert line.row()[:6] == ("3 crash", "5", "1,234", "held", "7…9", "longest pause 1.2 s")


def test_a_failed_test_is_told():
    assert Line("3 crash", done=3, failed=2).row()[:4] == ("3 crash", "3", "–", "2 failed")


def test_lines_that_were_not_run_keep_their_rows_and_all_are_in_order():
    first = table(Line("10 storm", done=1), Line("2 sync", done=1)).merged_into("")
    second = table(Line("10 storm", done=1, failed=1), Line("9 proxy", done=1)).merged_into(first)
    rows = [line.split(" | ") for line in second.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert [(row[0], row[3]) for row in rows] == [
        ("| 2 sync", "held"),
        ("| 9 proxy", "held"),
        ("| 10 storm", "1 failed"),
    ]


def test_a_seed_that_is_given_is_the_only_one(monkeypatch):
    monkeypatch.setattr("tests.faults.table.SEED", "77")
    assert seeds(3, 300) == [77]
