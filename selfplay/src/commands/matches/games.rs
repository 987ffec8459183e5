//! How the games of a match begin, how they may end early, and the test that ends the match.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use assay_selfplay::settings::{
    BookFormat, BookOrder, BookSettings, Material, OpeningSource, RandomOpenings, StartChoice,
};
use assay_selfplay::statistics::{EloModel, Sprt};
use assay_selfplay::tournament::adjudication::{Adjudication, DrawRule, ResignRule};

use super::key_value::{KeyValue, Setting, Value, check_unique};

/// Random plies and the largest evaluation after them, in centipawns, unless `--openings` says otherwise.
const DEFAULT_PLIES: u32 = 8;
const DEFAULT_BALANCE: u32 = 150;

/// Without rules only the engines can end a game, so its length needs a limit.
const MAX_MOVES_WITHOUT_RULES: u32 = 300;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum OpeningSetting {
    File(PathBuf),
    Format(BookFormat),
    Order(BookOrder),
    Start(usize),
    Plies(u32),
    /// In centipawns; `None` accepts every opening.
    Balance(Option<u32>),
    Setup(String),
    /// Every game begins with the start position.
    None,
    Random,
}

impl Setting for OpeningSetting {
    const KEYS: &'static [&'static str] = &[
        "file", "format", "order", "start", "plies", "balance", "setup", "none", "random",
    ];

    fn parse(key: &str, value: Value<'_>) -> Result<OpeningSetting, String> {
        Ok(match key {
            "file" => OpeningSetting::File(PathBuf::from(value.text()?)),
            "format" => OpeningSetting::Format(value.one_of(&[("epd", BookFormat::Epd), ("pgn", BookFormat::Pgn)])?),
            "order" => OpeningSetting::Order(
                value.one_of(&[("random", BookOrder::Random), ("sequential", BookOrder::Sequential)])?,
            ),
            "start" => OpeningSetting::Start(value.whole_number(1..=usize::MAX)?),
            "plies" => OpeningSetting::Plies(value.whole_number(0..=200)?),
            "balance" if value.text == Some("off") => OpeningSetting::Balance(None),
            "balance" => OpeningSetting::Balance(Some(value.whole_number(0..=30_000)?)),
            "setup" => OpeningSetting::Setup(value.text()?.to_owned()),
            "none" => OpeningSetting::None,
            _ => OpeningSetting::Random,
        })
    }
}

/// The openings of a match; `--no-rules` makes the start position the default.
pub(super) fn openings(group: &[KeyValue<OpeningSetting>], no_rules: bool) -> Result<OpeningSource> {
    check_unique("openings", group)?;
    if group.is_empty() && no_rules {
        return Ok(OpeningSource::Start);
    }
    let (mut file, mut format, mut order, mut start) = (None, None, BookOrder::Sequential, 1);
    let (mut plies, mut balance, mut setup) = (None, Some(DEFAULT_BALANCE), "random");
    for pair in group {
        match &pair.setting {
            OpeningSetting::File(path) => file = Some(path.clone()),
            OpeningSetting::Format(given) => format = Some(*given),
            OpeningSetting::Order(given) => order = *given,
            OpeningSetting::Start(given) => start = *given,
            OpeningSetting::Plies(given) => plies = Some(*given),
            OpeningSetting::Balance(given) => balance = *given,
            OpeningSetting::Setup(given) => setup = given,
            OpeningSetting::None => {
                ensure!(group.len() == 1, "--openings none: found other keys, expected it alone");
                return Ok(OpeningSource::Start);
            }
            OpeningSetting::Random => {}
        }
    }
    let (excluded, reason) = match file {
        Some(_) => (
            ["balance", "setup", "random"],
            "which is for random openings, together with file",
        ),
        None => (["format", "order", "start"], "without file=FILE"),
    };
    if let Some(pair) = group.iter().find(|pair| excluded.contains(&pair.key.as_str())) {
        bail!("--openings: found `{}`, {reason}", pair.key);
    }
    let Some(path) = file else {
        return Ok(OpeningSource::Random(RandomOpenings {
            start: StartChoice::from(setup),
            plies: plies.unwrap_or(DEFAULT_PLIES),
            balance,
            material: Material::None,
        }));
    };
    let is_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let format_of_name = if is_pgn { BookFormat::Pgn } else { BookFormat::Epd };
    Ok(OpeningSource::Book(BookSettings {
        file: path,
        format: format.unwrap_or(format_of_name),
        order,
        start,
        plies: plies.map(|plies| plies as usize),
    }))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ResignSetting {
    MoveCount(u32),
    Score(u32),
    TwoSided(bool),
}

impl Setting for ResignSetting {
    const KEYS: &'static [&'static str] = &["movecount", "score", "twosided"];

    fn parse(key: &str, value: Value<'_>) -> Result<ResignSetting, String> {
        Ok(match key {
            "movecount" => ResignSetting::MoveCount(value.whole_number(1..=1_000)?),
            "score" => ResignSetting::Score(value.whole_number(1..=30_000)?),
            _ if value.text.unwrap_or_default().is_empty() => ResignSetting::TwoSided(true),
            _ => ResignSetting::TwoSided(value.one_of(&[("true", true), ("false", false)])?),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DrawSetting {
    MoveNumber(u32),
    MoveCount(u32),
    Score(u32),
}

impl Setting for DrawSetting {
    const KEYS: &'static [&'static str] = &["movenumber", "movecount", "score"];

    fn parse(key: &str, value: Value<'_>) -> Result<DrawSetting, String> {
        Ok(match key {
            "movenumber" => DrawSetting::MoveNumber(value.whole_number(0..=100_000)?),
            "movecount" => DrawSetting::MoveCount(value.whole_number(1..=1_000)?),
            _ => DrawSetting::Score(value.whole_number(0..=30_000)?),
        })
    }
}

/// Adjudication rules. An empty group means that the flag is absent.
pub(super) fn adjudication(
    resign: &[KeyValue<ResignSetting>],
    draw: &[KeyValue<DrawSetting>],
    max_moves: Option<u32>,
    no_rules: bool,
) -> Result<Adjudication> {
    let mut adjudication = Adjudication {
        max_moves: max_moves.or(no_rules.then_some(MAX_MOVES_WITHOUT_RULES)),
        ..Adjudication::default()
    };
    if !resign.is_empty() {
        check_unique("resign", resign)?;
        let (mut moves, mut score, mut two_sided) = (3, None, false);
        for pair in resign {
            match pair.setting {
                ResignSetting::MoveCount(given) => moves = given,
                ResignSetting::Score(given) => score = Some(given),
                ResignSetting::TwoSided(given) => two_sided = given,
            }
        }
        let score = score.context("--resign: expected score=CENTIPAWNS")?;
        adjudication.resign = Some(ResignRule {
            moves,
            score,
            two_sided,
        });
    }
    if !draw.is_empty() {
        check_unique("draw", draw)?;
        let (mut number, mut moves, mut score) = (0, None, None);
        for pair in draw {
            match pair.setting {
                DrawSetting::MoveNumber(given) => number = given,
                DrawSetting::MoveCount(given) => moves = Some(given),
                DrawSetting::Score(given) => score = Some(given),
            }
        }
        let (Some(moves), Some(score)) = (moves, score) else {
            bail!("--draw: expected both movecount= and score=");
        };
        adjudication.draw = Some(DrawRule { number, moves, score });
    }
    Ok(adjudication)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SprtSetting {
    Elo0(f64),
    Elo1(f64),
    Alpha(f64),
    Beta(f64),
    Model(EloModel),
}

impl Setting for SprtSetting {
    const KEYS: &'static [&'static str] = &["elo0", "elo1", "alpha", "beta", "model"];

    fn parse(key: &str, value: Value<'_>) -> Result<SprtSetting, String> {
        Ok(match key {
            "elo0" => SprtSetting::Elo0(value.real_number()?),
            "elo1" => SprtSetting::Elo1(value.real_number()?),
            "alpha" => SprtSetting::Alpha(value.real_number()?),
            "beta" => SprtSetting::Beta(value.real_number()?),
            _ => SprtSetting::Model(value.one_of(&EloModel::ALL.map(|model| (model.name(), model)))?),
        })
    }
}

/// The test; `None` if the flag is absent.
pub(super) fn sprt(group: &[KeyValue<SprtSetting>]) -> Result<Option<Sprt>> {
    if group.is_empty() {
        return Ok(None);
    }
    check_unique("sprt", group)?;
    let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, EloModel::Normalized);
    for pair in group {
        match pair.setting {
            SprtSetting::Elo0(given) => elo0 = Some(given),
            SprtSetting::Elo1(given) => elo1 = Some(given),
            SprtSetting::Alpha(given) => alpha = given,
            SprtSetting::Beta(given) => beta = given,
            SprtSetting::Model(given) => model = given,
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        bail!("--sprt: expected both elo0= and elo1=");
    };
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta, model)?))
}

#[cfg(test)]
mod tests {
    use super::super::key_value::key_value;
    use super::*;

    fn group<S: Setting>(words: &str) -> Vec<KeyValue<S>> {
        words.split_whitespace().map(|word| key_value(word).unwrap()).collect()
    }

    #[test]
    fn book_format_follows_from_the_file_name() {
        let text = |words| openings(&group(words), false).unwrap().to_string();
        assert_eq!(text("file=a.PGN"), "file=a.PGN format=pgn order=sequential start=1");
        assert_eq!(
            text("file=a.txt order=random plies=6"),
            "file=a.txt format=epd order=random start=1 plies=6"
        );
        assert_eq!(text(""), "random plies=8 balance=150 setup=random");
        assert_eq!(text("balance=off plies=0"), "random plies=0 balance=off setup=random");
        assert_eq!(openings(&[], true).unwrap(), OpeningSource::Start);
    }

    #[test]
    fn rejects_opening_settings_that_do_not_go_together() {
        let error = |words| openings(&group(words), false).unwrap_err().to_string();
        assert_eq!(error("order=random"), "--openings: found `order`, without file=FILE");
        assert!(error("file=a.epd balance=3").contains("found `balance`, which is for random openings"));
        assert!(error("none plies=3").contains("expected it alone"));
    }

    #[test]
    fn adjudication_needs_its_scores() {
        let parse = |resign, draw| adjudication(&group(resign), &group(draw), None, true);
        let both = parse("score=500 twosided", "movecount=8 score=10").unwrap();
        assert_eq!(
            both.resign,
            Some(ResignRule {
                moves: 3,
                score: 500,
                two_sided: true
            })
        );
        assert_eq!(both.max_moves, Some(300));
        assert!(parse("movecount=3", "").is_err() && parse("", "score=3").is_err());
    }

    #[test]
    fn sprt_needs_both_hypotheses() {
        let test = sprt(&group("elo0=-3 elo1=0 model=logistic")).unwrap().unwrap();
        assert_eq!(
            (test.elo0(), test.elo1(), test.model()),
            (-3.0, 0.0, EloModel::Logistic)
        );
        assert!(sprt(&group("elo0=1")).is_err());
        assert_eq!(sprt(&[]).unwrap(), None);
    }
}
