//! The arguments of `ninefold canon`.

use super::super::parsers;
use super::super::records::RecordsArgs;
use ninefold::canon::{FormKind, Outcome};
use ninefold::engine::EngineKind;

const ABOUT: &str = "\
Write the canonical form of every puzzle

Two puzzles are isomorphic if one becomes the other by relabelling digits,
permuting bands, stacks, rows in a band and columns in a stack, and transposing.
Isomorphic puzzles have the same canonical form; other puzzles have different
ones. Reads everything that solve reads, and full grids.";

const AFTER: &str = "\
Record formats, statuses, maps and exit codes: ninefold help formats

Examples:
  ninefold canon puzzles.txt -o forms.txt
  ninefold canon -q puzzles.txt | sort -u | wc -l    # puzzles up to symmetry
  ninefold canon --map --format csv list.csv --keep-columns -o forms.csv.zst
  ninefold canon --form solution train.csv -o bank.txt
  ninefold verify test.csv --against bank.txt --bank-form solution";

/// `ninefold canon`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(next_help_heading = "Forms")]
pub(in crate::cli) struct CanonArgs {
    /// Write this form
    ///
    /// minlex is the least of all isomorphic puzzles, read row by row as a number with 0 for blanks. It
    /// is defined for every grid. solution is defined for puzzles with exactly one solution, sukakus
    /// included: the clues under the map that takes the solution to its minlex form. It is faster, and
    /// reveals the solution.
    #[arg(long, value_name = "FORM", default_value = FormKind::default().name())]
    #[arg(value_parser = parsers::named::<FormKind>())]
    pub(super) form: FormKind,

    /// Write the map from puzzle to form (csv, jsonl)
    #[arg(long)]
    pub(super) map: bool,

    /// Solve with this engine; see ninefold engines
    ///
    /// Used by --form solution. The forms do not depend on it.
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    pub(super) engine: EngineKind,

    #[command(flatten)]
    pub(super) records: RecordsArgs<Outcome>,
}
