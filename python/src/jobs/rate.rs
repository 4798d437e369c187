//! Difficulty.

use super::puzzles::{Entry, Puzzles, failure};
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Shape, Worker};
use ninefold::Status;
use ninefold::difficulty::{Gauge, Grade, Measure, Measured, Score};
use ninefold::engine::lanes::SimdLevel;
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::names::NameSet;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Measures difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// What is measured.
    pub measures: NameSet<Measure>,
    /// The number of transformations over which an effort is the mean.
    pub shuffles: NonZeroUsize,
    /// The seed of these transformations.
    pub seed: u64,
}

/// Why a sukaku has no measures.
pub const SUKAKU: &str = "sukakus are not rated";

impl Rate {
    /// The gauge of these measures.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        Gauge::new(self.measures, SimdLevel::best(), self.shuffles.get(), self.seed)
    }
}

/// A score as a number: above 6.2 it is infinite.
#[must_use]
pub fn number(score: Score) -> f64 {
    score.tenths().map_or(f64::INFINITY, |tenths| f64::from(tenths) / 10.0)
}

impl Job for Rate {
    fn shapes(&self) -> &[Shape] {
        const fn float(name: &'static str) -> Shape {
            Shape { name, kind: Kind::Float }
        }
        const fn name(name: &'static str) -> Shape {
            Shape { name, kind: Kind::Name }
        }
        const {
            &[
                float("effort"),
                float("effort_se"),
                float("er"),
                float("ep"),
                float("ed"),
                name("technique"),
                name("grade"),
                name("status"),
                Shape { name: "reason", kind: Kind::Text },
            ]
        }
    }

    fn header(&self) -> Header {
        Header::Struct
    }

    fn batch(&self) -> usize {
        256
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Rating {
            engine: EngineKind::default().build(),
            gauge: self.gauge(),
            puzzles: Puzzles::default(),
            answers: Vec::new(),
            unique: Vec::new(),
            measured: Vec::new(),
        })
    }
}

struct Rating {
    engine: Box<dyn Engine>,
    gauge: Gauge,
    puzzles: Puzzles,
    answers: Vec<Answer>,
    /// The grids with one solution, and what was measured of them.
    unique: Vec<ninefold::puzzle::Grid>,
    measured: Vec<Measured>,
}

impl Worker for Rating {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let Self { engine, gauge, puzzles, answers, unique, measured } = self;
        puzzles.read(&columns[0], rows)?;
        puzzles.solve(engine.as_mut(), 2, answers);
        let with_answers = puzzles.grids.iter().zip(&*answers);
        unique.clear();
        unique.extend(with_answers.filter(|(_, answer)| answer.count == 1).map(|(grid, _)| grid));
        measured.clear();
        gauge.measure(unique, measured);
        let mut measured = measured.iter();
        for entry in &puzzles.entries {
            let nothing = Measured::default();
            let (found, status, reason) = match (puzzles.puzzle(entry), entry) {
                (Some((puzzle, place)), _) => match failure(&answers[place], 2, &puzzle.clues()) {
                    Some((status, why)) => (&nothing, status.name(), why.to_string()),
                    None if matches!(entry, Entry::Grid(_)) => {
                        let found = measured.next().expect("each is measured");
                        (found, Status::Unique.name(), String::new())
                    }
                    None => (&nothing, Status::Unique.name(), SUKAKU.to_owned()),
                },
                (None, Entry::Malformed(error)) => {
                    (&nothing, Status::Malformed.name(), error.to_string())
                }
                (None, _) => (&nothing, "", String::new()),
            };
            push(cells, found, status, &reason);
        }
        Ok(())
    }
}

/// Appends a row.
fn push(cells: &mut [Cells], found: &Measured, status: &'static str, reason: &str) {
    let effort = |of: fn(&ninefold::difficulty::Effort) -> f64| found.effort.as_ref().map(of);
    let score = |of: fn(&ninefold::difficulty::Rating) -> Score| {
        found.rating.as_ref().map(|rating| number(of(rating)))
    };
    let floats = [
        effort(ninefold::difficulty::Effort::mean),
        effort(ninefold::difficulty::Effort::standard_error),
        score(|rating| rating.er),
        score(|rating| rating.ep),
        score(|rating| rating.ed),
    ];
    let technique = found.rating.map_or("", |rating| rating.technique.name());
    let names = [technique, found.grade.map_or("", Grade::name), status];
    let (mut floats, mut names) = (floats.into_iter(), names.into_iter());
    for cells in cells {
        match cells {
            Cells::Floats(own) => own.extend(floats.next().map(|it| it.unwrap_or(f64::NAN))),
            Cells::Names(own) => own.extend(names.next()),
            Cells::Texts(own) => own.push(reason.as_bytes()),
            _ => unreachable!("the cells are those of `shapes`"),
        }
    }
}
