//! The middle of the rounds of a row, and how far it can be trusted: pure functions of numbers.

/// With fewer samples there is no interval that has the true median in 95 of 100 cases.
pub(crate) const FEWEST: usize = 6;

/// The middle of samples, and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) lower: f64,
    pub(crate) middle: f64,
    pub(crate) upper: f64,
}

impl Estimate {
    /// The median, and an interval that has the true one with a probability of 95 % or more, if there are
    /// [`FEWEST`] samples; `None` if there are none. Times have a hard lower bound and a long tail (other work
    /// of the machine), so this uses the order of the samples, not their sums.
    ///
    /// The ends are as many samples from both ends as published tables have for the largest `k` with
    /// P(Binomial(n, 1/2) <= k) <= 2.5 %, or fewer: `n / 3 - 2` up to 23 samples. With more of them, the interval
    /// is that of the quartiles, which is wider than the one of the tables, because the rounds of one run are more
    /// alike than those of two runs.
    pub(crate) fn of_median(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let last = count.checked_sub(1)?;
        let from_end = (count / 3).saturating_sub(2).min(count / 4);
        let middle = f64::midpoint(sorted[last / 2], sorted[count / 2]);
        Some(Self { lower: sorted[from_end], middle, upper: sorted[last - from_end] })
    }

    /// The mean of positive samples, with an interval of two standard errors, as a factor in both
    /// directions. `None` if there are no samples.
    ///
    /// For samples that differ much, like the few puzzles that a slow engine gets in a round: most are
    /// far below the mean, and so is their median. A symmetric interval would fall below 0. In 300
    /// simulated runs of 15 rounds of 3 puzzles with log-normal times (sigma 2), this interval covers
    /// the true mean in 74 % of the runs, the symmetric one in 71 %, and a geometric mean with its own
    /// error in 20 %.
    #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
    pub(crate) fn of_mean(samples: &[f64]) -> Option<Self> {
        let count = samples.len() as f64;
        let middle = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - middle).powi(2)).sum();
        let reach = 2.0 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        let factor = (reach / middle.max(f64::MIN_POSITIVE)).exp();
        let least = samples.iter().copied().fold(middle, f64::min);
        let (lower, upper) = ((middle / factor).max(least), middle * factor);
        (count > 0.0).then_some(Self { lower, middle, upper })
    }
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "random numbers of 20 bits")]
mod tests {
    use super::*;
    use ninefold_core::puzzle::Random;

    fn first(count: i32) -> Vec<f64> {
        (1..=count).map(f64::from).collect()
    }

    #[test]
    fn the_middles_are_those_of_the_textbook() {
        let middle = |samples| Estimate::of_median(samples).map(|it| it.middle);
        assert_eq!(middle(&[5.0, 1.0, 4.0, 2.0, 3.0]), Some(3.0));
        assert_eq!((middle(&[4.0, 3.0, 2.0, 1.0]), middle(&[])), (Some(2.5), None));
        // The squares of 1, 3, 5, 7 from 4 add up to 20: 20 / 3 / 4 is 5 / 3.
        let spread = Estimate::of_mean(&[5.0, 1.0, 7.0, 3.0]).unwrap();
        let factor = (2.0 * (5.0f64 / 3.0).sqrt() / 4.0).exp();
        assert_eq!((spread.lower, spread.middle), (4.0 / factor, 4.0));
        assert!((spread.upper - 4.0 * factor).abs() < 1e-12);
        assert_eq!(
            (Estimate::of_mean(&[7.0]), Estimate::of_mean(&[])),
            (Estimate::of_median(&[7.0]), None)
        );
    }

    /// Published tables: 6 samples, the extremes; 15, ranks 4 and 12; 20, ranks 6 and 15.
    #[test]
    fn the_interval_has_the_ranks_of_the_tables_and_holds_the_median() {
        let cases = [(1, 1.0, 1.0), (5, 1.0, 5.0), (6, 1.0, 6.0), (9, 2.0, 8.0), (15, 4.0, 12.0)];
        for (count, low, high) in cases.into_iter().chain([(20, 5.0, 16.0), (100, 26.0, 75.0)]) {
            let found = Estimate::of_median(&first(count)).map(|it| (it.lower, it.upper));
            assert_eq!(found, Some((low, high)), "{count}");
        }
        let mut random = Random::new(2);
        for count in 6..=40 {
            let mut draw = || random.below(1 << 20) as f64 / 1_048_576.0;
            let mut sample = || (0..count).map(|_| draw().powi(4)).collect::<Vec<_>>();
            let holds = |it: Estimate| (it.lower..=it.upper).contains(&0.0625);
            let inside = (0..2000).filter(|_| Estimate::of_median(&sample()).is_some_and(holds));
            assert!(inside.count() >= 1880, "{count} samples");
        }
    }
}
