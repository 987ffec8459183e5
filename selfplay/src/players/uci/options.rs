//! The options that a program offers, and whether a value fits.

use thiserror::Error;

/// An option as a program advertises it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub sort: Sort,
}

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `true` or `false`.
    Check,
    /// A whole number, with its range where one is given.
    Spin(Option<i64>, Option<i64>),
    /// One of several texts.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The program does not offer it.
    #[error("has no option `{name}`{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What it may have been meant to be.
        near: Option<String>,
    },
    /// The value does not fit.
    #[error("option {name}: found `{found}`, expected {expected}")]
    Value {
        /// The option.
        name: String,
        /// The value.
        found: String,
        /// What would fit.
        expected: String,
    },
}

impl Offered {
    /// Reads a line `option name NAME type TYPE ...`.
    pub fn parse(line: &str) -> Option<Offered> {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (sort, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |key: &str| {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let sort = match sort {
            "check" => Sort::Check,
            "spin" => Sort::Spin(number("min"), number("max")),
            "combo" => {
                // Values may hold blanks.
                let padded = format!(" {rest} ");
                Sort::Combo(
                    padded
                        .split(" var ")
                        .skip(1)
                        .map(|value| value.trim().to_owned())
                        .collect(),
                )
            }
            "button" => Sort::Button,
            _ => Sort::Text,
        };
        Some(Offered {
            name: name.trim().to_owned(),
            sort,
        })
    }

    /// Does the value fit?
    fn check(&self, value: &str) -> Result<(), OptionError> {
        let expected = match &self.sort {
            Sort::Check if value == "true" || value == "false" => return Ok(()),
            Sort::Check => "`true` or `false`".to_owned(),
            Sort::Spin(least, most) => {
                let fits =
                    |number: i64| least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
                if value.parse().is_ok_and(fits) {
                    return Ok(());
                }
                match (least, most) {
                    (Some(least), Some(most)) => format!("a number from {least} to {most}"),
                    _ => "a number".to_owned(),
                }
            }
            Sort::Combo(values) if values.iter().any(|known| known.eq_ignore_ascii_case(value)) => return Ok(()),
            Sort::Combo(values) => match near(value, values.iter().map(String::as_str)) {
                Some(near) => format!("one of its {} values; did you mean `{near}`?", values.len()),
                None if values.len() <= 12 => format!("one of {}", values.join(", ")),
                None => format!("one of its {} values", values.len()),
            },
            Sort::Button | Sort::Text => return Ok(()),
        };
        Err(OptionError::Value {
            name: self.name.clone(),
            found: value.to_owned(),
            expected,
        })
    }
}

/// Finds an option by its name, in any case.
pub fn find<'o>(offered: &'o [Offered], name: &str) -> Option<&'o Offered> {
    offered.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The line that sets an option.
///
/// # Errors
/// When the program does not offer it, or the value does not fit.
pub fn set(offered: &[Offered], name: &str, value: &str) -> Result<String, OptionError> {
    let option = find(offered, name).ok_or_else(|| OptionError::Unknown {
        name: name.to_owned(),
        near: near(name, offered.iter().map(|option| option.name.as_str())),
    })?;
    option.check(value)?;
    Ok(match option.sort {
        Sort::Button => format!("setoption name {}", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    })
}

/// The known word that is most like this one, if one is like it at all.
pub fn near<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    let lower = word.to_lowercase();
    let (likeness, near) = known
        .map(|known| (strsim::jaro_winkler(&lower, &known.to_lowercase()), known))
        .max_by(|(left, _), (right, _)| left.total_cmp(right))?;
    (likeness > 0.8).then(|| near.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<Offered> {
        [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name UCI_Variant type combo default chess var chess var gamma2 var king of the hill",
            "option name VariantPath type string default <empty>",
        ]
        .iter()
        .map(|line| Offered::parse(line).unwrap())
        .collect()
    }

    #[test]
    fn fitting_values_are_set() {
        let set = |name, value| set(&offered(), name, value).unwrap();
        assert_eq!(set("hash", "64"), "setoption name Hash value 64");
        assert_eq!(set("Clear Hash", ""), "setoption name Clear Hash");
        assert_eq!(
            set("UCI_Variant", "king of the hill"),
            "setoption name UCI_Variant value king of the hill"
        );
        assert_eq!(set("VariantPath", "a.ini"), "setoption name VariantPath value a.ini");
    }

    #[test]
    fn others_are_refused_with_a_reason() {
        let refused = |name, value| set(&offered(), name, value).unwrap_err().to_string();
        assert_eq!(refused("Hahs", "1"), "has no option `Hahs`; did you mean `Hash`?");
        assert_eq!(refused("Contempt", "1"), "has no option `Contempt`");
        assert_eq!(
            refused("Hash", "0"),
            "option Hash: found `0`, expected a number from 1 to 1024"
        );
        assert_eq!(
            refused("Ponder", "on"),
            "option Ponder: found `on`, expected `true` or `false`"
        );
        assert_eq!(
            refused("UCI_Variant", "gama2"),
            "option UCI_Variant: found `gama2`, expected one of its 3 values; did you mean `gamma2`?"
        );
        assert_eq!(Offered::parse("info string option name X"), None);
    }
}
