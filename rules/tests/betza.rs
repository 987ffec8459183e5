//! XBetza: hand-drawn diagrams, expected errors, and properties of random texts.
//!
//! The interpreter below is independent of the move generators: the simplest implementation of
//! [`PathKind`] that can be checked by reading.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroU8;

use proptest::prelude::*;

use assay_rules::betza::{MAX_LEAP, MAX_LENGTH, Span, parse};
use assay_rules::movement::{CastlingStep, Delta, Modality, Movement, Path, PathKind};

fn testdata(name: &str) -> String {
    let path = format!("{}/../testdata/betza/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A file and a rank, counted from the left and from the bottom.
type Coordinates = (i16, i16);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Own,
    Enemy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arrival {
    Move,
    Capture,
    EnPassant,
}

/// A board with one piece to move.
#[derive(Clone, Debug)]
struct Scene {
    /// Ranks from the bottom, with the piece's own square empty.
    ranks: Vec<Vec<Cell>>,
    piece: Coordinates,
    unmoved: bool,
}

impl Scene {
    fn at(&self, (file, rank): Coordinates) -> Option<Cell> {
        self.ranks.get(usize::try_from(rank).ok()?)?.get(usize::try_from(file).ok()?).copied()
    }

    fn places(&self) -> impl Iterator<Item = Coordinates> + use<> {
        let (files, ranks) = (self.ranks[0].len() as i16, self.ranks.len() as i16);
        (0..ranks).rev().flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    /// The square `steps` times `delta` away from the piece.
    fn away(&self, delta: Delta, steps: i16) -> Coordinates {
        (self.piece.0 + steps * i16::from(delta.file), self.piece.1 + steps * i16::from(delta.rank))
    }

    /// Squares reached by `path`, whether occupied or empty.
    fn ends(&self, path: &Path) -> Vec<Coordinates> {
        let end = self.away(path.delta, 1);
        match &path.kind {
            PathKind::Leap => vec![end],
            PathKind::LameLeap { via } => {
                let free = via.iter().all(|&square| self.at(self.away(square, 1)) == Some(Cell::Empty));
                if free { vec![end] } else { vec![] }
            }
            PathKind::HopLeap { over } => {
                let screen = self.at(self.away(*over, 1));
                if matches!(screen, Some(Cell::Own | Cell::Enemy)) { vec![end] } else { vec![] }
            }
            PathKind::Ride { range } => self.slide(path.delta, *range, 0),
            PathKind::HopRide { range } => self.slide(path.delta, *range, 1),
            PathKind::Grasshop => self.slide(path.delta, None, 1).into_iter().take(1).collect(),
        }
    }

    /// Squares along `delta` reached after passing exactly `screens` pieces.
    fn slide(&self, delta: Delta, range: Option<NonZeroU8>, screens: usize) -> Vec<Coordinates> {
        let mut ends = Vec::new();
        let mut passed = 0;
        let mut steps = 1;
        while let Some(cell) = self.at(self.away(delta, steps)) {
            if range.is_some_and(|range| steps > i16::from(range.get())) {
                break;
            }
            if passed == screens {
                ends.push(self.away(delta, steps));
            }
            if cell != Cell::Empty {
                passed += 1;
            }
            steps += 1;
        }
        ends
    }

    /// Everything that `movement` allows, with one entry per path.
    fn arrivals(&self, movement: &Movement) -> Vec<(Coordinates, Arrival)> {
        let mut arrivals = Vec::new();
        for path in movement.paths.iter().filter(|path| self.unmoved || !path.initial) {
            for end in self.ends(path) {
                let modality = path.modality;
                match self.at(end) {
                    Some(Cell::Empty) => {
                        arrivals.extend(modality.moves.then_some((end, Arrival::Move)));
                        arrivals.extend(modality.en_passant.then_some((end, Arrival::EnPassant)));
                    }
                    Some(Cell::Enemy) => arrivals.extend(modality.captures.then_some((end, Arrival::Capture))),
                    Some(Cell::Own) | None => {}
                }
            }
        }
        arrivals.sort_unstable();
        arrivals
    }

    fn with_enemy(&self, (file, rank): Coordinates) -> Scene {
        let mut scene = self.clone();
        scene.ranks[rank as usize][file as usize] = Cell::Enemy;
        scene
    }

    /// Diagram of a movement in the format of the data file.
    fn diagram(&self, movement: &Movement) -> String {
        let arrivals = self.arrivals(movement);
        let mut diagram = String::new();
        for place in self.places() {
            let capturable = |scene: &Scene| scene.arrivals(movement).contains(&(place, Arrival::Capture));
            let sign = match self.at(place) {
                _ if place == self.piece => '@',
                Some(Cell::Own) => 'o',
                Some(Cell::Enemy) if capturable(self) => 'x',
                Some(Cell::Enemy) => 'n',
                Some(Cell::Empty) | None => {
                    let moves = arrivals.contains(&(place, Arrival::Move));
                    let en_passant = arrivals.contains(&(place, Arrival::EnPassant));
                    match (moves, capturable(&self.with_enemy(place)), en_passant) {
                        (false, false, false) => '.',
                        (true, false, false) => 'm',
                        (false, true, false) => 'c',
                        (true, true, false) => '*',
                        (false, true, true) => 'e',
                        (false, false, true) => 'p',
                        (true, false, true) => 'q',
                        (true, true, true) => 'a',
                    }
                }
            };
            let gap = if place.0 == 0 { "" } else { " " };
            let end = if place.0 + 1 == self.ranks[0].len() as i16 { "\n" } else { "" };
            write!(diagram, "{gap}{sign}{end}").unwrap();
        }
        diagram
    }

    /// Parses a diagram without its targets.
    fn from_diagram(diagram: &str, unmoved: bool) -> Scene {
        let mut pieces = Vec::new();
        let mut ranks = Vec::new();
        for (rank, line) in diagram.lines().rev().enumerate() {
            let mut cells = Vec::new();
            for (file, sign) in line.split(' ').enumerate() {
                cells.push(match sign {
                    "o" => Cell::Own,
                    "n" | "x" => Cell::Enemy,
                    "@" | "." | "*" | "m" | "c" | "e" | "p" | "q" | "a" => Cell::Empty,
                    _ => panic!("unknown sign {sign:?} in\n{diagram}"),
                });
                if sign == "@" {
                    pieces.push((file as i16, rank as i16));
                }
            }
            ranks.push(cells);
        }
        assert!(ranks.iter().all(|cells| cells.len() == ranks[0].len()), "ragged board\n{diagram}");
        assert_eq!(pieces.len(), 1, "not one @ in\n{diagram}");
        Scene { ranks, piece: pieces[0], unmoved }
    }
}

fn has_repeated(sorted: &[(Coordinates, Arrival)]) -> bool {
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Blocks of a data file: lines without comments, split at empty lines, with the number of the
/// first line.
fn blocks(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        if line.is_empty() {
            inside = false;
        } else if inside {
            blocks.last_mut().unwrap().1.push(line);
        } else {
            blocks.push((index + 1, vec![line]));
            inside = true;
        }
    }
    blocks
}

#[test]
fn movements_match_diagrams() {
    let file = testdata("diagrams.txt");
    let mut wrong = String::new();
    let mut cases = 0;
    for (line, block) in blocks(&file) {
        let (heads, board): (Vec<&str>, Vec<&str>) = block.iter().partition(|line| line.starts_with('='));
        let expected: String = board.iter().flat_map(|line| [line, "\n"]).collect();
        assert!(!heads.is_empty(), "line {line}: a board without a text");
        for head in heads {
            cases += 1;
            let words: Vec<&str> = head.split(' ').collect();
            let (text, options) = (words[1], &words[2..]);
            assert!(options.iter().all(|option| ["unmoved", "overlap"].contains(option)), "line {line}: {head}");
            let scene = Scene::from_diagram(&expected, options.contains(&"unmoved"));
            let movement = parse(text).unwrap_or_else(|error| panic!("line {line}: {error}\n{}", error.caret()));
            let got = scene.diagram(&movement);
            if got != expected {
                writeln!(wrong, "line {line}, {head}: expected\n{expected}got\n{got}").unwrap();
            }
            let repeats = scene.places().any(|place| {
                let arrivals = scene.with_enemy(place).arrivals(&movement);
                scene.at(place) == Some(Cell::Empty) && place != scene.piece && has_repeated(&arrivals)
            });
            if !options.contains(&"overlap") && (repeats || has_repeated(&scene.arrivals(&movement))) {
                writeln!(wrong, "line {line}, {head}: a target is reached twice").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases > 200, "only {cases} cases were read");
}

#[test]
fn errors_have_the_expected_span_and_message() {
    let file = testdata("errors.txt");
    for (line, block) in blocks(&file) {
        let [text, carets, message] = block[..] else { panic!("line {line}: not three lines") };
        let error = parse(text).expect_err(text);
        assert_eq!(error.caret(), format!("{text}\n{carets}"), "line {line}");
        assert_eq!(error.message, message, "line {line}");
        assert_eq!(error.text, text);
    }
}

#[test]
fn rejects_empty_multiline_and_too_long_texts() {
    let error = parse("").unwrap_err();
    assert!(error.message.starts_with("found nothing, expected an atom: W F D"), "{error}");
    assert_eq!(error.caret(), "\n^");

    let error = parse("K\nR").unwrap_err();
    assert!(error.message.starts_with("unknown character '\\n', expected an atom (W F D"), "{error}");
    assert_eq!(error.caret(), "K\u{fffd}R\n ^");
    assert!(!error.to_string().contains('\n'));

    assert!(parse(&"W".repeat(MAX_LENGTH)).is_ok());
    let error = parse(&"W".repeat(MAX_LENGTH + 1)).unwrap_err();
    assert_eq!(error.message, "found more than 200 characters, expected a shorter text");
    assert_eq!(error.span, Span { start: MAX_LENGTH, end: MAX_LENGTH });
}

#[test]
fn error_message_has_text_and_column() {
    let error = parse("éfmWkR").unwrap_err();
    assert_eq!(error.span, Span { start: 0, end: 2 });
    let error = parse("fmWkR").unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"fmWkR\", character 4: modifier `k` is not supported \
         (supported: m c e i n p g y z q a and the directions f b l r v s h)"
    );
}

#[test]
fn lower_case_letters_are_modifiers_unsupported_or_unknown() {
    for letter in 'a'..='z' {
        let result = parse(&format!("{letter}N"));
        let message = match letter {
            'm' | 'c' | 'e' | 'i' | 'n' | 'f' | 'b' | 'l' | 'r' | 'v' | 's' => {
                assert!(result.is_ok(), "{letter}");
                continue;
            }
            'h' => "found `h` alone, ".to_owned(),
            'p' => "found `p` on a leap, ".to_owned(),
            'a' => "found legs with another atom than W, F or K ".to_owned(),
            'g' => "found `g` on a leap or with a range, ".to_owned(),
            'y' => "found `y` without a second leg, ".to_owned(),
            'q' | 'z' => format!("found `{letter}` on another atom than a ride in all directions, "),
            'w' => "unknown modifier `w`, ".to_owned(),
            _ => format!("modifier `{letter}` is not supported"),
        };
        let error = result.unwrap_err();
        assert!(error.message.starts_with(&message), "{error}");
    }
}

#[test]
fn parses_castling() {
    let both = |distance| Some(CastlingStep { distance, left: true, right: true });
    for (text, expected) in [
        ("isO2", both(2)),
        ("siO", both(2)),
        ("iO", both(2)),
        ("ilrO3", both(3)),
        ("isO3", both(3)),
        ("isO15", both(15)),
        ("ilO2", Some(CastlingStep { distance: 2, left: true, right: false })),
        ("irO4", Some(CastlingStep { distance: 4, left: false, right: true })),
    ] {
        let movement = parse(text).unwrap();
        assert_eq!(movement, Movement { paths: vec![], castling: expected }, "{text}");
        let king = parse(&format!("K{text}")).unwrap();
        assert_eq!((king.paths.len(), king.castling), (8, expected), "{text}");
    }
}

const MOVE: Modality = Modality { moves: true, captures: false, en_passant: false };
const CAPTURE: Modality = Modality { moves: false, captures: true, en_passant: false };

/// The double step and the square it passes matter to the rules, so the exact paths are compared.
#[test]
fn pawn_texts_have_the_expected_paths() {
    let leap =
        |file, rank, modality| Path { delta: Delta::new(file, rank), kind: PathKind::Leap, modality, initial: false };
    let double = |file, rank| Path {
        delta: Delta::new(2 * file, 2 * rank),
        kind: PathKind::LameLeap { via: vec![Delta::new(file, rank)] },
        modality: MOVE,
        initial: true,
    };
    let pawn_capture = Modality { en_passant: true, ..CAPTURE };

    let pawn = vec![leap(0, 1, MOVE), leap(1, 1, pawn_capture), leap(-1, 1, pawn_capture), double(0, 1)];
    for text in ["fmWfceFifmnD", "fmWfceFifmW2", "mfWefcFnifmD"] {
        assert_eq!(parse(text).unwrap().paths, pawn, "{text}");
    }

    let berolina = vec![leap(1, 1, MOVE), leap(-1, 1, MOVE), leap(0, 1, pawn_capture), double(1, 1), double(-1, 1)];
    assert_eq!(parse("mfFcfeWimfnA").unwrap().paths, berolina);

    let scorpion: Vec<Path> = pawn.iter().cloned().chain([leap(2, 1, MOVE), leap(-2, 1, MOVE)]).collect();
    assert_eq!(parse("fmWfceFifmnDmfsN").unwrap().paths, scorpion);
}

#[test]
fn ship_has_the_expected_paths() {
    let ship = parse("KmRcpR").unwrap();
    let straight = [Delta::new(0, 1), Delta::new(1, 0), Delta::new(0, -1), Delta::new(-1, 0)];
    let of = |kind: &dyn Fn(&PathKind) -> bool, modality| {
        let chosen = ship.paths.iter().filter(|path| kind(&path.kind) && path.modality == modality);
        chosen.map(|path| path.delta).collect::<Vec<_>>()
    };
    assert_eq!(ship.paths.len(), 16);
    assert_eq!(of(&|kind| *kind == PathKind::Leap, CAPTURE), straight);
    assert_eq!(of(&|kind| *kind == PathKind::Ride { range: None }, MOVE), straight);
    assert_eq!(of(&|kind| *kind == PathKind::HopRide { range: None }, CAPTURE), straight);
    let diagonal = of(&|kind| *kind == PathKind::Leap, Modality { moves: true, ..CAPTURE });
    assert_eq!(diagonal, [Delta::new(1, 1), Delta::new(1, -1), Delta::new(-1, -1), Delta::new(-1, 1)]);
}

#[test]
fn splits_initial_rides_only_if_partly_redundant() {
    let rides =
        |text: &str| parse(text).unwrap().paths.iter().filter(|p| matches!(p.kind, PathKind::Ride { .. })).count();
    assert_eq!(rides("ifW3"), 1);
    assert_eq!(rides("fFifW3"), 1);
    assert_eq!(rides("fcWifmW3"), 1);
    assert_eq!(rides("fWifW3"), 0);
    assert_eq!(rides("fWifR"), 1);
    assert_eq!(parse("pW3ipW3").unwrap(), parse("pW3").unwrap());
}

/// Texts of mostly valid terms.
fn terms() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        "[mceinpgzq]{0,2}(f|b|l|r|fs|fl|lv|v|s)?(([mpiy]{0,2}(f|b|r)?a){1,2}[mc]?(f|b|fs|fl|s)(W|F|K)|(W|F|D|N|A|H|R|B|K|Q|C|\\([1-4],[0-4]\\))[023]?)",
        1..4,
    )
    .prop_map(|terms| terms.concat())
}

/// Returns false if concatenation would change the atoms: `W` and `W` make the rider `WW`.
fn can_stand_before(one: &str, other: &str) -> bool {
    !other.starts_with(|first: char| first.is_ascii_uppercase() && one.ends_with(first))
}

prop_compose! {
    /// A 7x7 board with random pieces.
    fn scenes()(
        cells in proptest::collection::vec(prop_oneof![3 => Just(Cell::Empty), 1 => Just(Cell::Own), 1 => Just(Cell::Enemy)], 49),
        piece in (0..7_i16, 0..7_i16),
        unmoved: bool,
    ) -> Scene {
        let mut ranks: Vec<Vec<Cell>> = cells.chunks(7).map(<[Cell]>::to_vec).collect();
        ranks[piece.1 as usize][piece.0 as usize] = Cell::Empty;
        Scene { ranks, piece, unmoved }
    }
}

/// An initial ride that is split into leaps has none beyond the widest board.
#[test]
fn split_rides_end_at_the_longest_leap() {
    for text in ["fmWifmW33", "sfDifD32", "fWifW99"] {
        let movement = parse(text).unwrap();
        let longest = movement.paths.iter().map(|path| path.delta.rank).max();
        assert!(longest.is_some_and(|rank| rank <= MAX_LEAP), "{text}: {longest:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// No text makes the parser panic, and every error can be displayed.
    #[test]
    fn any_text_is_parsed_or_rejected(text in "\\PC{0,40}|[a-zA-Z0-9(),]{0,40}|[mceinpgzqyafblrvshWFDNAHKQRBO0-9(),]{0,20}") {
        if let Err(error) = parse(&text) {
            prop_assert_eq!(error.caret().lines().count(), 2);
            prop_assert!(!error.to_string().contains('\n'));
            prop_assert!(error.text.get(error.span.start..error.span.end).is_some());
        }
    }

    /// The same for arbitrary bytes, lossily decoded.
    #[test]
    fn any_bytes_are_parsed_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = parse(&text) {
            prop_assert_eq!(error.caret().split('\n').count(), 2);
            prop_assert!(error.text.get(error.span.start..error.span.end).is_some());
        }
    }

    /// Removing redundant paths never changes what a piece can do.
    #[test]
    fn terms_add_up(one in terms(), other in terms(), scene in scenes()) {
        prop_assume!(can_stand_before(&one, &other));
        let (Ok(first), Ok(second)) = (parse(&one), parse(&other)) else { return Ok(()) };
        let both = parse(&format!("{one}{other}")).unwrap();
        let mut apart = scene.arrivals(&first);
        apart.extend(scene.arrivals(&second));
        apart.sort_unstable();
        apart.dedup();
        let mut together = scene.arrivals(&both);
        together.dedup();
        prop_assert_eq!(together, apart, "{} + {}", one, other);
    }

    /// Paths are distinct, have an action, and satisfy the invariants of their types; a single path
    /// reaches no target twice.
    #[test]
    fn movements_are_valid(text in terms(), scene in scenes()) {
        let Ok(movement) = parse(&text) else { return Ok(()) };
        prop_assert!(!movement.paths.is_empty());
        for (index, path) in movement.paths.iter().enumerate() {
            prop_assert!(path.modality != Modality::default());
            prop_assert!(path.delta != Delta::new(0, 0));
            let same = |other: &Path| {
                (other.delta, other.initial, &other.kind) == (path.delta, path.initial, &path.kind)
            };
            prop_assert!(!movement.paths[..index].iter().any(same));
            match &path.kind {
                PathKind::LameLeap { via } => prop_assert!(!via.is_empty()),
                PathKind::Ride { range } | PathKind::HopRide { range } => prop_assert!(range.is_none_or(|range| range.get() >= 2)),
                PathKind::HopLeap { .. } | PathKind::Leap | PathKind::Grasshop => {}
            }
        }
        for path in movement.paths {
            let alone = Movement { paths: vec![path], castling: None };
            prop_assert!(!has_repeated(&scene.arrivals(&alone)));
        }
    }

    /// A repeated text has the same meaning.
    #[test]
    fn repetition_changes_nothing(text in terms()) {
        prop_assume!(can_stand_before(&text, &text));
        let Ok(once) = parse(&text) else { return Ok(()) };
        let twice = parse(&format!("{text}{text}")).unwrap();
        prop_assert_eq!(once, twice);
    }

        /// The pieces of the built-in games reach no target twice.
    #[test]
    fn built_in_pieces_reach_no_target_twice(scene in scenes()) {
        for text in [
            "KisO2", "KisO3", "Q", "R", "B", "N", "RN", "BN", "fmWfceFifmnD", "mfFcfeWimfnA", "KmRcpR", "KmBcpB",
            "fmWfceFifmnDmfsN", "NmG", "FAmHimf(4,0)imff(4,1)", "ZmFimfAimfG", "LmWimfAimfG",
        ] {
            let movement = parse(text).unwrap();
            prop_assert!(!has_repeated(&scene.arrivals(&movement)), "{}", text);
        }
    }
}
