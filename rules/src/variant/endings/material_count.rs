//! A count of material, which decides games by repetition and by the move rule.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::types::color::Color;
use crate::types::outcome::Points;
use crate::types::piece::Kind;
use crate::variant::kinds::PieceClass;
use crate::variant::mechanism::{KeyError, Parts, forbid, rank, required};
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MaterialCountKeys {
    /// Points of a piece of class `major`.
    #[schemars(example = 4)]
    pub major: Option<u32>,
    /// Points of a piece of class `average`.
    #[schemars(example = 4)]
    pub average: Option<u32>,
    /// Points of a piece of class `minor`.
    #[schemars(example = 4)]
    pub minor: Option<u32>,
    /// Points of the joker.
    #[schemars(example = 4)]
    pub joker: Option<u32>,
    /// Points of the joker if the opponent has more major than minor pieces.
    #[schemars(example = 4)]
    pub joker_against_majors: Option<u32>,
    /// Points of a pawn.
    #[schemars(example = 4)]
    pub pawn: Option<u32>,
    /// Points of a pawn on a rank, instead of `pawn`. Replaces the table of the base as a whole.
    #[schemars(extend("default" = {}, "examples" = [{ "7": 3 }]))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pawn_on_rank: BTreeMap<String, u32>,
    /// Lead in points that decides the game.
    #[schemars(example = 5)]
    pub lead: Option<u32>,
    /// Result of the side with the lead: 0, 0.25, 0.5, 0.75 or 1.
    #[schemars(with = "Option<f64>", example = 0.75)]
    pub score: Option<Points>,
}

/// Points for the pieces on the board, counted when repetition or the move rule ends the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MaterialCount {
    pub major: u32,
    /// Points for an average piece (the rook).
    pub average: u32,
    pub minor: u32,
    pub joker: u32,
    /// Points for the joker if the opponent has more major than minor pieces on the board.
    pub joker_against_majors: u32,
    /// Points for a pawn on any other rank than those in `pawn_on_rank`.
    pub pawn: u32,
    /// Points for a pawn on certain ranks, as `(rank, points)`. Ranks are numbered as in
    /// [`PromotionRank::rank`](crate::def::PromotionRank::rank).
    pub pawn_on_rank: Vec<(u8, u32)>,
    /// Smallest lead that decides the game.
    pub lead: u32,
    /// Result for the side that leads.
    pub score: Points,
}

impl MaterialCountKeys {
    pub(super) fn build(&self, parts: Parts<'_>, pawn_ranks: Range<u8>) -> Result<MaterialCount, KeyError> {
        let field = |name: &str, value: Option<u32>| {
            let key = format!("endings.material-count.{name}");
            let value = required(&key, value)?;
            forbid(value > 1000, key, format!("found {value}, expected at most 1000 points"))?;
            Ok(value)
        };
        let mut pawn_on_rank = Vec::new();
        for (number, points) in &self.pawn_on_rank {
            let key = format!("endings.material-count.pawn-on-rank.{number}");
            let rank = rank(parts.board, &key, number)?;
            if !pawn_ranks.contains(&rank) {
                let (first, last) = (pawn_ranks.start, pawn_ranks.end - 1);
                let message = format!("found rank {rank}, where no pawn can be, expected {first} to {last}");
                return Err(KeyError::new(key, message));
            }
            pawn_on_rank.push((rank, field(&format!("pawn-on-rank.{number}"), Some(*points))?));
        }
        Ok(MaterialCount {
            major: field("major", self.major)?,
            average: field("average", self.average)?,
            minor: field("minor", self.minor)?,
            joker: field("joker", self.joker)?,
            joker_against_majors: field("joker-against-majors", self.joker_against_majors)?,
            pawn: field("pawn", self.pawn)?,
            pawn_on_rank,
            lead: field("lead", self.lead)?,
            score: required("endings.material-count.score", self.score)?,
        })
    }
}

impl MaterialCount {
    /// White's points, if the sides have these numbers of points for their pieces.
    pub fn result(&self, points: impl Fn(Color) -> u32) -> Points {
        let lead = i64::from(points(Color::White)) - i64::from(points(Color::Black));
        if lead.abs() < i64::from(self.lead) {
            Points::DRAW
        } else if lead < 0 {
            self.score.flipped()
        } else {
            self.score
        }
    }

    /// Points of a side's pieces on the board.
    pub(crate) fn points(&self, position: &Position, color: Color) -> u32 {
        let class_of = |kind: Kind| position.game().kind(kind).class;
        let count = |side: Color, class: PieceClass| {
            position.pieces().filter(|(_, piece)| piece.color == side && class_of(piece.kind) == class).count()
        };
        let joker = if count(!color, PieceClass::Major) > count(!color, PieceClass::Minor) {
            self.joker_against_majors
        } else {
            self.joker
        };
        let own = position.pieces().filter(|(_, piece)| piece.color == color);
        own.map(|(square, piece)| match class_of(piece.kind) {
            PieceClass::Major => self.major,
            PieceClass::Average => self.average,
            PieceClass::Minor => self.minor,
            PieceClass::Joker => joker,
            PieceClass::Pawn => {
                let rank = position.game().board.relative_rank(color, square);
                let special = self.pawn_on_rank.iter().find(|(on, _)| *on == rank);
                special.map_or(self.pawn, |(_, points)| *points)
            }
            PieceClass::King | PieceClass::Royal | PieceClass::Piece => 0,
        })
        .sum()
    }

    pub(super) fn sentence(&self, game: &GameDef) -> String {
        let MaterialCount { major, average, minor, joker, joker_against_majors, pawn, pawn_on_rank, lead, score } =
            self;
        let of_class =
            |class: PieceClass| game.kinds.all().filter(|&kind| game.kind(kind).class == class).collect::<Vec<_>>();
        let classes = [(PieceClass::Major, major), (PieceClass::Average, average), (PieceClass::Minor, minor)];
        let classes =
            classes.into_iter().map(|(class, points)| (of_class(class), points)).filter(|(kinds, _)| !kinds.is_empty());
        let mut points: Vec<String> =
            classes.map(|(kinds, points)| format!("{} {points}", game.kinds.names(&kinds))).collect();
        if game.kinds.joker().is_some() {
            points.push(format!("joker {joker} ({joker_against_majors} against more majors than minors)"));
        }
        points.push(format!("pawn {pawn}"));
        points.extend(pawn_on_rank.iter().map(|(rank, points)| format!("pawn on rank {rank} {points}")));
        format!("The count gives points for: {}. A lead of {lead} or more scores {score}.", points.join("; "))
    }
}
