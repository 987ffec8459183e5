"""The functions of pyffish, implemented by Assay's rules.

Names, arguments and results are those of pyffish, the Python module of Fairy-Stockfish, for games that have a definition in Assay:
`import assay.pyffish as sf`. Differences:

- Variants are Assay's built-in games, definition files by path, and what `load_variant_config` has loaded. That function also takes a
  definition in Assay's TOML, and of variants.ini only what definitions can say: the rest is a ValueError.
- Chess960 of other games than chess and capablanca, Makruk's rules of counting, and notations other than SAN and LAN are not supported:
  ValueError.
- Unknown variants, invalid FENs and illegal moves raise a ValueError that names the place of the error.
- Positions in which the side not to move is in check are rejected; `validate_fen` returns 0 for them.
- The order of `legal_moves` is Assay's.
- SAN names promoted pieces `+X`, and marks a check of any royal piece.
- The order of the pieces in hand is Assay's, and so is the clock in FENs where no move rule counts it.
- `get_fen` names an en passant square only if a capture there is legal.
- `has_insufficient_material` detects bare kings, bishops on squares of one color, and the armies listed in the game's definition.
- FENs with too many squares in a rank are rejected.
- A definition file is read when its path is first used. A process that changes the file loads it again with `load_variant_config`.

Results are from the point of view of the side to move: `VALUE_MATE`, `VALUE_DRAW`, `-VALUE_MATE`. 0.75 and 0.25 points, which
pyffish does not have, count as `VALUE_DRAW`.
"""

import re
import warnings
from collections.abc import Iterable

from ._assay import GAMES, AssayError, Game, Position, __version__, fairy_fen, fen_fault, insufficient_material

VALUE_MATE = 32000
VALUE_DRAW = 0

NOTATION_DEFAULT = 0
NOTATION_SAN = 1
NOTATION_LAN = 2

FEN_OK = 1
FEN_EMPTY = 0

error = AssayError

# Results of validate_fen by the field at fault.
_FEN_FAULTS = {
    "move number": -1,
    "halfmove clock": -2,
    "kings": -3,
    "en passant": -4,
    "rights": -5,
    "side to move": -6,
    "pocket": -7,
    "board": -8,
    "checks": -9,
    "letter": -10,
    "impossible": 0,
}

# Defaults of pyffish for the missing fields of a short FEN.
_FEN_DEFAULTS = ("w", "-", "-", "0", "1")

# Ends of a game that leave no legal moves, besides checkmate and stalemate.
_IMMEDIATE = ("goal", "checks", "bare-king", "extinction")

# The pawns of chess, without a double step, and with one from any rank.
_PAWNS = ("fmWfceFifmnD", "fmWfcF", "fmWfceFfmnD")

# The header of a variant with its base, which TOML does not allow.
_INI_SECTION = re.compile(r"^\s*\[[^\]\"']*:[^\]\"']*\]", re.MULTILINE)

_games: dict[str, Game] = {}


def _game(variant: str) -> Game:
    if variant not in _games:
        _games[variant] = Game(variant)
    return _games[variant]


def _full_fen(game: Game, fen: str) -> str:
    if not isinstance(fen, str) or not fen.strip():
        raise AssayError(f"fen: found {fen!r}, expected a FEN or `startpos`")
    if fen == "startpos":
        return game.position().fen
    fields = fen.split(" ")
    if len(fields) == 4 and fields[2].isdigit() and fields[3].isdigit():
        fields[2:2] = _FEN_DEFAULTS[1:3]
    return " ".join(fields + list(_FEN_DEFAULTS[len(fields) - 1 :]))


def _position(variant: str, fen: str, movelist: Iterable[str] = (), chess960: bool = False) -> Position:
    if chess960:
        variant = {"chess": "fischerandom", "capablanca": "caparandom"}.get(variant, variant)
        if variant not in ("fischerandom", "caparandom"):
            raise ValueError(f"chess960: found {chess960}, expected False in {variant}")
    game = _game(variant)
    with warnings.catch_warnings():
        # Like pyffish, ignore rights without their pieces.
        warnings.simplefilter("ignore")
        position = game.position(_full_fen(game, fen))
    for move in movelist:
        position.push_uci(move)
    return position


def version() -> tuple[int, ...]:
    """Assay's version as three numbers."""
    return tuple(int(part) for part in __version__.split("."))


def info() -> str:
    """Name and version of the program."""
    return f"Assay {__version__}"


def variants() -> list[str]:
    """Names of the games: built-in ones, and those loaded so far."""
    return sorted({*GAMES, *_games})


def set_option(name: str, value: object) -> None:
    """Accepted and ignored: no option changes the rules."""


def load_variant_config(config: str) -> None:
    """Loads the variants of a variants.ini, or a game definition in Assay's format (TOML), whose `name` becomes the variant's."""
    games = Game.from_ini(config, "config") if _INI_SECTION.search(config) else [Game.from_toml(config, "config")]
    _games.update({game.name: game for game in games})


def start_fen(variant: str) -> str:
    """FEN of the start position."""
    return fairy_fen(_game(variant).position())


def two_boards(variant: str) -> bool:
    """False: Assay has no games on two boards."""
    _game(variant)
    return False


def captures_to_hand(variant: str) -> bool:
    """True if captured pieces can be dropped by the side that captured them."""
    return _game(variant).captures_to_hand


def legal_moves(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> list[str]:
    """Legal moves in UCI notation after `movelist`."""
    return _position(variant, fen, movelist, chess960).legal_moves()


def get_fen(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False, sfen: bool = False, show_promoted: bool = False, count_started: int = 0) -> str:
    """FEN after `movelist`."""
    if sfen:
        raise ValueError(f"sfen: found {sfen}, expected False")
    return fairy_fen(_position(variant, fen, movelist, chess960))


def get_san(variant: str, fen: str, move: str, chess960: bool = False, notation: int = NOTATION_DEFAULT) -> str:
    """A move in SAN, or in long algebraic notation (`NOTATION_LAN`)."""
    return _notation(_position(variant, fen, (), chess960), move, notation)


def get_san_moves(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False, notation: int = NOTATION_DEFAULT) -> list[str]:
    """The moves of `movelist`, played one after the other, in SAN or LAN."""
    position = _position(variant, fen, (), chess960)
    texts = []
    for move in movelist:
        texts.append(_notation(position, move, notation))
        position.push_uci(move)
    return texts


def _notation(position: Position, move: str, notation: int) -> str:
    if notation not in (NOTATION_DEFAULT, NOTATION_SAN, NOTATION_LAN):
        raise ValueError(f"notation: found {notation}, expected NOTATION_SAN or NOTATION_LAN")
    san = position.san(position.parse_uci(move))
    if san.startswith("O-O") or "@" in san:
        return san
    origin, target = _squares(move)
    is_pawn = not san[0].isupper()
    # pyffish treats pawns with other moves than in chess like pieces.
    has_letter = not is_pawn or position.game.pawn_movement not in _PAWNS
    if notation != NOTATION_LAN and not (is_pawn and has_letter):
        return san
    pieces = position.pieces
    letter = pieces[origin].upper() if has_letter else ""
    capture = "x" if position.is_capture(move) else ""
    if notation == NOTATION_LAN:
        source, capture = origin, capture or "-"
    else:
        squares = [_squares(other) for other in position.legal_moves() if "@" not in other]
        rivals = {one for one, to in squares if to == target and one != origin and pieces[one] == pieces[origin]}
        source = _disambiguation(origin, rivals)
    return letter + source + capture + target + san[san.rindex(target) + len(target) :]


def _squares(move: str) -> tuple[str, str]:
    """Origin and target of a move in UCI notation."""
    origin, target = re.findall(r"[a-z]\d+", move)[:2]
    return origin, target


def _disambiguation(origin: str, rivals: set[str]) -> str:
    """What distinguishes a square from others: its file, else its rank, else both."""
    if not rivals:
        return ""
    if all(rival[0] != origin[0] for rival in rivals):
        return origin[0]
    if all(rival[1:] != origin[1:] for rival in rivals):
        return origin[1:]
    return origin


def gives_check(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> bool:
    """True if the side to move after `movelist` is in check."""
    return _position(variant, fen, movelist, chess960).is_check


def is_capture(variant: str, fen: str, movelist: Iterable[str], move: str, chess960: bool = False) -> bool:
    """True if `move`, played after `movelist`, captures."""
    position = _position(variant, fen, movelist, chess960)
    return position.is_capture(position.parse_uci(move))


def piece_to_partner(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> str:
    """An empty text: Assay has no games on two boards."""
    _position(variant, fen, movelist, chess960)
    return ""


def _result(position: Position) -> int:
    """Value of the game's outcome for the side to move."""
    outcome = position.outcome()
    points = outcome.white if outcome else 0.5
    if points not in (0.0, 1.0):
        return VALUE_DRAW
    return VALUE_MATE if (points == 1.0) == (position.turn == "white") else -VALUE_MATE


def game_result(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> int:
    """Result by a goal, checks, checkmate or stalemate, from the point of view of the side to move; `VALUE_DRAW` if the game is not over."""
    position = _position(variant, fen, movelist, chess960)
    outcome = position.outcome()
    return _result(position) if outcome and outcome.reason in (*_IMMEDIATE, "checkmate", "stalemate") else VALUE_DRAW


def is_immediate_game_end(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> tuple[bool, int]:
    """Whether a goal or checks end the game, and the result from the point of view of the side to move."""
    position = _position(variant, fen, movelist, chess960)
    outcome = position.outcome()
    if outcome and outcome.reason in _IMMEDIATE:
        return True, _result(position)
    return False, 0


def is_optional_game_end(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False, count_started: int = 0) -> tuple[bool, int]:
    """Whether repetition or the move rule ends the game, and the result from the point of view of the side to move."""
    position = _position(variant, fen, movelist, chess960)
    outcome = position.outcome()
    if outcome and outcome.reason in ("repetition", "move-rule"):
        return True, _result(position)
    return False, 0


def has_insufficient_material(variant: str, fen: str, movelist: Iterable[str], chess960: bool = False) -> tuple[bool, bool]:
    """For White and Black: True if the side cannot win."""
    return insufficient_material(_position(variant, fen, movelist, chess960))


def validate_fen(fen: str, variant: str, chess960: bool = False) -> int:
    """`FEN_OK`, or a smaller number that identifies the invalid field, as in pyffish."""
    if chess960:
        raise ValueError(f"chess960: found {chess960}, expected False")
    game = _game(variant)
    if fen == "":
        return FEN_EMPTY
    full_fen = _full_fen(game, fen)
    letters = {piece["letter"] for piece in game.pieces}
    board = fen.split(" ")[0].split("[")[0]
    if any(not character.isdigit() and character not in "/*+~" and character.upper() not in letters for character in board):
        return _FEN_FAULTS["letter"]
    fault = fen_fault(game, full_fen)
    return FEN_OK if fault is None else _FEN_FAULTS.get(fault, 0)
