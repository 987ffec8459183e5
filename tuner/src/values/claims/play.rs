//! How the games of a run were played: scores, captures, checks and exchanges, and the course of
//! the evaluations.

use std::collections::BTreeMap;

use assay_rules::def::PieceClass;
use assay_rules::{Color, GameDef, Kind, Points};
use assay_selfplay::GameRecord;
use assay_selfplay::game::Eval;
use assay_selfplay::positions::{Ply, has_unchanged_material};
use assay_selfplay::settings::SecondGame;

use super::terms::PLAY;
use crate::values::data::material::full_board;
use crate::values::data::{DataError, PairNumber, RunReader};
use crate::values::design::{DesignMatrix, Observation};
use crate::values::inference::Quantity;
use crate::values::model::{Logit, fit_from, logistic};

/// Plies after the opening at which open files are counted.
const OPEN_FILES_AT: usize = 40;

/// Least shares of pieces left in the opening and in the middlegame.
const PHASES: [f64; 2] = [2.0 / 3.0, 1.0 / 3.0];

/// Numbers counted in one game, by their names in [`PLAY`]; those that the game lacks are missing.
pub(super) type Counted = BTreeMap<&'static str, f64>;

/// What is measured of one game.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    /// Number of the opening pair, over all files.
    pub(super) pair: usize,
    pub(super) white: Points,
    /// Score of the army that is White's in the first game of the pair.
    pub(super) army: Points,
    /// Score of the side that makes the first move.
    pub(super) first: Points,
    pub(super) counted: Counted,
    /// The evaluations of all moves, if known, from the mover's point of view.
    pub(super) evals: Vec<Option<Eval>>,
}

/// Means of games, by name.
pub(super) type Means = BTreeMap<&'static str, Result<Quantity, String>>;

/// Reads games; with `is_replayed`, counts what happens on the board, too.
pub(super) fn read(
    run: &RunReader<'_>,
    records: &[GameRecord],
    pairs: PairNumber<'_>,
    is_replayed: bool,
) -> Result<Vec<PlayedGame>, DataError> {
    let is_white_twice = run.settings().second_game() == SecondGame::OwnOpening;
    let (game, full_board) = (&run.game, full_board(&run.game) as f64);
    let replayed = if is_replayed {
        run.replay(records, |_, plies| (plies[0].side, replayed(game, full_board, plies)))?
    } else {
        vec![(Color::White, Counted::new()); records.len()]
    };
    let games = records.iter().zip(replayed).map(|(record, (first, mut counted))| {
        counted.extend(is_placed_late(game, record).map(|is_late| ("late_placements", indicator(is_late))));
        PlayedGame {
            pair: pairs(record.pair),
            white: record.result,
            army: if is_white_twice { record.result } else { record.points_of(0) },
            first: if first == Color::White { record.result } else { record.result.flipped() },
            counted,
            evals: record.moves.iter().map(|played| played.eval).collect(),
        }
    });
    Ok(games.collect())
}

/// 1 for true, 0 for false.
fn indicator(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// Whether a piece from a pocket was placed after the last move at which the side with less time
/// may do so; `None` if pieces are not placed in that way.
fn is_placed_late(game: &GameDef, record: &GameRecord) -> Option<bool> {
    let gating = game.mechanisms.gating.as_ref()?;
    let last = Color::ALL.into_iter().map(|color| gating.last_move[color]).min()?;
    let mut fields = record.start_fen.split_whitespace();
    let is_black = fields.nth(1) == Some("b");
    let first: usize = fields.next_back()?.parse().ok()?;
    let number = |ply: usize| first + usize::midpoint(ply, usize::from(is_black));
    let is_placed = |kind: Option<Kind>| kind.is_some_and(|kind| gating.pocket.contains(&kind));
    let mut moves = record.moves.iter().enumerate();
    Some(moves.any(|(ply, played)| is_placed(played.mv.extra) && number(ply) > last as usize))
}

/// Counts events in the positions of a game: the start, and one after each move. `full_board` is
/// the number of pieces of a full board.
fn replayed(game: &GameDef, full_board: f64, plies: &[Ply]) -> Counted {
    let left = |ply: &Ply| ply.material.pieces() as f64 / full_board;
    let phase = |ply: &Ply| match left(ply) {
        left if left >= PHASES[0] => "opening_forcing_moves",
        left if left >= PHASES[1] => "middlegame_forcing_moves",
        _ => "endgame_forcing_moves",
    };
    // Not the number of all pieces: a captured piece may enter a pocket.
    let army =
        |ply: &Ply, side| game.kinds.all().map(|kind| usize::from(ply.material.count_of(side, kind))).sum::<usize>();
    // Forcing moves and all moves.
    let mut moves: BTreeMap<&'static str, [f64; 2]> = BTreeMap::new();
    for two in plies.windows(2) {
        let is_forcing = two[1].in_check || army(&two[1], !two[0].side) < army(&two[0], !two[0].side);
        for name in ["forcing_moves", phase(&two[0])] {
            let [forcing, all] = moves.entry(name).or_default();
            *forcing += indicator(is_forcing);
            *all += 1.0;
        }
    }
    let mut counted: Counted = moves.into_iter().map(|(name, [forcing, all])| (name, forcing / all)).collect();

    let late = &plies[OPEN_FILES_AT.min(plies.len() - 1)];
    let closed = f64::from(late.material.pawn_files());
    counted.insert("open_files", 1.0 - closed / f64::from(game.board.files()));

    // Positions between which there are whole exchanges.
    let is_settled = |&at: &usize| at == 0 || has_unchanged_material(plies, at);
    let settled: Vec<usize> = (0..plies.len()).filter(is_settled).collect();
    let is_pawn = |kind| game.pawns.contains(kind);
    let is_minor = |kind| game.kind(kind).class == PieceClass::Minor;
    let is_minor_for_two_pawns = |two: &[usize]| {
        let two = [&plies[two[0]], &plies[two[1]]];
        let is_lost_by = |side: Color| has_lost(game, two, side, 1, is_minor) && has_lost(game, two, !side, 2, is_pawn);
        Color::ALL.into_iter().any(is_lost_by)
    };
    counted.insert("minor_for_two_pawns", indicator(settled.windows(2).any(is_minor_for_two_pawns)));

    if game.mechanisms.cannon.is_some() {
        let is_shot = |&&at: &&usize| {
            let shot = [&plies[at], plies.get(at + 1).unwrap_or(&plies[at])];
            left(shot[0]) < PHASES[1] && Color::ALL.into_iter().all(|side| has_lost(game, shot, side, 1, is_pawn))
        };
        let end = |at: usize| settled.iter().find(|&&end| end > at).map_or(plies.len() - 1, |&end| end);
        let gains = settled.iter().filter(is_shot).map(|&at| gain(game, [&plies[at], &plies[end(at)]]));
        let gains: Vec<f64> = gains.flatten().collect();
        if !gains.is_empty() {
            counted.insert("endgame_shot_gain", gains.iter().sum::<f64>() / gains.len() as f64);
        }
    }
    counted
}

/// Returns true if a side has lost this number of pieces of some kinds between two positions, and
/// its other pieces are the same.
fn has_lost(game: &GameDef, two: [&Ply; 2], side: Color, lost: i32, is_of: impl Fn(Kind) -> bool) -> bool {
    let [before, after] = two.map(|ply| |kind: &Kind| i32::from(ply.material.count_of(side, *kind)));
    let (counted, others): (Vec<Kind>, Vec<Kind>) = game.kinds.all().partition(|&kind| is_of(kind));
    counted.iter().map(|kind| before(kind) - after(kind)).sum::<i32>() == lost
        && others.iter().all(|kind| before(kind) == after(kind))
}

/// Material gained by the side to move in the first of two positions until the second, in pawns by
/// the published values; `None` if a value is missing.
fn gain(game: &GameDef, [before, after]: [&Ply; 2]) -> Option<f64> {
    let change = |kind| after.material.balance(kind) - before.material.balance(kind);
    let changed = game.kinds.all().filter(|&kind| change(kind) != 0);
    let white: Option<f64> = changed.map(|kind| Some(f64::from(change(kind)) * game.value_in_pawns(kind)?)).sum();
    white.map(|gain| if before.side == Color::White { gain } else { -gain })
}

/// The means of all measures, clustered by opening pair. `is_shared`: see [`Quantity::mean`].
pub(super) fn means(games: &[PlayedGame], is_shared: bool) -> Means {
    let mean = |measure: &dyn Fn(&PlayedGame) -> Option<f64>| {
        let numbers = games.iter().filter_map(|game| Some((game.pair, measure(game)?)));
        Quantity::mean(numbers, is_shared).ok_or_else(|| {
            "there are fewer than two openings, or all scored the same, so the error is unknown".to_owned()
        })
    };
    let measure = |name| match name {
        "draws" => mean(&|game| Some(indicator(game.white == Points::DRAW))),
        "white_score" => mean(&|game| Some(game.white.as_f64())),
        "score" => mean(&|game| Some(game.army.as_f64())),
        "length" => mean(&|game| Some(game.evals.len() as f64)),
        "score_changes" => score_scale(games).and_then(|scale| mean(&|game| score_change(&game.evals, scale))),
        _ => mean(&|game| game.counted.get(name).copied()),
    };
    PLAY.into_iter().chain(["score"]).map(|name| (name, measure(name))).collect()
}

/// The expected score of the side to move, with `scale` in log-odds per centipawn.
fn expected_score(eval: Eval, scale: f64) -> f64 {
    match eval {
        Eval::Centipawns(centipawns) => logistic(scale * f64::from(centipawns)),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}

/// Mean absolute change of the expected score between successive moves of the same player.
fn score_change(evals: &[Option<Eval>], scale: f64) -> Option<f64> {
    let changes = evals.windows(3).filter_map(|three| {
        let (before, after) = (three[0]?, three[2]?);
        Some((expected_score(after, scale) - expected_score(before, scale)).abs())
    });
    let (sum, number) = changes.fold((0.0, 0.0), |(sum, number), change| (sum + change, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

/// The maximum-likelihood scale of the scores in log-odds per centipawn: a logistic regression of
/// the results without a constant. Each game has the same weight.
fn score_scale(games: &[PlayedGame]) -> Result<f64, String> {
    let mut design = DesignMatrix::new(vec!["score".to_owned()]);
    for (cluster, game) in games.iter().enumerate() {
        let scores = || {
            game.evals.iter().enumerate().filter_map(|(ply, eval)| match eval {
                Some(Eval::Centipawns(centipawns)) => Some((ply, f64::from(*centipawns))),
                _ => None,
            })
        };
        let weight = 1.0 / scores().count() as f64;
        for (ply, score) in scores() {
            let points = if ply % 2 == 0 { game.first } else { game.first.flipped() };
            let observation = Observation { weight, ..Observation::new(points.as_f64(), cluster) };
            design.push(&[score], observation);
        }
    }
    let fit = fit_from(&Logit::fractional(), &design, None).ok();
    let scale = fit.map(|fit| fit.coefficients[0]).filter(|&scale| scale > 0.0);
    scale.ok_or_else(|| "the scores of the moves do not predict the results of these games".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_rules::{Game, Position, uci};

    use super::*;

    fn game(evals: &[Eval], white: Points) -> PlayedGame {
        PlayedGame {
            pair: 0,
            white,
            army: white,
            first: white,
            counted: Counted::new(),
            evals: evals.iter().copied().map(Some).collect(),
        }
    }

    /// The counts of a game, where so many pieces make a full board.
    fn replay(game: &Arc<GameDef>, full_board: f64, fen: &str, moves: &str) -> Counted {
        let mut played = Game::new(Position::from_fen(game, fen).unwrap());
        for text in moves.split_whitespace() {
            played.play(uci::parse(played.position(), text).unwrap());
        }
        replayed(game, full_board, &played.positions().iter().map(Ply::from).collect::<Vec<_>>())
    }

    #[test]
    fn replaying_counts_forcing_moves_open_files_and_exchanges() {
        let chess = GameDef::builtin("chess").unwrap();
        // Knight and bishop take a pawn each, and the knight is lost; in the other games, the
        // bishop takes a third pawn at once.
        for (fen, two, three) in [
            (
                "4k3/1p1p3p/2p5/4N3/B7/8/8/4K3 w - - 0 1",
                "e5c6 b7c6 a4c6 e8f8 c6b7 f8g8 b7a8 g8h8",
                "e5c6 b7c6 a4c6 e8f8 c6d7 f8g8 d7e8 g8h8",
            ),
            (
                "4k3/8/8/b7/4n3/2P5/1P1P3P/4K3 b - - 0 1",
                "e4c3 b2c3 a5c3 e1f1 c3b2 f1g1 b2a1 g1h1",
                "e4c3 b2c3 a5c3 e1f1 c3d2 f1g1 d2e1 g1h1",
            ),
        ] {
            let expected = [
                ("forcing_moves", 3.0 / 8.0),
                ("middlegame_forcing_moves", 0.0),
                ("minor_for_two_pawns", 1.0),
                ("open_files", 6.0 / 8.0),
                ("opening_forcing_moves", 1.0),
            ];
            assert_eq!(replay(&chess, 6.0, fen, two), Counted::from(expected));
            let three = replay(&chess, 6.0, fen, three);
            assert_eq!((three["minor_for_two_pawns"], three["forcing_moves"]), (0.0, 0.5), "{three:?}");
            assert_eq!((three["open_files"], three["middlegame_forcing_moves"]), (7.0 / 8.0, 0.2), "{three:?}");
        }
    }

    #[test]
    fn shots_gain_what_is_captured_after_them() {
        let gunnery = GameDef::builtin("gunnery").unwrap();
        // The pawn behind its king shoots the other pawn, and a rook may take the knight.
        for (fen, nothing, knight) in [
            ("k7/3np2p/8/8/8/4K3/4P2P/3R4 w - - 0 1", "e2e7 d7b6 d1d3 b6c8", "e2e7 a8b8 d1d7 b8c8 e3e4"),
            ("3r4/4p2p/4k3/8/8/8/3NP2P/K7 b - - 0 1", "e7e2 d2b3 d8d6 b3c1", "e7e2 a1b1 d8d2 b1c1 e6e5"),
        ] {
            let gain = |full_board, moves| replay(&gunnery, full_board, fen, moves).get("endgame_shot_gain").copied();
            assert_eq!([nothing, knight].map(|moves| gain(30.0, moves)), [Some(0.0), Some(3.0)], "{fen}");
            // Not in the endgame.
            assert_eq!(gain(6.0, knight), None, "{fen}");
        }
    }

    #[test]
    fn scale_of_scores_maximizes_the_likelihood() {
        // Two wins and a loss at +100 have log-odds of ln 2, whatever the mover.
        let ahead = [Eval::Centipawns(100), Eval::Centipawns(-100)];
        let games = [Points::WIN, Points::WIN, Points::LOSS].map(|white| game(&ahead, white));
        let scale = score_scale(&games).unwrap();
        assert!((100.0 * scale - 2.0_f64.ln()).abs() < 1e-9, "{scale}");
        let unexpected = score_scale(&[game(&ahead, Points::LOSS)]);
        assert!(unexpected.unwrap_err().contains("do not predict"));
    }

    #[test]
    fn score_changes_are_those_of_each_player() {
        let scale = 3.0_f64.ln() / 100.0;
        // White's expected score rises from 1/2 to 3/4 and then to a certain win; Black's falls
        // from 1/2 to 0.
        let evals = [Eval::Centipawns(0), Eval::Centipawns(0), Eval::Centipawns(100), Eval::Mate(-2), Eval::Mate(2)];
        let change = score_change(&evals.map(Some), scale).unwrap();
        assert!((change - (0.25 + 0.5 + 0.25) / 3.0).abs() < 1e-12, "{change}");
        assert_eq!(score_change(&evals.map(Some)[..2], scale), None);
        assert_eq!(score_change(&[None; 5], scale), None);
    }
}
