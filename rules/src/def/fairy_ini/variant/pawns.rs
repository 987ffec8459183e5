//! Pawns: which kind they are, their double steps, and their promotion.

use std::collections::BTreeSet;

use super::super::super::keys::{GameKeys, PawnKeys, PromotionKeys};
use super::super::kinds::{FairyKinds, Name, Names, PAWN_WITHOUT_DOUBLE_STEP, TORPEDO_PAWN};
use super::super::region::{Region, names};
use super::draft::{Conflict, DoubleSteps, Draft, require};
use super::key::{Key, PairValue, Pairs, Setting, keys, rank};
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::movement::Delta;
use crate::types::piece::Kind;
use crate::types::square::SquareSet;
use crate::variant::GameDef;

keys! {
    /// Pawns. Regions are White's and Black's.
    PawnSettings in pawns {
        /// The pawn that promotes as pawns do; none in shogi.
        promotion_types: Option<Name> = Some("pawn"), "promotionPawnTypes" => PAWN;
        /// The pawn that is captured en passant.
        en_passant_types: Option<Name> = Some("pawn"), "enPassantTypes" => PAWN;
        /// The pawn whose moves begin the count of the move rule anew.
        move_rule_types: Option<Name> = Some("pawn"), "nMoveRuleTypes" => &["endings.pawn-moves-reset"];
        double_step: bool = true, "doubleStep" => DOUBLE_STEPS;
        double_steps_white: Region = Region::of_ranks([2]), "doubleStepRegionWhite" => DOUBLE_STEPS;
        double_steps_black: Region = Region::of_ranks([7]), "doubleStepRegionBlack" => DOUBLE_STEPS;
        /// Squares on which pawns are captured en passant; all if empty.
        en_passant_region: Region = Region::default(), "enPassantRegion" => DOUBLE_STEPS;
        region_white: Region = Region::of_ranks([8]), "promotionRegionWhite" => PROMOTION;
        region_black: Region = Region::of_ranks([1]), "promotionRegionBlack" => PROMOTION;
        /// Kinds to which the pawns of White promote.
        promotion_white: Vec<Name> = Vec::new(), "promotionPieceTypesWhite" => PROMOTED;
        promotion_black: Vec<Name> = Vec::new(), "promotionPieceTypesBlack" => PROMOTED;
        limits: Pairs<u8> = Pairs::default(), "promotionLimit" => &["pawns.promotion-limits"];
        is_mandatory: bool = true, "mandatoryPawnPromotion" => &["promotion"];
    }
    first {
        "pawnTypes" sets ["promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes"], |rules, entry, kinds| {
            let pawns = &mut rules.pawns;
            pawns.promotion_types.read(entry, kinds)?;
            (pawns.en_passant_types, pawns.move_rule_types) = (pawns.promotion_types, pawns.promotion_types);
            Ok(())
        };
        "promotionRank" sets ["promotionRegionWhite", "promotionRegionBlack"], |rules, entry, _| {
            let ranks = rules.layout.ranks;
            [rules.pawns.region_white, rules.pawns.region_black] = of_both(ranks, rank(entry)?..=ranks);
            Ok(())
        };
        "doubleStepRankMin" sets ["doubleStepRegionWhite", "doubleStepRegionBlack"], |rules, entry, _| {
            let regions = of_both(rules.layout.ranks, rank(entry)?..=2);
            [rules.pawns.double_steps_white, rules.pawns.double_steps_black] = regions;
            Ok(())
        };
        "doubleStepRank" sets ["doubleStepRegionWhite", "doubleStepRegionBlack"], |rules, entry, _| {
            let regions = of_both(rules.layout.ranks, 2..=rank(entry)?);
            [rules.pawns.double_steps_white, rules.pawns.double_steps_black] = regions;
            Ok(())
        };
        "promotionPieceTypes" sets ["promotionPieceTypesWhite", "promotionPieceTypesBlack"], |rules, entry, kinds| {
            rules.pawns.promotion_white.read(entry, kinds)?;
            rules.pawns.promotion_black.clone_from(&rules.pawns.promotion_white);
            Ok(())
        };
    }
}

const PROMOTION: &[&str] = &["promotion", "piece-promotion", "pieces", "pawns", "drops"];
const DOUBLE_STEPS: &[&str] = &["pawns", "pieces", "starts"];
const PROMOTED: &[&str] = &["promotion", "pieces", "pawns.promotion-limits", "starts"];
const PAWN: &[&str] = &["pieces", "promotion", "endings.pawn-moves-reset"];

/// Ranks that a side counts from its own, for both sides.
fn of_both(ranks: u8, numbers: impl Iterator<Item = u8> + Clone) -> [Region; 2] {
    [Region::of_ranks(numbers.clone()), Region::of_ranks(numbers.map(|number| (ranks + 1).saturating_sub(number)))]
}

/// The largest number of pieces of a kind.
impl PairValue for u8 {
    const EXPECTED: &'static str = "limits of pieces, such as q:1 r:2";

    const NONE: &'static str = "0";

    fn read(text: &str, _: &FairyKinds) -> Option<u8> {
        text.parse().ok()
    }

    fn write(&self, _: &FairyKinds) -> String {
        self.to_string()
    }
}

impl PawnSettings {
    /// The kinds that a key calls pawns.
    pub(super) fn types(&self) -> impl Iterator<Item = &Name> {
        [&self.en_passant_types, &self.promotion_types, &self.move_rule_types].into_iter().flatten()
    }

    /// The kind of pawn that the variant has; empty if none.
    pub(super) fn kind(&self, kinds: &FairyKinds) -> Name {
        self.types().find(|name| kinds.letter(name).is_some()).copied().unwrap_or_default()
    }

    /// The ranks from which pawns make double steps, the same for both sides.
    pub(super) fn double_steps(&self, board: &Board) -> Result<DoubleSteps, Conflict> {
        let squares = [&self.double_steps_white, &self.double_steps_black].map(|region| region.on(board));
        let ranks = Color::ALL.map(|color| complete_ranks(board, squares[color.index()], color));
        let everywhere: BTreeSet<u8> = (2..board.ranks().saturating_sub(1)).collect();
        if !self.double_step {
            return Ok(DoubleSteps::None);
        }
        if let [Some(white), Some(black)] = &ranks {
            // With steps of White from the first rank, Black's may begin only on its second.
            let without_first = white - &BTreeSet::from([1]);
            match white.iter().copied().collect::<Vec<_>>().as_slice() {
                [] if black.is_empty() => return Ok(DoubleSteps::None),
                _ if everywhere.len() > 1 && everywhere.is_subset(white) && everywhere.is_subset(black) => {
                    return Ok(DoubleSteps::Everywhere);
                }
                &[home] if black == white => return Ok(DoubleSteps::From { home, first: false }),
                &[1, home] if black == white || *black == without_first => {
                    return Ok(DoubleSteps::From { home, first: true });
                }
                _ => {}
            }
        }
        let [white, black] = squares.map(|squares| names(board, squares));
        let message = format!(
            "found doubleStepRegionWhite = {white} and doubleStepRegionBlack = {black}, expected one rank, and perhaps the first, as each side sees it, or all, or doubleStep = false"
        );
        Err(Conflict::new(&["doubleStepRegionWhite", "doubleStepRegionBlack", "doubleStep"], message))
    }
}

/// Numbers of ranks as a side sees them, if the squares are complete ranks.
fn complete_ranks(board: &Board, squares: SquareSet, color: Color) -> Option<BTreeSet<u8>> {
    let ranks: BTreeSet<u8> = squares.iter().map(|square| board.relative_rank(color, square)).collect();
    (squares.len() == ranks.len() * usize::from(board.files())).then_some(ranks)
}

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    check_double_steps(draft)?;
    let pawns = &draft.rules.pawns;
    let region_keys = ["promotionRegionWhite", "promotionRegionBlack"];
    draft.check_turned(region_keys, [&pawns.region_white, &pawns.region_black])?;
    let (home_rank, first_rank_steps) = match draft.double_steps {
        DoubleSteps::From { home, first } => (home, first),
        // It says only whether pawns can be on the first rank.
        _ if draft.kinds.letter(draft.pawn).is_some_and(|pawn| draft.rank(1, false).contains(pawn)) => (1, false),
        _ => (2, false),
    };
    let only_black = pawns.promotion_black.iter().filter(|name| !pawns.promotion_white.contains(name));
    let to: Vec<Name> = pawns.promotion_white.iter().chain(only_black).copied().collect();
    let to = draft.kinds.letters(&to);
    let promotes = pawns.promotion_types.filter(|name| draft.kinds.letter(name).is_some());
    let is_other = |name: &&Name| draft.kinds.letter(name).is_some() && **name != draft.pawn;
    let has_pawn = draft.kinds.letter("pawn").is_some();
    require(
        !pawns.types().any(|name| is_other(&name)) && (!has_pawn || pawns.promotion_types.is_some()),
        &["promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes", "pawn"],
        "found promotionPawnTypes, enPassantTypes or nMoveRuleTypes without the pawn, or with different kinds, expected one pawn",
    )?;
    let is_promoting = promotes.is_some() && !to.is_empty();
    let limits = pawns.limits.0.iter().filter_map(|(name, most)| Some((draft.kinds.letter(name)?, *most)));
    let limits = limits.filter(|(letter, _)| is_promoting && to.contains(*letter));
    keys.pawns = Some(PawnKeys {
        home_rank: Some(home_rank),
        first_rank_steps: Some(first_rank_steps),
        promotion_limits: limits.map(|(letter, most)| (letter.to_string(), most)).collect(),
        ..PawnKeys::default()
    });
    if !is_promoting {
        return Ok(());
    }
    let last = draft.board.ranks();
    let white = draft.squares(&pawns.region_white);
    let (ranks, squares) = match promotion_ranks(draft) {
        Ok(ranks) if ranks.last() == Some(&last) => {
            // No pawn passes the first of the ranks.
            let is_first = ranks.len() > 1 && pawns.is_mandatory && enters_at(draft, ranks[0]);
            if is_first { (vec![last], Some(format!("*{}", ranks[0]))) } else { (ranks, None) }
        }
        _ => (vec![last], Some(names(&draft.board, white))),
    };
    require(
        pawns.is_mandatory == (ranks.len() == 1),
        // Pawns that begin behind the first rank of the region are there by the start alone.
        &["mandatoryPawnPromotion", "promotionRegionWhite", "startFen"],
        "found mandatoryPawnPromotion on several ranks of promotionRegionWhite, or none on the last, expected it on the last only",
    )?;
    for rank in ranks {
        let promotion = PromotionKeys { to: Some(to.clone()), optional: Some(rank < last), squares: squares.clone() };
        keys.promotion.insert(rank.to_string(), promotion);
    }
    Ok(())
}

fn check_double_steps(draft: &Draft<'_>) -> Result<(), Conflict> {
    let board = &draft.board;
    let expected = match draft.double_steps {
        DoubleSteps::From { home, first: true } => en_passant_region(home, board.ranks()),
        _ => Region::default(),
    };
    let found = &draft.rules.pawns.en_passant_region;
    let message = format!(
        "found enPassantRegion = {}, expected `{}` for these double steps, of doubleStepRegionWhite and doubleStepRegionBlack",
        names(board, found.on(board)),
        expected.names()
    );
    let keys = ["enPassantRegion", "doubleStepRegionWhite", "doubleStepRegionBlack"];
    require(found.on(board) == expected.on(board), &keys, message)?;
    let DoubleSteps::From { home, .. } = draft.double_steps else { return Ok(()) };
    let Some(zone) = draft.variant.zones.get("pawn").filter(|_| draft.kinds.letter("pawn").is_some()) else {
        return Ok(());
    };
    // There the zone has the square that a double step passes, too.
    let zone = draft.squares(&zone[Color::White]);
    let is_passed = |square| {
        let passed = board.step(square, Delta { file: 0, rank: -1 }, Color::White);
        passed.is_some_and(|passed| zone.contains(passed))
    };
    let mut landings = zone.iter().filter(|&square| board.relative_rank(Color::White, square) == home + 2);
    require(
        landings.all(is_passed),
        &["mobilityRegionWhitePawn", "doubleStep"],
        "found mobilityRegionWhitePawn without a square that a double step passes, expected it or doubleStep = false",
    )
}

/// The ranks on which pawns are captured en passant if steps from the first rank do not count.
fn en_passant_region(home: u8, ranks: u8) -> Region {
    Region::of_ranks(home.saturating_add(1)..=ranks.saturating_sub(home))
}

/// The ranks of promotion in ascending order.
pub(super) fn promotion_ranks(draft: &Draft<'_>) -> Result<Vec<u8>, Conflict> {
    let white = draft.squares(&draft.rules.pawns.region_white);
    let ranks: Vec<u8> = complete_ranks(&draft.board, white, Color::White).unwrap_or_default().into_iter().collect();
    let message = format!(
        "found promotionRegionWhite = {}, expected complete ranks side by side, such as *7 *8",
        names(&draft.board, white)
    );
    let are_beside = ranks.windows(2).all(|pair| pair[1] - pair[0] == 1);
    require(!ranks.is_empty() && are_beside, &["promotionRegionWhite"], message)?;
    Ok(ranks)
}

/// Returns true if all pawns of the start are below a rank, as their side sees it, and enter it
/// before any rank above.
fn enters_at(draft: &Draft<'_>, rank: u8) -> bool {
    let pawn = draft.kinds.letter(draft.pawn).unwrap_or_default();
    let top = usize::from((draft.board.ranks() + 1).saturating_sub(rank));
    let is_above = draft.ranks.iter().take(top).any(|squares| squares.contains(pawn))
        || draft.ranks.iter().rev().take(top).any(|squares| squares.contains(pawn.to_ascii_lowercase()));
    let is_stepping = match draft.double_steps {
        DoubleSteps::None => true,
        DoubleSteps::From { home, .. } => home + 2 <= rank,
        DoubleSteps::Everywhere => false,
    };
    draft.pawn == "pawn" && is_stepping && !is_above
}

pub(super) fn fill(game: &GameDef, names: &Names, pawns: &mut PawnSettings) -> Result<(), String> {
    let (board, promotion) = (&game.board, &game.pawns.promotion);
    let to = promotion.first().map_or(&[][..], |first| &first.kinds);
    if promotion.iter().any(|promotion| promotion.kinds != to) {
        return Err("promotion to other pieces on some ranks".to_owned());
    }
    let pawn = Some(names[game.first_pawn()]);
    pawns.promotion_types = pawn.filter(|_| !promotion.is_empty());
    pawns.en_passant_types = pawn;
    pawns.move_rule_types = pawn.filter(|_| game.endings.pawn_moves_reset);
    [pawns.promotion_white, pawns.promotion_black] = Color::ALL.map(|color| {
        let own: Vec<Kind> = to.iter().copied().filter(|&kind| game.kinds.may_own(color, kind)).collect();
        names.of(&own)
    });
    pawns.is_mandatory = promotion.len() <= 1;
    pawns.limits.0 = game.pawns.promotion_limits.iter().map(|&(kind, most)| (names[kind], most)).collect();
    let of_pawns = |color| board.squares().filter(move |&square| game.promotion_on(color, square).is_some());
    let mut zones = ByColor::new_with(|color| of_pawns(color).collect::<SquareSet>());
    let betza = game.kind(game.first_pawn()).betza.as_str();
    // There the region of makruk goes on to the last rank, which pawns without double steps never
    // reach.
    if betza == PAWN_WITHOUT_DOUBLE_STEP && promotion.len() == 1 {
        for color in Color::ALL {
            let of_rank = |rank| board.squares().filter(move |&square| board.relative_rank(color, square) == rank);
            let first = zones[color].iter().map(|square| board.relative_rank(color, square)).min().unwrap_or_default();
            if of_rank(first).collect::<SquareSet>() == zones[color] {
                zones[color] = (first..=game.last_rank()).flat_map(of_rank).collect();
            }
        }
    }
    if let Some(rule) = &game.mechanisms.piece_promotion {
        if !promotion.is_empty() && zones != rule.zones {
            return Err("other squares of promotion for pieces than for pawns".to_owned());
        }
        zones = rule.zones;
    }
    [pawns.region_white, pawns.region_black] = zones.0.map(|squares| Region::of_squares(board, squares));
    let (home, ranks) = (game.pawns.home_rank, board.ranks());
    pawns.double_step =
        betza == TORPEDO_PAWN || game.kind(game.first_pawn()).movement.paths.iter().any(|path| path.initial);
    if betza == TORPEDO_PAWN {
        [pawns.double_steps_white, pawns.double_steps_black] = of_both(ranks, 1..=ranks);
    } else if pawns.double_step {
        let first = game.pawns.first_rank_steps.then_some(1);
        [pawns.double_steps_white, pawns.double_steps_black] = of_both(ranks, first.into_iter().chain([home]));
        if game.pawns.first_rank_steps {
            pawns.en_passant_region = en_passant_region(home, ranks);
        }
    }
    Ok(())
}
