//! Networks for the engine, trained on games that it has played with itself.
//!
//! Quiet positions of the games become [`Views`]: what the network sees of them. [`train`](train::train) descends batch by
//! batch ([`gradient`]), and keeps the epoch that foretold best the games of openings that were held back.

pub mod gradient;
pub mod train;
pub mod views;

pub use train::{Epoch, Settings, Trained, train};
pub use views::{Collected, View, Views, collect};
