//! Progress of a match: score, Elo and LLR so far, and a warning for each fault.

use assay_cli::{Progress, output};
use assay_selfplay::GameRecord;
use assay_selfplay::game::GameEnd;
use assay_selfplay::report::{MatchReport, Names, text};

pub(super) struct MatchProgressBar {
    progress: Progress,
    names: Names,
}

impl MatchProgressBar {
    pub(super) fn new(names: &Names, games: u64) -> MatchProgressBar {
        MatchProgressBar {
            progress: Progress::new(games, "games"),
            names: names.clone(),
        }
    }

    pub(super) fn update(&self, progress: assay_selfplay::Progress<'_>) {
        let Some(score) = progress.score else { return };
        if progress.new.is_empty() {
            self.progress.resume_at(score.games());
        } else {
            self.progress.set(score.games());
        }
        let report = MatchReport::new(&self.names, score);
        self.progress.set_message(text::progress_line(&report));
        for game in progress.new {
            if let GameEnd::Fault(kind) = game.end {
                self.warn(game, kind.name());
            }
        }
    }

    fn warn(&self, game: &GameRecord, kind: &str) {
        let Some(fault) = &game.fault else { return };
        let (engine, details) = (&self.names.engines[fault.player], &fault.what);
        let text = format!("game {}: {engine}: {kind}: {details}", game.index + 1);
        self.progress
            .println(format_args!("warning: {}", output::escaped(&text)));
    }

    pub(super) fn finish(self) {
        self.progress.finish();
    }
}
