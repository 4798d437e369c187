//! What stands beside a puzzle in its line, and so may divide the fields.
//!
//! ```text
//! 1f 53..7…79,9.3        neither a comma nor spaces make it a field alone: all that is usual does
//! a:53..7…79:z           nothing usual: the caller is told to say whether it is that
//! ```

use super::detect::is_puzzle;
use super::fields::{Delimiter, Fields};
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// What divides the fields of a line that has a puzzle: what stands behind it, if anything follows,
/// or what stands before it, if that makes it a field; else all that is usual.
pub(super) fn delimiter_beside(
    line: &[u8],
    fields: &mut Fields,
    blanks: &Blanks,
) -> Option<Delimiter> {
    fields.split(line, Delimiter::Any);
    let mut places = (0..fields.len()).filter_map(|index| fields.place(index));
    let place = places.find(|place| is_puzzle(&line[place.clone()], blanks))?;
    let divides = |byte: &&u8| Delimiter::Any.divides(**byte);
    let after: Vec<u8> = line[place.end..].iter().take_while(divides).copied().collect();
    let before: Vec<u8> = line[..place.start].iter().rev().take_while(divides).copied().collect();
    let follows = place.end + after.len() < line.len();
    let behind = follows.then(|| delimiter(&after));
    let mut guesses = behind.into_iter().chain([delimiter(&before), Delimiter::Any]);
    guesses.find(|&delimiter| {
        fields.split(line, delimiter);
        (0..fields.len()).any(|index| fields.place(index).as_ref() == Some(&place))
    })
}

/// What the bytes between two fields say of all: the first that is no space divides.
fn delimiter(between: &[u8]) -> Delimiter {
    let visible = between.iter().find(|&&byte| byte != b' ');
    match visible {
        Some(&byte) => Delimiter::Byte(byte),
        None if between.is_empty() => Delimiter::Any,
        None => Delimiter::Spaces,
    }
}

/// What stands beside 81 cells that nothing usual divides from the rest of the line, if the caller
/// might call it a delimiter.
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
