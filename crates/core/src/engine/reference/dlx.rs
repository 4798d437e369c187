//! Exact cover by dancing links: Donald Knuth, "Dancing Links", 2000 (arXiv cs/0011047).
//!
//! Each of the 729 ways to place a digit is a row with four ones: *this cell is filled*, and *this
//! row*, *column*, *box has this digit*. A solution is rows with a one in each column just once.
//!
//! ```text
//! root ⇄ column ⇄ column ⇄ …      covering a column unlinks it, and every row that meets it;
//!          ⇅        ⇅             each node still knows its old neighbours, so uncovering
//!         node  ⇄  node  ⇄ …      in the opposite order links all of it in again
//! ```

use super::search::{TextbookSearch, on_branch};
use crate::engine::contract::{Branch, Visit};
use crate::puzzle::{Cell, Digit, Grid, Solution, Sukaku};
use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;
use core::ops::ControlFlow;

/// Node 0 is the root of the list of columns, nodes 1 to 324 are their heads.
const ROOT: usize = 0;
/// Row `i` of the matrix has the four nodes from `FIRST + 4 i`.
const FIRST: usize = 1 + 4 * 81;

/// The columns in which a row has its ones: four blocks of 81. Row `9 cell + d` places `d + 1`.
fn columns(row: usize) -> [usize; 4] {
    let (cell, digit) = (Cell::new(row / 9), row % 9);
    let houses = [9 + cell.row(), 18 + cell.column(), 27 + cell.box_index()];
    let [in_row, in_column, in_box] = houses.map(|house| 1 + 9 * house + digit);
    [1 + cell.index(), in_row, in_column, in_box]
}

/// A node: a one of the matrix, or the head of a column.
#[derive(Clone, Copy, Debug, Default)]
struct DlxNode {
    left: usize,
    right: usize,
    up: usize,
    down: usize,
    column: usize,
}

/// The links, as each puzzle finds and leaves them, and how many nodes each column has.
#[derive(Clone, Debug)]
pub(crate) struct Dlx {
    nodes: Vec<DlxNode>,
    sizes: Vec<usize>,
}

impl Default for Dlx {
    /// The links of the whole matrix.
    fn default() -> Self {
        let ring =
            |node: usize| DlxNode { up: node, down: node, column: node, ..DlxNode::default() };
        let mut dlx = Self { nodes: (0..FIRST).map(ring).collect(), sizes: vec![0; FIRST] };
        for head in 0..FIRST {
            dlx.nodes[head].right = (head + 1) % FIRST;
            dlx.nodes[(head + 1) % FIRST].left = head;
        }
        for row in 0..729 {
            let start = FIRST + 4 * row;
            for (place, column) in columns(row).into_iter().enumerate() {
                let (left, right) = (start + (place + 3) % 4, start + (place + 1) % 4);
                let up = dlx.nodes[column].up;
                dlx.nodes.push(DlxNode { left, right, up, down: column, column });
                dlx.nodes[up].down = start + place;
                dlx.nodes[column].up = start + place;
                dlx.sizes[column] += 1;
            }
        }
        dlx
    }
}

impl Dlx {
    /// Chooses a row: covers its four columns.
    fn choose(&mut self, row: usize) {
        for column in columns(row) {
            self.cover(column);
        }
    }

    /// Takes back the last choice.
    fn release(&mut self, row: usize) {
        for column in columns(row).into_iter().rev() {
            self.uncover(column);
        }
    }

    /// Takes a row out of its four columns, before any choice.
    fn leave_out(&mut self, row: usize) {
        for node in FIRST + 4 * row..FIRST + 4 * row + 4 {
            let DlxNode { up, down, column, .. } = self.nodes[node];
            (self.nodes[up].down, self.nodes[down].up) = (down, up);
            self.sizes[column] -= 1;
        }
    }

    /// Puts the row back that was left out last.
    fn put_back(&mut self, row: usize) {
        for node in (FIRST + 4 * row..FIRST + 4 * row + 4).rev() {
            let DlxNode { up, down, column, .. } = self.nodes[node];
            (self.nodes[up].down, self.nodes[down].up) = (node, node);
            self.sizes[column] += 1;
        }
    }

    /// Takes the column with the fewest rows, and chooses each of them in turn.
    fn cover_all(
        &mut self,
        grid: &mut Grid,
        visit: &mut Visit,
        branch: &mut Branch,
    ) -> ControlFlow<()> {
        let heads = successors(Some(ROOT), |&head| Some(self.nodes[head].right)).skip(1);
        let heads = heads.take_while(|&head| head != ROOT);
        let Some(column) = heads.min_by_key(|&head| self.sizes[head]) else {
            return visit(&Solution::try_from(*grid).expect("every column is covered once"));
        };
        on_branch(branch, self.sizes[column])?;
        let mut node = self.nodes[column].down;
        while node != column {
            let row = (node - FIRST) / 4;
            self.choose(row);
            grid.set(Cell::new(row / 9), Some(Digit::ALL[row % 9]));
            let flow = self.cover_all(grid, visit, branch);
            self.release(row);
            flow?;
            node = self.nodes[node].down;
        }
        ControlFlow::Continue(())
    }

    fn cover(&mut self, column: usize) {
        let DlxNode { left, right, .. } = self.nodes[column];
        (self.nodes[left].right, self.nodes[right].left) = (right, left);
        let mut row = self.nodes[column].down;
        while row != column {
            let mut node = self.nodes[row].right;
            while node != row {
                let DlxNode { right, up, down, column, .. } = self.nodes[node];
                (self.nodes[up].down, self.nodes[down].up) = (down, up);
                self.sizes[column] -= 1;
                node = right;
            }
            row = self.nodes[row].down;
        }
    }

    fn uncover(&mut self, column: usize) {
        let mut row = self.nodes[column].up;
        while row != column {
            let mut node = self.nodes[row].left;
            while node != row {
                let DlxNode { left, up, down, column, .. } = self.nodes[node];
                (self.nodes[up].down, self.nodes[down].up) = (node, node);
                self.sizes[column] += 1;
                node = left;
            }
            row = self.nodes[row].up;
        }
        let DlxNode { left, right, .. } = self.nodes[column];
        (self.nodes[left].right, self.nodes[right].left) = (column, column);
    }
}

impl TextbookSearch for Dlx {
    /// Removes the rows of absent candidates, covers the singles, searches, and restores all links.
    fn walk(&mut self, sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
        // Choosing the row of a single covers its cell, and so hides the other rows of it.
        let is_out = |row: &usize| {
            let candidates = sukaku.get(Cell::new(row / 9));
            candidates.len() > 1 && !candidates.contains(Digit::ALL[row % 9])
        };
        let out = (0..729).filter(is_out);
        let grid = sukaku.singles();
        let clues = grid.values().iter().enumerate().filter(|&(_, &value)| value != 0);
        let singles = clues.map(|(cell, &value)| 9 * cell + usize::from(value) - 1);

        out.clone().for_each(|row| self.leave_out(row));
        singles.clone().for_each(|row| self.choose(row));
        let _ = self.cover_all(&mut grid.clone(), visit, branch);
        singles.rev().for_each(|row| self.release(row));
        out.rev().for_each(|row| self.put_back(row));
    }
}
