//! Imported games: the same positions as in the run that they come from, in other clusters and with
//! ratings.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use assay_selfplay::export::{Format, export};
use assay_selfplay::import::Import;
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::settings::{ClusterBy, Evaluation, Filters, GameSource, Material, RunOptions, SelfPlay};
use assay_selfplay::{Store, generate};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::data::regressor::Regressor;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::design::spec::DesignSpec;
use assay_tuner::values::inference::fit::Fit;
use tempfile::TempDir;

use crate::common::{joined, printed};

/// Plays games, and writes them as those of players whose ratings differ by 400 points; the
/// winner's rating is higher in two thirds of the games.
fn played_and_imported(folder: &Path) -> [std::path::PathBuf; 2] {
    let [played, pgn, imported] = ["played.db", "games.pgn", "imported.db"].map(|name| folder.join(name));
    let evaluation = Some(Evaluation::Linear);
    let choices = SelfPlay { nodes: 40, hash_mb: 1, material: Material::Values, evaluation, ..SelfPlay::default() };
    let settings = choices.settings(GameSource::builtin("gamma2").unwrap()).unwrap();
    let stop = AtomicBool::new(false);
    generate(&settings, &RunOptions::self_play(140, 0), &played, |_| {}, &stop).unwrap();
    let mut text = Vec::new();
    let store = Store::open_read(&played).unwrap();
    export(&store, Format::Pgn(PgnDetails::default()), |_| true, &mut text).unwrap();
    let mut text = String::from_utf8(text).unwrap();
    for (number, (result, order)) in [("1-0", [2400, 2000]), ("0-1", [2000, 2400])].into_iter().enumerate() {
        let tag = format!("[Result \"{result}\"]\n");
        let mut games = text.split(&tag).map(str::to_owned).collect::<Vec<_>>().into_iter();
        let mut rated = games.next().unwrap();
        for (game, rest) in games.enumerate() {
            let [white, black] = if game % 3 == number { [order[1], order[0]] } else { order };
            rated += &format!("{tag}[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n{rest}");
        }
        text = rated;
    }
    std::fs::write(&pgn, text).unwrap();
    let import = Import {
        files: vec![pgn],
        source: None,
        cluster: ClusterBy::Opening { plies: 2 },
        filters: Filters::default(),
        is_strict: true,
    };
    import.run(&imported, |_| (), &stop).unwrap();
    [played, imported]
}

#[test]
fn imported_games_have_the_same_positions_and_ratings() {
    let folder = TempDir::new().unwrap();
    let files = played_and_imported(folder.path());
    let [played, imported] = files.map(|file| Dataset::read(&[&Store::open_read(&file).unwrap()]).unwrap());
    assert_eq!(played.games.len(), imported.games.len());
    for (own, read) in played.games.iter().zip(&imported.games) {
        assert_eq!((&own.samples, own.white, own.end), (&read.samples, read.white, read.end));
        assert!(
            own.conditions.rating == 0.0 && (read.conditions.rating.abs() - 1.0).abs() < 1e-6
                || read.white.quarters() == 2
        );
    }
    let spec = DesignSpec::of(&played, PhaseModel::Constant);
    assert!(spec.constant(Regressor::Rating).is_none() && !spec.omitted.contains(&Regressor::Rating));
    let fit = Fit::of_games(&imported, PhaseModel::Constant).unwrap();
    // Odds of two to one, more where material decides, too.
    let (log_odds, error) = fit.log_odds(Regressor::Rating, 1.0).unwrap();
    assert!(log_odds > 2.0_f64.ln() - 3.0 * error && log_odds < 2.5, "{log_odds} {error}");
}

#[test]
fn reports_say_what_does_not_hold_for_imported_games() {
    let folder = TempDir::new().unwrap();
    played_and_imported(folder.path());
    for (command, expected) in [
        (
            "fit imported.db --phase-model constant --resamples 0 --details",
            "White's rating minus Black's is a part of the regression",
        ),
        ("fit imported.db --phase-model constant --resamples 0 --details", "A rating of 400 points more is worth "),
        ("claims gamma2 --from imported.db", "a verdict is about these players and openings"),
    ] {
        let text = joined(&printed(command, folder.path()));
        assert!(text.contains(expected), "{command}: {text}");
        assert!(text.contains("Games with the same first 2 plies are one cluster"), "{command}: {text}");
    }
}
