//! The named terms of a game's evaluation.

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use assay_rules::piece::Kind;

/// An evaluation term: an index into a game's [`Terms`] and [`Weights`](super::Weights).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u16);

impl Term {
    /// Returns the array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the term at `offset` in the series that starts with this term.
    #[must_use]
    pub(crate) const fn plus(self, offset: u8) -> Term {
        Term(self.0 + offset as u16)
    }
}

/// Section of the weights file that a term belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Tempo and pawn structure.
    General,
    /// Terms of a piece kind.
    Piece(Kind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermName {
    /// Section of the weights file.
    pub section: Section,
    /// Name of the term or series within its section.
    pub name: &'static str,
    /// Index of the term in a series (rank or file), from 0.
    pub index: Option<u8>,
}

/// Terms of a piece kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindTerms {
    /// Piece on the board; `None` for the king, of which each side always has one.
    pub(crate) material: Option<Term>,
    /// Piece in the pocket that can still be dropped.
    pub(crate) pocket: Option<Term>,
    /// Pieces of a color-bound kind on squares of both colors, such as the bishop pair.
    pub(crate) pair: Option<Term>,
    /// Number of moves and captures, less the kind's average.
    pub(crate) mobility: Option<Term>,
    /// Number of moves and captures in the enemy king's zone.
    pub(crate) king_attack: Option<Term>,
    /// Piece-square table by rank, from the owner's first rank: first term of the series.
    pub(crate) ranks: Term,
    /// Piece-square table by file, from the edge to the center: first term of the series.
    pub(crate) files: Term,
}

/// Terms of tempo and pawn structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneralTerms {
    /// Side to move.
    pub(crate) tempo: Term,
    /// Passed pawn, by rank: first term of the series.
    pub(crate) passed: Term,
    /// Pawn without own pawns on the adjacent files.
    pub(crate) isolated: Term,
    /// Pawn with an own pawn ahead on its file.
    pub(crate) doubled: Term,
    /// Own pawn protected by a pawn.
    pub(crate) protected: Term,
    /// Enemy piece (no pawn, no king) attacked by a pawn.
    pub(crate) pawn_threat: Term,
    /// Pawn in the own king's zone.
    pub(crate) pawn_shield: Term,
}

/// All evaluation terms of a game in a fixed order.
#[derive(Clone, Debug)]
pub struct Terms {
    names: Vec<TermName>,
    pub(crate) kinds: Vec<KindTerms>,
    pub(crate) general: GeneralTerms,
}

impl Terms {
    pub fn new(game: &GameDef) -> Terms {
        let mut names = Vec::new();
        let ranks = game.board.ranks();
        let files = game.board.files().div_ceil(2);
        let general = {
            let mut add = |name| single(&mut names, Section::General, name);
            let (tempo, isolated, doubled) = (add("tempo"), add("isolated"), add("doubled"));
            let (protected, pawn_threat, pawn_shield) = (add("protected"), add("pawn_threat"), add("pawn_shield"));
            let passed = series(&mut names, Section::General, "passed", ranks);
            GeneralTerms { tempo, passed, isolated, doubled, protected, pawn_threat, pawn_shield }
        };
        let kinds = game
            .kinds
            .all()
            .map(|kind| {
                let section = Section::Piece(kind);
                let class = game.kind(kind).class;
                let mut add = |applies: bool, name| applies.then(|| single(&mut names, section, name));
                let is_piece = !matches!(class, PieceClass::King | PieceClass::Pawn);
                KindTerms {
                    material: add(class != PieceClass::King, "material"),
                    pocket: add(game.pocket_kinds().contains(&kind), "pocket"),
                    pair: add(is_piece && game.kinds.is_color_bound(kind), "pair"),
                    mobility: add(is_piece, "mobility"),
                    king_attack: add(is_piece, "king_attack"),
                    ranks: series(&mut names, section, "ranks", ranks),
                    files: series(&mut names, section, "files", files),
                }
            })
            .collect();
        Terms { names, kinds, general }
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if there are no terms, which no game has.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All terms, in order.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.names.len() as u16).map(Term)
    }

    /// Returns the name of a term.
    ///
    /// # Panics
    /// Panics if the term is out of range.
    pub fn name(&self, term: Term) -> TermName {
        self.names[term.index()]
    }

    /// Returns the name of a term as text, such as `knight.material`, `rook.ranks.7` or `tempo`.
    ///
    /// # Panics
    /// Panics if the term is out of range.
    pub fn label(&self, game: &GameDef, term: Term) -> String {
        let name = self.name(term);
        let mut text = match name.section {
            Section::General => String::new(),
            Section::Piece(kind) => format!("{}.", game.kind(kind).name),
        };
        text.push_str(name.name);
        if let Some(index) = name.index {
            text.push_str(&format!(".{index}"));
        }
        text
    }

    /// Returns the material term of a kind; `None` for the king.
    pub fn material(&self, kind: Kind) -> Option<Term> {
        self.kinds.get(kind.index())?.material
    }
}

fn single(names: &mut Vec<TermName>, section: Section, name: &'static str) -> Term {
    names.push(TermName { section, name, index: None });
    Term(names.len() as u16 - 1)
}

fn series(names: &mut Vec<TermName>, section: Section, name: &'static str, length: u8) -> Term {
    let first = Term(names.len() as u16);
    names.extend((0..length).map(|index| TermName { section, name, index: Some(index) }));
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_unique_and_only_color_bound_kinds_have_pairs() {
        let color_bound = |name: &str| {
            let game = GameDef::builtin(name).unwrap();
            let terms = Terms::new(&game);
            let labels: std::collections::HashSet<String> = terms.all().map(|term| terms.label(&game, term)).collect();
            assert_eq!(labels.len(), terms.len());
            let kinds = game.kinds.all().filter(|kind| terms.kinds[kind.index()].pair.is_some());
            kinds.map(|kind| game.kind(kind).letter).collect::<String>()
        };
        assert_eq!(color_bound("chess"), "B");
        // An archer also moves orthogonally; a camel's non-capturing step changes color.
        assert_eq!(color_bound("gamma2"), "B");
        assert_eq!(color_bound("apothecary2"), "B");
    }
}
