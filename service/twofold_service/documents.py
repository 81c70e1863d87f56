"""The documents under openapi/: made from the code, never by hand."""

import json
from typing import Any


def documents() -> dict[str, str]:
    """File names and their texts."""
    return {"openapi.json": json.dumps(openapi(), indent=2, ensure_ascii=False) + "\n"}


def openapi() -> dict[str, Any]:
    from twofold_service.api.readiness import Readiness
    from twofold_service.app import create_api

    return create_api(lambda: 0, Readiness(None), None, "").openapi()
