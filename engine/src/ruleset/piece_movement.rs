//! How a kind moves, in the terms of the generator: which tables it needs, known at compile time for the built-in games.

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use assay_rules::movement::{Delta, Movement, Path, PathKind};
use assay_rules::piece::Kind;

/// Complete lines through a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Along rank and file.
    pub orthogonal: bool,
    /// Along both diagonals.
    pub diagonal: bool,
}

impl Lines {
    /// No line.
    pub const NONE: Lines = Lines {
        orthogonal: false,
        diagonal: false,
    };
    /// The rook's lines.
    pub const ORTHOGONAL: Lines = Lines {
        orthogonal: true,
        diagonal: false,
    };
    /// The bishop's lines.
    pub const DIAGONAL: Lines = Lines {
        orthogonal: false,
        diagonal: true,
    };
    /// The queen's lines.
    pub const ALL: Lines = Lines {
        orthogonal: true,
        diagonal: true,
    };

    /// Is there a line at all?
    pub const fn any(self) -> bool {
        self.orthogonal || self.diagonal
    }
}

/// The part that a kind plays in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The royal kind.
    King,
    /// The game's pawn.
    Pawn,
    /// The imitator.
    Joker,
    /// Any other.
    Piece,
}

/// How a kind moves. Everything apart from [`Role`] speaks of its ordinary movement, initial powers excluded.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMovement {
    /// Its part in the rules.
    pub role: Role,
    /// Has it leaps to empty squares?
    pub leap_moves: bool,
    /// Has it leaps that capture?
    pub leap_captures: bool,
    /// Are those the same leaps?
    pub same_leaps: bool,
    /// Lines along which it slides to empty squares.
    pub slide_moves: Lines,
    /// Lines along which it slides to capture.
    pub slide_captures: Lines,
    /// Lines along which it hops over a screen to empty squares.
    pub hop_moves: Lines,
    /// Lines along which it hops over a screen to capture.
    pub hop_captures: Lines,
    /// Has it paths that are none of these: lame and conditional leaps, limited, partial or crooked rides and hops?
    pub has_irregular: bool,
    /// Has it powers that only an unmoved piece has? (For pawns: on the home rank.)
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

    /// A piece that leaps, moving or capturing.
    pub const LEAPER: PieceMovement = PieceMovement {
        leap_moves: true,
        leap_captures: true,
        ..PieceMovement::NONE
    };

    /// A royal piece that leaps, moving or capturing.
    pub const KING: PieceMovement = PieceMovement {
        role: Role::King,
        ..PieceMovement::LEAPER
    };

    /// A pawn: leaps that move, others that capture, more from its home rank.
    pub const PAWN: PieceMovement = PieceMovement {
        role: Role::Pawn,
        same_leaps: false,
        has_initial: true,
        ..PieceMovement::LEAPER
    };

    /// A piece that slides, moving or capturing.
    pub const fn slider(lines: Lines) -> PieceMovement {
        PieceMovement {
            slide_moves: lines,
            slide_captures: lines,
            ..PieceMovement::NONE
        }
    }

    /// What the definition of a game says of a kind.
    pub fn of(game: &GameDef, kind: Kind) -> PieceMovement {
        let def = game.kind(kind);
        let ordinary = PathGroups::of(&def.movement, false);
        let leaps = |wanted: fn(&Path) -> bool| -> Vec<Delta> {
            let mut deltas: Vec<Delta> = ordinary
                .leaps
                .iter()
                .filter(|path| wanted(path))
                .map(|path| path.delta)
                .collect();
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
                PieceClass::Major | PieceClass::Average | PieceClass::Minor | PieceClass::Piece => Role::Piece,
            },
            leap_moves: !moves.is_empty(),
            leap_captures: !captures.is_empty(),
            same_leaps: moves == captures,
            slide_moves: ordinary.slide_moves,
            slide_captures: ordinary.slide_captures,
            hop_moves: ordinary.hop_moves,
            hop_captures: ordinary.hop_captures,
            has_irregular: !ordinary.irregular.is_empty(),
            has_initial: def.movement.paths.iter().any(|path| path.initial),
        }
    }
}

/// A movement sorted into what tables serve.
#[derive(Clone, Debug)]
pub(crate) struct PathGroups<'m> {
    /// Unconditional leaps.
    pub(crate) leaps: Vec<&'m Path>,
    /// Complete lines slid along without capturing.
    pub(crate) slide_moves: Lines,
    /// Complete lines slid along to capture.
    pub(crate) slide_captures: Lines,
    /// Complete lines hopped along without capturing.
    pub(crate) hop_moves: Lines,
    /// Complete lines hopped along to capture.
    pub(crate) hop_captures: Lines,
    /// Everything else.
    pub(crate) irregular: Vec<&'m Path>,
}

const ORTHOGONAL: [Delta; 4] = [Delta::new(1, 0), Delta::new(-1, 0), Delta::new(0, 1), Delta::new(0, -1)];
const DIAGONAL: [Delta; 4] = [
    Delta::new(1, 1),
    Delta::new(-1, 1),
    Delta::new(1, -1),
    Delta::new(-1, -1),
];

impl<'m> PathGroups<'m> {
    /// Sorts the ordinary paths of a movement, or its initial ones.
    pub(crate) fn of(movement: &'m Movement, initial: bool) -> PathGroups<'m> {
        let paths: Vec<&Path> = movement.paths.iter().filter(|path| path.initial == initial).collect();
        // Only lines that are complete, all four directions with the same modality, go by the line tables; whatever an
        // incomplete set leaves over is interpreted path by path.
        let complete = |travel: &PathKind, directions: &[Delta; 4], wanted: fn(&Path) -> bool| {
            directions.iter().all(|&delta| {
                paths
                    .iter()
                    .any(|path| path.kind == *travel && path.delta == delta && wanted(path))
            })
        };
        let lines = |travel: PathKind, wanted: fn(&Path) -> bool| Lines {
            orthogonal: complete(&travel, &ORTHOGONAL, wanted),
            diagonal: complete(&travel, &DIAGONAL, wanted),
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
