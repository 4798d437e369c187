//! The checks of the room `verify` before judges that share nothing with them: another engine, a
//! brute-force removal of each clue, a textbook's rules cell by cell, a sort.
//!
//! The lists and the random numbers are the same in every run; what fails names its seed.

mod answers;
mod duplicates;
mod grades;
mod minimality;

use crate::support::Random;
use crate::support::lists::{EASY, MINIMAL, MULTIPLE, NAMED, NONE};
use ninefold::puzzle::Grid;

/// `count` in a release build; fewer in a debug build, which is 10 to 30 times slower.
const fn in_release(count: usize) -> usize {
    if cfg!(debug_assertions) { count / 40 } else { count }
}

/// Puzzles of the lists that have one solution.
fn good() -> Vec<Grid> {
    [EASY, MINIMAL, NAMED].into_iter().flat_map(crate::support::list).collect()
}

/// A good puzzle in another form: renamed, turned and moved.
fn changed_form(bases: &[Grid], random: &mut Random) -> Grid {
    crate::support::transformed_grid(&bases[random.below(bases.len())], random)
}
