use assay_rules::{Game, Position, uci};

/// How an engine writes FENs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenDialect {
    /// Assay's own. After an ambiguous double step (Berolina pawns) the en passant field holds the
    /// square passed over, then the pawn's square.
    #[default]
    Assay,
    /// Fairy-Stockfish's: the same two squares in board order (a1, b1, ...).
    Fairy,
}

assay_cli::named!(FenDialect: Assay = "assay", Fairy = "fairy");

impl FenDialect {
    /// The dialect of a program, by the name that it reports.
    pub fn of_program(id_name: &str) -> FenDialect {
        if id_name.to_ascii_lowercase().contains("fairy-stockfish") { FenDialect::Fairy } else { FenDialect::Assay }
    }

    pub fn fen(self, position: &Position) -> String {
        let fen = position.fen();
        let ambiguous = position.game().double_step_is_ambiguous();
        match (self, position.en_passant()) {
            (FenDialect::Fairy, Some(chance)) if ambiguous && chance.victim < chance.passed => {
                let board = &position.game().board;
                let (passed, victim) = (board.square_name(chance.passed), board.square_name(chance.victim));
                fen.replacen(&format!(" {passed}{victim} "), &format!(" {victim}{passed} "), 1)
            }
            _ => fen,
        }
    }

    /// The start and the moves of a game as UCI's `position` command takes them.
    pub fn uci_position(self, game: &Game) -> (String, Vec<String>) {
        let (def, start) = (game.position().game(), &game.positions()[0]);
        let moves = game.moves().iter().map(|&mv| uci::format(def, mv)).collect();
        if *start == Position::start(def) { ("startpos".to_owned(), moves) } else { (self.fen(start), moves) }
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::*;

    #[test]
    fn translates_berolina_en_passant() {
        let game = GameDef::builtin("berolina").unwrap();
        // Black has gone e7-c5 over d6, White's pawn on d5 may take; then the same for White.
        for (fen, fairy) in [
            ("4k3/8/8/2pP4/8/8/8/4K3 w - d6c5 0 2", "4k3/8/8/2pP4/8/8/8/4K3 w - c5d6 0 2"),
            ("4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1", "4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1"),
        ] {
            let position = Position::from_fen(&game, fen).unwrap();
            assert_eq!(FenDialect::Assay.fen(&position), fen);
            assert_eq!(FenDialect::Fairy.fen(&position), fairy);
        }
        assert_eq!(FenDialect::of_program("Fairy-Stockfish 14.0.1 LB"), FenDialect::Fairy);
        assert_eq!(FenDialect::of_program("Assay 0.1.0"), FenDialect::Assay);
    }
}
