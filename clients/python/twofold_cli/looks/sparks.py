"""A series of figures as one line of small bars."""

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"


def spark(figures: Sequence[float], width: int, lowest: float, highest: float) -> str:
    """At most `width` bars, evenly chosen, the first and the last figure among them; the scale is given."""
    if len(figures) > width:
        last = len(figures) - 1
        figures = [figures[round(bar * last / (width - 1))] for bar in range(width)]
    span = highest - lowest or 1
    return "".join([BARS[round((figure - lowest) / span * (len(BARS) - 1))] for figure in figures])
