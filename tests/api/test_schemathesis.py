"""The API does what its own document says: requests drawn from the document, every check that Schemathesis has."""

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.callers import player
from twofold_service.api.interface import undeployed_api

document = schemathesis.openapi.from_dict(undeployed_api().openapi())

MORE_THAN_A_SCHEMA_SAYS = {
    "PATCH /v1/players/me": "which characters are printable",
    "POST /v1/players": "which characters are printable",
    "POST /v1/games": "which options a mode leaves open, and that a board is square",
    "POST /v1/slides": "that a board is square",
    "POST /v1/hints": "that a board is square, and that a direction changes it",
    "POST /v1/verify": "what makes a record whole",
    "GET /v1/games": "which cursors were given out",
    "GET /v1/daily/{date}/results": "which cursors were given out",
    "GET /v1/leaderboards": "which cursors were given out, and which options a mode leaves open",
    "GET /v1/daily/{date}/compare": "that games are different and of the date",
}
"""Operations whose valid requests may be refused (422) for a reason that a schema cannot tell."""


@document.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_api_does_what_its_document_says(case, url):
    excluded = [positive_data_acceptance] if case.operation.label in MORE_THAN_A_SCHEMA_SAYS else []
    with player(url) as me:
        headers = {"Authorization": f"Bearer {me.token}"}

        case.call_and_validate(base_url=url, headers=headers, excluded_checks=excluded, timeout=60)
