//! Ranges of efforts and scores.

use super::effort::Effort;
use super::explainer::Score;
use alloc::format;
use core::fmt;
use core::ops::RangeInclusive;

/// The units of a bound of an effort in one guess.
const UNITS: u64 = 1000;

/// A range of mean guesses, in thousandths of a guess. Both ends belong to it; `u64::MAX` is no bound.
///
/// ```
/// use ninefold_core::difficulty::{EffortRange, Gauge};
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let puzzle = ninefold_core::puzzle::parse::line(line).unwrap();
/// let effort = Gauge::new().one(&puzzle).effort.unwrap(); // 43.2
/// assert!(EffortRange(5_000..=u64::MAX).contains(&effort));
/// assert!(EffortRange(2_000..=43_200).contains(&effort));
/// assert!(!EffortRange(0..=43_199).contains(&effort));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffortRange(pub RangeInclusive<u64>);

impl EffortRange {
    /// Whether the mean is in the range.
    pub fn contains(&self, effort: &Effort) -> bool {
        let mean = u128::from(effort.guesses()) * u128::from(UNITS);
        let bound = |bound: u64| u128::from(bound) * u128::from(effort.searches());
        bound(*self.0.start()) <= mean && mean <= bound(*self.0.end())
    }

    /// Whether a number of guesses can be in both ranges.
    pub fn meets(&self, guesses: &RangeInclusive<u64>) -> bool {
        let thousandths = |guesses: u64| guesses.saturating_mul(UNITS);
        *self.0.start() <= thousandths(*guesses.end())
            && thousandths(*guesses.start()) <= *self.0.end()
    }
}

impl fmt::Display for EffortRange {
    /// `2..10`, with both ends if they are not open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, thousandths: u64| {
            let text = format!("{}.{:03}", thousandths / UNITS, thousandths % UNITS);
            f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
        };
        if *self.0.start() > 0 {
            number(f, *self.0.start())?;
        }
        f.write_str("..")?;
        if *self.0.end() < u64::MAX { number(f, *self.0.end()) } else { Ok(()) }
    }
}

/// A range of scores on Explainer's scale, in tenths. Both ends belong to it; `u8::MAX` is no bound.
///
/// ```
/// use ninefold_core::difficulty::{Score, ScoreRange};
///
/// let range = ScoreRange(30..=42);
/// assert!(range.contains(Score::Tenths(42)) && !range.contains(Score::Tenths(44)));
/// let range = ScoreRange(45..=u8::MAX);
/// assert!(range.contains(Score::Tenths(119)) && range.contains(Score::Above(90)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreRange(pub RangeInclusive<u8>);

impl ScoreRange {
    /// Whether a score is in the range.
    pub fn contains(&self, score: Score) -> bool {
        match score {
            Score::Tenths(tenths) => self.0.contains(&tenths),
            Score::Above(tenths) => *self.0.start() <= tenths && *self.0.end() == u8::MAX,
        }
    }

    /// Whether a score is in both ranges. The other one is in tenths.
    pub fn meets(&self, tenths: &RangeInclusive<u8>) -> bool {
        self.0.start() <= tenths.end() && tenths.start() <= self.0.end()
    }

    /// The greatest score of the range in tenths; `u8::MAX` if it is open.
    pub const fn most(&self) -> u8 {
        *self.0.end()
    }
}

impl fmt::Display for ScoreRange {
    /// `3.0..4.2`, with both ends if they are not open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |tenths: u8, open: u8| (tenths != open).then_some(Score::Tenths(tenths));
        if let Some(least) = end(*self.0.start(), 0) {
            least.fmt(f)?;
        }
        f.write_str("..")?;
        end(*self.0.end(), u8::MAX).map_or(Ok(()), |most| most.fmt(f))
    }
}
