//! `ninefold env`: what a bug report needs.

use super::{Error, print, version};
use crate::engine::lanes::SimdLevel;
use ninefold_bench::{cpu, memory, system};
use std::env;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;

/// Environment variables that change what the program does or writes.
const VARIABLES: [&str; 7] =
    ["TMPDIR", "TMP", "TEMP", "TERM", "COLUMNS", "NO_COLOR", "RUST_BACKTRACE"];

/// Prints the facts on standard output, one per line.
pub(super) fn run() -> Result<ExitCode, Error> {
    let mut text = String::new();
    for (name, fact) in facts() {
        text += &format!("{:<14} {fact}\n", format!("{name}:"));
    }
    print(text.as_bytes())
}

fn facts() -> Vec<(&'static str, String)> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let terminal = |is_terminal: bool| if is_terminal { "terminal" } else { "not a terminal" };
    let program = env::current_exe().map_or_else(|error| error.to_string(), display);
    let mut facts = vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("build", format!("{build}, features {}", version::features())),
        ("target", target()),
        ("program", program),
        ("CPU", format!("{}, {cores} cores usable", cpu())),
        ("SIMD", version::simd()),
        ("CPU features", SimdLevel::best().features().join(", ")),
        ("memory", memory().unwrap_or_default()),
        ("system", system()),
        ("stdin", terminal(io::stdin().is_terminal()).to_owned()),
        ("stdout", terminal(io::stdout().is_terminal()).to_owned()),
        ("stderr", terminal(io::stderr().is_terminal()).to_owned()),
    ];
    facts.retain(|(_, fact)| !fact.is_empty());
    let named = VARIABLES.iter().filter_map(|name| Some((*name, env::var_os(name)?)));
    facts.extend(named.map(|(name, value)| (name, display(value.into()))));
    facts
}

/// A path as text without control characters.
#[expect(clippy::needless_pass_by_value, reason = "a function of a result")]
fn display(path: std::path::PathBuf) -> String {
    path.display().to_string().replace(char::is_control, "\u{fffd}")
}

/// `x86_64-linux-gnu`
fn target() -> String {
    let (gnu, musl) = (cfg!(target_env = "gnu"), cfg!(target_env = "musl"));
    let abis = [(gnu, "-gnu"), (musl, "-musl"), (cfg!(target_env = "msvc"), "-msvc")];
    let abi = abis.into_iter().find(|(is_this, _)| *is_this).map_or("", |(_, name)| name);
    format!("{}-{}{abi}", env::consts::ARCH, env::consts::OS)
}
