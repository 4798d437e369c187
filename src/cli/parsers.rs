//! Words of the command line to values: the parsers that several commands share.

use crate::difficulty::{EffortRange, Score, ScoreRange, Technique};
use crate::engine::lanes::SimdLevel;
use crate::names::Named;
use crate::pipeline::MAX_THREADS;
#[cfg(windows)]
use crate::puzzle::parse::{self, Blanks};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Takes a whole number. `1e6`, `2.5e3` and `1_000_000` are numbers, too.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    number(text).ok_or_else(|| "expected a whole number, such as 1000000 or 1e6".to_owned())
}

/// Takes a whole number from 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    let number = number(text).filter(|&number| number > 0);
    number.ok_or_else(|| "expected a whole number from 1, such as 1000 or 1e6".to_owned())
}

/// A whole number: digits with `_` between them, and `1e6` for six zeros. `None` if it has a
/// fraction or more than 64 bits.
fn number(text: &str) -> Option<u64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<u32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_grouped = |part: &str| {
        let ends = !part.starts_with('_') && !part.ends_with('_');
        ends && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    if whole.is_empty() || !is_grouped(whole) || !is_grouped(fraction) {
        return None;
    }
    let digits: String = [whole, fraction].concat().replace('_', "");
    let fraction = u32::try_from(fraction.replace('_', "").len()).ok()?;
    let value: u64 = digits.parse().ok()?;
    let scale = |power: u32| 10_u64.checked_pow(power);
    match exponent.checked_sub(fraction) {
        Some(zeros) if value > 0 => value.checked_mul(scale(zeros)?),
        Some(_) => Some(0),
        // Only zeros may be left of the fraction.
        None => {
            let divisor = scale(fraction - exponent)?;
            value.is_multiple_of(divisor).then(|| value / divisor)
        }
    }
}

/// Takes the name of a value. The long help lists all names with their meanings.
pub(crate) fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    named_of(T::ALL.iter().copied())
}

/// Takes the name of one of these values.
pub(crate) fn named_of<T: Named>(
    values: impl Iterator<Item = T>,
) -> impl TypedValueParser<Value = T> {
    let values = values.map(|it| PossibleValue::new(it.name()).help(it.summary()));
    PossibleValuesParser::new(values).try_map(|name| T::by_name(&name))
}

/// Takes the name of a technique that a step may have.
pub(crate) fn step() -> impl TypedValueParser<Value = Technique> {
    named_of(Technique::ALL.iter().copied().filter(|it| *it != Technique::None))
}

/// Takes the name of a level that this CPU has. The help lists all levels.
pub(crate) fn simd() -> impl TypedValueParser<Value = SimdLevel> {
    PossibleValuesParser::new(SimdLevel::NAMES).try_map(|name| {
        let has: Vec<_> = SimdLevel::available().collect();
        level_of(&name, &has)
    })
}

/// The level of this name, on a CPU that has these.
fn level_of(name: &str, has: &[SimdLevel]) -> Result<SimdLevel, String> {
    let level = has.iter().find(|level| level.name() == name);
    level.copied().ok_or_else(|| {
        let names: Vec<_> = has.iter().map(|level| level.name()).collect();
        format!("this CPU has {} only", names.join(", "))
    })
}

/// Takes a number of solutions from 1.
pub(crate) fn limit(text: &str) -> Result<NonZeroUsize, String> {
    within(text, 1, usize::MAX)
}

/// Takes a number of branches.
pub(crate) fn branches(text: &str) -> Result<u32, String> {
    within(text, 0, u32::MAX as usize)
}

/// Takes a whole number between these.
fn within<T: TryFrom<usize>>(text: &str, least: u8, most: usize) -> Result<T, String> {
    let number = number(text).and_then(|number| usize::try_from(number).ok());
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| {
        format!("expected a whole number from {least} to {}", HumanCount(most as u64))
    })
}

/// Takes a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds".to_owned())
}

/// Takes a number of threads; 0 stands for all cores.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_THREADS);
    let most = HumanCount(MAX_THREADS as u64);
    number.ok_or_else(|| format!("expected a whole number from 0 to {most}"))
}

/// Takes the name of an output. The system's names for standard output become `-`: a file opened by
/// such a name would be written from its beginning, over what other programs have written to it.
pub(crate) fn output() -> impl TypedValueParser<Value = PathBuf> {
    const NAMES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    let is_stdout = |path: &Path| cfg!(unix) && NAMES.iter().any(|name| path == Path::new(name));
    PathBufValueParser::new().map(move |path| if is_stdout(&path) { "-".into() } else { path })
}

/// The files that a word of the command line names.
#[derive(Clone, Debug)]
pub(crate) struct Files(Vec<PathBuf>);

/// On Windows, where no shell does it, a word with `*` or `?` stands for all files that match, in the order of their
/// names. If none does, the word is left: it may be a puzzle.
impl From<OsString> for Files {
    fn from(word: OsString) -> Self {
        #[cfg(windows)]
        if let Some(files) = matches(&word) {
            return Self(files);
        }
        Self(vec![word.into()])
    }
}

impl<'a> IntoIterator for &'a Files {
    type Item = &'a Path;
    type IntoIter = std::iter::Map<std::slice::Iter<'a, PathBuf>, fn(&PathBuf) -> &Path>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(PathBuf::as_path)
    }
}

/// The files that a pattern matches, if any does. Its brackets are characters, and a puzzle is no pattern.
#[cfg(windows)]
fn matches(word: &std::ffi::OsStr) -> Option<Vec<PathBuf>> {
    let is_pattern = |word: &&str| word.trim_start_matches(r"\\?\").contains(['*', '?']);
    let word = word.to_str().filter(is_pattern)?;
    if parse::puzzle(word.as_bytes(), &Blanks::usual()).is_ok() {
        return None;
    }
    let options = glob::MatchOptions { case_sensitive: false, ..Default::default() };
    let files = glob::glob_with(&word.replace('[', "[[]"), options).ok()?;
    let files: Vec<_> = files.collect::<Result<_, _>>().ok()?;
    (!files.is_empty()).then_some(files)
}

/// Takes a range of clues.
pub(crate) fn clues(text: &str) -> Result<RangeInclusive<usize>, String> {
    const MOST: usize = 81;
    let number = |text: &str| text.parse().ok().filter(|&it| it <= MOST);
    let range = if text == ".." { Some(0..=MOST) } else { range(text, 0, MOST, number) };
    range.ok_or_else(|| "expected MIN..MAX, such as 17..30, of 0 to 81".to_owned())
}

/// Takes a range of mean guesses.
pub(crate) fn efforts(text: &str) -> Result<EffortRange, String> {
    let range = range(text, 0, u64::MAX, thousandths).map(EffortRange);
    range.ok_or_else(|| "expected a range of guesses such as 2..10, 5.. or ..2.5".to_owned())
}

/// Takes a range of scores.
pub(crate) fn scores(text: &str) -> Result<ScoreRange, String> {
    let range = match text.strip_prefix('>') {
        Some(least) => tenths(least).map(|least| least.saturating_add(1)..=u8::MAX),
        None => range(text, 0, u8::MAX, tenths),
    };
    range.map(ScoreRange).ok_or_else(|| {
        "expected a range of scores up to 20.0 such as 3.0..4.2, 4.5.., ..6.2 or \">6.2\""
            .to_owned()
    })
}

/// Takes a score, in tenths.
pub(crate) fn score(text: &str) -> Result<u8, String> {
    tenths(text).ok_or_else(|| "expected a score such as 9.0".to_owned())
}

/// `2..10`, `4.5..`, `..3`; a single value is both ends.
fn range<T: Copy + Ord>(
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
    const PLACES: usize = 3;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > PLACES {
        return None;
    }
    let fraction = format!("{fraction:0<PLACES$}").parse::<u64>().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction)
}

/// `4.2` or `4`, in tenths.
fn tenths(text: &str) -> Option<u8> {
    let thousandths = thousandths(text)?;
    let tenths = u8::try_from(thousandths / 100).ok()?;
    (thousandths.is_multiple_of(100) && tenths <= Score::BEYOND).then_some(tenths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_have_an_exponent_or_underscores() {
        for text in ["1000000", "1e6", "1E6", "1_000_000", "1.0e6", "1000.000e3", "1000000.00"] {
            assert_eq!(whole(text), Ok(1_000_000), "{text}");
        }
        assert_eq!(whole("2.5e3"), Ok(2500));
        assert_eq!(whole("0e99"), Ok(0));
        assert_eq!(whole("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "e6", "1e", "1e-3", "1.5", "1e20", "-1", "_1", "1_", "1,000", "ten", "."]
        {
            assert!(whole(wrong).is_err(), "{wrong}");
        }
        assert!(positive("0").is_err() && limit("0").is_err() && limit("1e3").is_ok());
    }

    #[test]
    fn a_level_that_the_cpu_lacks_is_refused_with_those_it_has() {
        let portable = [SimdLevel::Portable];
        assert_eq!(level_of("portable", &portable), Ok(SimdLevel::Portable));
        assert_eq!(level_of("avx2", &portable).unwrap_err(), "this CPU has portable only");
    }

    #[test]
    fn a_range_of_clues_may_be_open_or_a_number() {
        assert_eq!(clues("17..30"), Ok(17..=30));
        assert_eq!(clues("17..=30"), Ok(17..=30));
        assert_eq!(clues("17.."), Ok(17..=81));
        assert_eq!(clues("..30"), Ok(0..=30));
        assert_eq!(clues("17"), Ok(17..=17));
        let wrong = ["", "x", "30..17", "0..82", "-1..3", "1..2..3"];
        assert!(wrong.into_iter().all(|it| clues(it).is_err()));
    }

    #[test]
    fn ranges_of_guesses_have_up_to_three_decimal_places() {
        let texts = ["2..10", "5..", "..2.50", "3", "0.05..=1"];
        let found = texts.map(|text| efforts(text).unwrap().to_string());
        assert_eq!(found, ["2..10", "5..", "..2.5", "3..3", "0.05..1"]);
        for text in ["", "..", "10..2", "-1..2", "1.2345", "a", "1..2..3", "1.", ".5", "1e3"] {
            assert!(efforts(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_scores_have_one_decimal_place() {
        let texts = ["3.0..4.2", "3..4", "4.5..", "..6.2", ">6.2", "8.3..9.0", "1.5"];
        let found = texts.map(|text| scores(text).unwrap().to_string()).join(" ");
        assert_eq!(found, "3.0..4.2 3.0..4.0 4.5.. ..6.2 6.3.. 8.3..9.0 1.5..1.5");
        for text in ["", "..", "4.2..3.0", "20.1", "1.25", "x", ">", "6.2..>6.2"] {
            assert!(scores(text).is_err(), "{text}");
        }
    }
}
