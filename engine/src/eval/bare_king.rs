//! Endings of pieces against a bare king: where to drive it.

use assay_rules::movement::Delta;
use assay_rules::{Board, Color, Square};

use crate::bitboard::{Bitboard, BitboardWord};

/// Centipawns for each step by which the bare king is nearer to a corner. With 20, a king in the
/// wrong corner of bishop and knight in chess is not driven out of it.
const CORNER_STEP: i32 = 100;
/// Centipawns for each step by which the kings are nearer to each other.
const KING_STEP: i32 = 20;

/// Distances that tell how far a bare king is from being mated.
///
/// Most pieces can mate at any edge of the board, but best in a corner. A bishop with a minor piece
/// mates only in corners of the bishop's color.
#[derive(Clone, Debug)]
pub(super) struct BareKing {
    /// By the color of the corner (dark, light), then by square: steps along ranks and files to the
    /// nearest of these corners. Without such corners, to the nearest of all.
    corner_distance: [Vec<i32>; 2],
    /// The score of a bare king in a corner, if the other king were on its square.
    most: i32,
}

impl BareKing {
    pub(super) fn new<W: BitboardWord>(board: &Board, dark_squares: Bitboard<W>) -> BareKing {
        let neighbors = |square: Square| {
            let steps = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| Delta::new(file, rank)));
            steps.filter(|&delta| board.step(square, delta, Color::White).is_some()).count()
        };
        // Counted with the square itself, a king has four squares in a corner of a rectangle.
        let corners: Vec<Square> = board.squares().filter(|&square| neighbors(square) <= 4).collect();
        let distance = |corners: &[Square], square: Square| {
            let steps = corners.iter().map(|&corner| {
                board.file(square).abs_diff(board.file(corner)) + board.rank(square).abs_diff(board.rank(corner))
            });
            i32::from(steps.min().unwrap_or(0))
        };
        let by_square = |is_dark: bool| {
            let of_color = |corner: &Square| dark_squares.contains(*corner) == is_dark;
            let mut near: Vec<Square> = corners.iter().copied().filter(of_color).collect();
            if near.is_empty() {
                near.clone_from(&corners);
            }
            (0..board.box_size() as u8).map(|square| distance(&near, Square(square))).collect()
        };
        let corner_distance: [Vec<i32>; 2] = [by_square(true), by_square(false)];
        let farthest_corner = corner_distance.iter().flatten().copied().max().unwrap_or(0);
        BareKing {
            corner_distance,
            most: CORNER_STEP * farthest_corner + KING_STEP * i32::from(board.files().max(board.ranks())),
        }
    }

    /// Centipawns for the side with the pieces, 0 to [`BareKing::most`]. `corner` is the color of
    /// the corners (`true`: dark), `None` for any.
    pub(super) fn score(&self, board: &Board, bare: Square, strong: Square, corner: Option<bool>) -> i32 {
        let [dark, light] = [0, 1].map(|color: usize| self.corner_distance[color][bare.index()]);
        let distance = match corner {
            Some(true) => dark,
            Some(false) => light,
            None => dark.min(light),
        };
        let files = board.file(bare).abs_diff(board.file(strong));
        let ranks = board.rank(bare).abs_diff(board.rank(strong));
        self.most() - CORNER_STEP * distance - KING_STEP * i32::from(files.max(ranks))
    }

    /// An upper bound of all scores.
    pub(super) fn most(&self) -> i32 {
        self.most
    }
}
