//! Counts the leaf nodes of the game tree with the reference generator.
//!
//! Usage: `cargo run --release --example rules_perft -- [GAME] [DEPTH]`

use assay_rules::{GameDef, Position, perft::perft};

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "chess".to_owned());
    let depth: u32 = args.next().map_or(4, |text| text.parse().expect("the depth is a number"));
    let game = GameDef::builtin(&name).expect("the game is built in");
    let start = Position::start(&game);
    for depth in 1..=depth {
        println!("perft({depth}) = {}", perft(&start, depth));
    }
}
