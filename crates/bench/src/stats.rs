//! Statistics of samples: pure functions of numbers.
//!
//! Times have a hard lower bound and a long tail (other work of the machine). So everything here uses
//! the order of samples, not their sums: median, quartiles, Mann-Whitney test.
#![expect(clippy::cast_precision_loss, reason = "numbers of samples and pairs")]

/// The median and the quartiles of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SampleSpread {
    /// The first quartile.
    pub(crate) lower: f64,
    /// The median; of [`SampleSpread::of_mean`], the mean.
    pub(crate) middle: f64,
    /// The third quartile.
    pub(crate) upper: f64,
}

impl SampleSpread {
    /// The spread of samples, in any order; `None` if there are none.
    pub(crate) fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        let [lower, middle, upper] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        Some(Self { lower: lower?, middle: middle?, upper: upper? })
    }

    /// The mean of positive samples, with an interval of two standard errors, as a factor in both
    /// directions. `None` if there are no samples.
    ///
    /// For samples that differ much, like the few puzzles that a slow engine gets in a round: most are
    /// far below the mean, and so is their median. A symmetric interval would fall below 0. In 300
    /// simulated runs of 15 rounds of 3 puzzles with log-normal times (sigma 2), this interval covers
    /// the true mean in 74 % of the runs, the symmetric one in 71 %, and a geometric mean with its own
    /// error in 20 %.
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

    /// An interval that has the true median with a probability of 95 % or more, if there are six
    /// samples or more; `None` if there are none.
    ///
    /// The interval of order statistics: between the samples of rank `k` from both ends, for the
    /// largest `k` with P(Binomial(n, 1/2) < k) <= 2.5 %. It assumes no distribution. It is never
    /// narrower than the quartiles: the rounds of one run are more alike than those of two runs.
    pub(crate) fn interval(samples: &[f64]) -> Option<Self> {
        let quartiles = Self::of(samples)?;
        let sorted = sorted(samples);
        let count = sorted.len();
        // The probability of `rank` of `count` on one side, and the sum of those before it.
        let (mut each, mut below, mut rank) = (0.5f64.powf(count as f64), 0.0, 0);
        while rank < count / 2 && below + each <= 0.025 {
            below += each;
            each *= (count - rank) as f64 / (rank + 1) as f64;
            rank += 1;
        }
        let rank = rank.saturating_sub(1);
        let (lower, upper) = (sorted[rank], sorted[count - 1 - rank]);
        let (lower, upper) = (lower.min(quartiles.lower), upper.max(quartiles.upper));
        Some(Self { lower, upper, ..quartiles })
    }

    /// Half the distance between lower and upper, as a share of the middle; 0 if the middle is 0.
    pub(crate) fn relative(self) -> f64 {
        if self.middle > 0.0 { (self.upper - self.lower) / 2.0 / self.middle } else { 0.0 }
    }
}

/// The median of samples.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    SampleSpread::of(samples).map(|spread| spread.middle)
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996: on the straight line
/// between two samples.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[below] + (sorted[above] - sorted[below]) * place.fract())
}

/// The p-value of the Mann-Whitney test: how likely chance alone separates two sets of samples at
/// least this far. From 0 to 1, and 1 if one set is empty.
///
/// Mann and Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than
/// the Other", 1947, two-sided and exact. A tie is half a pair, rounded towards a larger p-value.
pub(crate) fn rank_test(one: &[f64], other: &[f64]) -> f64 {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| a.total_cmp(b)));
    let half_pairs: usize =
        pairs.map(|order| usize::from(order.is_lt()) + usize::from(order.is_le())).sum();
    let pairs = one.len() * other.len();
    let fewer = half_pairs.min(2 * pairs - half_pairs).div_ceil(2);
    let ways = ways_to_rank(one.len(), other.len());
    let as_far: f64 = ways[..=fewer.min(pairs)].iter().sum();
    (2.0 * as_far / ways.iter().sum::<f64>()).min(1.0)
}

/// The number of orders of `n + m` samples in which exactly `u` pairs are inverted, for each `u`: the
/// coefficients of `(1 - q^(n+1)) … (1 - q^(n+m)) / ((1 - q) … (1 - q^m))`.
fn ways_to_rank(n: usize, m: usize) -> Vec<f64> {
    let mut ways = vec![0.0; n * m + 1];
    ways[0] = 1.0;
    for factor in 1..=m {
        for u in (n + factor..ways.len()).rev() {
            ways[u] -= ways[u - n - factor];
        }
        for u in factor..ways.len() {
            ways[u] += ways[u - factor];
        }
    }
    ways
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the expected numbers have no rounding in them")]
mod tests {
    use super::*;
    use ninefold_core::puzzle::Random;

    fn first(count: i32) -> Vec<f64> {
        (1..=count).map(f64::from).collect()
    }

    #[test]
    fn the_quartiles_and_the_mean_are_those_of_the_textbook() {
        let expected = SampleSpread { lower: 2.0, middle: 3.0, upper: 4.0 };
        assert_eq!(SampleSpread::of(&[5.0, 1.0, 4.0, 2.0, 3.0]), Some(expected));
        let expected = SampleSpread { lower: 1.75, middle: 2.5, upper: 3.25 };
        assert_eq!(SampleSpread::of(&[4.0, 3.0, 2.0, 1.0]), Some(expected));
        assert_eq!((expected.relative(), SampleSpread::of(&[])), (0.3, None));
        // The squares of 1, 3, 5, 7 from 4 add up to 20: 20 / 3 / 4 is 5 / 3.
        let spread = SampleSpread::of_mean(&[5.0, 1.0, 7.0, 3.0]).unwrap();
        let factor = (2.0 * (5.0f64 / 3.0).sqrt() / 4.0).exp();
        assert_eq!((spread.lower, spread.middle), (4.0 / factor, 4.0));
        assert!((spread.upper - 4.0 * factor).abs() < 1e-12);
        assert_eq!(
            (SampleSpread::of_mean(&[7.0]), SampleSpread::of_mean(&[])),
            (SampleSpread::of(&[7.0]), None)
        );
    }

    /// Published tables: 6 samples, the extremes; 15, ranks 4 and 12; 100, ranks 40 and 61, within
    /// which the quartiles are wider.
    #[test]
    fn the_interval_has_the_ranks_of_the_tables_and_holds_the_median() {
        let cases = [(1, 1.0, 1.0), (5, 1.0, 5.0), (6, 1.0, 6.0), (9, 2.0, 8.0), (15, 4.0, 12.0)];
        for (count, low, high) in cases.into_iter().chain([(100, 25.75, 75.25)]) {
            let found = SampleSpread::interval(&first(count)).map(|it| (it.lower, it.upper));
            assert_eq!(found, Some((low, high)), "{count}");
        }
        assert_eq!(SampleSpread::interval(&[]), None);
        let mut random = Random::new(2);
        for count in [6, 9, 15, 30] {
            let mut draw = || random.below(1 << 20) as f64 / 1_048_576.0;
            let mut sample = || (0..count).map(|_| draw().powi(4)).collect::<Vec<_>>();
            let holds = |it: SampleSpread| (it.lower..=it.upper).contains(&0.0625);
            let inside = (0..2000).filter(|_| SampleSpread::interval(&sample()).is_some_and(holds));
            assert!(inside.count() >= 1880, "{count} samples");
        }
    }

    /// From the tables of the test: 5 against 5 all below, 2 of 252 orders; 4 against 4, 2 of 70.
    #[test]
    fn the_rank_test_gives_the_published_probabilities() {
        let (low, high) = (first(5), [6.0, 7.0, 8.0, 9.0, 10.0]);
        assert_eq!(rank_test(&low, &high), 2.0 / 252.0);
        assert_eq!(rank_test(&high, &low), 2.0 / 252.0);
        assert_eq!(rank_test(&low[..4], &high[..4]), 2.0 / 70.0);
        // U = 4 of 25 with 5 and 5: 12 orders or fewer on one side.
        let p = rank_test(&[1.0, 2.0, 3.0, 6.5, 7.5], &[4.0, 5.0, 8.0, 9.0, 10.0]);
        assert!((p - 2.0 * 12.0 / 252.0).abs() < 1e-12, "{p}");
        assert_eq!((rank_test(&low, &low), rank_test(&low, &[])), (1.0, 1.0));
        assert_eq!(ways_to_rank(100, 100)[..6], [1.0, 1.0, 2.0, 3.0, 5.0, 7.0]);
        // Samples of one kind are called different as seldom as is claimed.
        let mut random = Random::new(1);
        let mut draw = || [(); 12].map(|()| random.below(1 << 20) as f64);
        let seen = (0..2000).filter(|_| rank_test(&draw(), &draw()) < 0.05).count();
        assert!((40..=110).contains(&seen), "{seen} of 2000, 100 expected at most");
    }
}
