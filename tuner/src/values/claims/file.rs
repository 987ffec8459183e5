//! Claims files: statements of a document about a game, each with a formula. `docs/claims.md`
//! describes the format.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_rules::Kind;
use assay_rules::def::{BUILTIN_FILES, DefError, parse_toml};
use assay_selfplay::settings::GameSource;
use serde::Deserialize;
use toml::{Spanned, Table};

use super::formula::{Fault, LARGEST, Node, Part, Relation, Side};
use super::terms::Names;
use super::{Claimed, Comparison, Measured, StatedAs, Statement};
use crate::values::inference::{Quantity, max_width};

/// The longest label in a table of a report, in characters.
const MAX_LABEL: usize = 120;

/// The longest quote in a table of a report, in characters.
const MAX_TITLE: usize = 80;

/// Differences from ratios of published values that count as none: the values are points for
/// counting material, so they are rounded.
const POINTS: &str = "10%";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    document: Option<Spanned<String>>,
    #[serde(default)]
    games: BTreeMap<Spanned<String>, Table>,
    #[serde(default)]
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Claim {
    quote: Spanned<String>,
    #[serde(rename = "claim")]
    formula: Spanned<String>,
    #[serde(default)]
    each: Vec<Spanned<String>>,
    label: Option<Spanned<String>>,
    within: Option<Spanned<Within>>,
    /// A condition on the games; if it does not hold, the claim is not tested.
    needs: Option<Spanned<String>>,
    #[serde(default)]
    stated_as: StatedAs,
}

/// A difference that counts as none.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Within {
    Number(f64),
    /// A share of the number claimed, such as `5%`.
    Share(String),
}

/// The claims about a game.
#[derive(Clone, Debug)]
pub struct GameClaims {
    pub source: GameSource,
    /// The games that the claims file defines.
    pub defined: Vec<GameSource>,
    pub statements: Vec<Statement>,
}

impl GameClaims {
    /// Reads a claims file; `file` is its name in error messages.
    ///
    /// # Errors
    /// If the file is malformed, or a formula cannot be tested: it refers to a piece, game or start that does not exist, or no games
    /// could decide it.
    pub fn parse(text: &str, file: &str, source: GameSource) -> Result<GameClaims, DefError> {
        let ClaimsFile { document, games, claims } = parse_toml(text, file)?;
        let at = |byte: usize, key: &str, message: String| DefError::at(file, text, Some(byte), Some(key), message);
        let mut found = GameClaims { defined: Vec::new(), statements: Vec::new(), source };
        for (name, table) in games {
            let key = format!("games.{}", name.get_ref());
            let game = found.defined_game(name.get_ref(), table);
            found.defined.push(game.map_err(|message| at(name.span().start, &key, message))?);
        }
        if claims.is_empty() {
            return Ok(found);
        }
        let expected = "expected the title or address of the document that is quoted";
        let Some(document) = document else {
            let message = format!("missing: {expected}");
            return Err(DefError::at(file, text, None, Some("document"), message));
        };
        if document.get_ref().trim().is_empty() {
            let message = format!("found a blank text, {expected}");
            return Err(at(document.span().start, "document", message));
        }
        for claim in claims {
            if claim.quote.get_ref().trim().is_empty() {
                let message = "found a blank text, expected the words of the document".to_owned();
                return Err(at(claim.quote.span().start, "claims.quote", message));
            }
            let statement = found.claimed(&claim, document.get_ref());
            let statement = statement.map_err(|(key, fault)| {
                let formula = claim.needs.as_ref().filter(|_| key == "needs").unwrap_or(&claim.formula);
                let span = match key {
                    "within" => claim.within.as_ref().map(Spanned::span),
                    "label" => claim.label.as_ref().map(Spanned::span),
                    "each" => claim.each.first().map(Spanned::span),
                    _ => None,
                };
                let span = span.unwrap_or_else(|| formula.span());
                // An escaped text differs from that of the file. Then the place is its beginning.
                let written = text.get(span.clone()).and_then(|written| written.find(formula.get_ref()));
                let byte = span.start + written.map_or(0, |start| start + fault.at);
                at(byte, &format!("claims.{key}"), fault.message)
            })?;
            match found.statements.last_mut() {
                Some(last) if last.quote == statement.quote && last.stated_as == statement.stated_as => {
                    last.claim = title(&last.quote);
                    last.parts.extend(statement.parts);
                    last.needs.extend(statement.needs);
                }
                _ => found.statements.push(statement),
            }
        }
        Ok(found)
    }

    /// The claims about a built-in game; none if its document claims nothing that games can test.
    ///
    /// # Panics
    /// Panics if the built-in claims file is invalid, which the tests rule out.
    pub fn builtin(source: GameSource) -> GameClaims {
        let files = BUILTIN_FILES.iter().find(|files| files.name == source.game.name);
        let (name, text) = files.map_or(("", ""), |files| (files.name, files.claims));
        GameClaims::parse(text, &format!("{name}.claims.toml"), source).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The claims about a game without a claims file: the values in its definition, if there are
    /// any.
    pub fn of_definition(source: GameSource) -> GameClaims {
        let mut claims = GameClaims { source, defined: Vec::new(), statements: Vec::new() };
        claims.statements.extend(claims.published(None));
        claims
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.source.game.name
    }

    /// The game, and those that its claims define.
    pub fn sources(&self) -> impl Iterator<Item = &GameSource> {
        self.defined.iter().chain([&self.source])
    }

    /// A game that the file defines. Its title is its name unless it has another.
    fn defined_game(&self, name: &str, table: Table) -> Result<GameSource, String> {
        if name == self.source.game.name {
            return Err("found the name of the game of the claims, expected another name".to_owned());
        }
        let mut definition = Table::new();
        for key in ["name", "title"] {
            definition.insert(key.to_owned(), name.into());
        }
        definition.extend(table);
        // Line and column would refer to another text.
        let source = GameSource::from_text(definition.to_string(), "");
        source.map_err(|error| error.key.map_or_else(String::new, |key| format!("{key}: ")) + &error.message)
    }

    /// The statement of a claim. An error has the key to which it belongs.
    fn claimed(&self, claim: &Claim, document: &str) -> Result<Statement, (&'static str, Fault)> {
        let fault = |key, message: String| (key, Fault { at: 0, message });
        let within = claim.within.as_ref().map(Spanned::get_ref);
        let label = claim.label.as_ref().map(|label| label.get_ref().trim());
        let length = label.map_or(1, |label| label.chars().count());
        if !(1..=MAX_LABEL).contains(&length) {
            let message = format!("found {length} characters, expected 1 to {MAX_LABEL}");
            return Err(fault("label", message));
        }
        let statement = match claim.formula.get_ref().as_str() {
            "published" if label.is_some() || !claim.each.is_empty() => {
                let message = "found `published` with `label` or `each`, expected at most `within`".to_owned();
                return Err(fault("claim", message));
            }
            "published" => self.published(within)?,
            "fair_starts" => {
                let starts = self.source.game.starts.iter();
                let scores: Vec<String> = starts.map(|start| format!("white_score({})", start.id)).collect();
                let formula = scores.join(" = ");
                self.statement(&formula, &claim.each, label, within)?
            }
            formula => self.statement(formula, &claim.each, label, within)?,
        };
        let needs = claim.needs.as_ref().map(|formula| {
            let needs = self.statement(formula.get_ref(), &[], None, None).map_err(|(_, fault)| ("needs", fault))?;
            Ok(needs.parts)
        });
        Ok(Statement {
            needs: needs.transpose()?.unwrap_or_default(),
            quote: claim.quote.get_ref().clone(),
            document: document.to_owned(),
            stated_as: claim.stated_as,
            ..statement
        })
    }

    /// A statement without its source. With `each`, it compares several pieces.
    fn statement(
        &self,
        formula: &str,
        each: &[Spanned<String>],
        label: Option<&str>,
        within: Option<&Within>,
    ) -> Result<Statement, (&'static str, Fault)> {
        let relation = Relation::parse(formula).map_err(|fault| ("claim", fault))?;
        let is_chain = relation.sides.len() > 2;
        let pieces: Vec<Option<&str>> = each.iter().map(|piece| Some(piece.get_ref().as_str())).collect();
        let mut parts = Vec::new();
        for piece in if pieces.is_empty() { &[None][..] } else { &pieces } {
            for two in relation.sides.windows(2) {
                let mut comparison = self.compare(relation.sign, (&two[0], &two[1]), *piece, within)?;
                match label {
                    Some(label) if is_chain => comparison.label = format!("{label} ({})", comparison.formula),
                    Some(label) => comparison.label = with_piece(label, piece.map(|piece| format!("the {piece}"))),
                    None => {}
                }
                parts.push(comparison);
            }
        }
        Ok(Statement { claim: label.unwrap_or(formula).to_owned(), parts, ..Statement::of_definition() })
    }

    fn compare(
        &self,
        sign: char,
        sides: (&Side, &Side),
        each: Option<&str>,
        within: Option<&Within>,
    ) -> Result<Comparison, (&'static str, Fault)> {
        let fault = |key, message: String| {
            let at = if key == "claim" { sides.1.formula.at } else { 0 };
            (key, Fault { at, message })
        };
        let names = Names {
            known: self.sources().cloned().collect(),
            each: each.map(str::to_owned),
            game: Arc::clone(&self.source.game),
            left: None,
        };
        let mut terms = Vec::new();
        // Before there are games, any number that is no constant will do.
        let mut evaluate = |side: &Side| {
            names.evaluate(&side.formula, &mut |term| {
                terms.push(term);
                Ok(Quantity::single(1.0, 1.0, 2, 0))
            })
        };
        let (_, unit) = evaluate(sides.0).map_err(|fault| ("claim", fault))?;
        let (right, other) = evaluate(sides.1).map_err(|fault| ("claim", fault))?;
        if unit != other {
            let found = "found values of pieces compared with numbers or with those of another game";
            return Err(fault("claim", format!("{found}, expected ratios of values, or their log_odds")));
        }
        if terms.is_empty() {
            return Err(fault("claim", "found numbers only, expected a piece or a measure".to_owned()));
        }
        let (share, number) = match within {
            None => (None, None),
            Some(Within::Number(number)) => (None, Some(*number)),
            Some(Within::Share(text)) => {
                let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
                let message = || format!("found `{text}`, expected a number or a percentage such as `5%`");
                (Some(percent.ok_or_else(|| fault("within", message()))? / 100.0), None)
            }
        };
        let (measured, value) = match () {
            () if right.is_constant() => (Measured::Left, right.value),
            () if unit.is_some() || share.is_some() => (Measured::Ratio, 1.0),
            () => (Measured::Difference, 0.0),
        };
        if right.is_constant() && !(right.is_determined() && right.value.abs() <= LARGEST) {
            return Err(fault("claim", "found a division by zero, or a number beyond 1e12".to_owned()));
        }
        let within = number.or(share.map(|share| share * value.abs()));
        if let Some(within) = within.filter(|&within| !(within > 0.0 && within <= LARGEST)) {
            let found = if within > LARGEST { format!("{within:e}") } else { within.to_string() };
            return Err(fault("within", format!("found {found}, expected more than 0 and at most 1e12")));
        }
        let margin = within.unwrap_or(0.0);
        let formula = format!("{} {sign} {}", sides.0.text, sides.1.text);
        let formula = with_piece(&formula, each.map(str::to_owned));
        Ok(Comparison {
            label: formula.clone(),
            formula,
            sides: [sides.0.formula.clone(), sides.1.formula.clone()],
            names,
            terms,
            measured,
            claimed: match (sign, within) {
                ('>', _) => Claimed::MoreThan { value, margin },
                ('<', _) => Claimed::LessThan { value, margin },
                (_, Some(within)) => Claimed::Near { value, within },
                (_, None) => Claimed::Equal { value, max_width: max_width(value) },
            },
        })
    }

    /// The statement that the values of the definition are right as points for counting material:
    /// the ratio of each piece to the one below it. A value that is also given rounded may be
    /// anything between both numbers.
    fn published(&self, within: Option<&Within>) -> Result<Statement, (&'static str, Fault)> {
        let game = &self.source.game;
        let points = |kind: Kind| {
            let (piece, value) = (game.kind(kind), game.kind(kind).value?);
            let rounded = piece.rounded.unwrap_or(value);
            Some((piece.name.clone(), value, [value.min(rounded), value.max(rounded)]))
        };
        let pieces = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king());
        let mut pieces: Vec<_> = pieces.filter_map(points).collect();
        pieces.sort_by(|one, other| other.1.total_cmp(&one.1));
        let default = Within::Share(POINTS.to_owned());
        let within = within.unwrap_or(&default);
        let ratio = |text: String, parts: [Part; 2]| {
            let operands = parts.map(|part| Node { at: 0, part });
            Side { text, formula: Node { at: 0, part: Part::Binary('/', Box::new(operands)) } }
        };
        let mut parts = Vec::new();
        for two in pieces.windows(2) {
            let [(piece, value, range), (lower, unit, units)] = two else {
                continue;
            };
            let names = [piece, lower].map(|name| Part::Name(name.clone()));
            let measured = ratio(format!("{} / {}", quoted(piece), quoted(lower)), names);
            let claimed = ratio(format!("{value} / {unit}"), [*value, *unit].map(Part::Number));
            let mut part = self.compare('=', (&measured, &claimed), None, Some(within))?;
            if let Claimed::Near { value, within } = &mut part.claimed {
                let (low, high) = (range[0] / units[1] - *within, range[1] / units[0] + *within);
                (*value, *within) = (f64::midpoint(low, high), (high - low) / 2.0);
            }
            parts.push(part);
        }
        if parts.is_empty() {
            let message = format!(
                "found fewer than two values in the definition of {}, expected at least two besides the king's",
                game.name
            );
            return Err(("claim", Fault { at: 0, message }));
        }
        Ok(Statement {
            claim: "relative to each other, pieces are worth what is published".to_owned(),
            parts,
            ..Statement::of_definition()
        })
    }
}

impl Statement {
    /// A statement of a definition instead of a document, without a claim yet.
    fn of_definition() -> Statement {
        Statement {
            claim: String::new(),
            quote: "the values in the definition".to_owned(),
            document: "the definition".to_owned(),
            stated_as: StatedAs::Table,
            needs: Vec::new(),
            parts: Vec::new(),
        }
    }
}

/// A quote, or its beginning, as the name of a statement.
fn title(quote: &str) -> String {
    let quote = quote.trim();
    let Some((end, _)) = quote.char_indices().nth(MAX_TITLE) else {
        return format!("\u{201c}{quote}\u{201d}");
    };
    let words = quote[..end].rsplit_once(char::is_whitespace).map_or(&quote[..end], |(words, _)| words);
    format!("\u{201c}{words} ...\u{201d}")
}

/// A text about `each` for one piece: the word, not other words that contain it.
fn with_piece(text: &str, piece: Option<String>) -> String {
    let Some(piece) = piece else { return text.to_owned() };
    let is_in_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let (mut named, mut end) = (String::new(), 0);
    for (start, word) in text.match_indices("each") {
        let around = [text[..start].chars().next_back(), text[start + word.len()..].chars().next()];
        if !around.into_iter().flatten().any(is_in_word) {
            named += &text[end..start];
            named += &piece;
            end = start + word.len();
        }
    }
    named + &text[end..]
}

/// A name in a formula.
fn quoted(name: &str) -> String {
    let is_word = name.chars().all(char::is_alphabetic) && name != "each";
    if is_word { name.to_owned() } else { format!("'{name}'") }
}
