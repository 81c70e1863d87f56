"""The documents under openapi/: made from the code, never by hand."""

import json

from twofold_service.app import undeployed_api


def documents() -> dict[str, str]:
    """File names and their texts."""
    return {"openapi.json": json.dumps(undeployed_api().openapi(), indent=2, ensure_ascii=False) + "\n"}
