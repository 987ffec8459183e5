//! Moves of a piece, as marks on squares.

use assay_rules::{Color, GameDef, Piece, SquareSet, marks};

fn of(game: &str, letter: char, from: &str, friends: &[&str], enemies: &[&str]) -> String {
    let game = GameDef::builtin(game).unwrap();
    let square = |name: &&str| game.board.parse_square(name).unwrap();
    let set = |names: &[&str]| names.iter().map(square).collect::<SquareSet>();
    let piece = Piece { color: Color::White, kind: game.kinds.by_letter(letter).unwrap() };
    let marks = marks(&game, piece, square(&from), set(friends), set(enemies));
    let text = marks.into_iter().map(|(square, mark)| {
        let flags = [
            (mark.moves, 'm'),
            (mark.captures, 'c'),
            (mark.hops, 'h'),
            (mark.lame, 'l'),
            (mark.rides, 'r'),
            (mark.initial, 'i'),
        ];
        let flags = flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag));
        game.board.square_name(square) + ":" + &flags.collect::<String>()
    });
    text.collect::<Vec<_>>().join(" ")
}

#[test]
fn friends_and_enemies_change_the_marks() {
    assert_eq!(of("chess", 'P', "e2", &[], &[]), "d3:c e3:m f3:c e4:mli");
    assert_eq!(of("chess", 'P', "e2", &["d3"], &["e3", "f3"]), "f3:c");
    assert_eq!(of("chess", 'N', "a1", &["b3"], &["c2"]), "c2:c");
    assert_eq!(of("xiangqi", 'N', "a1", &["a2"], &[]), "c2:mcl");
    assert_eq!(of("xiangqi", 'C', "a1", &["c1"], &["e1"]).split(' ').next(), Some("b1:mr"));
    assert!(of("xiangqi", 'C', "a1", &["c1"], &["e1"]).contains("e1:chr"));
}
