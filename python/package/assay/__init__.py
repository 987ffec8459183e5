"""Assay: chess variants by exact rules, search, self-play, and what the pieces are worth.

>>> import assay
>>> position = assay.Position("gamma2")
>>> position.push("f2h4")
>>> len(position.legal_moves())
40

Scores are centipawns of the game's own pawn from the point of view of the side to move; points are White's, 0 to 1. Bad input raises
`AssayError` with the message that Assay's programs print.
"""

from . import _load as _load
from ._assay import (
    GAMES,
    Analysis,
    AssayError,
    Engine,
    Game,
    Line,
    Measurement,
    Outcome,
    Position,
    Run,
    Score,
    Table,
    __version__,
    fit,
    merge,
    open,
    selfplay,
)
from ._programs import Result, validate, weigh
from ._report import Report, report

__all__ = [
    "GAMES",
    "Analysis",
    "AssayError",
    "Engine",
    "Game",
    "Line",
    "Measurement",
    "Outcome",
    "Position",
    "Report",
    "Result",
    "Run",
    "Score",
    "Table",
    "__version__",
    "fit",
    "merge",
    "open",
    "report",
    "selfplay",
    "validate",
    "weigh",
]
