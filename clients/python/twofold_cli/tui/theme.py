"""The page around the board, by day and by night."""

from textual.theme import Theme

LIGHT = Theme(
    "twofold-light",
    primary="#8f7a66",
    secondary="#756b61",
    accent="#a3552d",
    foreground="#5c534a",
    background="#faf8ef",
    surface="#f1ebdf",
    panel="#e8dfd0",
    warning="#a3552d",
    error="#b3261e",
    dark=False,
)
DARK = Theme(
    "twofold-dark",
    primary="#bbada0",
    secondary="#a89a8b",
    accent="#f2b179",
    foreground="#e6ddd1",
    background="#1f1c19",
    surface="#2b2723",
    panel="#38332d",
    warning="#f2b179",
    error="#f67c5f",
    dark=True,
)
