//! Variant files of Fairy-Stockfish.

use std::sync::Arc;

use assay_rules::def::fairy_ini::{self, from_game, to_toml, variants};
use assay_rules::def::game_names;
use assay_rules::perft::perft;
use assay_rules::{GameDef, Points, Position, uci};

fn game(text: &str, name: &str) -> GameDef {
    let converted = fairy_ini::game(text, "test.ini", Some(name)).unwrap_or_else(|error| panic!("{error}: {text}"));
    let toml = to_toml(text, "test.ini", Some(name)).unwrap();
    assert_eq!(GameDef::from_toml(&toml, "test.ini").as_ref(), Ok(&converted), "{toml}");
    converted
}

#[test]
fn a_variant_inherits_from_those_above() {
    let text = "# comment\n[minister:chess]\nqueen = -\narchbishop = a\npromotionPieceTypes = arbn\n\
                startFen = rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1\n\n[quick:minister]\nnMoveRule = 20\nstalemateValue = loss\n";
    assert_eq!(variants(text, "test.ini").unwrap(), ["minister", "quick"]);
    let quick = game(text, "quick");
    let letters: String = quick.kinds.iter().map(|kind| kind.letter).collect();
    assert_eq!(letters, "KRBNPA");
    assert_eq!((quick.endings.move_rule, quick.endings.stalemate), (40, Points::WIN));
    assert_eq!(quick.mechanisms.castling.as_ref().unwrap().wings.len(), 4);
}

#[test]
fn the_committed_file_is_gamma2() {
    let text = include_str!("../../python/tests/fairy_stockfish.ini");
    let converted = Arc::new(game(text, "gamma2"));
    let built_in = GameDef::builtin("gamma2").unwrap();
    let moves = |game: &Arc<GameDef>| {
        let position = Position::start(game);
        let moves = position.legal_moves().into_iter().map(|mv| uci::format(game, mv));
        moves.collect::<Vec<_>>()
    };
    assert_eq!(moves(&converted), moves(&built_in));
    assert_eq!(
        converted.mechanisms.castling.as_ref().unwrap().wings,
        built_in.mechanisms.castling.as_ref().unwrap().wings
    );
}

#[test]
fn without_counts_in_the_start_one_check_wins() {
    let start = "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for (text, checks) in [
        ("[x:chess]\ncheckCounting = true".to_owned(), 1),
        (format!("[x:3check]\n{start} 0 1"), 1),
        (format!("[x:5check]\n{start} 2+4 0 1"), 4),
        (format!("[x:chess]\ncheckCounting = true\n{start} 0 1 +0+1"), 3),
        ("[x:5check]".to_owned(), 5),
    ] {
        assert_eq!(game(&text, "x").mechanisms.check_count.map(|count| count.0), Some(checks), "{text}");
    }
}

/// `testdata/ini/moves.ini` has the moves of Fairy-Stockfish above each variant.
#[test]
fn variants_have_the_moves_of_fairy_stockfish() {
    let text = include_str!("../../testdata/ini/moves.ini");
    let expected = text.lines().filter_map(|line| line.strip_prefix("# moves: "));
    let variants = variants(text, "moves.ini").unwrap();
    assert_eq!(expected.clone().count(), variants.len());
    for (name, expected) in variants.into_iter().zip(expected).filter(|(_, expected)| *expected != "-") {
        let game = Arc::new(game(text, name));
        let moves = Position::start(&game).legal_moves().into_iter().map(|mv| uci::format(&game, mv));
        let mut moves: Vec<String> = moves.collect();
        moves.sort();
        assert_eq!(moves.join(" "), expected, "{name}");
    }
}

#[test]
fn what_goes_out_comes_in() {
    let mut written = 0;
    for name in game_names() {
        let built_in = GameDef::builtin(name).unwrap();
        let Ok(text) = from_game(&built_in) else { continue };
        let read = Arc::new(game(&text, name));
        // Each move with every wall is a move.
        let depth = if name == "duck" { 2 } else { 3 };
        let count = |game| perft(&Position::start(game), depth);
        assert_eq!(count(&read), count(&built_in), "{text}");
        written += 1;
    }
    assert!(written >= 10, "{written}");
    let grand = from_game(&GameDef::builtin("grand").unwrap()).unwrap();
    assert!(
        grand.contains("mandatoryPawnPromotion = false\n") && grand.contains("immobilityIllegal = true\n"),
        "{grand}"
    );
    let lances = "name = \"l\"\ntitle = \"l\"\nsource = \"l\"\nbase = \"grand\"\n[pieces.lance]\nletter = \"L\"\nmove = \"fR\"\n";
    let error = from_game(&GameDef::from_toml(lances, "l.toml").unwrap()).unwrap_err();
    assert!(error.starts_with("l: found optional promotion of pawns besides pieces that may stand"), "{error}");
    let zones =
        "name = \"z\"\ntitle = \"z\"\nsource = \"z\"\nbase = \"3check\"\n[pieces.knight]\nzone = \"*1 *2 *3\"\n";
    let error = from_game(&GameDef::from_toml(zones, "z.toml").unwrap()).unwrap_err();
    assert!(error.starts_with("z: found checks that are forbidden or counted, and zones"), "{error}");
    let error = from_game(&GameDef::builtin("gunnery").unwrap()).unwrap_err();
    assert_eq!(error, "gunnery: found a cannon pawn or a joker, which a file for Fairy-Stockfish cannot express");
}

#[test]
fn errors_name_line_key_and_what_was_expected() {
    let error = |text: &str| to_toml(text, "my.ini", Some("x")).unwrap_err().to_string();
    assert_eq!(
        error("[x:chess]\narrowGating = true\n"),
        "my.ini:2:15: arrowGating: found `true`, expected no such key: Assay has no counterpart of it"
    );
    assert_eq!(error("[x:chess]\ncastling = yes\n"), "my.ini:2:12: castling: found `yes`, expected true or false");
    assert_eq!(
        error("[x:chess]\npetrifyOnCaptureTypes = *\n"),
        "my.ini:2:25: petrifyOnCaptureTypes: found `*`, expected letters of pieces (KQRBNP), or - for none"
    );
    assert!(error("[x:nothing]\n").starts_with("my.ini:1:4: found the base `nothing`"), "{}", error("[x:nothing]\n"));
    assert!(error("[x:x]\n").starts_with("my.ini:1:4: found the base `x`"));
    assert!(error("[y:chess]\n").contains("found no variant `x`, expected one of: y"));
    assert!(error("[x:chess\n").starts_with("my.ini:1:1: found `[x:chess`, expected a section"));
    assert!(error("king = k\n").contains("expected a section [variant] first"));
    assert_eq!(
        error("[x]\nking = k\n"),
        "my.ini:1:2: x: found no pawn, expected one: pawnTypes names the kind that promotes and makes double steps"
    );
    assert_eq!(
        error("[x]\nking = \u{7}k\n"),
        "my.ini:2:8: found the control character U+0007, expected printable characters"
    );
}

#[test]
fn large_files_take_neither_long_nor_much_memory() {
    let error = |text: &str| to_toml(text, "my.ini", Some("x")).unwrap_err().to_string();
    let variants: String = (0..2000).map(|number| format!("[v{number}]\n")).collect();
    assert_eq!(error(&variants), "my.ini:1001:1: found `[v1000]`, expected at most 1000 variants");
    let region = format!("[x:chess]\nflagRegion = {}\n", "*1 ".repeat(300_000));
    assert_eq!(error(&region), "my.ini:2:14: flagRegion: found 300000 squares and ranks, expected at most 200");
    let keys = format!("[x:chess]\n{}a=\n", "castling = true\n".repeat(60_000));
    assert_eq!(error(&keys), "my.ini:60002:3: a: found ``, expected no such key: Assay has no counterpart of it");
}

/// Checks the place, the key and the start of the message of errors.
fn assert_errors(cases: &[(&str, (usize, usize), &str, &str)]) {
    let error = |text: &str| {
        let error = to_toml(text, "my.ini", Some("x")).unwrap_err();
        let place = (error.line.unwrap(), error.column.unwrap());
        (place, error.key.unwrap_or_default(), error.message)
    };
    for &(text, place, key, message) in cases {
        let found = error(text);
        assert!(found.0 == place && found.1 == key && found.2.starts_with(message), "{text}: {found:?}");
    }
}

#[test]
fn errors_of_the_definition_name_the_key_that_they_come_from() {
    assert_errors(&[
        ("[x:chess]\nmaxFile = 20\n", (2, 11), "maxFile", "as a definition, board: found 20 files x 8 ranks"),
        ("[x:chess]\n\nknight = n:iN\n", (3, 10), "knight", "found `n:iN`, expected one letter"),
        ("[x:chess]\ncustomPiece1 = x:iN\n", (2, 16), "customPiece1", "found the initial moves iN of the customPiece1"),
        (
            "[x:chess]\ncastlingRank = 2\n",
            (2, 16),
            "castlingRank",
            "found castlingRank = 2, expected the rank of the king",
        ),
        ("[x:chess]\nnMoveRuleTypes = n\n", (2, 18), "nMoveRuleTypes", "found promotionPawnTypes, enPassantTypes or"),
        ("[x:legan]\npieceDrops = true\n", (2, 14), "pieceDrops", "found pieceDrops with another pawn"),
        (
            "[x:yarishogi]\nmobilityRegionWhiteCustomPiece1 = *1\n",
            (2, 35),
            "mobilityRegionWhiteCustomPiece1",
            "found `*1`, expected customPiece",
        ),
        ("[x:chess]\nstartFen = 8/8\n", (2, 12), "startFen", "as a definition, starts.0.fen: FEN"),
        ("[y:chess]\nstartFen = 8/8\n[x:y]\nnFoldRule = 3\n", (2, 12), "startFen", "as a definition, starts.0.fen"),
        ("[x:chess]\nnFoldRule = 1\n", (2, 13), "nFoldRule", "as a definition, endings.repetitions: found 1"),
        (
            "[x:chess]\nflagPiece = k\nflagRegion = z9\n",
            (3, 14),
            "flagRegion",
            "found `z9`, expected squares from a1 to l10",
        ),
        (
            "[x:chess]\nmobilityRegionWhiteKnight = g8 k9\nmobilityRegionBlackKnight = a1\n",
            (3, 29),
            "mobilityRegionBlackKnight",
            "found mobilityRegionWhiteKnight = g8 and mobilityRegionBlackKnight = a1, expected",
        ),
        ("[x:chess]\npawn = -\n", (2, 8), "pawn", "found no pawn"),
        ("[x:chess]\nflagPiece = z\n", (2, 13), "flagPiece", "found `z`, expected letters of pieces"),
        ("[x:atomic]\nchecking = false\n", (2, 12), "checking", "found checking = false"),
        ("[x:chess]\ncustomPiece1 = x:fsK\n", (2, 16), "customPiece1", "found `x:fsK`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:cpRlbW2\n", (2, 16), "customPiece1", "found `x:cpRlbW2`, expected"),
        ("[x:chess]\ncustomPiece1 = x:BQ2\n", (2, 16), "customPiece1", "found `x:BQ2`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:pQ2\n", (2, 16), "customPiece1", "found `x:pQ2`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:gB0\n", (2, 16), "customPiece1", "found `x:gB0`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:gF0\n", (2, 16), "customPiece1", "found `x:gF0`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:NnN\n", (2, 16), "customPiece1", "found `x:NnN`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:mcNmnN\n", (2, 16), "customPiece1", "found `x:mcNmnN`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:CnC\n", (2, 16), "customPiece1", "found `x:CnC`, expected a movement that"),
        ("[x:chess]\ncustomPiece1 = x:fNNnN\n", (2, 16), "customPiece1", "found `x:fNNnN`, expected a movement that"),
        ("[x:chess]\njanggiCannon = x\n", (2, 16), "janggiCannon", "found `x`, expected no such key"),
        ("[x:shogi]\ndropPromoted = true\n", (2, 16), "dropPromoted", "found dropPromoted and dropNoDoubled"),
        ("[x:berolina]\ndoubleStep = false\n", (2, 14), "doubleStep", "found the initial moves"),
        ("[x:shogi]\nbers = -\n", (2, 8), "bers", "found promotedPieceType R to a bers"),
        ("[x:shogi]\nknight = d\n", (2, 10), "knight", "found promotedPieceType R to a bers"),
        ("[x:torishogi]\ncustomPiece1 = x:N\n", (2, 16), "customPiece1", "found `x:N`, expected customPiece"),
        ("[x:wolf]\n", (1, 4), "", "found the base `wolf`"),
        ("[x:chess]\nshogiPawn = p\n", (2, 13), "shogiPawn", "found no pawn since shogiPawn has its letter"),
        ("[x:chess]\nmaxRank = 9\nnFoldRule = 4\n", (2, 11), "maxRank", "found doubleStepRegionWhite = *2"),
        ("[x:chess]\nmaxFile = 9\nnFoldRule = 4\n", (2, 11), "maxFile", "as a definition, starts.0.fen: FEN"),
        ("[x:chess]\nblastOnCapture = true\n", (2, 18), "blastOnCapture", "as a definition, pieces.king.class"),
        ("[x:chess]\ndoubleStepRank = 4\n", (2, 18), "doubleStepRank", "found doubleStepRegionWhite = *2 *3 *4"),
        ("[x:crazyhouse]\npromotionZonePawnDrops = true\n", (2, 26), "promotionZonePawnDrops", "found promotionZone"),
        ("[x:chess]\nenPassantTypes = n\n", (2, 18), "enPassantTypes", "found the initial moves fmWfceFifmnD"),
        ("[x:chess]\n castling = false\n", (2, 1), "", "found `castling = false`, expected it without spaces"),
        ("[x:chess]\nwhiteDropRegion = a1\n", (2, 19), "whiteDropRegion", "found `a1`, expected no such key"),
        ("[x:chess]\npetrifyOnCaptureTypes = k\n", (2, 25), "petrifyOnCaptureTypes", "found petrifyOnCapture"),
        ("[x:petrified]\ncommoner = m\n", (2, 12), "commoner", "found `m`, expected no such key"),
        ("[x:seirawan]\ngating = false\n", (2, 10), "gating", "found gating or seirawanGating, expected both"),
        ("[x:judkins]\nflyingGeneral = true\n", (2, 17), "flyingGeneral", "found flyingGeneral = true, expected"),
        ("[x:shogi]\nnMoveRule = 9\n", (2, 13), "nMoveRule", "as a definition, endings.pawn-moves-reset"),
        (
            "[x:chess]\nmobilityRegionBlackPawn = *5\nmobilityRegionWhitePawn = *4\n",
            (3, 27),
            "mobilityRegionWhitePawn",
            "found mobilityRegionWhitePawn without a square",
        ),
        (
            "[x:chess]\ndoubleStepRegionWhite = *3\n",
            (2, 25),
            "doubleStepRegionWhite",
            "found doubleStepRegionWhite = *3",
        ),
    ]);
}

#[test]
fn errors_of_immobility_and_of_checks_in_regions_name_a_key() {
    assert_errors(&[
        (
            "[x:chess]\nmandatoryPawnPromotion = false\npromotionRegionWhite = *7 *8\npromotionRegionBlack = *2 *1\n",
            (2, 26),
            "mandatoryPawnPromotion",
            "found mandatoryPawnPromotion = false without immobilityIllegal = true",
        ),
        (
            "[x:makruk]\nbers = w\nstartFen = r3k2r/PPP5/8/8/8/8/3ppp2/R3K2R w - - 0 1\n",
            (3, 12),
            "startFen",
            "found mandatoryPawnPromotion on several ranks of promotionRegionWhite, or none on the last",
        ),
        (
            "[x:grand]\nimmobilityIllegal = false\n",
            (2, 21),
            "immobilityIllegal",
            "found mandatoryPawnPromotion = false without immobilityIllegal = true",
        ),
        (
            "[x:grand]\ncustomPiece1 = p:fsWfcF\npawnTypes = p\ndoubleStep = false\n",
            (3, 13),
            "pawnTypes",
            "found optional promotion of pawns that could move on from the last rank",
        ),
        (
            "[x:chess]\nimmobilityIllegal = true\nlance = l\npromotionPieceTypes = lq\n",
            (4, 23),
            "promotionPieceTypes",
            "found immobilityIllegal = true with promotion to a piece",
        ),
        (
            "[x:shogi]\npromotedPieceType = s:l\n",
            (2, 21),
            "promotedPieceType",
            "found immobilityIllegal = true with promotion to a piece",
        ),
        (
            "[x:shogi]\npieceDemotion = true\n",
            (2, 17),
            "pieceDemotion",
            "found immobilityIllegal = true with promotion to a piece",
        ),
        (
            "[x:petrified]\nimmobilityIllegal = true\n",
            (2, 21),
            "immobilityIllegal",
            "found immobilityIllegal = true with walls",
        ),
        (
            "[x:chess]\nchecking = false\nmobilityRegionWhiteRook = *1 *2\nmobilityRegionBlackRook = *8 *7\n",
            (3, 27),
            "mobilityRegionWhiteRook",
            "found checking = false with mobilityRegionWhiteRook",
        ),
        (
            "[x:xiangqi]\ncheckCounting = true\n",
            (2, 17),
            "checkCounting",
            "found checkCounting = true with mobilityRegion",
        ),
    ]);
}
