//! Ratings, counted. Workers count their chunks; `+=` adds them up.

use crate::bulk::{self, Counts, status_names};
use crate::difficulty::{Effort, Grade, Measured, Score, Technique};
use crate::{Status, StatusCounts};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Counts of an input, or of a part of it.
///
/// ```
/// use ninefold::rate::Stats;
///
/// let mut total = Stats { lines: 3, puzzles: 2, ..Stats::default() };
/// total += total;
/// assert_eq!((total.lines, total.puzzles, total.unrated()), (6, 4, 4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines of any kind.
    pub lines: u64,
    /// Lines that should be a puzzle. Each has one record and one status.
    pub puzzles: u64,
    /// Comment lines.
    pub comments: u64,
    /// Puzzles by status.
    #[serde(with = "status_names")]
    pub statuses: StatusCounts,
    /// Puzzles by effort.
    pub efforts: EffortCounts,
    /// Puzzles by Explainer's rating: by the hardest step,
    pub er: ScoreCounts,
    /// by the hardest step up to the first digit placed,
    pub ep: ScoreCounts,
    /// and by the first step.
    pub ed: ScoreCounts,
    /// Puzzles by hardest technique, in the order of [`Technique::ALL`].
    pub techniques: [u64; Technique::ALL.len()],
    /// Puzzles by grade, in the order of [`Grade::ALL`].
    pub grades: [u64; Grade::ALL.len()],
}

/// How far a run has come.
///
/// ```
/// assert_eq!(ninefold::rate::Checkpoint::start(2).inputs.len(), 2);
/// ```
pub type Checkpoint = bulk::Checkpoint<Stats>;

/// What a run found: see [`bulk::Report`].
pub type Report = bulk::Report<Stats>;

impl Counts for Stats {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn lines(&self) -> u64 {
        self.lines
    }

    fn puzzles(&self) -> u64 {
        self.puzzles
    }
}

impl Stats {
    /// Puzzles that were not rated: those that have not one solution.
    #[must_use]
    pub fn unrated(&self) -> u64 {
        self.puzzles - self.statuses[Status::Unique]
    }

    /// Counts what was measured of a puzzle.
    pub fn add(&mut self, measured: &Measured) {
        if let Some(effort) = &measured.effort {
            self.efforts.add(effort);
        }
        if let Some(rating) = &measured.rating {
            self.er.add(rating.er);
            self.ep.add(rating.ep);
            self.ed.add(rating.ed);
            self.techniques[rating.technique as usize] += 1;
        }
        if let Some(grade) = measured.grade {
            self.grades[grade as usize] += 1;
        }
    }
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.puzzles += other.puzzles;
        self.comments += other.comments;
        self.statuses += other.statuses;
        self.efforts += other.efforts;
        self.er += other.er;
        self.ep += other.ep;
        self.ed += other.ed;
        add(&mut self.techniques, &other.techniques);
        add(&mut self.grades, &other.grades);
    }
}

fn add(counts: &mut [u64], others: &[u64]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
    }
}

/// Puzzles by effort.
///
/// ```
/// use ninefold::rate::EffortCounts;
///
/// let bins: Vec<_> = EffortCounts::default().bins().collect();
/// assert_eq!(bins[0], (0, 0)); // no guesses: 0 puzzles
/// assert_eq!(bins[1], (1, 0)); // up to 1 guess
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffortCounts {
    /// Puzzles that were measured.
    pub puzzles: u64,
    /// The guesses of all searches of all puzzles, and the number of searches.
    pub guesses: u64,
    /// See `guesses`.
    pub searches: u64,
    /// The highest mean, in thousandths.
    pub most_thousandths: u64,
    /// Puzzles by bin: with an effort up to the bound of the same place, and above the one before.
    counts: [u64; BOUNDS.len() + 1],
}

/// The highest efforts of the bins. The last bin has no bound.
const BOUNDS: [u64; 18] = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1000];

impl EffortCounts {
    /// Counts an effort.
    pub fn add(&mut self, effort: &Effort) {
        self.puzzles += 1;
        self.guesses += effort.guesses();
        self.searches += effort.searches();
        self.most_thousandths = self.most_thousandths.max(effort.mean_thousandths());
        let below = |&bound: &u64| bound * effort.searches() < effort.guesses();
        self.counts[BOUNDS.partition_point(below)] += 1;
    }

    /// The bins: the highest effort of each, and the number of puzzles. Efforts of a bin are above
    /// those of the bin before it; the last bin has no bound, `u64::MAX`.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> {
        BOUNDS.into_iter().chain([u64::MAX]).zip(self.counts)
    }

    /// The mean effort of all puzzles in thousandths, rounded; `None` without puzzles.
    #[must_use]
    pub fn mean_thousandths(&self) -> Option<u64> {
        let sum = u128::from(self.guesses) * 1000 + u128::from(self.searches) / 2;
        let mean = sum.checked_div(u128::from(self.searches))?;
        u64::try_from(mean).ok()
    }
}

impl AddAssign for EffortCounts {
    fn add_assign(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        self.guesses += other.guesses;
        self.searches += other.searches;
        self.most_thousandths = self.most_thousandths.max(other.most_thousandths);
        add(&mut self.counts, &other.counts);
    }
}

/// One more than the tenths of a score: the last is above all others.
const SCORES: usize = Score::MOST_TENTHS as usize + 2;

/// Puzzles by score.
///
/// ```
/// use ninefold::difficulty::Score;
/// use ninefold::rate::ScoreCounts;
///
/// let mut counts = ScoreCounts::default();
/// counts.add(Score::Tenths(42));
/// counts.add(Score::Above);
/// let found: Vec<_> = counts.scores().map(|(score, count)| format!("{score}: {count}")).collect();
/// assert_eq!(found, ["4.2: 1", ">6.2: 1"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreCounts([u64; SCORES]);

impl Default for ScoreCounts {
    fn default() -> Self {
        Self([0; SCORES])
    }
}

impl ScoreCounts {
    /// Counts a score.
    pub fn add(&mut self, score: Score) {
        self.0[score.tenths().map_or(SCORES - 1, usize::from).min(SCORES - 1)] += 1;
    }

    /// The scores that were counted, in ascending order, with their numbers.
    pub fn scores(&self) -> impl Iterator<Item = (Score, u64)> {
        let score = |place: usize| match u8::try_from(place) {
            Ok(tenths) if tenths <= Score::MOST_TENTHS => Score::Tenths(tenths),
            _ => Score::Above,
        };
        let counts = self.0.iter().enumerate().filter(|&(_, &count)| count > 0);
        counts.map(move |(place, &count)| (score(place), count))
    }

    /// The highest score that was counted.
    #[must_use]
    pub fn most(&self) -> Option<Score> {
        self.scores().last().map(|(score, _)| score)
    }
}

impl AddAssign for ScoreCounts {
    fn add_assign(&mut self, other: Self) {
        add(&mut self.0, &other.0);
    }
}

impl Serialize for ScoreCounts {
    /// The counts by the texts of the scores.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.scores().map(|(score, count)| (score.text(), count)))
    }
}

impl<'de> Deserialize<'de> for ScoreCounts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut texts = BTreeMap::<String, u64>::deserialize(from)?;
        let mut counts = Self::default();
        for (tenths, count) in (0..=Score::MOST_TENTHS).zip(&mut counts.0) {
            *count = texts.remove(Score::Tenths(tenths).text()).unwrap_or(0);
        }
        counts.0[SCORES - 1] = texts.remove(Score::Above.text()).unwrap_or(0);
        match texts.pop_first() {
            Some((text, _)) => Err(serde::de::Error::custom(format!("no score is called {text}"))),
            None => Ok(counts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::{Gauge, Meter};
    use crate::engine::lanes::SimdLevel;
    use crate::names::NameSet;
    use crate::puzzle::{Grid, parse};

    fn hard() -> Grid {
        let line =
            b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
        parse::line(line).unwrap()
    }

    #[test]
    fn counts_are_added_and_survive_a_checkpoint() {
        let mut stats = Stats { bytes: 82, lines: 1, puzzles: 1, ..Stats::default() };
        stats.statuses[Status::Unique] = 1;
        let mut measured = Vec::new();
        Gauge::new(NameSet::ALL, SimdLevel::best(), 10, 1).measure(&[hard()], &mut measured);
        stats.add(&measured[0]);
        let mut twice = stats;
        twice += stats;
        assert_eq!((twice.puzzles, twice.er.scores().next()), (2, Some((Score::Above, 2))));
        assert_eq!(twice.techniques[Technique::Chains as usize], 2);
        assert_eq!(twice.grades[Grade::Search as usize], 2);
        assert_eq!(twice.efforts.mean_thousandths(), stats.efforts.mean_thousandths());
        let text = serde_json::to_string(&twice).unwrap();
        assert_eq!(serde_json::from_str::<Stats>(&text).unwrap(), twice);
        let other = text.replace(">6.2", "7.5");
        assert!(serde_json::from_str::<Stats>(&other).is_err());
    }

    #[test]
    fn an_effort_is_in_the_bin_of_the_next_bound() {
        let mut counts = EffortCounts::default();
        let effort = Meter::new(10, 1).measure(&hard()).unwrap();
        assert_eq!(effort.mean_thousandths(), 43_200);
        counts.add(&effort);
        let bin = counts.bins().find(|&(_, count)| count > 0);
        assert_eq!(bin, Some((50, 1)));
        assert_eq!(counts.most_thousandths, 43_200);
    }
}
