//! Signal handling: a cancelled run in place of a process that ends at once.

use super::exit::{Error, say};
use crate::pipeline::Cancel;
use crate::run;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A second signal within this time is ignored: `timeout` sends its signal to the program and to the
/// program's group. Pressing Ctrl-C twice takes longer.
const SAME_REQUEST: Duration = Duration::from_millis(200);

/// Makes an error of a file that grows past its limit, which would end the process otherwise: the signal has
/// a handler that does nothing, so the write that caused it fails.
pub(crate) fn make_errors() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        say(format_args!("ninefold: a signal cannot be handled: {error}"));
    }
}

/// The signals that cancel a run.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    cancel: Cancel,
    /// The number of the one that came, or 0.
    came: Arc<AtomicI32>,
    /// Whether the next one ends the process.
    armed: Arc<AtomicBool>,
    /// The time from the first one to the end of all searches.
    grace: Duration,
}

impl Signals {
    /// From now on SIGINT or SIGTERM ends the process at once, with its exit code: while outputs are
    /// opened the program may wait for the other end of a pipe.
    /// After the first signal searches go on for `grace`.
    pub(crate) fn prepare(grace: Duration) -> Self {
        let signals = Self { armed: Arc::new(true.into()), grace, ..Self::default() };
        #[cfg(unix)]
        if let Err(error) = signals.install() {
            say(format_args!("ninefold: a signal cannot be handled: {error}"));
        }
        signals
    }

    /// From now on the first signal cancels the run, and gives up what is still being searched after the
    /// time of grace. The second ends the process at once, unless it
    /// follows within [`SAME_REQUEST`].
    pub(crate) fn run_begins(&self) {
        self.armed.store(false, Ordering::SeqCst);
    }

    #[cfg(unix)]
    fn install(&self) -> std::io::Result<()> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        for signal in [SIGINT, SIGTERM] {
            let armed = Arc::clone(&self.armed);
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, armed)?;
        }
        let mut heard = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        let Self { cancel, came, armed, grace } = self.clone();
        let listen = move || {
            if let Some(signal) = heard.forever().next() {
                came.store(signal, Ordering::Relaxed);
                cancel.request();
                let armed_at = Instant::now() + SAME_REQUEST;
                if grace < SAME_REQUEST {
                    thread::sleep(grace);
                    cancel.abandon();
                }
                thread::sleep(armed_at.saturating_duration_since(Instant::now()));
                armed.store(true, Ordering::SeqCst);
                thread::sleep(grace.saturating_sub(SAME_REQUEST));
                cancel.abandon();
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }

    /// The token that the first signal cancels the run with.
    pub(crate) const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The signal that came, if one did, and the exit code for it as shells have it: 128, and its
    /// number.
    pub(crate) fn came(&self) -> Option<(&'static str, u8)> {
        match self.came.load(Ordering::Relaxed) {
            0 => None,
            15 => Some(("SIGTERM", 128 + 15)),
            _ => Some(("SIGINT", 128 + 2)),
        }
    }

    /// The error of a run. If the run was cancelled, it names the signal.
    pub(crate) fn error(&self, error: run::Error) -> Error {
        match (error, self.came()) {
            (error @ run::Error::Stopped { .. }, Some((name, code))) => {
                let given_up = if self.cancel.is_abandoned() {
                    format!(
                        "; a search did not end within {} s (--grace)",
                        self.grace.as_secs_f64()
                    )
                } else {
                    String::new()
                };
                Error::Ended(format!("{name}: {error}{given_up}"), code)
            }
            (error, _) => error.into(),
        }
    }
}
