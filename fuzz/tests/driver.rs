//! The driver's command line: inputs that once failed are replayed, and misuse is exit status 2.

use std::path::Path;

use assert_cmd::Command;

fn fuzz_stable() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fuzz-stable"))
}

#[test]
fn replays_every_regression() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut replayed = 0;
    for target in folder.read_dir().unwrap() {
        let target = target.unwrap();
        for file in target.path().read_dir().unwrap() {
            let arguments = [target.file_name(), "--replay".into(), file.unwrap().path().into()];
            fuzz_stable().args(arguments).assert().success();
            replayed += 1;
        }
    }
    assert!(replayed >= 4, "{replayed}");
}

#[test]
fn misuse_is_exit_status_2() {
    fuzz_stable().arg("nothing").assert().code(2);
    fuzz_stable()
        .args(["xbetza", "--replay", "/nonexistent"])
        .assert()
        .code(2);
}
