//! Every operation at every level, and the same on plain integers.

use super::board::{Board, CELLS};
use super::level::SimdLevel;
use super::word::{Kernel, Word};
use crate::puzzle::Random;
use crate::puzzle::tables::PEER_SETS;

/// Fills all lanes with 16 cells of grids, and flushes their digits.
struct FillAndFlush;

impl Kernel for FillAndFlush {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        // Each lane has other values: 10 has no common factor with 3.
        let value =
            |lane: usize, cell: usize| u8::try_from((7 * lane + 3 * cell) % 10).expect("below 10");
        let mut values = [[0; 16]; 32];
        for (lane, values) in values.iter_mut().enumerate() {
            for (cell, place) in values.iter_mut().enumerate() {
                *place = value(lane, cell);
            }
        }
        let mut cells = [W::Memory::from(0); 16];
        W::fill(proof, &mut cells, |lane| &values[lane]);
        for (cell, word) in cells.iter().enumerate() {
            for (lane, &set) in word.as_ref().iter().enumerate() {
                assert_eq!(set, Board::clue(value(lane, cell)), "lane {lane}, cell {cell}");
            }
        }
        let mut seen = 0u32;
        W::flush(proof, &cells, |lane, digits| {
            seen |= 1 << lane;
            for (cell, digit) in digits.into_iter().enumerate() {
                let value = value(lane, cell);
                assert!(value == 0 || digit == value, "lane {lane}, cell {cell}: {digit}");
            }
        });
        assert_eq!(seen, W::ALL_LANES);
        let mut board = Board::EMPTY;
        for (cell, place) in board.cells[..81].iter_mut().enumerate() {
            *place = 1 << (cell % 9);
        }
        for (cell, digit) in W::values(proof, &board).into_iter().enumerate() {
            assert_eq!(usize::from(digit), cell % 9 + 1, "cell {cell}");
        }
    }
}

#[test]
fn values_go_in_and_digits_come_out_at_every_level() {
    for level in SimdLevel::available() {
        level.run(FillAndFlush);
    }
}

/// Every operation on random words and boards, and the same on plain integers.
struct Operations;

impl Kernel for Operations {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut random = Random::new(23);
        let mut sets = || {
            let mut memory = W::Memory::from(0);
            for set in memory.as_mut() {
                *set = random_set(&mut random);
            }
            memory
        };
        for round in 0..500 {
            let (a, mut b) = (sets(), sets());
            // Some lanes are equal.
            b.as_mut()[round % W::LANES] = a.as_ref()[round % W::LANES];
            let (x, y) = (W::load(proof, &a), W::load(proof, &b));
            let same = |word: W, of: fn(u16, u16) -> u16, what| {
                let mut found = W::Memory::from(0);
                word.store(&mut found);
                for (lane, &found) in found.as_ref().iter().enumerate() {
                    let (a, b) = (a.as_ref()[lane], b.as_ref()[lane]);
                    assert_eq!(found, of(a, b), "{what} of {a:b} and {b:b}, lane {lane}");
                }
            };
            same(x & y, |a, b| a & b, "&");
            same(x | y, |a, b| a | b, "|");
            same(x.plus(y), |a, b| a + b, "plus");
            same(x.without(y), |a, b| a & !b, "without");
            same(x.if_single(), |a, _| if a.count_ones() < 2 { a } else { 0 }, "if_single");
            same(x.but_lowest(), |a, _| a & a.wrapping_sub(1), "but_lowest");
            same(x.replaced_by(y), |a, b| if b == 0 { a } else { b }, "replaced_by");
            same(x.pinned(), |a, _| a, "pinned");
            same(W::splat(proof, 300), |_, _| 300, "splat");
            let mut least = W::Memory::from(0);
            x.zero_if_either(y).store(&mut least);
            for lane in 0..W::LANES {
                let (a, b) = (a.as_ref()[lane], b.as_ref()[lane]);
                assert_eq!(least.as_ref()[lane] == 0, a == 0 || b == 0, "{a:b} and {b:b}");
                assert_eq!(x.equal(y) >> lane & 1 == 1, a == b, "{a:b} and {b:b}");
            }
            assert_eq!(x.equal(x), W::ALL_LANES);
        }
    }
}

/// Few digits or many, and none.
pub(crate) fn random_set(random: &mut Random) -> u16 {
    let mut any = || u16::try_from(random.below(512)).expect("nine bits");
    match any() % 4 {
        0 => any() & any() & any(),
        1 => any() & any(),
        2 => any(),
        _ => 1 << (any() % 10) >> 1,
    }
}

/// The operations on one board, and the same cell by cell.
struct OnOneBoard;

impl Kernel for OnOneBoard {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut random = Random::new(29);
        for _ in 0..500 {
            let mut board = Board::EMPTY;
            for cell in &mut board.cells[..CELLS] {
                *cell = random_set(&mut random);
            }
            let digits = random_set(&mut random);
            let cells = |test: &dyn Fn(u16) -> bool| {
                let cells = board.cells.iter().enumerate().filter(|&(_, &cell)| test(cell));
                cells.fold(0, |set, (index, _)| set | 1u128 << index)
            };
            let pairs = cells(&|cell| cell.count_ones() == 2);
            let threes = cells(&|cell| cell.count_ones() == 3);
            assert_eq!(W::cells_of::<2>(proof, &board), pairs);
            assert_eq!(W::cells_of::<3>(proof, &board), threes);

            let mut cell = || u32::try_from(random.below(CELLS)).expect("under 81");
            let asked = [cell(), cell(), cell(), cell(), cell(), cell()];
            let heaviest = asked.into_iter().max_by_key(|&cell| {
                let own = board.cells[cell as usize];
                let touched = cells(&|cell| cell & own != 0) & PEER_SETS[cell as usize];
                (touched.count_ones() + 3 * (touched & pairs).count_ones(), cell)
            });
            let found = W::heaviest(proof, &board, pairs, asked);
            assert_eq!(Some(found), heaviest.map(|cell| cell as usize), "{asked:?}");

            let mut taken = board;
            W::take_from_peers(proof, &mut taken, found, digits);
            for (index, (&left, &cell)) in taken.cells.iter().zip(&board.cells).enumerate() {
                let gone = if PEER_SETS[found] >> index & 1 == 1 { digits } else { 0 };
                assert_eq!(left, cell & !gone, "cell {index}");
            }
        }
    }
}

#[test]
fn words_and_boards_are_worked_on_as_plain_integers_at_every_level() {
    for level in SimdLevel::available() {
        level.run(Operations);
        level.run(OnOneBoard);
    }
}
