//! Random movements as XBetza text, and the text of any movement.

use assay_rules::betza;
use assay_rules::movement::{CastlingStep, Delta, Modality, Movement, Path, PathKind};
use rand::RngExt;

use crate::random::{Rng, pick};

/// A random movement text of one to three terms that the parser accepts. `flags` are the modifiers
/// to choose from besides directions.
pub fn random_movement(rng: &mut Rng, flags: &[&str]) -> String {
    let terms = rng.random_range(1..=3);
    loop {
        let text: String = (0..terms).map(|_| random_term(rng, flags)).collect();
        if betza::parse(&text).is_ok_and(|movement| !movement.paths.is_empty()) {
            return text;
        }
    }
}

fn random_term(rng: &mut Rng, flags: &[&str]) -> String {
    const ATOMS: [&str; 17] =
        ["W", "F", "D", "N", "A", "H", "L", "C", "Z", "J", "G", "R", "B", "Q", "K", "(4,1)", "(5,0)"];
    const DIRECTIONS: [&str; 21] = [
        "f", "b", "l", "r", "v", "s", "fl", "fr", "lf", "rf", "fs", "bs", "lv", "rv", "fh", "bh", "lh", "hr", "hl",
        "ff", "fb",
    ];
    const RANGES: [&str; 6] = ["0", "1", "2", "3", "4", "7"];
    loop {
        let flag = if rng.random_bool(0.5) { pick(rng, flags) } else { "" };
        let directions = if rng.random_bool(0.35) { pick(rng, &DIRECTIONS) } else { "" };
        let range = if rng.random_bool(0.25) { pick(rng, &RANGES) } else { "" };
        let term = format!("{flag}{directions}{}{range}", pick(rng, &ATOMS));
        if betza::parse(&term).is_ok() {
            return term;
        }
    }
}

/// XBetza text of a movement, with a term for each path. `None` if a path has no notation of its
/// own, such as the parts of an initial ride, or if the text is too long for the parser.
pub fn movement_text(movement: &Movement) -> Option<String> {
    let mut text = String::new();
    for path in &movement.paths {
        text += &path_text(path)?;
    }
    if let Some(CastlingStep { distance, left, right }) = movement.castling {
        let directions = match (left, right) {
            (true, true) => "s",
            (true, false) => "l",
            _ => "r",
        };
        text += &format!("i{directions}O{distance}");
    }
    (text.len() <= betza::MAX_LENGTH).then_some(text)
}

fn path_text(path: &Path) -> Option<String> {
    let Modality { moves, captures, en_passant } = path.modality;
    let mut text = String::new();
    if en_passant || moves != captures {
        text.extend([(moves, 'm'), (captures, 'c'), (en_passant, 'e')].iter().filter(|(on, _)| *on).map(|(_, c)| c));
    }
    if path.initial {
        text.push('i');
    }
    let range = match &path.kind {
        PathKind::Grasshop => {
            text.push('g');
            "0".to_owned()
        }
        PathKind::Leap => String::new(),
        PathKind::LameLeap { .. } => {
            text.push('n');
            String::new()
        }
        PathKind::HopLeap { .. } => {
            text.push('p');
            String::new()
        }
        PathKind::Ride { range } => range.map_or(0, u8::from).to_string(),
        PathKind::HopRide { range } => {
            text.push('p');
            range.map_or(0, u8::from).to_string()
        }
    };
    text += &leap_text(path.delta);
    text += &range;
    let read = betza::parse(&text).ok()?;
    (read.paths == [path.clone()]).then_some(text)
}

/// Directions and atom of a single leap.
fn leap_text(Delta { file, rank }: Delta) -> String {
    let side = if file < 0 { "l" } else { "r" };
    let ahead = if rank < 0 { "b" } else { "f" };
    let (files, ranks) = (file.unsigned_abs(), rank.unsigned_abs());
    let directions = match (files, ranks) {
        (0, _) => ahead.to_owned(),
        (_, 0) => side.to_owned(),
        // The second letter is the side with the longer component.
        _ if ranks > files => format!("{side}{ahead}"),
        _ => format!("{ahead}{side}"),
    };
    match (files.max(ranks), files.min(ranks)) {
        (1, 0) => directions + "W",
        (1, 1) => directions + "F",
        (long, short) => format!("{directions}({long},{short})"),
    }
}
