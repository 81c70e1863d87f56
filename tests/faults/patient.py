"""The `twofold` command on a machine that many tests share: to stand still there for some seconds is no outage."""

from twofold.clock import SECOND
from twofold_cli.__main__ import main

LONGEST_GAP = 60 * SECOND


def be_patient() -> None:
    from twofold_service.usecases.clocks import Clocks  # here, for a worker of the service loads this file too

    Clocks.longest_gap = LONGEST_GAP


if __name__ == "__main__":
    be_patient()
    main()
