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


def agree(theirs, rng, name, text):
    """True if Assay reads a variant, which then has pyffish's moves and ends in random games; its errors have their places."""
    try:
        ours.load_variant_config(text)
    except ours.error as error:
        # Not at the variant's name: each error is that of a key.
        assert re.match(r"config:([2-9]|\d\d+):\d+: ", str(error)), (text, error)
        return False
    theirs.load_variant_config(text)
    start, moves = theirs.start_fen(name), []
    for _ in range(PLIES):
        fen = theirs.get_fen(name, start, moves)
        legal = sorted(theirs.legal_moves(name, start, moves))
        assert sorted(ours.legal_moves(name, fen, [])) == legal, (text, fen)
        if not legal:
            assert ours.game_result(name, fen, []) == theirs.game_result(name, start, moves), (text, fen)
            break
        assert ours.is_immediate_game_end(name, fen, [])[0] == theirs.is_immediate_game_end(name, start, moves)[0], (text, fen)
        moves.append(rng.choice(legal))
    return True


def test_random_variants_agree_with_pyffish():
    theirs = pytest.importorskip("pyffish")
    rng = random.Random(5)
    names = [f"random{number}" for number in range(VARIANTS)]
    read = sum(agree(theirs, rng, name, random_variant(rng, name)) for name in names)
    assert read > VARIANTS // 8


def values_of_keys():
    """All keys of Fairy-Stockfish's parser except the kinds of pieces, with values."""
    flags = ["true", "false"]
    letters = ["p", "n", "q", "k", "nbrq", "-", "*", "pn"]
    regions = ["-", "*1", "*2", "*3", "*6", "*7", "*8", "*9", "*7 *8", "*1 *2", "d4 e4 k10", "*1 *2 *3 *4 *5 *6 *7 *8"]
    numbers = ["0", "1", "2", "10"]
    results = ["win", "loss", "draw"]
    types = {
        """adjudicateFullBoard bikjangRule blastOnCapture cambodianMoves capturesToHand castling castlingDroppedPiece checkCounting checking
        chess960 connectDiagonal connectHorizontal connectVertical doubleStep dropChecks dropLoop dropOnTop dropOppositeColoredBishop dropPromoted
        dupleCheck extinctionClaim extinctionPseudoRoyal firstRankPawnDrops flagMove flagPieceBlockedWin flagPieceSafe flyingGeneral gating
        immobilityIllegal makpongRule mandatoryPawnPromotion mandatoryPiecePromotion moveRepetitionIllegal mustCapture mustDrop
        nFoldValueAbsolute oppositeCastling pass passBlack passOnStalemate passOnStalemateBlack passOnStalemateWhite passWhite
        perpetualCheckIllegal petrifyBlastPieces pieceDemotion pieceDrops piecePromotionOnCapture promotionZonePawnDrops seirawanGating
        shatarMateRule shogiPawnDropMateIllegal sittuyinPromotion sittuyinRookDrop stalematePieceCount twoBoards wallOrMove""": flags,
        """blastImmuneTypes castlingKingPiece castlingKingPieceBlack castlingKingPieceWhite castlingRookPiece castlingRookPieces
        castlingRookPiecesBlack castlingRookPiecesWhite connectPieceTypes dropNoDoubled enPassantTypes enPassantTypesBlack enPassantTypesWhite
        extinctionPieceTypes flagPiece flagPieceBlack flagPieceWhite mustDropType mutuallyImmuneTypes nMoveRuleTypes nMoveRuleTypesBlack
        nMoveRuleTypesWhite pawnTypes petrifyOnCaptureTypes promotionPawnTypes promotionPawnTypesBlack promotionPawnTypesWhite
        promotionPieceTypes promotionPieceTypesBlack promotionPieceTypesWhite""": letters,
        """blackDropRegion blackFlag connectRegion1Black connectRegion1White connectRegion2Black connectRegion2White diagonalLines
        doubleStepRegionBlack doubleStepRegionWhite dropRegionBlack dropRegionWhite enPassantRegion enPassantRegionBlack enPassantRegionWhite
        enclosingDropStart flagRegion flagRegionBlack flagRegionWhite mobilityRegionBlackKnight mobilityRegionBlackPawn
        mobilityRegionWhiteKnight mobilityRegionWhitePawn promotionRegionBlack promotionRegionWhite tripleStepRegionBlack
        tripleStepRegionWhite wallingRegion wallingRegionBlack wallingRegionWhite whiteDropRegion whiteFlag""": regions,
        """castlingRank collinearN connectN connectNxN doubleStepRank doubleStepRankMin dropNoDoubledCount extinctionOpponentPieceCount
        extinctionPieceCount flagPieceCount maxRank nFoldRule nMoveRule pocketSize promotionRank soldierPromotionRank""": [*numbers, "8"],
        "castlingKingFile castlingKingsideFile castlingQueensideFile castlingRookKingsideFile castlingRookQueensideFile maxFile": list("adg8"),
        "checkmateValue connectValue extinctionValue nFoldValue stalemateValue": results,
        "chasingRule": ["none", "axf"],
        "castlingWins": ["K", "-"],
        "countingRule": ["none", "makruk", "cambodian", "asean"],
        "enclosingDrop flipEnclosedPieces": ["none", "reversi", "ataxx"],
        "materialCounting": ["none", "janggi", "unweighted", "whitedrawodds", "blackdrawodds"],
        "pieceToCharTable variantTemplate": ["-", "shogi"],
        "pieceValueEg pieceValueMg": ["p:150 n:800"],
        "promotedPieceType": ["p:q", "n:b", "n:-", "-"],
        "promotionLimit": ["q:1", "n:0", "p:1", "-"],
        "wallingRule": ["none", "arrow", "duck", "edge", "past", "static"],
    }
    return {key: values for keys, values in types.items() for key in keys.split()}


def test_keys_alone_and_in_pairs_agree_with_pyffish():
    theirs = pytest.importorskip("pyffish")
    rng = random.Random(7)
    keys = values_of_keys()
    alone = [[f"{key} = {value}"] for key, values in keys.items() for value in values]
    lines = [line for [line] in alone]
    pairs = [rng.sample(lines, 2) for _ in range(VARIANTS)]
    for number, rules in enumerate([*alone, *pairs]):
        base = "chess" if number % 2 else rng.choice([*BASES, "codrus", "petrified", "seirawan", "suicide"])
        agree(theirs, rng, f"keys{number}", "\n".join([f"[keys{number}:{base}]", *rules, ""]))
