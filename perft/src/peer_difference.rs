//! Comparison of counts with another engine, and the search for the deepest position in which they differ.

use assay_cli::interrupt;
use assay_client::connection::{EngineError, Wait};
use assay_client::uci::{PerftAnswer, UciEngine};
use assay_rules::{Move, Position, uci};
use serde::Serialize;

use crate::generator::{CountMode, Generator};
use crate::walk::exercised::Exercised;
use crate::walk::mechanism::MechanismSet;
use crate::walk::random_player::{GameRng, RandomPlayer};

/// A position in which the other engine has other legal moves or counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerDifference {
    /// FEN of the position where the comparison began.
    pub from: String,
    /// Moves from there, as UCI.
    pub path: Vec<String>,
    /// FEN of the position after these moves: the deepest in which the difference shows.
    pub fen: String,
    /// Depth of the count that differs.
    pub depth: u32,
    /// The way of setting up the position that shows the difference.
    pub shown: Shown,
    /// True if the differing counts are right once the positions after the moves are set up.
    pub vanishes: bool,
    /// Moves that only the other engine has.
    pub missing: Vec<String>,
    /// Moves that only Assay has.
    pub extra: Vec<String>,
    /// Assay's moves.
    pub ours: Vec<String>,
    /// The other engine's moves.
    pub theirs: Vec<String>,
    /// Common moves with different counts.
    pub counts: Vec<DifferentCount>,
    /// The other engine's total.
    pub total: u64,
    /// Sum of the counts of the other engine's moves.
    pub sum: u64,
}

/// A move with different counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferentCount {
    #[serde(rename = "move")]
    pub mv: String,
    pub ours: u64,
    pub theirs: u64,
}

/// Ways to set up a position that show a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// Set up from its own FEN, and, unless the comparison began there, also after the moves.
    Always,
    /// `position fen FROM moves ...` only.
    AfterMoves,
    /// `position fen FEN` only.
    FromFen,
}

/// The explanation of a difference that depends on how the engine came to the position.
const HISTORY: &str = "the engine's count depends on how it came to the position: likely make/unmake or a hash table";

impl PeerDifference {
    /// The text to print; its first line is a summary.
    pub fn text(&self) -> String {
        let mut lines = vec![
            format!("difference from {}", self.from),
            format!("  after: {}", list(&self.path)),
            format!("  at: {}", self.fen),
            format!("  depth: {}", self.depth),
            format!("  missing: {}", list(&self.missing)),
            format!("  extra: {}", list(&self.extra)),
        ];
        if !self.missing.is_empty() || !self.extra.is_empty() {
            lines.push(format!("  ours: {}", list(&self.ours)));
            lines.push(format!("  theirs: {}", list(&self.theirs)));
        }
        for count in &self.counts {
            lines.push(format!("  {}: ours {}, theirs {}", count.mv, count.ours, count.theirs));
        }
        if self.total != self.sum {
            let (total, sum) = (self.total, self.sum);
            lines.push(format!("  total: theirs {total}, but their moves add up to {sum}"));
        }
        let shown = match self.shown {
            Shown::Always if self.path.is_empty() => "`position fen FEN`",
            Shown::Always => "`position fen FEN` and `position fen FROM moves ...`",
            Shown::AfterMoves => "`position fen FROM moves ...` only",
            Shown::FromFen => "`position fen FEN` only",
        };
        lines.push(format!("  shown by: {shown}"));
        lines.extend(match self.shown {
            _ if self.vanishes => {
                Some(format!("  vanishes once the positions after these moves are set up afresh: {HISTORY}"))
            }
            Shown::AfterMoves => Some(format!("  vanishes once the position is set up afresh: {HISTORY}")),
            Shown::FromFen => Some("  vanishes after the moves: likely the reading of the FEN".to_owned()),
            Shown::Always => None,
        });
        lines.join("\n") + "\n"
    }
}

fn list(moves: &[String]) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
}

/// The comparison of one position.
pub struct PeerComparison<'a> {
    pub generator: &'a dyn Generator,
    pub peer: &'a mut UciEngine,
    pub wait: Wait<'a>,
    pub start: &'a Position,
    /// Chooses the moves of the third ply and below.
    pub rng: GameRng,
    /// Nodes that Assay counted at full depth.
    pub nodes: u64,
    pub exercised: Exercised,
    /// Mechanisms of the start and of the nodes below it.
    pub shown: MechanismSet,
    /// The difference, also if the engine failed while it was followed.
    pub difference: Option<PeerDifference>,
}

/// A position below the start.
#[derive(Clone)]
struct Node {
    position: Position,
    path: Vec<String>,
    depth: u32,
}

/// A move with its name and Assay's count.
type Row = (String, Move, u64);

impl Node {
    fn child(&self, row: &Row) -> Node {
        Node {
            position: self.position.play(row.1),
            path: [&self.path[..], std::slice::from_ref(&row.0)].concat(),
            depth: self.depth - 1,
        }
    }
}

impl PeerComparison<'_> {
    /// Compares the counts by root move, those of each child, and those of one line below each child: a sum may be right while
    /// its parts are wrong. The children are reached by moves, the start by its FEN. Follows the first difference down.
    ///
    /// # Errors
    /// If the other engine fails, or the wait is stopped; see [`UciEngine::perft`].
    pub fn compare(&mut self, depth: u32) -> Result<(), EngineError> {
        let root = Node { position: self.start.clone(), path: Vec::new(), depth };
        let ours = self.visit(&root)?;
        self.nodes = ours.iter().map(|(_, _, count)| count).sum();
        if self.difference.is_some() || depth == 1 {
            return Ok(());
        }
        for row in &ours {
            let mut node = root.child(row);
            loop {
                let ours = self.visit(&node)?;
                if self.difference.is_some() {
                    return Ok(());
                }
                if ours.is_empty() || node.depth == 1 {
                    break;
                }
                let legal: Vec<Move> = ours.iter().map(|&(_, mv, _)| mv).collect();
                let mv = RandomPlayer::of_rare_moves().choose(&node.position, &legal, &mut self.rng);
                let Some(next) = ours.iter().find(|row| row.1 == mv) else {
                    break;
                };
                node = node.child(next);
            }
        }
        Ok(())
    }

    /// Compares a node and follows its difference, if any. Returns Assay's counts.
    fn visit(&mut self, node: &Node) -> Result<Vec<Row>, EngineError> {
        let ours = self.ours(node)?;
        let theirs = self.ask(node, Shown::AfterMoves)?;
        let legal: Vec<Move> = ours.iter().map(|&(_, mv, _)| mv).collect();
        self.exercised.count_node(&node.position, &legal, &mut self.shown);
        if differs(&ours, &theirs) {
            self.follow(node.clone(), ours.clone(), &theirs)?;
        }
        Ok(ours)
    }

    fn ours(&self, node: &Node) -> Result<Vec<Row>, EngineError> {
        let mut rows = Vec::new();
        let mut is_stopped = false;
        self.generator.node(&node.position).for_each_child(&mut |mv, child| {
            let count = child.perft(node.depth - 1, &CountMode::default(), interrupt::stop_flag());
            is_stopped |= count.is_none();
            rows.push((uci::format(node.position.game(), mv), mv, count.unwrap_or_default()));
        });
        rows.sort();
        if is_stopped { Err(EngineError::Stopped) } else { Ok(rows) }
    }

    /// Asks the other engine after the moves from the start, or from the FEN of the node itself.
    fn ask(&mut self, node: &Node, way: Shown) -> Result<PerftAnswer, EngineError> {
        match way {
            Shown::FromFen => self.peer.set_position(&node.position.fen(), &[]),
            _ => self.peer.set_position(&self.start.fen(), &node.path),
        }
        self.peer.perft(node.depth, self.wait)
    }

    /// Follows a difference to the deepest node that shows it. What has been found is kept if the engine fails on the way.
    fn follow(&mut self, mut node: Node, mut ours: Vec<Row>, theirs: &PerftAnswer) -> Result<(), EngineError> {
        let mut difference = self.report(&node, &ours, theirs, Shown::Always);
        self.difference = Some(difference.clone());
        if !node.path.is_empty() {
            let fresh = self.ask(&node, Shown::FromFen)?;
            if !differs(&ours, &fresh) {
                difference.shown = Shown::AfterMoves;
                self.difference = Some(difference.clone());
            }
        }
        // The cause is here if the lists differ, or nothing but the total is wrong.
        while difference.missing.is_empty() && difference.extra.is_empty() && node.depth > 1 {
            let is_different = |row: &&Row| difference.counts.iter().any(|count| count.mv == row.0);
            let mut next = None;
            for row in ours.iter().filter(is_different) {
                let child = node.child(row);
                let rows = self.ours(&child)?;
                if let Some(below) = self.differing(&child, &rows)? {
                    next = Some((child, rows, below));
                    break;
                }
            }
            let Some((child, rows, below)) = next else {
                difference.vanishes = !difference.counts.is_empty();
                self.difference = Some(difference);
                break;
            };
            (node, ours, difference) = (child, rows, below);
            self.difference = Some(difference.clone());
        }
        Ok(())
    }

    /// The difference in a node below the start, which is set up in both ways.
    fn differing(&mut self, node: &Node, ours: &[Row]) -> Result<Option<PeerDifference>, EngineError> {
        let after_moves = self.ask(node, Shown::AfterMoves)?;
        let from_fen = self.ask(node, Shown::FromFen)?;
        let (theirs, shown) = match (differs(ours, &after_moves), differs(ours, &from_fen)) {
            (false, false) => return Ok(None),
            (true, false) => (after_moves, Shown::AfterMoves),
            (false, true) => (from_fen, Shown::FromFen),
            (true, true) => (from_fen, Shown::Always),
        };
        Ok(Some(self.report(node, ours, &theirs, shown)))
    }

    fn report(&self, node: &Node, ours: &[Row], theirs: &PerftAnswer, shown: Shown) -> PeerDifference {
        let our_names: Vec<String> = ours.iter().map(|(name, _, _)| name.clone()).collect();
        let their_names: Vec<String> = theirs.moves.iter().map(|(name, _)| name.clone()).collect();
        let (missing, extra) = (not_in(&their_names, &our_names), not_in(&our_names, &their_names));
        let common = theirs.moves.iter().filter_map(|(name, theirs)| {
            let (_, _, ours) = ours.iter().find(|(ours, _, _)| ours == name)?;
            (ours != theirs).then(|| DifferentCount { mv: name.clone(), ours: *ours, theirs: *theirs })
        });
        PeerDifference {
            from: self.start.fen(),
            path: node.path.clone(),
            fen: node.position.fen(),
            depth: node.depth,
            shown,
            vanishes: false,
            missing,
            extra,
            counts: common.collect(),
            ours: our_names,
            theirs: their_names,
            total: theirs.total,
            sum: theirs.sum(),
        }
    }
}

fn differs(ours: &[Row], theirs: &PerftAnswer) -> bool {
    let rows = ours.iter().map(|(name, _, count)| (name, count));
    !rows.eq(theirs.moves.iter().map(|(name, count)| (name, count))) || theirs.sum() != theirs.total
}

/// The names that are not among the others; one that occurs twice must be there twice.
fn not_in(names: &[String], others: &[String]) -> Vec<String> {
    let mut others = others.to_vec();
    let is_missing = |name: &&String| match others.iter().position(|other| other == *name) {
        Some(index) => {
            others.swap_remove(index);
            false
        }
        None => true,
    };
    names.iter().filter(is_missing).cloned().collect()
}
