//! How the library tells what it has done so far, without printing.

use super::{Halt, Stats};

/// Is told how far a run has come.
pub trait Progress {
    /// So much has been written: called after every chunk, in order, on the thread that
    /// called [`Batch::run`](super::Batch::run), which waits for it.
    fn advance(&mut self, so_far: &Stats);

    /// Whose wish that the run should end is heard, if anybody's.
    fn halt(&self) -> Option<&Halt> {
        None
    }
}

/// Keeps it to itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&mut self, _: &Stats) {}
}
