//! Going on with what an earlier run left.

use super::args::SolveArgs;
use super::exit::Error;
use super::identity::stdin_file;
use super::open::is_standard;
use clap::Args;
use ninefold::batch::{Checkpoint, Journal, Sinks};
use ninefold::output::{self, Encoding, Opening, Standing};
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What is kept of a run that does not come to its end.
#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    /// Go on where an earlier run of the same command was ended
    ///
    /// Takes -o FILE. What is in FILE.partial is kept, if FILE.partial.state says that it belongs to
    /// these inputs and options. If nothing was left, the run begins at the beginning.
    #[arg(long, requires = "output", conflicts_with = "force")]
    pub(super) resume: bool,

    /// How often what was written is made safe: what a kill costs at most
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub(super) flush_interval: Duration,
}

/// Where a run begins, and what its outputs keep.
pub(super) struct Begin {
    pub(super) from: Checkpoint,
    pub(super) records: Opening,
    pub(super) rejects: Opening,
}

/// Takes a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds".to_owned())
}

/// Finds where a run begins.
pub(super) fn begin(args: &SolveArgs, inputs: usize) -> Result<Begin, Error> {
    let start = |opening| {
        let from = Checkpoint::start(inputs);
        Begin { from, records: opening, rejects: opening }
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
        Ok(Standing::Whole) => return refused(&format!("{} is complete", path.display())),
        _ => {}
    }
    if let Some(path) = args.rejects.as_deref() {
        let direct = matches!(output::standing(path), Ok(Standing::Direct));
        if is_standard(path) || direct {
            return refused("takes a file for --rejects: what went elsewhere is gone");
        }
    }
    let compressed = |path: &&Path| Encoding::of_path(path) != Encoding::Plain;
    if let Some(path) = [Some(path.as_path()), args.rejects.as_deref()]
        .iter()
        .flatten()
        .find(|path| compressed(path))
    {
        let name = path.display();
        return refused(&format!(
            "{name}: a compressed output cannot be gone on with; --force begins anew"
        ));
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
    if let Some(path) = args.rejects.as_deref().filter(|path| !is_standard(path)) {
        take_name_back(path, from.rejects).map_err(|cause| failed(path, &cause))?;
    }
    let (records, rejects) = (Opening::Keep(from.records), Opening::Keep(from.rejects));
    Ok(Begin { from, records, rejects })
}

/// Rejects have their name before the records have theirs. If a kill came in between, they have
/// to give it back.
fn take_name_back(path: &Path, bytes: u64) -> io::Result<()> {
    let path = output::follow(path)?;
    let partial = output::partial_path(&path);
    let whole = fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() >= bytes);
    if whole && !partial.exists() { fs::rename(path, partial) } else { Ok(()) }
}

/// Makes a run resumable, if its records go to a file as they are.
pub(super) fn keep(args: &SolveArgs, sinks: Sinks, from: Checkpoint) -> Result<Sinks, Error> {
    let Some(path) = args.writing.path() else { return Ok(sinks) };
    let Some(records) = sinks.records.partial_file()? else { return Ok(sinks) };
    let rejects = match &sinks.rejects {
        Some(rejects) => rejects.sink.partial_file()?,
        None => None,
    };
    let path = output::follow(path).map_err(|cause| failed(path, &cause))?;
    let outputs = std::iter::once(records).chain(rejects).collect();
    let interval = args.keeping.flush_interval;
    let state = output::state_path(&path);
    let journal = Journal::start(&state, identity(args), from, outputs, interval)?;
    Ok(Sinks { journal: Some(journal), ..sinks })
}

/// What is left of a run that was not complete, and what to do with it.
pub(super) fn hint(args: &SolveArgs) -> Option<String> {
    let path = args.writing.path()?;
    let resolved = output::follow(path).ok()?;
    let partial = output::partial_path(&resolved);
    let name = partial.exists().then(|| partial.display())?;
    let records = format!("the records so far are in {name}");
    Some(if output::state_path(&resolved).exists() {
        format!("{records}: with --resume the same command goes on")
    } else {
        records
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
        "--columns": reading.columns.as_ref().map(|columns| format!("{columns:?}")),
        "--delimiter": reading.delimiter.map(|delimiter| format!("{delimiter:?}")),
        "--no-header": reading.no_header,
        "--blank": reading.blank.map(|blank| format!("{blank:?}")),
        "--grid": reading.grid,
        "--format": writing.format.name(),
        "--keep-columns": writing.keep_columns,
        "--only, --except": format!("{:?}", writing.select()),
        "--limit": args.limit(),
        "--all, --max": args.all.then_some(args.max),
        "--rejects": args.rejects.is_some(),
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
    Error::Failed(format!("{}: {cause}", path.display()))
}
