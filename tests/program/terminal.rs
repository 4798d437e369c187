//! What a run shows on a terminal, which `script` of util-linux makes.

use crate::support::Folder;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is written to the terminal while this number of copies of a set is rated, and when.
fn shown(copies: usize) -> (Vec<(Duration, String)>, Duration) {
    let folder = Folder::new();
    folder.file("p.txt", fs::read_to_string("data/minimal.txt").unwrap().repeat(copies));
    let command = format!("{} rate -j1 p.txt -o o.txt", env!("CARGO_BIN_EXE_ninefold"));
    let started = Instant::now();
    let mut script = Command::new("script");
    script.args(["-qefc", &command, "/dev/null"]).current_dir(folder.path("."));
    let mut script = script.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut pieces, mut bytes, mut screen) =
        (Vec::new(), [0; 4096], script.stdout.take().unwrap());
    while let Ok(read @ 1..) = screen.read(&mut bytes) {
        pieces.push((started.elapsed(), String::from_utf8_lossy(&bytes[..read]).into_owned()));
    }
    assert!(script.wait().unwrap().success());
    (pieces, started.elapsed())
}

#[test]
fn a_bar_is_visible_while_a_long_run_goes_on() {
    let (pieces, time) = shown(1);
    // `10s left`, `2m left`.
    let is_bar = |text: &str| text.contains(" left");
    let has_bar = pieces.iter().any(|(_, text)| is_bar(text));
    assert!(!has_bar || time >= Duration::from_secs(1), "{time:?}: {pieces:?}");
    let (pieces, time) = shown((3.0 / time.as_secs_f64()).ceil() as usize);
    let (mut visible, mut longest, mut last) = (Duration::ZERO, Duration::ZERO, None);
    let mut hidden_since = Duration::ZERO;
    for (at, text) in &pieces {
        visible += last.map_or(Duration::ZERO, |last| *at - last);
        longest = longest.max(if last.is_none() { *at - hidden_since } else { Duration::ZERO });
        // What is behind the last clearing is on the line.
        let is_visible = is_bar(text.rsplit("\u{1b}[2K").next().unwrap());
        hidden_since = if last.is_some() && !is_visible { *at } else { hidden_since };
        last = is_visible.then_some(*at);
    }
    assert!(visible >= time.mul_f64(0.8), "{visible:?} of {time:?}: {pieces:?}");
    assert!(longest < Duration::from_secs(1), "{longest:?}: {pieces:?}");
    assert!(last.is_none(), "a bar is left: {pieces:?}");
}
