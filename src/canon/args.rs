//! The arguments of `ninefold canon`.

use super::{Canonize, FormKind, Outcome, Symmetric};
use crate::cli::{
    Error, Job, Opened, Ran, SolverArgs, Started, Typed, check_fields, count_line, parsers, terms,
};
use crate::output::Format;
use crate::run::{self, Report};
use crate::search::Search;
use indicatif::HumanCount;
use serde_json::{Value, json};

const AFTER: &str = "\
Record formats, statuses, maps and exit codes: ninefold help formats

Examples:
  ninefold canon puzzles.txt -o forms.txt
  ninefold canon -q puzzles.txt | sort -u | wc -l    # puzzles up to symmetry
  ninefold canon --map --format csv list.csv --keep-columns -o forms.csv.zst
  ninefold canon --form solution train.csv -o forms.txt";

/// Write the canonical form of every puzzle
///
/// Two puzzles are isomorphic if one becomes the other by relabelling digits,
/// permuting bands, stacks, rows in a band and columns in a stack, and transposing.
/// Isomorphic puzzles have the same canonical form; other puzzles have different
/// ones. Reads everything that solve reads, and full grids.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_arg("only", terms::<Outcome>))]
#[command(next_help_heading = "Forms")]
pub(crate) struct CanonArgs {
    /// Write this form
    ///
    /// minlex is the least of all isomorphic puzzles, read row by row as a number with 0 for blanks. It
    /// is defined for every grid. solution is defined for puzzles with exactly one solution, sukakus
    /// included: the clues under the map that takes the solution to its minlex form. It is faster, and
    /// reveals the solution.
    #[arg(long, value_name = "FORM", default_value = FormKind::default().name())]
    #[arg(value_parser = parsers::named::<FormKind>())]
    form: FormKind,

    /// Write the map from puzzle to form (csv, jsonl)
    #[arg(long)]
    map: bool,

    #[command(flatten)]
    options: SolverArgs,
}

impl CanonArgs {
    fn command(&self, search: Search) -> Canonize {
        Canonize { form: self.form, map: self.map, search }
    }
}

impl Job for CanonArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let (command, args) = (self.command(Search::default()), self.options.common());
        Ok(Typed::of("canon", &command, args, Format::Line))
    }

    fn prepare(&mut self, opened: Opened<'_>) -> Result<(), Error> {
        if self.map { check_fields("--map", opened.typed.format) } else { Ok(()) }
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|search| self.command(search))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let can_be = |name: &str| match name {
            "canonical" | "malformed" => true,
            "sukaku" => self.form == FormKind::Minlex,
            _ => self.form == FormKind::Solution,
        };
        let automorphic = HumanCount(ran.total()[Symmetric::Automorphic]);
        let canonical = format!("canonical ({automorphic} with automorphisms)");
        let counts = ran.statuses().filter(|(name, _)| can_be(name));
        let counts = counts.map(|(name, count)| match name {
            "canonical" => (&*canonical, count),
            _ => (name, count),
        });
        count_line(ran.total(), counts)
    }

    fn last_words(&self, _: &Ran<'_>) -> Option<String> {
        Some(format!("form {}", self.form))
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        object["form"] = json!(self.form.name());
    }
}
