//! What a network sees of a position: features of two perspectives, and the bucket of the output weights.

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef, Square};

use super::BUCKETS;
use crate::position::CompiledPosition;
use crate::position::Position;

/// Where the features of a game are.
///
/// Each side sees the board from its own end, White as it is and Black with the ranks mirrored, and calls its own pieces *own*.
/// In this order the features are:
///
/// - a piece stands on a square: by own or enemy, then kind, then place of the bounding box as seen (holes have places, too:
///   the mirrored place of a square is always one, even where a board's holes are not alike at both ends);
/// - a piece waits in a pocket and may still be dropped: by own or enemy, then kind;
/// - a side's current power is that of a kind, and the other side has a joker on the board that can use it: by own or enemy,
///   then kind.
///
/// All of them exist in every game, whether it has pockets and jokers or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    files: u8,
    ranks: u8,
    /// The letters of the kinds, in order.
    letters: String,
    /// Kinds of the game.
    kinds: usize,
    /// By square: the same square seen from the other end.
    mirrored: Vec<u8>,
    /// Kinds that may wait in a pocket, with the last move numbers at which each side may drop them.
    pockets: Vec<(Kind, [u32; 2])>,
    joker: Option<Kind>,
    /// Pieces at the start of a game, pockets included.
    full: u32,
}

/// What a position has beside the pieces on its board: pockets of White and Black, then their powers, one bit a kind.
pub(super) type Extras = [u32; 4];

impl Layout {
    /// The features of a game.
    pub fn of(game: &GameDef) -> Layout {
        let board = &game.board;
        let mirrored = |square| {
            let rank = board.relative_rank(Color::Black, Square(square)) - board.first_rank();
            rank * board.files() + board.file(Square(square))
        };
        Layout {
            files: board.files(),
            ranks: board.ranks(),
            letters: game.kinds.iter().map(|kind| kind.letter).collect(),
            kinds: game.kinds.len(),
            mirrored: (0..board.box_size() as u8).map(mirrored).collect(),
            pockets: game.gating.as_ref().map_or_else(Vec::new, |gating| {
                gating.pocket.iter().map(|&kind| (kind, gating.last_move.0)).collect()
            }),
            joker: game.joker,
            full: pieces_at_start(game),
        }
    }

    /// How many features there are.
    pub fn inputs(&self) -> usize {
        2 * self.kinds * (self.places() + 2)
    }

    /// Everything that the meaning of features and buckets depends on, in words: board, letters of the kinds in order, pieces
    /// at the start.
    pub fn description(&self) -> String {
        format!(
            "{}x{} board, kinds {}, {} pieces",
            self.files, self.ranks, self.letters, self.full
        )
    }

    /// The features that a position has, in ascending order: White's view, then Black's.
    pub fn features<R: CompiledPosition>(&self, position: &Position<R>) -> [Vec<u32>; 2] {
        let mut features = [Vec::with_capacity(64), Vec::with_capacity(64)];
        let mut add = |pair: [u32; 2]| {
            features[0].push(pair[0]);
            features[1].push(pair[1]);
        };
        for color in Color::ALL {
            for kind in self.kinds() {
                for square in position.pieces(color, kind) {
                    add(self.piece(color, kind, square));
                }
            }
        }
        for (group, kinds) in self.extras(position).into_iter().enumerate() {
            bits(kinds).for_each(|kind| add(self.extra(group, kind)));
        }
        for list in &mut features {
            list.sort_unstable();
        }
        features
    }

    /// The set of output weights for a position, below [`BUCKETS`]: the more pieces are left, the higher.
    #[inline]
    pub fn bucket<R: CompiledPosition>(&self, position: &Position<R>) -> usize {
        bucket_of(position.occupied().count(), self.full)
    }

    /// Places of the board.
    #[inline]
    pub(super) fn places(&self) -> usize {
        self.mirrored.len()
    }

    /// All kinds.
    #[inline]
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.kinds as u8).map(Kind)
    }

    /// The feature of a piece on a square, in White's view and in Black's.
    #[inline]
    pub(super) fn piece(&self, color: Color, kind: Kind, square: Square) -> [u32; 2] {
        let row = |enemy: usize| (enemy * self.kinds + kind.index()) * self.places();
        let black = usize::from(self.mirrored[square.index()]);
        [
            (row(color.index()) + square.index()) as u32,
            (row(1 - color.index()) + black) as u32,
        ]
    }

    /// The feature of one of the [`Extras`], in White's view and in Black's.
    #[inline]
    pub(super) fn extra(&self, group: usize, kind: usize) -> [u32; 2] {
        let first = 2 * self.kinds * self.places();
        [group, group ^ 1].map(|group| (first + group * self.kinds + kind) as u32)
    }

    /// What a position has beside the pieces on its board.
    #[inline]
    pub(super) fn extras<R: CompiledPosition>(&self, position: &Position<R>) -> Extras {
        let mut extras = [0; 4];
        for &(kind, last_move) in &self.pockets {
            for color in Color::ALL {
                let waits = position.in_pocket(color, kind) && position.fullmove_number() <= last_move[color.index()];
                extras[color.index()] |= u32::from(waits) << kind.0;
            }
        }
        if let Some(joker) = self.joker {
            for color in Color::ALL {
                // As in the hash: a power that nobody can use is none.
                if let Some(kind) = position.last_moved_as(color)
                    && position.pieces(!color, joker).any()
                {
                    extras[2 + color.index()] = 1 << kind.0;
                }
            }
        }
        extras
    }
}

/// The features that a position has, in ascending order: White's view, then Black's. For many positions of a game make a
/// [`Layout`] once.
pub fn features<R: CompiledPosition>(position: &Position<R>) -> [Vec<u32>; 2] {
    Layout::of(position.game()).features(position)
}

/// The set of output weights for a position, below [`BUCKETS`].
pub fn bucket<R: CompiledPosition>(position: &Position<R>) -> usize {
    bucket_of(position.occupied().count(), pieces_at_start(position.game()))
}

fn bucket_of(pieces: u32, full: u32) -> usize {
    (pieces.saturating_sub(1) as usize * BUCKETS / full as usize).min(BUCKETS - 1)
}

/// Pieces of the usual start position, those in pockets included.
fn pieces_at_start(game: &GameDef) -> u32 {
    let fen = &game.starts[game.default_start].fen;
    // Pieces are letters, up to the side to move or the powers.
    let pieces = fen.split([' ', ':']).next().unwrap_or_default();
    (pieces.chars().filter(char::is_ascii_alphabetic).count() as u32).max(1)
}

/// The numbers of the bits that are set.
#[inline]
pub(super) fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::registry::{Visitor, dispatch};
    use crate::tables::Tables;

    /// The features and the bucket of a position.
    struct Seen<'f>(&'f str);

    impl Visitor for Seen<'_> {
        type Output = ([Vec<u32>; 2], usize);

        fn visit<R: CompiledPosition>(self, tables: Arc<Tables<R>>) -> Self::Output {
            let position = assay_rules::Position::from_fen(tables.game(), self.0).unwrap();
            let position = Position::new(&tables, &position);
            let layout = Layout::of(tables.game());
            assert_eq!(features(&position), layout.features(&position));
            assert_eq!(bucket(&position), layout.bucket(&position));
            (features(&position), bucket(&position))
        }
    }

    fn seen(game: &str, fen: &str) -> ([Vec<u32>; 2], usize) {
        dispatch(&GameDef::builtin(game).unwrap(), Seen(fen))
    }

    #[test]
    fn pieces_are_seen_from_both_ends() {
        let game = GameDef::builtin("chess").unwrap();
        let kind = |letter| game.kind_by_letter(letter).unwrap().index() as u32;
        let (king, pawn) = (kind('K'), kind('P'));
        let (features, bucket) = seen("chess", "4k3/8/8/8/8/8/P7/K7 w - - 0 1");
        let mut white = [king * 64, pawn * 64 + 8, (6 + king) * 64 + 60];
        let mut black = [(6 + king) * 64 + 56, (6 + pawn) * 64 + 48, king * 64 + 4];
        white.sort_unstable();
        black.sort_unstable();
        assert_eq!(features, [white.to_vec(), black.to_vec()]);
        assert_eq!(bucket, 0);
        assert_eq!(Layout::of(&game).inputs(), 2 * 6 * 64 + 2 * 6 + 2 * 6);
    }

    #[test]
    fn buckets_go_from_bare_kings_to_all_pieces() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            assert_eq!(
                seen(name, &game.starts[game.default_start].fen).1,
                BUCKETS - 1,
                "{name}"
            );
        }
        assert_eq!(seen("chess", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1").1, 3);
    }

    #[test]
    fn pockets_count_while_pieces_may_be_dropped_and_powers_while_there_is_a_joker() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let layout = Layout::of(&game);
        let kind = |letter| game.kind_by_letter(letter).unwrap().index();
        let first = (2 * layout.kinds * layout.places()) as u32;
        let extras = |pocket: &str, pieces: &str, number: u32| {
            let ranks = format!("***4***/k9/10/10/10/10/10/10/10/10/K{pieces}/***4***");
            let (features, _) = seen("apothecary2", &format!("{ranks}[{pocket}] w - - 0 {number}"));
            features.map(|list| {
                list.into_iter()
                    .filter(|&feature| feature >= first)
                    .collect::<Vec<u32>>()
            })
        };
        let joker = first + kind('J') as u32;
        let kinds = layout.kinds as u32;
        assert_eq!(extras("J:--", "9", 12), [[joker], [joker + kinds]]);
        assert_eq!(extras("J:--", "9", 13), [[], []]);
        assert_eq!(extras("j:--", "9", 13), [[joker + kinds], [joker]]);
        // White's joker can use Black's power, a black one is not there to use White's.
        let queen = first + 2 * kinds + kind('Q') as u32;
        assert_eq!(extras(":Nq", "J8", 30), [[queen + kinds], [queen]]);
        assert_eq!(extras(":Nq", "9", 30), [[], []]);
    }
}
