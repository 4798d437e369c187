//! What signals do to the program, where the system's own answer would be to end it unasked.

use super::exit::{Error, say};
use ninefold::batch::{self, Halt};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

/// What comes so soon after the first signal is the same wish: `timeout` sends its own to the program
/// and to the program's group, and who presses Ctrl-C twice takes longer.
const SAME_WISH: Duration = Duration::from_millis(200);

/// Makes an error of a file that grows past its limit, which would end the process otherwise.
pub(super) fn make_errors() {
    if let Err(error) = limit_of_files() {
        say(format_args!("ninefold: a signal cannot be handled: {error}"));
    }
}

/// The signal has a handler, that does nothing; so the write that caused it fails.
#[cfg(unix)]
fn limit_of_files() -> io::Result<()> {
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map(drop)
}

#[cfg(not(unix))]
fn limit_of_files() -> io::Result<()> {
    Ok(())
}

/// The signals that ask a run to end.
#[derive(Clone, Default)]
pub(super) struct Signals {
    stop: Halt,
    /// The number of the one that came, or 0.
    came: Arc<AtomicI32>,
    /// Whether the next one ends the process.
    armed: Arc<AtomicBool>,
}

impl Signals {
    /// From now on the first SIGINT or SIGTERM asks the run to end, and the second, if it is not
    /// the same wish, ends the process at once.
    pub(super) fn listen() -> Self {
        let signals = Self::prepare();
        signals.run_begins();
        signals
    }

    /// From now on SIGINT or SIGTERM ends the process at once, with its exit code: a run that is
    /// being opened may wait for the other end of a pipe, and hears nothing.
    pub(super) fn prepare() -> Self {
        let signals = Self { armed: Arc::new(true.into()), ..Self::default() };
        if let Err(error) = signals.install() {
            say(format_args!("ninefold: a signal cannot be handled: {error}"));
        }
        signals
    }

    /// From now on the first asks the run to end.
    pub(super) fn run_begins(&self) {
        self.armed.store(false, Ordering::SeqCst);
    }

    #[cfg(unix)]
    fn install(&self) -> io::Result<()> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        for signal in [SIGINT, SIGTERM] {
            let armed = Arc::clone(&self.armed);
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, armed)?;
        }
        let mut heard = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        let Self { stop, came, armed } = self.clone();
        let listen = move || {
            if let Some(signal) = heard.forever().next() {
                came.store(signal, Ordering::Relaxed);
                stop.request();
                thread::sleep(SAME_WISH);
                armed.store(true, Ordering::SeqCst);
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }

    #[cfg(not(unix))]
    fn install(&self) -> io::Result<()> {
        Ok(())
    }

    /// Whose wish a run is to hear.
    pub(super) const fn halt(&self) -> &Halt {
        &self.stop
    }

    /// The signal that came, if one did, and the exit code for it as shells have it: 128, and its
    /// number.
    pub(super) fn came(&self) -> Option<(&'static str, u8)> {
        match self.came.load(Ordering::Relaxed) {
            0 => None,
            15 => Some(("SIGTERM", 128 + 15)),
            _ => Some(("SIGINT", 128 + 2)),
        }
    }

    /// Why a run did not come to its end; if it was asked for, by which signal.
    pub(super) fn error(&self, error: batch::Error) -> Error {
        match (error, self.came()) {
            (error @ batch::Error::Stopped { .. }, Some((name, code))) => {
                Error::Stopped(format!("{name}: {error}"), code)
            }
            (error, _) => error.into(),
        }
    }
}
