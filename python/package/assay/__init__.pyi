import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, final

from ._programs import Result as Result
from ._programs import validate as validate
from ._programs import weigh as weigh
from ._report import Report as Report
from ._report import report as report

_Path = str | os.PathLike[str]
_Color = Literal["white", "black"]
_PhaseModel = Literal["piecewise", "constant"]
_Generator = Literal["engine", "rules"]
# True for a bar of tqdm, or a function of the finished and the total number (None if unknown).
_Progress = bool | Callable[[int, int | None], object] | None

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

GAMES: tuple[str, ...]
"""Names of the built-in games."""
__version__: str

class AssayError(ValueError):
    """What was found where, and what was expected: the message that Assay's programs print."""

@final
class Game:
    """The rules of a game: a built-in one by name, or a definition file by path.

    >>> assay.Game("gamma2").title
    'Gamma2 Chess'
    """

    def __new__(cls, name_or_path: Game | _Path) -> Game: ...
    @staticmethod
    def from_file(path: _Path) -> Game:
        """Reads a definition file."""
    @staticmethod
    def from_toml(text: str, name: str = "definition") -> Game:
        """Reads a definition in TOML. `name` is the name of the file in error messages."""
    @staticmethod
    def from_ini(text: str, name: str = "variants.ini") -> list[Game]:
        """Reads all variants of a file for Fairy-Stockfish (`variants.ini`) from its text. `name` is the name of the file in error messages."""
    @staticmethod
    def with_piece(movement: str, board: Literal["8x8", "10x8", "10x10", "12x10"] = "8x8") -> Game:
        """An orthodox army in which a piece with this XBetza movement (letter X) replaces the piece of the nearest value, as
        `assay-tuner weigh` plays it. `board` is "8x8", "10x8", "10x10" or "12x10".
        """
    @property
    def name(self) -> str:
        """The name that UCI uses."""
    @property
    def title(self) -> str:
        """The name for people."""
    @property
    def files(self) -> int:
        """Number of files of the board."""
    @property
    def ranks(self) -> int:
        """Number of ranks of the board, those of hanging squares included."""
    @property
    def setups(self) -> list[str]:
        """Identifiers of the start positions; the default is that of `position()`."""
    @property
    def pieces(self) -> list[dict[str, Any]]:
        """The kinds of pieces: dictionaries of name, letter, movement (XBetza; empty for a joker) and value (as the inventor published it,
        in the inventor's units, or None).
        """
    @property
    def captures_to_hand(self) -> bool:
        """True if captured pieces can be dropped by the side that captured them."""
    @property
    def pawn_movement(self) -> str:
        """The pawn's movement in XBetza."""
    @property
    def definition_text(self) -> str | None:
        """The text of the definition; None for a built-in game."""
    def position(self, fen: str | None = None, *, setup: str | None = None) -> Position:
        """The default start, or the position of a FEN, or a start by its identifier and handicaps (`setup="14+pawn:e4"`)."""

@final
class Outcome:
    """How a game ended."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __new__(cls, reason: str, white: float) -> Outcome: ...
    def __getnewargs__(self) -> tuple[str, float]: ...
    @property
    def reason(self) -> Literal["checkmate", "stalemate", "dead-position", "repetition", "move-rule", "goal", "checks", "bare-king", "extinction"]:
        """The rule: "checkmate", "stalemate", "dead-position", "repetition", "move-rule", "goal", "checks", "bare-king" or "extinction"."""
    @property
    def white(self) -> float:
        """White's points, 0 to 1; some games have 0.25 and 0.75."""

@final
class Position:
    """A position with the moves that led to it.

    Moves are texts in UCI notation or SAN. Methods that return moves return UCI notation unless they say SAN.

    >>> position = assay.Position("chess")
    >>> position.push("e4")
    >>> position.fen
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __new__(cls, game: Game | _Path, fen: str | None = None, *, setup: str | None = None) -> Position: ...
    @property
    def game(self) -> Game:
        """The game whose rules apply."""
    @property
    def fen(self) -> str:
        """The position in six fields; an extra bracket holds pockets and what a joker imitates."""
    @property
    def turn(self) -> _Color:
        """The side to move: "white" or "black"."""
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
    @property
    def fullmove_number(self) -> int:
        """Move number: 1 at the start, incremented after Black's turn."""
    @property
    def pieces(self) -> dict[str, str]:
        """Pieces by square: letters, upper case for White; after a `+` for a piece promoted as in shogi."""
    @property
    def moves(self) -> list[str]:
        """The moves played since the position was created."""
    @property
    def is_check(self) -> bool:
        """True if the side to move is in check."""
    @property
    def occurrences(self) -> int:
        """How often the position has occurred since the start, this time included."""
    @property
    def hash(self) -> int:
        """Zobrist hash, 64 bits: equal for positions that are the same under the repetition rule."""
    def legal_moves(self) -> list[str]:
        """All legal moves."""
    def legal_sans(self) -> list[str]:
        """All legal moves in SAN, in the order of `legal_moves()`."""
    def san(self, move: str) -> str:
        """A legal move in SAN."""
    def uci(self, move: str) -> str:
        """A legal move in UCI notation."""
    def parse_uci(self, move: str) -> str:
        """Checks that a text is a legal move in UCI notation, and returns it."""
    def push(self, move: str) -> None:
        """Plays a legal move."""
    def push_uci(self, move: str) -> None:
        """Plays a legal move in UCI notation only."""
    def pop(self) -> str:
        """Takes the last move back and returns it. Raises IndexError if none was played."""
    def is_capture(self, move: str) -> bool:
        """True if a legal move captures."""
    def outcome(self) -> Outcome | None:
        """The result if the game is over by the rules, repetition included; None if it is not."""
    def perft(
        self,
        depth: int,
        *,
        threads: int = 1,
        hash: int = 0,
        generator: _Generator = "engine",
        progress: _Progress = None,
    ) -> int:
        """The number of move sequences of `depth` plies, 1 to 64. Options as for `divide`."""
    def divide(
        self,
        depth: int,
        *,
        threads: int = 1,
        hash: int = 0,
        generator: _Generator = "engine",
        progress: _Progress = None,
    ) -> dict[str, int]:
        """The number of move sequences of `depth` plies, 1 to 64, below each legal move.

        `threads` is 0 for one on each processor; `hash` the size of the hash table in MiB, 0 for none; `generator` "engine" (fast) or
        "rules" (the reference).
        """
    def svg(self, *, size: int = 48, flipped: bool = False, coordinates: bool = True) -> str:
        """An SVG drawing. `size` is that of a square in pixels."""
    def copy(self) -> Position:
        """A copy with the same moves."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: Any, /) -> Position: ...
    def __setstate__(self, moves: list[str]) -> None: ...
    def _repr_svg_(self) -> str: ...

@final
class Score:
    """A score from the point of view of `turn`: either centipawns or a mate; the other one is None."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __new__(cls, centipawns: int | None, mate: int | None, expected: float, turn: str) -> Score: ...
    def __getnewargs__(self) -> tuple[int | None, int | None, float, str]: ...
    @property
    def centipawns(self) -> int | None:
        """Hundredths of the game's own pawn."""
    @property
    def mate(self) -> int | None:
        """Moves to mate: positive if `turn` mates, negative if it is mated, 0 if it is mated already."""
    @property
    def expected(self) -> float:
        """Expected points, 0 to 1."""
    @property
    def turn(self) -> _Color:
        """The point of view: "white" or "black"."""
    @property
    def white(self) -> Score:
        """The score from White's point of view."""
    @property
    def black(self) -> Score:
        """The score from Black's point of view."""

@final
class Line:
    """A principal variation."""

    def __new__(cls, score: Score, moves: list[str], depth: int, seldepth: int, bound: str) -> Line: ...
    def __getnewargs__(self) -> tuple[Score, list[str], int, int, str]: ...
    @property
    def score(self) -> Score:
        """From the point of view of the side to move."""
    @property
    def moves(self) -> list[str]:
        """Moves in UCI notation, the best first."""
    @property
    def depth(self) -> int:
        """Depth of the iteration in plies."""
    @property
    def seldepth(self) -> int:
        """The deepest ply that was visited."""
    @property
    def bound(self) -> Literal["exact", "lower", "upper"]:
        """"exact", "lower" (the true score is at least this) or "upper"."""

@final
class Analysis:
    """The result of a search."""

    def __new__(
        cls,
        best: str | None,
        ponder: str | None,
        score: Score,
        lines: list[Line],
        depth: int,
        nodes: int,
        time: float,
    ) -> Analysis: ...
    def __getnewargs__(self) -> tuple[str | None, str | None, Score, list[Line], int, int, float]: ...
    @property
    def best(self) -> str | None:
        """The best move in UCI notation; None if there is no legal move."""
    @property
    def ponder(self) -> str | None:
        """The expected reply to it."""
    @property
    def score(self) -> Score:
        """From the point of view of the side to move."""
    @property
    def lines(self) -> list[Line]:
        """The principal variations, the best first: `lines` of them, or fewer if there are fewer legal moves."""
    @property
    def depth(self) -> int:
        """Depth of the last completed iteration in plies."""
    @property
    def nodes(self) -> int:
        """Nodes visited by all threads."""
    @property
    def time(self) -> float:
        """Seconds."""

@final
class Engine:
    """Assay's engine for one game. Searches share its transposition table and histories; `clear()` clears both.

    `hash` is the size of the transposition table in MiB, 1 to 65,536. `threads` is 1 to 256. `evaluation` is "default" (the game's
    network if it has one) or "linear" (the tuned weights, which have explicit piece values).

    With one thread, a search limited by nodes or depth gives the same result every time after `clear()`. An engine runs one search at a
    time; other threads need engines of their own.
    """

    def __new__(
        cls,
        game: Game | _Path,
        *,
        hash: int = 16,
        threads: int = 1,
        evaluation: Literal["default", "linear"] = "default",
    ) -> Engine: ...
    @property
    def game(self) -> Game:
        """The game that the engine plays."""
    def clear(self) -> None:
        """Clears the transposition table and all histories, as before a new game. Raises AssayError while the engine searches."""
    def analyse(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        movetime: float | None = None,
        lines: int = 1,
        progress: _Progress = None,
    ) -> Analysis:
        """Searches a position until a limit is reached: `nodes`, `depth` in plies, or `movetime` in seconds; at least one is needed.

        The moves that led to the position count for repetitions. `lines` is the number of principal variations, 1 to 256. Raises
        AssayError if the engine is searching already, in another thread or below `progress`.
        """

@final
class Table:
    """A table in Arrow's format. Every library that reads `__arrow_c_stream__` takes it without copying: `polars.DataFrame(table)`,
    `pyarrow.table(table)`.
    """

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_polars(self) -> Any:
        """A polars data frame."""
    def to_pyarrow(self) -> Any:
        """A pyarrow table."""
    def to_pandas(self) -> Any:
        """A pandas data frame. Needs pyarrow."""
    def to_dict(self) -> dict[str, list[Any]]:
        """Columns by name, as lists of Python objects. Needs pyarrow."""

@final
class Run:
    """A run file: games of self-play or of a match, as `assay.selfplay` and `assay-selfplay` write them."""

    @property
    def path(self) -> Path:
        """The absolute path."""
    @property
    def game(self) -> Game:
        """The game, from the definition in the file if it is not built in."""
    @property
    def seed(self) -> int:
        """The seed of all random choices."""
    @property
    def planned(self) -> int:
        """Planned number of games of the run, in all shards together."""
    def __len__(self) -> int:
        """Number of games in the file when it was opened."""
    def missing(self, games: int) -> list[tuple[int, int]]:
        """The missing games of a run of `games` games, as half-open ranges of game numbers: (first, end)."""
    def info(
        self, *, details: bool = False, max_pieces: int = 3, min_games: int = 20, progress: _Progress = None
    ) -> dict[str, Any]:
        """Settings, results, endings and faults: the JSON of `assay-selfplay info --json` as Python objects. With `details`, also
        statistics with errors: results, endings, length, legal moves, and endgames with at most `max_pieces` pieces besides the kings
        that occur in at least `min_games` games. `progress` is called at the beginning and at the end.
        """
    def games(self, *, progress: _Progress = None) -> Table:
        """The games, one row each.

        game, pair: numbers from 0; the games of a pair share an opening. white: the side that has White, 0 or 1. start: FEN.
        opening: its source. material: the imbalance of the armies, White's first (`-NP/-B`), or null. moves: UCI notation,
        separated by spaces. plies. points: White's, 0 to 1. end: the rule or fault that ended the game.
        """
    def positions(self, *, progress: _Progress = None) -> Table:
        """All positions of all games, final positions included, one row each.

        game, pair: as in `games()`. ply: plies since the start. fen. turn: "white" or "black". move: the move played, in UCI notation;
        null at the end. eval, mate: what the search reported, centipawns or moves to mate, from the point of view of the side to move;
        null if unknown. depth: plies searched. nodes: nodes searched. points: White's in the game, 0 to 1.
        """

@final
class Measurement:
    """Piece values with confidence intervals. All figures are those of `assay-tuner fit --json`."""

    @property
    def game(self) -> str:
        """Name of the game."""
    @property
    def values(self) -> Table:
        """One row for each unit ("army", "pawns", "minor-pieces") and piece, then one for each effect of pairs, second pieces and hands, in
        pawns.

        published and measured: values, averaged over the game. low, high: the 95% interval, null if it is unbounded. verdict.
        full_board, few_pieces: values with at least 3/4 and with a quarter of the pieces left. with_half_pair: half of the pair's
        bonus is included, because one value is published for both pieces of the pair.
        """
    @property
    def coefficients(self) -> Table:
        """The coefficients of the regression with standard errors: log-odds of White's score for each unit."""
    @property
    def covariance(self) -> Table:
        """The covariance matrix of the coefficients, clustered by opening pair."""
    def json(self) -> str:
        """The JSON that `assay-tuner fit --json` prints; `assay-tuner report` and `assay.report` read it."""
    def to_dict(self) -> dict[str, Any]:
        """The JSON as Python objects; its keys are documented by `assay-tuner fit --help`."""
    def html(self) -> str:
        """The report with charts as one HTML page."""
    def details(self) -> str:
        """Everything that was measured, as `assay-tuner fit --details` prints it."""

def open(path: _Path) -> Run:
    """Opens a run file. The file is only read."""

def selfplay(
    game: Game | _Path,
    *,
    games: int,
    data: _Path,
    nodes: int = 2_000,
    seed: int = 1,
    hash: int = 4,
    threads: int = 0,
    material: Literal["none", "values", "playtest"] = "none",
    setup: str = "random",
    opening_plies: int | None = None,
    balance: int | Literal["off"] | None = None,
    jitter: str | None = None,
    decided: int | Literal["off"] | None = None,
    evaluation: Literal["linear", "network"] | None = None,
    shard: str | None = None,
    first_game: int = 0,
    progress: _Progress = None,
) -> Run:
    """Plays games of the engine against itself and stores them in the run file `data`.

    The same call continues an interrupted run, and a larger `games` extends it. Returns the opened file. Finished games are kept after
    Ctrl-C. Seed and settings determine the games, whatever the number of threads (0: one for each processor).

    The arguments are those of `assay-selfplay generate`: `nodes` per move, `hash` in MiB, `setup` a start of the game or "random",
    `evaluation` "linear" or "network" (the default in games that have one). `material` is "none", "values" or "playtest"; with the last two the defaults of
    `opening_plies` (plies), `balance` (centipawns, or "off"), `jitter` (of the engine's own piece values, percent) and `decided` (games end
    at this many centipawns, or "off") suit measurements of piece values.

    `shard` "I/N" plays every N-th opening pair, from pair I on, into a file of its own; `games` is the total of all shards, and `merge`
    joins them. `first_game`, a number from 0, is rounded down to its opening pair; games before it are not played.
    """

def merge(out: _Path, shards: Sequence[_Path], *, partial: bool = False, progress: _Progress = None) -> Run:
    """Merges the shards of a run into the file `out`, as `assay-selfplay merge` does: it is created, or extended if it holds games of the
    same run. Returns the opened file. `partial` accepts shards that are missing or incomplete.
    """

def fit(
    files: Run | _Path | Sequence[Run | _Path],
    *,
    playtest: Run | _Path | Sequence[Run | _Path] | None = None,
    phase_model: _PhaseModel = "piecewise",
    resamples: int = 1_000,
    progress: _Progress = None,
) -> Measurement:
    """Measures piece values from run files (paths or opened runs), all of the same game, as `assay-tuner fit` does.

    `phase_model` says how values depend on the game phase: "piecewise" (linear between three quarters and a quarter of the pieces left) or
    "constant". `resamples` is the number of bootstrap replicates that check the intervals, up to 100,000, 0 for none. `playtest` are run
    files of a playtest of the same game, measured by the second method, as `assay-tuner fit` does. `progress` counts the games that were
    read; the fit follows.
    """
