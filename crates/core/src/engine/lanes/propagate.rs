//! One pass of propagation over the boards of all lanes.
//!
//! # The rule that gives three
//! A *row-triad* is the three cells that a row and a box share; `A[r][b]` is what they may hold
//! together. For the triad in row 0 of box 0, look at the other two boxes of the band, below
//! and above the row:
//!
//! ```text
//!            box 0      box 1      box 2
//!   row 0  [ K[0][0] ]    .  .  .    .  .  .       a digit that stays in K[0][0] is, in the
//!   row 1    .  .  .   [ A[1][1] ] [ A[1][2] ]     other boxes, in row 1 and row 2: one each
//!   row 2    .  .  .   [ A[2][1] ] [ A[2][2] ]
//!
//!   K[0][0] = A[1][1] & A[2][2]  |  A[2][1] & A[1][2]
//! ```
//!
//! A digit outside `K` leaves the triad. These three operations are at once the locked
//! candidates of both kinds (pointing: the digit is needed in row 0 of box 1; claiming: box 1
//! has it nowhere but in row 0), naked singles taken out of the rest of their row, and hidden
//! singles of a row. With the same for column-triads in a stack, only the box itself is left to
//! look at: naked singles leave the other cells of their box, and a digit that one cell of the
//! box alone can hold is its hidden single, `x & !(other rows | other columns)`.
//!
//! # The order
//! The nine boxes are visited in order, and each uses at once what the boxes before it have
//! lost; the triads of the others are as the last pass left them. That is never wrong, for a
//! triad of the last pass holds all that is left in it now, and it takes 22 to 30 % fewer
//! passes than using only the last pass's (the prototypes' figure).
//!
//! # The events of a pass
//! Each event is one comparison for all lanes, of sums over the cells as the pass leaves them. An empty cell makes a tally 0. A digit missing from a box is missing from its union. The
//! sum of all cells is the same as before only if no candidate went.
//!
//! Nine sets that together hold all nine digits sum to 511 at least, and to 511 only if no digit
//! is in two of them. So if no box is incomplete and the sum of all cells is `9 * 511` (*filled*),
//! then in every box each digit is in just one cell; and if no cell is empty, that leaves one
//! digit for each. If every row and every column holds all nine digits as well ([`complete`],
//! asked only then), the board is a solution.
//!
//! All of that must be said of one state of the board. When emptiness was asked of the cells
//! before the singles of their box were taken from them, and the sum of those after, a board with
//! an empty cell and one of two digits passed for a solution (`tests/data/emptied.txt`).

use super::block::Block;
use crate::simd::{ALL_DIGITS, Cells, Routine, Word};

/// The events of a pass: bit `i` for lane `i`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Events {
    /// An empty cell, or a digit with no place left in a box: no solution from here.
    pub(super) dead: u32,
    /// Nothing was taken away.
    pub(super) stalled: u32,
    /// If it is not dead, every digit is in just one cell of each box.
    pub(super) filled: u32,
}

impl Events {
    /// The events of these lanes, one for each at most.
    #[inline(always)]
    pub(super) const fn among(self, live: u32) -> Self {
        let dead = self.dead & live;
        let filled = self.filled & live & !dead;
        Self { dead, stalled: self.stalled & live & !dead & !filled, filled }
    }
}

/// The three row-triads or column-triads of a box.
type Triads<W> = [W; 3];

/// The sum of all cells of a pass.
struct Sum<W>(W);

/// The sums over the boxes of a pass.
struct EventTally<W> {
    /// Digits that have a place in every box so far.
    in_every_box: W,
    sum: Sum<W>,
    /// 0 if a cell is empty.
    none_empty: W,
}

/// What is done with the boxes of a pass besides.
trait PassCount<W: Word> {
    /// A cell as the pass leaves it.
    fn add_cell(&mut self, cell: W);
    /// All digits that have a place in a box.
    fn add_box(&mut self, digits: W);
    /// The naked singles of a box, with one more.
    #[inline(always)]
    fn with_single(taken: W, single: W) -> W {
        taken | single
    }
    /// Digits that are the single of two cells of a box, or share the only place that they have.
    #[inline(always)]
    fn add_clash(&mut self, _: impl FnOnce() -> W) {}
}

impl<W: Word> PassCount<W> for Sum<W> {
    #[inline(always)]
    fn add_cell(&mut self, cell: W) {
        self.0 = self.0.plus(cell);
    }

    #[inline(always)]
    fn add_box(&mut self, _: W) {
        self.0 = self.0.pinned();
    }
}

impl<W: Word> Sum<W> {
    /// The lanes that have stalled, then those whose cells sum to `9 * 511`, after the last box.
    #[inline(always)]
    fn end(self, proof: W::Proof, block: &mut Block<W>) -> (u32, u32) {
        let Self(sum) = self;
        let stalled = sum.equal(W::load(proof, &block.sum));
        let filled = sum.equal(W::splat(proof, 9 * ALL_DIGITS));
        sum.store(&mut block.sum);
        (stalled, filled)
    }
}

impl<W: Word> PassCount<W> for EventTally<W> {
    #[inline(always)]
    fn add_cell(&mut self, cell: W) {
        self.sum.add_cell(cell);
        self.none_empty = self.none_empty.zero_if_either(cell);
    }

    #[inline(always)]
    fn add_box(&mut self, digits: W) {
        self.in_every_box = self.in_every_box & digits;
        self.sum.add_box(digits);
        self.none_empty = self.none_empty.pinned();
    }

    /// The sum of two equal ones is another digit, which then mostly has no place left in the box. So most boards
    /// with a clash, which have no solution, are dead soon: 5 % of the time of 17 clues and magictour, 2 % of
    /// the hardest. A clash is not reported as such, and without one the sum is the union.
    #[inline(always)]
    fn with_single(taken: W, single: W) -> W {
        taken.plus(single)
    }
}

impl<W: Word> EventTally<W> {
    /// Before the first box.
    #[inline(always)]
    fn new(proof: W::Proof) -> Self {
        let all_digits = W::splat(proof, ALL_DIGITS);
        Self { in_every_box: all_digits, sum: Sum(W::splat(proof, 0)), none_empty: all_digits }
    }

    /// The events of a pass, after its last box. In a fresh lane, the sum before is another board's.
    #[inline(always)]
    fn end(self, proof: W::Proof, block: &mut Block<W>, fresh: u32) -> Events {
        let (zero, all_digits) = (W::splat(proof, 0), W::splat(proof, ALL_DIGITS));
        let dead = self.none_empty.equal(zero) | !self.in_every_box.equal(all_digits);
        let (stalled, filled) = self.sum.end(proof, block);
        Events { dead, stalled: stalled & !fresh, filled }
    }
}

/// Clashes are counted, too.
struct ClashTally<W> {
    tally: EventTally<W>,
    clash: W,
}

impl<W: Word> PassCount<W> for ClashTally<W> {
    #[inline(always)]
    fn add_cell(&mut self, cell: W) {
        self.tally.add_cell(cell);
    }

    #[inline(always)]
    fn add_box(&mut self, digits: W) {
        self.tally.add_box(digits);
    }

    #[inline(always)]
    fn add_clash(&mut self, digits: impl FnOnce() -> W) {
        self.clash = self.clash | digits();
    }
}

/// Nothing is counted.
struct Uncounted;

impl<W: Word> PassCount<W> for Uncounted {
    #[inline(always)]
    fn add_cell(&mut self, _: W) {}

    #[inline(always)]
    fn add_box(&mut self, _: W) {}
}

/// An array of an expression for 0, 1 and 2. Arrays have a `map` for it, but whether that and its closure
/// are inlined is for the optimizer to say, and without `lto` it says no.
macro_rules! three {
    (|$k:ident| $value:expr) => {
        [
            {
                let $k = 0;
                $value
            },
            {
                let $k = 1;
                $value
            },
            {
                let $k = 2;
                $value
            },
        ]
    };
}

/// Triads, each with these digits besides.
#[inline(always)]
fn with<W: Word>(triads: Triads<W>, digits: W) -> Triads<W> {
    three!(|k| triads[k] | digits)
}

/// Visits every box once, and reports the events in the boards.
pub(super) struct BoxPass<'a, W: Word>(pub(super) &'a mut Block<W>);

impl<W: Word> Routine<W> for BoxPass<'_, W> {
    type Output = Events;

    #[inline(always)]
    fn run(self, proof: W::Proof) -> Events {
        let mut tally = EventTally::new(proof);
        let fresh = self.0.take_fresh();
        visit_boxes(proof, self.0, fresh, &mut tally);
        tally.end(proof, self.0, fresh)
    }
}

/// A [`BoxPass`] in which two more contradictions are dead: two equal singles in a box, and two digits
/// whose only place in a box is the same cell. A stalled board without them is a fixed point of the
/// textbook's rules, and none of these finds a contradiction there.
pub(super) struct PassWithClashes<'a, W: Word>(pub(super) &'a mut Block<W>);

impl<W: Word> Routine<W> for PassWithClashes<'_, W> {
    type Output = Events;

    #[inline(always)]
    fn run(self, proof: W::Proof) -> Events {
        let mut clashes = ClashTally { tally: EventTally::new(proof), clash: W::splat(proof, 0) };
        let fresh = self.0.take_fresh();
        visit_boxes(proof, self.0, fresh, &mut clashes);
        let events = clashes.tally.end(proof, self.0, fresh);
        let clash = !clashes.clash.equal(W::splat(proof, 0));
        Events { dead: events.dead | clash, ..events }
    }
}

/// A pass without its events, for boards of which they are not of interest yet: a sixth less work.
#[inline(always)]
pub(super) fn pass_unseen<W: Word>(proof: W::Proof, block: &mut Block<W>, fresh: u32) {
    visit_boxes(proof, block, fresh, &mut Uncounted);
}

/// Two passes, the first of them unseen. Returns the lanes of `live` that are over, dead or filled, and those
/// that hold a solution.
#[inline(always)]
pub(super) fn two_passes<W: Word>(proof: W::Proof, block: &mut Block<W>, live: u32) -> (u32, u32) {
    let fresh = block.take_fresh();
    pass_unseen(proof, block, fresh);
    let Events { dead, filled, .. } = W::call(proof, BoxPass(block)).among(live);
    let solved = if filled == 0 { 0 } else { filled & complete(proof, block) };
    (dead | filled, solved)
}

/// A pass of boards that are not fresh, with two of its events: the lanes that have stalled, then those
/// whose cells sum to `9 * 511`. Either may be dead.
#[inline(always)]
pub(super) fn pass_summed<W: Word>(proof: W::Proof, block: &mut Block<W>) -> (u32, u32) {
    let mut sum = Sum(W::splat(proof, 0));
    visit_boxes(proof, block, 0, &mut sum);
    sum.end(proof, block)
}

/// Of lanes whose cells sum to `9 * 511`, those that hold a solution: every house holds all nine
/// digits, so it has each in just one cell, and no cell is empty.
#[inline(always)]
pub(super) fn solved<W: Word>(proof: W::Proof, block: &Block<W>) -> u32 {
    let all_digits = W::splat(proof, ALL_DIGITS);
    let (mut in_every_box, mut none_empty) = (all_digits, all_digits);
    for rows in block.row_triads.as_flattened().as_chunks::<3>().0 {
        let [a, b, c] = three!(|row| W::load(proof, &rows[row]));
        in_every_box = in_every_box & (a | b | c);
    }
    for cell in block.cells.as_flattened() {
        none_empty = none_empty.zero_if_either(W::load(proof, cell));
    }
    let has_empty = none_empty.equal(W::splat(proof, 0));
    complete(proof, block) & in_every_box.equal(all_digits) & !has_empty
}

/// Begins new puzzles in some lanes, and takes their clues from the cells that see these. The clues of
/// the other lanes are empty: these keep their boards.
///
/// All triads become those of the boards, so no lane is fresh. This saves a pass for each puzzle, and has
/// two fifths of its operations.
#[inline(always)]
pub(super) fn open<W: Word>(proof: W::Proof, block: &mut Block<W>, lanes: u32, clues: &Cells<W>) {
    let (none, all_digits) = (W::splat(proof, 0), W::splat(proof, ALL_DIGITS));
    let new = W::in_lanes(proof, lanes);
    let clue =
        |band: usize, stack: usize, k: usize| W::load(proof, &clues[band][in_band(stack, k)]);
    // In the other lanes no digit is left for any cell.
    let mut in_columns = [all_digits.without(new); 9];
    let (mut in_rows, mut in_boxes) = ([none; 9], [none; 9]);
    for (band, stack) in BOXES {
        let mut cells = [none; 9];
        for (k, cell) in cells.iter_mut().enumerate() {
            *cell = clue(band, stack, k);
        }
        let (rows, columns) = triads(&cells);
        for k in 0..3 {
            in_rows[band * 3 + k] = in_rows[band * 3 + k] | rows[k];
            in_columns[stack * 3 + k] = in_columns[stack * 3 + k] | columns[k];
        }
        in_boxes[band * 3 + stack] = rows[0] | rows[1] | rows[2];
    }
    for (band, stack) in BOXES {
        let mut cells = [none; 9];
        for k in 0..9 {
            let around = in_rows[band * 3 + k / 3] | in_boxes[band * 3 + stack];
            let left = all_digits.without(around | in_columns[stack * 3 + k % 3]);
            let cell = &mut block.cells[band][in_band(stack, k)];
            let kept = W::load(proof, cell).without(new);
            cells[k] = left.replaced_by(clue(band, stack, k)) | kept;
            cells[k].store(cell);
        }
        store_triads(block, band, stack, triads(&cells));
    }
}

/// The band and the stack of each box.
const BOXES: [(usize, usize); 9] =
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)];

/// Visits every box once. What the triads of fresh lanes say is not used before they are written.
#[inline(always)]
fn visit_boxes<W: Word>(
    proof: W::Proof,
    block: &mut Block<W>,
    fresh: u32,
    count: &mut impl PassCount<W>,
) {
    let fresh = W::in_lanes(proof, fresh);
    for band in 0..3 {
        // Unrolled for the three boxes of a band and not for nine: 4 KB of code, which stays in
        // the CPU's cache of decoded instructions (12 to 14 % in the prototypes).
        let band = core::hint::black_box(band) % 3;
        if W::UNROLLS_BANDS {
            visit_box(proof, block, band, 0, fresh, count);
            visit_box(proof, block, band, 1, fresh, count);
            visit_box(proof, block, band, 2, fresh, count);
        } else {
            for stack in 0..3 {
                visit_box(proof, block, band, core::hint::black_box(stack) % 3, fresh, count);
            }
        }
    }
}

/// The lanes in which every row and every column holds all nine digits.
#[inline(always)]
pub(super) fn complete<W: Word>(proof: W::Proof, block: &Block<W>) -> u32 {
    let mut in_every_house = W::splat(proof, ALL_DIGITS);
    for band in &block.row_triads {
        for row in 0..3 {
            let [a, b, c] = three!(|stack| W::load(proof, &band[stack * 3 + row]));
            in_every_house = in_every_house & (a | b | c);
        }
    }
    for column in 0..9 {
        let [a, b, c] = three!(|band| W::load(proof, &block.column_triads[band][column]));
        in_every_house = in_every_house & (a | b | c);
    }
    in_every_house.equal(W::splat(proof, ALL_DIGITS))
}

/// Removes from one box the candidates that its band, its stack and its own cells exclude.
#[inline(always)]
fn visit_box<W: Word, C: PassCount<W>>(
    proof: W::Proof,
    block: &mut Block<W>,
    band: usize,
    stack: usize,
    fresh: W,
    count: &mut C,
) {
    let by_row = row_crossing(proof, block, band, stack, fresh);
    let by_column = column_crossing(proof, block, band, stack, fresh);
    let none = W::splat(proof, 0);

    // Naked singles: a cell with one digit left takes it from the other cells of the box.
    let (mut cells, mut singles, mut taken) = ([none; 9], [none; 9], none);
    for k in 0..9 {
        let cell = W::load(proof, &block.cells[band][in_band(stack, k)]);
        cells[k] = cell & by_row[k / 3] & by_column[k % 3];
        singles[k] = cells[k].if_single();
        count.add_clash(|| taken & singles[k]);
        taken = C::with_single(taken, singles[k]);
    }

    // Hidden singles: a digit that no other row and no other column of the box can hold. They are
    // sought in the same cells and not in those without `taken`, so that neither search waits for
    // the other (1 to 2 %). They are the same ones: a taken digit keeps a place in its naked single,
    // and if it had no other, then the two agree.
    // Without this and the same in `EventTally`, NEON has no registers left.
    let taken = taken.pinned();
    let (rows, columns) = triads(&cells);
    let (in_row, in_column) = (alone(rows), alone(columns));
    for k in 0..9 {
        let hidden = in_row[k / 3] & in_column[k % 3];
        count.add_clash(|| hidden.but_lowest());
        cells[k] = cells[k].without(taken).replaced_by(hidden | singles[k]);
        count.add_cell(cells[k]);
        cells[k].store(&mut block.cells[band][in_band(stack, k)]);
    }

    let (rows, columns) = triads(&cells);
    count.add_box(rows[0] | rows[1] | rows[2]);
    store_triads(block, band, stack, (rows, columns));
}

/// Stores the row-triads and the column-triads of a box.
#[inline(always)]
fn store_triads<W: Word>(
    block: &mut Block<W>,
    band: usize,
    stack: usize,
    (rows, columns): (Triads<W>, Triads<W>),
) {
    for k in 0..3 {
        rows[k].store(&mut block.row_triads[band][stack * 3 + k]);
        columns[k].store(&mut block.column_triads[band][stack * 3 + k]);
    }
}

/// Where cell `k` of a box is among the 27 cells of its band.
#[inline(always)]
const fn in_band(stack: usize, k: usize) -> usize {
    k / 3 * 9 + stack * 3 + k % 3
}

/// The candidates of the row-triads and the column-triads of a box.
#[inline(always)]
fn triads<W: Word>(cells: &[W; 9]) -> (Triads<W>, Triads<W>) {
    let rows = three!(|k| cells[3 * k] | cells[3 * k + 1] | cells[3 * k + 2]);
    let columns = three!(|k| cells[k] | cells[k + 3] | cells[k + 6]);
    (rows, columns)
}

/// The digits that one triad of three alone has.
#[inline(always)]
fn alone<W: Word>(triads: Triads<W>) -> Triads<W> {
    let [a, b, c] = triads;
    [a.without(b | c), b.without(a | c), c.without(a | b)]
}

/// The rule at the top of this file: the candidates of each triad, by the other two boxes in line.
#[inline(always)]
fn crossing<W: Word>(one: Triads<W>, two: Triads<W>) -> Triads<W> {
    [
        one[1] & two[2] | one[2] & two[1],
        one[0] & two[2] | one[2] & two[0],
        one[0] & two[1] | one[1] & two[0],
    ]
}

/// Three triads as the last visit left them.
#[inline(always)]
fn load_triads<W: Word>(proof: W::Proof, triads: &[W::Memory; 9], stack: usize) -> Triads<W> {
    three!(|k| W::load(proof, &triads[stack * 3 + k]))
}

/// The candidates that the boxes to the left and right leave in the row-triads.
///
/// A fresh lane's boxes that are still to come hold the triads of the board before, which say
/// nothing: `| fresh` makes them say so.
#[inline(always)]
fn row_crossing<W: Word>(
    proof: W::Proof,
    block: &Block<W>,
    band: usize,
    stack: usize,
    fresh: W,
) -> Triads<W> {
    let one = load_triads(proof, &block.row_triads[band], (stack + 1) % 3);
    let two = load_triads(proof, &block.row_triads[band], (stack + 2) % 3);
    match stack {
        0 => with(crossing(one, two), fresh),
        1 => crossing(with(one, fresh), two),
        _ => crossing(one, two),
    }
}

/// The candidates that the boxes above and below leave in the column-triads.
#[inline(always)]
fn column_crossing<W: Word>(
    proof: W::Proof,
    block: &Block<W>,
    band: usize,
    stack: usize,
    fresh: W,
) -> Triads<W> {
    let none = W::splat(proof, 0);
    let (one, two) = ((band + 1) % 3, (band + 2) % 3);
    let fresh_of_one = if one > band { fresh } else { none };
    let fresh_of_two = if two > band { fresh } else { none };
    let one = with(load_triads(proof, &block.column_triads[one], stack), fresh_of_one);
    let two = with(load_triads(proof, &block.column_triads[two], stack), fresh_of_two);
    crossing(one, two)
}
