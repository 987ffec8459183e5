//! How the games of a match begin, how they may end early, and the test that ends the match.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use assay_cli::args::{decimal, whole_number};
use assay_selfplay::pgn::PgnDetails;
use assay_selfplay::settings::{
    BookFormat, BookOrder, BookSettings, Material, OpeningSource, RandomOpenings, StartChoice,
};
use assay_selfplay::statistics::{EloModel, Sprt};
use assay_selfplay::tournament::adjudication::{Adjudication, DrawRule, ResignRule};

use super::key_value::{Setting, Settings, only};
use crate::commands::balance;

/// Random plies and the largest evaluation after them, in centipawns, unless `--openings` says
/// otherwise.
const DEFAULT_PLIES: u32 = 8;
const DEFAULT_BALANCE: u32 = 150;

pub(super) const OPENING_KEYS: &[&str] = &[
    "file", "format", "order", "start", "plies", "policy", "balance", "setup", "material", "chess960", "none", "random",
];
pub(super) const RESIGN_KEYS: &[&str] = &["movecount", "score", "twosided"];
pub(super) const DRAW_KEYS: &[&str] = &["movenumber", "movecount", "score"];
pub(super) const PGN_KEYS: &[&str] = &["file", "nodes", "seldepth", "nps", "notation", "append"];
pub(super) const SPRT_KEYS: &[&str] = &["elo0", "elo1", "alpha", "beta", "model"];

/// The openings of a match.
pub(super) fn openings(group: &[Setting]) -> Result<OpeningSource> {
    let settings = Settings::new(group);
    if settings.has("none") {
        ensure!(group.len() <= 1, "--openings none: found other keys, expected it alone");
        return Ok(OpeningSource::Start);
    }
    if settings.is_true("chess960")? {
        let excluded = OPENING_KEYS.iter().copied().filter(|key| !["chess960", "order"].contains(key));
        if let Some(key) = settings.first_of(&excluded.collect::<Vec<_>>()) {
            bail!("--openings: found `{key}` together with chess960, expected only order=random or order=sequential");
        }
        let order = settings.get("order", str::parse)?.unwrap_or(BookOrder::Random);
        return Ok(OpeningSource::Chess960 { order });
    }
    let file = settings.text("file")?.map(PathBuf::from);
    let (excluded, reason): (&[&str], &str) = match file {
        Some(_) => (&["balance", "setup", "material", "random"], "which is for random openings, together with file"),
        None => (&["format", "order", "start", "policy"], "without file=FILE"),
    };
    if let Some(key) = settings.first_of(excluded) {
        bail!("--openings: found `{key}`, {reason}");
    }
    let plies: Option<u32> = settings.get("plies", whole_number(0..=200))?;
    let Some(file) = file else {
        let setup = settings.text("setup")?;
        let material = settings.get("material", str::parse)?.unwrap_or(Material::None);
        let (default_plies, default_balance) = match material {
            Material::Values | Material::Playtest => Material::VALUES_OPENING,
            Material::None => (DEFAULT_PLIES, DEFAULT_BALANCE),
        };
        return Ok(OpeningSource::Random(RandomOpenings {
            start: setup.map_or(StartChoice::Random, StartChoice::from),
            plies: plies.unwrap_or(default_plies),
            balance: settings.get("balance", balance)?.unwrap_or(Some(default_balance)),
            material,
        }));
    };
    let has_end = |end: &str| file.extension().is_some_and(|found| found.eq_ignore_ascii_case(end));
    let format_of_name = match () {
        () if has_end("pgn") => BookFormat::Pgn,
        () if has_end("bin") => BookFormat::Polyglot,
        () => BookFormat::Epd,
    };
    let format = settings.get("format", str::parse)?.unwrap_or(format_of_name);
    let is_polyglot = format == BookFormat::Polyglot;
    if let Some(key) = settings.first_of(&["order", "start"]).filter(|_| is_polyglot) {
        bail!(
            "--openings: found `{key}`, expected none: a Polyglot book has no order, its moves are drawn by their weights"
        );
    }
    let plies = plies.or(is_polyglot.then_some(DEFAULT_PLIES));
    Ok(OpeningSource::Book(BookSettings {
        file,
        format,
        order: settings.get("order", str::parse)?.unwrap_or(BookOrder::Sequential),
        start: settings.get("start", whole_number(1..=usize::MAX))?.unwrap_or(1),
        plies: plies.map(|plies| plies as usize),
        policy: settings.get("policy", str::parse)?.unwrap_or_default(),
    }))
}

/// The PGN file and the details of its comments; `None` if the flag is absent.
pub(super) fn pgn(group: &[Setting]) -> Result<Option<(PathBuf, PgnDetails)>> {
    if group.is_empty() {
        return Ok(None);
    }
    let settings = Settings::new(group);
    let file = settings.text("file")?.context("--pgnout: found no file, expected file=FILE")?;
    settings.get("notation", only("san"))?;
    let details = PgnDetails {
        nodes: settings.is_true("nodes")?,
        seldepth: settings.is_true("seldepth")?,
        nps: settings.is_true("nps")?,
    };
    Ok(Some((PathBuf::from(file), details)))
}

/// Adjudication by scores. An empty group means that the flag is absent.
pub(super) fn adjudication(resign: &[Setting], draw: &[Setting]) -> Result<Adjudication> {
    let mut adjudication = Adjudication::default();
    if !resign.is_empty() {
        let settings = Settings::new(resign);
        let score = settings.get("score", whole_number(1..=30_000))?;
        adjudication.resign = Some(ResignRule {
            moves: settings.get("movecount", whole_number(1..=1_000))?.unwrap_or(1),
            score: score.context("--resign: expected score=CENTIPAWNS")?,
            two_sided: settings.is_true("twosided")?,
        });
    }
    if !draw.is_empty() {
        let settings = Settings::new(draw);
        let moves = settings.get("movecount", whole_number(1..=1_000))?.unwrap_or(1);
        let score = settings.get("score", whole_number(0..=30_000))?.unwrap_or(0);
        let number = settings.get("movenumber", whole_number(0..=100_000))?.unwrap_or(0);
        adjudication.draw = Some(DrawRule { number, moves, score });
    }
    Ok(adjudication)
}

/// The test; `None` if the flag is absent.
pub(super) fn sprt(group: &[Setting]) -> Result<Option<Sprt>> {
    if group.is_empty() {
        return Ok(None);
    }
    let settings = Settings::new(group);
    let number = |key| settings.get(key, decimal);
    let elo0 = number("elo0")?.unwrap_or(0.0);
    let elo1 = number("elo1")?.context("--sprt: found no elo1, expected elo1=ELO")?;
    let (alpha, beta) = (number("alpha")?.unwrap_or(0.05), number("beta")?.unwrap_or(0.05));
    let model = settings.get("model", str::parse::<EloModel>)?;
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta, model.unwrap_or_default())?))
}

#[cfg(test)]
mod tests {
    use super::super::key_value::setting;
    use super::*;

    fn group(keys: &'static [&'static str], words: &str) -> Vec<Setting> {
        words.split_whitespace().map(|word| setting("flag", keys)(word).unwrap()).collect()
    }

    #[test]
    fn book_format_follows_from_the_file_name() {
        let text = |words| openings(&group(OPENING_KEYS, words)).unwrap().to_string();
        assert_eq!(text("file=a.PGN"), "file=a.PGN format=pgn order=sequential start=1");
        assert_eq!(text("file=a.txt order=random plies=6"), "file=a.txt format=epd order=random start=1 plies=6");
        assert_eq!(text(""), "random plies=8 balance=150 setup=random");
        assert_eq!(text("chess960"), "chess960 order=random");
        assert_eq!(text("chess960 order=sequential"), "chess960 order=sequential");
        assert_eq!(text("balance=off plies=0"), "random plies=0 balance=off setup=random");
        assert_eq!(text("material=values"), "random plies=6 balance=100 setup=random material=values");
        assert_eq!(text("material=playtest balance=off"), "random plies=6 balance=off setup=random material=playtest");
    }

    #[test]
    fn rejects_opening_settings_that_do_not_go_together() {
        let error = |words| openings(&group(OPENING_KEYS, words)).unwrap_err().to_string();
        assert_eq!(error("order=random"), "--openings: found `order`, without file=FILE");
        assert!(error("file=a.epd balance=3").contains("found `balance`, which is for random openings"));
        assert!(error("file=a.epd material=values").contains("found `material`, which is for random openings"));
        assert!(error("material=more").contains("values"));
        assert!(error("chess960 plies=3").contains("found `plies` together with chess960"));
        assert!(error("none plies=3").contains("expected it alone"));
    }

    #[test]
    fn adjudication_needs_its_scores() {
        let parse = |resign, draw| adjudication(&group(RESIGN_KEYS, resign), &group(DRAW_KEYS, draw));
        let both = parse("score=500 twosided", "movecount=8 score=10").unwrap();
        assert_eq!(both.resign, Some(ResignRule { moves: 1, score: 500, two_sided: true }));
        assert_eq!(parse("", "score=3").unwrap().draw, Some(DrawRule { number: 0, moves: 1, score: 3 }));
        assert!(parse("movecount=3", "").is_err());
    }

    #[test]
    fn sprt_needs_both_hypotheses() {
        let test = sprt(&group(SPRT_KEYS, "elo0=-3 elo1=0 model=logistic")).unwrap().unwrap();
        assert_eq!((test.elo0, test.elo1, test.model), (-3.0, 0.0, EloModel::Logistic));
        assert!(sprt(&group(SPRT_KEYS, "elo0=1")).is_err());
        assert_eq!(sprt(&[]).unwrap(), None);
    }
}
