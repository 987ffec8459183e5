use std::sync::Arc;

use anyhow::{Context, Result};
use assay_engine::PerftTable;

use super::CountMode;

/// Counting options from the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountOptions {
    /// Make every move of the last ply too, instead of counting the legal moves before it.
    pub full: bool,
    /// Size of the hash table in MiB; 0 for none (engine only).
    pub hash_mb: usize,
}

impl CountOptions {
    /// Allocates the hash table for one count from one root: a table serves one root and one depth
    /// only.
    ///
    /// `perft` counts from that root; positions are looked up at most `plies` plies below it.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn prepare(self, perft: impl Fn(u32) -> u64, plies: u32) -> Result<CountMode> {
        let table = match self.hash_mb {
            0 => None,
            limit => {
                let mb = table_mb(limit, perft, plies);
                let table = PerftTable::new(mb)
                    .with_context(|| format!("--hash {limit}: not enough memory for a table of {mb} MiB"))?;
                Some(Arc::new(table))
            }
        };
        Ok(CountMode { full: self.full, table })
    }
}

/// Size in MiB of a table that a count can fill, at most `limit`: clearing unused memory costs
/// time.
///
/// There are two slots for each path to a position that is looked up, so that positions rarely
/// collide.
fn table_mb(limit: usize, perft: impl Fn(u32) -> u64, plies: u32) -> usize {
    let mb = |positions: u64| (positions.saturating_mul(2 * PerftTable::ENTRY_BYTES as u64) >> 20) as usize + 1;
    // Counts of the last two plies; their ratio predicts the next one.
    let mut paths = [1_u64, 1];
    for plies in 1..=plies {
        let predicted = paths[1].saturating_mul(paths[1]) / paths[0].max(1);
        if mb(predicted) > 4 * limit {
            return limit;
        }
        paths = [paths[1], perft(plies)];
    }
    limit.min(mb(paths[1]))
}
