//! An output appears under its name when it is complete, and replaces no file without --force.

use super::{assert_refused, ninefold, run_with, solve};
use crate::support::{EASY, Folder, SOLVED, log_path, name, new_log_path, partial_path};
use ninefold::output::{Mode, Sink};
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Stdio;

#[test]
fn what_an_earlier_run_left_is_not_lost_unasked() {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", EASY), folder.path("out.txt"));
    fs::write(partial_path(&path), "hours of work").unwrap();
    let left = format!("{}: an earlier run left {}", name(&path), name(&partial_path(&path)));
    fs::write(log_path(&path), "its log").unwrap();
    let run = solve(&[name(&input), "-o", name(&path)]);
    assert_refused(&run, &format!("{left}; --force begins anew, --resume continues"));
    assert_eq!(fs::read(partial_path(&path)).unwrap(), b"hours of work");
    assert_eq!(solve(&[name(&input), "--force", "-o", name(&path)]).code, Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{SOLVED}\n"));
}

/// One rule for all outputs of all commands.
#[test]
fn an_existing_file_is_replaced_with_force_alone() {
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    let path = folder.file("out", "precious");
    let generate = ["generate", "-n", "1", "--seed", "1"];
    let bench = ["bench", "--engines", "lanes", "--seconds", "0.2", name(&input)];
    let commands: [(&[&str], &[&str]); 4] = [
        (&["solve", name(&input)], &["-o", "--rejects", "--stats-json"]),
        (&["verify", name(&input)], &["-o", "--stats-json"]),
        (&generate, &["-o", "--stats-json"]),
        (&bench, &["--export", "--plot"]),
    ];
    for (command, options) in commands {
        for option in options {
            let run = |force: &[&str]| {
                let words = [command, &["-q", option, name(&path)], force].concat();
                run_with(ninefold().args(words), b"")
            };
            fs::write(&path, "precious").unwrap();
            assert_refused(&run(&[]), &format!("{}: exists; --force replaces it", name(&path)));
            assert_eq!(fs::read(&path).unwrap(), b"precious");
            assert_eq!(run(&["--force"]).code, Some(0), "{command:?} {option}");
            assert_ne!(fs::read(&path).unwrap(), b"precious", "{command:?} {option}");
            // What an earlier run left.
            fs::remove_file(&path).unwrap();
            fs::write(partial_path(&path), "hours of work").unwrap();
            let left = format!("an earlier run left {}", name(&partial_path(&path)));
            let message = format!("{}: {left}; --force begins anew", name(&path));
            assert_refused(&run(&[]), &message);
            assert_eq!(run(&["-f"]).code, Some(0), "{command:?} {option}");
            assert!(!partial_path(&path).exists());
        }
    }
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", EASY), folder.path("out.txt"));
    let mut sink = Sink::open(&path, Mode::New).unwrap();
    let run = solve(&[name(&input), "--force", "-o", name(&path)]);
    assert_refused(&run, &format!("{}: another run is writing it", name(&path)));
    let run = solve(&[name(&input), "-o", name(&path)]);
    let message = format!("{}: another run is writing {}", name(&path), name(&partial_path(&path)));
    assert_refused(&run, &message);
    sink.write(b"mine").unwrap();
    sink.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_what_they_mean() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let (input, target) = (folder.file("in.txt", EASY), folder.path("target.txt"));
    let (first, second) = (folder.path("first"), folder.path("second"));
    symlink("target.txt", &first).unwrap();
    symlink(&first, &second).unwrap();
    assert_eq!(solve(&[name(&input), "-o", name(&second)]).code, Some(0));
    assert_eq!(fs::read_to_string(&target).unwrap(), format!("{SOLVED}\n"));
    assert!(fs::symlink_metadata(&second).unwrap().is_symlink());
    // To nothing, by way of a second name of the same nothing: one file for two outputs.
    fs::remove_file(&target).unwrap();
    let run = solve(&[name(&input), "-o", name(&second), "--rejects", name(&target)]);
    let message = format!("{}: is also read, or written to, by this run", name(&target));
    assert_refused(&run, &message);
    let partial = partial_path(&target);
    let run = solve(&[name(&input), "-o", name(&target), "--rejects", name(&partial)]);
    let message = format!("{}: is also read, or written to, by this run", name(&partial));
    assert_refused(&run, &message);
    symlink("circle", folder.path("circle")).unwrap();
    assert_eq!(solve(&[name(&input), "-o", name(&folder.path("circle"))]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn an_input_is_not_the_partial_file_of_an_output_either() {
    let folder = Folder::new();
    let path = folder.path("out.txt");
    let input = folder.file("in.txt", EASY);
    let (partial, new_log) = (partial_path(&path), new_log_path(&path));
    for (other, link) in [&partial, &new_log].into_iter().flat_map(|at| [(at, true), (at, false)]) {
        if link {
            std::os::unix::fs::symlink(&input, other).unwrap();
        } else {
            fs::hard_link(&input, other).unwrap();
        }
        let run = solve(&[name(&input), "--force", "-o", name(&path)]);
        let needs = format!("{}: needs {}", name(&path), name(other));
        let message = format!("{needs}, which is also read, or written to, by this run");
        assert_refused(&run, &message);
        assert_eq!(fs::read_to_string(&input).unwrap(), EASY);
        fs::remove_file(other).unwrap();
    }
    let run = solve(&[name(&input), "-o", name(&path), "--stats-json", name(&new_log)]);
    let message = format!("{}: is also read, or written to, by this run", name(&new_log));
    assert_refused(&run, &message);
}

#[cfg(unix)]
#[test]
fn the_log_of_a_run_is_not_written_through_a_link() {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", EASY), folder.path("out.txt"));
    let precious = folder.file("precious", "precious");
    std::os::unix::fs::symlink(&precious, new_log_path(&path)).unwrap();
    assert_eq!(solve(&[name(&input), "-o", name(&path)]).code, Some(0));
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
}

#[cfg(unix)]
#[test]
fn a_device_and_a_named_pipe_are_written_directly() {
    let folder = Folder::new();
    let (input, pipe) = (folder.file("in.txt", EASY), folder.path("pipe"));
    assert_eq!(solve(&[name(&input), "-o", "/dev/null"]).code, Some(0));
    assert_eq!(solve(&[name(&input), "-o", "/dev/stdout"]).out, format!("{SOLVED}\n"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(solve(&[name(&input), "-o", name(&pipe)]).code, Some(0));
    assert_eq!(reader.join().unwrap(), format!("{SOLVED}\n"));
    assert!(!partial_path(&pipe).exists() && !partial_path("/dev/null".as_ref()).exists());
}

/// Others write to it, too: `{ echo before; ninefold …; echo after; } > file`.
#[cfg(target_os = "linux")]
#[test]
fn the_systems_names_for_standard_output_mean_standard_output() {
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        for option in ["-o", "--rejects", "--stats-json"] {
            let script = "{ echo before; \"$0\" \"$@\"; echo $?; } > out";
            let mut command = std::process::Command::new("sh");
            command.args(["-c", script, env!("CARGO_BIN_EXE_ninefold"), "solve", "-q"]);
            command.args([name(&input), option, path]).current_dir(folder.path(""));
            if option != "-o" {
                command.args(["--force", "-o", "records"]);
            }
            assert_eq!(run_with(&mut command, b"").code, Some(0));
            let out = fs::read_to_string(folder.path("out")).unwrap();
            assert!(out.starts_with("before\n") && out.ends_with("0\n"), "{path}: {out}");
            assert_eq!(out.contains(SOLVED), option == "-o");
        }
    }
    assert!(!partial_path(&folder.path("out")).exists());
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_a_partial_file_is_no_pipe_and_no_folder() {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", EASY), folder.path("out.txt"));
    let partial = partial_path(&path);
    let message = format!("{}: {} is no regular file", name(&path), name(&partial));
    for program in ["mkfifo", "mkdir"] {
        assert!(std::process::Command::new(program).arg(&partial).status().unwrap().success());
        for more in [&[][..], &["--force"], &["--resume"]] {
            let words = [&[name(&input), "-o", name(&path)], more].concat();
            assert_refused(&solve(&words), &message);
        }
        if program == "mkfifo" {
            fs::remove_file(&partial).unwrap();
        }
    }
}

/// A run without `-o` that did not come to its end cannot be continued.
#[cfg(target_os = "linux")]
#[test]
fn rejects_leave_nothing_of_a_run_that_cannot_be_resumed() {
    let folder = Folder::new();
    let (input, rejects) =
        (folder.file("in.txt", format!("{EASY}\n12\n").repeat(100)), folder.path("rejects"));
    let mut command = ninefold();
    command.args(["solve", "-q", name(&input), "--rejects", name(&rejects)]);
    command.stdin(Stdio::null()).stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    assert_eq!(command.status().unwrap().code(), Some(2));
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1, "the input");
    let run = solve(&[name(&input), "--rejects", name(&rejects)]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(fs::read_to_string(&rejects).unwrap().lines().count(), 200);
}

/// Of the names that stand beside a file while it is written, one is too long.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_cannot_begin_leaves_nothing() {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", EASY), folder.path(&"o".repeat(240)));
    let rejects = folder.path("rejects");
    let run = solve(&[name(&input), "-o", name(&path), "--rejects", name(&rejects)]);
    assert_refused(&run, &format!("{}: File name too long", name(&log_path(&path))));
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1, "the input");
}
