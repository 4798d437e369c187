//! Names to inputs and outputs, in an order that harms nothing: first all inputs are opened,
//! then each output is seen to be none of them, and only then is anything made or emptied.

use super::args::SolveArgs;
use super::exit::Error;
use super::identity::{Identity, stdin_file, stdout_file};
use ninefold::input::Source;
use ninefold::output::Sink;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What records call standard input.
const STDIN: &str = "<stdin>";

/// Whether a name means standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The file that records go to, if it has a name.
pub(super) fn output_path(args: &SolveArgs) -> Option<&Path> {
    args.output.as_deref().filter(|path| !is_standard(path))
}

/// Whether standard input is read.
pub(super) fn reads_stdin(args: &SolveArgs) -> bool {
    args.inputs.is_empty() || args.inputs.iter().any(|path| is_standard(path))
}

/// All inputs, opened.
pub(super) fn sources(args: &SolveArgs) -> Result<Vec<Source>, Error> {
    let map = !args.no_mmap;
    if args.inputs.is_empty() {
        return Ok(vec![stdin(map)?]);
    }
    let open = |path: &PathBuf| {
        if is_standard(path) { stdin(map) } else { Ok(Source::open(path, map)?) }
    };
    args.inputs.iter().map(open).collect()
}

fn stdin(map: bool) -> Result<Source, Error> {
    match stdin_file() {
        Ok(file) => Ok(Source::from_file(STDIN, file, map)?),
        Err(_) => Ok(Source::from_reader(STDIN, io::stdin())),
    }
}

/// Refuses to write over what is read, or to write two things into one file.
pub(super) fn check_outputs(args: &SolveArgs) -> Result<(), Error> {
    let mut taken = Vec::new();
    if reads_stdin(args) {
        taken.extend(stdin_file().ok().and_then(|file| Identity::of_file(&file)));
    }
    let named = args.inputs.iter().filter(|path| !is_standard(path));
    taken.extend(named.filter_map(|path| Identity::of_path(path)));

    let records_path = args.output.as_deref().unwrap_or(Path::new("-"));
    let records = (records_path, identity_of_output(records_path));
    let stats = args.stats_json.as_deref();
    if output_path(args).is_none() && stats.is_some_and(is_standard) {
        let reason = "records go to standard output, so the statistics cannot";
        return Err(Error::Failed(format!("--stats-json -: {reason}")));
    }
    let stats = stats.map(|path| (path, identity_of_output(path)));
    for (path, identity) in [records].into_iter().chain(stats) {
        let Some(identity) = identity else { continue };
        if taken.contains(&identity) {
            let path = if is_standard(path) { Path::new("<stdout>") } else { path }.display();
            return Err(Error::Failed(format!("{path}: is also read, or written to, by this run")));
        }
        taken.push(identity);
    }
    Ok(())
}

/// The file that this name of an output means, if it is a regular one or does not exist.
fn identity_of_output(path: &Path) -> Option<Identity> {
    if is_standard(path) {
        return Identity::of_file(&stdout_file().ok()?);
    }
    Identity::of_path(path)
}

/// Where records go; a file is made new or emptied.
pub(super) fn sink(args: &SolveArgs) -> Result<Sink, Error> {
    match output_path(args) {
        Some(path) => Ok(Sink::create(path)?),
        None => Ok(Sink::stdout()),
    }
}

/// The file for the statistics: opened before the run, so that a long one does not end with
/// an error, and written after it.
pub(super) enum StatsFile {
    Stdout,
    Named { name: PathBuf, file: File },
}

impl StatsFile {
    /// Opens the file, and leaves what it holds until there is something new.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        if is_standard(path) {
            return Ok(Self::Stdout);
        }
        let name = path.to_owned();
        match OpenOptions::new().write(true).create(true).truncate(false).open(path) {
            Ok(file) => Ok(Self::Named { name, file }),
            Err(cause) => Err(failed(path, &cause)),
        }
    }

    /// Writes the text in place of what was there.
    pub(super) fn write(self, text: &str) -> Result<(), Error> {
        match self {
            Self::Stdout => {
                let mut sink = Sink::stdout();
                sink.write(text.as_bytes())?;
                Ok(sink.finish()?)
            }
            Self::Named { name, mut file } => {
                replace(&mut file, text).map_err(|cause| failed(&name, &cause))
            }
        }
    }
}

/// A device or a pipe cannot be emptied, and need not be.
fn replace(file: &mut File, text: &str) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text.as_bytes())
}

fn failed(path: &Path, cause: &io::Error) -> Error {
    Error::Failed(format!("{}: {cause}", path.display()))
}
