//! The progress bar of a measurement, and its end by a signal.

use crate::cli::signals::Signals;
use indicatif::{ProgressBar, ProgressStyle};
use crate::pipeline::{Cancel, Event};
use std::io::{self, IsTerminal};

/// The progress bar, if there is a terminal, and the signals.
pub(super) struct Watch {
    bar: Option<ProgressBar>,
    signals: Signals,
}

/// The bar's steps: tenths of a percent.
const STEPS: f64 = 1000.0;

impl Watch {
    /// Handles SIGINT and SIGTERM. They end the program at once until [`begin`](Self::begin).
    pub(super) fn start(shown: bool) -> Self {
        let bar = (shown && io::stderr().is_terminal()).then(bar);
        Self { bar, signals: Signals::prepare(std::time::Duration::MAX) }
    }

    /// From now on the first signal ends the measurement, and its results are printed.
    pub(super) fn begin(&self) {
        self.signals.run_begins();
    }

    /// The token that a signal cancels the measurement with.
    pub(super) const fn cancel(&self) -> &Cancel {
        self.signals.cancel()
    }

    /// Shows an event of the measurement.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
    pub(super) fn tell(&self, event: &Event) {
        if let (Some(bar), Event::Step { share, next }) = (&self.bar, *event) {
            bar.set_position((share * STEPS) as u64);
            bar.set_message(next.to_owned());
        }
    }

    /// The exit code if a signal came.
    pub(super) fn code(&self) -> Option<u8> {
        self.signals.came().map(|(_, code)| code)
    }
}

fn bar() -> ProgressBar {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a thousand")]
    let bar = ProgressBar::new(STEPS as u64);
    let style = ProgressStyle::with_template("{bar:20.cyan/dim} {percent:>3} %  {wide_msg}");
    bar.set_style(style.expect("the template is one of ours"));
    bar
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
