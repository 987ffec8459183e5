//! Solved endgames: known results, and a check against the reference rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_engine::endgame::{EndgameError, EndgameProgress, SolvedEndgame, check, solve};
use assay_rules::position::Setup;
use assay_rules::{Color, GameDef, Kind, Piece, Position, Square, Turn};

fn game(name: &str) -> Arc<GameDef> {
    GameDef::builtin(name).unwrap()
}

fn kinds(game: &GameDef, letters: &str) -> Vec<Kind> {
    letters.chars().map(|letter| game.kinds.by_letter(letter).unwrap()).collect()
}

fn solved(game: &Arc<GameDef>, letters: &str) -> SolvedEndgame {
    solve(game, &kinds(game, letters), &AtomicBool::new(false), &mut |_| {}).unwrap()
}

/// All legal positions of an endgame by the reference rules. Pieces of one kind are on ascending
/// squares.
fn positions(game: &Arc<GameDef>, letters: &str, side: Color) -> Vec<Position> {
    let squares: Vec<Square> = game.board.squares().collect();
    let mut pieces = vec![(Color::Black, game.kinds.king().unwrap()), (Color::White, game.kinds.king().unwrap())];
    pieces.extend(kinds(game, letters).into_iter().map(|kind| (Color::White, kind)));
    let mut boards = vec![Vec::<Square>::new()];
    for at in 0..pieces.len() {
        let is_new = |board: &[Square], square: Square| {
            let is_ordered = at < 3 || pieces[at] != pieces[at - 1] || board[at - 1] < square;
            is_ordered && !board.contains(&square)
        };
        let longer = |board: Vec<Square>| {
            let fitting = squares.iter().copied().filter(|&square| is_new(&board, square));
            fitting.map(|square| [&board[..], &[square]].concat()).collect::<Vec<_>>()
        };
        boards = boards.into_iter().flat_map(longer).collect();
    }
    let position = |board: &Vec<Square>| {
        let mut setup = Setup { turn: Turn::Single(side), ..Setup::empty(&game.board) };
        for (square, &(color, kind)) in board.iter().zip(&pieces) {
            setup.pieces[square.index()] = Some(Piece { color, kind });
        }
        Some(Position::from_setup(game, &setup).ok()?.0)
    };
    boards.iter().filter_map(position).collect()
}

#[test]
fn queen_and_rook_win_in_chess() {
    let chess = game("chess");
    for (letters, longest) in [("R", 16), ("Q", 10)] {
        let solved = solved(&chess, letters);
        // With the move, the attacker wins from every legal position: an attacked piece can move
        // away.
        let attacker = solved.attacker_to_move();
        assert_eq!(attacker.legal as usize, positions(&chess, letters, Color::White).len(), "{letters}");
        assert_eq!((attacker.longest(), attacker.won()), (Some(longest), attacker.legal), "{letters}");
        let example = Position::from_fen(&chess, solved.longest_mate().unwrap()).unwrap();
        assert_eq!(solved.plies_to_mate(&example), Some(2 * longest as u8 - 1), "{letters}");
        // With the bare king to move, it escapes only by stalemate, or by capturing the piece.
        let escapes = |position: &Position| {
            let moves = position.legal_moves();
            let is_stalemate = moves.is_empty() && !position.in_check();
            is_stalemate || moves.iter().any(|mv| position.piece_at(mv.to()).is_some())
        };
        let mut lost = 0;
        for position in positions(&chess, letters, Color::Black) {
            let plies = solved.plies_to_mate(&position);
            assert_eq!(plies.is_none(), escapes(&position), "{}", position.fen());
            lost += u64::from(plies.is_some());
        }
        assert_eq!(solved.defender_to_move().won(), lost, "{letters}");
    }
}

/// The data set "Chess (King-Rook vs. King)" of the UCI Machine Learning Repository (Bain and van
/// Hoff 1994): positions with Black to move, one of each class of symmetric positions, by the
/// number of moves to mate.
#[test]
fn rook_endgame_has_the_published_distances() {
    const PUBLISHED: [usize; 17] =
        [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    const PUBLISHED_DRAWS: usize = 2796;
    let chess = game("chess");
    let solved = solved(&chess, "R");
    let (mut mates, mut draws) = ([0; 17], 0);
    for position in positions(&chess, "R", Color::Black) {
        if !is_first_of_its_class(&position) {
            continue;
        }
        match solved.plies_to_mate(&position) {
            Some(plies) => mates[usize::from(plies) / 2] += 1,
            None => draws += 1,
        }
    }
    assert_eq!((mates, draws), (PUBLISHED, PUBLISHED_DRAWS));
}

/// Returns true for one of the positions that the eight symmetries of a chess board turn into each
/// other.
fn is_first_of_its_class(position: &Position) -> bool {
    let board = &position.game().board;
    let rook = position.pieces().find(|(_, piece)| Some(piece.kind) != position.game().kinds.king()).unwrap().0;
    let squares = [position.king(Color::White).unwrap(), position.king(Color::Black).unwrap(), rook];
    let turned = |symmetry: u8| {
        squares.map(|square| {
            let (mut file, mut rank) = (i16::from(board.file(square)), i16::from(board.rank(square)));
            if symmetry & 1 != 0 {
                file = 7 - file;
            }
            if symmetry & 2 != 0 {
                rank = 7 - rank;
            }
            if symmetry & 4 != 0 {
                (file, rank) = (rank, file);
            }
            board.square_at(file, rank).unwrap()
        })
    };
    (1..8).all(|symmetry| squares <= turned(symmetry))
}

/// Chess on a board of four by four squares, with other movements of two pieces.
fn small(queen: &str, knight: &str) -> Arc<GameDef> {
    let text = format!(
        "name = \"small\"\ntitle = \"Small\"\nbase = \"chess\"\nsource = \"a test\"\n[board]\nfiles = 4\nranks = 4\n\
         [pieces.king]\nmove = \"K\"\n[pieces.queen]\nmove = \"{queen}\"\n[pieces.knight]\nmove = \"{knight}\"\n\
         [pieces.pawn]\nmove = \"fmWfcF\"\n[promotion]\n4 = {{ to = \"QRBN\" }}\n\
         [[starts]]\nid = \"1\"\ntitle = \"start\"\nfen = \"rnkb/pppp/PPPP/RNKB w - - 0 1\"\n"
    );
    Arc::new(GameDef::from_toml(&text, "small.toml").unwrap())
}

/// Every distance follows from the distances after each legal move of the reference rules. Finite
/// distances decrease along the best moves, so they are right if all of them are consistent; and
/// without a finite one, the bare king can go on forever.
#[test]
fn distances_are_consistent_with_the_reference_rules() {
    // The knight moves forward only, so that a color cannot stand for the other; queen and rook
    // leave an endgame when one is captured.
    for (game, letters) in [(small("Q", "fNbmR"), "RQ"), (small("Q", "fNbmR"), "NN"), (small("mRcpR", "N"), "QB")] {
        let whole = solved(&game, letters);
        let parts: Vec<SolvedEndgame> = letters.chars().map(|letter| solved(&game, &letter.to_string())).collect();
        let after = |position: &Position| {
            let tables = std::iter::once(&whole).chain(&parts);
            tables.into_iter().find_map(|table| table.plies_to_mate(position))
        };
        let mut finite = 0;
        for side in Color::ALL {
            for position in positions(&game, letters, side) {
                let next: Vec<Option<u8>> =
                    position.legal_moves().into_iter().map(|mv| after(&position.play(mv))).collect();
                let expected = match side {
                    Color::White => next.iter().flatten().min().map(|plies| plies + 1),
                    Color::Black if next.is_empty() => position.in_check().then_some(0),
                    Color::Black if next.contains(&None) => None,
                    Color::Black => next.iter().flatten().max().map(|plies| plies + 1),
                };
                let found = whole.plies_to_mate(&position);
                assert_eq!(found, expected, "{letters}: {}", position.fen());
                finite += u32::from(found.is_some());
            }
        }
        assert!(finite > 0, "{letters}: no position is decided");
    }
}

#[test]
fn single_minor_pieces_do_not_win() {
    let berolina = game("berolina");
    for letters in ["B", "N"] {
        let solved = solved(&berolina, letters);
        assert_eq!(solved.attacker_to_move().won(), 0, "{letters}");
        assert_eq!(solved.defender_to_move().won(), 0, "{letters}");
        assert_eq!(solved.longest_mate(), None);
    }
}

#[test]
fn impossible_endgames_are_refused() {
    let apothecary = game("apothecary2");
    let error = |letters: &str| {
        let kinds = kinds(&apothecary, letters);
        solve(&apothecary, &kinds, &AtomicBool::new(false), &mut |_| {}).unwrap_err().to_string()
    };
    assert_eq!(error(""), "found 0 pieces, expected 1 to 4 besides the king");
    assert_eq!(error("NNNNN"), "found 5 pieces, expected 1 to 4 besides the king");
    assert_eq!(error("J"), "found `joker`, expected pieces other than king, joker, pawn");
    assert_eq!(
        error("NNN"),
        "found 14693280768 arrangements of the pieces, expected at most 268435456: use fewer pieces"
    );
}

#[test]
fn stop_flag_ends_the_analysis() {
    let chess = game("chess");
    let stop = AtomicBool::new(false);
    let mut moves_seen = 0;
    let mut report = |progress: EndgameProgress| {
        if let EndgameProgress::Mates { moves } = progress {
            moves_seen = moves;
            stop.store(moves == 3, Ordering::Relaxed);
        }
    };
    let found = solve(&chess, &kinds(&chess, "R"), &stop, &mut report);
    assert!(matches!(found, Err(EndgameError::Stopped)), "{found:?}");
    assert_eq!(moves_seen, 3);
}

#[test]
fn pawns_of_all_kinds_are_refused() {
    let wolf = game("wolf");
    for letter in ["P", "S"] {
        let found = check(&wolf, &kinds(&wolf, letter));
        assert!(matches!(found, Err(EndgameError::Piece { .. })), "{letter}: {found:?}");
    }
}
