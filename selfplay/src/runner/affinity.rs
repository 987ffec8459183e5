//! The processors on which games are played.

use std::io;

/// Of the processors that this process may use, `each` for every one of `games` that are played at
/// a time.
///
/// # Errors
/// If there are too few, or the operating system does not tell.
#[cfg(target_os = "linux")]
pub fn processors(games: usize, each: usize) -> Result<Vec<Vec<usize>>, String> {
    let set = rustix::thread::sched_getaffinity(None).map_err(|error| error.to_string())?;
    let available: Vec<usize> = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&number| set.is_set(number)).collect();
    let needed = games.saturating_mul(each);
    if needed > available.len() {
        let (games, processors) = (count(games, "game", "games"), count(needed, "processor", "processors"));
        return Err(format!("found {games} at a time, which need {processors}, expected at most {}", available.len()));
    }
    Ok(available.chunks(each.max(1)).take(games).map(<[usize]>::to_vec).collect())
}

#[cfg(target_os = "linux")]
use assay_cli::format::count;

/// The same where it cannot be done.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn processors(_games: usize, _each: usize) -> Result<Vec<Vec<usize>>, String> {
    Err(format!("found {}, expected Linux, which places programs on processors", std::env::consts::OS))
}

/// Keeps this thread, and the programs that it starts, on these processors.
#[cfg_attr(not(target_os = "linux"), expect(clippy::unnecessary_wraps, reason = "Linux may refuse"))]
pub(super) fn stay_on(processors: &[usize]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &number in processors {
            set.set(number);
        }
        rustix::thread::sched_setaffinity(None, &set)?;
    }
    let _ = processors;
    Ok(())
}
