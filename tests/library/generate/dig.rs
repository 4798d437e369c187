//! What is made is what the plainest loop would make of the same random numbers.

use super::judge;
use ninefold::difficulty::Grade;
use ninefold::engine::Engine;
use ninefold::generate::{Made, Maker, Recipe, Symmetry, Task, full_grid};
use ninefold::puzzle::{CellSet, Grid, Random};

const SEED: u64 = 1;

fn maker(recipe: Recipe) -> Maker {
    Maker::new(recipe, SEED)
}

fn makes(recipe: &Recipe, count: u64) -> Vec<Option<Made>> {
    let mut maker = maker(recipe.clone());
    let task = |index| Task { index, attempt: 0, start: None };
    maker.make(&(0..count).map(task).collect::<Vec<_>>(), &|_| false)
}

/// One step after the other, one question each.
fn dig_plainly(
    solution: &Grid,
    steps: &[CellSet],
    floor: usize,
    holds: &mut dyn FnMut(&Grid) -> bool,
) -> Grid {
    let mut puzzle = *solution;
    for &step in steps {
        let less = judge::without(&puzzle, step);
        if less.clues() >= floor && holds(&less) {
            puzzle = less;
        }
    }
    puzzle
}

/// The first attempt at a puzzle that is as asked for.
fn make_plainly(recipe: &Recipe, index: u64, engine: &mut dyn Engine) -> (Grid, u64) {
    let minimal = recipe.minimal;
    for attempt in 0..recipe.attempts {
        let mut random = Random::of(recipe.seed(SEED), index, attempt);
        let solution = full_grid(&mut random);
        let mut steps = recipe.symmetry.orbits();
        random.shuffle(&mut steps);
        let floor = match &recipe.clues {
            Some(range) if !minimal => {
                range.start() + random.below(range.end() - range.start() + 1)
            }
            _ => 0,
        };
        let kept = recipe.grade.filter(|&grade| grade < Grade::Search && !minimal);
        let mut holds = |puzzle: &Grid| match kept {
            Some(kept) => judge::grade(puzzle) <= kept,
            None => judge::is_unique(engine, puzzle),
        };
        let puzzle = dig_plainly(solution.grid(), &steps, floor, &mut holds);
        let clues_fit = recipe.clues.as_ref().is_none_or(|range| range.contains(&puzzle.clues()));
        if clues_fit && recipe.grade.is_none_or(|grade| judge::grade(&puzzle) == grade) {
            return (puzzle, attempt);
        }
    }
    panic!("no attempt is as asked for");
}

#[test]
fn every_recipe_gives_what_the_plain_loop_gives() {
    let recipe = |change: fn(&mut Recipe)| {
        let mut recipe = Recipe { minimal: true, ..Recipe::default() };
        change(&mut recipe);
        recipe
    };
    let (clues, symmetry) = (Some(28..=31), Symmetry::Quarter);
    let quarter = Recipe { clues, symmetry, minimal: false, ..Recipe::default() };
    let recipes = [
        (20, recipe(|_| ())),
        (10, recipe(|it| (it.clues, it.minimal) = (Some(30..=30), false))),
        (10, recipe(|it| (it.clues, it.minimal) = (Some(22..=25), false))),
        (5, recipe(|it| it.clues = Some(22..=23))),
        (5, quarter),
        (5, recipe(|it| it.grade = Some(Grade::Search))),
        (20, recipe(|it| (it.grade, it.minimal) = (Some(Grade::Search), false))),
        (20, recipe(|it| (it.grade, it.minimal) = (Some(Grade::NakedSingles), false))),
        (20, recipe(|it| (it.grade, it.minimal) = (Some(Grade::Singles), false))),
        (5, recipe(|it| (it.grade, it.minimal) = (Some(Grade::LockedCandidates), false))),
        (2, recipe(|it| (it.grade, it.clues) = (Some(Grade::Singles), Some(20..=24)))),
    ];
    let minimal = |&symmetry: &Symmetry| (10, Recipe { symmetry, ..Recipe::default() });
    let symmetric = Symmetry::ALL.iter().map(minimal);
    let mut engine = judge::engine();
    for (count, recipe) in recipes.into_iter().chain(symmetric) {
        for (index, made) in (0..).zip(makes(&recipe, count)) {
            let made = made.expect("it can be made");
            let (puzzle, attempt) = make_plainly(&recipe, index, engine.as_mut());
            assert_eq!((made.puzzle, made.attempt), (puzzle, attempt), "{recipe:?}, {index}");
            assert_eq!(made.distance, 0);
        }
    }
}

/// Where nothing is as asked for, it is the nearest of all attempts, and of those the first.
#[test]
fn what_cannot_be_reached_is_approached() {
    let (clues, minimal, attempts) = (Some(17..=18), false, 60);
    let recipe = Recipe { clues, minimal, attempts, ..Recipe::default() };
    let free = Recipe { clues: None, attempts: 1, ..recipe.clone() };
    let mut maker = maker(free);
    for (index, made) in (0..3).zip(makes(&recipe, 3)) {
        let made = made.expect("some puzzle comes nearest");
        let first = |attempt| {
            let mut engine = judge::engine();
            let mut random = Random::of(recipe.seed(SEED), index, attempt);
            let solution = full_grid(&mut random);
            let mut steps = Symmetry::None.orbits();
            random.shuffle(&mut steps);
            let mut holds = |puzzle: &Grid| judge::is_unique(engine.as_mut(), puzzle);
            dig_plainly(solution.grid(), &steps, 17, &mut holds)
        };
        let all: Vec<_> = (0..attempts).map(first).collect();
        let fewest = all.iter().map(Grid::clues).min().unwrap();
        let place = all.iter().position(|puzzle| puzzle.clues() == fewest).unwrap();
        assert_eq!((made.puzzle, made.attempt), (all[place], place as u64));
        assert_eq!(made.distance, fewest - 18);
    }
    let task = Task { index: 0, attempt: 1, start: None };
    assert!(maker.make(&[task], &|_| false)[0].is_none());
}
