//! From the text to its structure.

use super::ast::{Atom, Direction, Flag, Repeat, Side, Span, Spanned, Term};
use super::error::{BetzaErrorKind, SpannedError};
use super::{MAX_LEAP, MAX_RANGE};

/// The terms of `text`, in its order; at least one.
pub(super) fn terms(text: &str) -> Result<Vec<Term>, SpannedError> {
    let mut reader = Reader { text, at: 0 };
    let mut terms = Vec::new();
    while reader.peek().is_some() {
        terms.push(reader.term()?);
    }
    if terms.is_empty() {
        return Err(SpannedError::new(BetzaErrorKind::Empty, Span::new(0, 0)));
    }
    Ok(terms)
}

/// A place in the text.
struct Reader<'a> {
    text: &'a str,
    /// In bytes, always between characters.
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next character, not taken.
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The character after the next one.
    fn peek_second(&self) -> Option<char> {
        self.text[self.at..].chars().nth(1)
    }

    /// Takes the next character.
    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// From `start` to here.
    fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The fault of `kind` at the next character, or at the end.
    fn fault_here(&self, kind: BetzaErrorKind) -> SpannedError {
        SpannedError::new(
            kind,
            Span::new(self.at, self.at + self.peek().map_or(0, char::len_utf8)),
        )
    }

    /// Modifiers, atom, range.
    fn term(&mut self) -> Result<Term, SpannedError> {
        let mut flags: Vec<Spanned<Flag>> = Vec::new();
        let mut directions = Vec::new();
        while let Some(letter) = self.peek() {
            if letter == 'h' || Side::from_letter(letter).is_some() {
                if !directions.is_empty() {
                    return Err(self.fault_here(BetzaErrorKind::ScatteredDirections { found: letter }));
                }
                directions = self.directions()?;
            } else if let Some(flag) = Flag::from_letter(letter) {
                if flags.iter().any(|written| written.node == flag) {
                    return Err(self.fault_here(BetzaErrorKind::Repeated { found: letter }));
                }
                let start = self.at;
                self.take();
                flags.push(Spanned {
                    node: flag,
                    span: self.since(start),
                });
            } else {
                break;
            }
        }
        let start = self.at;
        let atom = self.atom()?;
        let atom = Spanned {
            node: atom,
            span: self.since(start),
        };
        let repeat = self.repeat(atom)?;
        Ok(Term {
            flags,
            directions,
            atom,
            repeat,
        })
    }

    /// All direction letters that stand side by side, in groups.
    fn directions(&mut self) -> Result<Vec<Spanned<Direction>>, SpannedError> {
        let mut groups = Vec::new();
        loop {
            let start = self.at;
            let node = match self.peek() {
                Some('h') => self.turning()?,
                letter => match letter.and_then(Side::from_letter) {
                    Some(side) => self.sides(side)?,
                    None => return Ok(groups),
                },
            };
            groups.push(Spanned {
                node,
                span: self.since(start),
            });
        }
    }

    /// The group that begins with the letter of `side`: the longest of the forms `fh`, `fl`, `ff`, `f`.
    fn sides(&mut self, side: Side) -> Result<Direction, SpannedError> {
        self.take();
        let next = self.peek();
        if next == Some('h') {
            if side.is_double() {
                return Err(self.fault_here(BetzaErrorKind::HalfAlone));
            }
            self.take();
            return Ok(Direction::Half(side));
        }
        match next.and_then(Side::from_letter) {
            Some(second) if second.is_vertical() != side.is_vertical() => {
                self.take();
                Ok(Direction::Pair(side, second))
            }
            Some(second) if second == side => {
                self.take();
                Ok(Direction::Alone(side))
            }
            _ => Ok(Direction::Alone(side)),
        }
    }

    /// `hl` or `hr`.
    fn turning(&mut self) -> Result<Direction, SpannedError> {
        let hand = match self.peek_second() {
            Some('l') => Side::Left,
            Some('r') => Side::Right,
            _ => return Err(self.fault_here(BetzaErrorKind::HalfAlone)),
        };
        self.take();
        self.take();
        Ok(Direction::Turning(hand))
    }

    /// A capital, or a leap in parentheses.
    fn atom(&mut self) -> Result<Atom, SpannedError> {
        let Some(found) = self.peek() else {
            return Err(self.fault_here(BetzaErrorKind::MissingAtom));
        };
        if found == '(' {
            return self.leap();
        }
        let Some(atom) = Atom::from_letter(found) else {
            return Err(self.fault_here(match found {
                'A'..='Z' => BetzaErrorKind::UnknownAtom { found },
                'a' | 'd' | 'g' | 'j' | 'k' | 'o' | 'q' | 't' | 'u' | 'x' | 'y' | 'z' => {
                    BetzaErrorKind::UnsupportedModifier { found }
                }
                'a'..='z' => BetzaErrorKind::UnknownModifier { found },
                '[' | ']' | '-' => BetzaErrorKind::SeveralLegs { found },
                '0'..='9' => BetzaErrorKind::MisplacedNumber,
                _ => BetzaErrorKind::UnknownCharacter { found },
            }));
        };
        self.take();
        Ok(atom)
    }

    /// A leap in parentheses, the components in either order.
    fn leap(&mut self) -> Result<Atom, SpannedError> {
        let start = self.at;
        self.expect('(', "an opening parenthesis")?;
        let one = self.component()?;
        self.expect(',', "a comma")?;
        let other = self.component()?;
        self.expect(')', "a closing parenthesis")?;
        if one == 0 && other == 0 {
            return Err(SpannedError::new(BetzaErrorKind::NullLeap, self.since(start)));
        }
        Ok(Atom::Leap {
            short: one.min(other),
            long: one.max(other),
        })
    }

    /// Takes `wanted`, or says that it is missing.
    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), SpannedError> {
        let found = self.peek();
        if found != Some(wanted) {
            return Err(self.fault_here(BetzaErrorKind::MalformedLeap { expected, found }));
        }
        self.take();
        Ok(())
    }

    /// One number of a leap.
    fn component(&mut self) -> Result<i8, SpannedError> {
        let start = self.at;
        let digits = self.digits();
        if digits.is_empty() {
            let found = self.peek();
            return Err(self.fault_here(BetzaErrorKind::MalformedLeap {
                expected: "a number",
                found,
            }));
        }
        // What does not even fit the type is too long as well.
        digits
            .parse()
            .ok()
            .filter(|&component| component <= MAX_LEAP)
            .ok_or_else(|| SpannedError::new(BetzaErrorKind::LeapTooLong, self.since(start)))
    }

    /// Takes all digits that come next.
    fn digits(&mut self) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.take();
        }
        &self.text[start..self.at]
    }

    /// The doubled letter or the number after `atom`.
    fn repeat(&mut self, atom: Spanned<Atom>) -> Result<Option<Spanned<Repeat>>, SpannedError> {
        let start = self.at;
        let letter = self.text[atom.span.start..atom.span.end].chars().next();
        // Only a capital doubles; `OO` is castling twice, which the meaning refuses.
        let doubled = atom.node != Atom::Castling && letter != Some('(') && self.peek() == letter;
        if doubled {
            let has_no_limit = matches!(atom.node, Atom::Queen | Atom::Rook | Atom::Bishop);
            if has_no_limit {
                return Err(self.fault_here(BetzaErrorKind::RangeTwice));
            }
            self.take();
            let span = self.since(start);
            let number = self.at;
            if !self.digits().is_empty() {
                return Err(SpannedError::new(BetzaErrorKind::RangeTwice, self.since(number)));
            }
            return Ok(Some(Spanned {
                node: Repeat::Doubled,
                span,
            }));
        }
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(None);
        }
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        let number = digits.parse().ok().filter(|&number| number <= MAX_RANGE);
        let span = self.since(start);
        if leading_zero {
            return Err(SpannedError::new(BetzaErrorKind::LeadingZero, span));
        }
        let number = number.ok_or(SpannedError::new(BetzaErrorKind::RangeTooLarge, span))?;
        Ok(Some(Spanned {
            node: Repeat::Number(number),
            span,
        }))
    }
}
