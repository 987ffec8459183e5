//! From words to settings.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use assay_selfplay::GameSource;
use assay_selfplay::players::limits::parse_seconds;
use assay_selfplay::settings::{Material, OpeningSettings, StartChoice};
use assay_selfplay::statistics::{EloModel, Sprt};
use assay_selfplay::tournament::adjudication::{Adjudication, Draw, Resign};
use assay_selfplay::tournament::settings::{BookFormat, EngineSort, MatchSettings, OpeningSource, Order, Rules};

use super::engines::engines;
use super::words::{Words, number, pairs};

/// What else a `match` command says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) db: Option<PathBuf>,
    pub(super) resume: bool,
    pub(super) pgn: Option<PathBuf>,
    pub(super) html: Option<PathBuf>,
    pub(super) force: bool,
    pub(super) json: bool,
    pub(super) exit_verdict: bool,
}

/// Random plies, and the balance that is asked for behind them, in centipawns.
const USUAL_PLIES: u32 = 8;
const USUAL_BALANCE: u32 = 150;

/// The settings and the output of a command.
pub(super) fn parse(words: &Words) -> Result<(MatchSettings, Output)> {
    let trust = words.has("trust")?;
    let Some(game) = &words.game else {
        bail!("found no game, expected its name first: assay-selfplay match gamma2 -engine ...; see --help");
    };
    let rules = if trust {
        Rules::Unruled { name: game.clone() }
    } else {
        Rules::Known(GameSource::load(game)?)
    };
    let engines = engines(words)?;
    if trust
        && engines
            .iter()
            .any(|engine| matches!(engine.sort, EngineSort::Builtin { .. }))
    {
        bail!("-trust: found `builtin`, expected two programs that know {game}");
    }
    let sprt = sprt(words)?;
    let settings = MatchSettings {
        openings: openings(words, trust)?,
        engines,
        repeat: repeat(words)?,
        seed: words
            .value("seed")?
            .map_or(Ok(1), |text| number("-seed", text, 0..=u64::MAX))?,
        sprt,
        adjudication: adjudication(words, trust)?,
        stall: words
            .value("stall")?
            .map_or(Ok(Duration::from_mins(1)), parse_seconds)
            .context("-stall")?,
        rounds: rounds(words, sprt.is_some())?,
        concurrency: words
            .value("concurrency")?
            .map_or(Ok(1), |text| number("-concurrency", text, 1..=1024))?,
        most_faults: words
            .value("maxfaults")?
            .map_or(Ok(6), |text| number("-maxfaults", text, 1..=1_000_000))?,
        event: words.value("event")?.unwrap_or("Assay match").to_owned(),
        rules,
    };
    if settings.tests_singles() && settings.rules.results() == 5 {
        bail!("-sprt model=bayesian: found {game}, which has five results; expected normalized or logistic");
    }
    // Nothing is promised for it, but it is always so.
    words.has("recover")?;
    Ok((settings, output(words)?))
}

fn output(words: &Words) -> Result<Output> {
    // `file=` may stand before a name, as in fastchess, or not.
    let file = |name: &str| -> Result<Option<PathBuf>> {
        let value = words.value(name)?;
        Ok(value.map(|value| PathBuf::from(value.strip_prefix("file=").unwrap_or(value))))
    };
    let output = Output {
        db: file("db")?,
        resume: words.has("resume")?,
        pgn: file("pgnout")?,
        html: file("html")?,
        force: words.has("force")?,
        json: words.has("json")?,
        exit_verdict: words.has("exit-verdict")?,
    };
    ensure!(
        !output.resume || output.db.is_some(),
        "-resume: found no -db, expected the file to continue"
    );
    if output.exit_verdict && words.last("sprt").is_none() {
        bail!("-exit-verdict: found no -sprt, whose verdict it would tell");
    }
    Ok(output)
}

fn rounds(words: &Words, is_test: bool) -> Result<u64> {
    match words.value("rounds")? {
        Some(text) => number("-rounds", text, 1..=100_000_000),
        // A test ends by itself.
        None if is_test => Ok(1_000_000),
        None => bail!("found no -rounds N, expected the number of openings to play (each is played twice)"),
    }
}

fn repeat(words: &Words) -> Result<bool> {
    let games = words
        .value("games")?
        .map(|text| number("-games", text, 1..=2))
        .transpose()?;
    let (yes, no) = (
        words.has("repeat")? || games == Some(2),
        words.has("norepeat")? || games == Some(1),
    );
    ensure!(
        !(yes && no),
        "found both -repeat and its opposite, expected one of them"
    );
    Ok(!no)
}

fn sprt(words: &Words) -> Result<Option<Sprt>> {
    let Some(flag) = words.last("sprt") else {
        return Ok(None);
    };
    let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, EloModel::Normalized);
    for (key, value) in pairs(flag, &["elo0", "elo1", "alpha", "beta", "model"])? {
        let value = value.with_context(|| format!("-sprt: found `{key}` without value, expected {key}=..."))?;
        let real = || {
            value
                .parse::<f64>()
                .ok()
                .with_context(|| format!("-sprt {key}: found `{value}`, expected a number"))
        };
        match key {
            "elo0" => elo0 = Some(real()?),
            "elo1" => elo1 = Some(real()?),
            "alpha" => alpha = real()?,
            "beta" => beta = real()?,
            _ => {
                model = EloModel::from_name(value).with_context(|| {
                    format!("-sprt model: found `{value}`, expected normalized, logistic or bayesian")
                })?;
            }
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        bail!("-sprt: expected both elo0= and elo1=");
    };
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta, model)?))
}

fn openings(words: &Words, trust: bool) -> Result<OpeningSource> {
    let random = |plies, balance, start: &str| {
        OpeningSource::Random(OpeningSettings {
            start: StartChoice::from(start),
            plies,
            balance,
            material: Material::None,
        })
    };
    let Some(flag) = words.last("openings") else {
        return Ok(if trust {
            OpeningSource::Start
        } else {
            random(USUAL_PLIES, Some(USUAL_BALANCE), "random")
        });
    };
    let keys = [
        "file", "format", "order", "start", "plies", "balance", "setup", "none", "random",
    ];
    let pairs = pairs(flag, &keys)?;
    let get = |wanted: &str| {
        pairs
            .iter()
            .find(|(key, _)| *key == wanted)
            .map(|(_, value)| value.unwrap_or_default())
    };
    if get("none").is_some() {
        ensure!(pairs.len() == 1, "-openings none: found other keys, expected it alone");
        return Ok(OpeningSource::Start);
    }
    let plies = get("plies")
        .map(|text| number("-openings plies", text, 0..=200))
        .transpose()?;
    let Some(file) = get("file") else {
        for key in ["format", "order", "start"] {
            ensure!(get(key).is_none(), "-openings: found `{key}` without file=FILE");
        }
        let balance = match get("balance") {
            None => Some(USUAL_BALANCE),
            Some("off") => None,
            Some(text) => Some(number("-openings balance", text, 0..=30_000)?),
        };
        return Ok(random(
            plies.unwrap_or(USUAL_PLIES),
            balance,
            get("setup").unwrap_or("random"),
        ));
    };
    for key in ["balance", "setup", "random"] {
        ensure!(
            get(key).is_none(),
            "-openings: found `{key}`, which is for random openings, together with file"
        );
    }
    let format = match get("format") {
        Some("epd") => BookFormat::Epd,
        Some("pgn") => BookFormat::Pgn,
        Some(found) => bail!("-openings format: found `{found}`, expected epd or pgn"),
        None if file.to_ascii_lowercase().ends_with(".pgn") => BookFormat::Pgn,
        None => BookFormat::Epd,
    };
    let order = match get("order") {
        None | Some("sequential") => Order::Sequential,
        Some("random") => Order::Random,
        Some(found) => bail!("-openings order: found `{found}`, expected random or sequential"),
    };
    Ok(OpeningSource::Book {
        path: PathBuf::from(file),
        format,
        order,
        start: get("start").map_or(Ok(1), |text| number("-openings start", text, 1..=usize::MAX))?,
        plies: plies.map(|plies| plies as usize),
    })
}

/// Games on trust end some time: nothing else may end them.
const MOST_TRUSTED_MOVES: u32 = 300;

fn adjudication(words: &Words, trust: bool) -> Result<Adjudication> {
    let mut adjudication = Adjudication::default();
    if let Some(flag) = words.last("resign") {
        let (mut moves, mut score, mut two_sided) = (3, None, false);
        for (key, value) in pairs(flag, &["movecount", "score", "twosided"])? {
            let text = value.unwrap_or_default();
            match key {
                "movecount" => moves = number("-resign movecount", text, 1..=1_000)?,
                "score" => score = Some(number("-resign score", text, 1..=30_000)?),
                _ => {
                    two_sided = match text {
                        "true" | "" => true,
                        "false" => false,
                        found => bail!("-resign twosided: found `{found}`, expected true or false"),
                    }
                }
            }
        }
        let score = score.context("-resign: expected score=CENTIPAWNS")?;
        adjudication.resign = Some(Resign {
            moves,
            score,
            two_sided,
        });
    }
    if let Some(flag) = words.last("draw") {
        let (mut first, mut moves, mut score) = (0, None, None);
        for (key, value) in pairs(flag, &["movenumber", "movecount", "score"])? {
            let text = value.unwrap_or_default();
            match key {
                "movenumber" => first = number("-draw movenumber", text, 0..=100_000)?,
                "movecount" => moves = Some(number("-draw movecount", text, 1..=1_000)?),
                _ => score = Some(number("-draw score", text, 0..=30_000)?),
            }
        }
        let (Some(moves), Some(score)) = (moves, score) else {
            bail!("-draw: expected both movecount= and score=");
        };
        adjudication.draw = Some(Draw {
            number: first,
            moves,
            score,
        });
    }
    adjudication.most_moves = match words.value("maxmoves")? {
        Some(text) => Some(number("-maxmoves", text, 1..=100_000)?),
        None if trust => Some(MOST_TRUSTED_MOVES),
        None => None,
    };
    Ok(adjudication)
}
