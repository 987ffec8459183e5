//! Progress of a match: score, Elo and LLR so far, and a warning for each fault.

use assay_cli::{Progress, output};
use assay_selfplay::game::end::Ending;
use assay_selfplay::game::match_record::MatchGame;
use assay_selfplay::report::{MatchReport, Names, text};
use assay_selfplay::runner::match_run::MatchProgress;

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

    pub(super) fn update(&self, progress: MatchProgress<'_>) {
        let score = progress.standing;
        if progress.new.is_none() {
            self.progress.resume_at(score.games());
        } else {
            self.progress.set(score.games());
        }
        let report = MatchReport::new(&self.names, score);
        self.progress.set_message(text::progress_line(&report));
        if let Some(game) = progress.new
            && let Ending::Fault(kind) = game.ending
        {
            self.warn(game, kind.name());
        }
    }

    fn warn(&self, game: &MatchGame, kind: &str) {
        let engine = game.culprit.map_or("?", |engine| self.names.engines[engine].as_str());
        let details = game.detail.as_ref().map_or("", |detail| detail.what.as_str());
        let text = format!("game {}: {engine}: {kind}: {details}", game.index + 1);
        self.progress
            .println(format_args!("warning: {}", output::escaped(&text)));
    }

    pub(super) fn finish(self) {
        self.progress.finish();
    }
}
