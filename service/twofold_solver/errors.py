"""What the solver refuses.

SolverError
├── CheckpointRefused   a checkpoint of training that cannot be read, or is another run's
└── WeightsRefused      a file of weights that is missing, damaged or of another format
"""


class SolverError(Exception):
    """Base of all; its text is one readable line."""


class CheckpointRefused(SolverError):
    pass


class WeightsRefused(SolverError):
    pass
