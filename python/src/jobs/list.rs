//! Every solution of each puzzle, up to a limit.

use super::puzzles::parse;
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Shape, Worker};
use ninefold::Status;
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::solve::first_solutions;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Lists solutions.
#[derive(Clone, Debug)]
pub struct Solutions {
    limit: NonZeroUsize,
    header: Header,
}

impl Solutions {
    /// At most so many of each puzzle.
    #[must_use]
    pub const fn new(limit: NonZeroUsize, header: Header) -> Self {
        Self { limit, header }
    }
}

impl Job for Solutions {
    fn shapes(&self) -> &[Shape] {
        const LIST: Shape = Shape { name: "solutions", kind: Kind::Lists(Some(81)) };
        match self.header {
            Header::Plain => &[LIST],
            Header::Struct => const { &[LIST, Shape::STATUS, Shape::REASON] },
        }
    }

    fn header(&self) -> Header {
        self.header
    }

    fn batch(&self) -> usize {
        64
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Listing { job: self.clone(), engine: EngineKind::default().build() })
    }
}

struct Listing {
    job: Solutions,
    engine: Box<dyn Engine>,
}

impl Worker for Listing {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let [Cells::Lists { counts, texts }, details @ ..] = cells else {
            unreachable!("the cells are those of `shapes`")
        };
        for row in rows {
            let (mut status, mut reason) = ("", String::new());
            match parse(columns[0].row(row)?) {
                Ok(None) => counts.push(0),
                Ok(Some(puzzle)) => {
                    let limit = self.job.limit;
                    let (solutions, all) = first_solutions(self.engine.as_mut(), &puzzle, limit);
                    counts.push(u32::try_from(solutions.len()).unwrap_or(u32::MAX));
                    for solution in &solutions {
                        texts.push(&solution.line());
                    }
                    let count = solutions.len() + usize::from(!all);
                    let answer = Answer { count, ..Answer::default() };
                    let clues = puzzle.clues();
                    status = Status::Unique.name();
                    if let Some((other, why)) =
                        super::puzzles::failure(&answer, limit.get() + 1, &clues)
                    {
                        status = other.name();
                        reason = match other {
                            Status::Multiple if !all => format!("more than {limit} solutions"),
                            Status::Multiple => String::new(),
                            _ => why.to_string(),
                        };
                    }
                }
                Err(error) => {
                    counts.push(0);
                    status = Status::Malformed.name();
                    reason = error.to_string();
                }
            }
            if let [Cells::Names(statuses), Cells::Texts(reasons)] = &mut *details {
                statuses.push(status);
                reasons.push(reason.as_bytes());
            }
        }
        Ok(())
    }
}
