from . import (
    GAMES as GAMES,
    Analysis as Analysis,
    AssayError as AssayError,
    Engine as Engine,
    Game as Game,
    Line as Line,
    Measurement as Measurement,
    Outcome as Outcome,
    Position as Position,
    Run as Run,
    Score as Score,
    Table as Table,
    __version__ as __version__,
    fit as fit,
    merge as merge,
    open as open,
    selfplay as selfplay,
)

HAS_X86_64_V3: bool

__all__ = [
    "GAMES",
    "Analysis",
    "AssayError",
    "Engine",
    "Game",
    "HAS_X86_64_V3",
    "Line",
    "Measurement",
    "Outcome",
    "Position",
    "Run",
    "Score",
    "Table",
    "__version__",
    "_identity",
    "_merge_batch",
    "_next_round",
    "_parse_measurement",
    "fairy_fen",
    "fen_fault",
    "fit",
    "insufficient_material",
    "merge",
    "open",
    "read_measurement",
    "selfplay",
]

def read_measurement(path: object) -> Measurement: ...
def fairy_fen(position: Position) -> str: ...
def fen_fault(game: Game, fen: str) -> str | None: ...
def insufficient_material(position: Position) -> tuple[bool, bool]: ...
def _parse_measurement(text: str) -> Measurement: ...
def _identity(game: Game, evaluation: str | None) -> str: ...
def _next_round(path: object, planned: int, precision: float, phase_model: str) -> int | None: ...
def _merge_batch(out: object, shards: object) -> None: ...
