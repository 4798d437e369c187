//! Statistics of samples: pure functions of numbers.
//!
//! Times have a hard lower bound and a long tail (other work of the machine). So everything here uses
//! the order of samples, not their sums: median, quartiles, Mann-Whitney test.

/// The median and the quartiles of samples.
///
/// ```text
///     · ··· ····|····  ·· ·        ·
///         └─────┴─────┘
///      lower  middle  upper        a quarter of all lies below `lower`, a quarter above `upper`
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The first quartile.
    pub lower: f64,
    /// The median; of a mean (see [`Spread::of_mean`]), the mean.
    pub middle: f64,
    /// The third quartile.
    pub upper: f64,
}

impl Spread {
    /// The spread of samples, in any order; `None` if there are none.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let [lower, middle, upper] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        Some(Self { lower: lower?, middle: middle?, upper: upper? })
    }

    /// The mean of positive samples, with an interval of two standard errors, as a factor in both
    /// directions. `None` if there are no samples.
    ///
    /// For samples that differ much, like the few puzzles that a slow engine gets in a round: most are
    /// far below the mean, and so is their median. A symmetric interval would fall below 0. A factor does
    /// not, and the lower end is at least the smallest sample. In 300 simulated runs of 15 rounds of 3
    /// puzzles with log-normal times (sigma 2), this interval covers the true mean in 74 % of the runs,
    /// the symmetric one in 71 %, and a geometric mean with its own error in 20 %.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
    pub fn of_mean(samples: &[f64]) -> Option<Self> {
        let count = samples.len() as f64;
        let middle = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - middle).powi(2)).sum();
        let reach = 2.0 * (squares / (count - 1.0).max(1.0) / count).sqrt();
        let factor = (reach / middle.max(f64::MIN_POSITIVE)).exp();
        let least = samples.iter().copied().fold(middle, f64::min);
        let (lower, upper) = ((middle / factor).max(least), middle * factor);
        (count > 0.0).then_some(Self { lower, middle, upper })
    }

    /// An interval that has the median of all possible samples with a probability of 95 % or more, if
    /// there are six samples or more; `None` if there are none.
    ///
    /// The interval of order statistics: between the samples of rank `k` from both ends, for the
    /// largest `k` with P(Binomial(n, 1/2) < k) <= 2.5 %. It assumes no distribution. Fewer than six
    /// samples give the lowest and the highest. The interval is never narrower than the quartiles:
    /// the rounds of one run are more alike than those of two runs, because the machine stays in one
    /// state during a run.
    ///
    /// ```
    /// use crate::bench::Spread;
    ///
    /// let rounds: Vec<f64> = (1..=15).map(f64::from).collect();
    /// assert_eq!(Spread::interval(&rounds), Some((4.0, 12.0)));
    /// ```
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
    pub fn interval(samples: &[f64]) -> Option<(f64, f64)> {
        let quartiles = Self::of(samples)?;
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        // The probability of `rank` of `count` on one side, and the sum of those before it.
        let (mut each, mut below, mut rank) = (0.5f64.powf(count as f64), 0.0, 0);
        while rank < count / 2 && below + each <= 0.025 {
            below += each;
            each *= (count - rank) as f64 / (rank + 1) as f64;
            rank += 1;
        }
        let rank = rank.saturating_sub(1);
        let (low, high) = (sorted[rank], sorted[count - 1 - rank]);
        Some((low.min(quartiles.lower), high.max(quartiles.upper)))
    }

    /// Half the distance between lower and upper.
    #[must_use]
    pub fn half_width(self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// The half width as a share of the middle; 0 if the middle is 0.
    #[must_use]
    pub fn relative(self) -> f64 {
        if self.middle > 0.0 { self.half_width() / self.middle } else { 0.0 }
    }
}

/// The value below which this share of the sorted samples lies, between two samples on the
/// straight line that joins them (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical
/// Packages", 1996).
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place among samples, of which there are fewer than 2^52"
)]
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)?) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[below] + (sorted[above] - sorted[below]) * place.fract())
}

/// The p-value of the Mann-Whitney test: how likely chance alone separates two sets of samples at least
/// this far. From 0 to 1, and 1 if one set is empty.
///
/// The test of Mann and Whitney, "On a Test of Whether one of Two Random Variables is
/// Stochastically Larger than the Other", 1947, two-sided and exact: the pairs in which the one is
/// less than the other are counted, and so are all the ways to get no more. A tie is half a pair,
/// rounded to where less is claimed.
pub(super) fn rank_test(one: &[f64], other: &[f64]) -> f64 {
    let half_pairs: usize = one
        .iter()
        .flat_map(|a| other.iter().map(move |b| a.total_cmp(b)))
        .map(|order| match order {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        })
        .sum();
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
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn the_median_and_the_quartiles_are_those_of_the_textbook() {
        let spread = |samples: &[f64]| Spread::of(samples).unwrap();
        let expected = Spread { lower: 2.0, middle: 3.0, upper: 4.0 };
        assert_eq!(spread(&[5.0, 1.0, 4.0, 2.0, 3.0]), expected);
        let expected = Spread { lower: 1.75, middle: 2.5, upper: 3.25 };
        assert_eq!(spread(&[4.0, 3.0, 2.0, 1.0]), expected);
        assert_eq!(expected.half_width(), 0.75);
        assert_eq!(expected.relative(), 0.3);
        assert_eq!(spread(&[7.0]), Spread { lower: 7.0, middle: 7.0, upper: 7.0 });
        assert_eq!(Spread::of(&[]), None);
    }

    /// The ranks are those of published tables: 6 samples, the extremes; 15, ranks 4 and 12; 100,
    /// ranks 40 and 61, within which the quartiles are wider.
    #[test]
    fn the_interval_has_the_ranks_of_the_tables() {
        let first = |count: i32| (1..=count).map(f64::from).collect::<Vec<_>>();
        for (count, low, high) in [(1, 1.0, 1.0), (3, 1.0, 3.0), (5, 1.0, 5.0), (6, 1.0, 6.0)] {
            assert_eq!(Spread::interval(&first(count)), Some((low, high)), "{count}");
        }
        for (count, low, high) in [(8, 1.0, 8.0), (9, 2.0, 8.0), (12, 3.0, 10.0), (15, 4.0, 12.0)] {
            assert_eq!(Spread::interval(&first(count)), Some((low, high)), "{count}");
        }
        assert_eq!(Spread::interval(&first(100)), Some((25.75, 75.25)));
        assert_eq!(Spread::interval(&[]), None);
    }

    /// The claim of 95 %, on skewed samples.
    #[test]
    fn the_interval_holds_the_median_as_often_as_is_claimed() {
        use crate::puzzle::Random;
        let mut random = Random::new(2);
        for count in [6, 9, 15, 30] {
            let inside = (0..2000).filter(|_| {
                let mut draw =
                    || f64::from(u32::try_from(random.below(1 << 20)).unwrap()) / 1_048_576.0;
                let samples: Vec<_> = (0..count).map(|_| draw().powi(4)).collect();
                let (low, high) = Spread::interval(&samples).unwrap();
                (low..=high).contains(&0.0625)
            });
            let inside = inside.count();
            assert!(inside >= 1880, "{inside} of 2000 with {count} samples");
        }
    }

    #[test]
    fn a_mean_has_twice_its_standard_error() {
        // The squares of 1, 3, 5, 7 from 4 add up to 20: 20 / 3 / 4 is 5 / 3.
        let spread = Spread::of_mean(&[5.0, 1.0, 7.0, 3.0]).unwrap();
        let factor = (2.0 * (5.0f64 / 3.0).sqrt() / 4.0).exp();
        assert_eq!((spread.lower, spread.middle), (4.0 / factor, 4.0));
        assert!((spread.upper - 4.0 * factor).abs() < 1e-12);
        assert_eq!(Spread::of_mean(&[0.0, 0.0]), Spread::of(&[0.0]));
        assert_eq!(Spread::of_mean(&[7.0]), Spread::of(&[7.0]));
        assert_eq!(Spread::of_mean(&[]), None);
    }

    /// From the tables of the test: 5 against 5 all below, 2 of 252 orders; 4 against 4, 2 of 70.
    #[test]
    fn the_rank_test_gives_the_published_probabilities() {
        let low = [1.0, 2.0, 3.0, 4.0, 5.0];
        let high = [6.0, 7.0, 8.0, 9.0, 10.0];
        assert_eq!(rank_test(&low, &high), 2.0 / 252.0);
        assert_eq!(rank_test(&high, &low), 2.0 / 252.0);
        assert_eq!(rank_test(&low[..4], &high[..4]), 2.0 / 70.0);
        // U = 4 of 25 with 5 and 5: 12 orders or fewer on one side.
        let mixed = [1.0, 2.0, 3.0, 6.5, 7.5];
        let p = rank_test(&mixed, &[4.0, 5.0, 8.0, 9.0, 10.0]);
        assert!((p - 2.0 * 12.0 / 252.0).abs() < 1e-12, "{p}");
        assert_eq!(rank_test(&low, &low), 1.0);
        assert_eq!(rank_test(&low, &[]), 1.0);
    }

    #[test]
    fn the_ways_are_those_that_counting_gives() {
        // Every choice of which 3 of 7 places the one set has.
        let mut counted = vec![0.0; 13];
        for places in 0u32..128 {
            if places.count_ones() == 3 {
                let pairs = (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b)));
                let less = |&(a, b): &(u32, u32)| places >> a & 1 == 1 && places >> b & 1 == 0;
                counted[pairs.filter(less).count()] += 1.0;
            }
        }
        assert_eq!(ways_to_rank(3, 4), counted);
        assert_eq!(ways_to_rank(4, 3), counted);
        assert_eq!(ways_to_rank(100, 100)[..6], [1.0, 1.0, 2.0, 3.0, 5.0, 7.0]);
    }

    proptest! {
        #[test]
        fn the_spread_lies_in_the_samples_and_moves_with_them(
            samples in vec(0.001..1e9f64, 1..60), factor in 0.5..2.0f64,
        ) {
            let spread = Spread::of(&samples).unwrap();
            let least = samples.iter().copied().fold(f64::MAX, f64::min);
            let most = samples.iter().copied().fold(0.0, f64::max);
            prop_assert!(least <= spread.lower && spread.lower <= spread.middle);
            prop_assert!(spread.middle <= spread.upper && spread.upper <= most);
            let scaled: Vec<_> = samples.iter().map(|sample| sample * factor).collect();
            let moved = Spread::of(&scaled).unwrap();
            prop_assert!((moved.middle / spread.middle - factor).abs() < 1e-9);
            let mean = Spread::of_mean(&samples).unwrap();
            prop_assert!(least * (1.0 - 1e-9) <= mean.lower && mean.lower <= mean.middle);
            prop_assert!(mean.middle <= mean.upper);
        }

        #[test]
        fn the_rank_test_is_a_probability_and_treats_both_alike(
            one in vec(0.0..10.0f64, 1..40), other in vec(0.0..10.0f64, 1..40),
        ) {
            let p = rank_test(&one, &other);
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert!((p - rank_test(&other, &one)).abs() < 1e-9);
            let apart: Vec<_> = other.iter().map(|sample| sample + 10.0).collect();
            prop_assert!(rank_test(&one, &apart) <= p + 1e-9);
        }
    }

    /// Samples of one kind are called different as seldom as is claimed.
    #[test]
    fn chance_alone_is_seldom_called_a_difference() {
        use crate::puzzle::Random;
        let mut random = Random::new(1);
        let mut draw =
            || [(); 12].map(|()| f64::from(u32::try_from(random.below(1 << 20)).unwrap()));
        let seen = (0..2000).filter(|_| rank_test(&draw(), &draw()) < 0.05).count();
        assert!((40..=110).contains(&seen), "{seen} of 2000, 100 expected at most");
    }
}
