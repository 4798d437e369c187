//! How difficult a puzzle is: for a list of rules, for a player and for a search.
//!
//! ```text
//!            ┌──> Grade      which of three rules solve it             grade
//!  puzzle ───┼──> Rating     hardest technique, on players' scale      explainer
//!            ├──> Effort     guesses of a search, over shuffles        effort
//!            └──> Backdoor   cells whose digits let singles solve it   backdoor
//! ```
//!
//! | measure | question | depends on how the puzzle is written |
//! | --- | --- | --- |
//! | [`Grade`] | do naked singles, hidden singles or locked candidates solve it? | no |
//! | [`Rating`] | which technique of Sudoku Explainer 1.2.1 does it need? | hardly |
//! | [`Effort`] | how many guesses does a search make? | hardly: a mean over transformations |
//! | [`Backdoor`] | how few more digits let singles solve it? | no |
//!
//! All expect a puzzle with one solution. A [`Gauge`] takes the first three, or those that are asked for.

mod backdoor;
mod effort;
mod explainer;
mod gauge;
mod grade;
mod range;

pub use backdoor::{Backdoor, backdoors};
pub use effort::Effort;
pub use explainer::{
    Candidate, Inner, Node, Rater, Rating, Score, Step, Steps, Technique, next_step, rate,
};
pub use gauge::{Gauge, Measure, Measured};
pub use grade::Grade;
pub(crate) use grade::Grader;
pub use range::{EffortRange, ScoreRange};
