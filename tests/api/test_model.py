"""The service answers as the engine says, whatever is asked in whatever order, over restarts and lost memory."""

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.api.model import Service


def test_the_service_and_the_engine_agree(new_database):
    bounds = settings(
        max_examples=24,
        stateful_step_count=25,
        phases=[Phase.explicit, Phase.generate],  # to shrink what was found may take minutes
        deadline=None,
        derandomize=True,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )

    class OnNewDatabase(Service):
        def __init__(self) -> None:
            super().__init__(new_database)

    run_state_machine_as_test(OnNewDatabase, settings=bounds)
