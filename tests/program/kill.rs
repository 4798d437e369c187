//! The program is killed at random moments and goes on, again and again: nothing is lost and
//! nothing is written twice. Each run has another seed, so `.ci/full` runs it.

#![cfg(unix)]

use crate::support::{Folder, Lots, different, log_path, name, partial_path, reached};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Two of a hundred are comments: over 300,000 puzzles.
const LINES: usize = 307_000;
const KILLS: usize = 100;

/// When the program is killed, how often it was, and how often there was something to go on with.
struct Killer {
    lots: Lots,
    /// The most microseconds after its start.
    longest: u64,
    kills: usize,
    /// How many of them came after a checkpoint had been made.
    resumed: usize,
}

impl Killer {
    /// Starts a command again and again and kills it, until it comes to its end or has been killed
    /// often enough; then lets it come to its end. Gives what it wrote.
    fn run(&mut self, command: &dyn Fn() -> Child, output: &Path) -> Vec<u8> {
        let mut before = 0;
        loop {
            let mut child = command();
            if self.kills < KILLS {
                std::thread::sleep(Duration::from_micros(self.lots.below(self.longest)));
                child.kill().unwrap();
            }
            let status = child.wait().unwrap();
            if let Some(code) = status.code() {
                assert_eq!(code, 1, "the run is complete, and some puzzles have no solution");
                assert!(!partial_path(output).exists() && log_path(output).exists());
                return again(command, output);
            }
            self.kills += 1;
            if output.exists() {
                // Killed after the file had its name: what is left is to write the statistics.
                return again(command, output);
            }
            let now = reached(output);
            assert!(now >= before, "what was kept once is kept");
            self.resumed += usize::from(now > 0);
            // However fast the machine is: many kills for each file, and some way between them.
            self.longest = if now > before { self.longest * 9 / 10 } else { self.longest * 5 / 4 };
            before = now;
        }
    }
}

/// Starts the command twice more: it ends as the complete run did, and changes nothing.
fn again(command: &dyn Fn() -> Child, output: &Path) -> Vec<u8> {
    let records = fs::read(output).unwrap();
    for _ in 0..2 {
        assert_eq!(command().wait().unwrap().code(), Some(1), "as the run that was complete");
        assert!(fs::read(output).unwrap() == records);
    }
    records
}

fn ninefold(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(["solve", "-q", "--unique", "--resume", "--flush-interval", "0.003"]).args(words);
    command.stdin(Stdio::null()).spawn().unwrap()
}

#[test]
#[ignore = "its seed is the time"]
fn a_run_that_is_killed_again_and_again_writes_what_an_undisturbed_run_writes() {
    let folder = Folder::new();
    let mut killer = Killer { lots: Lots::printed(), longest: 60_000, kills: 0, resumed: 0 };
    let (text, records) = different(LINES);
    let input = folder.file("in.txt", text);
    let mut round = 0;
    while killer.kills < KILLS {
        let output = folder.path(&format!("out{round}.txt"));
        // A slow engine, so that a run lasts.
        let more = [&["-j1"][..], &["-j2"], &["-j2", "--no-mmap"], &["-j7"]][round % 4];
        let stats = folder.path(&format!("stats{round}.json"));
        let files = [name(&input), "-o", name(&output), "--stats-json", name(&stats)];
        let words = [&["--engine", "scan"], &files[..], more].concat();
        let bytes = killer.run(&|| ninefold(&words), &output);
        let Killer { kills, resumed, .. } = killer;
        assert!(bytes == records.as_bytes(), "round {round}, {kills} kills, {resumed} resumed");
        let stats: serde_json::Value = serde_json::from_slice(&fs::read(stats).unwrap()).unwrap();
        assert_eq!(stats["puzzles"], records.lines().count(), "round {round}");
        round += 1;
    }
    let Killer { kills, resumed, .. } = killer;
    println!("{kills} kills over {round} files, {resumed} after a checkpoint");
    assert!(resumed >= KILLS / 4, "only {resumed} kills of {kills} came after a checkpoint");
}
