//! Has anything changed since, by more than noise?
//!
//! Two things must be said at once. The ranks of the rounds differ as they would by chance in one
//! of a hundred pairs of runs at most (Mann and Whitney); and their spreads, from quartile to
//! quartile, do not overlap, for rounds of one run are more alike than two runs are: the machine
//! is in one state all the while.
//!
//! ```text
//!   before        ├───●───┤                     before        ├───●───┤
//!   now                       ├──●──┤           now                 ├──●──┤
//!                   a change                               the same, within noise
//! ```

use super::{Report, Row, rank_test};

/// How likely it is at most that chance alone ranks the rounds so.
pub const LEVEL: f64 = 0.01;

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It takes less time than before.
    Faster,
    /// It takes more time than before.
    Slower,
    /// No difference that is more than noise.
    Same,
    /// It has too few rounds, then or now, or it was given up on; or the list of this name has
    /// other puzzles now.
    Unknown,
}

/// A row then and now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change<'a> {
    /// The row before.
    pub before: &'a Row,
    /// The row now.
    pub now: &'a Row,
    /// The time now as a multiple of the time before.
    pub times: Option<f64>,
    /// How likely chance alone would rank the rounds so.
    pub chance: f64,
    /// What to make of it.
    pub verdict: Verdict,
}

/// Every row of `now` that `before` has, too.
#[must_use]
pub fn compare<'a>(before: &'a Report, now: &'a Report) -> Vec<Change<'a>> {
    let pairs = now.rows.iter().filter_map(|row| {
        let old = before.rows.iter().find(|old| old.is_about_the_same_as(row))?;
        let lists = before.list(&old.list).zip(now.list(&row.list));
        Some(change(old, row, lists.is_none_or(|(old, new)| old.may_be(new))))
    });
    pairs.collect()
}

/// What became of a row.
fn change<'a>(before: &'a Row, now: &'a Row, same_list: bool) -> Change<'a> {
    let chance = rank_test(&before.rounds, &now.rounds);
    let spreads = before.nanoseconds().zip(now.nanoseconds()).filter(|_| same_list);
    let times = spreads.map(|(old, new)| new.middle / old.middle);
    let verdict = match spreads {
        Some((old, new)) if can_differ(before, now) => {
            let overlap = old.lower <= new.upper && new.lower <= old.upper;
            if chance > LEVEL || overlap {
                Verdict::Same
            } else if new.middle < old.middle {
                Verdict::Faster
            } else {
                Verdict::Slower
            }
        }
        _ => Verdict::Unknown,
    };
    Change { before, now, times, chance, verdict }
}

/// Whether there are rounds enough for any difference to be seen: 5 against 5 are.
fn can_differ(before: &Row, now: &Row) -> bool {
    let lowest = vec![0.0; before.rounds.len()];
    let highest = vec![1.0; now.rounds.len()];
    rank_test(&lowest, &highest) <= LEVEL
}
