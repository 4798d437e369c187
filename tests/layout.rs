//! The house rules that a program can check: which room may use which, that no two files import
//! each other, where `unsafe` may stand, and that every module says what it is.
//!
//! ARCHITECTURE.md draws the rooms. Crate boundaries hold what they can; this holds the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the package `ninefold`, each with the rooms it may use besides itself. Every room
/// may use `ninefold-core`; that crate has no dependencies, so it can use none of these.
const ROOMS: [(&str, &[&str]); 13] = [
    ("pipeline", &[]),
    ("input", &[]),
    ("output", &[]),
    ("bulk", &["pipeline", "input", "output"]),
    ("solve", &["bulk", "pipeline", "input", "output"]),
    ("bank", &["bulk", "pipeline", "input"]),
    ("canon", &["bulk", "pipeline", "input", "output"]),
    ("verify", &["bank", "bulk", "pipeline", "input", "output"]),
    ("rate", &["bulk", "pipeline", "input", "output"]),
    ("select", &["bank", "bulk", "pipeline", "input", "output"]),
    ("generate", &["bulk", "pipeline", "input", "output"]),
    ("bench", &["bulk", "pipeline", "input", "output"]),
    (
        "cli",
        &[
            "bank", "bulk", "pipeline", "input", "output", "canon", "solve", "verify", "rate",
            "select", "generate", "bench",
        ],
    ),
];

/// Rooms that know no sudoku: they may not even use `ninefold-core`.
const KNOWS_NO_SUDOKU: [&str; 1] = ["pipeline"];

/// Files, or folders of files, that may opt out of the ban on `unsafe`.
const UNSAFE_ALLOWED: [&str; 8] = [
    "src/input/mapped.rs",
    "src/output/writeback.rs",
    "src/cli/lost_pages.rs",
    "src/cli/bench/foreign.rs",
    "crates/core/src/engine/lanes/",
    "python/src/arrow/stream.rs",
    "python/src/arrow/tests.rs",
    "python/src/module/capsule.rs",
];

/// Files that may import each other: a CPU level and the words of that level.
const CIRCLE_ALLOWED: &str = "crates/core/src/engine/lanes/";

/// A source file of the workspace.
struct Source {
    /// Its path from the workspace root, with `/`.
    path: String,
    /// Its crate and its module path: `["ninefold", "input", "chunk"]`.
    module: Vec<String>,
    text: String,
}

/// Every source file of the workspace, in order of paths. The program's files (`main.rs`, `cli`)
/// are a crate of their own, `program`.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let crates = [
        ("src", "ninefold"),
        ("crates/core/src", "ninefold_core"),
        ("python/src", "ninefold_python"),
    ];
    for (folder, name) in crates {
        let mut folders = vec![root.join(folder)];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    found.push(source(root, &root.join(folder), name, &path));
                }
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(found.len() > 50, "the sources were not found");
    found
}

fn source(root: &Path, folder: &Path, name: &str, path: &PathBuf) -> Source {
    let below = path.strip_prefix(folder).unwrap().with_extension("");
    let mut parts: Vec<_> = below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    let program = parts[0] == "main" || parts[0] == "cli";
    if matches!(&**parts.last().unwrap(), "mod" | "lib" | "main") {
        parts.pop();
    }
    parts.insert(0, if program { "program" } else { name }.to_owned());
    let path_from_root = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    Source { path: path_from_root, module: parts, text: fs::read_to_string(path).unwrap() }
}

impl Source {
    /// The code without comments and without its unit tests.
    fn code(&self) -> String {
        let text = self.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        let text = text.split("\n#[cfg(all(test").next().unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        // `pub(in crate::cli)` names who may use an item, and uses nothing.
        lines.collect::<Vec<_>>().join("\n").replace("pub(in crate::", "pub(in ")
    }

    /// The paths that the code names, each from the root of its crate.
    fn paths(&self) -> BTreeSet<Vec<String>> {
        let code = self.code();
        let mut found = BTreeSet::new();
        for start in ["crate::", "super::", "self::", "ninefold::", "ninefold_core::"] {
            for (at, _) in code.match_indices(start) {
                let before = code[..at].chars().next_back();
                if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                    expand(&code[at..], &mut Vec::new(), &mut found);
                }
            }
        }
        // `use child::Item;` names a child module without any of these.
        for (at, _) in code.match_indices("use ") {
            if code[..at].chars().next_back().is_none_or(char::is_whitespace) {
                let mut local = vec!["self".to_owned()];
                expand(&code[at + "use ".len()..], &mut local, &mut found);
            }
        }
        found.into_iter().filter_map(|path| self.absolute(path)).collect()
    }

    /// The names that the file passes on (`pub use`), each with the path it stands for.
    fn passed_on(&self) -> BTreeMap<String, Vec<String>> {
        let code = self.code();
        let mut found = BTreeSet::new();
        for (at, word) in code
            .match_indices("pub")
            .filter(|(at, _)| code[..*at].chars().next_back().is_none_or(char::is_whitespace))
        {
            let behind = &code[at + word.len()..];
            let behind = match behind.split_once(')') {
                Some((_, behind)) if code[at + word.len()..].starts_with('(') => behind,
                _ => behind,
            };
            if let Some(path) = behind.strip_prefix(" use ") {
                let absolute = path.starts_with("crate::") || path.starts_with("super::");
                let mut prefix = vec!["self".to_owned()];
                prefix.truncate(usize::from(!absolute && !path.starts_with("ninefold")));
                expand(path, &mut prefix, &mut found);
            }
        }
        let full = found.into_iter().filter_map(|path| self.absolute(path));
        full.filter_map(|path| Some((path.last()?.clone(), path))).collect()
    }

    /// A path as the code writes it, from the root of its crate.
    fn absolute(&self, path: Vec<String>) -> Option<Vec<String>> {
        let mut full = match &*path[0] {
            "crate" => vec![self.module[0].clone()],
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len() - 1].to_vec(),
            name => vec![name.to_owned()],
        };
        for part in path.into_iter().skip(1) {
            match &*part {
                "super" => drop(full.pop()),
                "self" => {}
                "crate" | "ninefold" | "ninefold_core" | "std" | "core" | "alloc" => return None,
                _ => full.push(part),
            }
        }
        Some(full)
    }
}

/// Adds the paths of `a::b::{c, d::e}` to `found`, each behind `prefix`.
fn expand(text: &str, prefix: &mut Vec<String>, found: &mut BTreeSet<Vec<String>>) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    loop {
        let name = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        let name: String = name.collect();
        at += name.len();
        if !name.is_empty() {
            prefix.push(name);
        }
        if let Some(rest) = text[at..].strip_prefix("::") {
            at += 2;
            if !rest.starts_with('{') {
                continue;
            }
            at += 1;
            // The parts between the braces, each behind what came before.
            loop {
                at += text[at..].len() - text[at..].trim_start().len();
                if text[at..].starts_with('}') || text[at..].is_empty() {
                    break;
                }
                let read = expand(&text[at..], prefix, found);
                at += read;
                let skipped = text[at..].find([',', '}']).unwrap_or(text[at..].len());
                at += skipped + usize::from(text[at + skipped..].starts_with(','));
            }
            at = (at + 1).min(text.len());
        } else if !text[at..].starts_with('!') {
            // A macro stands at the root of its crate, wherever it is written.
            found.insert(prefix.clone());
        }
        prefix.truncate(depth);
        return at;
    }
}

/// For each file, the files that it imports. A name that a `mod.rs` passes on comes from the file
/// that it is passed on from.
fn imports(sources: &[Source]) -> BTreeMap<&str, BTreeSet<&str>> {
    let modules: BTreeMap<_, _> = sources.iter().map(|it| (&it.module[..], it)).collect();
    let passed_on: BTreeMap<_, _> =
        sources.iter().map(|source| (&source.module[..], source.passed_on())).collect();
    // The module that a path leads to: the deepest on the way.
    let module_of = |mut path: Vec<String>| {
        for _ in 0..8 {
            let length =
                (1..=path.len()).rev().find(|&length| modules.contains_key(&path[..length]));
            let (module, rest) = path.split_at(length?);
            let onward = rest.first().and_then(|name| passed_on[module].get(name));
            match onward {
                Some(onward) => path = [&onward[..], &rest[1..]].concat(),
                None => return modules.get(module).copied(),
            }
        }
        None
    };
    let mut edges = BTreeMap::new();
    for source in sources {
        let own: BTreeSet<_> = passed_on[&source.module[..]].values().cloned().collect();
        let named = source.paths().into_iter().filter(|path| !own.contains(path));
        let files = named.filter_map(|path| Some(&*module_of(path)?.path));
        let files: BTreeSet<_> = files.filter(|file| *file != source.path).collect();
        edges.insert(&*source.path, files);
    }
    edges
}

#[test]
fn a_path_is_expanded_to_all_that_it_names() {
    let mut found = BTreeSet::new();
    let text = "crate::a::{self, b::C, d::{e, F}};";
    expand(text, &mut Vec::new(), &mut found);
    let found: Vec<_> = found.into_iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a::b::C", "crate::a::d::F", "crate::a::d::e", "crate::a::self"]);
}

/// The files that an import leads to, on whatever way.
fn reached<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>, start: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut todo) = (BTreeSet::new(), vec![start]);
    while let Some(next) = todo.pop() {
        todo.extend(edges[next].iter().filter(|file| seen.insert(**file)));
    }
    seen
}

#[test]
fn no_two_files_import_each_other() {
    let sources = sources();
    let edges = imports(&sources);
    let mut circles = Vec::new();
    for (file, targets) in &edges {
        let back = targets.iter().filter(|target| reached(&edges, target).contains(file));
        circles.extend(back.map(|target| format!("{file} -> {target}")));
    }
    circles.retain(|circle| circle.matches(CIRCLE_ALLOWED).count() < 2);
    assert!(circles.is_empty(), "imports in circles:\n{}", circles.join("\n"));
}

#[test]
fn a_room_uses_only_the_rooms_that_it_may() {
    for source in sources().iter().filter(|source| source.path.starts_with("src/")) {
        let Some(room) = source.path["src/".len()..].split_once('/').map(|(room, _)| room) else {
            continue;
        };
        let allowed = ROOMS.iter().find(|(name, _)| *name == room);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{room} is not in the list of rooms"));
        for path in source.paths() {
            let Some(used) = path.get(1).filter(|_| path[0] != "ninefold_core") else { continue };
            let is_room = ROOMS.iter().any(|(name, _)| name == used);
            let fits = used == room || allowed.contains(&&**used);
            assert!(!is_room || fits, "{} uses {}", source.path, path.join("::"));
        }
        if KNOWS_NO_SUDOKU.contains(&room) {
            let core = ["engine", "puzzle", "symmetry", "difficulty", "minimal", "Status"];
            let knows = |path: &Vec<String>| {
                path[0] == "ninefold_core" || path.get(1).is_some_and(|it| core.contains(&&**it))
            };
            let found = source.paths().into_iter().find(knows);
            assert!(found.is_none(), "{} knows sudoku: {found:?}", source.path);
        }
    }
}

#[test]
fn the_library_does_not_print_or_exit() {
    for Source { path, module, text } in sources() {
        if module[0] == "program" {
            continue;
        }
        for name in ["clap::", "indicatif::", "println!", "eprint", "process::exit"] {
            assert!(!text.contains(name), "{path} has {name}");
        }
    }
}

#[test]
fn unsafe_code_stands_in_the_files_that_are_listed() {
    for Source { path, text, .. } in sources() {
        let allowed = UNSAFE_ALLOWED.iter().any(|place| path.starts_with(place));
        let opts_out = text.replace("forbid(unsafe_code", "").contains("(unsafe_code");
        assert!(allowed || !opts_out, "{path} opts out of the ban on unsafe code");
    }
}

#[test]
fn every_module_opens_with_what_it_is() {
    for Source { path, text, .. } in sources() {
        assert!(text.starts_with("//! "), "{path} does not open with `//! `");
    }
}
