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
use super::tables::{CELLS, COUNT, HOUSES_OF, PEER_SETS, POSITIONS, bits, cells_of, subsets};

/// A closed walk on a board. `digits` are the two that all its cells can hold.
pub(super) struct Loop<'a> {
    pub(super) board: &'a SolvingBoard,
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

impl Loop<'_> {
    fn pair(&self) -> u16 {
        1 << self.digits[0] | 1 << self.digits[1]
    }
}

impl LoopHint {
    /// The score in tenths.
    pub(super) fn tenths(&self) -> u8 {
        tenths(self.score)
    }

    pub(super) fn apply(&self, board: &mut SolvingBoard) {
        board.remove_each(self.removals.as_slice().iter().copied());
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

    /// Offers the hint that removes these candidates of these cells, as far as they are there.
    fn offer(
        &mut self,
        shape: &Loop<'_>,
        (kind, score): (u8, f64),
        candidates: impl IntoIterator<Item = (usize, u16)>,
    ) {
        let mut removals = Few::new((0, 0));
        for (cell, digits) in candidates {
            let gone = shape.board.cells[cell] & digits;
            if gone != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "under 81")]
                removals.push((cell as u8, gone));
            }
        }
        if !removals.as_slice().is_empty() && self.would_keep(score, kind) {
            let is_rectangle = shape.cells.len() == 4;
            let cells = shape.cells.iter().fold(0, |set, &cell| set | 1 << cell);
            let pattern = Pattern::of(cells, shape.pair());
            self.best = Some(LoopHint { score, kind, is_rectangle, pattern, removals });
        }
    }

    /// Looks for every hint that a loop gives.
    pub(super) fn try_loop(&mut self, shape: &Loop<'_>) {
        let score = base_score(shape.cells.len());
        if !self.would_keep(score, 1) {
            return;
        }
        let pair = shape.pair();
        let extras_of = |cell: u8| shape.board.cells[usize::from(cell)] & !pair;
        let mut cells = shape.cells.iter().copied().filter(|&cell| extras_of(cell) != 0);
        let Some(first) = cells.next() else { return };
        let (second, third) = (cells.next(), cells.next());
        let Some(second) = second else {
            return self.offer(shape, (1, score), [(usize::from(first), pair)]);
        };
        let extras = extras_of(first) | extras_of(second);
        if third.is_some() || COUNT[usize::from(extras)] == 1 {
            let extra_cells = shape.cells.iter().filter(|&&cell| extras_of(cell) != 0);
            let seen = extra_cells.fold(!0, |seen, &cell| seen & PEER_SETS[usize::from(cell)]);
            let digit = extras_of(first) & extras_of(first).wrapping_neg();
            self.offer(shape, (2, score), cells_of(seen).map(|cell| (cell, digit)));
        }
        if third.is_none() {
            let two = Two { cells: [first, second].map(usize::from), extras };
            if COUNT[usize::from(extras)] >= 2 {
                self.try_sets(shape, &two, score);
            }
            self.try_locked(shape, &two, score);
        }
    }

    /// Type 4.
    fn try_locked(&mut self, shape: &Loop<'_>, two: &Two, score: f64) {
        if !self.would_keep(score, 4) {
            return;
        }
        let [low, high] = shape.digits;
        for (locked, other) in [(low, high), (high, low)] {
            let is_locked = common_houses(two.cells).any(|(house, positions)| {
                let both = 1 << positions[0] | 1 << positions[1];
                shape.board.places[locked][house] & !both == 0
            });
            if is_locked {
                return self.offer(shape, (4, score), two.cells.map(|cell| (cell, 1 << other)));
            }
        }
    }

    /// Type 3: sets of 2 to 7.
    fn try_sets(&mut self, shape: &Loop<'_>, two: &Two, score: f64) {
        for size in 2..=7u8 {
            for (house, positions) in common_houses(two.cells) {
                let empty = shape.board.empty[house];
                if 2 * size <= empty && size >= COUNT[usize::from(two.extras)] {
                    let score = score + f64::from(size - 1) * 0.1;
                    self.try_naked(shape, two, (house, positions), (size, score));
                }
                if 2 * size < empty {
                    // One of its `size` positions is the two cells together.
                    let score = score + f64::from(size - 2) * 0.1;
                    self.try_hidden(shape, two, (house, positions), (size, score));
                }
            }
        }
    }

    fn try_naked(
        &mut self,
        shape: &Loop<'_>,
        two: &Two,
        (house, [one, other]): (usize, [u8; 2]),
        (size, score): (u8, f64),
    ) {
        if !self.would_keep(score, 3) {
            return;
        }
        let cells = shape.board.house(house);
        let common = two.cells.iter().fold(two.extras, |all, &it| all & shape.board.cells[it]);
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
                let others = bits(!(members | both) & 0x1ff);
                let removals = others.map(|it| (usize::from(CELLS[house][it]), union));
                self.offer(shape, (3, score), removals);
            }
        }
    }

    fn try_hidden(
        &mut self,
        shape: &Loop<'_>,
        two: &Two,
        (house, [one, other]): (usize, [u8; 2]),
        (size, score): (u8, f64),
    ) {
        let pair = shape.pair();
        let free = !(pair | two.extras) & 0x1ff;
        // With no digit left, Explainer does not look for a set at all.
        if !self.would_keep(score, 3) || free == 0 {
            return;
        }
        let places = shape.board.places_of_digits(house).map(|places| places & !(1 << other));
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
                let others = bits(union & !(1 << one | 1 << other));
                let removals = others.map(|it| (usize::from(CELLS[house][it]), !digits));
                self.offer(shape, (3, score), removals);
            }
        }
    }
}

/// The houses that two cells share, with their positions there: box, row, column.
fn common_houses([one, two]: [usize; 2]) -> impl Iterator<Item = (usize, [u8; 2])> {
    let kinds = [2, 0, 1].into_iter();
    kinds.filter(move |&kind| HOUSES_OF[one][kind] == HOUSES_OF[two][kind]).map(move |kind| {
        let positions = [POSITIONS[one][kind], POSITIONS[two][kind]];
        (usize::from(HOUSES_OF[one][kind]), positions)
    })
}
