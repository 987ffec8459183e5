"""`assay.pyffish` against pyffish, the Python module of Fairy-Stockfish."""

import random
import re
from pathlib import Path

import assay
import pytest
from assay import pyffish as ours

# Positions of each game; 10,000 in all.
POSITIONS = {"chess": 3_334, "berolina": 3_333, "gamma2": 3_333}


@pytest.fixture(scope="module")
def theirs():
    module = pytest.importorskip("pyffish")
    module.load_variant_config((Path(__file__).parent / "fairy_stockfish.ini").read_text())
    return module


def random_positions(variant, count, seed):
    """Positions of random games: the FEN before the last move, the last move, and all moves since the start."""
    random.seed(seed)
    while count > 0:
        position = assay.Position(variant)
        while not position.outcome() and len(position.moves) < 200 and count > 0:
            before, moves = ours.get_fen(variant, position.fen, []), position.legal_moves()
            # Captures are preferred, so that all endings occur.
            captures = [move for move in moves if position.is_capture(move)]
            move = random.choice(captures if captures and random.random() < 0.3 else moves)
            position.push_uci(move)
            yield before, move, position.moves
            count -= 1


@pytest.mark.parametrize("variant", POSITIONS)
def test_agrees_with_pyffish(theirs, variant):
    start = ours.start_fen(variant)
    assert start == theirs.start_fen(variant)
    for number, (before, last, moves) in enumerate(random_positions(variant, POSITIONS[variant], seed=7)):
        fen = theirs.get_fen(variant, before, [last])
        found, expected = ours.get_fen(variant, before, [last]).split(), fen.split()
        if found[3] == "-":
            # pyffish also names squares of Berolina pawns on which no pawn can capture.
            assert variant != "chess" or expected[3] == "-"
            expected[3] = "-"
        assert found == expected, (before, last)
        legal = ours.legal_moves(variant, fen, [])
        assert sorted(legal) == sorted(theirs.legal_moves(variant, fen, [])), fen
        assert ours.validate_fen(fen, variant) == theirs.validate_fen(fen, variant) == ours.FEN_OK, fen
        assert ours.gives_check(variant, fen, []) == theirs.gives_check(variant, fen, []), fen
        if not legal:
            # pyffish's value is undefined if the game goes on.
            assert ours.game_result(variant, fen, []) == theirs.game_result(variant, fen, []), fen
        assert ours.is_immediate_game_end(variant, fen, [])[0] == theirs.is_immediate_game_end(variant, fen, [])[0], fen
        if number % 50 == 0 or not legal:
            # With all moves, for repetitions. Without an end, pyffish's value is undefined.
            found, expected = (module.is_optional_game_end(variant, start, moves) for module in (ours, theirs))
            assert found[0] == expected[0] and (not found[0] or found[1] == expected[1]), moves
        for move in random.sample(legal, min(2, len(legal))):
            arguments = (variant, fen, move, False, random.choice([ours.NOTATION_SAN, ours.NOTATION_LAN]))
            assert ours.get_san(*arguments) == theirs.get_san(*arguments), arguments
            assert ours.is_capture(variant, fen, [], move) == theirs.is_capture(variant, fen, [], move), (fen, move)


@pytest.mark.parametrize("variant", sorted(set(assay.GAMES) - set(POSITIONS)))
def test_agrees_with_pyffish_on_other_games(theirs, variant):
    if variant not in theirs.variants():
        pytest.skip(f"pyffish has no {variant}")
    assert ours.captures_to_hand(variant) == theirs.captures_to_hand(variant)
    for before, last, _ in random_positions(variant, 100, seed=11):
        fen = theirs.get_fen(variant, before, [last])
        found, expected = ours.get_fen(variant, before, [last]).split(), fen.split()
        found[3] = expected[3] if found[3] == "-" else found[3]
        if "[" in fen or variant == "pawnsideways":
            # Without a move rule the clocks differ, and pawns that move sideways do not reset pyffish's.
            found[-2] = expected[-2]
        # So does the order of the pieces in hand.
        found[0], expected[0] = (re.sub(r"\[.*", lambda hand: "".join(sorted(hand[0])), field[0]) for field in (found, expected))
        assert found == expected, (before, last)
        legal = ours.legal_moves(variant, fen, [])
        if ours.is_immediate_game_end(variant, fen, [])[0]:
            assert theirs.is_immediate_game_end(variant, fen, []) == ours.is_immediate_game_end(variant, fen, []), fen
            continue
        assert sorted(legal) == sorted(theirs.legal_moves(variant, fen, [])), fen
        assert ours.gives_check(variant, fen, []) == theirs.gives_check(variant, fen, []), fen
        if not legal:
            assert ours.game_result(variant, fen, []) == theirs.game_result(variant, fen, []), fen
        for move in random.sample(legal, min(3, len(legal))):
            found, expected = (module.get_san(variant, fen, move, False, ours.NOTATION_SAN) for module in (ours, theirs))
            if variant == "coregal":
                # pyffish does not mark a check of the queen.
                found, expected = found.rstrip("+#"), expected.rstrip("+#")
            # pyffish has letters of its own for promoted pieces.
            assert found == expected or re.search(r"\+[A-Z]", found), (fen, move)
            assert ours.is_capture(variant, fen, [], move) == theirs.is_capture(variant, fen, [], move), (fen, move)


def test_loads_definitions(root):
    ours.load_variant_config((root / "testdata/games/twin-knights.toml").read_text())
    assert "twin-knights" in ours.variants()
    assert ours.legal_moves("twin-knights", ours.start_fen("twin-knights"), [])
    ours.load_variant_config("[first:chess]\ndoubleStep = false\n\n[second:crazyhouse]\n")
    assert "e2e4" not in ours.legal_moves("first", "startpos", [])
    assert ours.captures_to_hand("second") and not ours.captures_to_hand("first")
    with pytest.raises(ValueError, match="config"):
        ours.load_variant_config("[third:chess]\nflipEnclosedPieces = reversi")


def test_says_what_is_wrong():
    start = ours.start_fen("chess")
    for call, text in [
        (lambda: ours.legal_moves("janggi", start, []), "no game `janggi`"),
        (lambda: ours.legal_moves("chess", start, ["e2e5"]), "illegal move `e2e5`"),
        (lambda: ours.get_fen("chess", "8/8 w - - 0 1", []), "FEN column 4"),
        (lambda: ours.get_san("chess", start, "e2e4", notation=5), "notation: found 5"),
        (lambda: ours.legal_moves("gothic", "startpos", [], True), "chess960: found True"),
        (lambda: ours.legal_moves("chess", "", []), "fen: found '', expected a FEN or `startpos`"),
        (lambda: ours.legal_moves("chess", None, []), "fen: found None"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()
    assert ours.legal_moves("chess", "startpos", ["e2e4"]) == ours.legal_moves("chess", start, ["e2e4"])
    assert ours.validate_fen("", "chess") == ours.FEN_EMPTY
