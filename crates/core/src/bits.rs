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
    ($vector:ty, |$one:ident, $other:ident| $and:expr, $or:expr) => {
        impl core::ops::BitAnd for $vector {
            type Output = Self;

            #[inline(always)]
            fn bitand(self, $other: Self) -> Self {
                let $one = self;
                $and
            }
        }

        impl core::ops::BitOr for $vector {
            type Output = Self;

            #[inline(always)]
            fn bitor(self, $other: Self) -> Self {
                let $one = self;
                $or
            }
        }
    };
}
pub(crate) use bit_operators;
