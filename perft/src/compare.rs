//! Comparing with another program: talking to it, and finding where its counts part from ours.

pub mod part;
pub mod peer;
