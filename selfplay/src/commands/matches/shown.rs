//! The progress of a match on the screen; nothing where standard error is no terminal.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use assay_selfplay::game::end::Ending;
use assay_selfplay::game::match_record::MatchGame;
use assay_selfplay::report::{Names, elo_short, llr_line};
use assay_selfplay::runner::match_run::MatchProgress;
use indicatif::{ProgressBar, ProgressStyle};

pub(super) struct Shown {
    bar: ProgressBar,
    names: [String; 2],
}

impl Shown {
    pub(super) fn new(names: &Names, games: u64) -> Shown {
        let bar = ProgressBar::new(games);
        let template = "{bar:20} {pos}/{len}  {per_sec}  {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if stderr().is_terminal() {
            bar.enable_steady_tick(Duration::from_millis(500));
        } else {
            bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        Shown {
            bar,
            names: names.engines.clone(),
        }
    }

    pub(super) fn update(&self, progress: MatchProgress<'_>) {
        let standing = progress.standing;
        self.bar.set_position(standing.games());
        if progress.new.is_none() {
            // Games of earlier calls are no measure of this one's speed.
            self.bar.reset_eta();
        }
        let mut parts = Vec::new();
        let points = standing.singles().points();
        parts.push(format!("{points}/{}", standing.singles().games()));
        parts.extend(elo_short(standing).map(|elo| format!("Elo {elo}")));
        parts.extend(llr_line(standing));
        if standing.all_faults() > 0 {
            parts.push(format!("{} faults", standing.all_faults()));
        }
        self.bar.set_message(parts.join("  "));
        if let Some(game) = progress.new
            && let Ending::Fault(kind) = game.ending
        {
            self.tell(game, kind.name());
        }
    }

    /// A fault is told at once, above the bar, or as a plain line where there is none.
    fn tell(&self, game: &MatchGame, kind: &str) {
        let name = game.culprit.map_or("?", |engine| self.names[engine].as_str());
        let why = game.detail.as_ref().map_or("", |detail| detail.what.as_str());
        let line = format!("warning: game {}: {name}: {kind}: {why}", game.index + 1);
        if self.bar.is_hidden() {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
