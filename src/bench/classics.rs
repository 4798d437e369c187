//! Lists that have been published, recognised by their puzzles.
//!
//! Benchmarks of several authors use the same lists, under other file names and in other orders. The
//! fingerprint of [`List`](super::List) does not depend on the order, the line ends, the characters
//! for a blank or comments. Only counts and fingerprints are kept here, and no puzzle.

/// Count, fingerprint and name of each list.
const CLASSICS: [(u64, u128, &str); 3] = [
    (49_158, 0xbf16_dc4f_8847_af73_f3a4_257d_683a_0d1e, "all known puzzles with 17 clues"),
    (1_465, 0xb7f1_6574_5690_d6d7_b067_6690_dad9_08e9, "the list top1465 of magictour"),
    (375, 0x0268_b327_8de9_26b9_fa81_dca5_0aff_0bd8, "the list forum_hardest_1106"),
];

/// The name of the list with this fingerprint.
pub(super) fn name(count: u64, fingerprint: u128) -> Option<&'static str> {
    let same = |&&(puzzles, hash, _): &&(u64, u128, &str)| (puzzles, hash) == (count, fingerprint);
    CLASSICS.iter().find(same).map(|(_, _, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_known_by_count_and_fingerprint() {
        let (count, fingerprint, about) = CLASSICS[1];
        assert_eq!(name(count, fingerprint), Some(about));
        assert_eq!((name(count + 1, fingerprint), name(count, fingerprint + 1)), (None, None));
    }
}
