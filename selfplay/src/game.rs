//! One game: its clocks, the answers of its players, how it can end, and the record of it.

pub mod clock;
pub mod codec;
mod end;
mod eval;
mod fault;
mod fen_dialect;
mod record;
mod replay;
mod reply;
mod tags;

pub use end::{GameEnd, NamedCounts, result_marker};
pub use eval::Eval;
pub use fault::{Dispute, EngineFault, FaultKind, FaultRecord};
pub use fen_dialect::FenDialect;
pub use record::{GameRecord, PackedMove, PlayedMove};
pub use replay::ReplayError;
pub use reply::Reply;
pub use tags::GameTags;
