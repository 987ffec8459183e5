//! PGN writer.

use std::fmt;

use super::{PgnGame, ROSTER, Variation, move_number, result_marker};
use crate::notation::san;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::outcome::Points;
use crate::variant::Position;

/// Maximum line length without the line break; the standard requires less than 80.
const WIDTH: usize = 79;

impl fmt::Display for PgnGame {
    /// Writes the game, followed by an empty line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut column = 0;
        for unit in self.units() {
            let length = unit.chars().count();
            if column > 0 && column + 1 + length <= WIDTH {
                write!(f, " ")?;
                column += 1;
            } else if column > 0 {
                writeln!(f)?;
                column = 0;
            }
            write!(f, "{unit}")?;
            column += length;
        }
        write!(f, "\n\n")
    }
}

impl PgnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (roster, others) = self.tags.split_at(ROSTER.len());
        for (name, value) in roster {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", result_marker(self.result))?;
        write_tag(f, "Variant", &self.game().name)?;
        if let Some(points @ (Points::ADVANTAGE | Points::DISADVANTAGE)) = self.result {
            write_tag(f, "Score", &format!("{points}-{}", points.flipped()))?;
        }
        if self.start != Position::start(self.game()) {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.fen())?;
        }
        for (name, value) in others {
            write_tag(f, name, value)?;
        }
        Ok(())
    }

    /// The move text, split where lines may be wrapped.
    fn units(&self) -> Vec<String> {
        let mut units = Vec::new();
        if let Some(comment) = &self.opening_comment {
            push_comment(&mut units, comment);
        }
        push_line(&mut units, self.start.clone(), &self.moves, &self.comments, &self.variations);
        if let Some(comment) = &self.closing_comment {
            units.push(move_number(self.end.fullmove_number(), self.end.side_to_move()));
            push_comment(&mut units, comment);
        }
        units.push(result_marker(self.result).to_owned());
        units
    }
}

/// Writes the moves of a line, each with its comment and the variations on it.
fn push_line(
    units: &mut Vec<String>,
    mut position: Position,
    moves: &[Move],
    comments: &[Option<String>],
    variations: &[Variation],
) {
    let mut variations = variations.iter().peekable();
    let mut last_mover = None;
    for (ply, &mv) in moves.iter().enumerate() {
        let san = san::format(&position, mv);
        let side = position.side_to_move();
        units.push(match (side, last_mover) {
            (Color::Black, Some(Color::White)) => san,
            // Black at the beginning, after a comment or a variation, and when Black moves twice.
            (side, _) => format!("{} {san}", move_number(position.fullmove_number(), side)),
        });
        last_mover = Some(side);
        if let Some(comment) = comments.get(ply).and_then(Option::as_ref) {
            push_comment(units, comment);
            last_mover = None;
        }
        while let Some(variation) = variations.next_if(|variation| variation.ply == ply) {
            let first = units.len();
            push_line(units, position.clone(), &variation.moves, &[], &variation.variations);
            units[first].insert(0, '(');
            if let Some(last) = units.last_mut() {
                last.push(')');
            }
            last_mover = None;
        }
        position = position.play(mv);
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn push_comment(units: &mut Vec<String>, comment: &str) {
    let mut unit = String::from("{");
    let mut words = comment.split(' ');
    unit.push_str(words.next().unwrap_or_default());
    for word in words {
        // At the beginning of a line, these would be read as an escape or as the next game.
        if word.starts_with('%') || word.starts_with("[Event") {
            unit.push(' ');
        } else {
            units.push(std::mem::take(&mut unit));
        }
        unit.push_str(word);
    }
    unit.push('}');
    units.push(unit);
}
