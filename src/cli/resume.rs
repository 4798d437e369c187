//! Going on with what an earlier run left.

use super::args::SolveArgs;
use super::exit::{Error, chain, say};
use super::identity::stdin_file;
use super::open::is_standard;
use super::reading::in_words;
use clap::Args;
use ninefold::output::{self, Encoding, Opening, Sink, Standing};
use ninefold::solve::{Checkpoint, Journal, Sinks};
use serde_json::{Value, json};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What is kept of a run that does not come to its end.
#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    /// Go on where an earlier run of the same command was ended
    ///
    /// Takes -o FILE. What is in FILE.partial is kept, if FILE.partial.state says that it belongs to
    /// these inputs and options. If nothing was left, the run begins at the beginning; if FILE is
    /// complete, there is nothing to do, and that is said.
    #[arg(long, requires = "output", conflicts_with = "force")]
    pub(super) resume: bool,

    /// How often what was written is made safe: what a kill costs at most
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub(super) flush_interval: Duration,
}

/// Where a run begins, and what its outputs keep.
pub(super) struct Begin {
    pub(super) from: Checkpoint,
    /// Nothing if they are whole, and only counts are left to be written.
    pub(super) records: Option<Opening>,
    pub(super) rejects: Opening,
}

/// Takes a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds".to_owned())
}

/// Whether an earlier run has left nothing to do, which is said. A job that is started again after
/// its end has come to its end.
pub(super) fn is_done(args: &SolveArgs) -> Result<bool, Error> {
    let Some(path) = args.writing.path().filter(|_| args.keeping.resume) else { return Ok(false) };
    let path = &output::follow(path).map_err(|cause| failed(path, &cause))?;
    if !matches!(output::standing(path), Ok(Standing::Whole)) {
        return Ok(false);
    }
    let (name, partial) = (path.display(), output::partial_path(path));
    let refused = |why: &str| Err(Error::Failed(format!("--resume: {name} {why}")));
    if partial.exists() {
        return refused(&format!(
            "exists, and so does {}: a run with --force was to replace it. With {name} out of the \
             way it goes on; --force begins anew",
            partial.display()
        ));
    }
    if completed(args, path)?.is_some() {
        return Ok(false);
    }
    for other in [&args.rejects, &args.running.stats_json].into_iter().flatten() {
        if !other.is_file() {
            let other = other.display();
            return refused(&format!("is complete, but {other} cannot be made of what is left"));
        }
    }
    // A kill may leave it, just after the records have their name.
    let _ = fs::remove_file(output::state_path(path));
    say(format_args!("ninefold: {name} is complete: nothing to do"));
    Ok(true)
}

/// Where a run came to its end whose records are whole, but which has yet to write its statistics.
fn completed(args: &SolveArgs, path: &Path) -> Result<Option<Checkpoint>, Error> {
    let reached = Journal::read(&output::state_path(path), &identity(args))?;
    let bytes = fs::metadata(path).map_err(|cause| failed(path, &cause))?.len();
    let fits = |kept: u64| match Encoding::of_path(path) {
        Encoding::Plain => kept == bytes,
        // The end came behind it.
        _ => kept <= bytes,
    };
    Ok(reached.filter(|reached| reached.complete && fits(reached.records.bytes)))
}

/// Finds where a run begins.
pub(super) fn begin(args: &SolveArgs, inputs: usize) -> Result<Begin, Error> {
    let start = |opening| {
        let from = Checkpoint::start(inputs);
        Begin { from, records: Some(opening), rejects: opening }
    };
    if !args.keeping.resume {
        return Ok(start(if args.writing.force { Opening::Replace } else { Opening::New }));
    }
    let refused = |why: &str| Err(Error::Failed(format!("--resume: {why}")));
    let Some(path) = args.writing.path() else {
        return refused("takes -o FILE, for what goes to standard output is gone");
    };
    let path = &output::follow(path).map_err(|cause| failed(path, &cause))?;
    match output::standing(path) {
        Ok(Standing::Direct) => return refused("what goes to a device or a pipe is gone"),
        Ok(Standing::Whole) => {
            let Some(from) = completed(args, path)? else {
                return refused(&format!("{} has just been made", path.display()));
            };
            return Ok(Begin { from, records: None, rejects: Opening::New });
        }
        _ => {}
    }
    if let Some(path) = args.rejects.as_deref() {
        let direct = matches!(output::standing(path), Ok(Standing::Direct));
        if is_standard(path) || direct {
            return refused("takes a file for --rejects: what went elsewhere is gone");
        }
    }
    let Some(from) = Journal::read(&output::state_path(path), &identity(args))? else {
        let partial = output::partial_path(path);
        // Killed before anything was written; or it is no file, and will be refused as that.
        let empty = |about: Metadata| about.len() == 0 || !about.is_file();
        let empty = fs::metadata(&partial).map_or(true, empty);
        if empty {
            return Ok(start(Opening::Keep(0)));
        }
        let (name, state) = (partial.display(), output::state_path(path));
        let state = state.display();
        return refused(&format!(
            "{name} cannot be gone on with, for there is no {state}; --force begins anew"
        ));
    };
    if !output::partial_path(path).exists() {
        return Ok(start(Opening::Keep(0)));
    }
    // It may be about to come to its end: then its rejects have their name already.
    if output::is_being_written(&output::partial_path(path)) {
        return refused(&format!("another run is writing {}", path.display()));
    }
    if let Some(path) = args.rejects.as_deref() {
        take_name_back(path, from.rejects.bytes).map_err(|cause| failed(path, &cause))?;
    }
    let [records, rejects] = [&from.records, &from.rejects].map(|kept| Opening::Keep(kept.bytes));
    Ok(Begin { from, records: Some(records), rejects })
}

/// Rejects have their name before the records have theirs. If a kill came in between, they have
/// to give it back.
fn take_name_back(path: &Path, bytes: u64) -> io::Result<()> {
    let path = output::follow(path)?;
    let partial = output::partial_path(&path);
    let whole = fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() >= bytes);
    if whole && !partial.exists() { fs::rename(path, partial) } else { Ok(()) }
}

/// Makes a run resumable, if its records go to a file, and its rejects, too.
pub(super) fn keep(args: &SolveArgs, sinks: Sinks, from: Checkpoint) -> Result<Sinks, Error> {
    let Some(path) = args.writing.path() else { return Ok(sinks) };
    let Some(records) = sinks.records.partial_file()? else { return Ok(sinks) };
    let mut outputs = vec![records];
    if let Some(rejects) = &sinks.rejects {
        let Some(rejects) = rejects.sink.partial_file()? else {
            // An earlier run's state has nothing to do with these records.
            forget(args);
            return Ok(sinks);
        };
        outputs.push(rejects);
    }
    let is_start = from.is_start();
    match journal(args, path, from, outputs) {
        Ok(journal) => Ok(Sinks { journal: Some(journal), ..sinks }),
        Err(error) => {
            if is_start {
                // Nothing has been written, so nothing is to be left.
                let Sinks { records, rejects, .. } = sinks;
                drop((records.or_nothing(), rejects.map(|rejects| rejects.sink.or_nothing())));
            }
            Err(error)
        }
    }
}

/// The sinks of a run whose records are whole.
pub(super) fn only_count(args: &SolveArgs, from: Checkpoint) -> Result<Sinks, Error> {
    let path = args.writing.path().unwrap_or(Path::new("-"));
    let name = path.to_string_lossy();
    let records = Sink::from_writer_behind(from.records.bytes, &name, Whole);
    let journal = Some(journal(args, path, from, Vec::new())?);
    Ok(Sinks { records, rejects: None, journal })
}

fn journal(
    args: &SolveArgs,
    path: &Path,
    from: Checkpoint,
    outputs: Vec<File>,
) -> Result<Journal, Error> {
    let path = output::follow(path).map_err(|cause| failed(path, &cause))?;
    let (state, interval) = (output::state_path(&path), args.keeping.flush_interval);
    let journal = Journal::start(&state, identity(args), from, outputs, interval)?;
    // The statistics are written when the records have their name.
    Ok(if args.running.stats_json.is_some() { journal.staying() } else { journal })
}

/// Records that are whole: there are no more of the same input.
struct Whole;

impl Write for Whole {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("is complete, but now its input goes on"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Nothing is left to do, or nobody can go on.
pub(super) fn forget(args: &SolveArgs) {
    let path = args.writing.path().and_then(|path| output::follow(path).ok());
    // If it cannot be removed, a run with --resume does what was done once more.
    let _ = path.map(|path| fs::remove_file(output::state_path(&path)));
}

/// What is left of a run that was not complete, and what to do with it. If it failed by an input,
/// that may not be what it was.
pub(super) fn hint(args: &SolveArgs, by_input: bool) -> Option<String> {
    let path = args.writing.path()?;
    let resolved = output::follow(path).ok()?;
    let partial = output::partial_path(&resolved);
    let wants_statistics = args.running.stats_json.is_some();
    if wants_statistics && !partial.exists() && output::state_path(&resolved).exists() {
        let name = resolved.display();
        return Some(format!(
            "{name} is complete: with --resume the same command writes the statistics"
        ));
    }
    let name = partial.exists().then(|| partial.display())?;
    let records = format!("the records so far are in {name}");
    if !output::state_path(&resolved).exists() {
        return Some(records);
    }
    if by_input {
        return Some(format!(
            "{records}: with --resume a run over the inputs as they were goes on"
        ));
    }
    Some(match (args.writing.force, resolved.exists()) {
        (false, _) => format!("{records}: with --resume the same command goes on"),
        (true, false) => format!("{records}: with --resume, not --force, the same command goes on"),
        (true, true) => {
            let name = resolved.display();
            format!("{records}: with {name} out of the way, --resume, not --force, goes on")
        }
    })
}

/// All that the bytes of the outputs depend on, in the words of the user.
pub(super) fn identity(args: &SolveArgs) -> Value {
    let (reading, writing) = (&args.reading, &args.writing);
    let inputs: Value = match &reading.inputs[..] {
        [] => [identity_of_input(Path::new("-"))].into_iter().collect(),
        paths => paths.iter().map(|path| identity_of_input(path)).collect(),
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "inputs": inputs,
        "--lines": reading.lines,
        "--columns": reading.columns.as_ref().map(ToString::to_string),
        "--delimiter": reading.delimiter.map(in_words),
        "--no-header": reading.no_header,
        "--no-output-header": reading.no_output_header,
        "--blank": reading.blank.map(|blank| blank.to_string()),
        "--grid": reading.grid,
        "--format": writing.format.name(),
        "--keep-columns": writing.keep_columns,
        "--only, --except": writing.select().to_string(),
        "--limit": args.limit(),
        "--all, --max": args.all.then_some(args.max),
        "--rejects": args.rejects.is_some(),
        // Each shard has its own, so it is none of the options that all have.
        "FILE of --rejects": args.rejects.as_ref().map(|path| path.to_string_lossy()),
        "--shard": args.shard.map(|shard| shard.to_string()),
        // Which of several solutions is found first.
        "--engine": args.engine.name(),
    })
}

fn identity_of_input(path: &Path) -> Value {
    let about = if is_standard(path) {
        stdin_file().and_then(|file| file.metadata())
    } else {
        fs::metadata(path)
    };
    let about = about.ok().filter(Metadata::is_file);
    let modified = about.as_ref().and_then(|about| about.modified().ok());
    let modified = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    json!({
        "name": path.to_string_lossy(),
        "bytes": about.map(|about| about.len()),
        "modified": modified.map(|time| format!("{}.{:09}", time.as_secs(), time.subsec_nanos())),
    })
}

fn failed(path: &Path, cause: &io::Error) -> Error {
    Error::Failed(format!("{}: {}", path.display(), chain(cause)))
}
