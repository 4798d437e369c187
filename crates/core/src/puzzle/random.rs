//! Reproducible random numbers, the same on every platform: `SplitMix64` expands a seed,
//! xoshiro256** draws from it.
//!
//! ```text
//! seed ─mix─ + index ─mix─ + attempt ─mix─► SplitMix64 ─► 4 words ─► xoshiro256** ─► numbers
//! ```
//!
//! Each attempt at each puzzle has a stream of its own. So threads can share the work in any order,
//! and two builds agree to the byte. `mix` is a bijection, so no two indices of a seed begin with the
//! same stream.
//!
//! `SplitMix64` is from Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
//! 2014; xoshiro256** from Blackman and Vigna, "Scrambled linear pseudorandom number generators",
//! 2021, who advise to seed it this way; numbers below a limit are drawn without bias as Lemire
//! does, "Fast random integer generation in an interval", 2019. These few lines are our own, so
//! that no change of a dependency changes the puzzles of a seed.

/// A stream of random numbers.
///
/// ```
/// use ninefold_core::puzzle::Random;
///
/// let mut random = Random::of(1, 0, 0);
/// assert_eq!(random, Random::of(1, 0, 0));
/// assert!(random.below(6) < 6);
/// let mut order: [usize; 9] = random.order();
/// random.shuffle(&mut order);
/// order.sort();
/// assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random([u64; 4]);

/// Where random numbers come from: a seed, or, with the feature `rand`, any generator of `rand_core`.
///
/// A seed gives the same numbers on every platform, in every version. Of a generator, one number is
/// drawn: the seed.
///
/// ```
/// use ninefold_core::symmetry::Isomorphism;
///
/// assert_eq!(Isomorphism::random(7), Isomorphism::random(7));
/// ```
pub trait Randomness: Sized {
    /// A seed.
    #[doc(hidden)]
    fn seed(self) -> u64;

    /// Draws from the stream of the seed.
    #[doc(hidden)]
    fn draw<T>(self, draw: impl FnOnce(&mut Random) -> T) -> T {
        draw(&mut Random::new(self.seed()))
    }
}

impl Randomness for u64 {
    fn seed(self) -> u64 {
        self
    }
}

/// The streams of the workspace are drawn from as they are.
impl Randomness for &mut Random {
    fn seed(self) -> u64 {
        self.next_u64()
    }

    fn draw<T>(self, draw: impl FnOnce(&mut Random) -> T) -> T {
        draw(self)
    }
}

#[cfg(feature = "rand")]
impl<R: rand_core::Rng + ?Sized> Randomness for &mut R {
    fn seed(self) -> u64 {
        self.next_u64()
    }
}

/// The odd number nearest to 2⁶⁴ divided by the golden ratio: `SplitMix64`'s step.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// `SplitMix64`'s scrambling of its counter: each number has one that it comes from.
const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// The stream of a seed: xoshiro256** from the first four numbers of `SplitMix64`.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self([(); 4].map(|()| {
            counter = counter.wrapping_add(GOLDEN);
            mix(counter)
        }))
    }

    /// The stream of one attempt at the puzzle with this index.
    pub fn of(seed: u64, index: u64, attempt: u64) -> Self {
        let key = mix(mix(seed.wrapping_add(GOLDEN)).wrapping_add(index));
        Self::new(mix(key.wrapping_add(attempt)))
    }

    /// The next number, any of 2⁶⁴.
    #[inline]
    pub(crate) fn next_u64(&mut self) -> u64 {
        let state = &mut self.0;
        let number = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        number
    }

    /// A number below `limit`, each as likely as any other.
    ///
    /// The upper word of `next_u64() * limit`. Of the 2⁶⁴ products those whose lower word is below
    /// 2⁶⁴ mod `limit` would be one too many for some numbers: then it draws again.
    ///
    /// # Panics
    /// If `limit` is 0.
    #[inline]
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "no number is below 0");
        let wide = limit as u128;
        loop {
            let product = u128::from(self.next_u64()) * wide;
            #[expect(clippy::cast_possible_truncation, reason = "the lower and the upper word")]
            let (low, high) = (product as u64, (product >> 64) as usize);
            // The remainder is below the limit: a division only if that does not decide.
            if low >= limit as u64 || low >= (limit as u64).wrapping_neg() % limit as u64 {
                return high;
            }
        }
    }

    /// Puts the items into random order (Fisher and Yates), from the last to the second.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    /// The numbers 0 to `N - 1` in random order.
    pub fn order<const N: usize>(&mut self) -> [usize; N] {
        let mut order = core::array::from_fn(|index| index);
        self.shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers that the authors' C programs give, as the crate `rand_xoshiro` and
    /// Java's `SplittableRandom` have them in their tests, too.
    #[test]
    fn the_numbers_are_those_of_the_reference() {
        let mut xoshiro = Random([1, 2, 3, 4]);
        let expected = "11520 0 1509978240 1215971899390074240 1216172134540287360 607988272756665600 \
            16172922978634559625 8476171486693032832 10595114339597558777 2904607092377533576";
        for number in expected.split(' ') {
            assert_eq!(xoshiro.next_u64().to_string(), number);
        }
        let splitmix = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
        ];
        assert_eq!(Random::new(1_234_567), Random(splitmix));
    }

    #[test]
    fn every_puzzle_and_every_attempt_has_its_own_stream() {
        let mut firsts: Vec<_> = (0..4)
            .flat_map(|seed| (0..50).map(move |index| (seed, index)))
            .flat_map(|(seed, index)| (0..5).map(move |attempt| Random::of(seed, index, attempt)))
            .map(|mut random| random.next_u64())
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 4 * 50 * 5);
    }

    /// 60,000 orders of three: each of the six within five standard deviations (91) of 10,000.
    #[test]
    fn every_order_is_as_likely() {
        let mut random = Random::new(1);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            let [one, two, three] = random.order::<3>();
            counts[one * 2 + usize::from(two > three)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_545..10_455).contains(&count)), "{counts:?}");
    }

    #[test]
    fn every_number_below_the_limit_comes_about_as_often() {
        let mut random = Random::new(2);
        for limit in 1..=10 {
            let mut counts = vec![0u32; limit];
            (0..1000 * limit).for_each(|_| counts[random.below(limit)] += 1);
            // The standard deviation is at most the root of 1000: 32.
            assert!(counts.iter().all(|count| count.abs_diff(1000) < 160), "{counts:?}");
        }
        // With the second of these a third of all numbers would favour some results, and is drawn again.
        for limit in [81, usize::MAX / 3 * 2, usize::MAX] {
            assert!((0..1000).all(|_| random.below(limit) < limit));
        }
    }
}
