//! Compares two reports: which rows changed by more than noise?
//!
//! A change needs two facts: a Mann-Whitney test of the rounds with p <= 0.01, and quartile ranges
//! that do not overlap. The test alone is not enough. Rounds of one run are more alike than two
//! runs are, because the machine stays in one state during a run.
//!
//! ```text
//!   before        ├───●───┤                     before        ├───●───┤
//!   now                       ├──●──┤           now                 ├──●──┤
//!                   a change                               the same, within noise
//! ```

use super::report::{Report, Row};
use super::stats::rank_test;

/// The significance level of the Mann-Whitney test.
///
/// ```
/// assert_eq!(crate::bench::LEVEL, 0.01);
/// ```
pub const LEVEL: f64 = 0.01;

/// How a row changed.
///
/// ```
/// use crate::bench::{Report, Verdict, compare};
///
/// # let report = |rounds: [f64; 5]| {
/// #     let row = serde_json::json!({
/// #         "list": "easy", "mode": "first", "engine": "mrv", "simd": null, "threads": 1,
/// #         "rounds": rounds, "puzzles_per_round": 10, "sample": false,
/// #         "looked_at": 10, "branches": 5, "without_search": 8, "given_up": 0, "at_least": null,
/// #     });
/// #     serde_json::from_value::<Report>(serde_json::json!({
/// #         "seed": 1, "rounds": 5, "seconds": 1.0, "patience_seconds": 0.1,
/// #         "interrupted": false, "lists": [], "rows": [row],
/// #     }))
/// # };
/// let before = report([200.0, 201.0, 202.0, 203.0, 204.0])?;
/// assert_eq!(compare(&before, &before)[0].verdict, Verdict::Same);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Less time than before.
    Faster,
    /// More time than before.
    Slower,
    /// No difference beyond noise.
    Same,
    /// Too few rounds before or now, an engine that was given up on, or a list of the same name with
    /// other puzzles.
    Unknown,
}

/// A row before and now.
///
/// ```
/// use crate::bench::{Report, compare};
///
/// # let report = |rounds: [f64; 5]| {
/// #     let row = serde_json::json!({
/// #         "list": "easy", "mode": "first", "engine": "mrv", "simd": null, "threads": 1,
/// #         "rounds": rounds, "puzzles_per_round": 10, "sample": false,
/// #         "looked_at": 10, "branches": 5, "without_search": 8, "given_up": 0, "at_least": null,
/// #     });
/// #     serde_json::from_value::<Report>(serde_json::json!({
/// #         "seed": 1, "rounds": 5, "seconds": 1.0, "patience_seconds": 0.1,
/// #         "interrupted": false, "lists": [], "rows": [row],
/// #     }))
/// # };
/// let before = report([200.0, 201.0, 202.0, 203.0, 204.0])?;
/// let now = report([100.0, 101.0, 102.0, 103.0, 104.0])?;
/// let change = compare(&before, &now)[0];
/// assert_eq!((change.before, change.now), (&before.rows[0], &now.rows[0]));
/// assert_eq!(change.times, Some(102.0 / 202.0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The row before.
    pub before: &'a Row,
    /// The row now.
    pub now: &'a Row,
    /// The time now as a multiple of the time before.
    pub times: Option<f64>,
    /// The p-value of the Mann-Whitney test: how often chance alone ranks the rounds so.
    pub p_value: f64,
    /// The conclusion.
    pub verdict: Verdict,
}

/// Compares every row of `now` that `before` has, too.
///
/// ```
/// use crate::bench::{LEVEL, Report, Verdict, compare};
///
/// # let report = |rounds: [f64; 5]| {
/// #     let row = serde_json::json!({
/// #         "list": "easy", "mode": "first", "engine": "mrv", "simd": null, "threads": 1,
/// #         "rounds": rounds, "puzzles_per_round": 10, "sample": false,
/// #         "looked_at": 10, "branches": 5, "without_search": 8, "given_up": 0, "at_least": null,
/// #     });
/// #     serde_json::from_value::<Report>(serde_json::json!({
/// #         "seed": 1, "rounds": 5, "seconds": 1.0, "patience_seconds": 0.1,
/// #         "interrupted": false, "lists": [], "rows": [row],
/// #     }))
/// # };
/// let before = report([200.0, 201.0, 202.0, 203.0, 204.0])?;
/// let now = report([100.0, 101.0, 102.0, 103.0, 104.0])?;
/// let change = compare(&before, &now)[0];
/// assert!(change.p_value <= LEVEL);
/// assert_eq!(change.verdict, Verdict::Faster);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn compare<'a>(before: &'a Report, now: &'a Report) -> Vec<Change<'a>> {
    let pairs = now.rows.iter().filter_map(|row| {
        let old = before.rows.iter().find(|old| old.is_about_the_same_as(row))?;
        let lists = before.list(&old.list).zip(now.list(&row.list));
        Some(change(old, row, lists.is_none_or(|(old, new)| old.may_be(new))))
    });
    pairs.collect()
}

/// How a row changed.
fn change<'a>(before: &'a Row, now: &'a Row, same_list: bool) -> Change<'a> {
    let p_value = rank_test(&before.rounds, &now.rounds);
    let spreads = before.nanoseconds().zip(now.nanoseconds()).filter(|_| same_list);
    let times = spreads.map(|(old, new)| new.middle / old.middle);
    let verdict = match spreads {
        Some((old, new)) if can_differ(before, now) => {
            let overlap = old.lower <= new.upper && new.lower <= old.upper;
            if p_value > LEVEL || overlap {
                Verdict::Same
            } else if new.middle < old.middle {
                Verdict::Faster
            } else {
                Verdict::Slower
            }
        }
        _ => Verdict::Unknown,
    };
    Change { before, now, times, p_value, verdict }
}

/// Whether there are enough rounds to see any difference: 5 against 5 are enough.
fn can_differ(before: &Row, now: &Row) -> bool {
    let lowest = vec![0.0; before.rounds.len()];
    let highest = vec![1.0; now.rounds.len()];
    rank_test(&lowest, &highest) <= LEVEL
}
