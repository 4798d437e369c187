//! Progress while it runs, and an end before its time.

use crate::cli::exit::Error;
use indicatif::{ProgressBar, ProgressStyle};
use ninefold::measure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A bar if somebody sees it, and whether a signal has come.
pub(super) struct Watch {
    bar: Option<ProgressBar>,
    /// The number of the signal that came, or 0.
    came: Arc<AtomicUsize>,
    /// Whether the next signal ends the program at once.
    armed: Arc<AtomicBool>,
}

/// The bar's steps: tenths of a percent.
const STEPS: f64 = 1000.0;

impl Watch {
    /// Waits for SIGINT and SIGTERM, which end the program at once, for there is nothing yet.
    pub(super) fn start(shown: bool) -> Result<Self, Error> {
        let (came, armed) = (Arc::default(), Arc::new(AtomicBool::new(true)));
        let exit =
            |signal| flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&armed));
        for (signal, number) in [(SIGINT, 2), (SIGTERM, 15)] {
            // In this order: the first signal arms what the second fires.
            exit(signal)
                .and_then(|_| flag::register(signal, Arc::clone(&armed)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&came), number))
                .map_err(|error| Error::Failed(error.to_string()))?;
        }
        let bar = (shown && io::stderr().is_terminal()).then(bar);
        Ok(Self { bar, came, armed })
    }

    /// From now on the first signal is only noted, for something would be lost.
    pub(super) fn begin(&self) {
        self.armed.store(false, Ordering::Relaxed);
    }

    /// The exit code if a signal came, as shells have it: 128, and its number.
    pub(super) fn code(&self) -> Option<u8> {
        match self.came.load(Ordering::Relaxed) {
            0 => None,
            15 => Some(128 + 15),
            _ => Some(128 + 2),
        }
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
        self.code().is_some()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
