//! The engine wins against a bare king what can be won: with each piece that mates alone, and each
//! pair of those that do not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assay_engine::endgame::{SolvedEndgame, check, solve};
use assay_engine::{CompiledRuleset, Limits, Position as EnginePosition, Searcher, Tables, Visitor, dispatch};
use assay_rules::position::Setup;
use assay_rules::{Color, Game, GameDef, Kind, Piece, Points, Position, Square};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// An endgame is won in general if this share of its positions with the attacker to move is.
const WON: f64 = 0.6;

fn solved(game: &Arc<GameDef>, pieces: &[Kind]) -> Option<SolvedEndgame> {
    check(game, pieces).ok()?;
    let solved = solve(game, pieces, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let tally = solved.attacker_to_move();
    (tally.won() as f64 >= WON * tally.legal as f64).then_some(solved)
}

/// Calls a function with each endgame of a game that is won in general: first those with one piece,
/// then with two of the others.
fn for_each_won_endgame(game: &Arc<GameDef>, mut visit: impl FnMut(&[Kind], &SolvedEndgame)) {
    let mut weak = Vec::new();
    for kind in game.kinds.all().filter(|&kind| check(game, &[kind]).is_ok()) {
        match solved(game, &[kind]) {
            Some(solved) => visit(&[kind], &solved),
            None => weak.push(kind),
        }
    }
    for (at, &first) in weak.iter().enumerate() {
        for &second in &weak[at..] {
            if let Some(solved) = solved(game, &[first, second]) {
                visit(&[first, second], &solved);
            }
        }
    }
}

/// A random position with White to move, who can force mate.
fn random_position(
    game: &Arc<GameDef>,
    pieces: &[Kind],
    solved: &SolvedEndgame,
    random: &mut Xoshiro256PlusPlus,
) -> Position {
    let squares: Vec<Square> = game.board.squares().collect();
    loop {
        let mut setup = Setup::empty(&game.board);
        let king = game.kinds.king().unwrap();
        let kings = [(Color::White, king), (Color::Black, king)];
        let placed = kings.into_iter().chain(pieces.iter().map(|&kind| (Color::White, kind)));
        for (color, kind) in placed {
            let square = squares[random.next_u32() as usize % squares.len()];
            setup.pieces[square.index()] = Some(Piece { color, kind });
        }
        if let Ok((position, _)) = Position::from_setup(game, &setup)
            && position.pieces().count() == pieces.len() + 2
            && solved.plies_to_mate(&position).is_some()
        {
            return position;
        }
    }
}

/// Plays a position to its end, both sides with `nodes` per move.
struct Play {
    position: Position,
    nodes: u64,
}

impl Visitor for Play {
    type Output = Points;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Points {
        let mut searcher = Searcher::new(&tables, 4).unwrap();
        let mut position = EnginePosition::new(&tables, &self.position);
        let mut game = Game::new(self.position);
        loop {
            if let Some(outcome) = game.outcome() {
                return outcome.white;
            }
            let limits = Limits::nodes(self.nodes);
            let found = searcher.search(&position, &limits, &AtomicBool::new(false), &mut |_| {});
            let mv = found.best_move.unwrap();
            game.play(position.to_rules_move(mv));
            position.make(mv);
        }
    }
}

/// Plays random positions of an endgame; returns how many White wins.
fn wins(game: &Arc<GameDef>, pieces: &[Kind], solved: &SolvedEndgame, positions: u64, nodes: u64) -> u64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut won = 0;
    for _ in 0..positions {
        let position = random_position(game, pieces, solved, &mut random);
        let fen = position.fen();
        let points = dispatch(game, Play { position, nodes });
        won += u64::from(points == Points::WIN);
        if points != Points::WIN {
            println!("{}: not won: {fen}", game.name);
        }
    }
    won
}

fn names(game: &GameDef, pieces: &[Kind]) -> String {
    let names: Vec<&str> = pieces.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
    names.join(" and ")
}

#[test]
fn bishop_and_knight_win_in_chess() {
    let game = GameDef::builtin("chess").unwrap();
    let pieces: Vec<Kind> = "BN".chars().map(|letter| game.kinds.by_letter(letter).unwrap()).collect();
    let solved = solved(&game, &pieces).unwrap();
    assert_eq!(wins(&game, &pieces, &solved, 2, 20_000), 2);
}

fn all_won_endgames_are_won(name: &str) {
    const POSITIONS: u64 = 100;
    let mut missed = 0;
    let game = GameDef::builtin(name).unwrap();
    for_each_won_endgame(&game, |pieces, solved| {
        let won = wins(&game, pieces, solved, POSITIONS, 20_000);
        let longest = solved.attacker_to_move().longest().unwrap();
        println!("{name}: {}: {won} of {POSITIONS} won; longest mate {longest} moves", names(&game, pieces));
        missed += POSITIONS - won;
    });
    assert_eq!(missed, 0);
}

macro_rules! endgames_of_each_game {
    ($($name:ident $ruleset:ident,)+) => {
        /// All of them: `cargo test --release -p assay-engine --test all bare_king -- --ignored
        /// --nocapture`; of one game with its name.
        mod all_won_endgames_are_won {
            $(#[test]
            #[ignore = "plays a hundred games of every ending"]
            fn $name() {
                super::all_won_endgames_are_won(stringify!($name));
            })+
        }
    };
}
assay_rules::for_each_builtin!(endgames_of_each_game);
