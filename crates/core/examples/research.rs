//! A research loop: minimal puzzles of random grids, one of each class of isomorphic puzzles, by clues.
//!
//! ```text
//! cargo run -p ninefold-core --release --example research -- 1000 7
//! ```

use ninefold_core::generate::{Maker, Recipe};
use ninefold_core::puzzle::{CellSet, Grid};
use ninefold_core::symmetry::Canon;
use std::collections::{BTreeMap, BTreeSet};

/// The canonical forms of `count` minimal puzzles, by their number of clues.
fn sample(count: usize, seed: u64) -> BTreeMap<usize, BTreeSet<Grid>> {
    let mut maker = Maker::new(Recipe::default(), seed);
    let (mut canon, mut classes) = (Canon::new(), BTreeMap::<_, BTreeSet<_>>::new());
    for made in maker.many(count).iter().flatten() {
        let form = canon.solution_minlex(&made.puzzle, &made.solution);
        classes.entry(CellSet::of_clues(&form.grid).len()).or_default().insert(form.grid);
    }
    classes
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|number| number.parse().ok());
    let (count, seed) = (numbers.next().unwrap_or(1000), numbers.next().unwrap_or(1));
    for (clues, forms) in sample(usize::try_from(count).expect("a number of puzzles"), seed) {
        println!(
            "{clues} clues: {} classes, the first {}",
            forms.len(),
            forms.first().expect("not empty")
        );
    }
}

#[test]
fn a_sample_is_minimal_and_its_seed_repeats_it() {
    let classes = sample(50, 1);
    assert_eq!(classes, sample(50, 1));
    assert_eq!(classes.values().map(BTreeSet::len).sum::<usize>(), 50);
    assert!(classes.values().flatten().all(|puzzle| ninefold_core::is_minimal(puzzle) == Ok(true)));
}
