//! Orders of nine places that exchange tied places and stacks only.
//!
//! ```text
//!   place      0 1 2   3 4 5   6 7 8
//!   tied         ~ ~ ~   ~ ~ |   ~ |      ~ tied with the place before   | not tied
//!              └───── ~ ─────┘            stacks 0 and 1 are tied, stack 2 comes last
//! ```
//!
//! An order is the source of each place, as [`Bytes::pick`] takes it.

use super::band::ROW_ORDERS as ORDERS;
use crate::puzzle::tables::table;
use crate::simd::Bytes;

/// Bit `p`: place `p` may be exchanged with the one before. At 3 and 6, the stacks that begin there and before.
pub(super) type Ties = u16;

/// The bits of stacks.
pub(super) const STACK_TIES: Ties = 0b0_0100_1000;

/// All places and stacks are tied.
pub(super) const ALL_TIES: Ties = 0b1_1111_1110;

/// The numbers 0 to 15.
pub(super) const EACH: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Nine places with the stacks in each of [`ORDERS`].
const STACKS: [[u8; 16]; 6] = table!([EACH; 6], |order| {
    table!([0; 16], |place| match place {
        0..9 => 3 * ORDERS[order][place / 3] + EACH[place % 3],
        _ => EACH[place],
    })
});

/// For each stack, nine places with its columns in each of [`ORDERS`].
const COLUMNS: [[[u8; 16]; 6]; 3] = table!([[EACH; 6]; 3], |stack| {
    table!([EACH; 6], |order| {
        table!([0; 16], |place| {
            let is_of_stack = place / 3 == stack;
            if is_of_stack { EACH[3 * stack] + ORDERS[order][place % 3] } else { EACH[place] }
        })
    })
});

/// The orders of three that exchange only what is tied: bit 0 for the first two, bit 1 for the last two.
const fn tied_orders(ties: Ties) -> &'static [usize] {
    match ties & 3 {
        0 => &[0],
        1 => &[0, 2],
        2 => &[0, 1],
        _ => &[0, 2, 1, 3, 4, 5],
    }
}

/// The ties of the columns of a stack, for [`tied_orders`].
#[inline(always)]
const fn inner(ties: Ties, stack: usize) -> Ties {
    ties >> (3 * stack + 1)
}

/// The ties of the stacks, for [`tied_orders`].
#[inline(always)]
const fn outer(ties: Ties) -> Ties {
    ties >> 3 & 1 | ties >> 5 & 2
}

/// How many orders the ties allow.
pub(super) fn count(ties: Ties) -> u32 {
    let count = |ties| tied_orders(ties).iter().map(|_| 1).sum::<u32>();
    (0..3).map(|stack| count(inner(ties, stack))).product::<u32>() * count(outer(ties))
}

/// Calls `visit` with the columns in each order that the ties allow. Of those that only exchange equal values, all
/// but the first are left out: `values` has those of the columns of each stack, and of the stacks.
#[inline(always)]
pub(super) fn each<B: Bytes>(
    proof: B::Proof,
    columns: B,
    ties: Ties,
    values: Option<&[[u16; 3]; 4]>,
    mut visit: impl FnMut(B),
) {
    let orders = |which: usize, ties| {
        let differs = move |&&order: &&usize| match values {
            Some(values) => differs(ORDERS[order], values[which]),
            None => true,
        };
        tied_orders(ties).iter().filter(differs)
    };
    let of_stack = |stack: u8| {
        let stack = usize::from(stack);
        orders(stack, inner(ties, stack)).map(move |&order| B::load(proof, &COLUMNS[stack][order]))
    };
    for &order in orders(3, outer(ties)) {
        let stacks = B::load(proof, &STACKS[order]);
        let [first, second, third] = ORDERS[order];
        for first in of_stack(first) {
            for second in of_stack(second) {
                for third in of_stack(third) {
                    visit(columns.pick(first).pick(second).pick(third).pick(stacks));
                }
            }
        }
    }
}

/// Whether an order exchanges no equal values.
fn differs(order: [u8; 3], values: [u16; 3]) -> bool {
    let value = |place: usize| values[usize::from(order[place])];
    [(0, 1), (0, 2), (1, 2)]
        .iter()
        .all(|&(one, two)| order[one] < order[two] || value(one) != value(two))
}

/// The columns with their stacks in the order of these keys, as far as the ties allow. Equal stacks stay.
#[inline(always)]
pub(super) fn sort_stacks<B: Bytes>(proof: B::Proof, columns: B, ties: Ties, keys: [u16; 3]) -> B {
    let [one, two, three] = keys.map(|key| key << 2);
    let mut stacks = [one, two | 1, three | 2];
    for (one, two) in [(0, 1), (1, 2), (0, 1)] {
        if ties >> (3 * two) & 1 != 0 {
            let (low, high) = (stacks[one], stacks[two]);
            (stacks[one], stacks[two]) = (low.min(high), low.max(high));
        }
    }
    let [first, second, third] = stacks.map(|stack| usize::from(stack & 3));
    let order = 2 * first + usize::from(second > third);
    columns.pick(B::load(proof, &STACKS[order % 6]))
}
