//! The named terms of a game's evaluation.

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use assay_rules::piece::Kind;

/// One term of a game's evaluation: an index into its [`Terms`] and [`Weights`](super::Weights).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u16);

impl Term {
    /// The term's number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The term `places` further on in a series.
    #[must_use]
    pub(crate) const fn plus(self, places: u8) -> Term {
        Term(self.0 + places as u16)
    }
}

/// Whom a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// The position as a whole, and the pawns' structure.
    General,
    /// The pieces of a kind.
    Piece(Kind),
}

/// A term's name: section, feature, and its place when the feature is a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermName {
    /// Whom it is about.
    pub section: Section,
    /// What of it.
    pub feature: &'static str,
    /// The place in the series (a rank or file), counted from zero.
    pub place: Option<u8>,
}

/// The terms about one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindTerms {
    /// A piece on the board. The king has none: each side always has one.
    pub(crate) material: Option<Term>,
    /// The same piece waiting in the pocket, while it can still be dropped.
    pub(crate) pocket: Option<Term>,
    /// Two pieces of a colour-bound kind on squares of either colour.
    pub(crate) pair: Option<Term>,
    /// Each square it can go to, above or below the kind's average.
    pub(crate) mobility: Option<Term>,
    /// Each square next to the enemy king that it can go to.
    pub(crate) king_attack: Option<Term>,
    /// The first of a series: the rank it stands on, as its owner counts, the lowest place first.
    pub(crate) ranks: Term,
    /// The first of a series: how many files it stands from the nearer edge.
    pub(crate) files: Term,
}

/// The terms that are about no single kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GeneralTerms {
    /// It is this side's move.
    pub(crate) tempo: Term,
    /// A pawn without enemy pawns ahead of it on its own and the neighbouring files; a series by rank.
    pub(crate) passed: Term,
    /// A pawn without friends on the neighbouring files.
    pub(crate) isolated: Term,
    /// A pawn with a friend ahead of it on its file.
    pub(crate) doubled: Term,
    /// A pawn that a pawn protects, once for each that it protects.
    pub(crate) protected: Term,
    /// An enemy piece, no pawn and no king, that a pawn attacks.
    pub(crate) pawn_threat: Term,
    /// A pawn next to its own king.
    pub(crate) pawn_shield: Term,
}

/// All terms of a game, in a fixed order.
#[derive(Clone, Debug)]
pub struct Terms {
    names: Vec<TermName>,
    pub(crate) kinds: Vec<KindTerms>,
    pub(crate) general: GeneralTerms,
}

impl Terms {
    /// The terms of a game.
    pub fn of(game: &GameDef) -> Terms {
        let mut names = Vec::new();
        let ranks = game.board.ranks();
        let files = game.board.files().div_ceil(2);
        let general = {
            let mut add = |feature| single(&mut names, Section::General, feature);
            let (tempo, isolated, doubled) = (add("tempo"), add("isolated"), add("doubled"));
            let (protected, pawn_threat, pawn_shield) = (add("protected"), add("pawn_threat"), add("pawn_shield"));
            let passed = series(&mut names, Section::General, "passed", ranks);
            GeneralTerms {
                tempo,
                passed,
                isolated,
                doubled,
                protected,
                pawn_threat,
                pawn_shield,
            }
        };
        let pocket = |kind| game.gating.as_ref().is_some_and(|gating| gating.pocket.contains(&kind));
        let kinds = game
            .all_kinds()
            .map(|kind| {
                let section = Section::Piece(kind);
                let class = game.kind(kind).class;
                let mut add = |wanted: bool, feature| wanted.then(|| single(&mut names, section, feature));
                let roams = !matches!(class, PieceClass::King | PieceClass::Pawn);
                KindTerms {
                    material: add(class != PieceClass::King, "material"),
                    pocket: add(pocket(kind), "pocket"),
                    pair: add(roams && is_color_bound(game, kind), "pair"),
                    mobility: add(roams, "mobility"),
                    king_attack: add(roams, "king_attack"),
                    ranks: series(&mut names, section, "ranks", ranks),
                    files: series(&mut names, section, "files", files),
                }
            })
            .collect();
        Terms { names, kinds, general }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: there is always the tempo.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All terms, in order.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.names.len() as u16).map(Term)
    }

    /// The name of a term in parts.
    ///
    /// # Panics
    /// When the term is not one of this game.
    pub fn name(&self, term: Term) -> TermName {
        self.names[term.index()]
    }

    /// The name of a term as text: `knight.material`, `rook.ranks.7`, `tempo`.
    ///
    /// # Panics
    /// When the term is not one of this game.
    pub fn label(&self, game: &GameDef, term: Term) -> String {
        let name = self.name(term);
        let mut text = match name.section {
            Section::General => String::new(),
            Section::Piece(kind) => format!("{}.", game.kind(kind).name),
        };
        text.push_str(name.feature);
        if let Some(place) = name.place {
            text.push_str(&format!(".{place}"));
        }
        text
    }

    /// The term for a piece of `kind` on the board; `None` for the king.
    pub fn material(&self, kind: Kind) -> Option<Term> {
        self.kinds.get(kind.index())?.material
    }
}

fn single(names: &mut Vec<TermName>, section: Section, feature: &'static str) -> Term {
    names.push(TermName {
        section,
        feature,
        place: None,
    });
    Term(names.len() as u16 - 1)
}

fn series(names: &mut Vec<TermName>, section: Section, feature: &'static str, length: u8) -> Term {
    let first = Term(names.len() as u16);
    names.extend((0..length).map(|place| TermName {
        section,
        feature,
        place: Some(place),
    }));
    first
}

/// Does a kind stay on squares of one colour for ever?
fn is_color_bound(game: &GameDef, kind: Kind) -> bool {
    let paths = &game.kind(kind).movement.paths;
    !paths.is_empty()
        && paths
            .iter()
            .all(|path| (i16::from(path.delta.file) + i16::from(path.delta.rank)) % 2 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_colour_bound_kinds_are_found() {
        let bound = |name: &str| {
            let game = GameDef::builtin(name).unwrap();
            let terms = Terms::of(&game);
            let texts: std::collections::HashSet<String> = terms.all().map(|term| terms.label(&game, term)).collect();
            assert_eq!(texts.len(), terms.len());
            let kinds = game.all_kinds().filter(|kind| terms.kinds[kind.index()].pair.is_some());
            kinds.map(|kind| game.kind(kind).letter).collect::<String>()
        };
        assert_eq!(bound("chess"), "B");
        // An archer steps straight as well; a camel's move-only step changes colour.
        assert_eq!(bound("gamma2"), "B");
        assert_eq!(bound("apothecary2"), "B");
    }
}
