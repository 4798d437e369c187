//! The nine digits, and sets of them.

use core::fmt;

/// A digit, 1 to 9.
///
/// ```
/// use ninefold_core::puzzle::Digit;
///
/// assert_eq!(Digit::new(7).map(Digit::value), Some(7));
/// assert_eq!(Digit::new(0), None);
/// assert_eq!(Digit::ALL[8].to_string(), "9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(u8);

impl Digit {
    /// All nine, in order.
    pub const ALL: [Self; 9] =
        [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8), Self(9)];

    /// The digit with this value, or `None` outside 1 to 9.
    #[inline]
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= 9 { Some(Self(value)) } else { None }
    }

    /// Its value, 1 to 9.
    #[inline]
    pub const fn value(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of digits: bit 0 is digit 1, bit 8 is digit 9.
///
/// ```
/// use ninefold_core::puzzle::{Digit, DigitSet};
///
/// let mut set = DigitSet::of(Digit::ALL[4]);
/// set.insert(Digit::ALL[1]);
/// assert_eq!(set.bits(), 0b1_0010);
/// assert_eq!((set.len(), set.first()), (2, Digit::new(2)));
/// assert_eq!(set.into_iter().map(Digit::value).collect::<Vec<_>>(), [2, 5]);
/// assert!(set.union(set.complement()) == DigitSet::FULL);
/// assert!(set.intersection(set.complement()).is_empty());
/// assert_eq!(set.into_iter().collect::<DigitSet>(), set);
/// set.remove(Digit::ALL[1]);
/// assert!(!set.contains(Digit::ALL[1]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct DigitSet(u16);

impl DigitSet {
    /// No digit.
    pub const EMPTY: Self = Self(0);
    /// All nine digits.
    pub const FULL: Self = Self(0x1ff);

    /// The set that holds one digit.
    #[inline]
    pub const fn of(digit: Digit) -> Self {
        Self(1 << (digit.0 - 1))
    }

    /// The set with these bits.
    ///
    /// # Panics
    /// If a bit over 8 is set.
    #[inline]
    pub const fn from_bits(bits: u16) -> Self {
        assert!(bits <= Self::FULL.0, "nine digits, nine bits");
        Self(bits)
    }

    /// Its bits: bit 0 is digit 1, bit 8 is digit 9.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The number of its digits.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no digit.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it contains `digit`.
    #[inline]
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 & Self::of(digit).0 != 0
    }

    /// Adds `digit`.
    #[inline]
    pub const fn insert(&mut self, digit: Digit) {
        self.0 |= Self::of(digit).0;
    }

    /// Removes `digit`.
    #[inline]
    pub const fn remove(&mut self, digit: Digit) {
        self.0 &= !Self::of(digit).0;
    }

    /// The digits of either set.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The digits of both sets.
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The digits that it does not contain.
    #[inline]
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::FULL.0)
    }

    /// Its smallest digit; `None` if it is empty.
    #[inline]
    pub const fn first(self) -> Option<Digit> {
        #[expect(clippy::cast_possible_truncation, reason = "16 at most")]
        Digit::new(self.0.trailing_zeros() as u8 + 1)
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> Self {
        digits.into_iter().fold(Self::EMPTY, |set, digit| set.union(Self::of(digit)))
    }
}

impl From<Digit> for u8 {
    fn from(digit: Digit) -> Self {
        digit.value()
    }
}

impl IntoIterator for DigitSet {
    type Item = Digit;
    type IntoIter = DigitSetIter;

    /// Its digits, smallest first.
    #[inline]
    fn into_iter(self) -> DigitSetIter {
        DigitSetIter(self)
    }
}

/// The iterator of a [`DigitSet`]: its digits, smallest first.
///
/// ```
/// use ninefold_core::puzzle::{DigitSet, DigitSetIter};
///
/// let digits: DigitSetIter = DigitSet::from_bits(0b101).into_iter();
/// assert_eq!(digits.map(|digit| digit.value()).collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct DigitSetIter(DigitSet);

impl Iterator for DigitSetIter {
    type Item = Digit;

    #[inline]
    fn next(&mut self) -> Option<Digit> {
        let digit = self.0.first()?;
        self.0.remove(digit);
        Some(digit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        for bits in 0..=DigitSet::FULL.bits() {
            let set = DigitSet::from_bits(bits);
            let mut again = DigitSet::EMPTY;
            set.into_iter().for_each(|digit| again.insert(digit));
            assert_eq!(again, set);
            assert_eq!(set.into_iter().count(), set.len());
            assert_eq!(set.complement().len(), 9 - set.len());
        }
    }

    #[test]
    fn a_digit_is_one_to_nine() {
        assert_eq!(Digit::new(0), None);
        assert_eq!(Digit::new(10), None);
        assert_eq!((1..=9).filter_map(Digit::new).collect::<Vec<_>>(), Digit::ALL);
    }
}
