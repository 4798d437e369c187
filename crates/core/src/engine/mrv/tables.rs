//! The rules for nine bits: tables of all 512 cases, computed by the compiler.
//!
//! Nine bits are three groups of three. They are the *triads* of one digit (the three
//! cells that a box shares with a row or a column): group = row of the band, bit = box; or
//! for its columns: group = stack, bit = column of the stack.

#![expect(clippy::cast_possible_truncation, reason = "nine bits are below 512")]

use crate::puzzle::tables::table;

/// Nine bits, for one row of a band or for its nine columns.
pub(super) const NINE: u32 = 0o777;

/// From the nine cells of a row to its three triads: which of them are not empty.
pub(super) const TRIADS: [u8; 512] = table!([0; 512], |row| {
    let triads: [usize; 3] = [row & 7, row >> 3 & 7, row >> 6];
    (triads[0] != 0) as u8 | ((triads[1] != 0) as u8) << 1 | ((triads[2] != 0) as u8) << 2
});

/// From the nine triads of a band to the cells that may stay.
///
/// A digit occurs once in each row and once in each box of a band, so its three places are one
/// of the six ways to pair rows with boxes. A triad that no possible way uses is removed. If no
/// way is possible, all are removed. That is both kinds of locked candidates at once.
pub(super) const PAIRED: [u32; 512] = {
    const WAYS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    table!([0; 512], |triads| {
        let (mut cells, mut way) = (0, 0);
        while way < 6 {
            let [one, two, three] = WAYS[way];
            let used = 1 << one | 1 << (3 + two) | 1 << (6 + three);
            if triads & used == used {
                cells |= 7 << (3 * one) | 7 << (9 + 3 * two) | 7 << (18 + 3 * three);
            }
            way += 1;
        }
        cells
    })
};

/// Each group of three turned by one bit in the low half, and by two in the high half.
///
/// For bit `i` of a group the two halves hold the other two bits of that group.
pub(super) const TURNED: [u32; 512] = table!([0; 512], |bits| {
    let bits = bits as u32;
    let by_one = (bits << 1 & 0o666) | (bits >> 2 & 0o111);
    let by_two = (bits << 2 & 0o444) | (bits >> 1 & 0o333);
    by_one | by_two << 16
});
