//! The delimiter of one row: the character next to its puzzle.

use super::shape::Hints;
use crate::input::fields::{Delimiter, Fields, is_puzzle};
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// The delimiter next to the puzzle of a row, if it has one; the row is divided by it.
pub(super) fn row_delimiter(line: &[u8], hints: &Hints, fields: &mut Fields) -> Option<Delimiter> {
    let quoted = memchr::memchr(b'"', line).is_some();
    let blanks = &hints.blanks;
    let beside = if quoted { None } else { delimiter_beside(line, fields, blanks) };
    let known = hints.delimiter.as_ref().or(beside.as_ref());
    let guesses = known.map_or(&Delimiter::GUESSES[..], std::slice::from_ref);
    let mut find = |least: usize| {
        guesses.iter().copied().find(|&delimiter| {
            fields.split(line, delimiter);
            fields.len() >= least && fields.iter(line).any(|field| is_puzzle(field, blanks))
        })
    };
    // A tab before a quotation mark divides, though it may be a space for other delimiters.
    find(2).or_else(|| find(1))
}

/// The delimiter of a line that has a puzzle: the character behind it, if anything follows, or the one
/// before it, if that makes it a field; else each of the usual ones.
fn delimiter_beside(line: &[u8], fields: &mut Fields, blanks: &Blanks) -> Option<Delimiter> {
    fields.split(line, Delimiter::Any);
    let mut places = (0..fields.len()).filter_map(|index| fields.place(index));
    let place = places.find(|place| is_puzzle(&line[place.clone()], blanks))?;
    let divides = |byte: &&u8| Delimiter::Any.divides(**byte);
    let after: Vec<u8> = line[place.end..].iter().take_while(divides).copied().collect();
    let before: Vec<u8> = line[..place.start].iter().rev().take_while(divides).copied().collect();
    let is_visible = after.iter().any(|&byte| byte != b' ');
    let follows = is_visible || place.end + after.len() < line.len();
    let behind = follows.then(|| delimiter(&after));
    let mut guesses = behind.into_iter().chain([delimiter(&before), Delimiter::Any]);
    guesses.find(|&delimiter| {
        fields.split(line, delimiter);
        (0..fields.len()).any(|index| fields.place(index).as_ref() == Some(&place))
    })
}

/// The delimiter of which these bytes between two fields consist: the first that is not a space.
fn delimiter(between: &[u8]) -> Delimiter {
    let visible = between.iter().find(|&&byte| byte != b' ');
    match visible {
        Some(&byte) => Delimiter::Byte(byte),
        None if between.is_empty() => Delimiter::Any,
        None => Delimiter::Spaces,
    }
}

/// The character next to 81 cells that no usual delimiter separates from the rest of the line, if it may
/// be a delimiter.
pub(super) fn beside_puzzle(line: &[u8], blanks: &Blanks) -> Option<u8> {
    let mut start = 0;
    for run in line.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next)) {
        let end = start + run.len();
        if run.len() == Cell::COUNT && blanks.is_cell(run[0]) {
            let (before, after) = (line[..start].last(), line.get(end));
            let known = |byte: &&u8| Delimiter::BYTES.contains(byte) || b"\"#".contains(byte);
            let visible = |byte: &&u8| byte.is_ascii_punctuation() && !known(byte);
            return after.filter(visible).or(before.filter(visible)).copied();
        }
        start = end;
    }
    None
}
