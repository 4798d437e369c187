//! The rules for nine bits: tables of all 512 cases, computed by the compiler.
//!
//! Nine bits are three groups of three. They are the *triads* of one digit (the three
//! cells that a box shares with a row or a column): group = row of the band, bit = box; or
//! for its columns: group = stack, bit = column of the stack.

/// Nine bits, for one row of a band or for its nine columns.
pub(super) const NINE: u32 = 0o777;

/// From the nine cells of a row to its three triads: which of them are not empty.
pub(super) const TRIADS: [u8; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        let mut triad = 0;
        while triad < 3 {
            if row >> (3 * triad) & 7 != 0 {
                table[row] |= 1 << triad;
            }
            triad += 1;
        }
        row += 1;
    }
    table
};

/// From the nine triads of a band to the cells that may stay.
///
/// A digit occurs once in each row and once in each box of a band, so its three places are one
/// of the six ways to pair rows with boxes. A triad that no possible way uses is removed. If no
/// way is possible, all are removed. That is both kinds of locked candidates at once.
pub(super) const PAIRED: [u32; 512] = {
    const WAYS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut table = [0; 512];
    let mut triads = 0;
    while triads < 512 {
        let mut way = 0;
        while way < 6 {
            let [one, two, three] = WAYS[way];
            let used = 1 << one | 1 << (3 + two) | 1 << (6 + three);
            if triads & used == used {
                table[triads] |= 7 << (3 * one) | 7 << (9 + 3 * two) | 7 << (18 + 3 * three);
            }
            way += 1;
        }
        triads += 1;
    }
    table
};

/// Each group of three turned by one bit in the low half, and by two in the high half.
///
/// For bit `i` of a group the two halves hold the other two bits of that group.
pub(super) const TURNED: [u32; 512] = {
    let mut table = [0; 512];
    let mut bits = 0u32;
    while bits < 512 {
        let by_one = (bits << 1 & 0o666) | (bits >> 2 & 0o111);
        let by_two = (bits << 2 & 0o444) | (bits >> 1 & 0o333);
        table[bits as usize] = by_one | by_two << 16;
        bits += 1;
    }
    table
};
