//! Parser: from text to the syntax tree.

use super::ast::{Atom, Direction, Flag, Leg, Side, Span, Spanned, Term};
use super::error::SpannedError;
use super::{MAX_LEAP, MAX_LEGS, MAX_RANGE};

/// The atoms, as messages list them.
const ATOMS: &str = "W F D N A H C L J Z G K Q R B O or a leap like (4,1)";
/// The modifiers, as messages list them.
const MODIFIERS: &str = "m c e i n p g y z q a and the directions f b l r v s h";
/// Message for an `h` that is not part of a group.
const MISPLACED_HALF: &str = "found `h` alone, expected fh bh lh rh (half of the leaps) or hl hr (four rotations)";
/// Message for a second range on an atom.
const DUPLICATE_RANGE: &str = "found a second range: a doubled letter, R, B and Q already have no limit";

/// Parses all terms; at least one.
pub(super) fn parse_terms(text: &str) -> Result<Vec<Term>, SpannedError> {
    let mut parser = Parser { text, offset: 0 };
    let mut terms = Vec::new();
    while parser.peek().is_some() {
        terms.push(parser.parse_term()?);
    }
    if terms.is_empty() {
        return Err(SpannedError::new(format!("found nothing, expected an atom: {ATOMS}"), Span::new(0, 0)));
    }
    Ok(terms)
}

/// Recursive descent parser.
struct Parser<'a> {
    text: &'a str,
    /// In bytes, always between characters.
    offset: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.text[self.offset..].chars().nth(1)
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.offset += next.len_utf8();
        Some(next)
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.offset)
    }

    /// Error at the next character or at the end.
    fn error_here(&self, message: impl Into<String>) -> SpannedError {
        SpannedError::new(message, Span::new(self.offset, self.offset + self.peek().map_or(0, char::len_utf8)))
    }

    fn parse_term(&mut self) -> Result<Term, SpannedError> {
        let (mut first_legs, mut last_leg) = (Vec::new(), Leg::default());
        while let Some(letter) = self.peek() {
            if letter == 'h' || Side::from_letter(letter).is_some() {
                if !last_leg.directions.is_empty() {
                    let found = format!("found `{letter}` apart from the other directions");
                    let message = format!("{found}, expected the directions of an atom to be contiguous");
                    return Err(self.error_here(message));
                }
                last_leg.directions = self.parse_directions()?;
            } else if letter == 'a' {
                if first_legs.len() + 1 == MAX_LEGS {
                    let message = format!("found more than {MAX_LEGS} legs, expected at most {MAX_LEGS}");
                    return Err(self.error_here(message));
                }
                self.bump();
                first_legs.push(std::mem::take(&mut last_leg));
            } else if let Some(flag) = Flag::from_letter(letter) {
                if last_leg.flag(flag).is_some() {
                    let expected = "each modifier at most once before an atom or `a`";
                    return Err(self.error_here(format!("found `{letter}` a second time, expected {expected}")));
                }
                let start = self.offset;
                self.bump();
                last_leg.flags.push(Spanned { node: flag, span: self.span_from(start) });
            } else {
                break;
            }
        }
        let start = self.offset;
        let atom = self.parse_atom()?;
        let atom = Spanned { node: atom, span: self.span_from(start) };
        let range = self.parse_range(atom)?;
        Ok(Term { first_legs, last_leg, atom, range })
    }

    /// Parses contiguous direction letters into groups.
    fn parse_directions(&mut self) -> Result<Vec<Spanned<Direction>>, SpannedError> {
        let mut groups = Vec::new();
        loop {
            let start = self.offset;
            let node = match self.peek() {
                Some('h') => self.parse_rotational()?,
                letter => match letter.and_then(Side::from_letter) {
                    Some(side) => self.parse_group(side)?,
                    None => return Ok(groups),
                },
            };
            groups.push(Spanned { node, span: self.span_from(start) });
        }
    }

    /// Parses the longest group that begins with `side`: `fh`, `fl`, `ff` or `f`.
    fn parse_group(&mut self, side: Side) -> Result<Direction, SpannedError> {
        self.bump();
        let next = self.peek();
        if next == Some('h') {
            if side.is_double() {
                return Err(self.error_here(MISPLACED_HALF));
            }
            self.bump();
            return Ok(Direction::Half(side));
        }
        match next.and_then(Side::from_letter) {
            Some(second) if second.is_vertical() != side.is_vertical() => {
                self.bump();
                Ok(Direction::Pair(side, second))
            }
            Some(second) if second == side => {
                self.bump();
                Ok(Direction::Single(side))
            }
            _ => Ok(Direction::Single(side)),
        }
    }

    /// Parses `hl` or `hr`.
    fn parse_rotational(&mut self) -> Result<Direction, SpannedError> {
        let hand = match self.peek_second() {
            Some('l') => Side::Left,
            Some('r') => Side::Right,
            _ => return Err(self.error_here(MISPLACED_HALF)),
        };
        self.bump();
        self.bump();
        Ok(Direction::Rotational(hand))
    }

    fn parse_atom(&mut self) -> Result<Atom, SpannedError> {
        let Some(found) = self.peek() else {
            return Err(self.error_here(format!("found the end after modifiers, expected an atom: {ATOMS}")));
        };
        if found == '(' {
            return self.parse_leap();
        }
        let Some(atom) = Atom::from_letter(found) else {
            return Err(self.error_here(match found {
                'A'..='Z' => format!("unknown atom `{found}`, expected {ATOMS}"),
                'd' | 'j' | 'k' | 'o' | 't' | 'u' | 'x' => {
                    format!("modifier `{found}` is not supported{} (supported: {MODIFIERS})", reason(found))
                }
                'a'..='z' => format!("unknown modifier `{found}`, expected {MODIFIERS}"),
                '[' | ']' | '-' => {
                    let part = format!("`{found}` is part of a move in brackets, which is not supported");
                    format!("{part}: expected legs with `a`, like mafsW")
                }
                '0'..='9' => "found a number, expected an atom or a modifier: a range follows its atom".to_owned(),
                _ => format!("unknown character {found:?}, expected an atom ({ATOMS}) or a modifier ({MODIFIERS})"),
            }));
        };
        self.bump();
        Ok(atom)
    }

    /// Parses a leap in parentheses, with its components in either order.
    fn parse_leap(&mut self) -> Result<Atom, SpannedError> {
        let start = self.offset;
        self.expect('(', "an opening parenthesis")?;
        let one = self.parse_component()?;
        self.expect(',', "a comma")?;
        let other = self.parse_component()?;
        self.expect(')', "a closing parenthesis")?;
        if one == 0 && other == 0 {
            let message = "found the leap (0,0), expected a component of at least 1";
            return Err(SpannedError::new(message, self.span_from(start)));
        }
        Ok(Atom::Leap { short: one.min(other), long: one.max(other) })
    }

    fn malformed_leap(&self, expected: &str) -> SpannedError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"));
        self.error_here(format!("found {found}, expected {expected}: a leap is written like (4,1)"))
    }

    fn expect(&mut self, symbol: char, expected: &str) -> Result<(), SpannedError> {
        if self.peek() != Some(symbol) {
            return Err(self.malformed_leap(expected));
        }
        self.bump();
        Ok(())
    }

    fn parse_component(&mut self) -> Result<i8, SpannedError> {
        let start = self.offset;
        let digits = self.take_digits();
        if digits.is_empty() {
            return Err(self.malformed_leap("a number"));
        }
        // A number that does not fit the type is too long, too.
        let component = digits.parse().ok().filter(|&component| component <= MAX_LEAP);
        let message = format!("found a leap of more than {MAX_LEAP} squares, expected at most {MAX_LEAP}");
        component.ok_or_else(|| SpannedError::new(message, self.span_from(start)))
    }

    fn take_digits(&mut self) -> &'a str {
        let start = self.offset;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
        }
        &self.text[start..self.offset]
    }

    /// Parses the doubled letter or the number after `atom`: the number of steps, 0 for no limit.
    fn parse_range(&mut self, atom: Spanned<Atom>) -> Result<Option<Spanned<u8>>, SpannedError> {
        let start = self.offset;
        let letter = self.text[atom.span.start..atom.span.end].chars().next();
        // Only a letter can be doubled. `OO` is castling twice, which the lowering rejects.
        let doubled = atom.node != Atom::Castling && letter != Some('(') && self.peek() == letter;
        if doubled {
            let has_no_limit = matches!(atom.node, Atom::Queen | Atom::Rook | Atom::Bishop);
            if has_no_limit {
                return Err(self.error_here(DUPLICATE_RANGE));
            }
            self.bump();
            let span = self.span_from(start);
            let number = self.offset;
            if !self.take_digits().is_empty() {
                return Err(SpannedError::new(DUPLICATE_RANGE, self.span_from(number)));
            }
            return Ok(Some(Spanned { node: 0, span }));
        }
        let digits = self.take_digits();
        if digits.is_empty() {
            return Ok(None);
        }
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        let number = digits.parse().ok().filter(|&number| number <= MAX_RANGE);
        let span = self.span_from(start);
        if leading_zero {
            let found = "found a range with a leading 0 (an exact number of steps)";
            return Err(SpannedError::new(format!("{found}, which is not supported: expected a plain number"), span));
        }
        let number = number.ok_or_else(|| {
            let message = format!("found a range above {MAX_RANGE}, expected at most {MAX_RANGE}, or 0 for no limit");
            SpannedError::new(message, span)
        })?;
        Ok(Some(Spanned { node: number, span }))
    }
}

/// The reason for which a modifier is not supported, if its complexity is not the only one.
fn reason(found: char) -> &'static str {
    match found {
        'd' => ": it captures pieces of its own side",
        'j' => ": write pD and pA; a slide with `j` is another one in each program",
        'o' => ": the board has edges",
        'u' => ": no piece is put down on the way",
        _ => "",
    }
}
