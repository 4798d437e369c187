//! The text form of an isomorphism: printed by `Display`, read by `FromStr`.
//!
//! ```text
//!   t1 r456123798 c123465789 d912345678
//!   │  │          │          └ digit 1 becomes 9, digit 2 becomes 1, …
//!   │  │          └ the first column comes from column 1, …, the fifth from column 6, …
//!   │  └ the first row comes from row 4, the second from row 5, …
//!   └ 1: exchange rows and columns first; 0: do not
//! ```
//!
//! The form holds neither commas nor quotation marks, so it is a field of csv as it is. Its 35
//! bytes are in the order in which the steps are applied; the digits could come at any time.

use super::Isomorphism;
use crate::puzzle::Digit;
use core::fmt;
use core::str::FromStr;

impl fmt::Display for Isomorphism {
    /// The text form: see [`FromStr`](#impl-FromStr-for-Isomorphism).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = *b"t0 r......... c......... d.........";
        text[1] += u8::from(self.is_transposed());
        for (place, digit) in Digit::ALL.into_iter().enumerate() {
            text[4 + place] = b'1' + u8::try_from(self.rows()[place]).unwrap_or(0);
            text[15 + place] = b'1' + u8::try_from(self.columns()[place]).unwrap_or(0);
            text[26 + place] = b'0' + self.digit(digit).value();
        }
        f.pad(core::str::from_utf8(&text).unwrap_or_default())
    }
}

/// A text is not an isomorphism.
///
/// ```
/// use ninefold_core::symmetry::{Isomorphism, IsomorphismError};
///
/// let error = "t2 r123456789 c123456789 d123456789".parse::<Isomorphism>().unwrap_err();
/// assert_eq!(error, IsomorphismError::Characters { part: 't' });
/// assert_eq!(error.to_string(), "expected t0 or t1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IsomorphismError {
    /// The text does not consist of four parts that begin with `t`, `r`, `c` and `d`.
    Parts,
    /// A part does not have the right characters: `0` or `1` after `t`, nine of 1 to 9 after the
    /// others.
    Characters {
        /// The letter with which the part begins.
        part: char,
    },
    /// A line or a digit is missing, or lines of one band or stack do not stay together.
    Rules,
}

impl fmt::Display for IsomorphismError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts => {
                f.write_str("expected four parts: t0 or t1, r, c and d with 9 digits each")
            }
            Self::Characters { part: 't' } => f.write_str("expected t0 or t1"),
            Self::Characters { part } => write!(f, "expected 9 digits, 1 to 9, after '{part}'"),
            Self::Rules => f.write_str("expected permutations that keep bands and stacks together"),
        }
    }
}

impl core::error::Error for IsomorphismError {}

impl FromStr for Isomorphism {
    type Err = IsomorphismError;

    /// Reads `t0 r123456789 c123456789 d123456789`.
    ///
    /// - `t1` exchanges rows and columns first; `t0` does not.
    /// - `r`: row `i` comes from the row that the `i`-th character names.
    /// - `c`: column `i` comes from the column that the `i`-th character names.
    /// - `d`: digit `i` becomes the `i`-th character.
    fn from_str(text: &str) -> Result<Self, IsomorphismError> {
        let mut parts = text.split_ascii_whitespace();
        let mut part = |letter: char| {
            parts.next().and_then(|part| part.strip_prefix(letter)).ok_or(IsomorphismError::Parts)
        };
        let (turned, rows, columns, digits) = (part('t')?, part('r')?, part('c')?, part('d')?);
        if parts.next().is_some() {
            return Err(IsomorphismError::Parts);
        }
        let transposed = match turned {
            "0" => false,
            "1" => true,
            _ => return Err(IsomorphismError::Characters { part: 't' }),
        };
        let rows = nine(rows, 'r')?.map(|digit| usize::from(digit.value()) - 1);
        let columns = nine(columns, 'c')?.map(|digit| usize::from(digit.value()) - 1);
        let map = Self::new(nine(digits, 'd')?, rows, columns).ok_or(IsomorphismError::Rules)?;
        Ok(if transposed { Self::TRANSPOSE.then(&map) } else { map })
    }
}

/// Nine digits.
fn nine(text: &str, part: char) -> Result<[Digit; 9], IsomorphismError> {
    let wrong = IsomorphismError::Characters { part };
    let bytes = <[u8; 9]>::try_from(text.as_bytes()).map_err(|_| wrong)?;
    let mut digits = Digit::ALL;
    for (digit, byte) in digits.iter_mut().zip(bytes) {
        *digit = Digit::new(byte.wrapping_sub(b'0')).ok_or(wrong)?;
    }
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;

    #[test]
    fn the_text_form_is_read_as_it_is_printed() {
        assert_eq!(Isomorphism::IDENTITY.to_string(), "t0 r123456789 c123456789 d123456789");
        for seed in 0..1000 {
            let map = Isomorphism::random(&mut Random::new(seed));
            assert_eq!(map.to_string().parse(), Ok(map));
        }
        let wrong = |text: &str| text.parse::<Isomorphism>().unwrap_err();
        let cases = [
            ("", IsomorphismError::Parts),
            ("t0 r123456789 c123456789", IsomorphismError::Parts),
            ("t0 r123456789 c123456789 d123456789 t0", IsomorphismError::Parts),
            ("t2 r123456789 c123456789 d123456789", IsomorphismError::Characters { part: 't' }),
            ("t0 r12345678 c123456789 d123456789", IsomorphismError::Characters { part: 'r' }),
            ("t0 r123456789 c023456789 d123456789", IsomorphismError::Characters { part: 'c' }),
            ("t0 r142356789 c123456789 d123456789", IsomorphismError::Rules),
            ("t0 r123456789 c123456789 d123456788", IsomorphismError::Rules),
        ];
        for (text, error) in cases {
            assert_eq!(wrong(text), error, "{text}");
        }
    }
}
