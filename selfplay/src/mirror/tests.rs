use super::*;
use assay_rules::Color;
use assay_rules::def::game_names;
use proptest::prelude::*;

use crate::seed::{Purpose, Stream};

/// A position some random moves after a random start.
fn walked(name: &str, seed: u64, plies: usize) -> Position {
    let game = GameDef::builtin(name).unwrap();
    let mut stream = Stream::new(Purpose::Opening, seed, 0);
    let start = stream.pick(&game.starts).unwrap();
    let mut position = Position::from_fen(&game, &start.fen).unwrap();
    for _ in 0..plies {
        let Some(&mv) = stream.pick(&position.legal_moves()) else {
            break;
        };
        position = position.play(mv);
    }
    position
}

/// The built-in games in which both sides can have the same pieces.
fn symmetric_games() -> impl Iterator<Item = &'static str> {
    let is_symmetric = |name: &&str| {
        let game = GameDef::builtin(name).unwrap();
        game.kinds.iter().all(|kind| kind.side.is_none())
    };
    game_names().filter(is_symmetric)
}

/// Returns true if both sides may still gate, or neither: otherwise the colors' chances differ.
fn limits_agree(position: &Position) -> bool {
    let Some(gating) = &position.game().mechanisms.gating else {
        return true;
    };
    let earliest = gating.last_move.0.into_iter().min().unwrap_or(0);
    position.next_fullmove_number(Color::White).max(position.next_fullmove_number(Color::Black)) <= earliest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn mirroring_twice_is_the_identity(seed: u64, plies in 0_usize..60) {
        for name in symmetric_games() {
            let position = walked(name, seed, plies);
            let mirrored = mirror(&position).unwrap();
            prop_assert_eq!(mirror(&mirrored).unwrap(), position.clone(), "{}", position.fen());
            prop_assert_eq!(mirrored.in_check(), position.in_check(), "{}", position.fen());
            let gives_black_a_reply = position.game().mechanisms.goal.as_ref().is_some_and(|goal| goal.last_turn);
            if limits_agree(&position) && !gives_black_a_reply {
                prop_assert_eq!(mirrored.legal_moves().len(), position.legal_moves().len(), "{}", position.fen());
                let (here, there) = (position.outcome(), mirrored.outcome());
                prop_assert_eq!(here.map(|end| end.termination), there.map(|end| end.termination));
                prop_assert_eq!(here.map(|end| end.white), there.map(|end| end.white.flipped()));
            }
        }
    }

    #[test]
    fn swapping_armies_twice_is_the_identity(seed: u64, plies in 0_usize..30) {
        for name in symmetric_games() {
            let position = walked(name, seed, plies);
            if position.in_check() || position.en_passant().is_some() {
                continue;
            }
            let swapped = swap_armies(&position).unwrap();
            prop_assert_eq!(swapped.turn(), position.turn());
            // The position after the swap may be one in which the mover is in check; then it cannot
            // be swapped back.
            if !swapped.in_check() {
                prop_assert_eq!(swap_armies(&swapped).unwrap(), position);
            }
        }
    }
}

#[test]
fn a_berolina_passer_is_mirrored_with_its_victim() {
    let game = GameDef::builtin("berolina").unwrap();
    let position = Position::from_fen(&game, "4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1").unwrap();
    assert_eq!(mirror(&position).unwrap().fen(), "4k3/8/8/5Pp1/8/8/8/4K3 w - f6g5 0 1");
}

#[test]
fn sides_with_pieces_of_their_own_cannot_be_exchanged() {
    let start = Position::start(&GameDef::builtin("horde").unwrap());
    let error = swap_armies(&start).unwrap_err().to_string();
    assert_eq!(error, "horde has pieces that only one side can have");
}

#[test]
fn castling_rights_change_sides() {
    let game = GameDef::builtin("chess").unwrap();
    let position = Position::from_fen(&game, "r3k3/8/8/8/8/8/8/4K2R b Kq - 3 9").unwrap();
    assert_eq!(mirror(&position).unwrap().fen(), "4k2r/8/8/8/8/8/8/R3K3 w Qk - 3 9");
    assert_eq!(swap_armies(&position).unwrap().fen(), "4k2r/8/8/8/8/8/8/R3K3 b Qk - 3 9");
}

#[test]
fn a_double_move_has_no_mirror_but_armies_can_be_swapped() {
    let game = GameDef::builtin("apothecary2").unwrap();
    let position = Position::from_start(&game, "14+two-moves:white").unwrap();
    let error = mirror(&position).unwrap_err().to_string();
    assert_eq!(error, "turn `ww` has no counterpart on the other side");
    assert_eq!(swap_armies(&position).unwrap(), position);
}
