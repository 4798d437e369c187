//! Lists that have been published, recognised by their puzzles.
//!
//! Benchmarks of several authors use the same lists, under other file names and in other orders. The
//! fingerprint of [`List`](super::List) does not depend on the order, the line ends, the characters
//! for a blank or comments. Only counts and fingerprints are kept here, and no puzzle.

/// Count, fingerprint and name of each list.
const CLASSICS: [(u64, u128, &str); 0] = [];

/// The name of the list with this fingerprint.
pub(super) fn name(count: u64, fingerprint: u128) -> Option<&'static str> {
    let same = |&&(puzzles, hash, _): &&(u64, u128, &str)| (puzzles, hash) == (count, fingerprint);
    CLASSICS.iter().find(same).map(|(_, _, name)| *name)
}
