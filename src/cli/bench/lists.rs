//! The lists that are measured: the built-in ones, or the inputs.

use super::args::BenchArgs;
use super::built_in::BUILT_IN;
use crate::cli::exit::{Error, say};
use crate::cli::reading;
use crate::cli::standard::is_standard;
use crate::bench::{List, Skipped};
use crate::input::Source;
use std::path::Path;

/// The built-in lists of `--lists` and the inputs; all built-in lists if there are neither.
pub(super) fn lists(args: &BenchArgs) -> Result<Vec<List>, Error> {
    let inputs = &args.reading.inputs;
    let all = args.lists.is_empty() && inputs.is_empty();
    let mut lists: Vec<List> = Vec::new();
    for list in BUILT_IN.iter().filter(|it| all || args.lists.iter().any(|name| name == it.name)) {
        let source = Source::from_bytes(list.name, list.text.as_bytes().to_vec());
        lists.push(read(source, list.name, list.about, args)?);
    }
    if !inputs.is_empty() {
        let mut sources = args.reading.open()?;
        args.reading.find_layouts(&mut sources, args.quiet)?;
        for (path, source) in inputs.iter().zip(sources) {
            let name = new_name(path, source.name(), &lists);
            lists.push(read(source, &name, "", args)?);
        }
    }
    Ok(lists)
}

/// A file, opened to be read as the arguments say.
pub(super) fn source(path: &Path, args: &BenchArgs) -> Result<Source, Error> {
    let mut source = reading::open(path, args.reading.mapping())?;
    source.find_layout(&args.reading.hints())?;
    Ok(source)
}

/// A name for an input: its file name, or its path if that is taken.
fn new_name(path: &Path, whole: &str, lists: &[List]) -> String {
    let name = path.file_name().filter(|_| !is_standard(path));
    let short = name.map_or(whole.into(), |name| name.to_string_lossy());
    let short = short.replace(char::is_control, "\u{fffd}");
    let numbered = (2..).map(|number| format!("{whole} ({number})"));
    let mut names = [short, whole.to_owned()].into_iter().chain(numbered);
    let is_new = |name: &String| lists.iter().all(|list| list.name != *name);
    names.find(is_new).unwrap_or_else(|| whole.to_owned())
}

/// The puzzles of an input.
fn read(source: Source, name: &str, about: &str, args: &BenchArgs) -> Result<List, Error> {
    let (list, skipped) = List::read(name, about, source, args.seed)?;
    if list.puzzles.is_empty() {
        let why = "there is no puzzle in it";
        return Err(Error::Failed(format!("{name}: {why}")));
    }
    if let Some(Skipped { lines, first, .. }) = skipped.filter(|_| !args.quiet) {
        let what = match lines {
            1 => format!("1 line that is no puzzle: line {first}"),
            _ => format!("{lines} lines that are no puzzle, first line {first}"),
        };
        say(format_args!("ninefold: {name}: passing over {what}"));
    }
    Ok(list)
}
