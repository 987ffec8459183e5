//! The program where its output, its disk or its memory fails.

use assay_cli::testing::Program;

#[test]
fn outputs_disks_and_memory_that_fail() {
    let program = Program::new(env!("CARGO_BIN_EXE_assay-perft"), "");
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    std::fs::write(folder.join("old.xml"), "<?xml old").unwrap();
    std::fs::write(folder.join("suite.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n")
        .unwrap();
    program.check_lost_output(
        folder,
        &[
            "--help",
            "help run",
            "--version",
            "completions fish",
            "run chess --depth 3",
            "run chess --depth 3 --json",
            "run chess --divide --depth 2",
            "show chess",
            "walk chess --games 1",
        ],
    );
    program.check_full_disk(folder, &[("verify suite.epd --game chess --junit old.xml", "old.xml: File too large")]);
    #[cfg(target_os = "linux")]
    program.check_little_memory(
        folder,
        &[("run chess --depth 4", 0), ("run chess --divide --depth 9 --hash 1024", 2), ("walk chess --games 1", 0)],
    );
}
