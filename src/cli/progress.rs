//! The progress bar, on standard error. A run of less than a second has none, and none is left when a run ends. Where
//! standard error is no terminal, a line a minute.

use super::{columns, counted, say};
use crate::pipeline::{Event, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the bar is redrawn. In between, a chunk costs it one look at the clock.
const REDRAW: Duration = Duration::from_millis(100);

/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(60);

/// Columns of a line that are not for the message: a bar of ten, and the percentage.
const OTHERS: usize = 10 + " 100 %  ".len();

/// The bar of a run.
pub(crate) struct Bar {
    line: ProgressBar,
    run: BarState,
    started: Instant,
    /// When it is drawn next.
    next: Instant,
    /// Whether records go to the terminal, too.
    is_shared: bool,
    /// Whether lines are written in place of a bar.
    are_lines: bool,
}

impl Bar {
    /// A bar that ends at this position, or a counter if the end is not known. It is cleared before records are
    /// written if these go to the terminal, too.
    pub(crate) fn new(end: Option<u64>, is_shared: bool) -> Self {
        let style = match end {
            Some(_) => "{wide_bar:.cyan/dim} {percent:>3} %  {msg}",
            None => "{spinner} {msg}",
        };
        let style = ProgressStyle::with_template(style).expect("the template is one of ours");
        let line = ProgressBar::with_draw_target(end, ProgressDrawTarget::stderr());
        line.set_style(style);
        let started = Instant::now();
        let run = BarState { end, ..BarState::default() };
        let are_lines = !io::stderr().is_terminal();
        // After 300 ms it can be told how long the run will take.
        let next = started + if are_lines { LINE } else { Duration::from_millis(300) };
        Self { line, run, started, next, is_shared, are_lines }
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
            Event::Tried(tries) => self.run.tries = tries,
            // The next draw is below the records.
            Event::Writing if self.is_shared && !self.are_lines => {
                return drop(io::stderr().write_all(b"\r\x1b[2K"));
            }
            Event::Waiting | Event::Writing => {}
        }
        if now >= self.next {
            let time = now.duration_since(self.started);
            if self.are_lines {
                self.next = now + LINE;
                return say(format_args!("ninefold: {}", self.run.line(time)));
            }
            self.next = now + REDRAW;
            if time + self.run.left(time).unwrap_or_default() >= Duration::from_secs(1) {
                // The terminal may change.
                let columns = columns().unwrap_or(80).saturating_sub(OTHERS);
                self.line.set_message(self.run.message(time, columns));
                self.line.set_position(self.run.last.position);
            }
        }
    }
}

/// Where a run began, how far it has come, and where it ends, if that is known.
#[derive(Clone, Copy, Debug, Default)]
struct BarState {
    began: Progress,
    last: Progress,
    end: Option<u64>,
    /// Attempts since it began.
    tries: u64,
}

/// Tries for a puzzle from which on they are shown: there may be no puzzle for a long time.
const MANY_TRIES: u64 = 20;

impl BarState {
    /// The line after this time where there is no bar.
    fn line(&self, time: Duration) -> String {
        let done = u128::from(self.last.position) * 100;
        let percent = self.end.and_then(|end| done.checked_div(end.into()));
        let percent = percent.map_or(String::new(), |it| format!("{it} %  "));
        percent + &self.message(time, usize::MAX)
    }

    /// The text next to the bar after this time: the longest that fits, or else the shortest.
    fn message(&self, time: Duration, columns: usize) -> String {
        let (count, made) = (self.last.items, self.last.items - self.began.items);
        let puzzles = counted(count, "puzzle");
        let rate = if self.tries > MANY_TRIES * (made + 1) {
            let rate = HumanCount(per_second(self.tries, time));
            format!("{} tries  {rate} tries", HumanCount(self.tries))
        } else {
            HumanCount(per_second(made, time)).to_string()
        };
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
    fn drop(&mut self) {
        self.line.finish_and_clear();
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

    #[test]
    fn a_resumed_run_is_as_fast_as_what_it_does_itself() {
        let began = Progress { items: 1_000_000, position: 82_000_000 };
        let run = BarState { began, last: began, end: Some(164_000_000), tries: 0 };
        assert_eq!(run.message(Duration::ZERO, 80), "1,000,000 puzzles  0/s");
        // Half of the rest in 10 s.
        let run = BarState { last: Progress { items: 1_500_000, position: 123_000_000 }, ..run };
        let message = |columns| run.message(Duration::from_secs(10), columns);
        assert_eq!(message(80), "1,500,000 puzzles  50,000/s  10s left");
        let line = run.line(Duration::from_secs(10));
        assert_eq!(line, "75 %  1,500,000 puzzles  50,000/s  10s left");
        assert_eq!(message(36), "1,500,000 puzzles  10s left");
        assert_eq!(message(40 - OTHERS), "1,500,000  10s left");
        let endless = BarState { end: None, ..run }.message(Duration::from_secs(10), 22);
        assert_eq!(endless, "1,500,000 puzzles");
        let last = Progress { items: 1_000_001, ..began };
        let rare = BarState { last, tries: 20_000, ..run }.message(Duration::from_secs(10), 80);
        assert_eq!(rare, "1,000,001 puzzles  20,000 tries  2,000 tries/s");
    }

    #[test]
    fn a_rate_is_rounded_and_never_divides_by_zero() {
        assert_eq!(per_second(3, Duration::from_secs(2)), 2);
        assert_eq!(per_second(1_000_000, Duration::from_millis(250)), 4_000_000);
        assert_eq!(per_second(0, Duration::ZERO), 0);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
