//! Where bytes may be cut: between two records, which are lines, or lines with line ends in quoted fields, or
//! grids of nine lines.

use super::grids;
use super::layout::shape::Layout;
use super::lines::record_end;

/// Just past the record that reaches `start + chunk_bytes`, or else the end of all.
pub(super) fn end_of_records(
    bytes: &[u8],
    start: usize,
    chunk_bytes: usize,
    layout: &Layout,
) -> usize {
    let rest = &bytes[start..];
    let line = rest.get(chunk_bytes - 1..).and_then(|rest| memchr::memchr(b'\n', rest));
    let line = line.map_or(rest.len(), |place| chunk_bytes + place);
    let ends = ends(rest, line, layout, true);
    start + ends.map_or(line, |mut it| it.find(|end| *end >= chunk_bytes).unwrap_or(rest.len()))
}

/// The last place where these bytes may be cut. Those before `seen` have no such place.
pub(super) fn last_end(bytes: &[u8], seen: usize, layout: &Layout, ended: bool) -> Option<usize> {
    let line = || memchr::memrchr(b'\n', &bytes[seen..]).map(|last| seen + last + 1);
    ends(bytes, bytes.len(), layout, ended).map_or_else(line, Iterator::last)
}

/// The places between two records; none if those in the first bytes are told by line ends alone.
fn ends<'a>(
    bytes: &'a [u8],
    first: usize,
    layout: &'a Layout,
    ended: bool,
) -> Option<Box<dyn Iterator<Item = usize> + 'a>> {
    if layout.has_grids() {
        return Some(Box::new(grids::cuts(bytes, &layout.blanks, ended)));
    }
    let spans = layout.spans().filter(|_| memchr::memchr(b'"', &bytes[..first]).is_some())?;
    let mut at = 0;
    Some(Box::new(std::iter::from_fn(move || {
        at += record_end(bytes.get(at..).filter(|it| !it.is_empty())?, Some(spans), ended)?;
        Some(at)
    })))
}
