"""JSON of health and readiness."""

from typing import Literal

from typing_extensions import TypedDict


class HealthOut(TypedDict):
    """The process is alive."""

    status: Literal["ok"]


class ReadinessOut(TypedDict):
    """The process takes requests."""

    status: Literal["ready"]
