//! What a report says in words and what its tables show, about all stored results: claims,
//! playtests and ladders. `report.rs` does the same for the headlines of measurements.

use std::path::PathBuf;

use assay_tuner::report::{both_methods, claims, ladder, measurement, sentences};
use assay_tuner::values::claims::{ClaimVerdict, Claims, Finding, StatedAs};
use assay_tuner::values::ladder::Ladder;
use assay_tuner::values::results::MeasurementReport;
use assay_tuner::values::stored_result::StoredResult;

fn stored(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/values").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

/// A text on one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The whole numbers of a text.
fn numbers(text: &str) -> Vec<usize> {
    let words = text.split(|letter: char| !letter.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Verdicts in a claims report: their number in the lines of statements, without those of parts.
fn claim_lines(text: &str) -> [usize; 5] {
    const WORDS: [&str; 5] = ["holds", "does not hold", "no effect", "not enough games", "not tested"];
    let mut lines = [0; 5];
    for line in text.lines().filter(|line| !line.starts_with([' ', '-'])) {
        let cell = line.rsplit("  ").next().unwrap_or_default().trim();
        if let Some(verdict) = WORDS.iter().position(|word| cell.starts_with(word)) {
            lines[verdict] += 1;
        }
    }
    lines
}

/// Checks the summary of a claims report against its lines.
fn check_claims(text: &str) {
    let lines = claim_lines(text);
    let summary = joined(text.rsplit("\n- Of ").next().unwrap().split("\n- ").next().unwrap());
    let found = numbers(&summary);
    let (claims, verdicts) = (found[0], &found[1..6]);
    assert_eq!(verdicts.iter().sum::<usize>(), claims, "{summary}");
    let uncounted = if summary.contains("not counted") { found[6] } else { 0 };
    assert_eq!(lines.iter().sum::<usize>(), claims + uncounted, "{summary} {lines:?}");
    let differences = lines.iter().zip(verdicts).map(|(lines, counted)| {
        assert!(lines >= counted, "{summary} {lines:?}");
        lines - counted
    });
    assert_eq!(differences.sum::<usize>(), uncounted, "{summary} {lines:?}");
}

#[test]
fn summaries_of_claims_count_the_lines() {
    const VERDICTS: [ClaimVerdict; 5] = [
        ClaimVerdict::Holds,
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::NoEffect,
        ClaimVerdict::NotEnoughGames,
        ClaimVerdict::NotTested,
    ];
    const STATED: [StatedAs; 4] = [StatedAs::Claim, StatedAs::Table, StatedAs::Aim, StatedAs::Concession];
    let stored_text = include_str!("../../testdata/values/claims.txt");
    check_claims(stored_text);
    let mut results: Claims = serde_json::from_str(include_str!("claims.json")).unwrap();
    check_claims(&claims::text(&results, true));
    // Every verdict, counted or not, in turn.
    for turn in 0..20 {
        for (index, finding) in results.findings.iter_mut().enumerate() {
            finding.claimed = serde_json::from_str(r#"{"shape": "more-than", "value": 1, "margin": 0.5}"#).unwrap();
            finding.verdict = VERDICTS[(turn + index) % 5];
            finding.stated_as = STATED[(turn / 5 + index) % 4];
        }
        check_claims(&claims::text(&results, true));
        let page = claims::page(&results);
        let lead = page.split("p class=\"lead\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert_eq!(lead, claims::headline(&results));
        let mut by_verdict = [0; 5];
        let table = page.split("Number of statements by game and verdict").nth(1).unwrap();
        let body = table.split("<tbody").nth(1).unwrap().split("</tbody>").next().unwrap();
        for row in body.split("<tr").skip(1) {
            let cells = row.split("</td>").map(|cell| cell.rsplit('>').next().unwrap());
            for (sum, cell) in by_verdict.iter_mut().zip(cells) {
                *sum += cell.parse().unwrap_or(0);
            }
        }
        assert_eq!(by_verdict[..], numbers(lead)[1..6], "{lead} {body}");
    }
    // A line that differs from what the summary counts is found.
    let counted = |finding: &mut Finding| finding.stated_as = StatedAs::Claim;
    results.findings.iter_mut().for_each(counted);
    results.findings[0].verdict = ClaimVerdict::Holds;
    results.findings[1].verdict = ClaimVerdict::NotEnoughGames;
    let honest = claims::text(&results, true);
    for (right, wrong) in [("  holds\n", "  does not hold\n"), ("  not enough games\n", "  holds\n")] {
        assert!(honest.contains(right), "{honest}");
        let lie = honest.replacen(right, wrong, 1);
        assert!(std::panic::catch_unwind(|| check_claims(&lie)).is_err(), "{right}");
    }
}

#[test]
fn both_methods_have_one_verdict_for_each_piece() {
    let mut pieces = 0;
    for path in stored("") {
        let report = MeasurementReport::read(&path).unwrap();
        let Some(table) = both_methods(&report).map(|table| table.to_string()) else {
            continue;
        };
        let verdicts = table.lines().skip(2).map(|row| row.rsplit("  ").next().unwrap());
        let verdicts: Vec<&str> = verdicts.collect();
        let with = |verdict: &str| verdicts.iter().filter(|found| **found == verdict).count();
        let page = measurement(&report, None, None);
        // Nothing is said if no piece agrees or differs.
        if let Some(sentence) = sentences::second_method(&report) {
            assert_eq!(numbers(&sentence), [with("agree"), verdicts.len()], "{sentence} {table}");
            assert_eq!(sentence.contains("differs on"), with("differ") > 0, "{sentence} {table}");
            assert!(joined(&page.text()).contains(&sentence), "{}", path.display());
        } else {
            assert_eq!(with("needs more games"), verdicts.len(), "{table}");
        }
        let page = page.html();
        let section =
            page.rsplit(">Check by a second method<").next().and_then(|rest| rest.split("<h2").next()).unwrap();
        for word in ["agree", "differ", "needs more games"] {
            let drawn = section.split(['<', '>']).filter(|cell| *cell == word).count();
            // In the picture and in the table below it.
            assert_eq!(drawn, 2 * with(word), "{}: {word}", path.display());
        }
        pieces += verdicts.len();
    }
    assert!(pieces > 20, "{pieces}");
}

/// The pieces whose value changes with the nodes by the table's column, and by the sentence.
fn changes(ladder: &Ladder) -> [Vec<String>; 2] {
    let printed = self::ladder(ladder).text();
    let table = printed.lines().skip_while(|line| !line.starts_with("piece")).take_while(|line| !line.is_empty());
    let mut by_table = Vec::new();
    for row in table.filter(|row| row.contains(" \u{b1} ")) {
        let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        // The last column is the value at the target.
        let per_doubling = cells[cells.len() - 2];
        let Some((value, half_width)) = per_doubling
            .replace('\u{2212}', "-")
            .split_once(" \u{b1} ")
            .map(|(value, half_width)| (value.parse::<f64>().unwrap_or(0.0), half_width.parse::<f64>().unwrap_or(0.0)))
        else {
            continue;
        };
        if value.abs() > half_width {
            by_table.push(cells[0].trim_end_matches(" + \u{bd} pair").to_owned());
        }
    }
    let list = printed.split("\n- ").nth(1).unwrap();
    let sentence = joined(list.split("\n\n").next().unwrap());
    let by_sentence = if let Some((_, list)) = sentence.split_once(": ") {
        list.trim_end_matches('.').split("), ")
    } else {
        assert!(sentence.starts_with("No value is shown to change"), "{sentence}");
        "".split("), ")
    };
    let names = by_sentence.filter(|part| !part.is_empty());
    let names = names.map(|part| part.split([' ', '+', '-', '\u{2212}']).next().unwrap().to_owned());
    [by_table, names.collect()]
}

#[test]
fn ladders_say_what_their_tables_show() {
    let mut changed = 0;
    for path in stored("ladders") {
        let StoredResult::Ladder(ladder) = StoredResult::read(&path).unwrap() else { panic!("{}", path.display()) };
        let [by_table, by_sentence] = changes(&ladder);
        assert_eq!(by_table, by_sentence, "{}: {}", path.display(), self::ladder(&ladder).text());
        changed += by_table.len();
        let page = self::ladder(&ladder).html();
        let is_said = page.contains("No value is shown to change");
        assert_eq!(is_said, by_table.is_empty(), "{}", path.display());
    }
    assert!(changed > 0);
}
