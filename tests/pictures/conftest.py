"""The use cases' house, for pictures of its games."""

from tests.usecases.conftest import ada, house, new_house

__all__ = ["ada", "house", "new_house"]
