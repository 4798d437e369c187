//! Sets of small numbers as integers, a bit each.
#![forbid(unsafe_code)]

/// The numbers of the bits that are set, the lowest first.
#[inline]
pub(crate) fn bits(set: impl Into<u64>) -> impl Iterator<Item = usize> + Clone {
    let mut left = set.into();
    core::iter::from_fn(move || {
        let first = left.trailing_zeros() as usize;
        left &= left.checked_sub(1)?;
        Some(first)
    })
}

/// Defines `&` and `|` of a type of sets, or of vectors of them.
macro_rules! bit_operators {
    ($operator:ident::$method:ident; $vector:ty, |$one:ident, $other:ident| $result:expr) => {
        impl core::ops::$operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, $other: Self) -> Self {
                let $one = self;
                $result
            }
        }
    };
    ($vector:ty, |$one:ident, $other:ident| $and:expr, $or:expr) => {
        bit_operators!(BitAnd::bitand; $vector, |$one, $other| $and);
        bit_operators!(BitOr::bitor; $vector, |$one, $other| $or);
    };
}
pub(crate) use bit_operators;
