//! How much the length of a chain adds to its score.
//!
//! ```text
//!  complexity - 2 exceeds   4    6    8    12   16   24   32 …   times 3/2 and 4/3 in turn
//!  added                   0.1  0.2  0.3  0.4  0.5  0.6  0.7 …
//! ```

/// The number to add to the score of a technique.
///
/// Added up as Explainer does it: the last bit decides between hints whose tenths are equal.
pub(super) fn added(complexity: u32) -> f64 {
    let mut added = 0.0;
    let (mut threshold, mut is_third) = (4, false);
    while complexity > threshold + 2 {
        added += 0.1;
        threshold = if is_third { threshold * 4 / 3 } else { threshold * 3 / 2 };
        is_third = !is_third;
    }
    added
}

#[cfg(test)]
mod tests {
    use super::super::super::score::tenths;
    use super::*;

    #[test]
    fn each_threshold_adds_a_tenth() {
        for (complexity, expected) in
            [(4, 70), (6, 70), (7, 71), (8, 71), (9, 72), (11, 73), (15, 74), (19, 75), (27, 76)]
        {
            assert_eq!(tenths(7.0 + added(complexity)), expected, "{complexity}");
        }
    }

    /// The scores of a cycle and of a chain differ in the last bit, or are equal.
    #[test]
    fn the_last_bit_is_that_of_explainer() {
        let cycle = |tenths| 6.5_f64 + (0..tenths).fold(0.0, |sum, _| sum + 0.1);
        let chain = |tenths| 6.6_f64 + (1..tenths).fold(0.0, |sum, _| sum + 0.1);
        for tenths in 1..=9 {
            let are_equal = [1, 3, 5, 6, 8].contains(&tenths);
            assert_eq!(cycle(tenths).to_bits() == chain(tenths).to_bits(), are_equal, "{tenths}");
            assert!(chain(tenths) <= cycle(tenths));
        }
    }
}
