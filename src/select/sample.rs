//! A uniform sample of rows in one pass: `size` of each stratum.
//!
//! Algorithm R (Vitter, "Random sampling with a reservoir", 1985): row `n` replaces one of the `k`
//! kept ones with probability `k / n`. The random numbers of a stratum are a stream of their own,
//! and rows come in the order of the input, so a seed gives the same sample whatever the threads.

use super::column::column_name;
use super::options::Condition;
use crate::puzzle::Random;
use std::collections::BTreeMap;
use std::str::FromStr;

/// What defines the strata of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Strata {
    /// This fact about the puzzle.
    Fact(Condition),
    /// The value of the column of this name.
    Column(String),
}

impl FromStr for Strata {
    type Err = String;

    /// A name of a fact, or of a column. In `"` it is a column.
    fn from_str(text: &str) -> Result<Self, String> {
        match Condition::STRATA.into_iter().find(|it| it.fact() == text) {
            Some(fact) => Ok(Self::Fact(fact)),
            None => column_name(text).map(Self::Column),
        }
    }
}

/// A row that is kept.
pub(super) struct SampledRow {
    /// Its place among the rows.
    number: u64,
    pub(super) text: Box<[u8]>,
    pub(super) input: usize,
    pub(super) part: usize,
}

/// The rows of one stratum.
struct Reservoir {
    random: Random,
    seen: usize,
    rows: Vec<SampledRow>,
}

/// Samples of all strata.
pub(super) struct Sample {
    size: usize,
    seed: u64,
    /// Rows so far.
    rows: u64,
    strata: BTreeMap<u64, Reservoir>,
}

impl Sample {
    /// Keeps `size` rows of each stratum.
    pub(super) fn new(size: u64, seed: u64) -> Self {
        // No input has more rows than addresses.
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Self { size, seed, rows: 0, strata: BTreeMap::new() }
    }

    /// Takes a row of an input, for a part.
    pub(super) fn add(&mut self, text: &[u8], stratum: u64, input: usize, part: usize) {
        let (size, seed, number) = (self.size, self.seed, self.rows);
        self.rows += 1;
        let Reservoir { random, seen, rows } = self.strata.entry(stratum).or_insert_with(|| {
            Reservoir { random: Random::of(seed, stratum, 0), seen: 0, rows: Vec::new() }
        });
        *seen += 1;
        let row = || SampledRow { number, text: text.into(), input, part };
        if rows.len() < size {
            rows.push(row());
        } else if size > 0
            && let Some(old) = rows.get_mut(random.below(*seen))
        {
            *old = row();
        }
    }

    /// The rows that were kept, in the order of the input.
    pub(super) fn into_rows(self) -> Vec<SampledRow> {
        let mut rows: Vec<_> = self.strata.into_values().flat_map(|it| it.rows).collect();
        rows.sort_unstable_by_key(|row| row.number);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(size: u64, seed: u64, rows: usize, strata: u64) -> Vec<usize> {
        let mut sample = Sample::new(size, seed);
        for row in 0..rows {
            sample.add(row.to_string().as_bytes(), row as u64 % strata, 0, 0);
        }
        let text = |row: SampledRow| String::from_utf8(row.text.into()).unwrap().parse().unwrap();
        sample.into_rows().into_iter().map(text).collect()
    }

    #[test]
    fn a_sample_is_in_the_order_of_the_input_and_no_larger_than_it() {
        let rows = sample(10, 1, 100, 1);
        assert_eq!(rows.len(), 10);
        assert!(rows.is_sorted());
        assert_eq!(sample(10, 1, 7, 1), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(sample(10, 1, 100, 1), rows);
        assert_ne!(sample(10, 2, 100, 1), rows);
        assert!(sample(0, 1, 9, 1).is_empty());
    }

    #[test]
    fn each_stratum_has_a_sample() {
        let rows = sample(5, 3, 100, 4);
        assert_eq!(rows.len(), 20);
        for stratum in 0..4 {
            assert_eq!(rows.iter().filter(|&&row| row % 4 == stratum).count(), 5);
        }
    }

    /// Chi-squared test: how often each of 50 rows is in a sample of 10, over 2,000 fixed seeds.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn every_row_is_equally_likely() {
        const ROWS: usize = 50;
        let mut counts = [0u32; ROWS];
        for seed in 0..2000 {
            for row in sample(10, seed, ROWS, 1) {
                counts[row] += 1;
            }
        }
        let expected = 2000.0 * 10.0 / ROWS as f64;
        // Rows of a sample are drawn without replacement: the variance is smaller by this factor.
        let factor = (ROWS - 1) as f64 / (ROWS - 10) as f64;
        let squares = counts.map(|count| (f64::from(count) - expected).powi(2) / expected);
        let statistic = squares.iter().sum::<f64>() * factor;
        // 49 degrees of freedom: between the quantiles 0.001 and 0.999.
        assert!((24.7..85.4).contains(&statistic), "{statistic}");
    }

    #[test]
    fn strata_are_of_a_fact_or_of_a_column() {
        let strata = |text: &str| text.parse::<Strata>();
        assert_eq!(strata("clues"), Ok(Strata::Fact(Condition::Clues)));
        assert_eq!(strata("\"clues\""), Ok(Strata::Column("clues".to_owned())));
        assert_eq!(strata("\"a \"\"b\"\"\""), Ok(Strata::Column("a \"b\"".to_owned())));
        assert_eq!(strata("rating"), Ok(Strata::Column("rating".to_owned())));
        assert!(strata("").is_err() && strata("\"\"").is_err() && strata("\"").is_err());
    }
}
