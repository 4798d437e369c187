//! The rating of Sudoku Explainer 1.2.1, and the steps of its solution.
//!
//! Explainer solves a puzzle like a patient player: each step uses the first hint of the easiest
//! technique that finds one, then starts again. A technique has a score.
//!
//! ```text
//!  step      1    2    3    4    5    6 …                 ED  score of step 1
//!  score    2.6  3.0  1.5  1.2  4.2  1.5 …                EP  maximum up to the first digit
//!            │         │         │
//!            ED = 2.6  EP = 3.0  ER = 4.2                 ER  maximum of all steps
//! ```
//!
//! # Why this is fast
//! A technique up to 4.4 (XYZ-wing) never loses a result to another one: what it would remove or
//! place, it or an easier technique still removes or places later. So for these techniques the
//! order of steps has no influence on the scores, only the set of allowed techniques has:
//!
//! ```text
//!  limit = 1.0                       a limit, once raised, stays
//!  repeat  use every technique up to the limit, all results at once, until none finds more
//!          raise the limit to the next technique that finds something
//! ```
//!
//! Above 4.4 this fails: a unique loop can vanish when one of its candidates does. These
//! techniques run only when all others are stuck, give one hint at a time, and search in
//! Explainer's order (blocks, columns, rows; sets of positions as ascending binary numbers;
//! loops sorted by score, then by type).
//!
//! Scores and order are those of `SukakuExplainer` (commit 362854e) with the techniques of version
//! 1.2.1, which is by Nicolas Juillerat. No code was taken over.

mod board;
mod chains;
mod exclusion;
mod few;
mod fish;
mod grave;
mod loop_hints;
mod loops;
mod ordered;
mod pattern;
mod rater;
mod score;
mod sets;
mod step;
mod steps;
mod tables;
mod techniques;
mod wings;

pub use rater::{Rater, rate};
pub use score::{Rating, Score, Technique};
pub use step::{Candidate, Inner, Node, Step};
pub use steps::{Steps, next_step};
