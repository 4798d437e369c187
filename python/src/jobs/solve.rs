//! Solutions, counts, and whether there is one solution.

use super::puzzles::{Entry, Puzzles, failure};
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Shape, Worker};
use ninefold::Status;
use ninefold::engine::{Answer, Engine, EngineKind};
use std::fmt::Display;
use std::ops::Range;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The solution.
    Solution,
    /// How many there are.
    Count,
    /// Whether there is one.
    Unique,
}

/// Asks an engine.
#[derive(Clone, Debug)]
pub struct Solve {
    ask: Ask,
    limit: usize,
    header: Header,
}

impl Solve {
    /// Asks this, with a search that ends after `limit` solutions.
    #[must_use]
    pub const fn new(ask: Ask, limit: usize, header: Header) -> Self {
        Self { ask, limit, header }
    }
}

impl Job for Solve {
    fn shapes(&self) -> &[Shape] {
        const SOLUTION: Shape = Shape { name: "solution", kind: Kind::Mirrored(Some(81)) };
        const SOLUTIONS: Shape = Shape { name: "solutions", kind: Kind::Number };
        const COUNT: Shape = Shape { name: "count", kind: Kind::Number };
        const UNIQUE: Shape = Shape { name: "unique", kind: Kind::Flag };
        match (self.ask, self.header) {
            (Ask::Solution, Header::Plain) => &[SOLUTION],
            (Ask::Solution, Header::Struct) => {
                const { &[SOLUTION, Shape::STATUS, SOLUTIONS, Shape::REASON] }
            }
            (Ask::Count, Header::Plain) => &[COUNT],
            (Ask::Count, Header::Struct) => const { &[COUNT, Shape::STATUS, Shape::REASON] },
            (Ask::Unique, Header::Plain) => &[UNIQUE],
            (Ask::Unique, Header::Struct) => const { &[UNIQUE, Shape::STATUS, Shape::REASON] },
        }
    }

    fn header(&self) -> Header {
        self.header
    }

    fn batch(&self) -> usize {
        // Fewer where each puzzle may take long, so that a batch does not.
        (4096 / self.limit).clamp(16, 2048)
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Solving {
            job: self.clone(),
            engine: EngineKind::default().build(),
            puzzles: Puzzles::default(),
            answers: Vec::new(),
        })
    }
}

struct Solving {
    job: Solve,
    engine: Box<dyn Engine>,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

impl Worker for Solving {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let Self { job, engine, puzzles, answers } = self;
        puzzles.read(&columns[0], rows)?;
        puzzles.solve(engine.as_mut(), job.limit, answers);
        self.push_results(&mut cells[0]);
        match (self.job.header, cells) {
            (Header::Plain, _) => {}
            (_, [_, Cells::Names(statuses), Cells::Numbers(solutions), Cells::Texts(reasons)]) => {
                self.explain(statuses, |text| reasons.push(text), |count| solutions.push(count));
            }
            (_, [_, Cells::Names(statuses), Cells::Texts(reasons)]) => {
                self.explain(statuses, |text| reasons.push(text), |_| {});
            }
            _ => unreachable!("the cells are those of `shapes`"),
        }
        Ok(())
    }
}

impl Solving {
    /// The answer to a row that has a puzzle.
    fn answer_to(&self, entry: &Entry) -> Option<&Answer> {
        match *entry {
            Entry::Grid(place) => Some(&self.answers[place]),
            Entry::Sukaku(place) => Some(&self.answers[self.puzzles.grids.len() + place]),
            Entry::Null | Entry::Malformed(_) => None,
        }
    }

    /// The first column.
    fn push_results(&self, cells: &mut Cells) {
        let answers = self.puzzles.entries.iter().map(|entry| self.answer_to(entry));
        match cells {
            Cells::Texts(texts) => {
                for answer in answers {
                    match answer {
                        Some(Answer { count: 1, first: Some(solution), .. }) => {
                            texts.push(&solution.line());
                        }
                        _ => texts.push(&[]),
                    }
                }
            }
            Cells::Numbers(counts) => {
                let count = |it: &Answer| i64::try_from(it.count).unwrap_or(i64::MAX);
                counts.extend(answers.map(|answer| answer.map_or(-1, count)));
            }
            Cells::Flags(flags) => {
                flags.extend(answers.map(|answer| answer.is_some_and(|it| it.count == 1)));
            }
            _ => unreachable!("the cells are those of `shapes`"),
        }
    }

    /// The status, the reason and the number of solutions of each row.
    fn explain(
        &self,
        statuses: &mut Vec<&'static str>,
        mut reason: impl FnMut(&[u8]),
        mut solutions: impl FnMut(i64),
    ) {
        let answered = if self.job.limit > 1 { Status::Unique } else { Status::Solved };
        let mut because = |why: &dyn Display| reason(why.to_string().as_bytes());
        for entry in &self.puzzles.entries {
            if let Some((puzzle, place)) = self.puzzles.puzzle(entry) {
                let answer = &self.answers[place];
                solutions(i64::try_from(answer.count).unwrap_or(i64::MAX));
                if let Some((status, failure)) = failure(answer, self.job.limit, &puzzle.clues()) {
                    statuses.push(status.name());
                    because(&failure);
                } else {
                    statuses.push(answered.name());
                    because(&"");
                }
                continue;
            }
            solutions(-1);
            if let Entry::Malformed(error) = entry {
                statuses.push(Status::Malformed.name());
                because(error);
            } else {
                statuses.push("");
                because(&"");
            }
        }
    }
}
