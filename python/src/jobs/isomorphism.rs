//! Maps between puzzles that differ in looks only.

use super::puzzles::parse;
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Row, Shape, Worker};
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::symmetry::Canon;
use std::ops::Range;

/// Looks for a map from each puzzle to another.
#[derive(Clone, Debug)]
pub struct Isomorphisms {
    header: Header,
}

impl Isomorphisms {
    /// Looks for maps.
    #[must_use]
    pub const fn new(header: Header) -> Self {
        Self { header }
    }
}

/// The grid of a row; `None` for a null.
fn grid(what: &str, row: Row) -> Result<Option<Grid>, String> {
    match parse(row) {
        Ok(None) => Ok(None),
        Ok(Some(Puzzle::Grid(grid))) => Ok(Some(grid)),
        Ok(Some(Puzzle::Sukaku(_))) => Err(format!("{what}: expected 81 cells, found a sukaku")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

impl Job for Isomorphisms {
    fn shapes(&self) -> &[Shape] {
        const MAP: Shape = Shape { name: "map", kind: Kind::Text };
        match self.header {
            Header::Plain => &[MAP],
            Header::Struct => const { &[MAP, Shape::STATUS, Shape::REASON] },
        }
    }

    fn header(&self) -> Header {
        self.header
    }

    fn batch(&self) -> usize {
        512
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Mapping { canon: Canon::new() })
    }
}

struct Mapping {
    canon: Canon,
}

impl Worker for Mapping {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let [Cells::Texts(maps), details @ ..] = cells else {
            unreachable!("the cells are those of `shapes`")
        };
        for row in rows {
            let (one, other) = (columns[0].row(row)?, columns[1].row(row)?);
            let grids = grid("puzzle", one).and_then(|one| Ok((one, grid("other", other)?)));
            let (map, status, reason) = match grids {
                _ if one == Row::Null || other == Row::Null => (None, "", String::new()),
                Ok((Some(one), Some(other))) => match self.canon.are_isomorphic(&one, &other) {
                    Some(map) => (Some(map), "isomorphic", String::new()),
                    None => (None, "different", String::new()),
                },
                Ok(_) => (None, "", String::new()),
                Err(reason) => (None, "malformed", reason),
            };
            maps.push(map.map(|map| map.to_string()).unwrap_or_default().as_bytes());
            if let [Cells::Names(statuses), Cells::Texts(reasons)] = &mut *details {
                statuses.push(status);
                reasons.push(reason.as_bytes());
            }
        }
        Ok(())
    }
}
