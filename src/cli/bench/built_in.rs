//! The built-in lists. They are part of the program.

use clap::builder::{PossibleValue, PossibleValuesParser};

/// A built-in list.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltIn {
    pub(super) name: &'static str,
    /// A description of a few words.
    pub(super) about: &'static str,
    pub(super) text: &'static str,
}

/// The description of the list whose puzzles are not unique.
pub(super) const MULTIPLE: &str = "more than one solution";

/// The description of the list whose puzzles have no solution.
pub(super) const NONE: &str = "no solution";

/// All lists, about from easy to hard. `data/README.md` explains how they were made.
pub(super) const BUILT_IN: [BuiltIn; 7] = [
    BuiltIn {
        name: "easy",
        about: "fall to naked singles",
        text: include_str!("../../../data/easy.txt"),
    },
    BuiltIn {
        name: "minimal",
        about: "random, no clue can go",
        text: include_str!("../../../data/minimal.txt"),
    },
    BuiltIn {
        name: "17-clues",
        about: "as few clues as there can be",
        text: include_str!("../../../data/bench/17-clues.txt"),
    },
    BuiltIn {
        name: "hard",
        about: "the hardest of a million",
        text: include_str!("../../../data/bench/hard.txt"),
    },
    BuiltIn { name: "multiple", about: MULTIPLE, text: include_str!("../../../data/multiple.txt") },
    BuiltIn { name: "none", about: NONE, text: include_str!("../../../data/none.txt") },
    BuiltIn {
        name: "sukaku",
        about: "candidates, no clues",
        text: include_str!("../../../data/bench/sukaku.txt"),
    },
];

/// Takes the name of a list.
pub(super) fn names() -> PossibleValuesParser {
    let values = BUILT_IN.iter().map(|list| PossibleValue::new(list.name).help(list.about));
    PossibleValuesParser::new(values)
}
