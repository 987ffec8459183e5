use std::io::{BufReader, Cursor};
use std::sync::{Arc, Mutex};

use super::*;

#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the engine answers to a script.
fn talk(script: &str) -> String {
    let screen = Screen::default();
    run(BufReader::new(Cursor::new(script.to_owned())), screen.clone()).unwrap();
    let bytes = screen.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn it_introduces_itself() {
    let text = talk("uci\nisready\nquit\n");
    assert!(text.starts_with(&format!("id name {NAME}\n")));
    assert!(text.contains("\noption name UCI_Variant type combo default chess var chess var berolina var gamma2"));
    assert!(text.ends_with("uciok\nreadyok\n"));
}

#[test]
fn it_plays_every_game() {
    for name in assay_rules::def::BUILTIN_NAMES {
        let text = talk(&format!(
            "setoption name UCI_Variant value {name}\nucinewgame\nposition startpos\ngo depth 3\n"
        ));
        assert!(
            text.starts_with(&format!("info string variant {name} files ")),
            "{text}"
        );
        assert!(text.contains("\ninfo depth 3 seldepth "), "{text}");
        assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    }
}

#[test]
fn perft_is_divided_by_moves() {
    let text = talk("position startpos moves e2e4\ngo perft 2\n");
    assert_eq!(
        text.lines()
            .filter(|line| line.len() > 6 && line.as_bytes()[4] == b':')
            .count(),
        20,
        "{text}"
    );
    assert!(text.contains("\ne7e5: 29\n"));
    assert!(text.ends_with("\n\nNodes searched: 600\n\n"));
}

#[test]
fn a_position_is_shown() {
    let text = talk("position startpos moves e2e4 f7f5 d1h5\nd\neval\n");
    assert!(text.contains("\nFen: rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\n"));
    assert!(text.contains("\nCheckers: h5\n"));
    assert!(text.contains("queen.mobility"));
    assert!(text.contains("\nEvaluation: "));
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let text = talk(
        "position startpos moves e2e4 e7e6 e4e6\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition fen 2\nhello\n\
         setoption name UCI_Variant value shogi\nsetoption name Hash value much\ngo depth deep\ngo perft\nd\n",
    );
    let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("info string ")).collect();
    assert!(
        notes[0].starts_with("info string position: move 3: move `e4e6` is not legal here"),
        "{text}"
    );
    assert!(notes.iter().any(|note| note.contains("impossible position")), "{text}");
    assert!(
        notes
            .iter()
            .any(|note| note.contains("found start `2`, expected one of 1")),
        "{text}"
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("found `hello`, expected a command")),
        "{text}"
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("UCI_Variant: found `shogi`, expected one of chess,")),
        "{text}"
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("option Hash: found `much`, expected 1 to 65536")),
        "{text}"
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("go depth: found `deep`, expected a whole number")),
        "{text}"
    );
    assert!(
        text.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{text}"
    );
    assert!(!text.contains("bestmove"));
}

#[test]
fn starts_have_names_and_handicaps() {
    let text = talk("setoption name UCI_Variant value apothecary2\nposition fen 14+two-moves:white\nd\ngo nodes 200\n");
    assert!(text.contains(" ww ABCDEFGHIJWXYZ"), "{text}");
    assert!(text.contains("bestmove "));
}

#[test]
fn an_endless_search_stops_at_the_end_of_the_input() {
    let text = talk("go infinite\nisready\nstop\ngo infinite\n");
    assert_eq!(text.matches("bestmove ").count(), 2);
    assert!(text.contains("readyok"));
}

#[test]
fn the_only_moves_searched_are_those_asked_for() {
    let text = talk("go depth 4 searchmoves a2a3\n");
    assert!(text.lines().last().unwrap().starts_with("bestmove a2a3"), "{text}");
    let text = talk("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 4\n");
    assert!(text.ends_with("bestmove (none)\n"), "{text}");
}

#[test]
fn a_user_game_is_loaded_and_played() {
    let folder = std::env::temp_dir().join(format!("assay-uci-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("knightier.toml");
    let definition = "name = \"knightier\"\ntitle = \"Knights that also step\"\nbase = \"chess\"\nsource = \"a test\"\n\n[men.knight]\nmove = \"NW\"\n\n\
        [[starts]]\nid = \"1\"\ntitle = \"array\"\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"\n";
    std::fs::write(&path, definition).unwrap();
    let path = path.display();
    let text = talk(&format!(
        "setoption name VariantPath value {path}\nuci\nsetoption name UCI_Variant value knightier\ngo depth 4\n"
    ));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("info string variant knightier loaded"), "{text}");
    assert!(text.contains("var apothecary2 var knightier"), "{text}");
    assert!(
        text.contains("info string variant knightier files 8 ranks 8 pocket 0 template fairy startpos rnbqkbnr"),
        "{text}"
    );
    assert!(text.contains("bestmove "), "{text}");
    let text = talk("setoption name VariantPath value /no/such/file.toml\n");
    assert!(
        text.starts_with("info string VariantPath: /no/such/file.toml: "),
        "{text}"
    );
}
