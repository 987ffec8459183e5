//! The settings of a run in words.

use assay_cli::format::grouped;

use crate::run::RunHeader;
use crate::settings::SecondGame;

/// The settings of a run in words, each with its name. Settings that are off are left out.
pub fn describe(run: &RunHeader) -> Vec<(&'static str, String)> {
    let settings = &run.settings;
    let note = if settings.source.text.is_some() { " (definition stored in the file)" } else { "" };
    let mut lines = vec![
        ("game", format!("{}{note}", settings.game().name)),
        ("started", format!("{} by {}", run.created, run.program)),
    ];
    if let Some(import) = settings.import() {
        lines.push(("games", import.to_string()));
        lines.push(("hash", format!("{} (BLAKE3 of the texts)", import.hash)));
        lines.push(("clusters", format!("by {}", import.cluster)));
        let filters = Some(import.filters.to_string()).filter(|filters| !filters.is_empty());
        lines.extend(filters.map(|filters| ("filters", filters)));
        return lines;
    }
    for (player, identity) in settings.players.all().iter().zip(&run.identities) {
        let (limits, margin) = (player.limits, player.limits.margin.as_millis());
        lines.push(("engine", format!("{}: {identity}, {}, {limits} (margin {margin} ms)", player.name, player.kind)));
    }
    if let Some(tournament) = settings.players.tournament().filter(|tournament| tournament.players().len() > 2) {
        lines.push(("tournament", tournament.format().to_string()));
    }
    lines.push(("seed", settings.seed.to_string()));
    lines.push(("openings", settings.openings.to_string()));
    if !settings.repeat {
        lines.push(("repeat", "each opening is played once".to_owned()));
    }
    if settings.repeat && settings.second_game() == SecondGame::OwnOpening {
        lines.push(("pairs", "two openings with the same material, because armies cannot be exchanged".to_owned()));
    }
    if !settings.eval_jitter.is_none() {
        lines.push(("jitter", settings.eval_jitter.to_string()));
    }
    lines.extend(settings.sprt.map(|sprt| ("sprt", sprt.to_string())));
    let adjudication = settings.adjudication.to_string();
    if !adjudication.is_empty() {
        lines.push(("adjudication", adjudication));
    }
    if !settings.players.is_self_play() {
        lines.push(("stall", format!("{} s", settings.stall.as_secs_f64())));
    }
    let shard = run.shard.map_or_else(String::new, |shard| format!(" of shard {shard}"));
    lines.push(("requested", format!("{} games{shard}", grouped(run.shard_games()))));
    lines
}
