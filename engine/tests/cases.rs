//! Rule cases: every rule of the rules document as data, `testdata/rules/*.toml`, checked with the
//! reference generator, the engine's ruleset of the game, and the general ruleset for user-defined
//! games.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_engine::{CompiledRuleset, MoveList, Tables, Visitor, dispatch, dispatch_general};
use assay_rules::{Game, GameDef, Move, Outcome, Position, Setup, uci};
use serde::Deserialize;

/// A file of cases of one game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// A built-in game, or the path of a definition file from `testdata/rules`.
    game: String,
    case: Vec<Case>,
}

/// A position, moves played from it, and what must then be true.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The rule that the case tests.
    rule: String,
    /// The start position: a FEN, or `start` as on command lines. The default start if both are
    /// missing.
    fen: Option<String>,
    start: Option<String>,
    /// UCI moves to play first.
    #[serde(default)]
    moves: Vec<String>,
    /// Moves that must be legal.
    #[serde(default)]
    legal: Vec<String>,
    /// Moves that must be illegal.
    #[serde(default)]
    illegal: Vec<String>,
    /// All legal moves from their origin square.
    #[serde(default)]
    exactly: Vec<Exactly>,
    /// Number of legal moves.
    count: Option<usize>,
    check: Option<bool>,
    /// `none`, or termination and White's points: `stalemate 0.75`.
    outcome: Option<String>,
    /// The FEN after the moves.
    after: Option<String>,
    /// The FEN is rejected with a message that contains this text.
    refused: Option<String>,
    /// The FEN is accepted with a warning that contains this text.
    warning: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exactly {
    from: String,
    moves: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/rules")
}

fn load(game: &str) -> Arc<GameDef> {
    GameDef::builtin(game).unwrap_or_else(|| {
        let text = std::fs::read_to_string(folder().join(game)).unwrap_or_else(|error| panic!("{game}: {error}"));
        Arc::new(GameDef::from_toml(&text, game).unwrap_or_else(|error| panic!("{error}")))
    })
}

/// The facts about the position of a case, by one of the generators.
struct Facts {
    legal: Vec<Move>,
    check: bool,
    outcome: Option<Outcome>,
    fen: String,
}

/// The bitboard generator's facts after the same moves.
struct EngineFacts<'c> {
    start: &'c Position,
    moves: &'c [Move],
}

impl Visitor for EngineFacts<'_> {
    type Output = Facts;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Facts {
        let mut position = assay_engine::Position::<R>::new(&tables, self.start);
        for &mv in self.moves {
            let mv = position.from_rules_move(mv);
            position.make(mv);
        }
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let mut legal: Vec<Move> = list.as_slice().iter().map(|&mv| position.to_rules_move(mv)).collect();
        legal.sort_unstable();
        Facts { legal, check: position.in_check(), outcome: position.outcome(), fen: position.to_rules().fen() }
    }
}

/// Returns the start position of a case; `None` if it was rejected as the case expects.
fn start_of(game: &Arc<GameDef>, case: &Case) -> Result<Option<Position>, String> {
    let fen = match (&case.fen, &case.start) {
        (Some(fen), None) => fen,
        (None, Some(start)) => {
            return Position::from_start(game, start).map(Some).map_err(|error| error.to_string());
        }
        (None, None) => return Ok(Some(Position::start(game))),
        _ => return Err("both fen and start".to_owned()),
    };
    let read = Setup::from_fen(game, fen).and_then(|setup| Ok(Position::from_setup(game, &setup)?));
    match (read, &case.refused) {
        (Err(error), Some(expected)) if error.to_string().contains(expected) => Ok(None),
        (Err(error), _) => Err(format!("refused: {error}")),
        (Ok(_), Some(expected)) => Err(format!("not refused, expected `{expected}`")),
        (Ok((position, warnings)), None) => {
            let found: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            let right = match &case.warning {
                Some(expected) => found.iter().any(|warning| warning.contains(expected)),
                None => found.is_empty(),
            };
            if right { Ok(Some(position)) } else { Err(format!("warnings {found:?}, expected {:?}", case.warning)) }
        }
    }
}

/// Returns all differences between facts and expectations.
fn differences(game: &GameDef, case: &Case, facts: &Facts) -> Vec<String> {
    let legal: Vec<String> = facts.legal.iter().map(|&mv| uci::format(game, mv)).collect();
    let mut wrong = Vec::new();
    wrong.extend(case.legal.iter().filter(|mv| !legal.contains(mv)).map(|mv| format!("{mv} is not legal")));
    wrong.extend(case.illegal.iter().filter(|mv| legal.contains(mv)).map(|mv| format!("{mv} is legal")));
    for exactly in &case.exactly {
        let Some(square) = game.board.parse_square(&exactly.from) else {
            wrong.push(format!("no square {}", exactly.from));
            continue;
        };
        let from = facts.legal.iter().filter(|mv| mv.from() == square);
        let mut found: Vec<String> = from.map(|&mv| uci::format(game, mv)).collect();
        let mut expected = exactly.moves.clone();
        found.sort();
        expected.sort();
        if found != expected {
            wrong.push(format!("moves from {}: {found:?}, expected {expected:?}", exactly.from));
        }
    }
    let mut same = |what: &str, found: String, expected: Option<String>| {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            wrong.push(format!("{what}: {found}, expected {expected}"));
        }
    };
    same("count", legal.len().to_string(), case.count.map(|count| count.to_string()));
    same("check", facts.check.to_string(), case.check.map(|check| check.to_string()));
    let outcome = facts.outcome.map_or("none".to_owned(), |end| format!("{} {}", end.termination, end.white));
    same("outcome", outcome, case.outcome.clone());
    same("after", facts.fen.clone(), case.after.clone());
    wrong
}

/// Checks a case; the error describes all differences.
fn run(game: &Arc<GameDef>, case: &Case) -> Result<(), String> {
    let Some(start) = start_of(game, case)? else {
        return Ok(());
    };
    let mut played = Game::new(start.clone());
    for text in &case.moves {
        let mv = uci::parse(played.position(), text).map_err(|error| error.to_string())?;
        played.play(mv);
    }
    let position = played.position();
    let reference = Facts {
        legal: position.legal_moves(),
        check: position.in_check(),
        outcome: played.outcome(),
        fen: position.fen(),
    };
    let engine = EngineFacts { start: &start, moves: played.moves() };
    let general = EngineFacts { ..engine };
    let mut wrong = Vec::new();
    let all = [("rules", reference), ("engine", dispatch(game, engine)), ("general", dispatch_general(game, general))];
    for (generator, facts) in &all {
        let found = differences(game, case, facts);
        wrong.extend(found.into_iter().map(|difference| format!("{generator}: {difference}")));
    }
    if Position::from_fen(game, &position.fen()).as_ref() != Ok(position) {
        wrong.push("its FEN does not read back".to_owned());
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n    at {}", wrong.join("\n    "), position.fen())) }
}

#[test]
fn generators_agree_with_every_rule_case() {
    let mut failures = Vec::new();
    let mut cases = 0;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let game = load(&file.game);
        for case in &file.case {
            cases += 1;
            if let Err(wrong) = run(&game, case) {
                failures.push(format!("{} ({}): {wrong}", file.game, case.rule));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {cases} cases fail:\n{}", failures.len(), failures.join("\n"));
    assert!(cases > 0, "no cases in {}", folder().display());
}
