//! Training the engine's evaluation on games: linear weights and networks.

pub mod network;
pub mod quiet_rows;
pub mod weights;
