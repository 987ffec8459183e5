//! Comparison of counts with another engine, and the search for the deepest position in which they
//! differ.

use assay_cli::interrupt;
use assay_client::connection::{EngineError, Wait};
use assay_client::uci::{PerftAnswer, UciEngine, position_command};
use assay_rules::{Move, Position, uci};
use serde::Serialize;

use crate::generator::{CountMode, Generator};
use crate::walk::exercised::Exercised;
use crate::walk::mechanism::MechanismSet;
use crate::walk::random_player::{GameRng, RandomPlayer};

/// A position in which the other engine has other legal moves or counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerDifference {
    /// FEN of the position where the comparison began, as the suite has it.
    pub from: String,
    /// What Assay ignores of this FEN, and the other engine perhaps does not; empty for most.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ignored: String,
    /// Moves from there, as UCI.
    pub path: Vec<String>,
    /// FEN of the position after these moves: the deepest in which the difference shows. If any
    /// spelling of the FEN shows it, this one does.
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
    /// Moves that the other engine has more than once.
    pub repeated: Vec<String>,
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

/// A position in which the other engine crashed, hung, or gave an answer that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PeerFailure {
    /// FEN of the position where the comparison began, as the suite has it.
    pub from: String,
    /// FEN of the position that was counted.
    pub fen: String,
    /// The commands that set up the position and count.
    pub commands: Vec<String>,
    pub error: String,
}

impl PeerFailure {
    /// The text to print; its first line is a summary.
    pub fn text(&self) -> String {
        let commands: String = self.commands.iter().map(|command| format!("    {command}\n")).collect();
        format!("failure: {}\n  from: {}\n  at: {}\n  after the commands:\n{commands}", self.error, self.from, self.fen)
    }
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
    /// Neither: asked again, the engine answered right.
    Once,
}

/// Printed if every spelling of the FEN gives the right count, and the moves do not.
const HISTORY: &str = "  vanishes once the position is set up from its FEN, with or without an en passant square: the count \
depends on how the engine came to the position (making moves, or a hash table)";

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
        if !self.ignored.is_empty() {
            lines.insert(1, format!("  read by Assay with: {}", self.ignored));
        }
        if !self.repeated.is_empty() {
            lines.push(format!("  more than once: {}", list(&self.repeated)));
        }
        if self.has_other_moves() {
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
        lines.push(format!(
            "  shown by: {}",
            match self.shown {
                Shown::Always if self.path.is_empty() => "`position fen FROM`",
                Shown::Always => "`position fen FEN` and `position fen FROM moves ...`",
                Shown::AfterMoves => "`position fen FROM moves ...` only",
                Shown::FromFen => "`position fen FEN` only",
                Shown::Once => "nothing: asked again, the engine answers right",
            }
        ));
        lines.extend(
            match self.shown {
                _ if !self.ignored.is_empty() => {
                    Some("  no fault of the engine, if it uses what Assay ignores of the FEN")
                }
                _ if self.vanishes => {
                    Some("  vanishes once the positions after these moves are set up, by moves or FEN")
                }
                Shown::AfterMoves => Some(HISTORY),
                Shown::FromFen => Some("  vanishes after the moves: the engine reads another position from the FEN"),
                Shown::Once | Shown::Always => None,
            }
            .map(str::to_owned),
        );
        lines.join("\n") + "\n"
    }

    /// Returns true if the lists of moves differ, not only their counts.
    fn has_other_moves(&self) -> bool {
        !(self.missing.is_empty() && self.extra.is_empty() && self.repeated.is_empty())
    }
}

fn list(moves: &[String]) -> String {
    if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
}

/// A position to begin with.
#[derive(Clone)]
pub struct Start {
    /// Its FEN as the suite has it, which is sent.
    pub fen: String,
    /// The parts of the FEN that Assay ignores.
    pub ignored: String,
    pub position: Position,
}

/// The comparison of one position.
pub struct PeerComparison<'a> {
    pub generator: &'a dyn Generator,
    pub peer: &'a mut UciEngine,
    pub wait: Wait<'a>,
    pub start: &'a Start,
    /// Chooses the moves of the third ply and below.
    pub rng: GameRng,
    /// Nodes that Assay counted at full depth.
    pub nodes: u64,
    pub exercised: Exercised,
    /// Mechanisms of the start and of the nodes below it.
    pub shown: MechanismSet,
    /// The difference, also if the engine failed while it was followed.
    pub difference: Option<PeerDifference>,
    /// The FEN of the position that was set up last, and the commands.
    pub asked: Option<(String, Vec<String>)>,
}

/// A position below the start.
#[derive(Clone)]
struct Node {
    position: Position,
    path: Vec<String>,
    /// The last move.
    last: Option<Move>,
    depth: u32,
}

/// A move with its name and Assay's count.
type Row = (String, Move, u64);

impl Node {
    fn child(&self, row: &Row) -> Node {
        Node {
            position: self.position.play(row.1),
            path: [&self.path[..], std::slice::from_ref(&row.0)].concat(),
            last: Some(row.1),
            depth: self.depth - 1,
        }
    }

    /// FENs of the position: Assay's, and, after a double step that no legal capture can answer,
    /// one with the square behind the pawn, which many programs write.
    fn spellings(&self) -> Vec<String> {
        let fen = self.position.fen();
        let game = self.position.game();
        let Some(Move::DoubleStep { passed, to, .. }) = self.last.filter(|_| self.position.en_passant().is_none())
        else {
            return vec![fen];
        };
        let victim = if game.double_step_is_ambiguous() { game.board.square_name(to) } else { String::new() };
        let square = game.board.square_name(passed) + &victim;
        let fields: Vec<&str> = fen.split(' ').collect();
        let marked = [&fields[..3], &[square.as_str()], &fields[4..]].concat().join(" ");
        vec![fen, marked]
    }
}

impl PeerComparison<'_> {
    /// Compares the counts by root move, those of each child, and those of one line below each
    /// child: a sum may be right while its parts are wrong. The children are reached by moves, the
    /// start by its FEN. Follows the first difference down.
    ///
    /// # Errors
    /// If the other engine fails, or the wait is stopped; see [`UciEngine::perft`].
    pub fn compare(&mut self, depth: u32) -> Result<(), EngineError> {
        let root = Node { position: self.start.position.clone(), path: Vec::new(), last: None, depth };
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
        let theirs = self.ask_after_moves(node)?;
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

    /// Asks the other engine after the moves from the start.
    fn ask_after_moves(&mut self, node: &Node) -> Result<PerftAnswer, EngineError> {
        let fen = if node.path.is_empty() { self.start.fen.clone() } else { node.position.fen() };
        self.ask(&self.start.fen, &node.path, fen, node.depth)
    }

    fn ask(&mut self, from: &str, path: &[String], fen: String, depth: u32) -> Result<PerftAnswer, EngineError> {
        let commands = vec![position_command(from, path), format!("go perft {depth}")];
        self.asked = Some((fen, commands));
        self.peer.set_position(from, path);
        self.peer.perft(depth, self.wait)
    }

    /// Follows a difference to the deepest node that shows it. What has been found is kept if the
    /// engine fails on the way.
    fn follow(&mut self, mut node: Node, mut ours: Vec<Row>, theirs: &PerftAnswer) -> Result<(), EngineError> {
        let first = self.report(&node, &ours, theirs, Shown::Once);
        self.difference = Some(first.clone());
        let Some(mut difference) = self.differing(&node, &ours)? else { return Ok(()) };
        self.difference = Some(difference.clone());
        // The cause is here if the lists differ, or nothing but the total is wrong.
        while !difference.has_other_moves() && node.depth > 1 {
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

    /// The difference in a node, which is set up after its moves and from each of its FENs.
    fn differing(&mut self, node: &Node, ours: &[Row]) -> Result<Option<PeerDifference>, EngineError> {
        let after_moves = self.ask_after_moves(node)?;
        if node.path.is_empty() {
            return Ok(differs(ours, &after_moves).then(|| self.report(node, ours, &after_moves, Shown::Always)));
        }
        let mut from_fen = None;
        for fen in node.spellings() {
            let answer = self.ask(&fen, &[], fen.clone(), node.depth)?;
            if differs(ours, &answer) {
                from_fen = Some((fen, answer));
                break;
            }
        }
        Ok(match (differs(ours, &after_moves), from_fen) {
            (false, None) => None,
            (true, None) => Some(self.report(node, ours, &after_moves, Shown::AfterMoves)),
            (is_always, Some((fen, answer))) => {
                let shown = if is_always { Shown::Always } else { Shown::FromFen };
                Some(PeerDifference { fen, ..self.report(node, ours, &answer, shown) })
            }
        })
    }

    /// The failure of the other engine in the position that was set up last.
    pub fn failure(&self, error: &EngineError) -> PeerFailure {
        let (fen, commands) = self.asked.clone().unwrap_or_else(|| (self.start.fen.clone(), Vec::new()));
        PeerFailure { from: self.start.fen.clone(), fen, commands, error: error.to_string() }
    }

    fn report(&self, node: &Node, ours: &[Row], theirs: &PerftAnswer, shown: Shown) -> PeerDifference {
        let our_names: Vec<String> = ours.iter().map(|(name, _, _)| name.clone()).collect();
        // Sorted, so that a move that is repeated follows itself.
        let (mut their_names, mut repeated): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (name, _) in &theirs.moves {
            let names = if their_names.last() == Some(name) { &mut repeated } else { &mut their_names };
            names.push(name.clone());
        }
        repeated.dedup();
        let not_in = |names: &[String], others: &[String]| -> Vec<String> {
            names.iter().filter(|name| !others.contains(name)).cloned().collect()
        };
        let (missing, extra) = (not_in(&their_names, &our_names), not_in(&our_names, &their_names));
        let common = theirs.moves.iter().filter(|(name, _)| !repeated.contains(name)).filter_map(|(name, theirs)| {
            let (_, _, ours) = ours.iter().find(|(ours, _, _)| ours == name)?;
            (ours != theirs).then(|| DifferentCount { mv: name.clone(), ours: *ours, theirs: *theirs })
        });
        PeerDifference {
            from: self.start.fen.clone(),
            ignored: self.start.ignored.clone(),
            path: node.path.clone(),
            fen: if node.path.is_empty() { self.start.fen.clone() } else { node.position.fen() },
            depth: node.depth,
            shown,
            vanishes: false,
            missing,
            extra,
            counts: common.collect(),
            repeated,
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
