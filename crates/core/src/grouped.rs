//! Numbers in messages: `805,820`.
#![forbid(unsafe_code)]

use core::fmt;

/// A number with a comma between groups of three digits, for messages. Records and other data have
/// plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        if number < 1000 {
            return write!(f, "{number}");
        }
        write!(f, "{},{:03}", Self(number / 1000), number % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn groups_have_three_digits() {
        for (number, text) in [
            (0, "0"),
            (1000, "1,000"),
            (1_002_003, "1,002,003"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(Grouped(number).to_string(), text);
        }
    }
}
