//! The slowest line of a run, in words.

use crate::run::SlowLine;
use indicatif::HumanCount;

/// `puzzles.txt: line 1,234 took 3.2 s`
pub(crate) fn in_words(slowest: &SlowLine) -> String {
    let SlowLine { input, line, time, .. } = slowest;
    format!("{input}: line {} took {:.1} s", HumanCount(*line), time.as_secs_f64())
}
