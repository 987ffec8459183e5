"""Random variants in the format of `variants.ini` against pyffish, the Python module of Fairy-Stockfish.

A variant that Assay reads must have pyffish's moves; of those that it refuses, nothing is known."""

import random
import re

import pytest
from assay import pyffish as ours

VARIANTS = 400
# Random plies of each, in which all positions are compared.
PLIES = 12
BASES = [
    "3check", "5check", "almost", "antichess", "atomic", "berolina", "capablanca", "chaturanga", "chess", "crazyhouse", "euroshogi", "extinction",
    "giveaway", "gorogoro", "grand", "horde", "judkins", "kinglet", "knightmate", "kyotoshogi", "legan", "loop", "losers", "makruk", "minishogi",
    "minixiangqi", "okisakishogi", "pawnback", "pocketknight", "racingkings", "shatranj", "shogi", "threekings", "torpedo", "xiangqi", "yarishogi",
]  # fmt: skip
NAMED = [
    "knight", "bishop", "rook", "queen", "fers", "alfil", "fersAlfil", "silver", "aiwok", "bers", "archbishop", "chancellor", "amazon", "knibis",
    "biskni", "kniroo", "rookni", "shogiPawn", "lance", "shogiKnight", "gold", "dragonHorse", "clobber", "breakthrough", "cannon", "janggiCannon",
    "soldier", "horse", "elephant", "banner", "wazir", "commoner", "centaur",
]  # fmt: skip
ATOMS = ["W", "F", "D", "N", "A", "H", "C", "Z", "G", "R", "B", "Q", "K", "NN", "W2", "F3", "R2", "B3", "Q2", "K2"]
MODIFIERS = "- - - m c f b s v l r fm fc mc fs bs rf lb ff fb n p g cp mp cg i im".replace("-", "").split(" ")
FLAGS = [
    "mandatoryPawnPromotion", "mandatoryPiecePromotion", "piecePromotionOnCapture", "pieceDemotion", "doubleStep", "castling", "checking",
    "pieceDrops", "capturesToHand", "dropLoop", "firstRankPawnDrops", "promotionZonePawnDrops", "dropPromoted", "immobilityIllegal",
    "mustCapture", "blastOnCapture", "extinctionPseudoRoyal", "checkCounting", "flyingGeneral", "chess960", "flagMove",
]  # fmt: skip


def ranks(numbers):
    return " ".join(f"*{number}" for number in numbers)


def random_keys(rng):
    """One rule: a line, or two that belong together."""
    letters = "".join(rng.sample("pnbrqkacehmw", rng.randint(1, 4)))
    movement = "".join(rng.choice(MODIFIERS) + rng.choice(ATOMS) for _ in range(rng.randint(1, 3)))
    number = rng.randint(1, 4)
    zone = range(1, rng.randint(2, 8))
    piece = rng.choice([*NAMED[:8], "king", "pawn", "shogiPawn", "customPiece5"])
    piece = piece[0].upper() + piece[1:]
    return rng.choice(
        [
            *[[f"{rng.choice(FLAGS)} = {rng.choice(['true', 'false'])}"]] * 8,
            *[[f"{rng.choice(NAMED)} = {rng.choice('nbrqacehmw')}"]] * 3,
            *[[f"customPiece{rng.randint(1, 9)} = {rng.choice('nbrqacehmw')}:{movement}"]] * 3,
            [f"promotionRegionWhite = {ranks(range(9 - number, 9))}", f"promotionRegionBlack = {ranks(range(1, number + 1))}"],
            [f"promotionPieceTypes = {rng.choice([letters, '-', 'nbrq'])}"],
            [f"promotedPieceType = {letters[0]}:{letters[-1]}"],
            [f"promotionLimit = {letters[0]}:{number}"],
            [f"doubleStepRegionWhite = *{number}", f"doubleStepRegionBlack = *{9 - number}"],
            [f"castlingKingsideFile = {rng.choice('fgh')}", f"castlingQueensideFile = {rng.choice('bcd')}"],
            ["dropNoDoubled = p", f"dropNoDoubledCount = {number}"],
            [f"blastImmuneTypes = {letters}", f"mutuallyImmuneTypes = {letters}"],
            [f"extinctionValue = {rng.choice(['loss', 'win'])}", f"extinctionPieceTypes = {rng.choice(['*', letters])}"],
            [f"extinctionPieceCount = {number - 1}"],
            [f"stalemateValue = {rng.choice(['win', 'loss', 'draw'])}"],
            [f"flagPiece = {letters[0]}", f"flagRegionWhite = *{9 - number}", f"flagRegionBlack = *{number}"],
            [f"wallingRule = {rng.choice(['duck', 'past', 'none'])}"],
            [f"petrifyOnCaptureTypes = {letters}"],
            [f"pawn = {rng.choice('px')}"],
            [f"{rng.choice(['pawn', 'promotionPawn', 'enPassant', 'nMoveRule'])}Types = {rng.choice('ppn-')}"],
            [f"mobilityRegionWhite{piece} = {ranks(zone)}", f"mobilityRegionBlack{piece} = {ranks(9 - rank for rank in zone)}"],
        ]
    )


def random_variant(rng, name):
    lines = [line for _ in range(rng.randint(1, 5)) for line in random_keys(rng)]
    rng.shuffle(lines)
    if rng.random() < 0.35:
        back = "".join(rng.sample("rnbqkbnr", 8)).replace("q", rng.choice("qqacehmw"))
        hand = rng.choice(["", "", "[PNpn]", "[Qq]"])
        lines.append(f"startFen = {back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()}{hand} w - - 0 1")
    elif rng.random() < 0.35:
        # Pawns that promote with their next moves, and drops.
        hand = rng.choice(["", "[PNBRpnbr]"])
        lines.append(f"startFen = r3k2r/PPP5/8/8/8/8/3ppp2/R3K2R{hand} w - - 0 1")
    return "\n".join([f"[{name}:{rng.choice(BASES)}]", *lines, ""])


def test_random_variants_agree_with_pyffish():
    theirs = pytest.importorskip("pyffish")
    rng = random.Random(5)
    read = 0
    for number in range(VARIANTS):
        name = f"random{number}"
        text = random_variant(rng, name)
        try:
            ours.load_variant_config(text)
        except ours.error as error:
            # Each error has its place: a line and a column.
            assert re.match(r"config:\d+:\d+: ", str(error)), (text, error)
            continue
        theirs.load_variant_config(text)
        read += 1
        start, moves = theirs.start_fen(name), []
        for _ in range(PLIES):
            fen = theirs.get_fen(name, start, moves)
            legal = sorted(theirs.legal_moves(name, start, moves))
            assert sorted(ours.legal_moves(name, fen, [])) == legal, (text, fen)
            if not legal:
                break
            moves.append(rng.choice(legal))
    assert read > VARIANTS // 8
