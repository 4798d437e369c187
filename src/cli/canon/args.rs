//! The arguments of `ninefold canon`.

use super::super::parsers;
use super::super::records::RecordsArgs;
use ninefold::canon::{FormKind, Outcome};
use ninefold::engine::EngineKind;

const ABOUT: &str = "\
Write the canonical form of every puzzle

Two puzzles are isomorphic if one becomes the other by relabelling digits, permuting bands, stacks,
rows in a band and columns in a stack, and transposing. Isomorphic puzzles have the same canonical
form, other puzzles have different ones. Reads everything that solve reads; full grids, too.

--form minlex (the default) is defined for every grid, with any number of clues and solutions: the
least of all isomorphic puzzles, read row by row as a number with 0 for blanks.

--form solution is defined for puzzles with exactly one solution, sukakus included: the clues under
the map that takes the solution to its minlex form. It is faster, groups the puzzles of one solution
grid, and gives the solution away.";

const AFTER: &str = "\
Records:
  One for each puzzle, in the order of the puzzles. With --format line (the default): the form, or why
  there is none, with the number of the line in its input:
    # line 18: column 4: expected 1 to 9, '.' or '0', found 'x'
    # line 21: more than one solution                              (--form solution)
    # line 22: a sukaku has no minlex form (use --form solution)   (--form minlex)
  With several inputs the name of the input comes first: # a.txt: line 18: ...
  pair has puzzle,form and the same comments. csv and jsonl have for every puzzle
    line           its line in the input (with several inputs, input comes before it)
    status         one of the words below
    puzzle         its cells; if malformed, the text of the field
    form           the canonical form, if it has one
    automorphisms  the number of its automorphisms, 1 for almost all puzzles
    map            with --map: the transformation from the puzzle to the form
  and jsonl a reason if there is no form.

Statuses:
  canonical  has a form
  multiple, none, conflict   has not exactly one solution (--form solution)
  sukaku     is a sukaku (--form minlex)
  malformed  is not a puzzle

Maps:
  t1 r456123798 c123465789 d912345678
    t1  exchange rows and columns first; t0: do not
    r   row i of the form comes from the row that the i-th digit names
    c   the same for columns
    d   digit i becomes the i-th digit

Exit codes:
  0  every puzzle has a form; or the reader of standard output closed it
  1  the run is complete, but some puzzles have no form
  2  failed: wrong usage, an input without a puzzle, or an input or output that cannot be read or
     written
  130, 143  ended by SIGINT or SIGTERM: the records so far are written; --resume continues

Examples:
  ninefold canon puzzles.txt -o forms.txt
  ninefold canon puzzles.txt | sort -u | wc -l             count puzzles up to symmetry
  ninefold canon --form solution --format csv --map list.csv --keep-columns -o forms.csv.zst
  ninefold canon --form solution train.csv -o bank.txt
  ninefold verify test.csv --against bank.txt --bank-form solution";

/// `ninefold canon`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(after_help = "--help shows more: forms, records, maps, exit codes, examples.")]
pub(in crate::cli) struct CanonArgs {
    #[command(flatten)]
    pub(super) records: RecordsArgs<Outcome>,

    /// Write this form
    #[arg(long, value_name = "FORM", default_value = FormKind::default().name())]
    #[arg(value_parser = parsers::named::<FormKind>())]
    pub(super) form: FormKind,

    /// Write the transformation from each puzzle to its form, in csv and jsonl
    #[arg(long)]
    pub(super) map: bool,

    /// Solve with this engine, for --form solution; the forms do not depend on it
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>())]
    pub(super) engine: EngineKind,
}
