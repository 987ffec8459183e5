//! Movement of a kind in the terms of the move generator: which tables it needs.

use assay_rules::GameDef;
use assay_rules::def::{KindDef, PieceClass};
use assay_rules::movement::{Delta, Path, PathKind};
use assay_rules::piece::Kind;

/// A selection of the complete lines through a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Rank and file.
    pub orthogonal: bool,
    /// Both diagonals.
    pub diagonal: bool,
}

impl Lines {
    /// No lines.
    pub const NONE: Lines = Lines { orthogonal: false, diagonal: false };
    /// The rook's lines.
    pub const ORTHOGONAL: Lines = Lines { orthogonal: true, diagonal: false };
    /// The bishop's lines.
    pub const DIAGONAL: Lines = Lines { orthogonal: false, diagonal: true };
    /// The queen's lines.
    pub const ALL: Lines = Lines { orthogonal: true, diagonal: true };

    /// Returns true if any line is selected.
    pub const fn any(self) -> bool {
        self.orthogonal || self.diagonal
    }
}

/// Role of a kind in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The royal kind.
    King,
    /// The game's pawn.
    Pawn,
    /// The kind that moves like the piece the opponent moved last.
    Joker,
    /// Any other kind.
    Piece,
}

/// Movement of a kind. All fields but `role` and `has_initial` describe the ordinary movement,
/// without initial paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMovement {
    /// Role in the rules.
    pub role: Role,
    /// True if the kind leaps to empty squares.
    pub leap_moves: bool,
    /// True if the kind captures by leaps.
    pub leap_captures: bool,
    /// True if the leaps of both are the same.
    pub same_leaps: bool,
    /// Lines for sliding to empty squares.
    pub slide_moves: Lines,
    pub slide_captures: Lines,
    /// Lines for hopping over a screen to empty squares.
    pub hop_moves: Lines,
    /// Lines for captures by hopping over a screen.
    pub hop_captures: Lines,
    /// True if the kind has other paths: lame leaps (except double steps of pawns), or limited or
    /// partial rides and hops.
    pub has_irregular: bool,
    /// True if unmoved pieces have additional paths (pawns: on the home rank).
    pub has_initial: bool,
}

impl PieceMovement {
    /// A kind without movement.
    pub const NONE: PieceMovement = PieceMovement {
        role: Role::Piece,
        leap_moves: false,
        leap_captures: false,
        same_leaps: true,
        slide_moves: Lines::NONE,
        slide_captures: Lines::NONE,
        hop_moves: Lines::NONE,
        hop_captures: Lines::NONE,
        has_irregular: false,
        has_initial: false,
    };

    /// A piece whose leaps both move and capture.
    pub const LEAPER: PieceMovement = PieceMovement { leap_moves: true, leap_captures: true, ..PieceMovement::NONE };

    /// A king, which leaps.
    pub const KING: PieceMovement = PieceMovement { role: Role::King, ..PieceMovement::LEAPER };

    /// A pawn, with different leaps for moves and captures, and initial ones.
    pub const PAWN: PieceMovement =
        PieceMovement { role: Role::Pawn, same_leaps: false, has_initial: true, ..PieceMovement::LEAPER };

    /// A piece whose slides both move and capture.
    pub const fn slider(lines: Lines) -> PieceMovement {
        PieceMovement { slide_moves: lines, slide_captures: lines, ..PieceMovement::NONE }
    }

    /// Derives the movement from the definition of a game.
    pub fn of(game: &GameDef, kind: Kind) -> PieceMovement {
        let def = game.kind(kind);
        let ordinary = PathGroups::of(def, false);
        let leaps = |filter: fn(&Path) -> bool| -> Vec<Delta> {
            let mut deltas: Vec<Delta> =
                ordinary.leaps.iter().filter(|path| filter(path)).map(|path| path.delta).collect();
            deltas.sort_unstable();
            deltas.dedup();
            deltas
        };
        let (moves, captures) = (leaps(|path| path.modality.moves), leaps(|path| path.modality.captures));
        PieceMovement {
            role: match def.class {
                PieceClass::King => Role::King,
                PieceClass::Pawn => Role::Pawn,
                PieceClass::Joker => Role::Joker,
                PieceClass::Royal | PieceClass::Major | PieceClass::Average | PieceClass::Minor | PieceClass::Piece => {
                    Role::Piece
                }
            },
            leap_moves: !moves.is_empty(),
            leap_captures: !captures.is_empty(),
            same_leaps: moves == captures,
            slide_moves: ordinary.slide_moves,
            slide_captures: ordinary.slide_captures,
            hop_moves: ordinary.hop_moves,
            hop_captures: ordinary.hop_captures,
            has_irregular: ordinary.irregular.iter().any(|path| !game.is_double_step(kind, path)),
            has_initial: def.movement.paths.iter().any(|path| path.initial),
        }
    }
}

/// The paths of a movement, grouped by the tables that serve them.
#[derive(Clone, Debug)]
pub(crate) struct PathGroups<'m> {
    /// Unconditional leaps.
    pub(crate) leaps: Vec<&'m Path>,
    /// Complete lines for sliding to empty squares.
    pub(crate) slide_moves: Lines,
    /// Complete lines for sliding captures.
    pub(crate) slide_captures: Lines,
    /// Complete lines for hopping to empty squares.
    pub(crate) hop_moves: Lines,
    /// Complete lines for hopping captures.
    pub(crate) hop_captures: Lines,
    /// All other paths.
    pub(crate) irregular: Vec<&'m Path>,
}

const ORTHOGONAL: [Delta; 4] = [Delta::new(1, 0), Delta::new(-1, 0), Delta::new(0, 1), Delta::new(0, -1)];
const DIAGONAL: [Delta; 4] = [Delta::new(1, 1), Delta::new(-1, 1), Delta::new(1, -1), Delta::new(-1, -1)];

impl<'m> PathGroups<'m> {
    /// Groups the ordinary or the initial paths of a kind. The lines of a kind that is bound to a
    /// zone are not complete.
    pub(crate) fn of(def: &'m KindDef, initial: bool) -> PathGroups<'m> {
        let paths: Vec<&Path> = def.movement.paths.iter().filter(|path| path.initial == initial).collect();
        // The line tables serve only complete lines: all four directions with the same modality.
        // The paths of an incomplete set are irregular.
        let complete = |travel: &PathKind, directions: &[Delta; 4], filter: fn(&Path) -> bool| {
            def.zone.is_none()
                && directions
                    .iter()
                    .all(|&delta| paths.iter().any(|path| path.kind == *travel && path.delta == delta && filter(path)))
        };
        let lines = |travel: PathKind, filter: fn(&Path) -> bool| Lines {
            orthogonal: complete(&travel, &ORTHOGONAL, filter),
            diagonal: complete(&travel, &DIAGONAL, filter),
        };
        let (slide, hop) = (PathKind::Ride { range: None }, PathKind::HopRide { range: None });
        let moves: fn(&Path) -> bool = |path| path.modality.moves;
        let captures: fn(&Path) -> bool = |path| path.modality.captures;
        let mut groups = PathGroups {
            leaps: Vec::new(),
            slide_moves: lines(slide.clone(), moves),
            slide_captures: lines(slide.clone(), captures),
            hop_moves: lines(hop.clone(), moves),
            hop_captures: lines(hop.clone(), captures),
            irregular: Vec::new(),
        };
        for &path in &paths {
            let served = |lines: Lines| {
                (lines.orthogonal && ORTHOGONAL.contains(&path.delta))
                    || (lines.diagonal && DIAGONAL.contains(&path.delta))
            };
            let by_lines = |for_moves: Lines, for_captures: Lines| {
                !path.modality.en_passant
                    && (!path.modality.moves || served(for_moves))
                    && (!path.modality.captures || served(for_captures))
            };
            let served = match &path.kind {
                PathKind::Leap => {
                    groups.leaps.push(path);
                    continue;
                }
                PathKind::Ride { range: None } => by_lines(groups.slide_moves, groups.slide_captures),
                PathKind::HopRide { range: None } => by_lines(groups.hop_moves, groups.hop_captures),
                _ => false,
            };
            if !served {
                groups.irregular.push(path);
            }
        }
        groups
    }
}
