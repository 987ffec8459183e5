use std::sync::Mutex;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the output of a script whose tasks are finished.
fn run_script(script: &str) -> String {
    let buffer = SharedBuffer::default();
    let mut uci = UciEngine::new(UciOutput::new(Output::new(buffer.clone()), None));
    uci.execute_lines(script.lines().map(|line| Ok(line.to_owned()))).unwrap();
    uci.session.finish();
    buffer.text()
}

#[test]
fn uci_lists_name_and_options() {
    let text = run_script("uci\nisready\nquit\n");
    assert!(text.starts_with(&format!("id name {ENGINE_NAME}\n")));
    assert!(text.contains("\noption name UCI_Variant type combo default chess var chess var berolina var gamma2"));
    assert!(text.ends_with("uciok\nreadyok\n"));
}

#[test]
fn searches_every_builtin_game() {
    for name in assay_rules::def::BUILTIN_NAMES {
        let text = run_script(&format!(
            "setoption name UCI_Variant value {name}\nucinewgame\nposition startpos\ngo depth 3\n"
        ));
        assert!(text.starts_with(&format!("info string variant {name} files ")), "{text}");
        assert!(text.contains("\ninfo depth 3 seldepth "), "{text}");
        assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    }
}

/// cutechess knows the game by this name.
#[test]
fn fischerandom_is_chess960_too() {
    let text = run_script(
        "setoption name UCI_Variant value chess960\n\
         position fen rnnbbkrq/pppppppp/8/8/8/8/PPPPPPPP/RNNBBKRQ w GAga - 0 1\ngo depth 2\n",
    );
    assert!(text.contains("\ninfo depth 2 seldepth "), "{text}");
}

#[test]
fn chess960_of_other_games_is_said_to_have_no_effect() {
    let ignored = |script: &str| run_script(script).matches("info string option UCI_Chess960: found true").count();
    let (set, variant) = ("setoption name UCI_Chess960 value true\n", "setoption name UCI_Variant value ");
    assert_eq!(ignored(&format!("{variant}atomic\n{set}isready\n")), 1);
    assert_eq!(ignored(&format!("{set}{variant}atomic\nisready\n")), 1);
    for game in ["chess", "capablanca", "fischerandom"] {
        assert_eq!(ignored(&format!("{variant}{game}\n{set}isready\n")), 0, "{game}");
    }
    assert_eq!(ignored(&format!("{variant}atomic\nsetoption name UCI_Chess960 value false\nisready\n")), 0);
}

#[test]
fn perft_prints_count_per_move() {
    let text = run_script("position startpos moves e2e4\ngo perft 2\n");
    assert_eq!(text.lines().filter(|line| line.len() > 6 && line.as_bytes()[4] == b':').count(), 20, "{text}");
    assert!(text.contains("\ne7e5: 29\n"));
    assert!(text.ends_with("\n\nNodes searched: 600\n\n"));
}

#[test]
fn d_and_eval_print_position() {
    let text = run_script("position startpos moves e2e4 f7f5 d1h5\nd\neval\n");
    assert!(text.contains("\nFen: rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\n"));
    assert!(text.contains("\nCheckers: h5\n"));
    assert!(text.contains("queen.mobility"));
    assert!(text.contains("\nEvaluation: "));
}

#[test]
fn invalid_commands_are_reported_and_ignored() {
    let text = run_script(
        "position startpos moves e2e4 e7e6 e4e6\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition fen 2\nhello\n\
         setoption name UCI_Variant value janggi\nsetoption name Hash value much\ngo depth deep\ngo perft\nposition startpos\nd\n",
    );
    let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("info string ")).collect();
    assert!(notes[0].starts_with("info string error: position: move 3: illegal move `e4e6`"), "{text}");
    assert!(notes.iter().any(|note| note.contains("impossible position")), "{text}");
    assert!(notes.iter().any(|note| note.contains("unknown start `2`, expected one of 1")), "{text}");
    assert!(notes.iter().any(|note| note.contains("found `hello`, expected a command")), "{text}");
    assert!(notes.iter().any(|note| note.contains("UCI_Variant: found `janggi`, expected one of chess,")), "{text}");
    assert!(
        notes.iter().any(|note| note.contains("option Hash: found `much`, expected a whole number from 1 to 33554432")),
        "{text}"
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("go depth: found `deep`, expected a whole number of at least 1; no search")),
        "{text}"
    );
    assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
    // Every `go` is answered, even one without a search.
    assert_eq!(text.matches("bestmove").count(), 1, "{text}");
    assert!(text.contains("bestmove 0000\n"), "{text}");
}

#[test]
fn no_search_without_a_valid_position() {
    let text = run_script(
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo depth 2\ngo perft 1\nd\neval\nposition startpos moves e2e4\ngo depth 1\n",
    );
    for command in ["go", "perft", "d", "eval"] {
        let error = format!(
            "info string error: {command}: found no position, expected a valid `position` first; the last one was \
             invalid: position: impossible position"
        );
        assert_eq!(text.matches(&error).count(), 1, "{text}");
    }
    let answers: Vec<&str> = text.lines().filter(|line| line.starts_with("bestmove ")).collect();
    assert!(answers.len() == 2 && answers[0] == "bestmove 0000" && answers[1] != answers[0], "{text}");
}

/// A `position` that cannot be read leaves none: the engine must not move in the one before.
#[test]
fn every_refused_position_is_explained_at_go() {
    for (line, why) in [
        ("position fen 8/8/8 w - - 0 1", "position: FEN column 6 (board): found 3 ranks, expected 8"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w KQ", "position: FEN has 3 fields, expected six"),
        ("position startpos moves e2e4 e2e4", "position: move 2: illegal move `e2e4`"),
        ("position startpos e2e4", "position: found `e2e4`, expected `moves` or nothing after `startpos`"),
        ("position", "position: found nothing, expected `startpos` or `fen`"),
        ("position fen", "position: found nothing after `fen`"),
    ] {
        let text = run_script(&format!("position startpos moves e2e4\n{line}\ngo depth 1\n"));
        let lines: Vec<&str> = text.lines().collect();
        let [error, go, "bestmove 0000"] = lines.as_slice() else {
            panic!("{line}: {text}");
        };
        assert!(error.starts_with(&format!("info string error: {why}")), "{text}");
        let start =
            "info string error: go: found no position, expected a valid `position` first; the last one was invalid: ";
        assert!(go.starts_with(&format!("{start}{why}")), "{text}");
    }
}

#[test]
fn searches_after_a_repetition_and_at_other_draws() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let repeated = shuffle.repeat(3);
    for position in [
        format!("startpos moves {repeated}"),
        "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 120 90".to_owned(),
        "fen 4k3/8/8/8/8/8/8/4K1N1 w - - 0 1".to_owned(),
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 e8e7".to_owned(),
    ] {
        let text = run_script(&format!("position {position}\ngo depth 3\n"));
        let best = text.lines().last().unwrap();
        assert!(
            best.starts_with("bestmove ") && best != "bestmove (none)" && best != "bestmove 0000",
            "{position}: {text}"
        );
    }
}

#[test]
fn promotion_letters_are_lower_case() {
    let run = |mv: &str| run_script(&format!("position fen 8/4P3/8/8/8/k7/8/4K3 w - - 0 1 moves {mv}\nd\n"));
    let text = run("e7e8n");
    assert!(text.contains("\nFen: 4N3/8/8/8/8/k7/8/4K3 b - - 0 1\n"), "{text}");
    let text = run("e7e8N");
    assert!(text.contains("malformed move `e7e8N`: expected "), "{text}");
}

#[test]
fn unknown_words_before_a_command_are_reported() {
    let text = run_script("joho isready\n");
    assert_eq!(text, "info string found `joho`, expected a command; skipped\nreadyok\n");
}

#[test]
fn quit_stops_counts_only_if_a_user_types_it() {
    for (script, is_interactive, last) in [
        ("go perft 4\nquit", false, "\nNodes searched: 197281\n\n"),
        ("go infinite\ngo perft 3\nquit", false, "\nNodes searched: 8902\n\n"),
        ("go perft 20\nquit", true, " nodes; no total\n"),
    ] {
        let buffer = SharedBuffer::default();
        run(script.lines().map(|line| Ok(line.to_owned())), buffer.clone(), is_interactive).unwrap();
        assert!(buffer.text().ends_with(last), "{script}: {}", buffer.text());
    }
}

#[test]
fn stopped_search_reports_its_final_node_count() {
    for nodes in [1, 20, 3000, 3001] {
        let text = run_script(&format!("setoption name MultiPV value 2\ngo nodes {nodes}\n"));
        let last = text.lines().rfind(|line| line.starts_with("info ") && line.contains(" multipv 1 "));
        assert!(last.is_some_and(|line| line.contains(&format!(" nodes {nodes} nps "))), "{text}");
    }
}

#[test]
fn echoed_input_is_printable() {
    let text = run_script("\u{1b}[2J\u{7}\nposition \u{9b}1m\n");
    assert!(text.contains("found `\\u{1b}[2J\\u{7}`, expected a command"), "{text}");
    assert!(text.contains("found `\\u{9b}1m`, expected `startpos`"), "{text}");
}

#[test]
fn accepts_start_names_with_handicaps() {
    let text =
        run_script("setoption name UCI_Variant value apothecary2\nposition fen 14+two-moves:white\nd\ngo nodes 200\n");
    assert!(text.contains(" ww ABCDEFGHIJWXYZ"), "{text}");
    assert!(text.contains("bestmove "));
}

#[test]
fn searches_stop_at_end_of_input() {
    for script in ["go infinite\nisready\nstop\ngo infinite", "go depth 99\nisready\ngo movetime 99999999999999999999"]
    {
        let buffer = SharedBuffer::default();
        run(script.lines().map(|line| Ok(line.to_owned())), buffer.clone(), false).unwrap();
        let text = buffer.text();
        assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
        assert!(text.contains("readyok"), "{text}");
    }
}

#[test]
fn searchmoves_restricts_root_moves() {
    let text = run_script("go depth 4 searchmoves a2a3\n");
    assert!(text.lines().last().unwrap().starts_with("bestmove a2a3"), "{text}");
    let text = run_script("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 4\n");
    assert!(text.ends_with("bestmove (none)\n"), "{text}");
}

#[test]
fn loads_game_from_variant_path() {
    let folder = std::env::temp_dir().join(format!("assay-uci-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("knightier.toml");
    let definition = "name = \"knightier\"\ntitle = \"Knights that also step\"\nbase = \"chess\"\nsource = \"a test\"\n\n[pieces.knight]\nmove = \"NW\"\n\n\
        [[starts]]\nid = \"1\"\ntitle = \"array\"\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"\n";
    std::fs::write(&path, definition).unwrap();
    let path = path.display();
    let text = run_script(&format!(
        "setoption name VariantPath value {path}\nuci\nsetoption name UCI_Variant value knightier\ngo depth 4\n"
    ));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("info string variant knightier loaded"), "{text}");
    assert!(text.contains(" var knightier"), "{text}");
    assert!(
        text.contains("info string variant knightier files 8 ranks 8 pocket 0 template fairy startpos rnbqkbnr"),
        "{text}"
    );
    assert!(text.contains("bestmove "), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.ini");
    std::fs::write(&path, "[walls:chess]\narrowGating = true\n[plain:chess]\ncastling = false\n").unwrap();
    let text = run_script(&format!(
        "setoption name VariantPath value {}\nsetoption name UCI_Variant value plain\ngo depth 2\n",
        path.display()
    ));
    assert!(text.contains("info string variant plain loaded"), "{text}");
    assert!(text.contains("arrowGating: found `true`"), "{text}");
    assert!(text.contains("bestmove "), "{text}");
    let text = run_script("setoption name VariantPath value /no/such/file.toml\n");
    assert!(text.starts_with("info string error: VariantPath: /no/such/file.toml: "), "{text}");
}

#[test]
fn searches_with_threads_and_multipv() {
    let text = run_script("setoption name Threads value 3\nsetoption name MultiPV value 2\nisready\ngo depth 5\n");
    assert!(text.contains("\ninfo depth 5 seldepth "), "{text}");
    for line in 1..=2 {
        assert!(text.contains(&format!(" multipv {line} score ")), "{text}");
    }
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
}

#[test]
fn show_wdl_adds_wdl_to_scores() {
    assert!(!run_script("go depth 2\n").contains(" wdl "));
    let text = run_script("setoption name UCI_ShowWDL value true\ngo depth 2\n");
    let last = text.lines().rfind(|line| line.contains(" score ")).unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    let at = words.iter().position(|&word| word == "wdl").unwrap();
    let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
    assert_eq!(sum, 1000, "{last}");
}

#[test]
fn ponder_search_ends_by_ponderhit_or_stop() {
    // The search reaches its depth long before `stop`.
    let text = run_script("go ponder depth 1\nisready\nstop\nisready\n");
    assert!(text.contains("readyok"), "{text}");
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
    let text = run_script("go ponder wtime 1000 btime 1000\nponderhit\n");
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
    assert!(text.lines().last().unwrap().contains(" ponder "), "{text}");
}

#[test]
fn unknown_go_parameters_are_ignored_with_message() {
    let text = run_script("debug on\nregister later\ngo quickly depth 1\n");
    assert!(text.starts_with("info string go: found `quickly`"), "{text}");
    assert!(text.contains("bestmove "), "{text}");
}

#[test]
fn eval_file_loads_weights() {
    let folder = std::env::temp_dir().join(format!("assay-eval-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("weights.toml");
    let chess = assay_rules::GameDef::builtin("chess").unwrap();
    std::fs::write(&path, crate::Weights::zero(&chess, "nothing at all").to_toml()).unwrap();
    let fen = "4k3/4p3/8/8/8/8/4P3/3QK3 w - - 0 1";
    let text = run_script(&format!(
        "position fen {fen}\neval\nsetoption name EvalFile value {}\neval\nsetoption name UCI_Variant value gamma2\neval\n\
         setoption name EvalFile value {}/none\n",
        path.display(),
        folder.display()
    ));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("info string weights of chess: nothing at all\n"), "{text}");
    let evaluations: Vec<&str> = text.lines().filter(|line| line.starts_with("Evaluation: ")).collect();
    let centipawns = |index: usize| evaluations[index].split(' ').nth(1).unwrap().parse::<f64>().unwrap();
    assert!(centipawns(0) > 300.0 && centipawns(1).abs() < 0.1, "{text}");
    // Another game is played with its default evaluation.
    assert!(
        text.contains("game: found `chess`, expected `gamma2`; gamma2 is played with its default evaluation\n"),
        "{text}"
    );
    assert!(text.contains("info string error: EvalFile: ") && text.contains("/none: "), "{text}");
}

#[test]
fn eval_file_loads_network() {
    let folder = std::env::temp_dir().join(format!("assay-network-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let chess = assay_rules::GameDef::builtin("chess").unwrap();
    let network = crate::nnue::tests::random_network(&chess, 32, 4).quantize(&chess);
    let bytes = network.to_bytes();
    let sound = write("sound", &bytes);
    let (torn, noise) = (write("torn", &bytes[..5000]), write("noise", &[0xff; 100]));
    let option = |value: &str| format!("setoption name EvalFile value {value}\n");
    let text = run_script(&format!(
        "{linear}eval\n{sound}eval\ngo depth 3\nsetoption name Threads value 2\ngo depth 3\n{torn}{noise}{linear}eval\n\
         {sound}setoption name UCI_Variant value gamma2\ngo depth 2\n{none}",
        linear = option("<linear>"),
        sound = option(&sound),
        torn = option(&torn),
        noise = option(&noise),
        none = option("<empty>"),
    ));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("info string network of chess: 32 hidden; random numbers, seed 4\n"), "{text}");
    assert!(text.contains("\nNetwork: 32 hidden; random numbers, seed 4\n"), "{text}");
    let evaluations: Vec<&str> = text.lines().filter(|line| line.starts_with("Evaluation: ")).collect();
    assert_eq!(evaluations.len(), 3, "{text}");
    assert!(evaluations[0] == evaluations[2] && evaluations[0] != evaluations[1], "{text}");
    assert!(
        text.contains("/torn: length: found 5000 bytes, expected ")
            && text.contains("; chess is played with its default evaluation\n"),
        "{text}"
    );
    assert!(
        text.contains("/noise: found neither text nor a network, expected a weights file (TOML) or a network file; "),
        "{text}"
    );
    assert!(
        text.contains("/sound: game: found `chess`, expected `gamma2`; gamma2 is played with its default evaluation\n"),
        "{text}"
    );
    assert_eq!(text.matches("\nbestmove ").count(), 3, "{text}");
}

/// Words of random commands.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "uci",
            "isready",
            "ucinewgame",
            "setoption",
            "name",
            "value",
            "Hash",
            "MultiPV",
            "UCI_Variant",
            "gamma2",
            "apothecary2",
            "Clear",
            "position",
            "startpos",
            "fen",
            "moves",
            "e2e4",
            "e2d3",
            "14",
            "14+pawn:e4",
            "go",
            "depth",
            "1",
            "0",
            "-1",
            "nodes",
            "mate",
            "searchmoves",
            "wtime",
            "movestogo",
            "stop",
            "ponderhit",
            "d",
            "eval",
            "debug",
            "register",
            "genfens",
            "seed",
            "99999999999999999999",
            "w",
            "-",
            "KQkq",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn survives_arbitrary_input(lines in prop::collection::vec(prop::collection::vec(word(), 0..6), 0..25)) {
        let script: String = lines.iter().map(|words| words.join(" ") + "\n").collect();
        // Every search is stopped; `quit` would end the session early.
        let script = format!("{}stop\nuci\n", script.replace("quit", "").replace('\n', "\nstop\n"));
        let text = run_script(&script);
        prop_assert!(text.contains("uciok\n"), "{}\n{}", script, text);
    }
}
