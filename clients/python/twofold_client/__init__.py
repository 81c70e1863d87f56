"""The Python client of Twofold: games played, watched and proved. README.md beside this package shows how."""

from twofold.board import Direction
from twofold.game import Cause, EventType, Outcome, Status
from twofold_client import errors
from twofold_client._retry import Retry
from twofold_client.aclient import AsyncClient, AsyncGame
from twofold_client.advice import Analysis, GameHint, Hint
from twofold_client.client import Client, Game
from twofold_client.errors import TwofoldError
from twofold_client.live import Live, LiveGame
from twofold_client.record import Record, verify
from twofold_client.standings import Page, Result
from twofold_client.values import EventSeen, GameState, Played, Player

__all__ = [
    "Analysis",
    "AsyncClient",
    "AsyncGame",
    "Cause",
    "Client",
    "Direction",
    "EventSeen",
    "EventType",
    "Game",
    "GameHint",
    "GameState",
    "Hint",
    "Live",
    "LiveGame",
    "Outcome",
    "Page",
    "Played",
    "Player",
    "Record",
    "Result",
    "Retry",
    "Status",
    "TwofoldError",
    "errors",
    "verify",
]
