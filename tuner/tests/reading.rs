//! Runs with more games than are read at a time: the result is that of reading all at once, and
//! reading can be stopped.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use assay_rules::def::definition_text;
use assay_rules::{GameDef, Points, Termination};
use assay_selfplay::game::{FaultRecord, GameEnd};
use assay_selfplay::settings::{EvalJitter, GameSource, Material, RunOptions, RunSettings, SelfPlay};
use assay_selfplay::{GameRecord, MemoryRun, run_games};
use assay_tuner::values::data::{DataError, Dataset, other_definitions};
use assay_tuner::values::playtest::{measure, measure_watched};

fn settings(material: Material) -> RunSettings {
    let choices = SelfPlay {
        nodes: 30,
        hash_mb: 1,
        material,
        opening_plies: Some(4),
        balance: Some(None),
        eval_jitter: Some(EvalJitter::default()),
        ..SelfPlay::default()
    };
    choices.settings(GameSource::builtin("chess").unwrap()).unwrap()
}

/// A run with these games under the numbers from 0.
fn run(name: &str, material: Material, games: &mut [GameRecord]) -> MemoryRun {
    for (index, game) in (0..).zip(&mut *games) {
        (game.index, game.pair) = (index, index / 2);
    }
    MemoryRun::new(name, settings(material), vec!["a test".to_owned()], games.to_vec())
}

fn fault() -> FaultRecord {
    FaultRecord { player: 0, what: "a test".to_owned(), dispute: None, stderr: Vec::new() }
}

/// The number of games that are repeated.
const FEW: u64 = 20;

/// A few short games, over and over.
fn repeated(times: usize) -> Vec<GameRecord> {
    let options = RunOptions::self_play(FEW, 1);
    let played = run_games(&settings(Material::Values), &options, None, false, |_| {}, &AtomicBool::new(false));
    let games: Vec<GameRecord> = played.unwrap().1.games().collect::<Result<_, _>>().unwrap();
    std::iter::repeat_n(games, times).flatten().collect()
}

#[test]
fn chunks_do_not_change_what_is_read() {
    let mut games = repeated(120);
    // A game lost through a fault is left out, so that pairs begin at odd places, and some lie in
    // two chunks.
    games[0].fault = Some(fault());
    let many = run("many.db", Material::Values, &mut games);

    let mut chunks = Vec::new();
    let data = Dataset::read_watched(&[&many], &mut |games| {
        chunks.push(games);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(chunks.len() > 2 && chunks.iter().sum::<u64>() == 2_399, "{chunks:?}");
    assert_eq!(data.games.len(), 2_399);
    assert_eq!(data.files[0].games, 2_399);

    let few = Dataset::read(&[&run("few.db", Material::Values, &mut repeated(1))]).unwrap();
    for (record, game) in games[1..].iter().zip(&data.games) {
        let same = &few.games[(record.index % FEW) as usize];
        assert_eq!(game.cluster, record.index as usize / 2);
        assert_eq!((game.white, game.plies), (record.result, record.moves.len()));
        assert_eq!((&game.start, &game.samples), (&same.start, &same.samples));
    }

    let chess = GameDef::builtin("chess").unwrap();
    let mut hasher = blake3::Hasher::new();
    for game in &games[1..] {
        hasher.update(format!("{} {} {}", game.index, game.pair, game.start_fen).as_bytes());
        for played in &game.moves {
            hasher.update(format!(" {}", played.mv.uci(&chess)).as_bytes());
        }
        hasher.update(format!(" {} {}\n", game.result, game.end).as_bytes());
    }
    assert_eq!(data.files[0].hash, hasher.finalize().to_hex().as_str());
}

#[test]
fn the_first_error_is_reported() {
    let mut games = repeated(80);
    games[1_500].moves.rotate_left(1);
    games[1_502].result = Points::ADVANTAGE;
    let illegal = run("illegal.db", Material::Values, &mut games);
    let error = Dataset::read(&[&illegal]).unwrap_err().to_string();
    assert!(error.contains("illegal.db: game 1500"), "{error}");

    games[1_498].result = Points::ADVANTAGE;
    let result = run("result.db", Material::Values, &mut games);
    let error = Dataset::read(&[&result]).unwrap_err().to_string();
    assert!(error.contains("result.db: game 1498: found White's score 0.75"), "{error}");
}

#[test]
fn reading_stops_between_chunks() {
    let mut games = repeated(80);
    let values = run("values.db", Material::Values, &mut games);
    let playtest = run("playtest.db", Material::Playtest, &mut games);

    let mut read = 0;
    let mut stop_at_once = |games| {
        read += games;
        ControlFlow::Break(())
    };
    let error = Dataset::read_watched(&[&values], &mut stop_at_once).unwrap_err();
    assert!(matches!(error, DataError::Stopped), "{error}");
    let error = measure_watched(&[&playtest], &mut stop_at_once).unwrap_err();
    assert!(matches!(error, DataError::Stopped), "{error}");
    assert!(read > 0 && read < 2 * 1_600, "{read}");
}

#[test]
fn pairs_of_a_playtest_may_lie_in_two_chunks() {
    let worth = [("-P/", 1.0), ("-PP/", 2.0), ("-N/", 3.1), ("-B/", 3.4), ("-R/-N", 1.6), ("-Q/-RR", -0.4)];
    let pair = |number: usize| -> [GameRecord; 2] {
        let (note, pawns): (&str, f64) = worth[number % worth.len()];
        // Quantiles instead of random numbers.
        let wins = ((number / worth.len()) as f64 + 0.5) / 400.0 < 1.0 / (1.0 + (0.5 * pawns).exp());
        let game = |result: Points| GameRecord {
            index: 0,
            pair: 0,
            white: 0,
            start_fen: String::new(),
            opening: String::new(),
            material: Some(note.to_owned()),
            moves: Vec::new(),
            result,
            end: GameEnd::Rules(Termination::Checkmate),
            fault: None,
            ended: None,
        };
        let result = if wins { Points::WIN } else { Points::LOSS };
        [game(result), game(result.flipped())]
    };
    let mut games: Vec<GameRecord> = (0..2_400).flat_map(pair).collect();
    games[0].fault = Some(fault());
    let playtest = measure(&[&run("playtest.db", Material::Playtest, &mut games)]).unwrap();
    assert_eq!(playtest.games, 4_798);
    let pairs: Vec<u64> = playtest.comparisons.iter().map(|comparison| comparison.pairs).collect();
    assert_eq!((pairs.iter().sum::<u64>(), pairs.len()), (2_399, 6));
}

#[test]
fn runs_have_the_same_rules_but_may_have_other_words() {
    let of_source = |name: &str, seed: u64, source: GameSource| {
        let settings = RunSettings { source, seed, ..settings(Material::Values) };
        MemoryRun::new(name, settings, vec!["a test".to_owned()], Vec::new())
    };
    let text = definition_text("chess").unwrap().replace("Orthodox chess", "Plain chess");
    let renamed = of_source("renamed.db", 2, GameSource::from_text(text, "renamed.toml").unwrap());
    let [chess, berolina] = ["chess", "berolina"].map(|name| of_source(name, 1, GameSource::builtin(name).unwrap()));
    let expected = "renamed.db: the definition is that of chess (same rules, other words or values)";
    assert_eq!(other_definitions(&[&chess, &renamed, &berolina]), [expected]);
    assert_eq!(Dataset::read(&[&chess, &renamed]).unwrap().game.title, "Orthodox chess");
    assert_eq!(Dataset::read(&[&renamed, &chess]).unwrap().game.title, "Plain chess");
    let error = Dataset::read(&[&chess, &berolina]).unwrap_err().to_string();
    assert!(error.starts_with("berolina: found games of berolina, expected chess as in chess"), "{error}");
}
