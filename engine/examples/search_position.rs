//! Searches a position to a fixed number of nodes and prints score and principal variation.
//!
//! ```sh
//! cargo run --release -p assay-engine --example search_position -- gamma2 100000
//! ```

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::{CompiledRuleset, Limits, Position, Searcher, Tables, Visitor, dispatch, load_game};
use assay_rules::uci;

struct Search {
    /// FEN of the position; `None` for the start position.
    fen: Option<String>,
    nodes: u64,
}

impl Visitor for Search {
    type Output = anyhow::Result<()>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> anyhow::Result<()> {
        let game = tables.game();
        let start = match &self.fen {
            Some(fen) => assay_rules::Position::from_fen(game, fen)?,
            None => assay_rules::Position::start(game),
        };
        let mut position = Position::new(&tables, &start);
        let mut searcher = Searcher::new(&tables, 16).unwrap();
        let result = searcher.search(&position, &Limits::nodes(self.nodes), &AtomicBool::new(false), &mut |_| {});
        let mut pv = Vec::new();
        for &mv in &result.pv {
            pv.push(uci::format(game, position.to_rules_move(mv)));
            position.make(mv);
        }
        println!("score {} depth {} nodes {}", result.score, result.depth, result.nodes);
        println!("pv {}", pv.join(" "));
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let game = load_game(arguments.next().as_deref().unwrap_or("chess"))?;
    let nodes = arguments.next().map_or(Ok(100_000), |nodes| nodes.parse())?;
    let fen = arguments.next();
    dispatch(&game, Search { fen, nodes })
}
