//! The style sheet of the pages.

pub(super) const CSS: &str = include_str!("style.css");
