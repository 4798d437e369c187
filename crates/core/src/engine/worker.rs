//! The engine that a worker keeps.
#![forbid(unsafe_code)]

use super::bounds::Bounds;
use super::contract::{Answer, Engine};
use super::kind::EngineKind;
use crate::puzzle::{AnyPuzzle, Solution};
use crate::simd::SimdLevel;
use crate::verdict::Verdict;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// The engine of a worker, which is built for the first puzzle.
pub(crate) struct WorkerEngine {
    pub(crate) kind: EngineKind,
    pub(crate) level: SimdLevel,
    bounds: Bounds,
    built: Option<Box<dyn Engine>>,
}

impl Default for WorkerEngine {
    fn default() -> Self {
        let (kind, level) = (EngineKind::default(), SimdLevel::best());
        Self { kind, level, bounds: Bounds::default(), built: None }
    }
}

impl WorkerEngine {
    pub(crate) fn with_engine(self, kind: EngineKind) -> Self {
        Self { kind, built: None, ..self }
    }

    pub(crate) fn with_level(self, level: SimdLevel) -> Self {
        Self { level, built: None, ..self }
    }

    pub(crate) fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, built: None, ..self }
    }

    /// With an engine that has bounds of its own, and with bounds of the worker.
    pub(crate) fn with_built(self, engine: Box<dyn Engine>, bounds: Bounds) -> Self {
        Self { built: Some(engine), bounds, ..self }
    }

    pub(crate) const fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    #[inline]
    pub(crate) fn get(&mut self) -> &mut dyn Engine {
        let Self { kind, level, bounds, built } = self;
        built.get_or_insert_with(|| kind.build_bounded(*level, bounds.clone())).as_mut()
    }

    /// Answers puzzles of either kind, as [`Engine::solve_batch`] does.
    #[inline]
    pub(crate) fn solve<P: AnyPuzzle>(
        &mut self,
        puzzles: &[P],
        limit: usize,
        answers: &mut Vec<Answer>,
    ) {
        let ((grids, sukakus), engine) = (P::split(puzzles), self.get());
        answers.clear();
        engine.solve_batch(&grids, limit, answers);
        engine.solve_sukakus(&sukakus, limit, answers);
        P::restore(puzzles, answers);
    }

    /// The results of the puzzles with one solution, and the verdicts on the others. A result that is
    /// `None` was given up.
    pub(crate) fn of_unique<P: AnyPuzzle, T>(
        &mut self,
        puzzles: &[P],
        ask: impl FnOnce(&mut Self, &[P], &[Solution]) -> Vec<Option<T>>,
    ) -> Vec<Result<T, Verdict>> {
        let answers = self.prove(puzzles);
        let known = answers.iter().zip(puzzles);
        let known = known.filter_map(|(answer, &puzzle)| Some((puzzle, *answer.solution()?)));
        let (unique, solutions): (Vec<_>, Vec<_>) = known.unzip();
        let mut found = ask(self, &unique, &solutions).into_iter();
        let max_branches = self.bounds.max_branches();
        let result = |(answer, &puzzle): (&Answer, &P)| {
            if answer.solution().is_none() {
                return Err(answer.verdict(puzzle, 2, max_branches).copied());
            }
            let found = found.next().expect("a result for each puzzle with one solution");
            found.ok_or(Verdict::Unknown { at_least: 1, max_branches })
        };
        answers.iter().zip(puzzles).map(result).collect()
    }

    /// The answers of [`Engine::prove_batch`].
    pub(crate) fn prove<P: AnyPuzzle>(&mut self, puzzles: &[P]) -> Vec<Answer> {
        let ((grids, sukakus), engine) = (P::split(puzzles), self.get());
        let mut answers = Vec::with_capacity(puzzles.len());
        engine.prove_batch(&grids, &mut answers);
        engine.solve_sukakus(&sukakus, 2, &mut answers);
        P::restore(puzzles, &mut answers);
        answers
    }
}

impl fmt::Debug for WorkerEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, level, .. } = self;
        write!(f, "{kind}, {level}")
    }
}
