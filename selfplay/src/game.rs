//! One game: its rules or the lack of them, its clocks, how it can end, and the record of it.

pub mod clock;
mod end;
mod eval;
mod fault;
mod fen_dialect;
mod record;
mod replay;
mod state;
mod unruled;

pub use end::GameEnd;
pub use eval::Eval;
pub use fault::{Dispute, EngineFault, FaultKind, FaultRecord};
pub use fen_dialect::FenDialect;
pub use record::{GameRecord, MoveText, PackedMove, PlayedMove, RecordedMove};
pub use replay::ReplayError;
pub use state::{GameState, Reply, Start};
pub use unruled::UnruledGame;
