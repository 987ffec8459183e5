//! The options that an engine advertises, and the validation of values.

/// An option advertised by `option name NAME type TYPE ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    pub name: String,
    pub kind: OptionKind,
}

/// Type of an option, with its range of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// An integer, with its minimum and maximum if given.
    Spin(Option<i64>, Option<i64>),
    /// One of these values.
    Combo(Vec<String>),
    /// An action without value.
    Button,
    /// Free text.
    Text,
}

impl EngineOption {
    /// Parses a line `option name NAME type TYPE ...`; returns `None` for any other line.
    pub fn parse_uci(line: &str) -> Option<EngineOption> {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |key: &str| {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match kind {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin(number("min"), number("max")),
            "combo" => {
                // Values may contain blanks.
                let padded = format!(" {rest} ");
                OptionKind::Combo(padded.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect())
            }
            "button" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        Some(EngineOption { name: name.trim().to_owned(), kind })
    }

    /// Parses the value of CECP's `feature option="NAME -TYPE ..."`; `None` if it has no type.
    pub fn parse_cecp(text: &str) -> Option<EngineOption> {
        let (name, rest) = text.split_once(" -")?;
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let kind = match kind {
            "check" => OptionKind::Check,
            "spin" | "slider" => {
                let mut numbers = rest.split_whitespace().skip(1).map(|word| word.parse().ok());
                OptionKind::Spin(numbers.next().flatten(), numbers.next().flatten())
            }
            "combo" => {
                let values = rest.split("///").map(|value| value.trim().trim_start_matches('*'));
                OptionKind::Combo(values.map(str::to_owned).collect())
            }
            "button" | "save" | "reset" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        Some(EngineOption { name: name.trim().to_owned(), kind })
    }

    fn check(&self, value: &str) -> Result<(), String> {
        let expected = match &self.kind {
            OptionKind::Check if value == "true" || value == "false" => return Ok(()),
            OptionKind::Check => "`true` or `false`".to_owned(),
            OptionKind::Spin(min, max) => {
                let fits = |number: i64| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                if value.parse().is_ok_and(fits) {
                    return Ok(());
                }
                match (min, max) {
                    (Some(min), Some(max)) => format!("a number from {min} to {max}"),
                    _ => "a number".to_owned(),
                }
            }
            OptionKind::Combo(values) if values.iter().any(|known| known.eq_ignore_ascii_case(value)) => return Ok(()),
            OptionKind::Combo(values) => {
                let suggestion = suggestion(value, values.iter().map(String::as_str));
                if suggestion.is_empty() && values.len() <= 12 {
                    format!("one of {}", values.join(", "))
                } else {
                    format!("one of its {} values{suggestion}", values.len())
                }
            }
            OptionKind::Button | OptionKind::Text => return Ok(()),
        };
        Err(format!("option {}: found `{value}`, expected {expected}", self.name))
    }
}

/// Finds an option by name, ignoring case.
pub fn find<'o>(options: &'o [EngineOption], name: &str) -> Option<&'o EngineOption> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The option with this name, which can have this value.
///
/// # Errors
/// If the engine does not have the option or the value is invalid.
pub fn checked<'o>(options: &'o [EngineOption], name: &str, value: &str) -> Result<&'o EngineOption, String> {
    let option = find(options, name).ok_or_else(|| {
        let suggestion = suggestion(name, options.iter().map(|option| option.name.as_str()));
        format!("has no option `{name}`{suggestion}")
    })?;
    option.check(value)?;
    Ok(option)
}

/// UCI's `setoption` command.
///
/// # Errors
/// If the engine does not have the option or the value is invalid.
pub fn setoption(options: &[EngineOption], name: &str, value: &str) -> Result<String, String> {
    let option = checked(options, name, value)?;
    Ok(match option.kind {
        OptionKind::Button => format!("setoption name {}", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    })
}

/// The error of an option that a line reports; `None` for any other line.
///
/// UCI has no form for it. Assay prints `info string error: ...`, Stockfish and its relatives
/// `info string ERROR: ...` and `No such option: ...`.
pub fn reported_error(line: &str) -> Option<&str> {
    let text = line.strip_prefix("info string ").unwrap_or(line).trim();
    let begins = |start: &str| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
    let is_error = text.split([' ', ':']).next().is_some_and(|first| first.eq_ignore_ascii_case("error"))
        || begins("no such option")
        || begins("unknown option");
    is_error.then_some(text)
}

/// The most similar known word, as in `; did you mean WORD?`; empty if none is similar enough to
/// suggest.
pub fn suggestion<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> String {
    closest(word, known).map_or_else(String::new, |closest| format!("; did you mean `{closest}`?"))
}

/// The most similar known word, if any is similar enough to suggest.
pub fn closest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    let lower = word.to_lowercase();
    let (similarity, closest) = known
        .map(|known| (strsim::jaro_winkler(&lower, &known.to_lowercase()), known))
        .max_by(|(left, _), (right, _)| left.total_cmp(right))?;
    (similarity > 0.8).then(|| closest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<EngineOption> {
        [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name UCI_Variant type combo default chess var chess var gamma2 var king of the hill",
            "option name VariantPath type string default <empty>",
        ]
        .iter()
        .map(|line| EngineOption::parse_uci(line).unwrap())
        .collect()
    }

    #[test]
    fn formats_setoption_commands() {
        let set = |name, value| setoption(&options(), name, value).unwrap();
        assert_eq!(set("hash", "64"), "setoption name Hash value 64");
        assert_eq!(set("Clear Hash", ""), "setoption name Clear Hash");
        assert_eq!(set("UCI_Variant", "king of the hill"), "setoption name UCI_Variant value king of the hill");
        assert_eq!(set("VariantPath", "a.ini"), "setoption name VariantPath value a.ini");
    }

    #[test]
    fn recognizes_reported_errors() {
        let stockfish = "info string ERROR: The network file a.nnue was not loaded successfully.";
        assert_eq!(reported_error(stockfish), Some("ERROR: The network file a.nnue was not loaded successfully."));
        for line in [
            "No such option: Hahs",
            "info string error: EvalFile: a.network: No such file or directory (os error 2)",
            "error no memory",
        ] {
            assert!(reported_error(line).is_some(), "{line}");
        }
        for line in [
            "info string Using 1 thread",
            "info string NNUE evaluation using a.nnue",
            "info string errors are reported",
            "info string variant gamma2 files 8 ranks 8 pocket 2",
            "info string network of chess: 32 hidden; trained",
            "option name Hash type spin default 16 min 1 max 1024",
            "readyok",
            "",
        ] {
            assert_eq!(reported_error(line), None, "{line}");
        }
    }

    #[test]
    fn rejects_unknown_options_and_invalid_values() {
        let error = |name, value| setoption(&options(), name, value).unwrap_err();
        assert_eq!(error("Hahs", "1"), "has no option `Hahs`; did you mean `Hash`?");
        assert_eq!(error("Contempt", "1"), "has no option `Contempt`");
        assert_eq!(error("Hash", "0"), "option Hash: found `0`, expected a number from 1 to 1024");
        assert_eq!(error("Ponder", "on"), "option Ponder: found `on`, expected `true` or `false`");
        assert_eq!(
            error("UCI_Variant", "gama2"),
            "option UCI_Variant: found `gama2`, expected one of its 3 values; did you mean `gamma2`?"
        );
        assert_eq!(EngineOption::parse_uci("info string option name X"), None);
    }
}
