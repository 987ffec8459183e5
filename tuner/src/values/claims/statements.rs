//! Statements in the games' documents, with the tests of each. Add the claims about a new game here.
//!
//! A user's game has no document: its claims are the values in its definition.

use assay_rules::GameDef;
use assay_rules::def::BUILTIN_NAMES;

use super::scores::{Handicap, Receiver};
use super::{Claimed, Statement, Test};

const BEROLINA: &[Statement] = &[
    Statement {
        quote: "Having Bishops on both colors compensates this weakness, and is worth an extra 0.5 on top of their added value.",
        document: "berolina-chess.txt",
        test: Test::Pair("bishop"),
    },
    Statement {
        quote: "Queen | Q | 9.5, Rook | R | 5, Bishop | B | 3.25, Knight | N | 3.25, Berolina Pawn | P | 1",
        document: "berolina-chess.txt",
        test: Test::Values,
    },
];

const GAMMA2: &[Statement] = &[Statement {
    quote: "I tentatively put Berolina Pawn=1.05(or 1 approx.); N=3.38(or 3.25 approx.); B=3.75; R=5.5; Ship=6.2625(or 6.25 \
            approx.); Archer=5.45(or 5.5 approx.); Q=R+B+P=10.25",
    document: "gamma2-chess.txt",
    test: Test::Values,
}];

const GUNNERY: &[Statement] = &[
    Statement {
        quote: "As the cannon move increases the power of all pieces, I believe that the relative value of the pieces is retained.",
        document: "gunnery-chess.txt",
        test: Test::SameValues("chess"),
    },
    Statement {
        quote: "But the risk of draw is probably lessened since opening of files for attack is facilitated.",
        document: "gunnery-chess.txt",
        test: Test::FewerDraws("chess"),
    },
    Statement {
        quote: "One could argue that the value of the pawn is higher in Gunnery Chess than in regular chess.",
        document: "gunnery-chess.txt",
        test: Test::PawnCost {
            than: "chess",
            claimed: Claimed::MoreThan { value: 1.0 },
            claim: "a missing pawn costs more than in chess",
        },
    },
    Statement {
        quote: "One could argue that the value of the pawn is higher in Gunnery Chess than in regular chess.",
        document: "gunnery-chess.txt",
        test: Test::PawnAmongPieces {
            than: "chess",
            others: MINOR_PIECES,
        },
    },
];

/// The minor pieces of chess.
const MINOR_PIECES: &[&str] = &["knight", "bishop"];

// All pawns of the game are scorpions, so an ordinary pawn cannot be the unit. Values are relative to minor pieces worth 3, as in the
// document, or compared with the pawn of Gunnery Chess.
const SCORPION: &[Statement] = &[
    Statement {
        quote: "The Scorpion's value is half the value of a knight or bishop, that is, 1.5. This means that a light piece can be \
                exchanged for two Scorpions",
        document: "gunnery-chess.txt",
        test: Test::RelativeValue {
            kind: "scorpion",
            others: MINOR_PIECES,
            unit: 3.0,
            claimed: 1.5,
        },
    },
    Statement {
        quote: "The Scorpion's value is half the value of a knight or bishop, that is, 1.5.",
        document: "gunnery-chess.txt",
        test: Test::PawnCost {
            than: "gunnery",
            claimed: Claimed::Equal {
                value: 1.5,
                max_width: 0.75,
            },
            claim: "a missing Scorpion costs 1.5 times what a missing pawn costs in gunnery",
        },
    },
    Statement {
        quote: "In the endgame it could become very dangerous, and its value often increases.",
        document: "gunnery-chess.txt",
        test: Test::GainsInEndgame {
            kind: "scorpion",
            others: MINOR_PIECES,
        },
    },
];

const APOTHECARY: &str = "apothecary-chess-2.txt";

const EXTRA_MOVE: Handicap = Handicap {
    name: "an extra move",
    starts: &["14+two-moves:white"],
    receiver: Receiver::AlwaysWhite,
    from_center: 0.0,
};

/// An extra pawn, `from_center` files away from the center of the board.
const fn extra_pawn(name: &'static str, starts: &'static [&'static str], from_center: f64) -> Handicap {
    Handicap {
        name,
        starts,
        receiver: Receiver::FirstWhite,
        from_center,
    }
}

const A4: Handicap = extra_pawn("an extra pawn on a4", &["14+pawn:a4"], 4.5);
const B4: Handicap = extra_pawn("an extra pawn on b4", &["14+pawn:b4"], 3.5);
const C4: Handicap = extra_pawn("an extra pawn on c4", &["14+pawn:c4"], 2.5);
const D4: Handicap = extra_pawn("an extra pawn on d4", &["14+pawn:d4"], 1.5);
const E4: Handicap = extra_pawn("an extra pawn on e4", &["14+pawn:e4"], 0.5);

const EXTRA_PAWN: Handicap = extra_pawn(
    "an extra pawn",
    &["14+pawn:a4", "14+pawn:b4", "14+pawn:c4", "14+pawn:d4", "14+pawn:e4"],
    2.5,
);

/// White lacks a piece and has extra pawns in exchange.
const fn piece_for_pawns(name: &'static str, starts: &'static [&'static str]) -> Handicap {
    Handicap {
        name,
        starts,
        receiver: Receiver::FirstBlack,
        from_center: 0.0,
    }
}

const CONNECTED_PAWNS: Handicap = piece_for_pawns("a bishop for pawns on d4 and e4", &["14+bishop:d2:d4,e4"]);
// As close to the center, between files e and f, as the connected pawns.
const SEPARATE_PAWNS: Handicap = piece_for_pawns("a bishop for pawns on d4 and f4", &["14+bishop:d2:d4,f4"]);
const EDGE_PAWNS: Handicap = piece_for_pawns("a bishop for pawns on a4 and b4", &["14+bishop:d2:a4,b4"]);

const BISHOP_FOR_PAWNS: Handicap = piece_for_pawns(
    "a bishop for two pawns",
    &["14+bishop:d2:d4,e4", "14+bishop:d2:d4,f4", "14+bishop:d2:a4,b4"],
);

const ROOK_FOR_PAWNS: Handicap = piece_for_pawns("a rook for three pawns", &["14+rook:a1:d4,e4:e8"]);

const APOTHECARY2: &[Statement] = &[
    Statement {
        quote: "Pawn 800, zebra 2900, camel 3025, knight 3050, bishop 3400, elephant 3500, rook 5750, archbishop 7500, \
                chancellor 8000, queen 9000",
        document: APOTHECARY,
        test: Test::Values,
    },
    Statement {
        quote: "the strength of this piece is highly dependent on the opponents material",
        document: APOTHECARY,
        test: Test::JokerAgainstMajors,
    },
    Statement {
        quote: "This can be done up until turn 12 (including 12) by white and turn 18 (including 18) by black. This turn difference \
                is done to ballance the first move advantage.",
        document: APOTHECARY,
        test: Test::FirstMove,
    },
    Statement {
        quote: "This turn difference is done to ballance the first move advantage.",
        document: APOTHECARY,
        test: Test::RuleHelpsBlack {
            with: "apothecary2-12-18",
            without: "apothecary2-12-12",
        },
    },
    Statement {
        quote: "Here is a list of what I considered acceptable handicaps from smallest to largest accepted.",
        document: APOTHECARY,
        test: Test::Handicaps(&[EXTRA_MOVE, EXTRA_PAWN, BISHOP_FOR_PAWNS, ROOK_FOR_PAWNS]),
    },
    Statement {
        quote: "The closer the pawn to the middle of the board the larger the handicap.",
        document: APOTHECARY,
        test: Test::CentralPawns(&[A4, B4, C4, D4, E4]),
    },
    Statement {
        quote: "If those pawns are connected than the handicap is smaller",
        document: APOTHECARY,
        test: Test::LargerHandicap {
            claim: "a bishop for two pawns is a smaller handicap if the pawns are connected",
            more: SEPARATE_PAWNS,
            less: CONNECTED_PAWNS,
        },
    },
    Statement {
        quote: "also if the pawns are closer to the middle of the board",
        document: APOTHECARY,
        test: Test::LargerHandicap {
            claim: "a bishop for two pawns is a smaller handicap if the pawns are near the center",
            more: EDGE_PAWNS,
            less: CONNECTED_PAWNS,
        },
    },
    Statement {
        quote: "The 24 initial positions are chosen from an uniform distribution for now.",
        document: APOTHECARY,
        test: Test::FairStarts,
    },
];

const CUSTOM: &[Statement] = &[Statement {
    quote: "the values in the definition",
    document: "the definition",
    test: Test::Values,
}];

/// The built-in games with claims.
pub const GAMES: [&str; 5] = ["berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

/// Statements about a game; empty if its document claims nothing that games can test.
pub fn statements(game: &GameDef) -> &'static [Statement] {
    match game.name.as_str() {
        "berolina" => BEROLINA,
        "gamma2" => GAMMA2,
        "gunnery" => GUNNERY,
        "scorpion" => SCORPION,
        "apothecary2" => APOTHECARY2,
        name if BUILTIN_NAMES.contains(&name) => &[],
        _ if has_values(game) => CUSTOM,
        _ => &[],
    }
}

fn has_values(game: &GameDef) -> bool {
    let mut kinds = game.all_kinds().filter(|&kind| kind != game.pawn && kind != game.king);
    kinds.any(|kind| game.value_in_pawns(kind).is_some())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_rules::{GameDef, Position};

    use super::{GAMES, statements};
    use crate::values::claims::run_cache::RunKind;
    use crate::values::claims::variants::variant;

    #[test]
    fn games_of_every_claim_can_be_played() {
        for name in GAMES {
            let game = GameDef::builtin(name).unwrap();
            assert!(!statements(&game).is_empty(), "{name}");
            for statement in statements(&game) {
                for run in statement.runs(name) {
                    let source = GameDef::builtin(&run.game).or_else(|| Some(Arc::clone(&variant(&run.game)?.game)));
                    let source = source.unwrap_or_else(|| panic!("{name}: no game {}", run.game));
                    if let RunKind::Start(start) = &run.kind {
                        Position::from_start(&source, start).unwrap();
                    }
                }
            }
        }
    }
}
