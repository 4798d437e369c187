//! The progress bar, on standard error.

use super::exit::say;
use super::signals::Signals;
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use ninefold::batch::{Halt, Progress, Stats};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How often the bar is drawn anew. In between, a chunk costs it one look at the clock.
const REDRAW: Duration = Duration::from_millis(100);

/// A bar, or nothing at all.
pub(super) struct Bar {
    shown: Option<Shown>,
    signals: Option<Signals>,
}

struct Shown {
    bar: ProgressBar,
    started: Instant,
    drawn: Instant,
}

impl Bar {
    /// No bar.
    pub(super) const fn hidden() -> Self {
        Self { shown: None, signals: None }
    }

    /// The same, and the run hears these signals.
    pub(super) fn hearing(mut self, signals: &Signals) -> Self {
        self.signals = Some(signals.clone());
        self
    }

    /// A bar for so many bytes, or a counter if nobody knows how many there are.
    pub(super) fn shown(bytes: Option<u64>) -> Self {
        Self::shown_on(ProgressDrawTarget::stderr(), bytes)
    }

    fn shown_on(target: ProgressDrawTarget, bytes: Option<u64>) -> Self {
        let style = match bytes {
            Some(_) => "{wide_bar:.cyan/dim} {percent:>3} %  {msg}{left}",
            None => "{spinner} {msg}",
        };
        let style = ProgressStyle::with_template(style).expect("the template is one of ours");
        let bar = ProgressBar::with_draw_target(bytes, target);
        bar.set_style(style.with_key("left", left));
        let now = Instant::now();
        let shown = Shown { bar, started: now, drawn: now };
        shown.draw(&Stats::default(), now);
        Self { shown: Some(shown), signals: None }
    }

    /// Shows the whole run and leaves it there, however short it was.
    pub(super) fn finish(mut self, total: &Stats) {
        if let Some(shown) = self.shown.take() {
            shown.draw(total, Instant::now());
            shown.bar.abandon();
            say("");
        }
    }
}

impl Shown {
    fn draw(&self, so_far: &Stats, now: Instant) {
        let rate = HumanCount(per_second(so_far.puzzles, now.duration_since(self.started)));
        let plural = if so_far.puzzles == 1 { "" } else { "s" };
        let puzzles = HumanCount(so_far.puzzles);
        self.bar.set_message(format!("{puzzles} puzzle{plural}  {rate}/s"));
        self.bar.set_position(so_far.bytes);
    }
}

/// The time that is left, once there is anything to tell it by.
fn left(state: &ProgressState, text: &mut dyn Write) {
    if state.pos() > 0 {
        // What is not written is not seen.
        let _ = write!(text, "  {:#} left", HumanDuration(state.eta()));
    }
}

impl Progress for Bar {
    fn advance(&mut self, so_far: &Stats) {
        let Some(shown) = &mut self.shown else { return };
        let now = Instant::now();
        if now.duration_since(shown.drawn) >= REDRAW {
            shown.drawn = now;
            shown.draw(so_far, now);
        }
    }

    fn halt(&self) -> Option<&Halt> {
        self.signals.as_ref().map(Signals::halt)
    }
}

impl Drop for Bar {
    /// A run that failed leaves no bar, so that the message stands alone.
    fn drop(&mut self) {
        if let Some(Shown { bar, .. }) = &self.shown {
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
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal of which the text is kept, with `␛` where a line is cleared.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)?;
            self.write_str("\n")
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.write_str("␛")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What the shortest run leaves on the terminal.
    fn left_behind(bytes: Option<u64>, end: impl FnOnce(Bar)) -> String {
        let paper = Paper::default();
        end(Bar::shown_on(ProgressDrawTarget::term_like(Box::new(paper.clone())), bytes));
        let text = paper.0.lock().unwrap();
        let start = text.split('␛').find(|line| line.contains("0 puzzles  ")).unwrap();
        assert!(!start.contains("left"), "nobody knows yet: {start}");
        text.rsplit('␛').next().unwrap().to_owned()
    }

    #[test]
    fn a_run_leaves_a_full_bar_however_short_it_was() {
        let total = Stats { bytes: 164, puzzles: 2, ..Stats::default() };
        let bar = left_behind(Some(164), |bar| bar.finish(&total));
        assert!(bar.contains("100 %  2 puzzles  ") && bar.ends_with("/s  0s left"), "{bar:?}");
        let counter = left_behind(None, |bar| bar.finish(&total));
        assert!(counter.contains(" 2 puzzles  ") && !counter.contains('%'), "{counter:?}");
        let one = Stats { bytes: 82, puzzles: 1, ..Stats::default() };
        assert!(left_behind(None, |bar| bar.finish(&one)).contains(" 1 puzzle  "));
    }

    #[test]
    fn a_run_that_failed_leaves_nothing() {
        assert_eq!(left_behind(Some(164), drop), "");
    }

    #[test]
    fn a_rate_is_rounded_and_never_divides_by_nought() {
        assert_eq!(per_second(3, Duration::from_secs(2)), 2);
        assert_eq!(per_second(1_000_000, Duration::from_millis(250)), 4_000_000);
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
