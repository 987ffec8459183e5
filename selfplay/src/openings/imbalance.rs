//! Material imbalances: pieces removed or exchanged at the start, so that games compare the values
//! of kinds.
//!
//! Most random imbalances compare two kinds: one side loses an X, the other a Y. If one of them is
//! worth clearly more by a rough guess, the other side also loses a piece, then pawns, until both
//! have lost the same within a pawn, because games that are decided in advance are not informative.
//! So every kind is compared with several others and the pawn. Some imbalances compare two of each
//! kind, exchange a piece for one of another kind, remove pawns only, or nothing. The values only
//! guide the draw; no result depends on them otherwise.

use std::fmt;

use assay_rules::piece::Kind;
use assay_rules::{ByColor, Color, GameDef, Piece, Position};

use crate::material;
use crate::seed::Stream;

/// Maximum number of missing pawns of a side: with more, the pawn structure would decide the game.
const MAX_PAWNS: usize = 4;

/// The change of one army.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The kinds of the removed pieces, one entry per piece.
    pub lost: Vec<Kind>,
    /// The kinds that replace the first of them.
    pub gained: Vec<Kind>,
}

/// The changes of both armies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imbalance {
    game_letters: Vec<char>,
    pub changes: ByColor<Change>,
}

impl Imbalance {
    /// The number of pieces of each kind in White's, then Black's army of a start with this
    /// imbalance.
    pub fn armies(&self, start: &Position) -> [Vec<usize>; 2] {
        Color::ALL.map(|color| {
            let mut pieces = material::pieces_of(start, color);
            let change = &self.changes[color];
            for kind in &change.lost {
                pieces[kind.index()] -= 1;
            }
            for kind in &change.gained {
                pieces[kind.index()] += 1;
            }
            pieces
        })
    }

    /// White's change, then Black's.
    pub(super) fn new(game: &GameDef, changes: [Change; 2]) -> Imbalance {
        Imbalance { game_letters: game.kinds.iter().map(|kind| kind.letter).collect(), changes: ByColor(changes) }
    }

    /// Draws a random imbalance for the armies of `start`.
    pub(crate) fn draw(start: &Position, stream: &mut Stream) -> Imbalance {
        let mut draft = ImbalanceDraft::new(start);
        match stream.below(16) {
            0 => {}
            1 | 2 => draft.lose_pawns(Color::White, 1 + stream.below(2)),
            3 => draft.exchange(stream),
            4 | 5 => draft.compare(2, stream),
            6 | 7 => draft.against_pawns(stream),
            _ => draft.compare(1, stream),
        }
        let mut imbalance = draft.imbalance;
        let [white, black] = material::armies_of(start);
        // Of different armies, the other cannot lose the same.
        if stream.once_in(2) && white == black {
            imbalance = imbalance.swapped();
        }
        for color in Color::ALL {
            // The first ones are replaced.
            let Change { lost, gained } = &mut imbalance.changes[color];
            lost[gained.len()..].sort_unstable();
        }
        imbalance
    }

    /// The same with the colors exchanged.
    #[must_use]
    pub fn swapped(&self) -> Imbalance {
        let [white, black] = self.changes.0.clone();
        Imbalance { game_letters: self.game_letters.clone(), changes: ByColor([black, white]) }
    }

    /// Applies the imbalance to random pieces of its kinds, including those in pockets; `None` if
    /// they do not exist or the position becomes impossible.
    pub(super) fn apply(&self, position: &Position, stream: &mut Stream) -> Option<Position> {
        let mut setup = position.setup().clone();
        for color in Color::ALL {
            let change = &self.changes[color];
            let mut gained = change.gained.iter();
            for &kind in &change.lost {
                if let Some(waiting) = setup.pockets[color].iter().position(|&waiting| waiting == kind) {
                    setup.pockets[color].remove(waiting);
                    continue;
                }
                let lost = Piece { color, kind };
                let standing: Vec<usize> =
                    (0..setup.pieces.len()).filter(|&at| setup.pieces[at] == Some(lost)).collect();
                let at = *stream.pick(&standing)?;
                setup.pieces[at] = gained.next().map(|&kind| Piece { color, kind });
            }
        }
        let (position, _rights_of_lost_pieces) = Position::from_setup(position.game(), &setup).ok()?;
        Some(position)
    }
}

impl fmt::Display for Imbalance {
    /// White's losses and gains, a slash, and Black's: `-NP/-B`, `-B+N/`, or `/` for equal armies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str("/")?;
            }
            let change = &self.changes[color];
            for (sign, kinds) in [('-', &change.lost), ('+', &change.gained)] {
                if kinds.is_empty() {
                    continue;
                }
                write!(f, "{sign}")?;
                for kind in kinds {
                    write!(f, "{}", self.game_letters[kind.index()])?;
                }
            }
        }
        Ok(())
    }
}

/// A random imbalance under construction. White loses the piece of interest.
struct ImbalanceDraft<'g> {
    game: &'g GameDef,
    /// Rough value of each kind in pawns.
    values: Vec<f64>,
    army: ByColor<Vec<Kind>>,
    imbalance: Imbalance,
}

impl ImbalanceDraft<'_> {
    fn new(start: &Position) -> ImbalanceDraft<'_> {
        let game = start.game();
        let army = ByColor::new_with(|color| {
            let on_board = start.pieces().filter(|(_, piece)| piece.color == color).map(|(_, piece)| piece.kind);
            let waiting = start.pocket(color).iter().copied();
            on_board.chain(waiting).filter(|&kind| Some(kind) != game.kinds.king()).collect()
        });
        ImbalanceDraft {
            game,
            values: material::guessed_values(game),
            army,
            imbalance: Imbalance::new(game, Default::default()),
        }
    }

    fn value(&self, kind: Kind) -> f64 {
        self.values[kind.index()]
    }

    /// The number of pieces of a kind that this side still has.
    fn count(&self, color: Color, kind: Kind) -> usize {
        self.army[color].iter().filter(|&&other| other == kind).count()
    }

    /// The kinds except the pawn of which this side has at least this many, in the order of kinds.
    fn kinds(&self, color: Color, at_least: usize) -> Vec<Kind> {
        let is_promoted = |kind: Kind| self.game.kinds.unpromoted(kind) != kind;
        let kinds = self.game.kinds.all().filter(|&kind| kind != self.game.pawn() && !is_promoted(kind));
        kinds.filter(|&kind| self.count(color, kind) >= at_least).collect()
    }

    fn lose(&mut self, color: Color, kind: Kind) {
        let at = self.army[color].iter().position(|&other| other == kind).expect("only existing pieces are lost");
        self.army[color].remove(at);
        self.imbalance.changes[color].lost.push(kind);
    }

    fn lose_pawns(&mut self, color: Color, count: usize) {
        for _ in 0..count.min(self.count(color, self.game.pawn())) {
            self.lose(color, self.game.pawn());
        }
    }

    /// White loses `times` pieces of a kind, and Black as many of another.
    fn compare(&mut self, times: usize, stream: &mut Stream) {
        let Some(&ours) = stream.pick(&self.kinds(Color::White, times)) else {
            return;
        };
        let mut others = self.kinds(Color::Black, times);
        others.retain(|&kind| kind != ours);
        let Some(&theirs) = stream.pick(&others) else { return };
        for _ in 0..times {
            self.lose(Color::White, ours);
            self.lose(Color::Black, theirs);
        }
        self.compensate(stream);
    }

    /// White loses a piece, Black pawns and, if those are too few, other pieces.
    fn against_pawns(&mut self, stream: &mut Stream) {
        let Some(&ours) = stream.pick(&self.kinds(Color::White, 1)) else {
            return;
        };
        self.lose(Color::White, ours);
        self.compensate(stream);
    }

    /// One of White's pieces is replaced by one of another kind; pawns compensate for the
    /// difference.
    fn exchange(&mut self, stream: &mut Stream) {
        let joker = self.game.kinds.joker();
        let mut kinds = self.kinds(Color::White, 1);
        kinds.retain(|&kind| Some(kind) != joker);
        let Some(&ours) = stream.pick(&kinds) else { return };
        kinds.retain(|&kind| kind != ours);
        let Some(&instead) = stream.pick(&kinds) else { return };
        self.lose(Color::White, ours);
        self.imbalance.changes[Color::White].gained.push(instead);
        self.compensate(stream);
    }

    /// Black's lead, in pawns.
    fn lead(&self) -> f64 {
        let missing = |color: Color| {
            let change = &self.imbalance.changes[color];
            let sum = |kinds: &[Kind]| kinds.iter().map(|&kind| self.value(kind)).sum::<f64>();
            sum(&change.lost) - sum(&change.gained)
        };
        missing(Color::White) - missing(Color::Black)
    }

    /// Compensates for the difference: the side that is ahead loses pieces that are worth no more
    /// than the difference, then pawns, with a random error of at most one pawn.
    fn compensate(&mut self, stream: &mut Stream) {
        while self.lead().abs() > MAX_PAWNS as f64 {
            let ahead = if self.lead() > 0.0 { Color::Black } else { Color::White };
            // Not a kind that the other side has also lost: the two would cancel out.
            let missed = self.imbalance.changes[!ahead].lost.clone();
            let mut kinds = self.kinds(ahead, 1);
            kinds.retain(|&kind| self.value(kind) <= self.lead().abs() + 1.0 && !missed.contains(&kind));
            let Some(&kind) = stream.pick(&kinds) else { break };
            self.lose(ahead, kind);
        }
        let lead = self.lead();
        let ahead = if lead > 0.0 { Color::Black } else { Color::White };
        let pawns = lead.abs().round() as i64 + stream.below(3) as i64 - 1;
        self.lose_pawns(ahead, pawns.clamp(0, MAX_PAWNS as i64) as usize);
    }
}
