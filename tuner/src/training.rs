//! Training the engine's evaluation on games: linear weights and networks.

pub mod network;
pub mod quiet_positions;
pub mod weights;
