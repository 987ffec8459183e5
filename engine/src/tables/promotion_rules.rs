//! Rules of promotion besides the pawns' own: pieces that promote, limits of promotion, and squares
//! that a piece could never leave without a capture.

use assay_rules::piece::Kind;
use assay_rules::{Color, GameDef};

use crate::bitboard::{Bitboard, BitboardWord};
use crate::ruleset::Mechanics;

/// What a kind turns into, and where.
#[derive(Clone, Copy, Debug)]
struct Turning<W: BitboardWord> {
    /// The promoted kind, or for a promoted one that turns back the other.
    into: Option<Kind>,
    /// Squares of the zone, indexed by color; none if the kind does not turn.
    zones: [Bitboard<W>; 2],
    /// Squares that the piece could never leave without a capture, if moves there are illegal;
    /// indexed by color.
    dead_ends: [Bitboard<W>; 2],
    /// Number of pieces of the kind on the board with which no pawn promotes to it.
    limit: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct PromotionRules<W: BitboardWord> {
    /// Indexed by kind.
    kinds: Box<[Turning<W>]>,
    pub(crate) forced: bool,
    pub(crate) by_capture: bool,
}

impl<W: BitboardWord> PromotionRules<W> {
    /// `None` in games without [`Mechanics::PROMOTION_RULES`].
    pub(crate) fn new(game: &GameDef) -> Option<PromotionRules<W>> {
        let rule = game.mechanisms.piece_promotion.as_ref();
        if !Mechanics::of(game).contains(Mechanics::PROMOTION_RULES) {
            return None;
        }
        let turning = |kind: Kind| {
            let into = game.turned(kind);
            Turning {
                into,
                zones: Color::ALL.map(|color| {
                    let zone = rule.filter(|_| into.is_some()).map(|rule| rule.zones[color]);
                    zone.map_or(Bitboard::EMPTY, Bitboard::from_set)
                }),
                dead_ends: Color::ALL.map(|color| {
                    let squares = game.board.squares().filter(|_| game.mechanisms.immobility.is_some());
                    squares.filter(|&square| !game.is_mobile(kind, color, square)).collect()
                }),
                limit: {
                    let mut limits = game.pawns.promotion_limits.iter();
                    let limit = limits.find(|(limited, _)| *limited == kind);
                    limit.map_or(u32::MAX, |&(_, most)| u32::from(most))
                },
            }
        };
        Some(PromotionRules {
            kinds: game.kinds.all().map(turning).collect(),
            forced: rule.is_some_and(|rule| rule.forced),
            by_capture: rule.is_some_and(|rule| rule.by_capture),
        })
    }

    /// The kind that a piece turns into.
    #[inline(always)]
    pub(crate) fn turned(&self, kind: Kind) -> Option<Kind> {
        self.kinds[kind.index()].into
    }

    /// Squares from and to which moves of a kind promote; none if it never does.
    #[inline(always)]
    pub(crate) fn zone(&self, color: Color, kind: Kind) -> Bitboard<W> {
        self.kinds[kind.index()].zones[color.index()]
    }

    /// Number of pieces of a kind on the board with which no pawn promotes to it.
    #[inline(always)]
    pub(crate) fn limit(&self, kind: Kind) -> u32 {
        self.kinds[kind.index()].limit
    }

    /// Squares that no piece of a kind may be put on, because it could never leave them without a
    /// capture.
    #[inline(always)]
    pub(crate) fn dead_ends(&self, color: Color, kind: Kind) -> Bitboard<W> {
        self.kinds[kind.index()].dead_ends[color.index()]
    }
}
