//! Board, pawn rules and promotion ranks.

use std::cmp::Ordering;

use super::super::error::DefError;
use super::super::file::Source;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::definition::{GameDef, PiecePromotion, PromotionRank};
use crate::types::movement::PathKind;
use crate::types::square::{Square, SquareSet};

impl Source<'_> {
    pub(super) fn board(&self) -> Result<Board, DefError> {
        let raw = self.raw.board.as_ref().ok_or_else(|| self.error("board", "missing: expected the table [board]"))?;
        let files = self.required("board.files", raw.files)?;
        let ranks = self.required("board.ranks", raw.ranks)?;
        let first_rank = raw.first_rank.unwrap_or(1);
        let rectangle = Board::new(files, ranks, first_rank).filter(|_| files >= 3 && ranks >= 4 && first_rank <= 1);
        let board = rectangle.ok_or_else(|| {
            let found = format!("{files} files x {ranks} ranks from rank {first_rank}");
            self.error(
                "board",
                format!(
                    "found {found}, expected 3 to 16 files, at least 4 ranks, at most 128 squares, and first-rank 0 or 1"
                ),
            )
        })?;
        let holes = self.square_list(&board, "board.holes", raw.holes.as_deref())?;
        let hanging = self.square_list(&board, "board.hanging", raw.hanging.as_deref())?;
        if let Some(square) = holes.intersection(hanging).iter().next() {
            let name = board.square_name(square);
            return Err(self.error("board.hanging", format!("found {name}, which is a hole, expected squares")));
        }
        Ok(board.with_special_squares(holes, hanging))
    }

    pub(super) fn square_list(&self, board: &Board, key: &str, list: Option<&str>) -> Result<SquareSet, DefError> {
        let mut set = SquareSet::EMPTY;
        for name in list.unwrap_or_default().split_whitespace() {
            if let Some(rank) = name.strip_prefix('*') {
                let rank = self.rank(board, key, rank)?;
                let on_rank = |square: &Square| board.relative_rank(Color::White, *square) == rank;
                board.squares().filter(on_rank).for_each(|square| set.insert(square));
                continue;
            }
            let square = board.parse_square(name).ok_or_else(|| {
                self.error(
                    key,
                    format!("found `{name}`, expected squares separated by spaces, like `a1 b1`, or ranks, like `*2`"),
                )
            })?;
            set.insert(square);
        }
        Ok(set)
    }

    /// Parses a key that is the number of a rank of the board.
    pub(super) fn rank(&self, board: &Board, key: &str, text: &str) -> Result<u8, DefError> {
        let (first, last) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
        (first..=last).find(|rank| rank.to_string() == text).ok_or_else(|| {
            let message = format!("found rank `{text}`, expected a rank of the board, {first} to {last}");
            self.error(key, message)
        })
    }

    pub(super) fn piece_promotion(&self, game: &mut GameDef) -> Result<(), DefError> {
        let promoted = game.kinds.iter().find(|kind| kind.unpromoted.is_some());
        let raw = match (&self.raw.piece_promotion, promoted) {
            (None, None) => return Ok(()),
            (Some(raw), Some(_)) => raw,
            (None, Some(kind)) => {
                let message = format!("missing: expected the table [piece-promotion], because of the {}", kind.name);
                return Err(self.error("piece-promotion", message));
            }
            (Some(_), None) => {
                let message = "found promotion of pieces, expected a piece whose letter begins with `+`";
                return Err(self.error("piece-promotion", message));
            }
        };
        let demotes = raw.demotes.unwrap_or(false);
        let board = &game.board;
        let [low, high] = self.required("piece-promotion.ranks", raw.ranks)?;
        let (first, last) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
        if low < first || high > last || low > high {
            let message =
                format!("found ranks {low} to {high}, expected the first and the last rank within {first} to {last}");
            return Err(self.error("piece-promotion.ranks", message));
        }
        let zone = |color| {
            let in_zone = |square: &Square| (low..=high).contains(&board.relative_rank(color, *square));
            board.squares().filter(in_zone).collect()
        };
        game.piece_promotion = Some(PiecePromotion {
            zones: ByColor::new_with(zone),
            forced: raw.forced.unwrap_or(false),
            by_capture: raw.by_capture.unwrap_or(false),
            demotes,
        });
        Ok(())
    }

    pub(super) fn promotion(&self, game: &mut GameDef) -> Result<(), DefError> {
        // A pawn that also moves sideways need not promote.
        let mut paths = game.kind(game.pawn).movement.paths.iter();
        let moves_sideways = paths.any(|path| path.delta.rank == 0 && path.modality.moves);
        if self.raw.promotion.is_empty() && (game.piece_promotion.is_some() || moves_sideways) {
            return Ok(());
        }
        let board = &game.board;
        let mut promotion = Vec::new();
        for (rank_text, raw) in &self.raw.promotion {
            let key = format!("promotion.{rank_text}");
            let rank = self.rank(board, &key, rank_text)?;
            let to = self.required(&format!("{key}.to"), raw.to.as_ref())?;
            let kinds = self.kinds_of(game, &format!("{key}.to"), to)?;
            if kinds.is_empty() || kinds.iter().any(|&kind| Some(kind) == game.king || kind == game.pawn) {
                let message = format!("found `{to}`, expected at least one kind, neither king nor pawn");
                return Err(self.error(&format!("{key}.to"), message));
            }
            if let Some(side) = Color::ALL.into_iter().find(|&side| !kinds.iter().any(|&kind| game.may_own(side, kind)))
            {
                let message = format!("found `{to}`, expected also a piece that {side} can have");
                return Err(self.error(&format!("{key}.to"), message));
            }
            promotion.push(PromotionRank { rank, optional: raw.optional.unwrap_or(false), kinds });
        }
        promotion.sort_by_key(|entry: &PromotionRank| entry.rank);
        let Some((last, earlier)) = promotion.split_last() else {
            return Err(self.error("promotion", "missing: expected at least the last rank, like 8 = { to = \"QRBN\" }"));
        };
        if last.optional {
            let key = format!("promotion.{}.optional", last.rank);
            return Err(self.error(&key, "found true, expected false: pawns must promote on their last rank"));
        }
        if let Some(forced) = earlier.iter().find(|entry| !entry.optional) {
            let key = format!("promotion.{}", forced.rank);
            return Err(self.error(
                &key,
                "found a promotion that is not optional, expected `optional = true` on every rank before the last",
            ));
        }
        // A pawn beyond the last promotion rank could never promote.
        let reachable = board.squares().filter(|&square| !board.hanging().contains(square));
        let top = reachable.map(|square| board.relative_rank(Color::White, square)).max().unwrap_or(0);
        if last.rank != top {
            let key = format!("promotion.{}", last.rank);
            return Err(self.error(
                &key,
                format!("found {} as the last rank of promotion, expected the pawns' last rank, {top}", last.rank),
            ));
        }
        let is_only_rank = earlier.is_empty();
        game.promotion = promotion;
        for (rank, raw) in &self.raw.promotion {
            let key = format!("promotion.{rank}.squares");
            let Some(names) = &raw.squares else { continue };
            let white = self.square_list(&game.board, &key, Some(names))?;
            if !is_only_rank || white.is_empty() {
                return Err(
                    self.error(&key, format!("found `{names}`, expected squares, on a rank that is the only one"))
                );
            }
            game.promotion_squares = Some(ByColor([white, game.board.turned(white)]));
        }
        Ok(())
    }

    pub(super) fn promotion_limits(&self, game: &mut GameDef) -> Result<(), DefError> {
        let limits = self.raw.pawns.iter().flat_map(|pawns| &pawns.promotion_limits);
        for (letter, &most) in limits {
            let key = format!("pawns.promotion-limits.{letter}");
            let kinds = self.kinds_of(game, &key, letter)?;
            let choices = || game.promotion.iter().flat_map(|promotion| &promotion.kinds);
            match kinds[..] {
                [kind] if choices().any(|&choice| choice == kind) => game.promotion_limits.push((kind, most)),
                _ => {
                    return Err(self.error(
                        &key,
                        format!("found `{letter}`, expected the letter of a piece that pawns promote to"),
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn pawn_rules(&self, game: &GameDef) -> Result<(), DefError> {
        let home = game.pawn_home_rank;
        let first_promotion = game.first_promotion_rank();
        let pawn_key = self.piece_key(game.pawn);
        if home < game.board.first_rank() || home >= first_promotion {
            return Err(self.error(
                "pawns.home-rank",
                format!("found {home}, expected a rank of the board before the first promotion rank"),
            ));
        }
        if game.first_rank_steps && home == game.board.first_rank() {
            let message = "found true, expected false in a game whose pawns begin on the first rank";
            return Err(self.error("pawns.first-rank-steps", message));
        }
        let pawn = game.kind(game.pawn);
        let keeps_ahead = pawn.zone.as_ref().is_some_and(|zone| {
            let mut ranks = zone[Color::White].iter().map(|square| game.board.relative_rank(Color::White, square));
            ranks.all(|rank| rank >= home)
        });
        let movement = &pawn.movement;
        for path in &movement.paths {
            if path.initial && (path.modality.captures || path.modality.en_passant) {
                return Err(self.error(
                    &pawn_key,
                    "found an initial move (`i`) of a pawn that captures, expected it only to move (`im`)",
                ));
            }
            if path.initial && i32::from(home) + i32::from(path.delta.rank) >= i32::from(first_promotion) {
                return Err(self.error(
                    &pawn_key,
                    "found an initial move (`i`) of a pawn that reaches a promotion rank, expected a shorter one",
                ));
            }
            let is_long = matches!(&path.kind, PathKind::LameLeap { via } if path.modality.moves && via.len() > 1);
            if is_long && game.has_en_passant() {
                return Err(self.error(&pawn_key, "found a lame move of a pawn over several squares, expected one over a single square in a game with en passant (`e`)"));
            }
            if game.has_en_passant() && path.passed_offset().is_some() && path.modality.captures {
                return Err(self.error(&pawn_key, "found a double step that captures, expected it only to move (`m`)"));
            }
            if path.rides() {
                return Err(self.error(&pawn_key, "found a move of a pawn that slides, expected leaps"));
            }
            if path.delta.rank < 0 && !keeps_ahead {
                return Err(self.error(
                    &pawn_key,
                    "found a move of a pawn that goes backward, expected it only with a zone without the ranks behind its home rank",
                ));
            }
            let captures_far_ahead = path.delta.file == 0 && path.delta.rank > 1 && path.modality.captures;
            if game.has_pawn_cannon && captures_far_ahead {
                return Err(self.error(
                    &pawn_key,
                    "found a capture straight ahead beyond one square, expected none for a pawn with a cannon: their UCI moves would be equal",
                ));
            }
        }
        if game.has_en_passant() {
            let board = &game.board;
            let rule = game.piece_promotion.as_ref().filter(|_| game.turned(game.pawn).is_some());
            let zone = rule.and_then(|rule| board.rank_range(rule.zones[Color::White]));
            let first_turning = zone.map_or(u8::MAX, |(low, _)| low);
            for path in &movement.paths {
                let Some(passed) = path.passed_offset() else { continue };
                let may_begin = |&from: &Square| {
                    let rank = board.relative_rank(Color::Black, from);
                    if path.initial { rank == home } else { rank >= game.first_pawn_rank() }
                };
                let landings = board.squares().filter(may_begin);
                let mut landings = landings.filter_map(|from| board.step(from, passed, Color::Black));
                let promotes = |landing| {
                    game.promotion_on(Color::White, landing).is_some()
                        || board.relative_rank(Color::White, landing) >= first_turning
                };
                if landings.any(promotes) {
                    return Err(self.error(&pawn_key, "found a double step over a square where an en passant capture would promote, expected one further back"));
                }
            }
        }
        Ok(())
    }

    /// Finds the hanging squares that pawns can capture on without promoting.
    pub(super) fn hanging_pawn_squares(&self, game: &mut GameDef) -> Result<(), DefError> {
        let (board, last_rank) = (&game.board, game.last_rank());
        let paths = &game.kind(game.pawn).movement.paths;
        let mut hanging_pawn_squares = ByColor::<SquareSet>::default();
        for color in Color::ALL {
            let found = &mut hanging_pawn_squares[color];
            let ranks = game.first_pawn_rank()..last_rank;
            let mut origins: Vec<Square> = board
                .squares()
                .filter(|&square| {
                    !board.hanging().contains(square) && ranks.contains(&board.relative_rank(color, square))
                })
                .collect();
            while let Some(from) = origins.pop() {
                for path in paths.iter().filter(|path| path.modality.captures) {
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
                            return Err(self.error("board.hanging", message));
                        }
                    }
                }
            }
        }
        game.hanging_pawn_squares = hanging_pawn_squares;
        Ok(())
    }
}
