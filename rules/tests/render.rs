//! Text diagrams and SVG pictures of positions.

use std::collections::HashSet;

use assay_rules::diagram::text_board;
use assay_rules::moves_diagram::svg_moves;
use assay_rules::svg::{SvgOptions, sprite_id, svg_board, svg_piece, svg_sprites};
use assay_rules::{Color, GameDef, Piece, Position, uci};

fn position(game: &str, fen: &str) -> Position {
    let game = GameDef::builtin(game).expect("built in");
    Position::from_fen(&game, fen).expect("a position")
}

fn start(game: &str) -> Position {
    Position::start(&GameDef::builtin(game).expect("built in"))
}

#[test]
fn diagram_shows_holes_pockets_and_last_moved_kinds() {
    let fen = "***1ee1***/r8r/1anbqkbnc1/pppppppppp/10/10/10/10/PPPPPPPPPP/1ANBQKBNC1/R8R/***ZEEL***[j:N-] b \
               BDEFGHIJWXYZabcdefghijxy - 1 1";
    let expected = "   \x20a  b  c  d  e  f  g  h  i  j
11          [ ][e][e][ ]          11
10  r  .  .  .  .  .  .  .  .  r  10
 9  .  a  n  b  q  k  b  n  c  .   9
 8  p  p  p  p  p  p  p  p  p  p   8
 7  .  .  .  .  .  .  .  .  .  .   7
 6  .  .  .  .  .  .  .  .  .  .   6
 5  .  .  .  .  .  .  .  .  .  .   5
 4  .  .  .  .  .  .  .  .  .  .   4
 3  P  P  P  P  P  P  P  P  P  P   3
 2  .  A  N  B  Q  K  B  N  C  .   2
 1  R  .  .  .  .  .  .  .  .  R   1
 0          [Z][E][E][L]           0
    a  b  c  d  e  f  g  h  i  j
Pockets: White empty, Black j
Last moved as: White knight, Black none
Black to move, move 1
";
    assert_eq!(text_board(&position("apothecary2", fen)), expected);
}

#[test]
fn diagram_shows_check_and_two_move_turns() {
    let check = position("chess", "4k3/8/8/8/8/8/8/4RK2 b - - 0 9");
    assert!(text_board(&check).ends_with("Black to move, move 9, in check\n"));
    let fen = start("apothecary2").fen().replacen(" w ", " ww ", 1);
    let twice = position("apothecary2", &fen);
    assert!(text_board(&twice).ends_with("White to move, move 1, the first of two moves\n"));
}

/// Checks that elements are closed in order.
fn check_nesting(svg: &str) {
    let mut open = Vec::new();
    for element in svg.split('<').skip(1) {
        let (inside, _) = element.split_once('>').unwrap_or_else(|| panic!("`<{element}` never ends"));
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{inside}");
        } else if !inside.ends_with('/') {
            open.push(inside.split_whitespace().next().unwrap_or_default());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn svg_is_well_formed_and_self_contained() {
    for name in assay_rules::def::BUILTIN_NAMES {
        for flipped in [false, true] {
            for coordinates in [false, true] {
                let options = SvgOptions { flipped, coordinates, ..SvgOptions::default() };
                let svg = svg_board(&start(name), &options);
                check_nesting(&svg);
                assert!(!svg.contains("<text") && !svg.contains("href") && !svg.contains("font"), "{name}");
            }
        }
    }
}

#[test]
fn svg_shows_pieces_pockets_check_and_last_move() {
    const SQUARE: &str = "width=\"100\" height=\"100\" fill=";
    let count = |svg: &str, what: &str| svg.matches(what).count();

    let start = start("apothecary2");
    let svg = svg_board(&start, &SvgOptions::default());
    assert_eq!(count(&svg, SQUARE), 108, "one rectangle for each square, none for holes");
    assert_eq!(count(&svg, "\"#f9d3dc\"") + count(&svg, "\"#ee9fb4\""), 8, "hanging squares have their own tints");
    assert_eq!(count(&svg, "<title>White pawn "), 10);
    assert_eq!(count(&svg, "in the pocket</title>"), 2);
    assert!(svg.contains("<title>White to move</title>"));

    let mv = uci::parse(&start, "c2d4j").expect("legal");
    let svg = svg_board(&start.play(mv), &SvgOptions { last_move: Some(mv), ..SvgOptions::default() });
    assert_eq!(count(&svg, "fill=\"#f2c230\""), 2, "both squares of the last move");
    assert_eq!(count(&svg, "in the pocket</title>"), 1);
    assert!(svg.contains("<title>White joker c2</title>"));
    assert!(svg.contains("<title>White last moved as: knight</title>"));

    let check = position("chess", "4k3/8/8/8/8/8/8/4RK2 b - - 0 9");
    let svg = svg_board(&check, &SvgOptions::default());
    assert_eq!(count(&svg, "url(#assay-check)"), 1);
    let svg = svg_board(&check, &SvgOptions { check: false, ..SvgOptions::default() });
    assert_eq!(count(&svg, "url(#assay-check)"), 0);
}

#[test]
fn move_diagrams_show_what_a_piece_may_do() {
    let count = |svg: &str, class: &str| svg.matches(&format!("class=\"{class}\"")).count();
    let draw = |name: &str, letter: char| {
        let game = GameDef::builtin(name).unwrap();
        let svg = svg_moves(&game, game.kinds.by_letter(letter).unwrap(), false);
        check_nesting(&svg);
        [count(&svg, "both"), count(&svg, "move"), count(&svg, "capture"), count(&svg, "hop")]
    };
    assert_eq!(draw("chess", 'N'), [8, 0, 0, 0]);
    assert_eq!(draw("chess", 'K'), [8, 0, 0, 0]);
    // Two squares in each of eight directions.
    assert_eq!(draw("chess", 'Q'), [16, 0, 0, 0]);
    // One and two squares ahead; captures to both sides.
    assert_eq!(draw("chess", 'P'), [0, 2, 2, 0]);
    // A ship moves like a king, moves on like a rook and captures beyond a screen, from the second
    // square.
    assert_eq!(draw("gamma2", 'S'), [8, 8, 0, 8]);
    // A joker has no moves of its own.
    assert_eq!(draw("apothecary2", 'J'), [0, 0, 0, 0]);
}

#[test]
fn embedded_pictures_refer_to_sprites() {
    for name in assay_rules::def::BUILTIN_NAMES {
        let start = start(name);
        let game = start.game();
        let sprites = svg_sprites([game.as_ref()]);
        check_nesting(&sprites);
        let options = SvgOptions { embedded: true, ..SvgOptions::default() };
        let mut pictures = vec![svg_board(&start, &options)];
        pictures.extend(game.kinds.all().map(|kind| svg_moves(game, kind, true)));
        for picture in pictures {
            check_nesting(&picture);
            assert!(!picture.contains("xmlns") && !picture.contains(" id="), "{name}: {picture}");
            for reference in picture.split("href=\"#").skip(1) {
                let id = reference.split('"').next().unwrap();
                assert!(sprites.contains(&format!("<symbol id=\"{id}\"")), "{name}: {id}");
            }
        }
    }
}

#[test]
fn walls_are_shown() {
    let position = position("duck", "4k3/8/8/4*3/8/8/8/4K3 w - - 0 1");
    let svg = svg_board(&position, &SvgOptions::default());
    assert_eq!(svg.matches("class=\"wall\"").count(), 1);
    let text = text_board(&position);
    assert!(text.contains(" 5  .  .  .  .  *  .  .  .   5\n"), "{text}");
}

/// Identifiers of White's pieces in [`svg_sprites`], by the order of the definition.
fn looks(game: &GameDef) -> Vec<String> {
    game.kinds.all().map(|kind| sprite_id(game, Piece { color: Color::White, kind })).collect()
}

#[test]
fn no_two_pieces_of_a_game_look_alike() {
    for name in assay_rules::def::game_names() {
        let game = GameDef::builtin(name).unwrap();
        let mut looks = looks(&game);
        looks.sort();
        assert!(looks.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {looks:?}");
        for (color, kind) in Color::ALL.into_iter().flat_map(|color| game.kinds.all().map(move |kind| (color, kind))) {
            let picture = svg_piece(&game, Piece { color, kind });
            check_nesting(&picture);
            assert!([" id=", "href", "url(", "<text", "NaN"].iter().all(|what| !picture.contains(what)), "{picture}");
        }
    }
}

#[test]
fn pictures_follow_names_and_movements() {
    let looks_of = |pieces: &[(&str, char, &str)]| {
        let mut text = "name = \"mine\"\ntitle = \"Mine\"\nbase = \"chess\"\nsource = \"test\"\n".to_owned();
        for (name, letter, movement) in pieces {
            text += &format!("[pieces.{name}]\nletter = \"{letter}\"\nmove = \"{movement}\"\n");
        }
        let game = GameDef::from_toml(&text, "mine.toml").unwrap();
        looks(&game).split_off(6)
    };
    // By name, by name without its first word, by movement, by what the piece does.
    let pieces = [
        ("lion", 'L', "FDH"),
        ("war-elephant", 'E', "FD"),
        ("slayer", 'S', "BN"),
        ("jumper", 'J', "WC"),
        ("runner", 'U', "WWDD"),
        ("climber", 'C', "pB"),
        ("mixture", 'M', "BD"),
    ];
    let expected = ["lion", "elephant", "archbishop", "leaper-J", "rider-U", "hopper-C", "compound-M"];
    assert_eq!(looks_of(&pieces), expected.map(|look| format!("assay-white-{look}")));
    // Two pieces with the same picture carry their letters.
    let twins = [("princess", 'S', "BN"), ("cardinal", 'C', "BN")];
    assert_eq!(looks_of(&twins), ["assay-white-archbishop-S", "assay-white-archbishop-C"]);

    let look = |game: &str, letter| {
        let game = GameDef::builtin(game).unwrap();
        let kind = game.kinds.by_letter(letter).unwrap();
        sprite_id(&game, Piece { color: Color::Black, kind })
    };
    assert_eq!(look("chess", 'P'), "assay-black-pawn");
    assert_eq!(look("berolina", 'P'), "assay-black-berolina-pawn");
    assert_eq!(look("torishogi", 'K'), "assay-black-phoenix-royal");
    let shogi = GameDef::builtin("shogi").unwrap();
    assert!(looks(&shogi).contains(&"assay-white-pawn-promoted".to_owned()));
    let crazyhouse = GameDef::builtin("crazyhouse").unwrap();
    assert!(looks(&crazyhouse).contains(&"assay-white-queen-copy".to_owned()));
}

#[test]
fn pictures_are_well_formed() {
    let text = include_str!("../src/render/pieces.txt");
    let names = || text.lines().filter_map(|line| line.strip_prefix("piece ")).flat_map(str::split_whitespace);
    assert!(names().count() > 20);
    assert_eq!(names().count(), names().collect::<HashSet<_>>().len(), "a name stands twice");
    for layer in text.lines().filter(|line| !line.is_empty() && !line.starts_with("piece ")) {
        let (word, data) = layer.split_once(' ').unwrap();
        let letters = if word == "letter" { "" } else { "MLHVQCAaTZ" };
        assert!(["body", "line", "solid", "shine", "letter"].contains(&word), "{layer}");
        assert!(data.chars().all(|c| " .-0123456789".contains(c) || letters.contains(c)), "{layer}");
    }
}
