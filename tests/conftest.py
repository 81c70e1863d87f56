"""What holds for every test: where TWOFOLD_TEST_NO_SKIP is set, a skipped test fails the run."""

import os

import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Name each skipped test and fail; `make test` alone may skip what a machine cannot run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("TWOFOLD_TEST_NO_SKIP", "") in ("", "0"):
        return
    skipped = reporter.stats.get("skipped", [])
    if not skipped:
        return
    reporter.write("\n")
    reporter.section("skipped, but TWOFOLD_TEST_NO_SKIP is set", red=True)
    for report in skipped:
        reporter.write_line(f"{report.nodeid}: {report.longrepr[2]}")
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
