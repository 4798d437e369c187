//! Words of the command line to values: the parsers that several commands share.

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use ninefold::engine::lanes::SimdLevel;
use ninefold::names::Named;
use ninefold::pipeline::MAX_THREADS;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Takes the name of a value. The long help lists all names with their meanings.
pub(super) fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL.iter().map(|it| PossibleValue::new(it.name()).help(it.summary()));
    PossibleValuesParser::new(values).try_map(|name| T::by_name(&name))
}

/// Takes the name of a level that this CPU has. The help lists all levels.
pub(super) fn simd() -> impl TypedValueParser<Value = SimdLevel> {
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

/// Takes a number from 1.
pub(super) fn limit(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", usize::MAX))
}

/// Takes a number of threads; 0 stands for all cores.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_THREADS);
    number.ok_or_else(|| format!("expected a whole number from 0 to {MAX_THREADS}"))
}

/// Takes the name of an output. The system's names for standard output become `-`: a file opened by
/// such a name would be written from its beginning, over what other programs have written to it.
pub(super) fn output() -> impl TypedValueParser<Value = PathBuf> {
    const NAMES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    let is_stdout = |path: &Path| cfg!(unix) && NAMES.iter().any(|name| path == Path::new(name));
    PathBufValueParser::new().map(move |path| if is_stdout(&path) { "-".into() } else { path })
}

/// Takes a range of clues.
pub(super) fn clues(text: &str) -> Result<RangeInclusive<usize>, String> {
    const MOST: usize = 81;
    let number = |text: &str, otherwise: usize| {
        if text.is_empty() { Some(otherwise) } else { text.parse().ok().filter(|&it| it <= MOST) }
    };
    let range = match text.split_once("..") {
        Some((least, most)) => {
            let most = most.strip_prefix('=').unwrap_or(most);
            number(least, 0).zip(number(most, MOST))
        }
        None if text.is_empty() => None,
        None => number(text, 0).map(|both| (both, both)),
    };
    let range = range.filter(|(least, most)| least <= most);
    let (least, most) = range.ok_or("expected MIN..MAX, such as 17..30, of 0 to 81")?;
    Ok(least..=most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_the_cpu_lacks_is_refused_with_those_it_has() {
        let portable = [SimdLevel::Portable];
        assert_eq!(level_of("portable", &portable), Ok(SimdLevel::Portable));
        assert_eq!(level_of("avx2", &portable).unwrap_err(), "this CPU has portable only");
    }

    #[test]
    fn the_names_of_the_levels_are_those_that_the_library_lists() {
        assert!(SimdLevel::available().all(|level| SimdLevel::NAMES.contains(&level.name())));
    }

    #[test]
    fn a_range_of_clues_may_be_open_or_a_number() {
        assert_eq!(clues("17..30"), Ok(17..=30));
        assert_eq!(clues("17..=30"), Ok(17..=30));
        assert_eq!(clues("17.."), Ok(17..=81));
        assert_eq!(clues("..30"), Ok(0..=30));
        assert_eq!(clues("17"), Ok(17..=17));
        assert!(
            ["", "x", "30..17", "0..82", "-1..3", "1..2..3"]
                .into_iter()
                .all(|it| clues(it).is_err())
        );
    }
}
