use std::io::Cursor;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

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
    run(Cursor::new(script.to_owned()), screen.clone()).unwrap();
    let bytes = screen.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// The lines of a text that begin so.
fn beginning<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn it_introduces_itself() {
    let text = talk("xboard\nprotover 2\naccepted ping\nrejected san\nping 7\n");
    assert!(text.starts_with("feature done=0\n"), "{text}");
    assert!(
        text.contains("feature variants=\"normal,berolina,gamma2,apothecary2\"\n"),
        "{text}"
    );
    assert!(text.contains("feature option=\"MultiPV -spin 1 1 256\"\n"), "{text}");
    assert!(text.ends_with("feature done=1\npong 7\n"), "{text}");
}

#[test]
fn it_plays_every_game() {
    for name in assay_rules::def::BUILTIN_NAMES {
        let name = if name == "chess" { "normal" } else { name };
        let text = talk(&format!("xboard\nnew\nvariant {name}\nsd 3\npost\ngo\nping 1\n"));
        assert_eq!(
            beginning(&text, "setup ").len(),
            usize::from(name != "normal"),
            "{text}"
        );
        assert!(
            text.lines().any(|line| line.starts_with("3 ") && line.contains('\t')),
            "{text}"
        );
        assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
        // The ping was asked when it was the engine's move.
        assert!(text.ends_with("\npong 1\n"), "{text}");
    }
}

#[test]
fn it_answers_a_move_with_a_move() {
    let text = talk("xboard\nprotover 2\nnew\nsd 2\nusermove e2e4\n");
    assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
    assert!(beginning(&text, "Illegal").is_empty(), "{text}");
    // Nothing is said of thinking unless it is asked for.
    assert!(!text.contains('\t'), "{text}");
}

#[test]
fn illegal_moves_are_refused_with_a_reason() {
    let text = talk("xboard\nnew\nforce\nusermove e2e5\nusermove e7e5\nusermove e4\nhello\nusermove e2\nsd 0\nundo\n");
    assert_eq!(
        beginning(&text, "Illegal move"),
        [
            "Illegal move (legal moves of the piece on e2: e2e3 e2e4): e2e5",
            "Illegal move (the piece on e7 belongs to Black, and White is to move): e7e5",
            "Illegal move (not of the form e2e4): e2",
        ],
        "{text}"
    );
    assert!(text.contains("Error (unknown command): hello\n"), "{text}");
    assert!(text.contains("Error (wrong parameters): sd 0\n"), "{text}");
    // The move in words was legal, so there was one to be taken back.
    assert!(!text.contains("command not legal now"), "{text}");
}

#[test]
fn results_are_claimed_by_the_rules() {
    let text = talk("xboard\nnew\nsetboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\nsd 4\ngo\n");
    assert!(text.ends_with("move a1a8\n1-0 {White mates}\n"), "{text}");
    // The move of the other side ends the game.
    let text = talk("xboard\nnew\nsetboard 7k/8/6K1/8/5Q2/8/8/8 w - - 0 1\nsd 4\nusermove f4f7\n");
    assert!(text.ends_with("1/2-1/2 {Stalemate}\n"), "{text}");
    let repeated = "xboard\nnew\nforce\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\nusermove g1f3\n\
        usermove g8f6\nusermove f3g1\nusermove f6g8\ngo\n";
    assert!(talk(repeated).ends_with("1/2-1/2 {Draw by repetition}\n"));
    // A lone camel stalemates; ranks are numbered from 1.
    let text = talk(
        "xboard\nnew\nvariant apothecary2\nforce\nsetboard ***4***/k9/10/1K8/10/2L7/10/10/10/10/10/***4***[:Kk] w - - 0 60\n\
         usermove c7c8\ngo\n",
    );
    assert!(
        text.ends_with("1/2-1/2 {Stalemate: White gets 0.75, Black 0.25}\n"),
        "{text}"
    );
}

#[test]
fn an_impossible_position_is_nobodys_to_play() {
    let text = talk("xboard\nnew\nsetboard 8/8/8/8/8/8/8/8 w - - 0 1\ngo\nusermove e2e4\nnew\nsd 1\nusermove e2e4\n");
    assert_eq!(beginning(&text, "tellusererror Illegal position").len(), 1, "{text}");
    assert!(
        text.contains("Illegal move (the position on the board is illegal): e2e4\n"),
        "{text}"
    );
    assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
}

#[test]
fn analysis_goes_on_until_it_is_left() {
    let text = talk(
        "xboard\nnew\npost\nforce\nanalyze\nusermove e2e4\nping 1\nundo\n.\nexit\nping 2\nusermove d2d4\nsd 1\ngo\n",
    );
    assert!(text.contains("pong 1\n") && text.contains("pong 2\n"), "{text}");
    assert!(beginning(&text, "Illegal").is_empty(), "{text}");
    assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
}

#[test]
fn moves_are_taken_back() {
    let text = talk(
        "xboard\nnew\nforce\nusermove e2e4\nusermove e7e5\nremove\nusermove d2d4\nundo\nusermove c2c4\nundo\nundo\n",
    );
    assert!(beginning(&text, "Illegal").is_empty(), "{text}");
    assert_eq!(
        beginning(&text, "Error"),
        ["Error (command not legal now): undo"],
        "{text}"
    );
}

#[test]
fn a_lifted_piece_is_shown_its_squares() {
    let text = talk("xboard\nnew\nvariant berolina\nforce\nlift e2\nput g4\nusermove e2g4\nlift f7\n");
    assert!(text.contains("highlight 8/8/8/8/2Y3Y1/3Y1Y2/8/8\n"), "{text}");
    assert!(!text.contains("choice"), "{text}");
}

#[test]
fn options_memory_and_cores_are_set() {
    let text = talk(
        "xboard\nmemory 40\ncores 2\noption MultiPV=2\noption Clear Hash\noption MultiPV=0\nnew\nsd 3\npost\nusermove e2e4\n",
    );
    assert_eq!(
        beginning(&text, "tellusererror"),
        ["tellusererror option MultiPV: found `0`, expected 1 to 256"],
        "{text}"
    );
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("3 ") && line.contains('\t'))
            .count(),
        2,
        "{text}"
    );
    assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
}

#[test]
fn a_move_is_made_at_once_when_asked() {
    let text = talk("xboard\nnew\nst 600\nusermove e2e4\n?\n");
    assert_eq!(beginning(&text, "move ").len(), 1, "{text}");
    // Leaving the game forgets the search.
    let text = talk("xboard\nnew\nst 600\nusermove e2e4\nforce\nping 3\n");
    assert!(
        text.ends_with("pong 3\n") && beginning(&text, "move ").is_empty(),
        "{text}"
    );
}

/// Words that lines are made of.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "new",
            "variant",
            "gamma2",
            "berolina",
            "apothecary2",
            "normal",
            "force",
            "playother",
            "level",
            "40",
            "5",
            "0:30",
            "0",
            "-1",
            "sd",
            "1",
            "time",
            "otim",
            "usermove",
            "e2e4",
            "e2d3",
            "e7e5",
            "e7e8q",
            "a1",
            "?",
            "ping",
            "result",
            "setboard",
            "8/8/8/8/8/8/8/8",
            "w",
            "-",
            "undo",
            "remove",
            "hard",
            "easy",
            "post",
            "analyze",
            "exit",
            ".",
            "hint",
            "bk",
            "memory",
            "cores",
            "option",
            "MultiPV=3",
            "lift",
            "put",
            "e1",
            "draw",
            "99999999999999999999",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "KQkq",
            "edit",
            "protover",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_line_makes_it_fail(lines in prop::collection::vec(prop::collection::vec(word(), 0..5), 0..25)) {
        // Searches end soon, whatever is said of time, and a word that ends the talk would hide what comes after it.
        let script: String = lines.iter().map(|words| words.join(" ") + "\nsd 1\n").collect();
        let script = format!("xboard\n{}ping last\n", script.replace("quit", "").replace("cores", "core"));
        let text = talk(&script);
        prop_assert!(text.contains("pong last\n"), "{}\n{}", script, text);
    }
}
