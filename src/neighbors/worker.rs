//! Searches the sources of a chunk, examines the neighbors that are not known, and makes their records.

use super::options::Nearby;
use super::{Around, Neighbors, Outcome};
use crate::bank::{Form, Key, Keys};
use crate::difficulty::{Gauge, Measure, Score, ScoreRange};
use crate::input::{Chunk, Puzzles, Row};
use crate::minimal::Minimality;
use crate::output::{Field, Short};
use crate::puzzle::{Cell, Grid, Puzzle, Solution};
use crate::run::{Rows, SlowPlace, Terms};
use crate::search::Answers;
use crate::symmetry::Canon;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::PoisonError;

/// A neighbor of the source at this place.
#[derive(Clone, Copy)]
struct Neighbor {
    source: usize,
    puzzle: Grid,
    solution: Solution,
    key: Key,
    is_minimal: bool,
    er: Option<Score>,
    neighbors: u64,
}

/// What a worker makes of a chunk.
#[derive(Default)]
pub(super) struct SearchedRows {
    pub(super) sources: Vec<Searched>,
    /// Classes that were examined and are not wanted.
    pub(super) examined: Vec<Key>,
}

/// A row, and its neighbors.
pub(super) struct Searched {
    pub(super) line: u64,
    /// Where it ends in the chunk, with `--max`.
    pub(super) end: usize,
    pub(super) placed: Vec<Placed>,
}

/// A neighbor with its record.
pub(super) struct Placed {
    pub(super) key: Key,
    /// As it was written.
    pub(super) puzzle: Grid,
    pub(super) is_minimal: bool,
    pub(super) records: Range<usize>,
}

/// Searches neighbors; has an engine and memory for chunks of puzzles.
pub(super) struct NearWorker {
    nearby: Nearby,
    answers: Answers,
    neighbors: Neighbors,
    /// Counts neighbors of neighbors.
    counter: Option<Neighbors>,
    minimality: Minimality,
    gauge: Gauge,
    keys: Keys,
    canon: Canon,
    /// The neighbors of the chunk in the order of their sources, and the reduced puzzles of each source
    /// that were given up.
    near: Vec<Neighbor>,
    given_up: Vec<u64>,
}

impl NearWorker {
    pub(super) fn new(nearby: &Nearby) -> Self {
        let search = &nearby.search;
        let around = Around { needed: nearby.minimal, ..nearby.around() };
        let all = |around| {
            let neighbors = Neighbors::new(around).with_level(search.simd);
            neighbors.with_built(search.build(), search.bounds())
        };
        let neighbors = all(around);
        // Alone, forms take as long as the search.
        let is_shared = !nearby.per_source && around.minus + around.plus > 2;
        Self {
            nearby: nearby.clone(),
            answers: Answers::new(search.build(), 2),
            neighbors: if is_shared { neighbors.shared() } else { neighbors },
            counter: nearby.count.then(|| all(nearby.around())),
            minimality: Minimality::new(),
            gauge: search.gauge([Measure::Er], nearby.er.as_ref().map(ScoreRange::most)),
            keys: Keys::new(Form::Solution),
            canon: Canon::new(),
            near: Vec::new(),
            given_up: Vec::new(),
        }
    }

    /// The neighbors of these puzzles, each class at the first that has it.
    fn find_near(&mut self, numbers: &[usize], sources: &[Grid]) {
        let Self { nearby, neighbors, keys, near, given_up, .. } = self;
        let (bank, mut classes) = (nearby.bank.as_deref(), HashMap::new());
        // The stage in order adds to them meanwhile.
        let is_known =
            |key: &Key| nearby.known.read().unwrap_or_else(PoisonError::into_inner).contains(key);
        let counts = neighbors.many(sources, &mut |place, puzzle, solution| {
            let key = keys.of(&Puzzle::Grid(*puzzle), Some(solution));
            let is_known = !nearby.per_source && is_known(&key);
            if is_known || bank.is_some_and(|bank| bank.find(key).is_some()) {
                return;
            }
            let (puzzle, solution) = (*puzzle, *solution);
            let (is_minimal, er, source) = (false, None, numbers[place]);
            let found = Neighbor { source, puzzle, solution, key, is_minimal, er, neighbors: 0 };
            if nearby.per_source {
                near.push(found);
                return;
            }
            let first = classes.entry(key).or_insert(found);
            if found.rank() < first.rank() {
                *first = found;
            }
        });
        near.extend(classes.into_values());
        near.sort_unstable_by(|one, two| one.rank().cmp(&two.rank()));
        for (&number, count) in numbers.iter().zip(counts) {
            given_up[number] = count;
        }
    }

    /// Keeps the neighbors that are wanted.
    fn examine(&mut self, examined: &mut Vec<Key>) {
        let Self { nearby, near, answers, minimality, gauge, counter, .. } = self;
        let puzzles: Vec<_> = near.iter().map(|near| Puzzle::Grid(near.puzzle)).collect();
        let solutions: Vec<_> = near.iter().map(|near| near.solution).collect();
        let redundant = minimality.many_unique(answers.engine.as_mut(), &puzzles, &solutions);
        for (near, redundant) in near.iter_mut().zip(redundant) {
            // A clue that was given up may be redundant.
            near.is_minimal = redundant.clues.is_empty() && !redundant.gave_up;
        }
        let mut keep = |near: &Neighbor, is_wanted: bool| {
            if !is_wanted {
                examined.push(near.key);
            }
            is_wanted
        };
        if nearby.minimal {
            near.retain(|near| keep(near, near.is_minimal));
        }
        if let Some(range) = &nearby.er {
            let grids: Vec<_> = near.iter().map(|near| near.puzzle).collect();
            for (near, measured) in near.iter_mut().zip(gauge.many_unique(&grids, &[])) {
                near.er = measured.rating.map(|rating| rating.er);
            }
            near.retain(|near| keep(near, near.er.is_some_and(|er| range.contains(er))));
        }
        if let Some(counter) = counter {
            let grids: Vec<_> = near.iter().map(|near| near.puzzle).collect();
            let mut counts = vec![0; grids.len()];
            counter.many(&grids, &mut |place, _, _| counts[place] += 1);
            near.iter_mut().zip(counts).for_each(|(near, count)| near.neighbors = count);
        }
        if !nearby.per_source {
            for near in near {
                near.puzzle = self.canon.one(&near.puzzle).grid;
            }
        }
    }
}

impl Neighbor {
    fn rank(&self) -> (usize, &[u8; 81]) {
        (self.source, self.puzzle.values())
    }
}

impl NearWorker {
    /// Writes the neighbors of the puzzles of a chunk.
    pub(super) fn answer(
        &mut self,
        chunk: &Chunk<'_>,
        rows: &mut Rows<'_, SearchedRows>,
    ) -> ControlFlow<()> {
        let puzzles = rows.read(chunk);
        rows.output.kept = SearchedRows::default();
        rows.work(|output| self.search(puzzles, &mut output.kept.examined));
        rows.each(puzzles, Outcome::Malformed, |row, number, rows| {
            self.push_source(row, number, rows);
        })
    }

    /// Finds the neighbors of the puzzles with one solution.
    fn search(&mut self, puzzles: &Puzzles, examined: &mut Vec<Key>) -> Option<SlowPlace> {
        let slowest = self.answers.find(puzzles);
        let Nearby { minus, plus, clues, .. } = &self.nearby;
        let clues = clues.clone().unwrap_or(0..=Cell::COUNT);
        let is_wanted = |(number, grid): &(usize, &Grid)| {
            let changed = (grid.clues() + plus).checked_sub(*minus);
            self.answers.solution(*number).is_some()
                && changed.is_some_and(|changed| clues.contains(&changed))
        };
        let grids = puzzles.grids().iter().enumerate().filter(is_wanted);
        let (numbers, sources): (Vec<_>, Vec<Grid>) = grids.map(|(it, grid)| (it, *grid)).unzip();
        self.near.clear();
        self.given_up.clear();
        self.given_up.resize(puzzles.count(), 0);
        self.find_near(&numbers, &sources);
        self.examine(examined);
        slowest
    }

    /// The records of a source: those of its neighbors, or why it has none.
    fn push_source(&self, row: &Row, number: usize, rows: &mut Rows<'_, SearchedRows>) {
        let puzzle = row.puzzle.expect("the row of a puzzle");
        if let Puzzle::Sukaku(_) = puzzle {
            let reason = "a sukaku has no clues that could be removed";
            return rows.unanswered(row, Outcome::Sukaku, &reason);
        }
        if self.answers.solution(number).is_none() {
            return rows.unsolved::<Outcome>(row, &self.answers.verdict(number, &puzzle));
        }
        let first = self.near.partition_point(|it| it.source < number);
        let found = self.near[first..].iter().take_while(|it| it.source == number);
        let placed = found.map(|it| self.push(it, row, rows)).collect();
        let end = row.bytes.as_ref().map_or(0, |bytes| bytes.end);
        rows.output.kept.sources.push(Searched { line: row.line, end, placed });
        if self.given_up[number] > 0 {
            let most = self.answers.engine.max_branches().unwrap_or_default();
            let (given_up, plural) = match self.given_up[number] {
                1 => (1, " takes"),
                count => (count, "s take"),
            };
            let reason = format!("{given_up} reduced puzzle{plural} more than {most} branches");
            return rows.unanswered(row, Outcome::Unknown, &reason);
        }
        rows.count(Outcome::Unique);
    }

    /// The record of a neighbor.
    fn push(&self, near: &Neighbor, row: &Row, rows: &mut Rows<'_, SearchedRows>) -> Placed {
        let Neighbor { puzzle, key, is_minimal, .. } = *near;
        let start = rows.output.records.len();
        let clues = puzzle.clues();
        let image = puzzle.line(rows.style().blank);
        let mut fields = vec![
            Field::Plain(Outcome::Unique.name().as_bytes()),
            Field::Plain(&image),
            Field::Number(clues as u64),
            Field::Plain(if is_minimal { b"true" } else { b"false" }),
        ];
        if self.nearby.er.is_some() {
            let tenths = near.er.and_then(Score::tenths);
            fields.push(tenths.map_or(Field::Empty, |it| Field::Tenths(u64::from(it))));
        }
        if self.nearby.count {
            fields.push(Field::Number(near.neighbors));
        }
        fields.push(Field::Puzzle);
        let terms = Terms::of(Outcome::Unique);
        rows.push(row, terms, &fields, Short::Image(&image));
        let records = start..rows.output.records.len();
        Placed { key, puzzle, is_minimal, records }
    }
}
