//! 16 *bytes*: a table that is looked up many times with one instruction.
//!
//! ```text
//!   place     0 1 2   3 4 5   6 7 8   9 to 15
//!   bytes     4 . .   . 7 .   1 . .   nothing     a row of a puzzle
//!   places    2 0 1   8 6 7   3 5 4   nothing     an order of its columns
//!   picked    . 4 .   . 1 .   . . 7   nothing     `bytes.pick(places)`
//! ```
//!
//! `symmetry` works on them. 16 bytes are a register on every CPU with vectors, so wider levels have nothing to
//! add. [`Plain`] is for any CPU.
#![forbid(unsafe_code)]

use crate::bits::bit_operators;
use core::ops::{BitAnd, BitOr};

/// A table of 16 bytes; or nine places, and the other seven bytes mean nothing.
pub(crate) trait Bytes: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The proof that this CPU has the instructions.
    type Proof: Copy;

    /// Which places [`Bytes::sorted`] may exchange.
    type Ties: Copy;

    /// Whether a table is a register. If not, look-ups in arrays take less time than tables that are copied.
    const IS_REGISTER: bool;

    /// Bytes from memory.
    fn load(proof: Self::Proof, bytes: &[u8; 16]) -> Self;

    /// The bytes in memory.
    fn to_array(self) -> [u8; 16];

    /// 16 equal bytes.
    fn splat(proof: Self::Proof, byte: u8) -> Self;

    /// What this table has at each of these places, which are under 16.
    fn pick(self, places: Self) -> Self;

    /// The table with the byte `new` at a place where it has `old`.
    fn with(self, place: u8, old: u8, new: u8) -> Self;

    /// The places where two bytes are equal, a bit each.
    fn equal(self, other: Self) -> u16;

    /// The places whose byte is equal to the one before, a bit each.
    fn equal_to_previous(self) -> u16;

    /// The ties of the places in each of three stacks. Bit `p` of `tied` is set if place `p` may be exchanged with
    /// the one before; bits 0, 3 and 6 have no meaning.
    fn ties(proof: Self::Proof, tied: u16) -> Self::Ties;

    /// Sorts tied places.
    fn sorted(self, ties: Self::Ties) -> Self;

    /// The upper halves of the nine places as one number, the first in the highest bits.
    fn upper_halves(self) -> u64;

    /// A table that has each of these bytes where this one's places point to, and 0 elsewhere. The nine places
    /// are different and under 16.
    fn spread(self, bytes: [u8; 9]) -> Self;

    /// The places of each stack, which are under 9, as a number of three digits to the base 9.
    fn triples(self) -> [usize; 3];

    /// Nine tables by their places: place `i` of table `k` is place `k` of table `i` before.
    fn transposed(tables: [Self; 9]) -> [Self; 9];
}

/// Work on [`Bytes`]. `run` and all that it calls must be `#[inline(always)]`.
pub(crate) trait ByteKernel {
    type Output;

    /// Does it with bytes of this type.
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output;
}

/// Bytes for any CPU. The nine places are worked on one by one.
#[derive(Clone, Copy)]
pub(crate) struct Plain([u8; 16]);

impl Plain {
    /// For each of the nine places, what a function makes of it.
    #[inline(always)]
    fn each(mut self, of: impl Fn(usize, u8) -> u8) -> Self {
        for (place, byte) in self.0[..9].iter_mut().enumerate() {
            *byte = of(place, *byte);
        }
        self
    }

    /// A bit for each of the nine places for which a test is true.
    #[inline(always)]
    fn places(test: impl Fn(usize) -> bool) -> u16 {
        (0..9).fold(0, |places, place| places | u16::from(test(place)) << place)
    }
}

bit_operators!(
    Plain,
    |one, other| one.each(|place, byte| byte & other.0[place]),
    one.each(|place, byte| byte | other.0[place])
);

impl Bytes for Plain {
    type Proof = ();
    type Ties = u16;
    const IS_REGISTER: bool = false;

    #[inline(always)]
    fn load((): (), bytes: &[u8; 16]) -> Self {
        Self(*bytes)
    }

    #[inline(always)]
    fn to_array(self) -> [u8; 16] {
        self.0
    }

    #[inline(always)]
    fn splat((): (), byte: u8) -> Self {
        Self([byte; 16])
    }

    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        places.each(|_, place| self.0[usize::from(place & 15)])
    }

    #[inline(always)]
    fn with(mut self, place: u8, _: u8, new: u8) -> Self {
        self.0[usize::from(place & 15)] = new;
        self
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u16 {
        Self::places(|place| self.0[place] == other.0[place])
    }

    #[inline(always)]
    fn equal_to_previous(self) -> u16 {
        Self::places(|place| place > 0 && self.0[place - 1] == self.0[place])
    }

    #[inline(always)]
    fn ties((): (), tied: u16) -> u16 {
        tied
    }

    #[inline(always)]
    fn sorted(mut self, tied: u16) -> Self {
        for place in [1, 2, 1, 4, 5, 4, 7, 8, 7] {
            let (one, two) = (self.0[place - 1], self.0[place]);
            let exchange = tied >> place & 1 != 0 && one > two;
            (self.0[place - 1], self.0[place]) = if exchange { (two, one) } else { (one, two) };
        }
        self
    }

    #[inline(always)]
    fn upper_halves(self) -> u64 {
        self.0[..9].iter().fold(0, |all, byte| all << 4 | u64::from(byte >> 4))
    }

    #[inline(always)]
    fn spread(self, bytes: [u8; 9]) -> Self {
        let mut table = [0; 16];
        for (place, byte) in self.0.into_iter().zip(bytes) {
            table[usize::from(place & 15)] = byte;
        }
        Self(table)
    }

    #[inline(always)]
    fn triples(self) -> [usize; 3] {
        let mut triples = [0; 3];
        for (triple, places) in triples.iter_mut().zip(self.0.as_chunks::<3>().0) {
            *triple = places.iter().fold(0, |all, &place| 9 * all + usize::from(place));
        }
        triples
    }

    #[inline(always)]
    fn transposed(tables: [Self; 9]) -> [Self; 9] {
        let mut transposed = [Self([0; 16]); 9];
        for (place, table) in transposed.iter_mut().enumerate() {
            for (byte, from) in table.0.iter_mut().zip(&tables) {
                *byte = from.0[place];
            }
        }
        transposed
    }
}

#[cfg(test)]
mod tests {
    use super::super::level::SimdLevel;
    use super::*;
    use crate::puzzle::Random;

    /// All operations on random bytes, and the same on arrays.
    struct Operations;

    impl ByteKernel for Operations {
        type Output = ();

        #[inline(always)]
        fn run<B: Bytes>(self, proof: B::Proof) {
            let mut random = Random::new(41);
            for _ in 0..2000 {
                let mut any = |below: usize| -> [u8; 16] {
                    core::array::from_fn(|_| u8::try_from(random.below(below)).expect("a byte"))
                };
                // Few different values, so that some are equal.
                let (mut table, other, places) = (any(256), any(4).map(|byte| byte * 85), any(16));
                let [place, new, low, high, ..] = any(256);
                let ties = u16::from_le_bytes([low, high & 1]);
                if new % 2 == 0 {
                    table = table.map(|byte| byte % 4 * 85);
                }
                let (x, y) = (B::load(proof, &table), B::load(proof, &other));
                assert_eq!(x.to_array(), table);
                let same = |found: B, of: &dyn Fn(usize) -> u8, what| {
                    let expected: [u8; 9] = core::array::from_fn(of);
                    assert_eq!(found.to_array()[..9], expected, "{what} of {table:?}, {other:?}");
                };
                same(x & y, &|k| table[k] & other[k], "&");
                same(x | y, &|k| table[k] | other[k], "|");
                same(B::splat(proof, new), &|_| new, "splat");
                let picked = x.pick(B::load(proof, &places));
                same(picked, &|k| table[usize::from(places[k])], "pick");
                let place = place % 16;
                let changed = x.with(place, table[usize::from(place)], new).to_array();
                for (k, (&found, &old)) in changed.iter().zip(&table).enumerate() {
                    assert_eq!(found, if k == usize::from(place) { new } else { old });
                }
                let equal = |k: usize| u16::from(table[k] == other[k]) << k;
                assert_eq!(x.equal(y), (0..9).map(equal).sum::<u16>());
                let equal = |k: usize| u16::from(table[k - 1] == table[k]) << k;
                assert_eq!(x.equal_to_previous(), (1..9).map(equal).sum::<u16>());
                let halves = table[..9].iter().fold(0, |all, byte| all << 4 | u64::from(byte >> 4));
                assert_eq!(x.upper_halves(), halves);
                let mut sorted = table;
                for stack in 0..3 {
                    let (three, ties) =
                        (&mut sorted[3 * stack..3 * stack + 3], ties >> (3 * stack));
                    match ties >> 1 & 3 {
                        0 => {}
                        1 => three[..2].sort_unstable(),
                        2 => three[1..].sort_unstable(),
                        _ => three.sort_unstable(),
                    }
                }
                same(x.sorted(B::ties(proof, ties)), &|k| sorted[k], "sorted");
                let (order, bytes) = (random.order::<16>(), *table.first_chunk().expect("16"));
                let order = order.map(|place| u8::try_from(place).expect("under 16"));
                let mut spread = [0; 16];
                for (&place, byte) in order.iter().zip(bytes) {
                    spread[usize::from(place)] = byte;
                }
                assert_eq!(B::load(proof, &order).spread(bytes).to_array(), spread);
                let digits = table.map(|byte| byte % 9);
                let triple =
                    |k: usize| digits[k..k + 3].iter().fold(0, |n, &d| 9 * n + usize::from(d));
                assert_eq!(B::load(proof, &digits).triples(), [0, 3, 6].map(triple));
                let tables: [[u8; 16]; 9] = core::array::from_fn(|_| {
                    core::array::from_fn(|_| u8::try_from(random.below(256)).expect("a byte"))
                });
                let columns = B::transposed(tables.map(|table| B::load(proof, &table)));
                for (place, column) in columns.into_iter().enumerate() {
                    same(column, &|k| tables[k][place], "transposed");
                }
            }
        }
    }

    #[test]
    fn bytes_are_worked_on_as_arrays_at_every_level() {
        for level in [SimdLevel::Portable, SimdLevel::for_bytes()] {
            level.run_on_bytes(Operations);
        }
    }
}
