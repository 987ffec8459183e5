//! The language of claims: a relation of formulas, such as `queen = rook + bishop + pawn`.
//! `docs/claims.md` describes it.
//!
//! The parser is a recursive descent by hand: one function for each level of precedence. It knows
//! no pieces and no games; [`terms`](super::terms) looks up the names.

/// Functions whose argument is not a formula but a list of words: starts or pieces.
const OF_WORDS: [&str; 4] = ["score", "white_score", "forced_mates", "color_bound"];

/// Bounds the depth of the recursion.
const MAX_LENGTH: usize = 1_000;

/// A relation of two formulas or more, with one sign between all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    pub sign: char,
    pub sides: Vec<Side>,
}

/// The largest number in a formula.
pub(super) const LARGEST: f64 = 1e12;

/// A side of a relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub text: String,
    pub formula: Node,
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its place in the text, in bytes.
    pub at: usize,
    pub part: Part,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Number(f64),
    /// A piece, or a measure of a game.
    Name(String),
    /// A function of formulas.
    Call(String, Vec<Node>),
    /// A function of words.
    OfWords(String, Vec<String>),
    /// A formula in another game, or at a phase of the game.
    In(String, Box<Node>),
    /// `+`, `-`, `*` or `/`.
    Binary(char, Box<[Node; 2]>),
}

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Place in the text, in bytes.
    pub at: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Relation {
    /// Parses a relation.
    ///
    /// # Errors
    /// If the text is not a relation.
    pub fn parse(text: &str) -> Result<Relation, Fault> {
        let mut parser = Parser { text, at: 0 };
        let length = text.chars().count();
        if length > MAX_LENGTH {
            let message = format!("found {length} characters, expected at most {MAX_LENGTH}");
            return Err(Fault { at: 0, message });
        }
        let mut sides = vec![parser.side()?];
        let sign = parser.one_of("<>=").ok_or_else(|| parser.fault("an operator or one of `<`, `>` and `=`"))?;
        loop {
            sides.push(parser.side()?);
            if parser.one_of(&sign.to_string()).is_none() {
                break;
            }
        }
        match parser.next() {
            None => Ok(Relation { sign, sides }),
            Some('<' | '>' | '=') => Err(parser.fault(&format!("the same sign `{sign}` in the whole relation"))),
            Some(_) => Err(parser.fault("an operator or the end")),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn side(&mut self) -> Result<Side, Fault> {
        let start = self.at;
        let formula = self.sum()?;
        let text = self.text[start..self.at].trim().to_owned();
        Ok(Side { text, formula })
    }

    fn sum(&mut self) -> Result<Node, Fault> {
        self.operations("+-", Parser::product)
    }

    fn product(&mut self) -> Result<Node, Fault> {
        self.operations("*/", Parser::factor)
    }

    /// Operands between operators of one precedence.
    fn operations(&mut self, operators: &str, operand: fn(&mut Self) -> Result<Node, Fault>) -> Result<Node, Fault> {
        let mut left = operand(self)?;
        while let Some(operator) = self.one_of(operators) {
            let part = Part::Binary(operator, Box::new([left.clone(), operand(self)?]));
            left = Node { at: left.at, part };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Node, Fault> {
        let next = self.next();
        let at = self.at;
        let part = match next {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.close()?;
                return Ok(inner);
            }
            Some('-') => {
                self.at += 1;
                let minus = Node { at, part: Part::Number(-1.0) };
                Part::Binary('*', Box::new([minus, self.factor()?]))
            }
            Some('\'') => {
                let end = self.text[at + 1..].find('\'').ok_or_else(|| self.fault("a name between two `'`"))?;
                self.at += end + 2;
                Part::Name(self.text[at + 1..at + 1 + end].to_owned())
            }
            Some(letter) if is_in_word(letter) => self.word()?,
            _ => return Err(self.fault("a piece, a measure, a number or `(`")),
        };
        Ok(Node { at, part })
    }

    /// What begins with a word: a number, a name, a function, or a formula in another game.
    fn word(&mut self) -> Result<Part, Fault> {
        let start = self.at;
        let word = self.skip(is_in_word).to_owned();
        if self.one_of(":").is_some() {
            return Ok(Part::In(word, Box::new(self.sum()?)));
        }
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            let percent = self.text[self.at..].starts_with('%');
            self.at += usize::from(percent);
            let number = word.parse::<f64>().map_err(|_| "a number or a piece");
            let number =
                number.and_then(|number| if number <= LARGEST { Ok(number) } else { Err("a number up to 1e12") });
            let number = number.map_err(|expected| {
                self.at = start;
                self.fault(expected)
            })?;
            return Ok(Part::Number(if percent { number / 100.0 } else { number }));
        }
        if self.next() != Some('(') {
            return Ok(Part::Name(word));
        }
        if OF_WORDS.contains(&word.as_str()) {
            self.at += 1;
            let words = self.skip(|letter| letter != ')').split_whitespace().map(str::to_owned).collect();
            self.close()?;
            return Ok(Part::OfWords(word, words));
        }
        let mut arguments = Vec::new();
        while self.one_of(if arguments.is_empty() { "(" } else { "," }).is_some() {
            arguments.push(self.sum()?);
        }
        self.close()?;
        Ok(Part::Call(word, arguments))
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.one_of(")").map(|_| ()).ok_or_else(|| self.fault("an operator or `)`"))
    }

    /// The next character that is no space.
    fn next(&mut self) -> Option<char> {
        self.skip(char::is_whitespace);
        self.text[self.at..].chars().next()
    }

    /// Passes the next character if it is one of these.
    fn one_of(&mut self, characters: &str) -> Option<char> {
        let next = self.next().filter(|&next| characters.contains(next))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn fault(&mut self, expected: &str) -> Fault {
        let found = match self.next() {
            None => "the end".to_owned(),
            Some(letter) if !is_in_word(letter) => format!("`{letter}`"),
            Some(_) => {
                let at = self.at;
                let word = self.skip(is_in_word).to_owned();
                self.at = at;
                format!("`{word}`")
            }
        };
        Fault { at: self.at, message: format!("found {found}, expected {expected}") }
    }
}

/// Names of games have hyphens, so a minus sign needs spaces around it. Numbers count as words.
fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula with all its parentheses.
    fn text(node: &Node) -> String {
        match &node.part {
            Part::Number(number) => number.to_string(),
            Part::Name(name) => name.clone(),
            Part::Call(name, arguments) => {
                format!("{name}({})", arguments.iter().map(text).collect::<Vec<_>>().join(", "))
            }
            Part::OfWords(name, words) => format!("{name}({})", words.join(" ")),
            Part::In(name, inner) => format!("[{name}: {}]", text(inner)),
            Part::Binary(operator, operands) => format!("({} {operator} {})", text(&operands[0]), text(&operands[1])),
        }
    }

    #[test]
    fn operators_have_precedence_and_games_reach_to_the_end() {
        for (formula, expected) in [
            ("a + b * c - d / e", "((a + (b * c)) - (d / e))"),
            ("(a + b) * -2 / 3.5", "(((a + b) * (-1 * 2)) / 3.5)"),
            ("a / chess: b / c", "(a / [chess: (b / c)])"),
            ("(gamma2-commoner: a + b) - full: c", "([gamma2-commoner: (a + b)] - [full: c])"),
            ("mean(a, 2 * b) - 12.5%", "(mean(a, (2 * b)) - 0.125)"),
            ("score(14+bishop:d2:d4,e4 14)", "score(14+bishop:d2:d4,e4 14)"),
            ("'war elephant' / white_score", "(war elephant / white_score)"),
        ] {
            let relation = Relation::parse(&format!("{formula} = 1")).unwrap();
            assert_eq!(text(&relation.sides[0].formula), expected);
            assert_eq!(relation.sides[0].text, formula);
        }
        let chain = Relation::parse(" a<b <  c + d").unwrap();
        let sides: Vec<&str> = chain.sides.iter().map(|side| side.text.as_str()).collect();
        assert_eq!((chain.sign, sides), ('<', vec!["a", "b", "c + d"]));
    }

    #[test]
    fn errors_name_place_and_expectation() {
        for (formula, at, message) in [
            ("", 0, "found the end, expected a piece, a measure, a number or `(`"),
            ("queen", 5, "found the end, expected an operator or one of `<`, `>` and `=`"),
            ("queen rook", 6, "found `rook`, expected an operator or one of `<`, `>` and `=`"),
            ("queen = ", 8, "found the end, expected a piece, a measure, a number or `(`"),
            ("queen = rook pawn", 13, "found `pawn`, expected an operator or the end"),
            ("a < b > c", 6, "found `>`, expected the same sign `<` in the whole relation"),
            ("(a + b = c", 7, "found `=`, expected an operator or `)`"),
            ("mean(a b) = c", 7, "found `b`, expected an operator or `)`"),
            ("mean() = c", 5, "found `)`, expected a piece, a measure, a number or `(`"),
            ("score(14 = c", 12, "found the end, expected an operator or `)`"),
            ("a = 1.2.3", 4, "found `1.2.3`, expected a number or a piece"),
            ("a < 1e400", 4, "found `1e400`, expected a number up to 1e12"),
            ("a = 1e13 / a", 4, "found `1e13`, expected a number up to 1e12"),
            ("a = 'b", 4, "found `'`, expected a name between two `'`"),
            ("a = é§", 6, "found `§`, expected an operator or the end"),
        ] {
            let fault = Relation::parse(formula).unwrap_err();
            assert_eq!((fault.at, fault.message.as_str()), (at, message), "{formula}");
        }
    }
}
