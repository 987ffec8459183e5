//! `--ratinginterval` and `--scoreinterval`: results while a match is played.

use assay_cli::args::whole_number;
use assay_selfplay::Progress;
use assay_selfplay::report::Report;
use assay_selfplay::settings::RunSettings;
use assay_selfplay::statistics::Anchor;

use super::tournament::score_line;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct IntervalArgs {
    /// Print results whenever N more games are finished; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    ratinginterval: u64,
    /// Print the score whenever N more games are finished; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = whole_number(0..=u64::MAX), allow_negative_numbers = true)]
    scoreinterval: u64,
}

impl IntervalArgs {
    /// What to print now; nothing after most games. Games that were stored together are one step.
    pub(super) fn text(&self, settings: &RunSettings, progress: &Progress<'_>, anchor: Option<Anchor>) -> String {
        let Progress { summary, new, .. } = progress;
        let is_due = |interval| is_due(interval, new.len() as u64, summary.done);
        let mut text = String::new();
        if is_due(self.scoreinterval) {
            text += &score_line(settings, summary);
            text.push('\n');
        }
        if is_due(self.ratinginterval)
            && let Some(report) = Report::new(settings, &summary.tally, &summary.standings, anchor)
        {
            text += &report.results();
        }
        text
    }
}

/// Returns true if there is a multiple of the interval among the last `new` of `done` games.
fn is_due(interval: u64, new: u64, done: u64) -> bool {
    let before = done.saturating_sub(new);
    interval > 0 && done / interval > before / interval
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_due_once_in_an_interval() {
        let due: Vec<u64> = (1..=10).filter(|&done| is_due(3, 1, done)).collect();
        assert_eq!(due, [3, 6, 9]);
        assert!(is_due(3, 7, 7) && is_due(3, 2, 4) && !is_due(3, 1, 4) && !is_due(3, 0, 3) && !is_due(0, 9, 9));
    }
}
