//! The lists of the project, each puzzle on a line.

pub const EASY: &str = include_str!("../../data/easy.txt");
pub const MINIMAL: &str = include_str!("../../data/minimal.txt");
pub const MULTIPLE: &str = include_str!("../../data/multiple.txt");
pub const NAMED: &str = include_str!("../../data/named.txt");
pub const NONE: &str = include_str!("../../data/none.txt");
pub const SEVENTEEN: &str = include_str!("../../data/bench/17-clues.txt");
pub const SUKAKU: &str = include_str!("../../data/bench/sukaku.txt");
pub const CASES: &str = include_str!("../data/cases.txt");
pub const EMPTIED: &str = include_str!("../data/emptied.txt");
