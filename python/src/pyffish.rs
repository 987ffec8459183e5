//! What `assay.pyffish` needs besides the public classes.

use assay_rules::fen::FenError;
use assay_rules::position::{SetupError, SetupWarning};
use assay_rules::{Color, Setup};
use assay_selfplay::game::FenDialect;
use pyo3::prelude::*;

use crate::game::Game;
use crate::game::position::Position;

/// The FEN as Fairy-Stockfish writes it.
#[pyfunction]
pub(crate) fn fairy_fen(position: &Position) -> String {
    FenDialect::Fairy.fen(position.played.position())
}

/// The field with the first error of a FEN, or a word for an impossible position; None if the FEN is valid.
#[pyfunction]
pub(crate) fn fen_fault(game: &Game, fen: &str) -> Option<&'static str> {
    let definition = game.definition();
    let setup = match Setup::from_fen(definition, fen) {
        Ok(setup) => setup,
        Err(FenError::Syntax { field, .. }) => return Some(field.name()),
        Err(_) => return Some("fields"),
    };
    match assay_rules::Position::from_setup(definition, &setup) {
        Ok((_, warnings)) => {
            let is_right = |warning: &SetupWarning| matches!(warning, SetupWarning::Right { .. });
            warnings.iter().any(is_right).then_some("rights")
        }
        Err(errors) => match errors.0.first() {
            Some(SetupError::Kings { .. }) => Some("kings"),
            _ => Some("impossible"),
        },
    }
}

/// For White and Black: true if the side cannot win with its pieces.
#[pyfunction]
pub(crate) fn insufficient_material(position: &Position) -> (bool, bool) {
    let now = position.played.position();
    let (game, king) = (now.game(), now.game().kinds.king());
    if game.captures_return() || king.is_none() {
        return (false, false);
    }
    let armies = || now.pieces().filter(move |(_, piece)| Some(piece.kind) != king);
    let is_bare = |color: Color| !armies().any(|(_, piece)| piece.color == color);
    let is_square_light = |square| (game.board.file(square) + game.board.rank(square)) % 2;
    let mut colors =
        armies().map(|(square, piece)| game.kinds.is_color_bound(piece.kind).then(|| is_square_light(square)));
    let first = colors.next().flatten();
    let is_dead = now.has_insufficient_material() || first.is_some() && colors.all(|color| color == first);
    (is_dead || is_bare(Color::White), is_dead || is_bare(Color::Black))
}
