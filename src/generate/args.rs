//! The arguments of `ninefold generate`.

use super::source::Tasks;
use super::{COLUMNS, Generate, Making, Recipe, Symmetry, parse_pattern, pattern_cell};
use crate::Status;
use crate::cli::{
    ColorArgs, CommonArgs, Declared, Error, Files, FormatArgs, Job, Opened, Ran, RecordsArgs,
    SearchArgs, Started, Typed, chain, counted, is_standard, lost_pages, parsers, reading, refuse,
    say,
};
use crate::difficulty::{EffortRange, Grade, ScoreRange, Technique};
use crate::input::{Hints, Layout, Source, open_file};
use crate::output::Format;
use crate::puzzle::parse::Blanks;
use crate::puzzle::{Cell, CellSet};
use crate::run::{self, Clues, Counts, Report, Terms};
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::io;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

const AFTER: &str = "\
The same seed gives the same bytes: on every machine, for any number of threads,
at any SIMD level, in every build of this version. A longer run begins with the
puzzles of a shorter one. (With --from this holds for the first grid only.)
Runs with different requests have unrelated grids, even with the same seed.

With --shard I/N the tasks are divided: the outputs of all shards, concatenated
in order, are the output of one run, but a puzzle of one shard may be in another,
too. --rejects has the lines of --from that cannot be used.

Record formats and exit codes: ninefold help formats

Examples:
  ninefold generate --count 1e6 --seed 1 -o minimal.txt
  ninefold generate --count 1000 --clues 24..26 --symmetry rotate
  ninefold generate --count 1000 --grade naked-singles --clues 30 --format pair
  ninefold generate --count 10 --grade search --pattern frame.txt
  ninefold generate --count 100 --effort 5..
  ninefold generate --count 100 --er 4.0..4.4

Isomorphic copies of given puzzles: ninefold augment";

/// Make puzzles, each proven to have one solution
///
/// Fills random grids and removes clues in random order while there is one
/// solution. By default the puzzles are minimal: no clue is redundant.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(next_help_heading = "Puzzles")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct GenerateArgs {
    /// Make N puzzles; with --from, N of each grid
    ///
    /// 1e6 and `1_000_000` are numbers, too.
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = parsers::whole)]
    count: u64,

    /// Set the seed of all random numbers
    #[arg(short, long, value_name = "S", default_value_t = crate::SEED, value_parser = parsers::whole)]
    seed: u64,

    /// Make minimal puzzles: no clue is redundant
    ///
    /// The default unless --clues, --pattern or a --grade below search is given; with one of
    /// these, minimal puzzles are made until one is as requested. With a symmetry, clues are removed
    /// in sets, and no set is redundant.
    #[arg(long, conflicts_with = "pattern")]
    minimal: bool,

    /// Make puzzles with K or MIN..MAX clues
    ///
    /// 24.. and ..24 are ranges, too. For a range, a number is drawn for each grid, and a grid counts
    /// if it ends in the range. If none of --attempts grids does, the nearest puzzle is written, and
    /// the exit code is 1. Below 22 clues this takes long, below 19 it fails.
    #[arg(long, value_name = "K|MIN..MAX", value_parser = clues)]
    #[arg(conflicts_with = "pattern")]
    clues: Option<RangeInclusive<usize>>,

    /// Make puzzles whose clues have this symmetry
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = parsers::named::<Symmetry>())]
    #[arg(conflicts_with = "pattern")]
    symmetry: Symmetry,

    /// Make puzzles with clues in these cells
    ///
    /// 81 characters, or a file of them: 1 to 9, x or * for a clue, . 0 _ or - for a blank. Spaces,
    /// line ends and lines that begin with # are ignored. With few clues there may be no puzzle.
    #[arg(long, value_name = "FILE|CELLS", value_parser = pattern)]
    #[arg(allow_hyphen_values = true)]
    pattern: Option<Pattern>,

    /// Make puzzles of this grade
    ///
    /// The simplest rules that solve them: naked singles, also hidden singles, or also locked candidates;
    /// search if none of these is enough.
    #[arg(long, value_name = "GRADE", value_parser = parsers::named::<Grade>())]
    grade: Option<Grade>,

    /// Make puzzles with an effort in this range: 5.., 2..10 or ..0.5
    ///
    /// The effort is the mean number of guesses, as rate measures it with its default options.
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::efforts, help_heading = "Puzzles")]
    effort: Option<EffortRange>,

    /// Make puzzles with an Explainer rating in this range: 4.0..4.4, 1.5 or ">6.2"
    ///
    /// The rating is er, as rate measures it.
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::scores, help_heading = "Puzzles")]
    er: Option<ScoreRange>,

    /// Make puzzles whose hardest step is this technique, such as swordfish
    ///
    /// ninefold help formats lists the techniques. Rare ones take long; see --attempts.
    #[arg(long, value_name = "NAME", value_parser = parsers::step())]
    #[arg(hide_possible_values = true, help_heading = "Puzzles")]
    technique: Option<Technique>,

    /// Make puzzles of which one step is this technique
    ///
    /// The steps are those of ninefold steps.
    #[arg(long, value_name = "NAME", value_parser = parsers::step())]
    #[arg(hide_possible_values = true, help_heading = "Puzzles")]
    uses: Option<Technique>,

    /// Try up to N grids for one puzzle
    ///
    /// Puzzles that cannot be made are skipped. The run stops once failures outnumber successes.
    #[arg(long, value_name = "N", default_value_t = Recipe::ATTEMPTS)]
    #[arg(value_parser = parsers::positive)]
    attempts: u64,

    /// Make puzzles from the full grids of FILE
    ///
    /// If a puzzle has a solution next to it, that is the grid. Files are read as solve reads them.
    /// - is standard input.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    from: Vec<Files>,

    /// Treat every line of the inputs as a grid
    ///
    /// For a program that sends a grid and waits for its puzzle. No layout is detected.
    #[arg(long)]
    lines: bool,

    /// Do not check for repeated puzzles
    ///
    /// Without it, a repeated puzzle is drawn again, which takes 10 to 20 bytes of memory per puzzle.
    #[arg(long)]
    allow_duplicates: bool,

    /// Write csv without a header
    #[arg(long, help_heading = "Output")]
    no_header: bool,

    /// Write blanks as this character
    #[arg(long, value_name = "CHAR", default_value = ".", value_parser = blank)]
    #[arg(help_heading = "Output", allow_hyphen_values = true)]
    blank: u8,

    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    search: SearchArgs,

    /// The tasks of this run and the number of all tasks, if it is one of several.
    #[arg(skip)]
    share: Option<(Range<u64>, u64)>,
}

impl GenerateArgs {
    /// The properties of the puzzles.
    fn recipe(&self) -> Recipe {
        let dug_for = self.grade.is_some_and(|grade| grade < Grade::Search);
        let minimal = self.clues.is_none() && self.pattern.is_none() && !dug_for;
        Recipe {
            clues: self.clues.clone(),
            minimal: self.minimal || minimal,
            symmetry: self.symmetry,
            pattern: self.pattern.as_ref().map(|pattern| pattern.cells),
            grade: self.grade,
            effort: self.effort.clone(),
            er: self.er.clone(),
            technique: self.technique,
            uses: self.uses,
            attempts: self.attempts,
        }
    }

    /// The inputs, opened, with their layouts.
    fn open(&self) -> Result<Vec<Source>, Error> {
        let hints = Hints { full_grids: true, ..Hints::default() };
        let open = |path: &Path| {
            let mut source = reading::open_beside(path, lost_pages::mapping())?;
            if self.lines {
                return Ok(source.with_layout(Layout::default()));
            }
            reading::find_layout_beside(&mut source, hints.clone())?;
            Ok(source)
        };
        self.from.iter().flatten().map(open).collect()
    }

    /// Refuses requests that no puzzle meets.
    fn check_requests(&self) -> Result<(), Error> {
        let recipe = self.recipe();
        let most = recipe.most_of_a_grid();
        if most == 0 {
            let why = "no such number of clues is laid out in this symmetry";
            let symmetry = self.symmetry;
            return Err(Error::Failed(format!("--clues with --symmetry {symmetry}: {why}")));
        }
        if !self.from.is_empty() && !self.allow_duplicates && u128::from(self.count) > most {
            let clues = if self.pattern.is_some() { "this pattern" } else { "these clues" };
            let puzzles = if most == 1 { "puzzle" } else { "different puzzles" };
            return Err(Error::Failed(format!(
                "--count {}: a full grid has {most} {puzzles} with {clues}; --allow-duplicates writes \
                 more",
                self.count
            )));
        }
        if recipe.possible_grades().next().is_some() {
            return Ok(());
        }
        let grade = recipe.grade.map(|grade| format!("--grade {grade}"));
        let clues = recipe.clues.as_ref().map(|it| format!("--clues {}..{}", it.start(), it.end()));
        let pattern = recipe.pattern.map(|it| format!("--pattern of {} clues", it.len()));
        let er = recipe.er.as_ref().map(|it| format!("--er {it}"));
        let effort = recipe.effort.as_ref().map(|it| format!("--effort {it}"));
        let requests: Vec<_> = [grade, clues, pattern, er, effort].into_iter().flatten().collect();
        Err(Error::Failed(format!(
            "{}: no puzzle is like this. Naked singles solve puzzles of 78 or more clues. Puzzles have er \
             0.0 to 2.3 if naked singles solve them, 1.2 to 2.3 if singles do, 1.7 to 2.8 if locked \
             candidates do, and an effort of 0; others have er 2.0 or more and an effort of 1 or more",
            requests.join(" ")
        )))
    }
}

/// The declaration of the records.
pub(crate) fn declared() -> Declared {
    Declared::new("generate", COLUMNS.to_vec(), Generate::counts())
}

impl Job for GenerateArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let pattern = self.pattern.as_ref().and_then(|pattern| pattern.file.as_deref());
        let args = CommonArgs {
            records: self.records.clone(),
            reading: None,
            format: self.format.clone(),
            color: self.color.color,
            keep_columns: false,
            search: self.search.clone(),
        };
        let format = args.format(Format::Line);
        let typed = Typed::new(args, declared(), format);
        // Puzzles that are not written cannot be read again: they could come twice.
        let are_written = typed.args.format.writes_puzzles(Terms::of(Status::Unique));
        Ok(Typed {
            also_read: self.from.iter().flatten().chain(pattern).map(Path::to_owned).collect(),
            tasks: Some(if self.from.is_empty() { self.count } else { 0 }),
            blank: self.blank,
            header: !self.no_header,
            restarts: (!are_written && !self.allow_duplicates)
                .then_some("not all puzzles are written"),
            ..typed
        })
    }

    fn prepare(&mut self, opened: Opened<'_>) -> Result<(), Error> {
        let Opened { typed, sources, .. } = opened;
        self.check_requests()?;
        let (resume, shard) = (self.records.resume, self.records.shard);
        let reads_stdin = self.from.iter().flatten().any(is_standard);
        let reason = "standard input cannot be read twice; use a file";
        refuse(resume && reads_stdin, "--resume", reason)?;
        refuse(shard.is_some() && reads_stdin, "--shard", reason)?;
        *sources = self.open()?;
        if !self.records.running.quiet {
            sources.iter().filter_map(Source::understood).for_each(say);
        }
        if let Some(shard) = shard {
            // Which task a line belongs to depends on all lines before it.
            let all = match &self.from[..] {
                [] => self.count,
                _ => Tasks::new(self.open()?, self.count, false).count()?,
            };
            let (start, end) = shard.cuts(all);
            typed.tasks = Some(end - start);
            self.share = Some((start..end, all));
        }
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        /// Lines whose reasons are told.
        const TOLD: u64 = 10;
        let Started { run, sources, output, control, search } = run;
        let (seed, share) = (self.seed, self.share.take());
        let (recipe, count, distinct) = (self.recipe(), self.count, !self.allow_duplicates);
        let command = Generate { recipe, seed, count, distinct, search };
        let (quiet, mut lines) = (self.records.running.quiet, 0);
        let mut tell = |input: &str, line: u64, reason: &str| {
            lines += 1;
            if !quiet && lines <= TOLD {
                say(format_args!("ninefold: {input}: line {line}: {reason}"));
                if lines == TOLD {
                    say("ninefold: further lines are counted only");
                }
            }
        };
        command.write(run, sources, share, &mut tell, output, control)
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let of = |it: Making| ran.total()[it];
        let (puzzles, mut text) = (ran.total().puzzles, String::new());
        let (near, missing) = (of(Making::Near), of(Making::Missing));
        let refused = of(Making::RefusedLine);
        let not_tried = match of(Making::NotTried) {
            0 => "\n".to_owned(),
            rest => format!("; {} more not tried\n", HumanCount(rest)),
        };
        if near > 0 {
            text += &format!(
                "{} without the requested number of clues: the nearest of {} grids each (--attempts)",
                counted(near, "puzzle"),
                HumanCount(self.attempts)
            );
            text += if missing == 0 { &not_tried } else { "\n" };
        }
        if missing > 0 {
            let tries = HumanCount(of(Making::Tries));
            text += &format!("{} not made: ", counted(missing, "puzzle"));
            text += &match of(Making::Exhausted) {
                0 => format!("none of {tries} tries gave a requested puzzle"),
                _ => format!("{tries} tries gave no new puzzle"),
            };
            text += &not_tried;
        }
        if of(Making::Stopped) > 0 {
            text += "stopped, because failures outnumber successes\n";
        }
        if refused > 0 {
            let lines = counted(refused, "line");
            text += &format!("{lines} without a usable puzzle or grid\n");
        }
        text += &format!("{} made", counted(puzzles, "puzzle"));
        let counts = ran.total().all::<Clues>().iter().enumerate();
        let mut clues = counts.filter(|(_, count)| **count > 0).map(|(clues, _)| clues);
        if let Some(least) = clues.next() {
            let most = clues.next_back().unwrap_or(least);
            text += &format!(", {least} to {most} clues, mean {:.2}", mean_clues(ran));
        }
        let (tried, again) = (HumanCount(of(Making::Tried)), HumanCount(of(Making::DrawnAgain)));
        text += &format!("; {tried} tried, {again} drawn again");
        if self.search.max_branches.is_some() {
            text += &format!(", {} unknown", HumanCount(of(Making::Unknown)));
        }
        text
    }

    fn last_words(&self, _: &Ran<'_>) -> Option<String> {
        Some(format!("{}, seed {}", self.search.engine_in_words(), self.seed))
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        object["seed"] = json!(self.seed);
        object["mean_clues"] = json!(mean_clues(ran));
    }

    fn is_complete(&self, total: &Counts) -> Result<bool, Error> {
        let incomplete = [Making::Near, Making::Missing, Making::RefusedLine];
        Ok(incomplete.into_iter().all(|it| total[it] == 0))
    }
}

/// The mean number of clues.
#[expect(clippy::cast_precision_loss, reason = "shown to a hundredth")]
fn mean_clues(ran: &Ran<'_>) -> f64 {
    let counts = (0..).zip(ran.total().all::<Clues>());
    let total: u64 = counts.map(|(clues, count)| clues * count).sum();
    total as f64 / ran.total().puzzles.max(1) as f64
}

/// Takes a number of clues, or the least and the most.
fn clues(text: &str) -> Result<RangeInclusive<usize>, String> {
    const FEWEST: usize = Recipe::FEWEST_CLUES;
    match parsers::clues(text)? {
        range if *range.end() < FEWEST => {
            Err(format!("no puzzle with fewer than {FEWEST} clues has one solution"))
        }
        range => Ok(range),
    }
}

/// The cells that have a clue.
#[derive(Clone, Debug)]
struct Pattern {
    cells: CellSet,
    /// The file that says so, if they were not typed.
    file: Option<PathBuf>,
}

/// Takes 81 characters, or the name of a file that has them.
fn pattern(text: &str) -> Result<Pattern, String> {
    let is_cell = |mark: char| pattern_cell(mark).is_some();
    let (marks, file) = if text.len() == Cell::COUNT && text.chars().all(is_cell) {
        (text.to_owned(), None)
    } else {
        let marks = open_file(Path::new(text)).and_then(io::read_to_string).map_err(|cause| {
            // Whether a text that names no file was meant for cells: most of its characters are cells.
            let looks_typed =
                2 * text.chars().filter(|&mark| is_cell(mark)).count() > text.chars().count();
            let found = parse_pattern(text).err().filter(|_| looks_typed);
            let found = found.map_or_else(|| chain(&cause), |error| error.to_string());
            format!("expected 81 of x * 1 to 9 . 0 _ -, or a file: {found}")
        })?;
        let lines = marks.trim_start_matches('\u{feff}').lines();
        (lines.filter(|line| !line.starts_with('#')).collect(), Some(PathBuf::from(text)))
    };
    let cells = parse_pattern(&marks).map_err(|error| error.to_string())?;
    Ok(Pattern { cells, file })
}

/// Takes the character of a blank: one that is also read as a blank.
fn blank(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        &[byte] if Blanks::usual().is_cell(byte) && !(b'1'..=b'9').contains(&byte) => Ok(byte),
        _ => Err("expected one of . 0 _ * -".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_are_a_number_or_two() {
        assert_eq!(clues("24"), Ok(24..=24));
        assert_eq!(clues("17..81"), Ok(17..=81));
        assert_eq!(clues("10..20"), Ok(10..=20));
        assert_eq!(clues("24.."), Ok(24..=81));
        assert_eq!(clues("..24"), Ok(0..=24));
        assert_eq!(clues(".."), Ok(0..=81));
        for wrong in ["", "82..", "26..24", "82", "-1", "24..26..28", "some"] {
            assert!(clues(wrong).unwrap_err().starts_with("expected"), "{wrong}");
        }
        assert!(clues("16").unwrap_err().starts_with("no puzzle"));
    }

    #[test]
    fn what_is_no_pattern_and_no_file_is_named() {
        for (typed, found) in [
            ("no such file".to_owned(), "or a file: "),
            ("-x.".repeat(26), "found 78"),
            ("x.-".repeat(27).replacen('x', "?", 1), "'?' is neither"),
        ] {
            let reason = pattern(&typed).unwrap_err();
            assert!(reason.starts_with("expected 81") && reason.contains(found), "{reason}");
        }
        assert!(pattern(&".".repeat(81)).unwrap_err().starts_with("0 clues"));
    }
}
