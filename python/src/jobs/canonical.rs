//! Canonical forms.

use super::puzzles::{Entry, Puzzles, failure};
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Shape, Worker};
use ninefold::Status;
use ninefold::canon::{FormKind, Outcome};
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::puzzle::Puzzle;
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::symmetry::{Canon, Isomorphism};
use std::ops::Range;

/// Finds forms.
#[derive(Clone, Debug)]
pub struct Canonical {
    form: FormKind,
    header: Header,
}

impl Canonical {
    /// Forms of this kind.
    #[must_use]
    pub const fn new(form: FormKind, header: Header) -> Self {
        Self { form, header }
    }
}

/// A form, and how it comes about.
pub struct Formed {
    /// The form.
    pub puzzle: Puzzle,
    /// The map to it.
    pub map: Isomorphism,
    /// The number of automorphisms.
    pub automorphisms: u32,
}

/// The form of a puzzle. `answer` is the result of a search for two solutions; minlex needs none.
///
/// # Errors
/// The outcome of a puzzle without a form, and the reason.
///
/// # Panics
/// Never: an answer that counts one solution has it.
pub fn form_of(
    kind: FormKind,
    canon: &mut Canon,
    puzzle: &Puzzle,
    answer: Option<&Answer>,
) -> Result<Formed, (Outcome, String)> {
    let grid = match (kind, puzzle) {
        (FormKind::Minlex, Puzzle::Grid(grid)) => Some(canon.minlex(grid)),
        (FormKind::Minlex, Puzzle::Sukaku(_)) => {
            let reason = "a sukaku has no minlex form (use the form solution)";
            return Err((Outcome::Sukaku, reason.to_owned()));
        }
        _ => None,
    };
    if let Some(form) = grid {
        let (map, automorphisms) = (form.map, form.automorphisms);
        return Ok(Formed { puzzle: Puzzle::Grid(form.grid), map, automorphisms });
    }
    let answer = answer.copied().unwrap_or_default();
    let clues = puzzle.clues();
    if let Some((status, why)) = failure(&answer, 2, &clues) {
        let outcome = match status {
            Status::None => Outcome::None,
            Status::Conflict => Outcome::Conflict,
            _ => Outcome::Multiple,
        };
        return Err((outcome, why.to_string()));
    }
    let solution = answer.first.as_ref().expect("one solution was found");
    Ok(match puzzle {
        Puzzle::Grid(grid) => {
            let form = canon.solution_minlex(grid, solution);
            let (map, automorphisms) = (form.map, form.automorphisms);
            Formed { puzzle: Puzzle::Grid(form.grid), map, automorphisms }
        }
        Puzzle::Sukaku(sukaku) => {
            let form = canon.solution_minlex_of_sukaku(sukaku, solution);
            let (map, automorphisms) = (form.map, form.automorphisms);
            Formed { puzzle: Puzzle::Sukaku(form.sukaku), map, automorphisms }
        }
    })
}

impl Job for Canonical {
    fn shapes(&self) -> &[Shape] {
        const FORM: Shape = Shape { name: "form", kind: Kind::Mirrored(None) };
        const AUTOMORPHISMS: Shape = Shape { name: "automorphisms", kind: Kind::Number };
        const MAP: Shape = Shape { name: "map", kind: Kind::Text };
        match self.header {
            Header::Plain => &[FORM],
            Header::Struct => const { &[FORM, Shape::STATUS, AUTOMORPHISMS, MAP, Shape::REASON] },
        }
    }

    fn header(&self) -> Header {
        self.header
    }

    fn batch(&self) -> usize {
        512
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Forming {
            form: self.form,
            engine: EngineKind::default().build(),
            canon: Canon::new(),
            puzzles: Puzzles::default(),
            answers: Vec::new(),
        })
    }
}

struct Forming {
    form: FormKind,
    engine: Box<dyn Engine>,
    canon: Canon,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

impl Worker for Forming {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let Self { form, engine, canon, puzzles, answers } = self;
        let [Cells::Texts(forms), details @ ..] = cells else {
            unreachable!("the cells are those of `shapes`")
        };
        puzzles.read(&columns[0], rows)?;
        answers.clear();
        if *form == FormKind::Solution {
            puzzles.solve(engine.as_mut(), 2, answers);
        }
        let memory = &mut [0; PENCILMARKS];
        for entry in &puzzles.entries {
            let formed = puzzles
                .puzzle(entry)
                .map(|(puzzle, place)| form_of(*form, canon, &puzzle, answers.get(place)));
            match &formed {
                Some(Ok(formed)) => forms.push(formed.puzzle.line(b'.', memory)),
                _ => forms.push(&[]),
            }
            let [
                Cells::Names(statuses),
                Cells::Numbers(automorphisms),
                Cells::Texts(maps),
                Cells::Texts(reasons),
            ] = &mut *details
            else {
                continue;
            };
            let (status, count, map, reason) = match (&formed, entry) {
                (Some(Ok(formed)), _) => {
                    let count = i64::from(formed.automorphisms);
                    (Outcome::Canonical.name(), count, formed.map.to_string(), String::new())
                }
                (Some(Err((outcome, why))), _) => (outcome.name(), -1, String::new(), why.clone()),
                (None, Entry::Malformed(error)) => {
                    (Outcome::Malformed.name(), -1, String::new(), error.to_string())
                }
                (None, _) => ("", -1, String::new(), String::new()),
            };
            statuses.push(status);
            automorphisms.push(count);
            maps.push(map.as_bytes());
            reasons.push(reason.as_bytes());
        }
        Ok(())
    }
}
