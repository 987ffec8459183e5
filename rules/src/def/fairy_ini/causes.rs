//! The key of a variant that causes an error in its definition.

use super::super::error::DefError;
use super::parse::Section;

/// The error of a variant at the key that completes it: the variant has the error with the keys up
/// to this one, and not without it. At the name of the variant if its base has the error.
///
/// `message` converts sections, with the base first, and returns the message of the error that they
/// have.
pub(super) fn at_key(
    chain: &[&Section<'_>],
    error: String,
    message: impl Fn(&[Section<'_>]) -> Option<String>,
) -> DefError {
    let count: usize = chain.iter().map(|section| section.entries.len()).sum();
    let fails_with = |mut number: usize| {
        let sections = chain.iter().rev().map(|section| {
            let entries = section.entries[..number.min(section.entries.len())].to_vec();
            number -= entries.len();
            Section { name: section.name, base: section.base, entries }
        });
        message(&sections.collect::<Vec<_>>()).as_ref() == Some(&error)
    };
    let (mut without, mut with) = (0, count);
    while with - without > 1 {
        let middle = without.midpoint(with);
        *(if fails_with(middle) { &mut with } else { &mut without }) = middle;
    }
    let mut entries = chain.iter().rev().flat_map(|section| &section.entries);
    let (key, value) = match with.checked_sub(1).and_then(|index| entries.nth(index)) {
        Some(&(key, value)) if !fails_with(0) => (key, value),
        _ => (chain[0].name.text, chain[0].name),
    };
    DefError::at(value.file, value.whole, Some(value.byte), Some(key), error)
}
