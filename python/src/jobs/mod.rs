//! The questions about each row of an array, and the columns of their answers.
//!
//! A question is a function that makes a [`Question`](crate::arrow::Question) of its options. Without
//! `details`, the answer is the first column alone.

mod augment;
mod canonical;
mod isomorphism;
mod list;
mod neighbors;
mod puzzles;
mod rate;
mod solve;
mod split;
mod steps;
mod verify;

pub use augment::{apply, augment};
pub use canonical::{NO_MINLEX, canonical};
pub use isomorphism::isomorphism;
pub use list::solutions;
pub use neighbors::{minimize, neighbors};
pub use puzzles::{Entry, Malformed, Puzzles, parse};
pub use rate::{Rate, rate, unknown, values};
pub use solve::{count, is_unique, solve};
pub use split::{contains, first, keys, parts};
pub use steps::steps;
pub use verify::{Wrong, check, verify};

/// Columns of results, one list for each question.
///
/// Their names and types are those that the commands of the program declare. What differs is said here.
pub mod columns {
    use crate::arrow::{Kind, Shape};
    use ninefold::augment;
    use ninefold::canon;
    use ninefold::rate::{BACKDOOR_COLUMNS, MEASURE_COLUMNS};
    use ninefold::run::{self, Column};
    use ninefold::solve;
    use ninefold::steps;

    /// A column of a command.
    const fn of(column: Column) -> Shape {
        let kind = match column.kind {
            run::Kind::Whole => Kind::Number,
            run::Kind::Decimal => Kind::Float,
            run::Kind::Word | run::Kind::Text => Kind::Text,
        };
        Shape { name: column.name, kind }
    }

    /// A column of a command, whose texts are of the type of the input.
    const fn mirrored(column: Column, width: Option<usize>) -> Shape {
        Shape { name: column.name, kind: Kind::Mirrored(width) }
    }

    /// A column of a command with texts of the type of the input, of which a row has several.
    const fn copies(column: Column, width: Option<usize>) -> Shape {
        Shape { name: column.name, kind: Kind::Copies(width) }
    }

    /// Why there is no result. Objects of the program have this key, and its tables have no such column.
    const REASON: Shape = Shape { name: "reason", kind: Kind::Text };

    const STATUS: Shape = {
        let [status, _, _, _] = solve::COLUMNS;
        of(status)
    };

    /// Of `solve`.
    pub const SOLVE: &[Shape] = &{
        let [status, solutions, _, solution] = solve::COLUMNS;
        [mirrored(solution, Some(81)), of(status), of(solutions), REASON]
    };
    /// Of `canonical`.
    pub const CANONICAL: &[Shape] = &{
        let [status, _, form, automorphisms, map] = canon::COLUMNS;
        [mirrored(form, None), of(status), of(automorphisms), of(map), REASON]
    };
    /// Of `rate`.
    pub const RATE: &[Shape] = &{
        let [effort, effort_se, er, ep, ed, technique, grade] = MEASURE_COLUMNS;
        let [backdoor, backdoors] = BACKDOOR_COLUMNS;
        [
            of(effort),
            of(effort_se),
            of(er),
            of(ep),
            of(ed),
            of(technique),
            of(grade),
            of(backdoor),
            of(backdoors),
            STATUS,
            REASON,
        ]
    };

    /// A list of texts.
    const TEXTS: Kind = Kind::List(&Kind::Text);

    /// A step of `steps`: the columns of a table, with lists where a table has texts.
    const STEP: [Shape; 8] = {
        let [_, _, technique, score, cells, digits, eliminations, placement, chains, board, _] =
            steps::COLUMNS;
        [
            of(technique),
            of(score),
            Shape { name: cells.name, kind: TEXTS },
            Shape { name: digits.name, kind: Kind::List(&Kind::Number) },
            Shape { name: eliminations.name, kind: TEXTS },
            of(placement),
            Shape { name: chains.name, kind: Kind::List(&TEXTS) },
            of(board),
        ]
    };

    const fn steps_of(step: &'static Kind) -> [Shape; 3] {
        [Shape { name: "steps", kind: Kind::List(step) }, STATUS, REASON]
    }
    /// Of `steps`.
    pub const STEPS: &[Shape] = &steps_of(&Kind::Struct(STEP.split_at(7).0));
    /// Of `steps` with boards.
    pub const STEPS_WITH_BOARDS: &[Shape] = &steps_of(&Kind::Struct(&STEP));

    /// Of `augment`.
    pub const AUGMENT: &[Shape] = &{
        let [status, _, puzzle, solution, map] = augment::COLUMNS;
        [copies(puzzle, None), copies(solution, Some(81)), of(map), of(status), REASON]
    };

    // No command has these results: they are named as their functions are.

    /// Of `count`.
    pub const COUNT: &[Shape] = &[Shape { name: "count", kind: Kind::Number }, STATUS, REASON];
    /// Of `is_unique`.
    pub const UNIQUE: &[Shape] = &[Shape { name: "unique", kind: Kind::Flag }, STATUS, REASON];
    /// Of `solutions`.
    pub const SOLUTIONS: &[Shape] =
        &[Shape { name: "solutions", kind: Kind::List(&Kind::Mirrored(Some(81))) }, STATUS, REASON];
    /// Of `neighbors`.
    pub const NEIGHBORS: &[Shape] =
        &[Shape { name: "neighbors", kind: Kind::List(&Kind::Mirrored(Some(81))) }, STATUS, REASON];
    /// Of `minimize`.
    pub const MINIMIZE: &[Shape] =
        &[Shape { name: "minimal", kind: Kind::List(&Kind::Mirrored(Some(81))) }, STATUS, REASON];
    /// Of `isomorphism`.
    pub const ISOMORPHISM: &[Shape] = &[Shape { name: "map", kind: Kind::Text }, STATUS, REASON];
    /// Of `Isomorphism.apply`.
    pub const MAPPED: &[Shape] =
        &[Shape { name: "puzzle", kind: Kind::Mirrored(None) }, STATUS, REASON];
    /// Of `split`.
    pub const PART: &[Shape] = &[Shape { name: "part", kind: Kind::Text }];
    /// The key of a puzzle in a bank.
    pub const KEY: &[Shape] = &[Shape { name: "key", kind: Kind::Bytes }];
    /// Of `Bank.contains`.
    pub const CONTAINS: &[Shape] = &[Shape { name: "contains", kind: Kind::Flag }];
    /// Of `Bank.first`.
    pub const FIRST: &[Shape] = &[Shape { name: "first", kind: Kind::Number }];
    /// Of `verify`, which checks answers alone: what the command calls `answer_is`.
    pub const VERIFY: &[Shape] = &[Shape { name: "right", kind: Kind::Flag }, STATUS, REASON];
}
