//! Two armies against each other: a game in which White has one army and Black the other, and what
//! its games say.
//!
//! In most openings an army lacks one or two pawns, so that the same games give the scale: the
//! log-odds of the first army's score are its advantage, plus those of a pawn for each that it has
//! more, plus or minus those of the first move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use assay_rules::def::{DefError, RightKind};
use assay_rules::{Color, GameDef, Kind, Piece, Position, Setup, Square, betza};
use assay_selfplay::RecordedRun;
use serde::Serialize;
use toml::{Table, Value};

use super::candidate::{Host, error_of_option, free_letters, part, set_starts, table_of};
use super::model::{Logit, fit, logistic, or_penalized};
use crate::values::data::{DataError, DataFile, join_names, read_runs, unwatched};
use crate::values::design::{DesignMatrix, Observation};
use crate::values::inference::{Estimate, Quantity, Sample};

/// Most pawns that a handicap takes away.
const MAX_PAWNS: i32 = 4;

/// An army at the start of a game, as White has it.
#[derive(Clone, Debug)]
pub struct Army {
    /// The title of its game, or its movements.
    pub title: String,
    /// Each with its square, and with the name and the movement of the piece.
    pieces: Vec<(Square, String, String)>,
}

impl Army {
    /// The army of the default start of a game.
    ///
    /// # Errors
    /// If the game has another board, king or pawn than `rules`, or pieces in pockets.
    pub fn of_game(game: &Arc<GameDef>, rules: &GameDef) -> Result<Army, DefError> {
        let title = game.title.clone();
        let betza = |game: &GameDef, kind: Option<Kind>| kind.map_or("none", |kind| &game.kind(kind).betza).to_owned();
        let common = |game: &GameDef| [game.kinds.king(), Some(game.first_pawn())].map(|kind| betza(game, kind));
        let (found, expected) = (common(game), common(rules));
        if game.board != rules.board || found != expected {
            return Err(error(format!(
                "found another board, king ({}) or pawn ({}) in {title}, expected those of {} ({}, {})",
                found[0], found[1], rules.title, expected[0], expected[1]
            )));
        }
        let start = Position::start(game);
        if Color::ALL.iter().any(|&color| !start.pocket(color).is_empty()) {
            return Err(error(format!("found pieces in the pockets of {title}, expected all on the board")));
        }
        let whites = start.pieces().filter(|(_, piece)| piece.color == Color::White);
        let pieces = whites.map(|(square, piece)| {
            let kind = game.kind(piece.kind);
            (square, kind.name.clone(), kind.betza.clone())
        });
        Ok(Army { title, pieces: pieces.collect() })
    }

    /// The pieces with these movements in XBetza, from the first file to the last, behind the pawns
    /// of `rules`. `K` stands for the king.
    ///
    /// # Errors
    /// If a movement is invalid, or there are not as many as files, or not one king among them.
    pub fn of_movements(movements: &[&str], rules: &Arc<GameDef>) -> Result<Army, DefError> {
        let (files, kings) = (rules.board.files(), movements.iter().filter(|&&movement| movement == "K"));
        if (movements.len(), kings.count()) != (usize::from(files), 1) {
            return Err(error(format!(
                "found `{}`, expected {files} movements, one for each file, among them one K, the king",
                movements.join(" ")
            )));
        }
        let mut pieces = Army::of_game(rules, rules)?.pieces;
        pieces.retain(|(_, name, _)| *name == rules.kind(rules.first_pawn()).name);
        let no_king = || error(format!("found {}, a game without a king, expected one with a king", rules.title));
        let king = rules.kinds.king().ok_or_else(no_king)?;
        let home = Position::start(rules).king(Color::White).ok_or_else(no_king)?;
        let rank = i16::from(rules.board.rank(home));
        for (file, &movement) in (0..).zip(movements) {
            betza::parse(movement).map_err(|fault| error(format!("{movement}: {fault}")))?;
            let square = rules.board.square_at(file, rank);
            let square = square.ok_or_else(|| error(format!("found no square for {movement}, expected one")))?;
            let king = &rules.kind(king).betza;
            let betza = if movement == "K" { king } else { movement };
            pieces.push((square, movement.to_owned(), betza.to_owned()));
        }
        Ok(Army { title: movements.join(" "), pieces })
    }
}

fn error(message: String) -> DefError {
    DefError::at("--army", "", None, None, message)
}

/// Definition of a game with the rules of another one, in which White has the first army and Black
/// the second. Pawns promote to the pieces of both. Both sides castle, or none if an army lacks
/// what it needs for that.
///
/// # Errors
/// If there are more pieces than letters, or no game can begin with these armies.
pub fn definition_with_armies(armies: [&Army; 2], rules: &Host) -> Result<String, DefError> {
    let (mut table, game) = (rules.table()?, rules.game()?);
    table.insert("name".to_owned(), "armies".into());
    let title = armies.map(|army| army.title.as_str()).join(" against ");
    table.insert("title".to_owned(), title.into());
    // By movement: a piece of both armies has one letter, whatever its names.
    let known = game.kinds.iter().map(|kind| (kind.betza.as_str(), kind.letter));
    let mut letters: BTreeMap<&str, char> = known.collect();
    let mut free = free_letters(&game).into_iter();
    for (_, name, betza) in armies.iter().flat_map(|army| &army.pieces) {
        if letters.contains_key(betza.as_str()) {
            continue;
        }
        let letter = free.next();
        let letter = letter.ok_or_else(|| error("found more pieces than letters, expected fewer".to_owned()))?;
        letters.insert(betza, letter);
        let pieces = part(&mut table, "pieces");
        // Two games may give one name to different pieces.
        let name = if pieces.contains_key(name) { betza } else { name };
        let piece = table_of([("letter", letter.to_string()), ("move", betza.clone())]);
        pieces.insert(name.clone(), piece);
    }
    let pieces = armies.iter().flat_map(|army| &army.pieces);
    let pieces = pieces.filter_map(|(_, _, betza)| letters.get(betza.as_str()));
    let kept = game.kinds.king().into_iter().chain([game.first_pawn()]);
    let kept: Vec<char> = kept.map(|kind| game.kind(kind).letter).collect();
    let to: BTreeSet<char> = pieces.copied().filter(|letter| !kept.contains(letter)).collect();
    let ranks = game.pawns.promotion.iter().map(|rank| {
        let to = ("to".to_owned(), to.iter().collect::<String>().into());
        let choices = [to, ("optional".to_owned(), rank.optional.into())];
        (rank.rank.to_string(), Value::Table(choices.into_iter().collect()))
    });
    table.insert("promotion".to_owned(), Value::Table(ranks.collect()));
    let start = start_of(&table, armies, &letters)?;
    let mut setup = start.setup().clone();
    let rights = &start.game().rights;
    let castling = |color| {
        let of_color =
            |index: &usize| rights[*index].color == color && matches!(rights[*index].kind, RightKind::Castle(_));
        start.rights().iter().filter(of_color).collect::<Vec<usize>>()
    };
    let [white, black] = Color::ALL.map(castling);
    if (white.is_empty() || white.len() != black.len())
        && let Some(king) = game.kinds.castling_king()
    {
        white.into_iter().chain(black).for_each(|index| setup.rights.remove(index));
        // The king's movement without the term of castling, for example `K` for `KisO2`.
        let king = game.kind(king);
        let (before, castling) = king.betza.split_once('O').unwrap_or((&king.betza, ""));
        let before = before.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        let movement = before.to_owned() + castling.trim_start_matches(|letter: char| letter.is_ascii_digit());
        table.remove("castling");
        part(part(&mut table, "pieces"), &king.name).insert("move".to_owned(), movement.into());
    }
    set_starts(&mut table, starts(start.game(), &setup)?);
    Ok(table.to_string())
}

/// White's and Black's army in the start position of a game.
fn start_of(table: &Table, armies: [&Army; 2], letters: &BTreeMap<&str, char>) -> Result<Position, DefError> {
    let game = GameDef::from_toml(&table.to_string(), "").map_err(|fault| error_of_option("--army", &fault))?;
    let game = Arc::new(game);
    let board = &game.board;
    let mut setup = Position::start(&game).setup().clone();
    setup.pieces.fill(None);
    for (color, army) in Color::ALL.into_iter().zip(armies) {
        for (square, _, betza) in &army.pieces {
            let rank = match color {
                Color::White => board.rank(*square),
                Color::Black => board.ranks() - 1 - board.rank(*square),
            };
            let square = board.square_at(i16::from(board.file(*square)), i16::from(rank));
            let kind = letters.get(betza.as_str()).and_then(|&letter| game.kinds.by_letter(letter));
            if let Some((square, kind)) = square.zip(kind) {
                setup.pieces[square.index()] = Some(Piece { color, kind });
            }
        }
    }
    let (position, _rights_without_pieces) =
        Position::from_setup(&game, &setup).map_err(|errors| error(errors.to_string()))?;
    Ok(position)
}

/// Start positions: a quarter with all pawns, half without one pawn of a side, a quarter without
/// two.
fn starts(game: &Arc<GameDef>, setup: &Setup) -> Result<Vec<Value>, DefError> {
    let mut missing = Vec::new();
    for color in Color::ALL {
        let pawn = Some(Piece { color, kind: game.first_pawn() });
        let pawns: Vec<usize> = (0..setup.pieces.len()).filter(|&at| setup.pieces[at] == pawn).collect();
        let (left, right) = pawns.split_at(pawns.len() / 2);
        missing.extend(pawns.iter().map(|&at| vec![at]));
        missing.extend(left.iter().zip(right).map(|(&one, &other)| vec![one, other]));
        missing.extend(left.iter().map(|_| Vec::new()));
    }
    let start = |(missing, number): (Vec<usize>, usize)| {
        let mut setup = setup.clone();
        for &at in &missing {
            setup.pieces[at] = None;
        }
        let (position, _) = Position::from_setup(game, &setup).map_err(|errors| error(errors.to_string()))?;
        let title = format!("without {} pawns", missing.len());
        Ok(table_of([("id", number.to_string()), ("title", title), ("fen", position.fen())]))
    };
    missing.into_iter().zip(1..).map(start).collect()
}

/// What the games of two armies say. Scores are those of the first army, 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct ArmiesReport {
    pub assay: String,
    /// Titles of their games, or the movements.
    pub armies: [String; 2],
    pub games: u64,
    /// Opening pairs.
    pub pairs: usize,
    pub has_castling: bool,
    /// Score of the first army without a handicap. It alone says which army is stronger.
    pub score: Estimate,
    /// Advantage of the first army in pawns, negative if the second one is stronger; `None` until
    /// the games show that a pawn is worth anything.
    pub advantage: Option<Estimate>,
    /// The games without a handicap, then handicaps of the stronger army, by descending expected
    /// score; only the first one without an advantage in pawns.
    pub handicaps: Vec<Handicap>,
    /// Index of the handicap that is nearest to even.
    pub nearest: usize,
    /// Coefficients that separate the results, as of a measurement of values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub separated: Vec<String>,
    pub files: Vec<DataFile>,
}

/// A handicap of the stronger army, and the score that is expected with it.
#[derive(Clone, Debug, Serialize)]
pub struct Handicap {
    pub pawns: i32,
    /// The weaker army always has White.
    pub first_move: bool,
    pub score: Estimate,
}

/// Measures from a run of games between `armies`, which are their titles.
///
/// # Errors
/// If the run cannot be read or has too few games.
pub fn measure(run: &dyn RecordedRun, armies: [String; 2]) -> Result<ArmiesReport, DataError> {
    let mut design = DesignMatrix::new(["army", "pawn", "first move"].map(str::to_owned).to_vec());
    let mut games = 0;
    let read = read_runs(&[run], &mut unwatched, |run, records, pairs| -> Result<(), DataError> {
        let pawn = run.game.kind(run.game.first_pawn()).letter;
        for record in records {
            let board = record.start_fen.split(' ').next().unwrap_or_default();
            let pawns = |letter: char| board.matches(letter).count() as f64;
            let more = pawns(pawn) - pawns(pawn.to_ascii_lowercase());
            // The first army is White in the first game of a pair.
            let side = if record.white == 0 { 1.0 } else { -1.0 };
            let observation = Observation::new(record.points_of(0).as_f64(), pairs(record.pair));
            design.push(&[1.0, side * more, side], observation);
            games += 1;
        }
        Ok(())
    })?;
    let model = Logit::fractional();
    let fit = or_penalized(fit(&model, &design), &model, &design)
        .map_err(|error| DataError::at(join_names(&read.files), error))?;
    let coefficients = Quantity::all(&Sample::of_fit(&fit, games), &fit.coefficients);
    let [army, pawn, first] = [0, 1, 2].map(|index| &coefficients[index]);
    let is_pawn_known = pawn.estimate().interval.is_some_and(|[low, _]| low > 0.0);
    let advantage = is_pawn_known.then(|| (army / pawn).estimate());
    // As the score says, also at a tie.
    let sign = if score(army).value > 0.5 { 1.0 } else { -1.0 };
    let handicap = |pawns: i32, first_move: bool| {
        let terms = [(army, 1.0), (pawn, -sign * f64::from(pawns)), (first, -sign * f64::from(u8::from(first_move)))];
        (
            sign * Quantity::weighted_sum(terms).value,
            Handicap { pawns, first_move, score: score(&Quantity::weighted_sum(terms)) },
        )
    };
    let all = (0..=MAX_PAWNS).flat_map(|pawns| [handicap(pawns, false), handicap(pawns, true)]);
    let mut all: Vec<(f64, Handicap)> = all.take(if is_pawn_known { usize::MAX } else { 1 }).collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    Ok(ArmiesReport {
        assay: env!("CARGO_PKG_VERSION").to_owned(),
        armies,
        games,
        pairs: read.pairs,
        has_castling: read.game.mechanisms.castling.is_some(),
        score: score(army),
        advantage,
        nearest: (0..all.len()).min_by(|&one, &other| all[one].0.abs().total_cmp(&all[other].0.abs())).unwrap_or(0),
        handicaps: all.into_iter().map(|(_, handicap)| handicap).collect(),
        separated: fit.separated,
        files: read.files,
    })
}

/// Expected score at these log-odds.
fn score(log_odds: &Quantity) -> Estimate {
    let score = log_odds.estimate().map(logistic);
    score.expect("the interval of a sum of coefficients is bounded")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::candidate::HostArmy;

    fn game(armies: [&str; 2]) -> Result<Arc<GameDef>, DefError> {
        let rules = Host::from(HostArmy::Chess);
        let army = |text: &str| match GameDef::builtin(text) {
            Some(game) => Army::of_game(&game, &*rules.game()?),
            None => Army::of_movements(&text.split(' ').collect::<Vec<_>>(), &rules.game()?),
        };
        let [one, other] = armies.map(army);
        let definition = definition_with_armies([&one?, &other?], &rules)?;
        Ok(Arc::new(GameDef::from_toml(&definition, "test")?))
    }

    #[test]
    fn both_armies_or_none_can_castle() {
        let start = |armies| Position::start(&game(armies).unwrap()).fen();
        // The first start lacks White's first pawn.
        assert_eq!(start(["R N B Q K B N R", "chess"]), "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(
            start(["BD WA FAD BN K FAD WA BD", "chess"]),
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/XYZAKZYX w - - 0 1"
        );
        for other in ["chess", "N N N N K N N N"] {
            assert!(game(["BD WA FAD BN K FAD WA BD", other]).unwrap().mechanisms.castling.is_none());
        }
    }

    #[test]
    fn pawns_promote_to_the_pieces_of_both_armies() {
        let game = game(["BD N B Q K B N BD", "chess"]).unwrap();
        let letters: String = game.pawns.promotion[0].kinds.iter().map(|&kind| game.kind(kind).letter).collect();
        assert_eq!(letters, "BNQRX");
        assert_eq!(game.starts.len(), 32);
    }

    #[test]
    fn rejects_armies_that_cannot_meet() {
        let message = |one| game([one, "chess"]).unwrap_err().to_string();
        let found = message("gamma2");
        assert!(found.starts_with("--army: found another board, king ("), "{found}");
        let found = message("R N B Q K B N");
        assert_eq!(
            found,
            "--army: found `R N B Q K B N`, expected 8 movements, one for each file, among them one K, the king"
        );
        assert!(message("R N B Q K B N R?").starts_with("--army: R?: "));
        assert!(message("R N K Q K B N R").contains("among them one K"));
    }
}
