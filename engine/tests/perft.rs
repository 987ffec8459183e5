//! Perft of the shared suites and the start positions, with the rulesets of the games and with
//! general ones.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, PerftTable, Position, Tables, Visitor, dispatch, dispatch_general};
use assay_rules::GameDef;
use assay_rules::def::DATA_NAMES;

const GAMES: [&str; 6] = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"];

/// Perft of the start positions: game, start, counts for depths from 1.
const STARTS: [(&str, &str, &[u64]); 8] = [
    ("chess", "1", &[20, 400, 8_902, 197_281, 4_865_609]),
    ("berolina", "1", &[30, 900, 28_328, 882_717, 29_119_802]),
    ("gamma2", "1", &[40, 1_596, 67_316, 2_799_527]),
    ("gunnery", "1", &[20, 400, 8_986, 201_099, 5_034_939]),
    ("scorpion", "1", &[32, 1_020, 34_438, 1_152_920]),
    ("apothecary2", "1", &[133, 17_685, 1_877_137]),
    ("apothecary2", "14", &[125, 15_621, 1_572_934]),
    ("apothecary2", "24", &[129, 16_641, 1_705_329]),
];

/// Counts up to this are also computed with a table, without bulk counting, and without CPU
/// features.
const MAX_FULL_COUNT: u64 = 200_000;

struct Case {
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn suite(game: &str) -> Vec<Case> {
    let path = format!("{}/../perft/suites/{game}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split(';').map(str::trim);
            let fen = fields.next().unwrap_or_default().to_owned();
            let counts = fields
                .filter_map(|field| field.strip_prefix('D')?.split_once(' '))
                .map(|(depth, count)| (depth.parse().unwrap(), count.parse().unwrap()))
                .collect();
            Case { fen, counts }
        })
        .collect()
}

struct Check<'a> {
    cases: &'a [Case],
    max_count: u64,
}

impl Visitor for Check<'_> {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        for case in self.cases {
            let from = assay_rules::Position::from_fen(tables.game(), &case.fen)
                .unwrap_or_else(|e| panic!("{}: {e}", case.fen));
            let mut position = Position::new(&tables, &from);
            for &(depth, count) in case.counts.iter().filter(|(_, count)| *count <= self.max_count) {
                assert_eq!(position.perft(depth), count, "{} `{}` depth {depth}", tables.game().name, case.fen);
                if count > MAX_FULL_COUNT {
                    continue;
                }
                let table = PerftTable::new(1).unwrap();
                assert_eq!(position.perft_with(depth, &table), count, "{} with a table", case.fen);
                assert_eq!(position.perft_full(depth), count, "{} without bulk counting", case.fen);
            }
        }
    }
}

fn starts(name: &str) -> Vec<Case> {
    let game = GameDef::builtin(name).unwrap();
    let own = STARTS.iter().filter(|(of, _, _)| *of == name);
    own.map(|(_, id, counts)| Case {
        fen: game.start(id).unwrap().fen.clone(),
        counts: (1..).zip(counts.iter().copied()).collect(),
    })
    .collect()
}

#[test]
fn counts_start_positions() {
    for name in GAMES {
        let cases = starts(name);
        dispatch(&GameDef::builtin(name).unwrap(), Check { cases: &cases, max_count: u64::MAX });
    }
}

#[test]
fn counts_suites() {
    for name in GAMES {
        dispatch(&GameDef::builtin(name).unwrap(), Check { cases: &suite(name), max_count: u64::MAX });
    }
}

#[test]
fn counts_data_games_as_the_rules_do() {
    for name in DATA_NAMES {
        let game = GameDef::builtin(name).unwrap();
        let start = assay_rules::Position::start(&game);
        // Each move with every wall is a move.
        let depth = if start.legal_moves().len() > 200 { 2 } else { 3 };
        let case = Case { fen: start.fen(), counts: vec![(depth, assay_rules::perft::perft(&start, depth))] };
        dispatch(&game, Check { cases: &[case], max_count: u64::MAX });
    }
}

#[test]
fn general_rulesets_count_the_same() {
    for name in GAMES {
        let mut cases = suite(name);
        cases.extend(starts(name));
        dispatch_general(&GameDef::builtin(name).unwrap(), Check { cases: &cases, max_count: 100_000 });
    }
}

#[test]
fn counts_do_not_depend_on_pext() {
    for name in GAMES {
        let mut cases = suite(name);
        cases.extend(starts(name));
        let check = Check { cases: &cases, max_count: MAX_FULL_COUNT };
        dispatch(&GameDef::builtin(name).unwrap(), WithoutPext(check));
    }
}

/// Visits tables without PEXT bitboards.
struct WithoutPext<V>(V);

impl<V: Visitor> Visitor for WithoutPext<V> {
    type Output = V::Output;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> V::Output {
        self.0.visit(Tables::<R>::without_pext(tables.game()))
    }
}

struct ComparePerfts;

impl Visitor for ComparePerfts {
    type Output = ();

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) {
        let start = assay_rules::Position::start(tables.game());
        let mut position = Position::new(&tables, &start);
        let depth = 3;
        let count = position.perft(depth);
        let table = PerftTable::new(1).unwrap();
        assert_eq!(position.perft_full(depth), count);
        assert_eq!(position.perft_with(depth, &table), count);
        assert_eq!(position.perft(0), 1);
    }
}

#[test]
fn perft_with_table_and_without_bulk_counting_agree() {
    for name in GAMES {
        dispatch(&GameDef::builtin(name).unwrap(), ComparePerfts);
    }
}
