//! Pawns and their promotion.

use super::super::keys::GameKeys;
use std::cmp::Ordering;

use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::movement::PathKind;
use crate::types::piece::Kind;
use crate::types::square::{Square, SquareSet};
use crate::variant::kinds::{Kinds, PieceClass};
use crate::variant::mechanism::{KeyError, Mechanisms, Parts, forbid, kinds_of, rank, required, squares};
use crate::variant::pawns::{Pawns, PromotionRank};

impl GameKeys {
    /// The rules of pawns, without the hanging squares on which they can be.
    pub(super) fn pawns(&self, board: &Board, kinds: &Kinds) -> Result<Pawns, KeyError> {
        let raw = self.pawns.as_ref().ok_or_else(|| KeyError::new("pawns", "missing: expected the table [pawns]"))?;
        let all: Vec<Kind> = kinds.all().filter(|&kind| kinds[kind].class == PieceClass::Pawn).collect();
        forbid(all.is_empty(), "pieces", "found no piece with class = \"pawn\", expected one")?;
        let promotion = self.promotion(board, kinds, &all)?;
        let home_rank = required("pawns.home-rank", raw.home_rank)?;
        let others = raw.home_squares.as_deref().unwrap_or_default();
        let others = squares(board, "pawns.home-squares", others)?;
        let home = |color| {
            let is_home = |square: &Square| board.relative_rank(color, *square) == home_rank;
            let others = if color == Color::White { others } else { board.rotated(others) };
            board.squares().filter(is_home).chain(others.iter()).collect()
        };
        Ok(Pawns {
            home_rank,
            home: ByColor::new_with(home),
            first_rank_steps: raw.first_rank_steps.unwrap_or(false),
            hanging_squares: ByColor::default(),
            promotion_squares: self.promotion_squares(board, &promotion)?,
            promotion_limits: self.promotion_limits(kinds, &promotion)?,
            restricted: self.restricted_pawns(kinds, &promotion)?,
            promotion,
            kinds: all,
        })
    }

    fn promotion(&self, board: &Board, kinds: &Kinds, pawns: &[Kind]) -> Result<Vec<PromotionRank>, KeyError> {
        // A pawn that also moves sideways need not promote.
        let mut paths = pawns.iter().flat_map(|&pawn| &kinds[pawn].movement.paths);
        let moves_sideways = paths.any(|path| path.delta.rank == 0 && path.modality.moves);
        let pieces_promote = kinds.iter().any(|kind| kind.unpromoted.is_some());
        if self.promotion.is_empty() && (pieces_promote || moves_sideways) {
            return Ok(Vec::new());
        }
        let mut promotion = Vec::new();
        for (rank_text, raw) in &self.promotion {
            let key = format!("promotion.{rank_text}");
            let rank = rank(board, &key, rank_text)?;
            let to = required(&format!("{key}.to"), raw.to.as_ref())?;
            let choices = kinds_of(kinds, &format!("{key}.to"), to)?;
            let message = format!("found `{to}`, expected at least one kind, neither king nor pawn");
            let is_excluded = |kind: &Kind| Some(*kind) == kinds.king() || pawns.contains(kind);
            forbid(choices.is_empty() || choices.iter().any(is_excluded), format!("{key}.to"), message)?;
            let may_own = |side: Color| choices.iter().any(|&kind| kinds.may_own(side, kind));
            if let Some(side) = Color::ALL.into_iter().find(|&side| !may_own(side)) {
                let message = format!("found `{to}`, expected also a piece that {side} can have");
                return Err(KeyError::new(format!("{key}.to"), message));
            }
            promotion.push(PromotionRank { rank, optional: raw.optional.unwrap_or(false), kinds: choices });
        }
        promotion.sort_by_key(|entry: &PromotionRank| entry.rank);
        let Some((last, earlier)) = promotion.split_last() else {
            let message = "missing: expected at least the last rank, like 8 = { to = \"QRBN\" }";
            return Err(KeyError::new("promotion", message));
        };
        let message = "found true, expected false: pawns must promote on their last rank";
        forbid(last.optional, format!("promotion.{}.optional", last.rank), message)?;
        let message =
            "found a promotion that is not optional, expected `optional = true` on every rank before the last";
        for entry in earlier {
            forbid(!entry.optional, format!("promotion.{}", entry.rank), message)?;
        }
        // A pawn beyond the last promotion rank could never promote.
        let reachable = board.squares().filter(|&square| !board.hanging().contains(square));
        let top = reachable.map(|square| board.relative_rank(Color::White, square)).max().unwrap_or(0);
        let last = last.rank;
        let message = format!("found {last} as the last rank of promotion, expected the pawns' last rank, {top}");
        forbid(last != top, format!("promotion.{last}"), message)?;
        Ok(promotion)
    }

    /// White's squares of promotion, turned for Black, if they are not the whole ranks.
    fn promotion_squares(
        &self,
        board: &Board,
        promotion: &[PromotionRank],
    ) -> Result<Option<ByColor<SquareSet>>, KeyError> {
        let mut given = self.promotion.iter().filter_map(|(rank, raw)| Some((rank, raw.squares.as_ref()?)));
        let Some((rank, names)) = given.next() else { return Ok(None) };
        let key = format!("promotion.{rank}.squares");
        let white = squares(board, &key, names)?;
        let message = format!("found `{names}`, expected squares, on a rank that is the only one");
        forbid(promotion.len() > 1 || white.is_empty(), &key, message)?;
        Ok(Some(ByColor([white, board.rotated(white)])))
    }

    fn promotion_limits(&self, kinds: &Kinds, promotion: &[PromotionRank]) -> Result<Vec<(Kind, u8)>, KeyError> {
        let mut found = Vec::new();
        let limits = self.pawns.iter().flat_map(|pawns| &pawns.promotion_limits);
        for (letter, &most) in limits {
            let key = format!("pawns.promotion-limits.{letter}");
            let named = kinds_of(kinds, &key, letter)?;
            let is_choice = |kind: &Kind| promotion.iter().any(|rank| rank.kinds.contains(kind));
            let message = format!("found `{letter}`, expected the letter of a piece that pawns promote to");
            forbid(named.len() != 1 || !named.iter().all(is_choice), &key, message)?;
            found.push((named[0], most));
        }
        Ok(found)
    }

    /// The kinds of pawns that promote only to some of the pieces.
    fn restricted_pawns(&self, kinds: &Kinds, promotion: &[PromotionRank]) -> Result<Vec<(Kind, Vec<Kind>)>, KeyError> {
        let mut restricted = Vec::new();
        for (pawn, (name, raw)) in kinds.all().zip(&self.pieces) {
            let Some(letters) = &raw.promotes_to else { continue };
            let key = format!("pieces.{name}.promotes-to");
            let choices = kinds_of(kinds, &key, letters)?;
            let is_among = |rank: &PromotionRank| rank.kinds.iter().any(|choice| choices.contains(choice));
            let message =
                format!("found `{letters}`, expected some of the pieces of each rank of promotion, for a pawn");
            forbid(kinds[pawn].class != PieceClass::Pawn || !promotion.iter().all(is_among), &key, message)?;
            restricted.push((pawn, choices));
        }
        Ok(restricted)
    }

    /// Checks that the rules of pawns fit together.
    pub(super) fn check_pawn_rules(&self, parts: Parts<'_>, mechanisms: &Mechanisms) -> Result<(), KeyError> {
        let Parts { board, pawns, .. } = parts;
        let (home, first_promotion) = (pawns.home_rank, pawns.first_promotion_rank(board));
        let message = format!("found {home}, expected a rank of the board before the first promotion rank");
        forbid(home < board.first_rank() || home >= first_promotion, "pawns.home-rank", message)?;
        let message = "found true, expected false in a game whose pawns begin on the first rank";
        forbid(pawns.first_rank_steps && home == board.first_rank(), "pawns.first-rank-steps", message)?;
        pawns.kinds.iter().try_for_each(|&pawn| self.pawn_movement(parts, mechanisms, pawn))
    }

    fn pawn_movement(&self, parts: Parts<'_>, mechanisms: &Mechanisms, pawn: Kind) -> Result<(), KeyError> {
        let Parts { board, kinds, pawns } = parts;
        let (home, first_promotion) = (pawns.home_rank, pawns.first_promotion_rank(board));
        let last_home = board.rank_range(pawns.home[Color::White]).map_or(home, |(_, high)| high);
        let (pawn_key, has_en_passant) = (self.piece_key(pawn), pawns.has_en_passant(kinds));
        let keeps_ahead = kinds[pawn].zone.as_ref().is_some_and(|zone| {
            let mut ranks = zone[Color::White].iter().map(|square| board.relative_rank(Color::White, square));
            ranks.all(|rank| rank >= home)
        });
        let movement = &kinds[pawn].movement;
        for path in &movement.paths {
            let message = "found an initial move (`i`) of a pawn that captures, expected it only to move (`im`)";
            forbid(path.initial && (path.modality.captures || path.modality.en_passant), &pawn_key, message)?;
            let promotes = i32::from(last_home) + i32::from(path.delta.rank) >= i32::from(first_promotion);
            let message = "found an initial move (`i`) of a pawn that reaches a promotion rank, expected a shorter one";
            forbid(path.initial && promotes, &pawn_key, message)?;
            let is_long = matches!(&path.kind, PathKind::LameLeap { via } if path.modality.moves && via.len() > 1);
            let message = "found a lame move of a pawn over several squares, expected one over a single square in a game with en passant (`e`)";
            forbid(is_long && has_en_passant, &pawn_key, message)?;
            let message = "found a double step that captures, expected it only to move (`m`)";
            forbid(has_en_passant && path.passed_offset().is_some() && path.modality.captures, &pawn_key, message)?;
            forbid(path.rides(), &pawn_key, "found a move of a pawn that slides, expected leaps")?;
            let message = "found a move of a pawn that goes backward, expected it only with a zone without the ranks behind its home rank";
            forbid(path.delta.rank < 0 && !keeps_ahead, &pawn_key, message)?;
            let captures_far_ahead = path.delta.file == 0 && path.delta.rank > 1 && path.modality.captures;
            let message = "found a capture straight ahead beyond one square, expected none for a pawn with a cannon: their UCI moves would be equal";
            forbid(mechanisms.cannon.is_some() && captures_far_ahead, &pawn_key, message)?;
        }
        if has_en_passant {
            let rule = mechanisms.piece_promotion.as_ref().filter(|rule| rule.turned(kinds, pawn).is_some());
            let zone = rule.and_then(|rule| board.rank_range(rule.zones[Color::White]));
            let first_pawn_rank = mechanisms.first_pawn_rank(parts);
            let first_turning = zone.map_or(u8::MAX, |(low, _)| low);
            for path in &movement.paths {
                let Some(passed) = path.passed_offset() else { continue };
                let may_begin = |&from: &Square| {
                    let rank = board.relative_rank(Color::Black, from);
                    if path.initial { pawns.home[Color::Black].contains(from) } else { rank >= first_pawn_rank }
                };
                let landings = board.squares().filter(may_begin);
                let mut landings = landings.filter_map(|from| board.step(from, passed, Color::Black));
                let promotes = |landing| {
                    pawns.promotion_on(board, Color::White, landing).is_some()
                        || board.relative_rank(Color::White, landing) >= first_turning
                };
                let message = "found a double step over a square where an en passant capture would promote, expected one further back";
                forbid(landings.any(promotes), &pawn_key, message)?;
            }
        }
        Ok(())
    }
}

/// Finds the hanging squares that pawns can capture on without promoting.
pub(super) fn hanging_squares(parts: Parts<'_>, first_pawn_rank: u8) -> Result<ByColor<SquareSet>, KeyError> {
    let Parts { board, kinds, pawns } = parts;
    let last_rank = pawns.last_rank(board);
    let mut hanging_pawn_squares = ByColor::<SquareSet>::default();
    for color in Color::ALL {
        let found = &mut hanging_pawn_squares[color];
        let ranks = first_pawn_rank..last_rank;
        let mut origins: Vec<Square> = board
            .squares()
            .filter(|&square| !board.hanging().contains(square) && ranks.contains(&board.relative_rank(color, square)))
            .collect();
        while let Some(from) = origins.pop() {
            for path in pawns.paths(kinds).filter(|path| path.modality.captures) {
                let target = board.step(from, path.delta, color);
                let Some(to) = target.filter(|&to| board.hanging().contains(to) && !found.contains(to)) else {
                    continue;
                };
                match board.relative_rank(color, to).cmp(&last_rank) {
                    Ordering::Less => {
                        found.insert(to);
                        origins.push(to);
                    }
                    Ordering::Equal => {}
                    Ordering::Greater => {
                        let message = format!(
                            "found {}, where a {color} pawn on {} could capture beyond its last rank {last_rank}, expected squares \
                             that no pawn can reach so",
                            board.square_name(to),
                            board.square_name(from)
                        );
                        return Err(KeyError::new("board.hanging", message));
                    }
                }
            }
        }
    }
    Ok(hanging_pawn_squares)
}
