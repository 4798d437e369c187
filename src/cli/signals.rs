//! Signal handling: a cancelled run in place of a process that ends at once. On Windows, the events of the
//! console are the signals: Ctrl-C, Ctrl-Break, and a closed window.

use super::exit::{Error, say};
use crate::pipeline::Cancel;
use crate::run;
use std::io;
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

/// The signals that cancel a run, and their names.
#[cfg(unix)]
const SIGNALS: [(i32, &str); 4] = {
    use signal_hook::consts;
    [
        (consts::SIGINT, "SIGINT"),
        (consts::SIGTERM, "SIGTERM"),
        (consts::SIGHUP, "SIGHUP"),
        (consts::SIGXCPU, "SIGXCPU"),
    ]
};
/// The events of a console, each with 1 added.
#[cfg(windows)]
const SIGNALS: [(i32, &str); 3] = [(1, "Ctrl-C"), (2, "Ctrl-Break"), (3, "the window was closed")];
#[cfg(not(any(unix, windows)))]
const SIGNALS: [(i32, &str); 0] = [];

/// The exit code of a signal, as shells have it: 128 and its number. Every event of a console counts as SIGINT.
fn exit_code(signal: i32) -> u8 {
    128 + if cfg!(windows) { 2 } else { u8::try_from(signal).unwrap_or(2) }
}

/// Whether this is SIGHUP, and `nohup` or another program has made this one ignore it: then it stays so.
#[cfg(unix)]
fn is_left(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    // Where this is not known, it ends the process.
    signal == signal_hook::consts::SIGHUP && ignored.is_none_or(|set| set & 1 == 1)
}

/// The signals that cancel a run.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    cancel: Cancel,
    /// The number of the one that came, or 0: on Windows that of the event, and 1.
    came: Arc<AtomicI32>,
    /// Whether the run has begun.
    has_begun: Arc<AtomicBool>,
    /// Whether the next one ends the process.
    armed: Arc<AtomicBool>,
    /// The time from the first one to the end of all searches.
    grace: Duration,
}

impl Signals {
    /// From now on a signal ends the process at once: the program may wait for the first bytes of a pipe, or for the
    /// reader of one. In a run, searches go on for `grace` after the first signal.
    pub(crate) fn prepare(grace: Duration) -> Self {
        let signals = Self { grace, ..Self::default() };
        #[cfg(any(unix, windows))]
        if let Err(error) = signals.install() {
            say(format_args!("ninefold: a signal cannot be handled: {error}"));
        }
        signals
    }

    /// From now on the first signal cancels the run, and gives up what is still being searched after the
    /// time of grace. The second ends the process at once, unless it
    /// follows within [`SAME_REQUEST`].
    pub(crate) fn run_begins(&self) {
        self.has_begun.store(true, Ordering::SeqCst);
    }

    #[cfg(unix)]
    fn install(&self) -> io::Result<()> {
        let handled: Vec<_> = SIGNALS.iter().map(|it| it.0).filter(|it| !is_left(*it)).collect();
        for &signal in &handled {
            let armed = Arc::clone(&self.armed);
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, armed)?;
        }
        let mut heard = signal_hook::iterator::Signals::new(handled)?;
        let signals = self.clone();
        let listen = move || {
            if let Some(signal) = heard.forever().next() {
                signals.hear(signal, signals.grace);
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }

    /// The system calls the handler on a new thread for each event.
    #[cfg(windows)]
    #[expect(unsafe_code, reason = "a system call that std does not have")]
    fn install(&self) -> io::Result<()> {
        use std::sync::OnceLock;
        use windows_sys::Win32::System::Console as console;
        /// When a window is closed, the system ends the process after 5 s.
        const CLOSING: Duration = Duration::from_secs(2);
        static SIGNALS: OnceLock<Signals> = OnceLock::new();
        unsafe extern "system" fn handle(event: u32) -> windows_sys::core::BOOL {
            let signals = SIGNALS.get().expect("it is set before the handler");
            let signal = event.cast_signed() + 1;
            let is_key = matches!(event, console::CTRL_C_EVENT | console::CTRL_BREAK_EVENT);
            if signals.armed.load(Ordering::SeqCst) {
                std::process::exit(exit_code(signal).into());
            }
            if signals.came.load(Ordering::SeqCst) == 0 {
                signals
                    .hear(signal, if is_key { signals.grace } else { signals.grace.min(CLOSING) });
            }
            // If this returns after a closed window, the system ends the process.
            if !is_key {
                loop {
                    thread::park();
                }
            }
            1
        }
        let _ = SIGNALS.set(self.clone());
        // SAFETY: the handler has the type that the system calls, touches no memory of others, and is never removed.
        let is_installed = unsafe { console::SetConsoleCtrlHandler(Some(handle), 1) } != 0;
        if is_installed { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// The first signal has come: what is still being searched after this time is given up.
    #[cfg(any(unix, windows))]
    fn hear(&self, signal: i32, grace: Duration) {
        self.came.store(signal, Ordering::SeqCst);
        if let (false, Some((name, code))) = (self.has_begun.load(Ordering::SeqCst), self.came()) {
            say(format_args!("ninefold: {name}: {}", run::Error::Stopped { puzzles: 0 }));
            std::process::exit(code.into());
        }
        self.cancel.request();
        let armed_at = Instant::now() + SAME_REQUEST;
        if grace < SAME_REQUEST {
            thread::sleep(grace);
            self.cancel.abandon();
        }
        thread::sleep(armed_at.saturating_duration_since(Instant::now()));
        self.armed.store(true, Ordering::SeqCst);
        thread::sleep(grace.saturating_sub(SAME_REQUEST));
        self.cancel.abandon();
    }

    /// The token that the first signal cancels the run with.
    pub(crate) const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The signal that came, if one did, and its exit code.
    pub(crate) fn came(&self) -> Option<(&'static str, u8)> {
        let signal = self.came.load(Ordering::SeqCst);
        // Windows has events for the end of a session, too.
        let name = |signal| SIGNALS.iter().find(|it| it.0 == signal).or(SIGNALS.last());
        let (_, name) = name(signal).filter(|_| signal != 0)?;
        Some((*name, exit_code(signal)))
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
