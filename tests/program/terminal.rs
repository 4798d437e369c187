//! What a run shows on a terminal, which `script` of util-linux makes.

use crate::support::Folder;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What is written to the terminal while this number of copies of a set is rated, each piece after its seconds; and the
/// seconds of all.
fn shown(copies: usize) -> (Vec<(f64, String)>, f64) {
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
        let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
        pieces.push((started.elapsed().as_secs_f64(), text));
    }
    assert!(script.wait().unwrap().success());
    (pieces, started.elapsed().as_secs_f64())
}

#[test]
fn a_bar_is_visible_while_a_long_run_goes_on() {
    // `10s left`, `2m left`.
    let is_bar = |text: &str| text.contains(" left");
    let (mut pieces, mut time) = shown(1);
    assert!(time >= 1.0 || !pieces.iter().any(|(_, text)| is_bar(text)), "{time}: {pieces:?}");
    let mut copies = 1;
    while time < 3.0 {
        copies *= 4;
        (pieces, time) = shown(copies);
    }
    let (mut visible, mut longest, mut before, mut is_visible) = (0.0, 0.0_f64, 0.0, false);
    for (at, text) in &pieces {
        visible += if is_visible { at - before } else { 0.0 };
        longest = longest.max(if is_visible { 0.0 } else { at - before });
        // What is behind the last clearing is on the line.
        is_visible = is_bar(text.rsplit("\u{1b}[2K").next().unwrap());
        before = *at;
    }
    assert!(visible >= 0.8 * time && longest < 1.0, "{visible} of {time}: {pieces:?}");
    assert!(!is_visible, "a bar is left: {pieces:?}");
}
