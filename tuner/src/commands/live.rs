//! Values that are shown while their games are played.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use assay_cli::Progress;
use assay_tuner::report;
use assay_tuner::values::data::Dataset;
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::fit::Fit;
use assay_tuner::values::inference::precision::Precision;
use assay_tuner::values::inference::scale::{MARGIN, PublishedScale};

/// Games before the first fit.
const FIRST: u64 = 100;

/// Time between two looks at the number of games.
const INTERVAL: Duration = Duration::from_millis(200);

/// The values measured from the games so far. Each fit has a quarter more games than the one
/// before, so that all together take no longer than five of the last one.
#[derive(Debug)]
pub(crate) struct LiveValues {
    path: PathBuf,
    phase_model: PhaseModel,
    /// Games in the file.
    games: AtomicU64,
    /// The widest interval.
    widest: Mutex<Option<Precision>>,
}

impl LiveValues {
    /// Values of the games in the file at `path`, which need not exist yet.
    pub(crate) fn new(path: &Path, phase_model: PhaseModel) -> LiveValues {
        LiveValues {
            path: path.to_owned(),
            phase_model,
            games: AtomicU64::new(0),
            widest: Mutex::default(),
        }
    }

    /// Sets the number of games in the file. Returns the end of a progress line: the widest
    /// interval so far.
    pub(crate) fn update(&self, games: u64) -> String {
        self.games.store(games, Ordering::Relaxed);
        let widest = self.widest.lock().map_or(None, |widest| widest.clone());
        widest.map_or_else(String::new, |widest| {
            format!(
                ", widest interval: {} \u{b1}{:.2}% of the army",
                widest.piece, widest.percent
            )
        })
    }

    /// Measures again whenever there are enough new games, until `done` is set, and shows the
    /// values below the bar.
    pub(crate) fn refresh(&self, bar: &Progress, done: &AtomicBool) {
        let mut next = FIRST;
        while !done.load(Ordering::Relaxed) {
            let games = self.games.load(Ordering::Relaxed);
            if games < next {
                std::thread::sleep(INTERVAL);
                continue;
            }
            next = games + games / 4;
            let mut watch = |_: u64| {
                if done.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            // Too few games to measure anything are no error: more will come, and the final
            // measurement names what is wrong.
            let Ok(data) = Dataset::read_watched(std::slice::from_ref(&self.path), &mut watch) else {
                continue;
            };
            let Ok(fit) = Fit::of_games(&data, self.phase_model) else {
                continue;
            };
            if let Some(widest) = Precision::of(&fit.unit_tables()) {
                bar.set_precision(widest.percent, "% of the army");
                if let Ok(mut shown) = self.widest.lock() {
                    *shown = Some(widest);
                }
            }
            if let Some(scale) = PublishedScale::new(&fit, fit.mean_left, MARGIN) {
                bar.set_table(report::on_scale(&scale, "so far").text());
            }
        }
    }
}
