//! Ranges of efforts and scores, as people write them: `2..10`, `4.5..`, `..3`, `>6.2`.

use super::effort::Effort;
use super::explainer::Score;
use core::error::Error;
use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

/// Decimal places of a bound of an effort.
const PLACES: usize = 3;
/// 10 to that power.
const UNITS: u64 = 1000;

/// A range of mean guesses. Both ends belong to it.
///
/// ```
/// use ninefold_core::difficulty::{EffortRange, Gauge};
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let puzzle = ninefold_core::puzzle::parse::line(line).unwrap();
/// let effort = Gauge::new().one(&puzzle).effort.unwrap(); // 43.2
/// assert!("5..".parse::<EffortRange>().unwrap().contains(&effort));
/// assert!("2..43.2".parse::<EffortRange>().unwrap().contains(&effort));
/// assert!(!"..43.1".parse::<EffortRange>().unwrap().contains(&effort));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffortRange {
    /// In thousandths of a guess.
    bounds: RangeInclusive<u64>,
}

impl EffortRange {
    /// Whether the mean is in the range.
    #[must_use]
    pub fn contains(&self, effort: &Effort) -> bool {
        let mean = u128::from(effort.guesses()) * u128::from(UNITS);
        let bound = |bound: u64| u128::from(bound) * u128::from(effort.searches());
        bound(*self.bounds.start()) <= mean && mean <= bound(*self.bounds.end())
    }

    /// Whether a number of guesses can be in both ranges.
    #[must_use]
    pub fn meets(&self, guesses: &RangeInclusive<u64>) -> bool {
        let thousandths = |guesses: u64| guesses.saturating_mul(UNITS);
        *self.bounds.start() <= thousandths(*guesses.end())
            && thousandths(*guesses.start()) <= *self.bounds.end()
    }
}

impl FromStr for EffortRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let error = RangeError { what: "guesses", example: "2..10, 5.. or ..2.5" };
        let bounds = bounds(text, 0, u64::MAX, thousandths).ok_or(error)?;
        Ok(Self { bounds })
    }
}

impl fmt::Display for EffortRange {
    /// `2..10`, with both ends if they are not open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |f: &mut fmt::Formatter<'_>, thousandths: u64| {
            write!(f, "{}", thousandths / UNITS)?;
            let mut rest = thousandths % UNITS;
            if rest == 0 {
                return Ok(());
            }
            let mut places = PLACES;
            while rest.is_multiple_of(10) {
                (rest, places) = (rest / 10, places - 1);
            }
            write!(f, ".{rest:0places$}")
        };
        if *self.bounds.start() > 0 {
            number(f, *self.bounds.start())?;
        }
        f.write_str("..")?;
        if *self.bounds.end() < u64::MAX { number(f, *self.bounds.end()) } else { Ok(()) }
    }
}

/// A range of scores on Explainer's scale. Both ends belong to it.
///
/// ```
/// use ninefold_core::difficulty::{Score, ScoreRange};
///
/// let range: ScoreRange = "3.0..4.2".parse().unwrap();
/// assert!(range.contains(Score::Tenths(42)) && !range.contains(Score::Tenths(44)));
/// let range: ScoreRange = "4.5..".parse().unwrap();
/// assert!(range.contains(Score::Tenths(119)) && range.contains(Score::Above(90)));
/// let range: ScoreRange = ">6.2".parse().unwrap();
/// assert!(range.contains(Score::Tenths(65)) && !range.contains(Score::Tenths(62)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreRange {
    /// In tenths.
    bounds: RangeInclusive<u8>,
}

impl ScoreRange {
    /// Whether a score is in the range.
    #[must_use]
    pub fn contains(&self, score: Score) -> bool {
        match score {
            Score::Tenths(tenths) => self.bounds.contains(&tenths),
            Score::Above(tenths) => *self.bounds.start() <= tenths && *self.bounds.end() == u8::MAX,
        }
    }

    /// Whether a score is in both ranges. The other one is in tenths.
    #[must_use]
    pub fn meets(&self, tenths: &RangeInclusive<u8>) -> bool {
        self.bounds.start() <= tenths.end() && tenths.start() <= self.bounds.end()
    }

    /// The greatest score of the range in tenths; `u8::MAX` if it is open.
    #[must_use]
    pub const fn most(&self) -> u8 {
        *self.bounds.end()
    }
}

impl FromStr for ScoreRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let error =
            RangeError { what: "scores up to 20.0", example: "3.0..4.2, 4.5.., ..6.2 or '>6.2'" };
        let bounds = match text.strip_prefix('>') {
            Some(least) => score(least).map(|least| least.saturating_add(1)..=u8::MAX),
            None => bounds(text, 0, u8::MAX, score),
        };
        bounds.map(|bounds| Self { bounds }).ok_or(error)
    }
}

impl fmt::Display for ScoreRange {
    /// `3.0..4.2`, with both ends if they are not open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |tenths: u8, open: u8| (tenths != open).then_some(Score::Tenths(tenths));
        if let Some(least) = end(*self.bounds.start(), 0) {
            least.fmt(f)?;
        }
        f.write_str("..")?;
        end(*self.bounds.end(), u8::MAX).map_or(Ok(()), |most| most.fmt(f))
    }
}

/// Why a text is no range.
///
/// ```
/// use ninefold_core::difficulty::EffortRange;
///
/// let error = "10..2".parse::<EffortRange>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a range of guesses such as 2..10, 5.. or ..2.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RangeError {
    what: &'static str,
    example: &'static str,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a range of {} such as {}", self.what, self.example)
    }
}

impl Error for RangeError {}

/// The ends of a range; a single value is both.
fn bounds<T: Copy + Ord>(
    text: &str,
    least: T,
    most: T,
    value: impl Fn(&str) -> Option<T>,
) -> Option<RangeInclusive<T>> {
    let end = |text: &str, open: T| if text.is_empty() { Some(open) } else { value(text) };
    let (least, most) = match text.split_once("..") {
        Some(("", "")) => return None,
        Some((from, to)) => (end(from, least)?, end(to.strip_prefix('=').unwrap_or(to), most)?),
        None => (value(text)?, value(text)?),
    };
    (least <= most).then_some(least..=most)
}

/// A number with up to three decimal places.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > PLACES {
        return None;
    }
    let scale = (fraction.len()..PLACES).fold(1, |scale, _| scale * 10);
    let fraction = fraction.parse::<u64>().ok()? * scale;
    whole.parse::<u64>().ok()?.checked_mul(UNITS)?.checked_add(fraction)
}

/// `4.2` or `4`, in tenths.
fn score(text: &str) -> Option<u8> {
    let thousandths = thousandths(text)?;
    let tenths = u8::try_from(thousandths / 100).ok()?;
    (thousandths.is_multiple_of(100) && tenths <= Score::BEYOND).then_some(tenths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn ranges_of_guesses_have_up_to_three_decimal_places() {
        for (text, same) in [
            ("2..10", "2..10"),
            ("5..", "5.."),
            ("..2.50", "..2.5"),
            ("3", "3..3"),
            ("0.05..=1", "0.05..1"),
        ] {
            let range: EffortRange = text.parse().unwrap();
            assert_eq!(range.to_string(), same);
        }
        for text in ["", "..", "10..2", "-1..2", "1.2345", "a", "1..2..3", "1.", ".5", "1e3"] {
            assert!(text.parse::<EffortRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_scores_have_one_decimal_place() {
        for (text, same) in [
            ("3.0..4.2", "3.0..4.2"),
            ("3..4", "3.0..4.0"),
            ("4.5..", "4.5.."),
            ("..6.2", "..6.2"),
            (">6.2", "6.3.."),
            ("8.3..9.0", "8.3..9.0"),
            ("1.5", "1.5..1.5"),
        ] {
            let range: ScoreRange = text.parse().unwrap();
            assert_eq!(range.to_string(), same);
        }
        for text in ["", "..", "4.2..3.0", "20.1", "1.25", "x", ">", "6.2..>6.2"] {
            assert!(text.parse::<ScoreRange>().is_err(), "{text}");
        }
    }
}
