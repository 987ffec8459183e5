//! Reads the text of a game.
//!
//! [`PgnReader`] defines what a PGN says and what is wrong with it, but plays moves by the
//! reference rules. What most games consist of is read here first, with the engine's generator; any
//! other game, and every fault, is left to the reference.

use std::sync::Arc;

use assay_rules::def::builtin_variant;
use assay_rules::pgn::{PgnErrorKind, PgnGame, PgnReader};
use assay_rules::text::excerpt;
use assay_rules::{Color, GameDef, Outcome, Points, Position, Termination};

use super::board::{Boards, play_san};
use super::comment::MoveReport;
use super::input::{GameText, MAX_GAME};
use crate::game::{Eval, FaultKind, FaultRecord, GameEnd, GameRecord, GameTags, PackedMove, PlayedMove};
use crate::openings::book::is_name_of;
use crate::settings::Filters;

/// What became of a game.
#[derive(Debug)]
pub(super) enum Found {
    /// A game and its tags. Its number and cluster are still to be set.
    Game(Box<(GameRecord, GameTags)>),
    /// It is left out, for this reason.
    LeftOut(&'static str),
    /// Line, and what is wrong.
    Broken(u64, String),
}

pub(super) const OTHER_GAME: &str = "of another game";
/// Draws that people must claim; they may lose on time or resign instead.
const CLAIMED: [Termination; 3] = [Termination::DeadPosition, Termination::MoveRule, Termination::Repetition];

pub(super) const UNFINISHED: &str = "without a result";

/// Reads games of one definition.
pub(super) struct Reader {
    pub(super) game: Arc<GameDef>,
    /// Whether all texts are read as games of `game`, whatever their tag `Variant` says.
    pub(super) overrules_tag: bool,
    pub(super) boards: Boards,
    pub(super) filters: Filters,
}

impl Reader {
    /// Reads all games of a text: usually one. `place` is the name of its file.
    pub(super) fn read(&self, file: &str, text: &GameText) -> Vec<Found> {
        if text.is_too_long {
            let why = format!("found more than {} KiB of text, expected the end of the game", MAX_GAME >> 10);
            return vec![Found::Broken(text.line, why)];
        }
        let decoded;
        let pgn = if let Ok(pgn) = str::from_utf8(&text.bytes) {
            pgn
        } else {
            // The standard prescribes ISO 8859-1, in which each byte is the character of that
            // number.
            decoded = text.bytes.iter().copied().map(char::from).collect::<String>();
            &decoded
        };
        let opening = format!("{file}:{}", text.line);
        if let Some(found) = self.read_plain(pgn, &opening) {
            return vec![found];
        }
        let resolve = |name: &str| self.is_own(name).then(|| Arc::clone(&self.game));
        let mut reader = PgnReader::new(pgn, &self.game, resolve);
        let games = reader.by_ref().map(|game| match game {
            Ok(game) => self.of_reference(&game, &opening, text.line),
            Err(error) => match error.kind {
                PgnErrorKind::UnknownVariant { name } if builtin_variant(&name).is_some() => Found::LeftOut(OTHER_GAME),
                PgnErrorKind::UnknownVariant { name } => {
                    let (name, own) = (excerpt(&name), &self.game.name);
                    let why = format!("tag `Variant`: found `{name}`, expected `{own}` or another built-in game");
                    Found::Broken(text.line + error.line as u64 - 1, why)
                }
                kind => Found::Broken(text.line + error.line as u64 - 1, format!("column {}: {kind}", error.column)),
            },
        });
        let mut games: Vec<Found> = games.collect();
        if text.is_last
            && reader.lacks_result()
            && let Some(cut @ Found::Game(_)) = games.last_mut()
        {
            let why = "found the end of the file, expected the result behind the moves".to_owned();
            *cut = Found::Broken(text.line, why);
        }
        games
    }

    fn is_own(&self, variant: &str) -> bool {
        self.overrules_tag || is_name_of(&self.game, variant)
    }

    /// Reads a game in the form in which programs write it; `None` leaves it to the reference.
    fn read_plain(&self, text: &str, opening: &str) -> Option<Found> {
        let (tags, derived, moves) = read_tags(text)?;
        let of = |name: &str| derived.iter().find(|(known, _)| *known == name).map(|&(_, value)| value);
        if let Some(variant) = of("Variant")
            && !self.is_own(variant)
        {
            return builtin_variant(variant).map(|_| Found::LeftOut(OTHER_GAME));
        }
        let white = match of("Result")? {
            "1-0" => Points::WIN,
            "0-1" => Points::LOSS,
            "1/2-1/2" => Points::DRAW,
            "*" => return Some(Found::LeftOut(UNFINISHED)),
            _ => return None,
        };
        if of("Score").is_some() || of("SetUp").is_some_and(|setup| setup != "1") {
            return None;
        }
        if let Some(option) = self.filters.option_against_tags(&tags, white) {
            return Some(Found::LeftOut(option));
        }
        let start = match of("FEN") {
            Some(fen) => match Position::read_fen(&self.game, fen) {
                Ok((start, warnings)) if warnings.is_empty() => start,
                _ => return None,
            },
            None if of("SetUp").is_some() => return None,
            None => Position::start(&self.game),
        };
        let mut board = (self.boards)(&start);
        let mut played: Vec<(PackedMove, MoveReport)> = Vec::new();
        let mut rest = moves;
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix('{') {
                let end = comment.find('}')?;
                if let Some((_, report)) = played.last_mut() {
                    report.read(&comment[..end]);
                }
                rest = &comment[end + 1..];
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || "{}()[];\"".contains(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if word == of("Result")? {
                break;
            }
            let mv = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let mv = if mv.starts_with('.') { mv.trim_start_matches('.') } else { word };
            if !mv.is_empty() && !mv.starts_with('$') {
                played.push((play_san(&self.game, board.as_mut(), mv)?, MoveReport::default()));
            } else if word.is_empty() {
                return None;
            }
        }
        // A comment may follow the result.
        let rest = rest.trim();
        if !(rest.is_empty() || rest.starts_with('{') && rest.find('}') == Some(rest.len() - 1)) {
            return None;
        }
        // A fault is the reference's to report.
        self.found(&start, &played, board.outcome(), Some(white), tags, opening).ok()
    }

    /// A game that the reference has read from a text that begins in line `line`.
    fn of_reference(&self, game: &PgnGame, opening: &str, line: u64) -> Found {
        let tags = game.tags().iter().filter(|(_, value)| !GameTags::is_unknown(value)).cloned();
        let tags = GameTags(tags.collect());
        let mut board = (self.boards)(game.start());
        let mut moves = Vec::new();
        for (ply, (&mv, comment)) in game.moves().iter().zip(game.comments()).enumerate() {
            let mv = PackedMove::from(mv);
            if !board.play_packed(mv) {
                let mv = mv.uci(&self.game);
                return Found::Broken(line, format!("ply {}: the engine has no move {mv}: a bug in Assay", ply + 1));
            }
            let mut report = MoveReport::default();
            report.read(comment.as_deref().unwrap_or_default());
            moves.push((mv, report));
        }
        let found = self.found(game.start(), &moves, board.outcome(), game.result(), tags, opening);
        found.unwrap_or_else(|why| Found::Broken(line, why))
    }

    fn found(
        &self,
        start: &Position,
        moves: &[(PackedMove, MoveReport)],
        outcome: Option<Outcome>,
        white: Option<Points>,
        tags: GameTags,
        opening: &str,
    ) -> Result<Found, String> {
        let Some(white) = white else {
            return Ok(Found::LeftOut(UNFINISHED));
        };
        if let Some(option) = self.filters.option_against_tags(&tags, white) {
            return Ok(Found::LeftOut(option));
        }
        let (end, fault) = self.end(white, outcome, &tags)?;
        let mut record = GameRecord {
            index: 0,
            pair: 0,
            white: 0,
            start_fen: start.fen(),
            opening: opening.to_owned(),
            material: None,
            moves: moves.iter().map(|(mv, report)| played(*mv, report)).collect(),
            result: white,
            end,
            fault,
            ended: None,
        };
        let movers: Vec<usize> = record.movers().collect();
        for (at, mover) in movers.into_iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| moves[before].1.eval_after);
            let for_white = moves[at].1.white_eval.or(before);
            // White is side 0.
            let of_mover = for_white.map(|eval| if mover == 0 { eval } else { flipped(eval) });
            record.moves[at].eval = record.moves[at].eval.or(of_mover);
        }
        match self.filters.option_against_moves(&record) {
            Some(option) => Ok(Found::LeftOut(option)),
            None => Ok(Found::Game(Box::new((record, tags)))),
        }
    }

    /// How a game with White's points ended, by the rules or the tags.
    fn end(
        &self,
        white: Points,
        outcome: Option<Outcome>,
        tags: &GameTags,
    ) -> Result<(GameEnd, Option<FaultRecord>), String> {
        if let Some(outcome) = outcome {
            if outcome.white == white {
                return Ok((GameEnd::Rules(outcome.termination), None));
            }
            if !CLAIMED.contains(&outcome.termination) {
                return Err(format!(
                    "found White's points {white}, expected {}: the last move ends the game by {}",
                    outcome.white, outcome.termination
                ));
            }
        }
        let loser = match white {
            Points::WIN => Some(Color::Black),
            Points::LOSS => Some(Color::White),
            _ => None,
        };
        let named = tags.get("Ending").and_then(GameEnd::from_name);
        let termination = tags.get("Termination").unwrap_or_default().to_lowercase();
        let kind = match (named, termination.as_str()) {
            (Some(GameEnd::Fault(kind)), _) => Some(kind),
            (None, "time forfeit") => Some(FaultKind::TimeLoss),
            (None, "abandoned") => Some(FaultKind::Crash),
            (None, "stalled connection") => Some(FaultKind::Stall),
            (None, "rules infraction" | "illegal move") => Some(FaultKind::IllegalMove),
            // chess.com names the winner: `alice won on time`, `alice won - game abandoned`.
            (None, text) if text.ends_with(" won on time") => Some(FaultKind::TimeLoss),
            (None, text) if text.ends_with(" won - game abandoned") => Some(FaultKind::Crash),
            _ => None,
        };
        match (loser, kind, named) {
            (Some(loser), Some(kind), _) => {
                let fault = FaultRecord {
                    player: usize::from(loser == Color::Black),
                    what: tags.get("Termination").unwrap_or(kind.name()).to_owned(),
                    dispute: None,
                    stderr: Vec::new(),
                };
                Ok((GameEnd::Fault(kind), Some(fault)))
            }
            (Some(_), None, _) => Ok((GameEnd::Resignation, None)),
            (None, _, Some(GameEnd::MoveLimit)) if white == self.game.endings.draw => Ok((GameEnd::MoveLimit, None)),
            (None, ..) if white == self.game.endings.draw => Ok((GameEnd::DrawAdjudication, None)),
            (None, ..) => Err(format!("found White's points {white}, which no rule of {} gives here", self.game.name)),
        }
    }
}

/// The tags of a game, those that the record derives, and its moves; `None` if the tags are not of
/// the usual form.
fn read_tags(text: &str) -> Option<(GameTags, Vec<(&str, &str)>, &str)> {
    const DERIVED: [&str; 5] = ["Result", "Variant", "Score", "SetUp", "FEN"];
    const MOST: usize = 100;
    let (mut tags, mut derived) = (GameTags::default(), Vec::new());
    let mut rest = text;
    while let Some(tag) = rest.trim_start().strip_prefix('[') {
        let (line, after) = tag.split_once('\n')?;
        let (name, value) = line.trim_end().strip_suffix("\"]")?.split_once(" \"")?;
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_second = tags.0.contains_key(name) || derived.iter().any(|(known, _)| *known == name);
        if !is_word || is_second || value.contains(['"', '\\']) || tags.0.len() >= MOST {
            return None;
        }
        if DERIVED.contains(&name) {
            derived.push((name, value));
        } else if !GameTags::is_unknown(value) {
            let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            tags.0.insert(name.to_owned(), value);
        }
        rest = after;
    }
    // Comments up to the end of a line, and lines for other programs.
    let has_others = rest.contains(';') || rest.contains("\n%") || rest.starts_with('%');
    (!has_others).then_some((tags, derived, rest))
}

fn played(mv: PackedMove, report: &MoveReport) -> PlayedMove {
    PlayedMove {
        mv,
        eval: report.eval,
        depth: report.depth,
        seldepth: report.seldepth,
        nodes: report.nodes,
        time_ms: report.time_ms,
    }
}

fn flipped(eval: Eval) -> Eval {
    match eval {
        Eval::Centipawns(value) => Eval::Centipawns(-value),
        Eval::Mate(moves) => Eval::Mate(-moves),
    }
}
