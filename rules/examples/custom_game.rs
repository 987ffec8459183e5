//! Defines a game, lists the legal moves of its start position, plays one, and prints a diagram.
//!
//! Usage: `cargo run --example custom_game [-- --svg]`

use std::error::Error;
use std::sync::Arc;

use assay_rules::svg::{SvgOptions, svg_board};
use assay_rules::{GameDef, Position, diagram, san, uci};

/// Chess with amazons (queen and knight combined) instead of queens.
const AMAZONS: &str = r#"
name = "amazon-chess"
title = "Chess with amazons"
base = "chess"
source = "example"

[pieces.queen]
name = "amazon"
letter = "A"
move = "QN"
value = 12

[promotion]
8 = { to = "ARBN" }

[[starts]]
id = "1"
title = "orthodox array with amazons"
fen = "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Arc::new(GameDef::from_toml(AMAZONS, "amazons.toml")?);
    let start = Position::start(&game);
    let moves: Vec<String> = start.legal_moves().iter().map(|&mv| san::format(&start, mv)).collect();
    println!("{} legal moves: {}", moves.len(), moves.join(" "));

    let mv = uci::parse(&start, "d1e3")?;
    let position = start.play(mv);
    if std::env::args().any(|arg| arg == "--svg") {
        let options = SvgOptions { last_move: Some(mv), ..SvgOptions::default() };
        print!("{}", svg_board(&position, &options));
    } else {
        print!("{}", diagram::text_board(&position));
        println!("{}", position.fen());
    }
    Ok(())
}
