//! The fast engine: many puzzles side by side, one in each lane.

#![expect(clippy::inline_always, reason = "what is not inlined is compiled for the baseline CPU")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod board;
mod choose;
mod level;
mod propagate;
mod search;
mod word;

use super::{Answer, Engine, Visit};
use crate::puzzle::Grid;
pub use level::SimdLevel;
use search::{Job, Search};

/// The engine, with the searches of all its lanes.
pub struct Lanes(Searches);

#[expect(clippy::large_enum_variant, reason = "there is one for each worker, boxed as a whole")]
enum Searches {
    Portable(Search<word::Portable>),
    #[cfg(target_arch = "x86_64")]
    Avx2(level::Avx2, Search<avx2::Word256>),
    #[cfg(target_arch = "x86_64")]
    Avx512(level::Avx512, Search<avx512::Word512>),
}

impl Lanes {
    /// An engine for this level, with all its memory.
    #[must_use]
    pub fn new(level: SimdLevel) -> Box<Self> {
        Box::new(Self(match level {
            SimdLevel::Portable => Searches::Portable(Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(proof) => Searches::Avx2(proof, Search::new()),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(proof) => Searches::Avx512(proof, Search::new()),
        }))
    }

    fn run(&mut self, job: Job) {
        match &mut self.0 {
            Searches::Portable(search) => level::run_portable(search, job),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx2(proof, search) => proof.run(search, job),
            #[cfg(target_arch = "x86_64")]
            Searches::Avx512(proof, search) => proof.run(search, job),
        }
    }
}

impl Engine for Lanes {
    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        let puzzles = std::slice::from_ref(puzzle);
        let answers = &mut [Answer::default()];
        self.run(Job { puzzles, limit: usize::MAX, answers, visit: Some(visit) });
    }

    fn solve_batch(&mut self, puzzles: &[Grid], limit: usize, answers: &mut Vec<Answer>) {
        let start = answers.len();
        answers.resize(start + puzzles.len(), Answer::default());
        if limit > 0 {
            self.run(Job { puzzles, limit, answers: &mut answers[start..], visit: None });
        }
    }
}
