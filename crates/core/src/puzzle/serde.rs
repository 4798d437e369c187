//! Feature `serde`: text in formats for people, bytes in others.
//!
//! | type | text | bytes |
//! | --- | --- | --- |
//! | `Grid`, `Solution` | 81 characters | 81 values, 0 for a blank |
//! | `Sukaku` | 729 characters | 162: the 9 bits of each cell, the low byte first |
//! | `Puzzle` | either | either |
//! | `Cell`, `Digit` | a number, 0 to 80 or 1 to 9 | the number |

use super::cell::Cell;
use super::digit::{Digit, DigitSet};
use super::grid::Grid;
use super::puzzle::Puzzle;
use super::solution::Solution;
use super::sukaku::Sukaku;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use serde_core::de::{Error, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

const SUKAKU: usize = 2 * Cell::COUNT;

/// A type that is a text or bytes.
trait OfBytes: FromStr<Err: fmt::Display> {
    fn of_bytes(bytes: &[u8]) -> Option<Self>;
}

impl OfBytes for Grid {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        <[u8; Cell::COUNT]>::try_from(bytes).ok()?.try_into().ok()
    }
}

impl OfBytes for Solution {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Grid::of_bytes(bytes)?.try_into().ok()
    }
}

impl OfBytes for Sukaku {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes = <&[u8; SUKAKU]>::try_from(bytes).ok()?;
        let mut sukaku = Self::FULL;
        for (cell, &bits) in Cell::all().zip(bytes.as_chunks::<2>().0) {
            let bits = u16::from_le_bytes(bits);
            sukaku.set(cell, (bits <= DigitSet::FULL.bits()).then(|| DigitSet::from_bits(bits))?);
        }
        Some(sukaku)
    }
}

impl OfBytes for Puzzle {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Grid::of_bytes(bytes).map(Self::Grid).or_else(|| Sukaku::of_bytes(bytes).map(Self::Sukaku))
    }
}

/// Reads a text or bytes.
struct CellsVisitor<T>(PhantomData<T>);

impl<T: OfBytes> Visitor<'_> for CellsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cells of a sudoku")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        T::of_bytes(bytes).ok_or_else(|| E::custom("not the cells of a sudoku"))
    }
}

macro_rules! text_or_bytes {
    ($($type:ty, |$value:ident, $to:ident| $write:expr;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, $to: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                if $to.is_human_readable() { $to.collect_str(self) } else { $write }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    deserializer.deserialize_str(CellsVisitor(PhantomData))
                } else {
                    deserializer.deserialize_bytes(CellsVisitor(PhantomData))
                }
            }
        }
    )+};
}

text_or_bytes!(
    Grid, |grid, to| to.serialize_bytes(grid.values());
    Solution, |solution, to| to.serialize_bytes(solution.grid().values());
    Sukaku, |sukaku, to| {
        let mut bytes = [0; SUKAKU];
        for (pair, cell) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(sukaku.values()) {
            *pair = cell.bits().to_le_bytes();
        }
        to.serialize_bytes(&bytes)
    };
    Puzzle, |puzzle, to| match puzzle {
        Self::Grid(grid) => grid.serialize(to),
        Self::Sukaku(sukaku) => sukaku.serialize(to),
    };
);

macro_rules! number {
    ($($type:ty, |$value:ident| $number:expr, $make:expr, $expected:literal;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                serializer.serialize_u8($number)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $make(u8::deserialize(deserializer)?).ok_or_else(|| D::Error::custom($expected))
            }
        }
    )+};
}

number!(
    Cell, |cell| u8::try_from(cell.index()).expect("under 81"),
        |number: u8| (number < 81).then(|| Cell::new(number.into())), "expected 0 to 80";
    Digit, |digit| digit.value(), Digit::new, "expected 1 to 9";
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn text_is_read_and_written() {
        let (puzzle, quoted) = (LINE.parse::<Puzzle>().unwrap(), format!("\"{LINE}\""));
        assert_eq!(serde_json::to_string(&puzzle).unwrap(), quoted);
        assert_eq!(serde_json::from_str::<Puzzle>(&quoted).unwrap(), puzzle);
        let error = serde_json::from_str::<Grid>("\"53\"").unwrap_err();
        assert!(error.to_string().starts_with("expected 81 cells, found 2"), "{error}");
        assert!(serde_json::from_str::<Solution>(&quoted).is_err());
        assert_eq!(serde_json::from_str::<Cell>("80").unwrap(), Cell::new(80));
        assert!(serde_json::from_str::<Cell>("81").is_err());
        assert!(serde_json::from_str::<Digit>("0").is_err());
    }

    #[test]
    fn bytes_are_read_and_written() {
        let grid: Grid = LINE.parse().unwrap();
        let bytes = postcard::to_allocvec(&grid).unwrap();
        assert_eq!(bytes[..4], [81, 5, 3, 0]); // postcard: the length, then the values
        assert_eq!(postcard::from_bytes::<Grid>(&bytes).unwrap(), grid);
        assert_eq!(postcard::from_bytes::<Puzzle>(&bytes).unwrap(), grid.into());
        let sukaku = Sukaku::from(&grid);
        let bytes = postcard::to_allocvec(&sukaku).unwrap();
        assert_eq!(bytes.len(), SUKAKU + 2);
        assert_eq!(postcard::from_bytes::<Puzzle>(&bytes).unwrap(), sukaku.into());
        assert!(postcard::from_bytes::<Solution>(&bytes).is_err());
        let solution = crate::solve(grid).unwrap();
        let bytes = postcard::to_allocvec(&solution).unwrap();
        assert_eq!(postcard::from_bytes::<Solution>(&bytes).unwrap(), solution);
        let mut wrong = bytes;
        wrong[1] = 10;
        assert!(postcard::from_bytes::<Grid>(&wrong).is_err());
    }
}
