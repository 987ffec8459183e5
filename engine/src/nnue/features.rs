//! Input features of the networks for both perspectives, and output buckets.

use assay_rules::piece::{Kind, Piece};
use assay_rules::square::MAX_SQUARES;
use assay_rules::{Color, GameDef, Square};

use super::architecture::{KING_BUCKETS, OUTPUT_BUCKETS};
use crate::position::CompiledPosition;
use crate::position::Position;

/// Input features of a game.
///
/// Each perspective sees the board from its own side, Black with the ranks mirrored, and
/// distinguishes own and enemy pieces. In a game whose pieces move differently to the left and to
/// the right, Black sees the board turned, and files are never mirrored. Elsewhere, if the
/// perspective's king is right of the middle of the board, the files are mirrored, too (horizontal
/// mirroring), so that the king is never on the right half and each of its squares is trained on
/// twice as many games.
///
/// A network has one or [`KING_BUCKETS`] sets of features. With several, the perspective's own king
/// selects the set (king buckets), so that a piece has other weights when the king is castled, in
/// the middle, or up the board. Each set consists of, in this order:
///
/// - a piece on a square: by own or enemy, kind, and square of the board's bounding box from the
///   perspective (holes included, because the holes of a board need not be symmetrical);
/// - a piece in a pocket that may still be dropped: by own or enemy, and kind;
/// - the kind that a side last moved as, if the opponent has a joker on the board that can imitate
///   it: by own or enemy, and kind.
///
/// Every game has all of these features, even without pockets and jokers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureSet {
    files: u8,
    ranks: u8,
    /// Letters of the kinds in order.
    letters: String,
    /// Number of kinds.
    kinds: usize,
    /// By square: the square as Black sees it, with mirrored rank or turned.
    seen_by_black: Vec<u8>,
    /// By square: the square with mirrored file.
    mirrored_file: Vec<u8>,
    /// Kinds that may be in a pocket, with the last move number at which each side may drop them.
    pockets: Vec<(Kind, [u32; 2])>,
    joker: Option<Kind>,
    /// Number of pieces at the start, including pockets.
    start_pieces: u32,
    /// Output bucket by number of pieces on the board.
    buckets: Vec<u8>,
    king_buckets: usize,
    /// By color and square of the king.
    views: [Vec<View>; 2],
}

/// Features other than pieces on the board: pockets of White and Black, then the kinds that they
/// last moved as, one bit for each kind.
pub(super) type Extras = [u32; 4];

/// Mirroring and king bucket of a perspective. Both depend on the square of its own king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// True if the files are mirrored.
    pub mirrored: bool,
    /// The set of features, below [`FeatureSet::king_buckets`].
    pub king_bucket: u8,
}

impl View {
    /// Number of different views with up to [`KING_BUCKETS`] king buckets.
    pub(super) const COUNT: usize = 2 * KING_BUCKETS;

    /// A number below [`View::COUNT`].
    pub(super) fn index(self) -> usize {
        2 * usize::from(self.king_bucket) + usize::from(self.mirrored)
    }
}

/// The views of White's and Black's perspective.
pub type Views = [View; 2];

impl FeatureSet {
    /// Features with this number of king buckets: 1 or [`KING_BUCKETS`].
    pub fn new(game: &GameDef, king_buckets: usize) -> FeatureSet {
        let board = &game.board;
        let is_symmetric = game.kinds.are_left_right_symmetric();
        let mirrored_file =
            |square| board.rank(Square(square)) * board.files() + board.files() - 1 - board.file(Square(square));
        let seen_by_black = |square| {
            let square = if is_symmetric { square } else { mirrored_file(square) };
            let rank = board.relative_rank(Color::Black, Square(square)) - board.first_rank();
            rank * board.files() + board.file(Square(square))
        };
        let home = king_home_rank(game);
        let view = |color, square| {
            let is_right = square > mirrored_file(square);
            let file = board.file(Square(if is_right { mirrored_file(square) } else { square }));
            let ahead = i32::from(board.relative_rank(color, Square(square))) - i32::from(home);
            let bucket = king_bucket(file, board.files(), ahead);
            View { mirrored: is_right && is_symmetric, king_bucket: if king_buckets == 1 { 0 } else { bucket } }
        };
        let start_pieces = pieces_at_start(game);
        FeatureSet {
            files: board.files(),
            ranks: board.ranks(),
            letters: game.kinds.iter().map(|kind| kind.letter).collect(),
            kinds: game.kinds.len(),
            seen_by_black: (0..board.box_size() as u8).map(seen_by_black).collect(),
            mirrored_file: (0..board.box_size() as u8).map(mirrored_file).collect(),
            pockets: game
                .mechanisms
                .gating
                .as_ref()
                .map_or_else(Vec::new, |gating| gating.pocket.iter().map(|&kind| (kind, gating.last_move.0)).collect()),
            joker: game.kinds.joker(),
            start_pieces,
            buckets: (0..=MAX_SQUARES as u32).map(|pieces| bucket_of(pieces, start_pieces) as u8).collect(),
            king_buckets,
            views: Color::ALL.map(|color| (0..board.box_size() as u8).map(|square| view(color, square)).collect()),
        }
    }

    /// Number of king buckets.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Number of features of a king bucket.
    pub fn bucket_inputs(&self) -> usize {
        2 * self.kinds * (self.box_size() + 2)
    }

    /// Number of features of a perspective, in all king buckets.
    pub fn inputs(&self) -> usize {
        self.king_buckets * self.bucket_inputs()
    }

    /// Describes what the meaning of features and buckets depends on: board, letters of the kinds
    /// in order, number of pieces at the start, king buckets if there are several. A network of a
    /// game that differs in something else, such as the last move at which a piece may be dropped,
    /// is not recognized as foreign.
    pub fn description(&self) -> String {
        let king_buckets = match self.king_buckets {
            1 => String::new(),
            several => format!(", {several} king buckets"),
        };
        format!(
            "{}x{} board, kinds {}, {} pieces{king_buckets}",
            self.files, self.ranks, self.letters, self.start_pieces
        )
    }

    /// Returns the active features of a position in ascending order, for White's and Black's
    /// perspective.
    pub fn active<R: CompiledPosition>(&self, position: &Position<R>) -> [Vec<u32>; 2] {
        let views = self.views(position);
        let mut active = [Vec::with_capacity(64), Vec::with_capacity(64)];
        for perspective in Color::ALL {
            let list = &mut active[perspective.index()];
            let view = views[perspective.index()];
            for color in Color::ALL {
                for kind in self.kinds() {
                    let squares = position.pieces(color, kind).into_iter();
                    list.extend(squares.map(|square| self.piece(perspective, Piece { color, kind }, square, view)));
                }
            }
            for (group, kinds) in self.extras(position).into_iter().enumerate() {
                list.extend(bits(kinds).map(|kind| self.extra(perspective, group, kind, view)));
            }
        }
        for list in &mut active {
            list.sort_unstable();
        }
        active
    }

    /// Returns the output bucket of a position, below [`OUTPUT_BUCKETS`]; it rises with the number
    /// of pieces on the board.
    #[inline]
    pub fn output_bucket<R: CompiledPosition>(&self, position: &Position<R>) -> usize {
        usize::from(self.buckets[position.all_pieces().count() as usize])
    }

    /// Returns how each perspective sees the board.
    #[inline]
    pub fn views<R: CompiledPosition>(&self, position: &Position<R>) -> Views {
        Color::ALL.map(|color| self.views[color.index()][position.king(color).index()])
    }

    /// Returns the feature of the other perspective that corresponds to a feature of one
    /// perspective, both in the first king bucket. `mirrored` is true if the files are mirrored for
    /// exactly one of the two.
    ///
    /// # Panics
    /// Panics if the feature is not below [`FeatureSet::bucket_inputs`].
    pub fn opposite(&self, feature: u32, mirrored: bool) -> u32 {
        assert!((feature as usize) < self.bucket_inputs(), "a feature of the first king bucket");
        let (feature, box_size) = (feature as usize, self.box_size());
        let pieces = 2 * self.kinds * box_size;
        let opposite = if let Some(extra) = feature.checked_sub(pieces) {
            let (group, kind) = (extra / self.kinds, extra % self.kinds);
            pieces + (group ^ 1) * self.kinds + kind
        } else {
            let (piece, square) = (feature / box_size, feature % box_size);
            let mut square = self.seen_by_black[square];
            if mirrored {
                square = self.mirrored_file[usize::from(square)];
            }
            (piece + self.kinds) % (2 * self.kinds) * box_size + usize::from(square)
        };
        opposite as u32
    }

    /// Number of squares in the board's bounding box.
    #[inline]
    pub(super) fn box_size(&self) -> usize {
        self.seen_by_black.len()
    }

    #[inline]
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.kinds as u8).map(Kind)
    }

    /// Returns the feature of a piece on a square from a perspective with this view.
    #[inline(always)]
    pub(super) fn piece(&self, perspective: Color, piece: Piece, square: Square, view: View) -> u32 {
        let mut square = square.0;
        if perspective == Color::Black {
            square = self.seen_by_black[usize::from(square)];
        }
        if view.mirrored {
            square = self.mirrored_file[usize::from(square)];
        }
        let enemy = usize::from(piece.color != perspective);
        let piece = enemy * self.kinds + piece.kind.index();
        (self.first_input(view) + piece * self.box_size() + usize::from(square)) as u32
    }

    /// Returns the feature of one of the [`Extras`] from a perspective.
    #[inline]
    pub(super) fn extra(&self, perspective: Color, group: usize, kind: usize, view: View) -> u32 {
        let group = group ^ perspective.index();
        (self.first_input(view) + 2 * self.kinds * self.box_size() + group * self.kinds + kind) as u32
    }

    /// First feature of the view's king bucket.
    #[inline(always)]
    fn first_input(&self, view: View) -> usize {
        usize::from(view.king_bucket) * self.bucket_inputs()
    }

    /// Returns the features other than pieces on the board.
    #[inline]
    pub(super) fn extras<R: CompiledPosition>(&self, position: &Position<R>) -> Extras {
        let mut extras = [0; 4];
        for &(kind, last_move) in &self.pockets {
            for color in Color::ALL {
                let waits =
                    position.in_pocket(color, kind) > 0 && position.fullmove_number() <= last_move[color.index()];
                extras[color.index()] |= u32::from(waits) << kind.0;
            }
        }
        if let Some(joker) = self.joker {
            for color in Color::ALL {
                // As in the position hash, only a kind that a joker can imitate counts.
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

/// King bucket of a king on a file of the left half and so many ranks ahead of its home rank: away
/// from the middle of the home rank (castled), in its middle, a rank ahead, anywhere else.
fn king_bucket(file: u8, files: u8, ranks_ahead: i32) -> u8 {
    match ranks_ahead {
        0 if file + 1 < files.div_ceil(2) => 0,
        0 => 1,
        1 => 2,
        _ => 3,
    }
}

/// Rank of White's king at the start, counted as
/// [`Board::relative_rank`](assay_rules::Board::relative_rank) does.
fn king_home_rank(game: &GameDef) -> u8 {
    let Some(king) = game.kinds.king().map(|king| game.kind(king).letter) else {
        return game.board.first_rank();
    };
    let board = game.starts[game.default_start].fen.split([' ', '[']).next();
    let ranks = board.unwrap_or_default().rsplit('/');
    let below = ranks.take_while(|rank| !rank.contains(king)).count();
    game.board.first_rank() + below as u8
}

fn bucket_of(pieces: u32, full: u32) -> usize {
    (pieces.saturating_sub(1) as usize * OUTPUT_BUCKETS / full as usize).min(OUTPUT_BUCKETS - 1)
}

/// Number of pieces of the default start position, including pockets.
fn pieces_at_start(game: &GameDef) -> u32 {
    let fen = &game.starts[game.default_start].fen;
    // The board and pocket fields end before the side to move or the kinds last moved as.
    let pieces = fen.split([' ', ':']).next().unwrap_or_default();
    (pieces.chars().filter(char::is_ascii_alphabetic).count() as u32).max(1)
}

/// Indices of the set bits.
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

    /// Returns the active features and the output bucket of a position.
    struct Inspect<'f>(&'f str);

    impl Visitor for Inspect<'_> {
        type Output = ([Vec<u32>; 2], usize);

        fn visit<R: CompiledPosition>(self, tables: Arc<Tables<R>>) -> Self::Output {
            let position = assay_rules::Position::from_fen(tables.game(), self.0).unwrap();
            let position = Position::new(&tables, &position);
            let all = FeatureSet::new(tables.game(), KING_BUCKETS);
            let features = FeatureSet::new(tables.game(), 1);
            for (side, list) in all.active(&position).iter().enumerate() {
                let first = usize::from(all.views(&position)[side].king_bucket) * all.bucket_inputs();
                let base: Vec<u32> = list.iter().map(|&feature| feature - first as u32).collect();
                assert_eq!(base, features.active(&position)[side]);
            }
            assert_eq!(all.output_bucket(&position), features.output_bucket(&position));
            let [white, black] = features.active(&position);
            let [ours, theirs] = features.views(&position).map(|view| view.mirrored);
            for (own, other) in [(&white, &black), (&black, &white)] {
                let opposite = own.iter().map(|&feature| features.opposite(feature, ours != theirs));
                let mut opposite: Vec<u32> = opposite.collect();
                opposite.sort_unstable();
                assert_eq!(&opposite, other);
            }
            (features.active(&position), features.output_bucket(&position))
        }
    }

    fn inspect(game: &str, fen: &str) -> ([Vec<u32>; 2], usize) {
        dispatch(&GameDef::builtin(game).unwrap(), Inspect(fen))
    }

    #[test]
    fn perspectives_mirror_ranks_and_swap_sides() {
        let game = GameDef::builtin("chess").unwrap();
        let kind = |letter| game.kinds.by_letter(letter).unwrap().index() as u32;
        let (king, pawn) = (kind('K'), kind('P'));
        let (features, bucket) = inspect("chess", "4k3/8/8/8/8/8/P7/K7 w - - 0 1");
        let mut white = [king * 64, pawn * 64 + 8, (6 + king) * 64 + 60];
        // The black king is right of the middle, so Black sees the files mirrored.
        let mut black = [(6 + king) * 64 + 63, (6 + pawn) * 64 + 55, king * 64 + 3];
        white.sort_unstable();
        black.sort_unstable();
        assert_eq!(features, [white.to_vec(), black.to_vec()]);
        assert_eq!(bucket, 0);
        assert_eq!(FeatureSet::new(&game, 1).inputs(), 2 * 6 * 64 + 2 * 6 + 2 * 6);
    }

    #[test]
    fn positions_with_mirrored_files_have_the_same_features() {
        let both = [
            ("chess", "3k4/8/5q2/8/8/2N5/P7/6K1 w - - 0 1", "4k3/8/2q5/8/8/5N2/7P/1K6 w - - 0 1"),
            ("gamma2", "3k6/10/5q4/10/10/2N7/P9/6K3 w - - 0 1", "6k3/10/4q5/10/10/7N2/9P/3K6 w - - 0 1"),
        ];
        for (game, position, mirrored) in both {
            assert_eq!(inspect(game, position), inspect(game, mirrored), "{game}");
        }
        // A king on the middle file of an odd number of files.
        let game =
            crate::registry::load_game(&format!("{}/tests/games/screens.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let features = FeatureSet::new(&game, 1);
        assert_eq!(features.mirrored_file[..7], [6, 5, 4, 3, 2, 1, 0]);
        let fen = "3k3/7/7/6*/*6/P6/7/3K3 w - - 0 1";
        let [white, black] = dispatch(&game, Inspect(fen)).0;
        let pawn = game.first_pawn().index();
        assert!(white.contains(&((pawn * 56 + 14) as u32)), "{white:?}");
        assert!(black.contains(&(((features.kinds + pawn) * 56 + 35) as u32)), "{black:?}");
    }

    #[test]
    fn king_buckets_follow_the_king() {
        let game = GameDef::builtin("gamma2").unwrap();
        let features = FeatureSet::new(&game, KING_BUCKETS);
        let bucket = |color: Color, square: &str| {
            let square = game.board.parse_square(square).unwrap();
            features.views[color.index()][square.index()].king_bucket
        };
        for (white, black, expected) in
            [("c1", "i8", 0), ("d1", "g8", 0), ("f1", "e8", 1), ("a2", "j7", 2), ("e3", "e6", 3), ("c8", "c1", 3)]
        {
            assert_eq!(bucket(Color::White, white), expected, "{white}");
            assert_eq!(bucket(Color::Black, black), expected, "{black}");
        }
        // The kings of all games start in the middle bucket, also on boards with additional ranks.
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let start = assay_rules::Position::start(&game);
            let features = FeatureSet::new(&game, KING_BUCKETS);
            for color in Color::ALL {
                let view = features.views[color.index()][start.king(color).unwrap().index()];
                assert!(view.king_bucket <= 1, "{name}");
            }
        }
    }

    #[test]
    fn buckets_range_from_bare_kings_to_all_pieces() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            assert_eq!(inspect(name, &game.starts[game.default_start].fen).1, OUTPUT_BUCKETS - 1, "{name}");
        }
        assert_eq!(inspect("chess", "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1").1, 3);
    }

    #[test]
    fn pockets_and_last_moved_kinds_are_active_only_while_usable() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let features = FeatureSet::new(&game, 1);
        let kind = |letter| game.kinds.by_letter(letter).unwrap().index();
        let first = (2 * features.kinds * features.box_size()) as u32;
        let extras = |pocket: &str, pieces: &str, number: u32| {
            let ranks = format!("***4***/k9/10/10/10/10/10/10/10/10/K{pieces}/***4***");
            let (features, _) = inspect("apothecary2", &format!("{ranks}[{pocket}] w - - 0 {number}"));
            features.map(|list| list.into_iter().filter(|&feature| feature >= first).collect::<Vec<u32>>())
        };
        let joker = first + kind('J') as u32;
        let kinds = features.kinds as u32;
        assert_eq!(extras("J:--", "9", 12), [[joker], [joker + kinds]]);
        assert_eq!(extras("J:--", "9", 13), [[0_u32; 0]; 2]);
        assert_eq!(extras("j:--", "9", 13), [[joker + kinds], [joker]]);
        // White's joker can imitate Black's last piece; Black has no joker to imitate White's.
        let queen = first + 2 * kinds + kind('Q') as u32;
        assert_eq!(extras(":Nq", "J8", 30), [[queen + kinds], [queen]]);
        assert_eq!(extras(":Nq", "9", 30), [[0_u32; 0]; 2]);
    }
}
