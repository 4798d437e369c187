//! Which neighbors are written: the options as they are typed.

use super::{Around, MOST_CLUES};
use crate::bank::{Bank, Key};
use crate::cli::{Files, parsers};
use crate::difficulty::ScoreRange;
use crate::search::Search;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, RwLock};

/// Which neighbors are written.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Neighbors")]
pub(super) struct Nearby {
    /// Remove N clues
    #[arg(long, value_name = "N", default_value = "1", value_parser = change)]
    pub(super) minus: usize,

    /// Add M clues; a removed cell may get another digit
    #[arg(long, value_name = "M", default_value = "1", value_parser = change)]
    pub(super) plus: usize,

    /// Add the clues in the removed cells (same)
    ///
    /// The puzzles have the pattern of their sources. --minus and --plus must be equal.
    #[arg(long, value_name = "WHICH", value_parser = ["same"])]
    pub(super) pattern: Option<String>,

    /// Write minimal puzzles only: no clue is redundant
    #[arg(long)]
    pub(super) minimal: bool,

    /// Write puzzles with K or MIN..MAX clues only
    #[arg(long, value_name = "K|MIN..MAX", value_parser = parsers::clues)]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// Write puzzles with this Explainer rating only
    ///
    /// A range such as 4.0..4.4 or ">9.0", or one score. The rating is er, as rate measures it.
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::scores)]
    pub(super) er: Option<ScoreRange>,

    /// Leave out the puzzles of this bank, up to symmetry
    ///
    /// Any input that solve reads. Can be given several times.
    #[arg(long, value_name = "BANK", value_hint = clap::ValueHint::AnyPath)]
    pub(super) not_in: Vec<Files>,

    /// Search around new puzzles, too: R or until-stable
    ///
    /// In round 1 the puzzles of the inputs are sources, in each further round the new puzzles of the
    /// round before. until-stable ends after a round without a new puzzle.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rounds)]
    #[arg(conflicts_with = "per_source")]
    pub(super) rounds: u64,

    /// End after N new puzzles
    #[arg(long, value_name = "N", value_parser = parsers::positive)]
    pub(super) max: Option<u64>,

    /// Write all neighbors of each source
    ///
    /// Also those that are isomorphic, or neighbors of an earlier source. They are written as found, not in
    /// canonical form.
    #[arg(long)]
    pub(super) per_source: bool,

    /// Count the neighbors of each new puzzle (csv, jsonl)
    ///
    /// All puzzles with one solution that differ from it by --minus, --plus and --pattern. Takes as long as
    /// a search around it.
    #[arg(long)]
    pub(super) count: bool,

    /// The bank, once it is read.
    #[arg(skip)]
    pub(super) bank: Option<Arc<Bank>>,
    /// The engine and its bounds: those of this run.
    #[arg(skip)]
    pub(super) search: Search,
    /// Classes that are known: each was examined.
    #[arg(skip)]
    pub(super) known: Arc<RwLock<HashSet<Key>>>,
}

/// Takes a number of rounds: more than there can be for `until-stable`.
fn rounds(text: &str) -> Result<u64, String> {
    if text == "until-stable" {
        return Ok(u64::MAX);
    }
    parsers::positive(text).map_err(|why| format!("{why}, or until-stable"))
}

fn change(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&clues| clues <= MOST_CLUES);
    number.ok_or_else(|| format!("expected 0 to {MOST_CLUES}"))
}

impl Nearby {
    /// How many clues change.
    pub(super) const fn around(&self) -> Around {
        let (minus, plus, same_cells) = (self.minus, self.plus, self.pattern.is_some());
        Around { minus, plus, same_cells, needed: false }
    }

    /// Whether new puzzles become sources.
    pub(super) const fn has_rounds(&self) -> bool {
        self.rounds > 1
    }
}
