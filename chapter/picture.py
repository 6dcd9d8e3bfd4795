"""Small drawings of measured series: two curves, the right program's and the mistake's, in their own scale.

The SVG carries no colours: the page's style sheet gives them to the classes `right` and `wrong`, in either theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT, MARGIN = 120, 40, 3


def points(values: Sequence[float], low: float, high: float) -> str:
    """The corners of a curve, as the attribute `points` wants them."""
    across = (WIDTH - 2 * MARGIN) / max(len(values) - 1, 1)
    up = (HEIGHT - 2 * MARGIN) / ((high - low) or 1)
    return " ".join(
        f"{MARGIN + i * across:.1f},{HEIGHT - MARGIN - (value - low) * up:.1f}" for i, value in enumerate(values)
    )


def svg(series: Mapping[str, Sequence[float]], label: str) -> str:
    """The drawing; `label` says for a screen reader what the two curves are."""
    every = [value for values in series.values() for value in values]
    low, high = min(every), max(every)
    curves = "".join(
        f'<polyline class="{escape(name)}" points="{points(values, low, high)}"/>' for name, values in series.items()
    )
    return (
        f'<svg class="measured" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{curves}</svg>'
    )
