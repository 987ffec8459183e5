//! What is shown while a match is played.

use assay_cli::{Progress, output};
use assay_selfplay::settings::RunSettings;

use super::tournament;

/// Shows score, Elo and LLR so far, and a warning for each fault.
pub(super) fn show_progress(bar: &Progress, settings: &RunSettings, progress: assay_selfplay::Progress<'_>) {
    let assay_selfplay::Progress { summary, new } = progress;
    if new.is_empty() {
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
            let players = summary.standings.players_of(game.pair).unwrap_or_default();
            let player = players[fault.player];
            let text = format!(
                "game {}: {}: {}: {}",
                game.index + 1,
                settings.players.all()[player].name,
                game.end,
                fault.what
            );
            bar.println(format_args!("warning: {}", output::escaped(&text)));
            for line in last_lines(&fault.stderr) {
                bar.println(format_args!("  standard error: {}", output::escaped(line)));
            }
        }
    }
}

/// The end of an engine's error output, which the run file has longer.
fn last_lines(lines: &[String]) -> &[String] {
    &lines[lines.len().saturating_sub(5)..]
}
