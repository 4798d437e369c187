//! The progress bar, on standard error.

use super::{columns, counted, say};
use crate::pipeline::{Event, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How often the bar is redrawn. In between, a chunk costs it one look at the clock.
const REDRAW: Duration = Duration::from_millis(100);

/// Columns of a line that are not for the message: a bar of ten, and the percentage.
const OTHERS: usize = 10 + " 100 %  ".len();

/// The bar of a run.
pub(crate) struct Bar {
    line: ProgressBar,
    run: BarState,
    /// The columns of the terminal, which may change.
    columns: fn() -> usize,
    started: Instant,
    drawn: Instant,
}

impl Bar {
    /// A bar that ends at this position, or a counter if the end is not known.
    pub(crate) fn shown(end: Option<u64>) -> Self {
        Self::shown_on(ProgressDrawTarget::stderr(), end, || columns().unwrap_or(80))
    }

    fn shown_on(target: ProgressDrawTarget, end: Option<u64>, columns: fn() -> usize) -> Self {
        let style = match end {
            Some(_) => "{wide_bar:.cyan/dim} {percent:>3} %  {msg}",
            None => "{spinner} {msg}",
        };
        let style = ProgressStyle::with_template(style).expect("the template is one of ours");
        let line = ProgressBar::with_draw_target(end, target);
        line.set_style(style);
        let now = Instant::now();
        let run = BarState { end, ..BarState::default() };
        let shown = Self { line, run, columns, started: now, drawn: now };
        shown.draw(now);
        shown
    }

    /// Shows an event of the run.
    pub(crate) fn tell(&mut self, event: &Event) {
        let now = Instant::now();
        match *event {
            Event::Began(progress) => {
                (self.run.began, self.run.last) = (progress, progress);
                self.started = now;
            }
            Event::Advanced(progress) => self.run.last = progress,
            Event::Waiting => {}
            // Clears the line of the bar, so that records can be written there. The next draw is below them.
            Event::Writing => return drop(io::stderr().write_all(b"\r\x1b[2K")),
        }
        if now.duration_since(self.drawn) >= REDRAW {
            self.drawn = now;
            self.draw(now);
        }
    }

    /// Shows the whole run and leaves it there, however short it was.
    pub(crate) fn finish(self) {
        self.draw(Instant::now());
        self.line.abandon();
        say("");
    }

    fn draw(&self, now: Instant) {
        let columns = (self.columns)().saturating_sub(OTHERS);
        self.line.set_message(self.run.message(now.duration_since(self.started), columns));
        self.line.set_position(self.run.last.position);
    }
}

/// Where a run began, how far it has come, and where it ends, if that is known.
#[derive(Clone, Copy, Debug, Default)]
struct BarState {
    began: Progress,
    last: Progress,
    end: Option<u64>,
}

impl BarState {
    /// The text next to the bar after this time: the longest that fits, or else the shortest.
    fn message(&self, time: Duration, columns: usize) -> String {
        let count = self.last.items;
        let puzzles = counted(count, "puzzle");
        let rate = HumanCount(per_second(count - self.began.items, time));
        let number = HumanCount(count);
        let texts = match self.left(time).map(|left| format!("{:#} left", HumanDuration(left))) {
            Some(left) => [
                format!("{puzzles}  {rate}/s  {left}"),
                format!("{puzzles}  {left}"),
                format!("{number}  {left}"),
            ],
            None => [format!("{puzzles}  {rate}/s"), puzzles, number.to_string()],
        };
        let fitting = texts.iter().find(|text| text.len() <= columns);
        fitting.unwrap_or(&texts[2]).clone()
    }

    /// The remaining time. It is estimated from the work of this run: an earlier run took its
    /// own time for its part.
    fn left(&self, time: Duration) -> Option<Duration> {
        let done = u128::from(self.last.position - self.began.position);
        let rest = u128::from(self.end?.saturating_sub(self.last.position));
        let nanoseconds = (time.as_nanos() * rest).checked_div(done)?;
        Some(Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX)))
    }
}

impl Drop for Bar {
    /// A run that failed leaves no bar, only its message.
    fn drop(&mut self) {
        if !self.line.is_finished() {
            self.line.finish_and_clear();
        }
    }
}

/// A count per second, rounded.
pub(crate) fn per_second(count: u64, time: Duration) -> u64 {
    // A nanosecond at least: no division by zero.
    let nanoseconds = time.as_nanos().max(1);
    let rate = (u128::from(count) * 1_000_000_000 + nanoseconds / 2) / nanoseconds;
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
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
        end(Bar::shown_on(ProgressDrawTarget::term_like(Box::new(paper.clone())), bytes, || 80));
        let text = paper.0.lock().unwrap();
        let start = text.split('␛').find(|line| line.contains("0 puzzles  ")).unwrap();
        assert!(!start.contains("left"), "not known yet: {start}");
        text.rsplit('␛').next().unwrap().to_owned()
    }

    fn ended(items: u64, position: u64) -> impl FnOnce(Bar) {
        move |mut bar| {
            bar.tell(&Event::Began(Progress::default()));
            bar.tell(&Event::Advanced(Progress { items, position }));
            bar.finish();
        }
    }

    #[test]
    fn a_run_leaves_a_full_bar_however_short_it_was() {
        let bar = left_behind(Some(164), ended(2, 164));
        assert!(bar.contains("100 %  2 puzzles  ") && bar.ends_with("/s  0s left"), "{bar:?}");
        let counter = left_behind(None, ended(2, 164));
        assert!(counter.contains(" 2 puzzles  ") && !counter.contains('%'), "{counter:?}");
        assert!(left_behind(None, ended(1, 82)).contains(" 1 puzzle  "));
    }

    #[test]
    fn a_resumed_run_is_as_fast_as_what_it_does_itself() {
        let began = Progress { items: 1_000_000, position: 82_000_000 };
        let run = BarState { began, last: began, end: Some(164_000_000) };
        assert_eq!(run.message(Duration::ZERO, 80), "1,000,000 puzzles  0/s");
        // Half of the rest in 10 s.
        let run = BarState { last: Progress { items: 1_500_000, position: 123_000_000 }, ..run };
        let message = |columns| run.message(Duration::from_secs(10), columns);
        assert_eq!(message(80), "1,500,000 puzzles  50,000/s  10s left");
        assert_eq!(message(36), "1,500,000 puzzles  10s left");
        assert_eq!(message(40 - OTHERS), "1,500,000  10s left");
        let endless = BarState { end: None, ..run }.message(Duration::from_secs(10), 22);
        assert_eq!(endless, "1,500,000 puzzles");
    }

    #[test]
    fn a_run_that_failed_leaves_nothing() {
        assert_eq!(left_behind(Some(164), drop), "");
    }

    #[test]
    fn a_rate_is_rounded_and_never_divides_by_zero() {
        assert_eq!(per_second(3, Duration::from_secs(2)), 2);
        assert_eq!(per_second(1_000_000, Duration::from_millis(250)), 4_000_000);
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
