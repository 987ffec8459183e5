//! The report.
use super::report::Names;
use super::store::MatchStore;
use crate::store::StoreError;
/// The page.
///
/// # Errors
/// x
pub fn page(_store: &MatchStore, names: &Names) -> Result<String, StoreError> {
    Ok(names.game.clone())
}
