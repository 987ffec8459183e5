//! Each game's claims: what its document says, and how that is tested. A new game's claims are added here.
//!
//! A user's game has no document; its claims are the values in its definition.

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
            says: "a missing pawn costs more than in chess",
        },
    },
    Statement {
        quote: "One could argue that the value of the pawn is higher in Gunnery Chess than in regular chess.",
        document: "gunnery-chess.txt",
        test: Test::PawnAmongPieces {
            than: "chess",
            others: LIGHT,
        },
    },
];

/// The light pieces of chess.
const LIGHT: &[&str] = &["knight", "bishop"];

// All pawns of the game are Scorpions, so an ordinary pawn cannot be its unit: that is the light piece, 3, as in "half a light
// piece, that is, 1.5"; and gunnery's pawn is held against it from outside.
const SCORPION: &[Statement] = &[
    Statement {
        quote: "The Scorpion's value is half the value of a knight or bishop, that is, 1.5. This means that a light piece can be \
                exchanged for two Scorpions",
        document: "gunnery-chess.txt",
        test: Test::Share {
            kind: "scorpion",
            others: LIGHT,
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
                most_width: 0.75,
            },
            says: "a missing Scorpion costs 1.5 times what a missing pawn costs in gunnery",
        },
    },
    Statement {
        quote: "In the endgame it could become very dangerous, and its value often increases.",
        document: "gunnery-chess.txt",
        test: Test::Gains {
            kind: "scorpion",
            others: LIGHT,
        },
    },
];

const APOTHECARY: &str = "apothecary-chess-2.txt";

const MOVE: Handicap = Handicap {
    name: "a move more",
    starts: &["14+two-moves:white"],
    receiver: Receiver::AlwaysWhite,
    from_middle: 0.0,
};

/// A pawn more on one of the files, and how far from the middle that is.
const fn pawn(name: &'static str, starts: &'static [&'static str], from_middle: f64) -> Handicap {
    Handicap {
        name,
        starts,
        receiver: Receiver::FirstWhite,
        from_middle,
    }
}

const A4: Handicap = pawn("a pawn on a4", &["14+pawn:a4"], 4.5);
const B4: Handicap = pawn("a pawn on b4", &["14+pawn:b4"], 3.5);
const C4: Handicap = pawn("a pawn on c4", &["14+pawn:c4"], 2.5);
const D4: Handicap = pawn("a pawn on d4", &["14+pawn:d4"], 1.5);
const E4: Handicap = pawn("a pawn on e4", &["14+pawn:e4"], 0.5);

const PAWN: Handicap = pawn(
    "a pawn more",
    &["14+pawn:a4", "14+pawn:b4", "14+pawn:c4", "14+pawn:d4", "14+pawn:e4"],
    2.5,
);

/// White gives a bishop and takes two pawns.
const fn bishop(name: &'static str, starts: &'static [&'static str]) -> Handicap {
    Handicap {
        name,
        starts,
        receiver: Receiver::FirstBlack,
        from_middle: 0.0,
    }
}

const CONNECTED: Handicap = bishop("a bishop for pawns on d4 and e4", &["14+bishop:d2:d4,e4"]);
// As near to the middle as the connected ones: it lies between the files e and f.
const APART: Handicap = bishop("a bishop for pawns on d4 and f4", &["14+bishop:d2:d4,f4"]);
const FAR: Handicap = bishop("a bishop for pawns on a4 and b4", &["14+bishop:d2:a4,b4"]);

const BISHOP: Handicap = bishop(
    "a bishop for two pawns",
    &["14+bishop:d2:d4,e4", "14+bishop:d2:d4,f4", "14+bishop:d2:a4,b4"],
);

const ROOK: Handicap = bishop("a rook for three pawns", &["14+rook:a1:d4,e4:e8"]);

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
        test: Test::Handicaps(&[MOVE, PAWN, BISHOP, ROOK]),
    },
    Statement {
        quote: "The closer the pawn to the middle of the board the larger the handicap.",
        document: APOTHECARY,
        test: Test::NearerTheMiddle(&[A4, B4, C4, D4, E4]),
    },
    Statement {
        quote: "If those pawns are connected than the handicap is smaller",
        document: APOTHECARY,
        test: Test::MoreThan {
            says: "a bishop for two pawns gives less if these are connected",
            more: APART,
            less: CONNECTED,
        },
    },
    Statement {
        quote: "also if the pawns are closer to the middle of the board",
        document: APOTHECARY,
        test: Test::MoreThan {
            says: "a bishop for two pawns gives less if these are near the middle",
            more: FAR,
            less: CONNECTED,
        },
    },
    Statement {
        quote: "The 24 initial positions are chosen from an uniform distribution for now.",
        document: APOTHECARY,
        test: Test::FairStarts,
    },
];

const OWN: &[Statement] = &[Statement {
    quote: "the values of its definition",
    document: "the definition",
    test: Test::Values,
}];

/// The built-in games of which something is claimed.
pub const GAMES: [&str; 5] = ["berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

/// A game's claims; none where its inventor claims nothing that games can test.
pub fn statements(game: &GameDef) -> &'static [Statement] {
    match game.name.as_str() {
        "berolina" => BEROLINA,
        "gamma2" => GAMMA2,
        "gunnery" => GUNNERY,
        "scorpion" => SCORPION,
        "apothecary2" => APOTHECARY2,
        name if BUILTIN_NAMES.contains(&name) => &[],
        _ if has_values(game) => OWN,
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
    fn every_claim_can_be_played() {
        for name in GAMES {
            let game = GameDef::builtin(name).unwrap();
            assert!(!statements(&game).is_empty(), "{name}");
            for statement in statements(&game) {
                for run in statement.runs(name) {
                    let source = GameDef::builtin(&run.game).or_else(|| Some(Arc::clone(&variant(&run.game)?.game)));
                    let source = source.unwrap_or_else(|| panic!("{name}: no game {}", run.game));
                    if let RunKind::From(start) = &run.kind {
                        Position::from_start(&source, start).unwrap();
                    }
                }
            }
        }
    }
}
