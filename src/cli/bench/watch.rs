//! Progress while it runs, and an end before its time.

use crate::cli::exit::Error;
use indicatif::{ProgressBar, ProgressStyle};
use ninefold::measure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the exit code is after Ctrl-C: 128 and the number of the signal, as shells have it.
pub(super) const INTERRUPTED: i32 = 130;

/// A bar if somebody sees it, and whether a signal has come.
pub(super) struct Watch {
    bar: Option<ProgressBar>,
    stopped: Arc<AtomicBool>,
}

/// The bar's steps: tenths of a percent.
const STEPS: f64 = 1000.0;

impl Watch {
    /// Waits for Ctrl-C, of which the second ends the program at once.
    pub(super) fn start(shown: bool) -> Result<Self, Error> {
        let stopped = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down, and puts it up.
            flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&stopped))
                .and_then(|_| flag::register(signal, Arc::clone(&stopped)))
                .map_err(|error| Error::Failed(error.to_string()))?;
        }
        let bar = (shown && io::stderr().is_terminal()).then(bar);
        Ok(Self { bar, stopped })
    }
}

fn bar() -> ProgressBar {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a thousand")]
    let bar = ProgressBar::new(STEPS as u64);
    let style = ProgressStyle::with_template("{bar:30.cyan/dim} {percent:>3} %  {msg}");
    bar.set_style(style.expect("the template is one of ours"));
    bar
}

impl measure::Watch for Watch {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    fn advance(&mut self, share: f64, next: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position((share * STEPS) as u64);
            bar.set_message(next.to_owned());
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
