//! Perft of both generators: `cargo run --release --example compare_perft -- gamma2 4`.

use assay_perft::generator::{CountMode, GeneratorKind, new};
use assay_rules::Position;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let game = assay_engine::load_game(&arguments.next().unwrap_or_else(|| "chess".to_owned()))?;
    let depth = arguments.next().map_or(Ok(4), |depth| depth.parse())?;
    for kind in GeneratorKind::ALL {
        let mut node = new(kind, &game).node(&Position::start(&game));
        let nodes = node.perft(depth, &CountMode::default(), assay_cli::interrupt::stop_flag());
        println!("{}: {}", kind.name(), nodes.unwrap_or_default());
    }
    Ok(())
}
