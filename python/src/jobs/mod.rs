//! The questions about each row of an array, and the columns of their answers.
//!
//! A question is a function that makes a [`RowQuestion`](crate::arrow::RowQuestion) of its options. Without
//! `details`, the answer is the first column alone.

mod augment;
mod canonical;
mod neighbors;
mod puzzles;
mod rate;
mod solve;
mod split;
mod steps;
mod tokens;
mod verify;

pub(crate) use augment::{apply, augment};
pub(crate) use canonical::{NO_MINLEX, canonical, isomorphism};
pub(crate) use neighbors::{minimize, neighbors};
pub(crate) use rate::{push_measured, rate};
pub(crate) use solve::{count, is_unique, solutions, solve};
pub(crate) use split::{SharedBank, contains, first, keys, parts, read};
pub(crate) use steps::{push_steps, step_arrays, steps};
pub(crate) use tokens::{candidates, texts, tokens};
pub(crate) use verify::{Totals, check, score, verify};

/// Columns of results, one list for each question.
///
/// Their names and types are those that the commands of the program declare. What differs is said here.
pub(crate) mod columns {
    use crate::arrow::{ResultColumn, ResultKind};
    use ninefold::augment;
    use ninefold::canon;
    use ninefold::puzzle::Cell;
    use ninefold::rate::{BACKDOOR_COLUMNS, MEASURE_COLUMNS};
    use ninefold::run::{self, Column};
    use ninefold::solve;
    use ninefold::steps;
    use ninefold::verify::SCORE_COLUMNS;

    const fn column(name: &'static str, kind: ResultKind) -> ResultColumn {
        ResultColumn { name, kind }
    }

    /// A column of a command.
    const fn of(of: Column) -> ResultColumn {
        let kind = match of.kind {
            run::Kind::Whole => ResultKind::Number,
            run::Kind::Decimal => ResultKind::Float,
            run::Kind::Flag => ResultKind::Flag,
            run::Kind::Word | run::Kind::Status | run::Kind::Text | run::Kind::Puzzle => {
                ResultKind::Text
            }
            run::Kind::Lists(..) => panic!("the items of lists have a width here"),
        };
        column(of.name, kind)
    }

    /// Columns of a command.
    const fn all<const N: usize>(columns: [Column; N]) -> [ResultColumn; N] {
        let (mut found, mut place) = ([REASON; N], 0);
        while place < N {
            found[place] = of(columns[place]);
            place += 1;
        }
        found
    }

    /// A column of puzzles or solutions of a command.
    const fn text_of(of: Column) -> ResultColumn {
        column(of.name, ResultKind::Puzzle)
    }

    /// Why there is no result. Objects of the program have this key, and its tables have no such column.
    const REASON: ResultColumn = column("reason", ResultKind::Text);

    const STATUS: ResultColumn = of(solve::COLUMNS[0]);

    /// Of `solve`.
    pub(crate) const SOLVE: &[ResultColumn] = &{
        let [status, solutions, _, solution] = solve::COLUMNS;
        [text_of(solution), of(status), of(solutions), REASON]
    };
    /// Of `canonical`.
    pub(crate) const CANONICAL: &[ResultColumn] = &{
        let [status, _, form, automorphisms, map] = canon::COLUMNS;
        [text_of(form), of(status), of(automorphisms), of(map), REASON]
    };
    /// Of `rate`.
    pub(crate) const RATE: &[ResultColumn] = &{
        let [effort, effort_se, er, ep, ed, technique, grade] = all(MEASURE_COLUMNS);
        let [backdoor, backdoors] = all(BACKDOOR_COLUMNS);
        let (status, reason) = (STATUS, REASON);
        [effort, effort_se, er, ep, ed, technique, grade, backdoor, backdoors, status, reason]
    };

    /// A list of texts.
    const TEXTS: ResultKind = ResultKind::List(&ResultKind::Text);

    /// A step of `steps`: the columns of a table, with lists where a table has texts.
    const STEP: [ResultColumn; 8] = {
        let [_, _, technique, score, cells, digits, eliminations, placement, chains, board, _] =
            steps::COLUMNS;
        [
            of(technique),
            of(score),
            column(cells.name, TEXTS),
            column(digits.name, ResultKind::List(&ResultKind::Number)),
            column(eliminations.name, TEXTS),
            of(placement),
            column(chains.name, ResultKind::List(&TEXTS)),
            of(board),
        ]
    };

    /// A column that no command has, with status and reason.
    const fn with_status(name: &'static str, kind: ResultKind) -> [ResultColumn; 3] {
        [column(name, kind), STATUS, REASON]
    }

    /// Of `steps`.
    pub(crate) const STEPS: &[ResultColumn] =
        &with_status("steps", ResultKind::List(&ResultKind::Struct(STEP.split_at(7).0)));
    /// Of `steps` with boards.
    pub(crate) const STEPS_WITH_BOARDS: &[ResultColumn] =
        &with_status("steps", ResultKind::List(&ResultKind::Struct(&STEP)));

    /// Of `augment`.
    pub(crate) const AUGMENT: &[ResultColumn] = &{
        let [status, _, puzzle, solution, map] = augment::COLUMNS;
        [text_of(puzzle), text_of(solution), of(map), of(status), REASON]
    };

    /// Of `steps` as arrays: a list for each column, with an item for each step of a puzzle, or each elimination.
    pub(crate) const STEP_ARRAYS: &[ResultColumn] = &{
        const BYTES: ResultKind = ResultKind::List(&ResultKind::U8s(1));
        [
            column("technique", BYTES),
            column("cell", BYTES),
            column("digit", BYTES),
            column("elimination_counts", ResultKind::List(&ResultKind::U16s(1))),
            column("eliminations", ResultKind::List(&ResultKind::U8s(2))),
            column("boards", ResultKind::List(&ResultKind::U8s(Cell::COUNT))),
            column("candidates", ResultKind::List(&ResultKind::U16s(Cell::COUNT))),
        ]
    };

    // No command has these results: they are named as their functions are.

    /// Of `count`.
    pub(crate) const COUNT: &[ResultColumn] = &with_status("count", ResultKind::Number);
    /// Of `is_unique`.
    pub(crate) const UNIQUE: &[ResultColumn] = &with_status("unique", ResultKind::Flag);
    /// Of `solutions`.
    pub(crate) const SOLUTIONS: &[ResultColumn] =
        &with_status("solutions", ResultKind::List(&ResultKind::Puzzle));
    /// Of `neighbors`.
    pub(crate) const NEIGHBORS: &[ResultColumn] =
        &with_status("neighbors", ResultKind::List(&ResultKind::Puzzle));
    /// Of `minimize`.
    pub(crate) const MINIMIZE: &[ResultColumn] =
        &with_status("minimal", ResultKind::List(&ResultKind::Puzzle));
    /// Of `isomorphism`.
    pub(crate) const ISOMORPHISM: &[ResultColumn] = &with_status("map", ResultKind::Text);
    /// Of `Isomorphism.apply`.
    pub(crate) const MAPPED: &[ResultColumn] = &with_status("puzzle", ResultKind::Puzzle);
    /// Of `verify`, which checks answers alone: what the command calls `answer_is`.
    pub(crate) const VERIFY: &[ResultColumn] = &with_status("right", ResultKind::Flag);
    /// Of `evaluate`.
    pub(crate) const SCORE: &[ResultColumn] = &all(SCORE_COLUMNS);
    /// Of `split`.
    pub(crate) const PART: &[ResultColumn] = &[column("part", ResultKind::Text)];
    /// Of `tokens`.
    pub(crate) const TOKENS: &[ResultColumn] =
        &[column("tokens", ResultKind::U8s(Cell::COUNT)), REASON];
    /// Of `texts`.
    pub(crate) const TEXT: &[ResultColumn] = &[column("text", ResultKind::Text), REASON];
    /// Of `candidates`.
    pub(crate) const CANDIDATES: &[ResultColumn] =
        &with_status("candidates", ResultKind::U16s(Cell::COUNT));
    /// The key of a puzzle in a bank.
    pub(crate) const KEY: &[ResultColumn] = &[column("key", ResultKind::Bytes), REASON];
    /// Of `Bank.contains`.
    pub(crate) const CONTAINS: &[ResultColumn] = &[column("contains", ResultKind::Flag)];
    /// Of `Bank.first`.
    pub(crate) const FIRST: &[ResultColumn] = &[column("first", ResultKind::Number)];
}
