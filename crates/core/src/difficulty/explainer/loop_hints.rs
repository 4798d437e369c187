//! Unique rectangles and loops: what a loop gives.
//!
//! | type | extra cells | result |
//! | --- | --- | --- |
//! | 1 | one | it loses both digits of the loop |
//! | 2 | two or more, with one extra digit | cells that see them all lose this digit |
//! | 3 | two in a house | the extras of both count as one cell of a naked set; or the two cells as one position of a hidden set |
//! | 4 | two in a house that has no other place for a digit of the loop | they lose the other digit |

use super::board::SolvingBoard;
use super::few::Few;
use super::pattern::Pattern;
use super::score::tenths;
use super::tables::{CELLS, COUNT, HOUSES_OF, PEER_SETS, POSITIONS, bits, cells_of};

/// A closed walk. `digits` are the two that all its cells can hold.
pub(super) struct Loop<'a> {
    pub(super) cells: &'a [u8],
    pub(super) digits: [usize; 2],
}

/// What a loop gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopHint {
    /// The score, with the rounding errors of Explainer, which sorts by it.
    score: f64,
    kind: u8,
    pub(super) is_rectangle: bool,
    /// The cells and digits of the loop.
    pub(super) pattern: Pattern,
    /// The candidates that the hint removes.
    removals: Few<(u8, u16), 20>,
}

impl LoopHint {
    fn new(shape: &Loop<'_>, score: f64, kind: u8) -> Self {
        let is_rectangle = shape.cells.len() == 4;
        let cells = shape.cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let pattern = Pattern::of(cells, 1 << shape.digits[0] | 1 << shape.digits[1]);
        Self { score, kind, is_rectangle, pattern, removals: Few::new((0, 0)) }
    }

    fn push(&mut self, cell: usize, candidates: u16) {
        if candidates != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "under 81")]
            let cell = cell as u8;
            self.removals.push((cell, candidates));
        }
    }

    /// The score in tenths.
    pub(super) fn tenths(&self) -> u8 {
        tenths(self.score)
    }

    pub(super) fn apply(&self, board: &mut SolvingBoard) {
        for &(cell, candidates) in self.removals.as_slice() {
            board.remove_all(usize::from(cell), candidates);
        }
    }
}

/// The score of a loop, summed as Explainer does it.
fn base_score(length: usize) -> f64 {
    let long = if length >= 10 { 4.5 + 0.3 } else { 4.5 };
    match length {
        8.. => long + 0.2,
        6.. => long + 0.1,
        _ => long,
    }
}

/// Keeps the easiest hint. A loop is found from several starts and in two directions: its hints come second to
/// those that it gave before.
#[derive(Default)]
pub(super) struct LoopFinder {
    pub(super) best: Option<LoopHint>,
}

/// The two extra cells of a loop, and their extras together.
struct Two {
    cells: [usize; 2],
    extras: u16,
}

impl LoopFinder {
    /// Whether nothing can be easier than the best hint: a rectangle of type 1.
    pub(super) fn is_final(&self) -> bool {
        self.best.is_some_and(|hint| hint.is_rectangle && hint.kind == 1)
    }

    fn would_keep(&self, score: f64, kind: u8) -> bool {
        self.best.is_none_or(|best| {
            score < best.score || (score.to_bits() == best.score.to_bits() && kind < best.kind)
        })
    }

    fn offer(&mut self, hint: LoopHint) {
        if !hint.removals.as_slice().is_empty() && self.would_keep(hint.score, hint.kind) {
            self.best = Some(hint);
        }
    }

    /// Looks for every hint that a loop gives.
    pub(super) fn try_loop(&mut self, board: &SolvingBoard, shape: &Loop<'_>) {
        let score = base_score(shape.cells.len());
        if !self.would_keep(score, 1) {
            return;
        }
        let pair = 1 << shape.digits[0] | 1 << shape.digits[1];
        let extras_of = |cell: u8| board.cells[usize::from(cell)] & !pair;
        let mut cells = shape.cells.iter().copied().filter(|&cell| extras_of(cell) != 0);
        let Some(first) = cells.next() else { return };
        let (second, third) = (cells.next(), cells.next());
        let Some(second) = second else {
            let mut hint = LoopHint::new(shape, score, 1);
            hint.push(usize::from(first), pair);
            return self.offer(hint);
        };
        let extras = extras_of(first) | extras_of(second);
        if third.is_some() || COUNT[usize::from(extras)] == 1 {
            let extra_cells = shape.cells.iter().filter(|&&cell| extras_of(cell) != 0);
            let seen = extra_cells.fold(!0, |seen, &cell| seen & PEER_SETS[usize::from(cell)]);
            let mut hint = LoopHint::new(shape, score, 2);
            let digit = extras_of(first) & extras_of(first).wrapping_neg();
            for cell in cells_of(seen) {
                hint.push(cell, board.cells[cell] & digit);
            }
            self.offer(hint);
        }
        if third.is_none() {
            let two = Two { cells: [first, second].map(usize::from), extras };
            if COUNT[usize::from(extras)] >= 2 {
                self.try_sets(board, shape, &two, score);
            }
            self.try_locked(board, shape, &two, score);
        }
    }

    /// Type 4.
    fn try_locked(&mut self, board: &SolvingBoard, shape: &Loop<'_>, two: &Two, score: f64) {
        if !self.would_keep(score, 4) {
            return;
        }
        let [low, high] = shape.digits;
        for (locked, other) in [(low, high), (high, low)] {
            let is_locked = common_houses(two.cells).any(|(house, positions)| {
                let both = 1 << positions[0] | 1 << positions[1];
                board.places[locked][house] & !both == 0
            });
            if is_locked {
                let mut hint = LoopHint::new(shape, score, 4);
                for cell in two.cells {
                    hint.push(cell, 1 << other);
                }
                return self.offer(hint);
            }
        }
    }

    /// Type 3: sets of 2 to 7.
    fn try_sets(&mut self, board: &SolvingBoard, shape: &Loop<'_>, two: &Two, score: f64) {
        for size in 2..=7u8 {
            for (house, positions) in common_houses(two.cells) {
                let empty = board.empty[house];
                if 2 * size <= empty && size >= COUNT[usize::from(two.extras)] {
                    let score = score + f64::from(size - 1) * 0.1;
                    self.try_naked(board, shape, two, (house, positions), (size, score));
                }
                if 2 * size < empty {
                    // One of its `size` positions is the two cells together.
                    let score = score + f64::from(size - 2) * 0.1;
                    self.try_hidden(board, shape, two, (house, positions), (size, score));
                }
            }
        }
    }

    fn try_naked(
        &mut self,
        board: &SolvingBoard,
        shape: &Loop<'_>,
        two: &Two,
        (house, [one, other]): (usize, [u8; 2]),
        (size, score): (u8, f64),
    ) {
        if !self.would_keep(score, 3) {
            return;
        }
        let cells = board.house(house);
        let common = two.extras & board.cells[two.cells[0]] & board.cells[two.cells[1]];
        let both = 1 << one | 1 << other;
        let usable = (0..9).fold(0u16, |set, position| {
            let cell = cells[position];
            let fits =
                COUNT[usize::from(cell)] >= 2 && COUNT[usize::from(cell | two.extras)] <= size;
            set | u16::from(fits) << position
        });
        for members in subsets(usable & !both, size - 1) {
            let rest = bits(members).fold(0, |union, position| union | cells[position]);
            let union = rest | two.extras;
            if [rest | common, union].map(|union| COUNT[usize::from(union)]) == [size; 2] {
                let mut hint = LoopHint::new(shape, score, 3);
                for position in bits(!(members | both) & 0x1ff) {
                    hint.push(usize::from(CELLS[house][position]), cells[position] & union);
                }
                self.offer(hint);
            }
        }
    }

    fn try_hidden(
        &mut self,
        board: &SolvingBoard,
        shape: &Loop<'_>,
        two: &Two,
        (house, [one, other]): (usize, [u8; 2]),
        (size, score): (u8, f64),
    ) {
        let pair = 1u16 << shape.digits[0] | 1 << shape.digits[1];
        let free = !(pair | two.extras) & 0x1ff;
        // With no digit left, Explainer does not look for a set at all.
        if !self.would_keep(score, 3) || free == 0 {
            return;
        }
        let places = board.places_of_digits(house).map(|places| places & !(1 << other));
        let of_pair = places[shape.digits[0]] | places[shape.digits[1]];
        let usable = bits(free).fold(0u16, |set, digit| {
            let fits = places[digit] != 0 && COUNT[usize::from(places[digit] | of_pair)] <= size;
            set | u16::from(fits) << digit
        });
        if COUNT[usize::from(of_pair)] > size {
            return;
        }
        for set in subsets(usable, size - 2) {
            let digits = set | pair;
            let union = bits(digits).fold(0, |union, digit| union | places[digit]);
            if COUNT[usize::from(union)] == size {
                let mut hint = LoopHint::new(shape, score, 3);
                for position in bits(union & !(1 << one | 1 << other)) {
                    let cell = usize::from(CELLS[house][position]);
                    hint.push(cell, board.cells[cell] & !digits);
                }
                self.offer(hint);
            }
        }
    }
}

/// The subsets of a mask with `count` bits, as ascending binary numbers: Explainer's order.
fn subsets(mask: u16, count: u8) -> impl Iterator<Item = u16> {
    let mut next = (COUNT[usize::from(mask)] >= count).then_some(0u16);
    let all = core::iter::from_fn(move || {
        let subset = next?;
        next = (subset != mask).then(|| subset.wrapping_sub(mask) & mask);
        Some(subset)
    });
    all.filter(move |&subset| COUNT[usize::from(subset)] == count)
}

/// The houses that two cells share, with their positions there: box, row, column.
fn common_houses([one, two]: [usize; 2]) -> impl Iterator<Item = (usize, [u8; 2])> {
    let kinds = [2, 0, 1].into_iter();
    kinds.filter(move |&kind| HOUSES_OF[one][kind] == HOUSES_OF[two][kind]).map(move |kind| {
        let positions = [POSITIONS[one][kind], POSITIONS[two][kind]];
        (usize::from(HOUSES_OF[one][kind]), positions)
    })
}
