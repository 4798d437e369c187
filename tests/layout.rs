//! The house rules that a program can check: which room may use which, where `unsafe` may
//! stand, that every module says what it is, and how long a file may be.

use std::fs;
use std::path::Path;

/// Rooms from the inside out: a file may use its own room and any room before it.
const ROOMS: [&str; 9] =
    ["puzzle", "input", "output", "engine", "verify", "batch", "generate", "bench", "cli"];

/// Files, or folders of files, that may opt out of the ban on `unsafe`.
const UNSAFE_ALLOWED: [&str; 2] = ["input/mapped.rs", "cli/lost_pages.rs"];

/// Over this, a file has two jobs.
const MOST_LINES: usize = 400;

/// Calls `check` with the path below `src` and the text of every source file.
fn each_source(mut check: impl FnMut(&str, &str)) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![src.clone()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
                check(&name, &fs::read_to_string(&path).unwrap());
                files += 1;
            }
        }
    }
    assert!(files > 20, "the sources were not found");
}

#[test]
fn imports_point_inward() {
    each_source(|path, text| {
        let Some(home) = ROOMS.iter().position(|room| path.starts_with(&format!("{room}/"))) else {
            assert!(!path.contains('/'), "{path}: this room is not in the list");
            return;
        };
        assert!(!text.contains("use crate::{"), "{path}: give each room its own `use` line");
        for room in &ROOMS[home + 1..] {
            for prefix in ["crate", "ninefold"] {
                let name = format!("{prefix}::{room}");
                assert!(!text.contains(&name), "{path} reaches out to {room}");
            }
        }
    });
}

#[test]
fn the_library_does_not_know_its_user() {
    each_source(|path, text| {
        if path.starts_with("cli/") {
            return;
        }
        for name in ["clap::", "indicatif::", "println!", "eprint", "process::exit"] {
            assert!(!text.contains(name), "{path} has {name}");
        }
    });
}

#[test]
fn unsafe_code_stands_in_the_files_that_are_listed() {
    each_source(|path, text| {
        let allowed = UNSAFE_ALLOWED.iter().any(|place| path.starts_with(place));
        let opts_out = text.replace("forbid(unsafe_code", "").contains("(unsafe_code");
        assert!(allowed || !opts_out, "{path} opts out of the ban on unsafe code");
    });
}

/// What nobody in the room can opt out of, not even by mistake. Of `input` and `engine/lanes`, some
/// files have to.
#[test]
fn every_room_without_unsafe_code_forbids_it() {
    each_source(|path, text| {
        let rooms = ROOMS.iter().filter(|&&room| !matches!(room, "input" | "engine" | "cli"));
        let mut heads = rooms.copied().chain(["engine/reference", "engine/mrv"]);
        let is_head = heads.any(|room| path == format!("{room}/mod.rs"));
        let forbids = text.contains("\n#![forbid(unsafe_code)]\n");
        assert!(forbids || !is_head, "{path} does not forbid unsafe code");
    });
}

#[test]
fn every_module_opens_with_what_it_is() {
    each_source(|path, text| assert!(text.starts_with("//! "), "{path} does not open with `//! `"));
}

#[test]
fn no_file_is_too_long() {
    each_source(|path, text| {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{path} has {lines} lines");
    });
}
