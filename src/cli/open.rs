//! Names to inputs and outputs, in an order that harms nothing: first all inputs are opened,
//! then each output is seen to be none of them and in nobody's way, and only then is anything made.

use super::args::SolveArgs;
use super::exit::Error;
use super::identity::{Identity, stdin_file, stdout_file};
use super::reading::InputArgs;
use super::resume::{self, Begin};
use ninefold::input::Source;
use ninefold::output::{self, Opening, Sink, Standing};
use ninefold::solve::{Rejects, Sinks};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that is read under this name, if it is a regular one.
pub(super) fn identity_of_input(path: &Path) -> Option<Identity> {
    if is_standard(path) {
        return stdin_file().ok().and_then(|file| Identity::of_file(&file));
    }
    Identity::of_path(path)
}

/// Whether a name means standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses to write over what is read, or to write two things into one file.
pub(super) fn check_outputs(args: &SolveArgs) -> Result<(), Error> {
    let others = [
        ("--stats-json", "statistics", &args.running.stats_json),
        ("--rejects", "rejects", &args.rejects),
    ];
    check(&args.reading, None, args.writing.output.as_deref(), &others)?;
    if args.keeping.resume {
        return Ok(());
    }
    check_free(args.writing.output.as_deref(), args.writing.force)?;
    check_free(args.rejects.as_deref(), args.writing.force)
}

/// The same for any command: `also_read` is an input besides the others, `others` are outputs
/// besides the records, each with its option and what it is.
pub(super) fn check(
    reading: &InputArgs,
    also_read: Option<&Path>,
    records: Option<&Path>,
    others: &[(&str, &str, &Option<PathBuf>)],
) -> Result<(), Error> {
    let mut taken = Vec::new();
    if reading.reads_stdin() {
        taken.extend(stdin_file().ok().and_then(|file| Identity::of_file(&file)));
    }
    let named = reading.inputs.iter().filter(|path| !is_standard(path));
    taken.extend(named.filter_map(|path| Identity::of_path(path)));
    taken.extend(also_read.and_then(Identity::of_path));
    check_written(taken, records, others)
}

/// The same, if these files are read.
pub(super) fn check_written(
    mut taken: Vec<Identity>,
    records: Option<&Path>,
    others: &[(&str, &str, &Option<PathBuf>)],
) -> Result<(), Error> {
    let records = records.unwrap_or(Path::new("-"));
    let mut outputs = vec![records];
    let mut stdout_taken = is_standard(records);
    for (option, what, path) in others {
        let Some(path) = path.as_deref() else { continue };
        if is_standard(path) {
            if stdout_taken {
                let reason = format!("standard output is taken, so the {what} cannot go there");
                return Err(Error::Failed(format!("{option} -: {reason}")));
            }
            stdout_taken = true;
        }
        outputs.push(path);
    }
    for path in outputs {
        for identity in identities_of_output(path) {
            if taken.contains(&identity) {
                let path = if is_standard(path) { Path::new("<stdout>") } else { path }.display();
                let reason = "is also read, or written to, by this run";
                return Err(Error::Failed(format!("{path}: {reason}")));
            }
            taken.push(identity);
        }
    }
    Ok(())
}

/// The files that come to be written under this name of an output: regular ones, or such as do not
/// exist.
fn identities_of_output(path: &Path) -> Vec<Identity> {
    if is_standard(path) {
        return stdout_file().ok().and_then(|file| Identity::of_file(&file)).into_iter().collect();
    }
    let Ok(path) = output::follow(path) else { return Vec::new() };
    if matches!(output::standing(&path), Ok(Standing::Direct)) {
        return Vec::new();
    }
    let (partial, state) = (output::partial_path(&path), output::state_path(&path));
    let new_state = output::new_path(&state);
    [path, partial, state, new_state].iter().filter_map(|path| Identity::of_path(path)).collect()
}

/// Refuses to replace a file, unless that is wanted.
pub(super) fn check_free(path: Option<&Path>, force: bool) -> Result<(), Error> {
    let Some(path) = path.filter(|path| !is_standard(path) && !force) else { return Ok(()) };
    // What is wrong with the name otherwise will be said when it is opened.
    let reason = match output::standing(path) {
        Ok(Standing::Whole) => "exists; --force replaces it".to_owned(),
        Ok(Standing::Partial) => left(path),
        _ => return Ok(()),
    };
    Err(Error::Failed(format!("{}: {reason}", path.display())))
}

/// What stands in the place of a partial file, and what can be done about it.
fn left(path: &Path) -> String {
    let path = output::follow(path).unwrap_or_else(|_| path.to_owned());
    let partial = output::partial_path(&path);
    let name = partial.display();
    if fs::metadata(&partial).is_ok_and(|about| !about.is_file()) {
        format!("{name} is no regular file")
    } else if output::is_being_written(&partial) {
        format!("another run is writing {name}")
    } else if output::state_path(&path).exists() {
        format!("an earlier run left {name}; --force begins anew, solve --resume goes on")
    } else {
        format!("an earlier run left {name}; --force begins anew")
    }
}

/// Where the records are that a run has written that cannot be gone on with: `what` says what they
/// are.
pub(super) fn hint(path: Option<&Path>, what: &str) -> Option<String> {
    let path = output::follow(path?).ok()?;
    let partial = output::partial_path(&path);
    partial.exists().then(|| format!("the {what} so far are in {}", partial.display()))
}

/// How an output is opened that cannot be gone on with.
pub(super) const fn opening(force: bool) -> Opening {
    if force { Opening::Replace } else { Opening::New }
}

/// Where records go, and the lines that were not answered.
pub(super) fn sinks(args: &SolveArgs, sources: &[Source]) -> Result<Sinks, Error> {
    let header = header_of_rejects(args, sources)?;
    let Begin { from, records, rejects } = resume::begin(args, sources.len())?;
    let Some(records) = records else { return resume::only_count(args, from) };
    let open = |path: Option<&Path>, opening, pending: &[u8]| -> Result<Sink, Error> {
        let mut sink = sink(path, opening)?;
        sink.write(pending)?;
        Ok(sink)
    };
    let records = open(args.writing.path(), records, &from.records.pending)?;
    let rejects = match args.rejects.as_deref() {
        Some(path) => {
            let sink = open(Some(path), rejects, &from.rejects.pending)?;
            Some(Rejects { sink, header })
        }
        None => None,
    };
    let mut sinks = resume::keep(args, Sinks { records, rejects, journal: None }, from)?;
    if sinks.journal.is_none() {
        // Nobody can go on with them: of a run that does not come to its end they are no use.
        let or_nothing = |Rejects { sink, header }| Rejects { sink: sink.or_nothing(), header };
        sinks.rejects = sinks.rejects.map(or_nothing);
    }
    Ok(sinks)
}

pub(super) fn sink(path: Option<&Path>, opening: Opening) -> Result<Sink, Error> {
    match path.filter(|path| !is_standard(path)) {
        Some(path) => Ok(Sink::open(path, opening)?),
        None => Ok(Sink::stdout()),
    }
}

/// The header that lines not answered need to be read again: the one that all inputs have, and their
/// puzzles stand in the same place.
fn header_of_rejects(args: &SolveArgs, sources: &[Source]) -> Result<Option<Vec<u8>>, Error> {
    // What is empty has no layout of its own.
    let sources = sources.iter().filter(|source| source.length() != Some(0));
    let named = sources.map(|source| (source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let Some((one, layout)) = layouts.next() else { return Ok(None) };
    match layouts.find(|(_, other)| !other.agrees_with(layout)) {
        Some((other, found)) if args.rejects.is_some() => {
            let what = if found.header() == layout.header() { "layout" } else { "header" };
            let reason = format!("{one} and {other} have not the same {what}");
            Err(Error::Failed(format!("--rejects: {reason}; run them one by one")))
        }
        _ => Ok(layout.header().map(<[u8]>::to_vec)),
    }
}

/// Where the statistics go: opened before the run, so that a long one does not end with an error,
/// and written after it. What FILE holds stays until then.
pub(super) struct StatsFile(Sink);

impl StatsFile {
    /// Opens the file. What a run left that can be resumed is not taken for an earlier run's
    /// statistics.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        if is_standard(path) {
            return Ok(Self(Sink::stdout()));
        }
        if output::follow(path).is_ok_and(|path| output::state_path(&path).exists()) {
            let partial = output::partial_path(path);
            let reason =
                format!("{} is of a run that solve --resume goes on with", partial.display());
            return Err(Error::Failed(format!("{}: {reason}", path.display())));
        }
        Ok(Self(Sink::open(path, Opening::Replace)?.or_nothing()))
    }

    /// Writes the text in place of what was there.
    pub(super) fn write(self, text: &str) -> Result<(), Error> {
        let Self(mut sink) = self;
        sink.write(text.as_bytes())?;
        Ok(sink.finish()?)
    }
}
