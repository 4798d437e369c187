//! Where bytes may be cut: between two records, which are lines, or grids in text.

use super::layout::shape::Layout;
use crate::puzzle::text;

/// Just past the record that reaches `start + chunk_bytes`, or else the end of all.
pub(super) fn end_of_records(
    bytes: &[u8],
    start: usize,
    chunk_bytes: usize,
    layout: &Layout,
) -> usize {
    let rest = &bytes[start..];
    if layout.has_grids() {
        let mut cuts = text::cuts(rest, &layout.blanks);
        return start + cuts.find(|cut| *cut >= chunk_bytes).unwrap_or(rest.len());
    }
    let line = rest.get(chunk_bytes - 1..).and_then(|rest| memchr::memchr(b'\n', rest));
    start + line.map_or(rest.len(), |place| chunk_bytes + place)
}

/// The last place where these bytes may be cut. Those before `seen` have no such place.
pub(super) fn last_end(bytes: &[u8], seen: usize, layout: &Layout) -> Option<usize> {
    if layout.has_grids() {
        return text::cuts(bytes, &layout.blanks).last();
    }
    memchr::memrchr(b'\n', &bytes[seen..]).map(|last| seen + last + 1)
}
