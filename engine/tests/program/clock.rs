//! A game of 200 plies must not cost a side more time than its clock has.
use std::time::Duration;

use super::driver::Engine;

/// Plays a game with both sides' clocks at `base` and `increment`, in milliseconds.
fn play(game: &str, base: u64, increment: u64) {
    let mut engine = Engine::start();
    engine.send(&format!("setoption name UCI_Variant value {game}\nisready"));
    engine.wait_for_line("readyok");
    let increment = Duration::from_millis(increment);
    let mut clocks = [Duration::from_millis(base); 2];
    let mut moves = String::new();
    for ply in 0..200 {
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let inc = increment.as_millis();
        let before = engine.cpu_time().unwrap();
        engine.send(&format!("position startpos moves{moves}"));
        engine.send(&format!("go wtime {white} btime {black} winc {inc} binc {inc}"));
        let answer = engine.wait_for_line("bestmove");
        let spent = engine.cpu_time().unwrap().saturating_sub(before);
        let clock = &mut clocks[ply % 2];
        *clock = clock
            .checked_sub(spent)
            .unwrap_or_else(|| panic!("{game} {base}+{inc}: ply {ply}: {spent:?} spent, {clock:?} left"));
        *clock += increment;
        match answer.split_whitespace().nth(1) {
            Some("(none)") | None => break,
            Some(mv) => moves += &format!(" {mv}"),
        }
    }
    engine.send("quit");
    assert!(engine.wait().success());
}

#[test]
fn very_short_clocks_are_kept() {
    play("chess", 1000, 10);
    play("apothecary2", 1000, 10);
    play("gamma2", 100, 5);
}
