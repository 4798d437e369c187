//! The progress bar, on standard error.

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use ninefold::batch::{Progress, Stats};
use std::time::{Duration, Instant};

/// How often the bar is drawn anew. In between, a chunk costs it one look at the clock.
const REDRAW: Duration = Duration::from_millis(100);

/// A bar, or nothing at all.
pub(super) struct Bar(Option<Shown>);

struct Shown {
    bar: ProgressBar,
    started: Instant,
    drawn: Instant,
}

impl Bar {
    /// No bar.
    pub(super) const fn hidden() -> Self {
        Self(None)
    }

    /// A bar for so many bytes, or a counter if nobody knows how many there are.
    pub(super) fn shown(bytes: Option<u64>) -> Self {
        let (bar, style) = match bytes {
            Some(bytes) => {
                let style = "{wide_bar:.cyan/dim} {percent:>3} %  {msg}  {eta} left";
                (ProgressBar::new(bytes), style)
            }
            None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
        };
        bar.set_style(ProgressStyle::with_template(style).expect("the template is one of ours"));
        let now = Instant::now();
        Self(Some(Shown { bar, started: now, drawn: now }))
    }
}

impl Progress for Bar {
    fn advance(&mut self, so_far: &Stats) {
        let Some(Shown { bar, started, drawn }) = &mut self.0 else { return };
        let now = Instant::now();
        if now.duration_since(*drawn) < REDRAW {
            return;
        }
        *drawn = now;
        let rate = per_second(so_far.puzzles, now.duration_since(*started));
        let count = HumanCount(so_far.puzzles);
        bar.set_message(format!("{count} puzzles  {}/s", HumanCount(rate)));
        bar.set_position(so_far.bytes);
    }
}

impl Drop for Bar {
    /// Leaves no trace, so that a message or the summary stands alone.
    fn drop(&mut self) {
        if let Some(Shown { bar, .. }) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// How many of something there were each second, to the nearest whole one.
pub(super) fn per_second(count: u64, time: Duration) -> u64 {
    // No time at all is taken for a nanosecond: nothing is divided by nought.
    let nanoseconds = time.as_nanos().max(1);
    let rate = (u128::from(count) * 1_000_000_000 + nanoseconds / 2) / nanoseconds;
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_rounded_and_never_divides_by_nought() {
        assert_eq!(per_second(3, Duration::from_secs(2)), 2);
        assert_eq!(per_second(1_000_000, Duration::from_millis(250)), 4_000_000);
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
