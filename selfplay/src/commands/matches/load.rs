//! How many threads a match keeps busy.

use assay_cli::format;
use assay_selfplay::settings::{EngineSettings, RunSettings};

/// The warning if more engines think at the same time than there are processors, and their time
/// counts.
pub(super) fn overload(settings: &RunSettings, concurrency: usize) -> Option<String> {
    let processors = std::thread::available_parallelism().ok()?.get();
    let engines = settings.players.all();
    let is_timed = engines.iter().any(|engine| engine.limits.clock.is_some() || engine.limits.movetime.is_some());
    let threads = busy_threads(settings);
    let busy = concurrency.saturating_mul(threads);
    (is_timed && busy > processors).then(|| {
        format!(
            "{} at a time with {} each on {}: engines may lose on time and play below their strength",
            format::count(concurrency, "game", "games"),
            format::count(threads, "thread", "threads"),
            format::count(processors, "processor", "processors")
        )
    })
}

/// The largest number of threads that search at the same time in a game: those of one engine, and
/// of the other if it ponders.
pub(super) fn busy_threads(settings: &RunSettings) -> usize {
    let engines = settings.players.all();
    let pondering = |engine: &EngineSettings| {
        let ponders = engine.kind.program().is_some_and(|program| program.ponder);
        if ponders { engine.kind.threads() } else { 0 }
    };
    let of_two = |first: usize| {
        let others = engines.iter().enumerate().filter(move |(second, _)| *second != first);
        engines[first].kind.threads() + others.map(|(_, engine)| pondering(engine)).max().unwrap_or(0)
    };
    (0..engines.len()).map(of_two).max().unwrap_or(1)
}
