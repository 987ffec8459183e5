//! What is shown while a match is played.

use assay_cli::args::whole_number;
use assay_cli::{Progress, output};
use assay_rules::{Color, Points, Termination};
use assay_selfplay::game::{FaultKind, GameEnd, GameRecord, result_marker};
use assay_selfplay::report::Report;
use assay_selfplay::settings::RunSettings;
use assay_selfplay::statistics::Anchor;

use super::tournament;

/// Shows which games have started and finished, as fastchess does.
pub(super) fn show_games(bar: &Progress, settings: &RunSettings, progress: assay_selfplay::Progress<'_>) {
    let assay_selfplay::Progress { summary, new, started, .. } = progress;
    // White and Black by name.
    let names = |index: u64| {
        let players = settings.players.of_pair(index / settings.games_per_opening());
        let white = settings.white_side(index);
        [white, 1 - white].map(|side| settings.players.all()[players[side]].name.as_str())
    };
    for &index in started {
        let [white, black] = names(index);
        let line = format!("Started game {} of {} ({white} vs {black})", index + 1, summary.games);
        bar.println(output::escaped(&line));
    }
    for game in new {
        let [white, black] = names(game.index);
        let (number, result, reason) = (game.index + 1, result_marker(game.result), reason(settings, game));
        let line = format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}");
        bar.println(output::escaped(&line));
    }
}

/// How a game ended, in fastchess's words where it has some.
fn reason(settings: &RunSettings, game: &GameRecord) -> String {
    let won = game.result == Points::WIN;
    let (winner, loser) = if won { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
    match game.end {
        GameEnd::Rules(Termination::Checkmate) if settings.game().endings.checkmate == Points::WIN => {
            format!("{winner} mates")
        }
        GameEnd::Rules(Termination::Stalemate) if game.result == Points::DRAW => "Draw by stalemate".to_owned(),
        GameEnd::Rules(Termination::Repetition) if game.result == Points::DRAW => {
            "Draw by 3-fold repetition".to_owned()
        }
        GameEnd::Rules(Termination::MoveRule) if game.result == Points::DRAW => "Draw by fifty moves rule".to_owned(),
        GameEnd::Rules(Termination::DeadPosition) => "Draw by insufficient mating material".to_owned(),
        GameEnd::Resignation => format!("{winner} wins by adjudication"),
        GameEnd::DrawAdjudication | GameEnd::MoveLimit => "Draw by adjudication".to_owned(),
        GameEnd::Fault(FaultKind::TimeLoss) => format!("{loser} loses on time"),
        GameEnd::Fault(FaultKind::Crash) => format!("{loser} disconnects"),
        GameEnd::Fault(FaultKind::Stall) => format!("{loser}'s connection stalls"),
        GameEnd::Fault(FaultKind::IllegalMove) => format!("{loser} makes an illegal move"),
        GameEnd::Fault(_) => format!("{loser}: {}", game.end),
        GameEnd::Rules(_) => game.end.to_string(),
    }
}

/// Shows score, Elo and LLR so far, and a warning for each fault.
pub(super) fn show_progress(bar: &Progress, settings: &RunSettings, progress: assay_selfplay::Progress<'_>) {
    let assay_selfplay::Progress { summary, new, started, .. } = progress;
    // The first report, before any game.
    if new.is_empty() && started.is_empty() {
        bar.resume_at(summary.done);
    } else {
        bar.set_total(summary.games);
        bar.set(summary.done);
    }
    let (message, half_width) = tournament::progress(settings, summary);
    bar.set_message(message);
    if let Some(half_width) = half_width {
        bar.set_precision(half_width, "Elo");
    }
    for game in new {
        if let Some(fault) = &game.fault {
            let players = settings.players.of_pair(game.pair);
            let player = players[fault.player];
            let text = format!(
                "game {}: {}: {}: {}",
                game.index + 1,
                settings.players.all()[player].name,
                game.end,
                fault.what
            );
            bar.println(format_args!("warning: {}", output::escaped(&text)));
            // The run file has more of it.
            for line in &fault.stderr[fault.stderr.len().saturating_sub(5)..] {
                bar.println(format_args!("  standard error: {}", output::escaped(line)));
            }
        }
    }
}

// Results while a match is played.
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
    /// The text to print now; `None` after most games. Games that were stored together are one step.
    pub(super) fn text(
        &self,
        settings: &RunSettings,
        progress: &assay_selfplay::Progress<'_>,
        anchor: Option<Anchor>,
    ) -> String {
        let assay_selfplay::Progress { summary, new, .. } = progress;
        let is_due = |interval| is_due(interval, new.len() as u64, summary.done);
        let mut text = String::new();
        if is_due(self.scoreinterval) {
            text += &tournament::score_line(settings, summary);
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
