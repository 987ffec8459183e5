//! What an engine says that it can do: its answer to `protover 2`.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_client::connection::{Connection, EngineError, MAX_ANSWER, POLL_INTERVAL, Wait, shown_name};
use assay_client::options::{EngineOption, OptionKind};

/// Silence after which an engine has no more features, if it does not say so: the protocol's 2
/// seconds.
const DONE_TIMEOUT: Duration = Duration::from_secs(2);

/// The time to the first feature: a program may read large files before it answers.
const FIRST_FEATURE_TIMEOUT: Duration = Duration::from_secs(10);

/// The features of an engine; the defaults are the protocol's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) name: String,
    /// Answers `ping`.
    pub(super) ping: bool,
    pub(super) setboard: bool,
    /// Expects `usermove` before moves.
    pub(super) usermove: bool,
    /// Expects moves in SAN.
    pub(super) san: bool,
    /// Wants to know the clocks.
    pub(super) time: bool,
    /// Needs the old commands `white` and `black`.
    pub(super) colors: bool,
    /// Can count nodes instead of time.
    pub(super) nps: bool,
    /// Can play more than one game.
    pub(super) reuse: bool,
    pub(super) variants: Vec<String>,
    pub(super) options: Vec<EngineOption>,
    /// Whether the engine has sent any feature.
    pub(super) is_any: bool,
    done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: String::new(),
            ping: false,
            setboard: false,
            usermove: false,
            san: false,
            time: true,
            colors: true,
            nps: false,
            reuse: true,
            variants: vec!["normal".to_owned()],
            options: Vec::new(),
            is_any: false,
            done: None,
        }
    }
}

impl Features {
    /// Starts the protocol and reads the features, up to `done=1` or a silence.
    ///
    /// # Errors
    /// If the engine exits, prints too much or says `done=0` and nothing more, or the wait is stopped.
    pub(super) fn ask(connection: &mut Connection, wait: Wait<'_>) -> Result<Features, EngineError> {
        const COMMAND: &str = "protover 2";
        let mut features = Features::default();
        connection.send("xboard");
        connection.send(COMMAND);
        let started = Instant::now();
        let (mut quiet_since, mut silence, mut bytes) = (started, FIRST_FEATURE_TIMEOUT, 0);
        while features.done != Some(true) {
            if let Some(line) = connection.read_line(COMMAND, POLL_INTERVAL)? {
                if features.read(&line.text, connection) {
                    (quiet_since, silence) = (line.at, DONE_TIMEOUT);
                }
                bytes += line.text.len() + 1;
            }
            if wait.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Stopped);
            }
            if features.done.is_none() && quiet_since.elapsed() > silence {
                break;
            }
            if started.elapsed() > wait.timeout || bytes > MAX_ANSWER {
                return Err(EngineError::Unusable(format!(
                    "found no `feature done=1` in {} s and {bytes} bytes of output",
                    started.elapsed().as_secs()
                )));
            }
        }
        Ok(features)
    }

    /// Reads a `feature` line and accepts or rejects each feature. Returns false for any other
    /// line.
    pub(super) fn read(&mut self, line: &str, connection: &Connection) -> bool {
        let Some(list) = line.strip_prefix("feature ") else {
            return false;
        };
        self.is_any = true;
        for (name, value) in pairs(list) {
            let answer = if self.set(name, value) { "accepted" } else { "rejected" };
            connection.send(&format!("{answer} {name}"));
        }
        true
    }

    /// Sets a feature; returns false if protocol 2 does not have it.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let flag = value == "1";
        match name {
            "ping" => self.ping = flag,
            "setboard" => self.setboard = flag,
            "usermove" => self.usermove = flag,
            "san" => self.san = flag,
            "time" => self.time = flag,
            "colors" => self.colors = flag,
            "nps" => self.nps = flag,
            "reuse" => self.reuse = flag,
            "done" => self.done = Some(flag),
            "myname" => self.name = shown_name(value),
            "variants" => self.variants = value.split(',').map(|name| name.trim().to_owned()).collect(),
            "memory" if flag => self.add_option("memory", OptionKind::Spin(Some(1), None)),
            "smp" if flag => self.add_option("cores", OptionKind::Spin(Some(1), None)),
            "egt" => {
                for format in value.split(',') {
                    self.add_option(&format!("egtpath {}", format.trim()), OptionKind::Text);
                }
            }
            "option" => match EngineOption::parse_cecp(value) {
                Some(option) => self.add_option(&option.name, option.kind),
                None => return false,
            },
            // No use in a match, but an engine may insist on them.
            "memory" | "smp" | "sigint" | "sigterm" | "ics" | "draw" | "debug" | "playother" | "analyze" | "name"
            | "pause" | "exclude" | "setscore" | "highlight" => {}
            _ => return false,
        }
        true
    }

    fn add_option(&mut self, name: &str, kind: OptionKind) {
        self.options.retain(|known| known.name != name);
        let name = name.to_owned();
        self.options.push(EngineOption { name, kind });
    }

    /// The engine's name for a variant: in its list, names may have the size of the board before
    /// them, as in `10x8+0_capablanca`.
    pub(super) fn variant(&self, name: &str) -> Option<&str> {
        let is_meant = |known: &&String| {
            let plain = known.split_once('_').map_or(known.as_str(), |(_, plain)| plain);
            known.eq_ignore_ascii_case(name) || plain.eq_ignore_ascii_case(name)
        };
        self.variants.iter().find(is_meant).map(String::as_str)
    }
}

/// The names and values of `name=value name="two words"`. What has no `=` is skipped.
fn pairs(mut text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let name = name.rsplit(char::is_whitespace).next().unwrap_or_default();
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if !name.is_empty() {
            pairs.push((name, value));
        }
        text = rest;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(lines: &[&str]) -> Features {
        let mut features = Features::default();
        for (name, value) in lines.iter().flat_map(|line| pairs(line)) {
            features.set(name, value);
        }
        features
    }

    #[test]
    fn values_may_be_quoted() {
        let found = pairs("done=0 myname=\"Two Words = 1\" =3 odd ping=1 variants=\"normal,3check\" last=\"open");
        let expected = [
            ("done", "0"),
            ("myname", "Two Words = 1"),
            ("ping", "1"),
            ("variants", "normal,3check"),
            ("last", "open"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn all_features_of_the_protocol_are_accepted() {
        let all = "ping setboard playother san usermove time draw sigint sigterm reuse analyze myname variants colors ics name pause nps \
                   debug memory smp egt exclude setscore highlight done";
        for name in all.split(' ') {
            assert!(Features::default().set(name, "1"), "{name}");
        }
        assert!(!Features::default().set("telepathy", "1"));
    }

    #[test]
    fn options_and_variants_are_found() {
        let found = features(&[
            "memory=1 smp=0 egt=\"syzygy, nalimov\" ping=1 colors=0",
            "option=\"Style -combo Solid /// *Wild\" option=\"Skill Level -spin 20 0 30\" option=\"Own Book -check 1\"",
            "option=\"Net -file a.nnue\" option=\"Clear -button\" option=\"broken\"",
            "variants=\"normal,10x8+0_capablanca,crazyhouse\"",
        ]);
        assert!(found.ping && !found.colors && found.time);
        let kind = |name: &str| &found.options.iter().find(|option| option.name == name).unwrap().kind;
        assert_eq!(kind("memory"), &OptionKind::Spin(Some(1), None));
        assert_eq!(kind("egtpath nalimov"), &OptionKind::Text);
        assert_eq!(kind("Style"), &OptionKind::Combo(vec!["Solid".to_owned(), "Wild".to_owned()]));
        assert_eq!(kind("Skill Level"), &OptionKind::Spin(Some(0), Some(30)));
        assert_eq!((kind("Own Book"), kind("Clear")), (&OptionKind::Check, &OptionKind::Button));
        assert_eq!(found.options.len(), 8);
        assert_eq!(found.variant("capablanca"), Some("10x8+0_capablanca"));
        assert_eq!((found.variant("Crazyhouse"), found.variant("gothic")), (Some("crazyhouse"), None));
    }
}
