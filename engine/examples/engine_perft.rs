//! Perft of a built-in game from its start position:
//! `cargo run --release --example engine_perft -- gamma2 4`.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, Position, Tables, Visitor, dispatch, load_game};

struct Perft(u32);

impl Visitor for Perft {
    type Output = u64;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> u64 {
        let start = assay_rules::Position::start(tables.game());
        Position::new(&tables, &start).perft(self.0)
    }
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let game = load_game(&args.next().unwrap_or("chess".to_owned()))?;
    let max_depth = args.next().map_or(Ok(4), |depth| depth.parse())?;
    for depth in 1..=max_depth {
        println!("perft {depth}: {}", dispatch(&game, Perft(depth)));
    }
    Ok(())
}
