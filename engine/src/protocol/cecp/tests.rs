use std::sync::{Condvar, Mutex};
use std::time::Duration;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Default)]
struct SharedBuffer(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl SharedBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().unwrap().clone()).unwrap()
    }

    fn wait_for_line(&self, line: &str) {
        let (bytes, written) = &*self.0;
        let is_missing = |bytes: &mut Vec<u8>| !String::from_utf8_lossy(bytes).lines().any(|found| found == line);
        let waited = written.wait_timeout_while(bytes.lock().unwrap(), Duration::from_mins(2), is_missing);
        assert!(!waited.unwrap().1.timed_out(), "{}", self.text());
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the output of a script. The input ends when the engine has moved.
fn run_script(script: &str) -> String {
    let buffer = SharedBuffer::default();
    let lines: Vec<String> = script.lines().chain(["ping end"]).map(str::to_owned).collect();
    let output = buffer.clone();
    let end = std::iter::from_fn(move || {
        output.wait_for_line("pong end");
        None
    });
    run(lines.into_iter().map(Ok).chain(end), buffer.clone()).unwrap();
    let text = buffer.text();
    text.strip_suffix("pong end\n").unwrap_or(&text).to_owned()
}

fn lines_with_prefix<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn pings_are_answered_before_the_end() {
    for (commands, end) in [
        ("", ""),
        ("new\nforce\nusermove e2e4\nsetboard 8/8/8/8/8/8/8/K1k5 w - - 0 1", ""),
        ("new\nst 600\ngo", ""),
        ("analyze", ""),
        ("new\nst 600\ngo\nusermove e2e4", "quit"),
    ] {
        // With and without a worker thread when the first ping is read.
        for start in ["xboard", "xboard\nanalyze\nexit"] {
            let script = format!("{start}\nping 1\nping 2\n{commands}\nping 3\nping 4\n{end}");
            let buffer = SharedBuffer::default();
            let lines: Vec<String> = script.lines().map(str::to_owned).collect();
            run(lines.into_iter().map(Ok), buffer.clone()).unwrap();
            let pongs = lines_with_prefix(&buffer.text(), "pong ").join(", ");
            assert_eq!(pongs, "pong 1, pong 2, pong 3, pong 4", "{script}");
        }
    }
}

#[test]
fn san_of_ten_ranks_counts_them_from_zero() {
    // Double steps, from ranks 2 and 7 as XBoard counts.
    let text = run_script("xboard\nprotover 2\nvariant grand\nforce\nusermove e4\nusermove f5\nusermove exf5\n");
    assert_eq!(lines_with_prefix(&text, "Illegal move"), [""; 0], "{text}");
}

#[test]
fn protover_lists_features() {
    let text = run_script("xboard\nprotover 2\naccepted ping\nrejected san\nping 7\n");
    assert!(text.starts_with("feature done=0\n"), "{text}");
    assert!(text.contains("feature variants=\"normal,berolina,gamma2,apothecary2,ai-wok,almost,"), "{text}");
    assert!(text.contains("feature option=\"MultiPV -spin 1 1 256\"\n"), "{text}");
    assert!(text.ends_with("feature done=1\npong 7\n"), "{text}");
}

#[test]
fn plays_every_builtin_game() {
    for name in assay_rules::def::BUILTIN_NAMES {
        let name = if name == "chess" { "normal" } else { name };
        let text = run_script(&format!("xboard\nnew\nvariant {name}\nsd 3\npost\ngo\nping 1\n"));
        assert_eq!(lines_with_prefix(&text, "setup ").len(), usize::from(name != "normal"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("3 ") && line.contains('\t')), "{text}");
        assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
        // The ping arrives during the search.
        assert!(text.ends_with("\npong 1\n"), "{text}");
    }
}

#[test]
fn replies_to_a_move_with_a_move() {
    let text = run_script("xboard\nprotover 2\nnew\nsd 2\nusermove e2e4\n");
    assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
    assert!(lines_with_prefix(&text, "Illegal").is_empty(), "{text}");
    // No thinking output without `post`.
    assert!(!text.contains('\t'), "{text}");
}

#[test]
fn rejects_illegal_moves_with_reason() {
    let text =
        run_script("xboard\nnew\nforce\nusermove e2e5\nusermove e7e5\nusermove e4\nhello\nusermove e2\nsd 0\nundo\n");
    assert_eq!(
        lines_with_prefix(&text, "Illegal move"),
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
fn claims_results() {
    let text = run_script("xboard\nnew\nsetboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\nsd 4\ngo\n");
    assert!(text.ends_with("move a1a8\n1-0 {White mates}\n"), "{text}");
    // The opponent's move ends the game.
    let text = run_script("xboard\nnew\nsetboard 7k/8/6K1/8/5Q2/8/8/8 w - - 0 1\nsd 4\nusermove f4f7\n");
    assert!(text.ends_with("1/2-1/2 {Stalemate}\n"), "{text}");
    let repeated = "xboard\nnew\nforce\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\nusermove g1f3\n\
        usermove g8f6\nusermove f3g1\nusermove f6g8\ngo\n";
    assert!(run_script(repeated).ends_with("1/2-1/2 {Draw by repetition}\n"));
    // A lone camel stalemates; ranks are numbered from 1.
    let text = run_script(
        "xboard\nnew\nvariant apothecary2\nforce\nsetboard ***4***/k9/10/1K8/10/2L7/10/10/10/10/10/***4***[:Kk] w - - 0 60\n\
         usermove c7c8\ngo\n",
    );
    assert!(text.ends_with("1/2-1/2 {Stalemate: White gets 0.75, Black 0.25}\n"), "{text}");
}

#[test]
fn does_not_play_from_illegal_position() {
    let text =
        run_script("xboard\nnew\nsetboard 8/8/8/8/8/8/8/8 w - - 0 1\ngo\nusermove e2e4\nnew\nsd 1\nusermove e2e4\n");
    assert_eq!(lines_with_prefix(&text, "tellusererror Illegal position").len(), 1, "{text}");
    assert!(text.contains("Illegal move (the current position is illegal): e2e4\n"), "{text}");
    assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
}

#[test]
fn analyzes_until_exit() {
    let text = run_script(
        "xboard\nnew\npost\nforce\nanalyze\nusermove e2e4\nping 1\nundo\n.\nexit\nping 2\nusermove d2d4\nsd 1\ngo\n",
    );
    assert!(text.contains("pong 1\n") && text.contains("pong 2\n"), "{text}");
    assert!(lines_with_prefix(&text, "Illegal").is_empty(), "{text}");
    assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
}

/// The user may look at moves behind a draw. In a game, it is over.
#[test]
fn moves_after_a_draw_are_analyzed() {
    let shuffle = "usermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\n".repeat(2);
    for (board, draw, next) in [
        ("", shuffle.as_str(), "e2e4"),
        ("setboard 4k3/8/8/8/8/8/3R4/4K3 w - - 99 90\n", "usermove e1d1\n", "e8e7"),
        ("setboard 4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\n", "usermove e1e2\n", "e8d8"),
    ] {
        let text = run_script(&format!("xboard\nnew\nforce\n{board}{draw}analyze\nusermove {next}\nping 1\n"));
        assert!(lines_with_prefix(&text, "Illegal").is_empty(), "{text}");
        let text = run_script(&format!("xboard\nnew\nforce\n{board}{draw}playother\nusermove {next}\nping 1\n"));
        let refused = format!("Illegal move (the game is over): {next}");
        assert_eq!(lines_with_prefix(&text, "Illegal"), [refused.as_str()], "{text}");
    }
}

#[test]
fn undo_and_remove_take_back_moves() {
    let text = run_script(
        "xboard\nnew\nforce\nusermove e2e4\nusermove e7e5\nremove\nusermove d2d4\nundo\nusermove c2c4\nundo\nundo\n",
    );
    assert!(lines_with_prefix(&text, "Illegal").is_empty(), "{text}");
    assert_eq!(lines_with_prefix(&text, "Error"), ["Error (command not legal now): undo"], "{text}");
}

#[test]
fn lift_highlights_targets() {
    let text = run_script("xboard\nnew\nvariant berolina\nforce\nlift e2\nput g4\nusermove e2g4\nlift f7\n");
    assert!(text.contains("highlight 8/8/8/8/2Y3Y1/3Y1Y2/8/8\n"), "{text}");
    assert!(!text.contains("choice"), "{text}");
}

#[test]
fn sets_options_memory_and_cores() {
    let text = run_script(
        "xboard\nmemory 40\ncores 2\noption MultiPV=2\noption Clear Hash\noption MultiPV=0\nnew\nsd 3\npost\nusermove e2e4\n",
    );
    assert_eq!(
        lines_with_prefix(&text, "tellusererror"),
        ["tellusererror option MultiPV: found `0`, expected a whole number from 1 to 256"],
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.starts_with("3 ") && line.contains('\t')).count(), 2, "{text}");
    assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
}

#[test]
fn question_mark_makes_engine_move_now() {
    let text = run_script("xboard\nnew\nst 600\nusermove e2e4\n?\n");
    assert_eq!(lines_with_prefix(&text, "move ").len(), 1, "{text}");
    // `force` discards the search.
    let text = run_script("xboard\nnew\nst 600\nusermove e2e4\nforce\nping 3\n");
    assert!(text.ends_with("pong 3\n") && lines_with_prefix(&text, "move ").is_empty(), "{text}");
}

/// Words of random commands.
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
    fn survives_arbitrary_input(lines in prop::collection::vec(prop::collection::vec(word(), 0..5), 0..25)) {
        // `sd 1` keeps searches short; `quit` would end the session early.
        let script: String = lines.iter().map(|words| words.join(" ") + "\nsd 1\n").collect();
        let script = format!("xboard\n{}ping last\n", script.replace("quit", "").replace("cores", "core"));
        let text = run_script(&script);
        prop_assert!(text.contains("pong last\n"), "{}\n{}", script, text);
    }
}
