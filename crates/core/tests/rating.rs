//! The Explainer rating against known values.

use ninefold_core::difficulty::{Rater, Rating, Score};
use ninefold_core::puzzle::{Grid, Random, parse};
use ninefold_core::symmetry::Isomorphism;
use std::{env, fs};

/// `puzzle,er,ep,ed,technique`: generated minimal puzzles. `SukakuExplainer` gives the same numbers.
const CASES: &str = include_str!("rating_cases.csv");

/// The score up to which the order of steps has no influence.
const LAST_FREE: Score = Score::Tenths(44);

fn rate(puzzle: &Grid) -> Rating {
    Rater::new().rate(puzzle)
}

fn cases() -> impl Iterator<Item = (&'static str, Grid, &'static str)> {
    CASES.lines().skip(1).map(|line| {
        let (puzzle, rating) = line.split_once(',').unwrap();
        (puzzle, parse::line(puzzle.as_bytes()).unwrap(), rating)
    })
}

#[test]
fn every_case_has_its_rating() {
    let mut rater = Rater::new();
    for (line, puzzle, expected) in cases() {
        assert_eq!(rater.rate(&puzzle).to_string(), expected, "{line}");
    }
}

/// A rater that forgets something would rate the second puzzle like the first.
#[test]
fn a_rating_does_not_depend_on_the_puzzles_before() {
    let (mut rater, puzzles) = (Rater::new(), cases().collect::<Vec<_>>());
    for (line, puzzle, expected) in puzzles.iter().rev() {
        assert_eq!(rater.rate(puzzle).to_string(), *expected, "{line}");
    }
}

/// Up to 4.4 the order of steps has no influence, so a transformed puzzle has the same rating.
#[test]
fn transformed_puzzles_have_the_same_rating_up_to_xyz_wings() {
    for (line, puzzle, _) in cases() {
        let rating = rate(&puzzle);
        for seed in 0..10 {
            let other = rate(&Isomorphism::random(&mut Random::new(seed)).apply(&puzzle));
            if rating.er <= LAST_FREE {
                assert_eq!(other, rating, "{line}, seed {seed}");
            }
            assert_eq!((other.ep, other.ed), (rating.ep, rating.ed), "{line}, seed {seed}");
        }
    }
}

/// The easiest step of all puts a 0.0 into no field.
#[test]
fn grids_without_blanks_and_without_clues_are_rated() {
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    assert_eq!(rate(&parse::line(full.as_bytes()).unwrap()).to_string(), "0.0,0.0,0.0,none");
    let last = full.replacen('5', ".", 1);
    assert_eq!(rate(&parse::line(last.as_bytes()).unwrap()).to_string(), "1.0,1.0,1.0,last-cell");
    assert_eq!(rate(&Grid::EMPTY).to_string(), ">6.2,>6.2,>6.2,chains");
}

/// Nothing is promised about their rating, but there is one.
#[test]
fn puzzles_without_a_single_solution_are_rated() {
    let mut random = Random::new(1);
    for (line, puzzle, _) in cases() {
        let mut values = *puzzle.values();
        for _ in 0..3 {
            values[random.below(81)] = u8::try_from(random.below(10)).unwrap();
        }
        let text: String = values.iter().map(|value| char::from(b'0' + value)).collect();
        let rating = rate(&parse::line(text.as_bytes()).unwrap());
        assert!(rating.ed <= rating.ep && rating.ep <= rating.er, "{line}: {rating}");
    }
}

/// Compares with a csv file `puzzle,er,ep,ed` that Explainer made. A header is skipped.
#[test]
#[ignore = "needs the path of a file in NINEFOLD_SE_SAMPLE"]
fn the_sample_of_explainer_is_rated_the_same() {
    let path = env::var("NINEFOLD_SE_SAMPLE").expect("the path of a csv file");
    let text = fs::read_to_string(path).expect("a readable file");
    let mut rater = Rater::new();
    let (mut equal, mut different) = (0, Vec::new());
    for line in text.lines().filter(|line| !line.starts_with("puzzle")) {
        let fields: Vec<_> = line.split(',').collect();
        let rating = rater.rate(&parse::line(fields[0].as_bytes()).unwrap());
        let expected = [1, 2, 3].map(|field| {
            let tenths = fields[field].replace('.', "").parse().unwrap();
            if tenths > Score::MOST_TENTHS { Score::Above } else { Score::Tenths(tenths) }
        });
        if [rating.er, rating.ep, rating.ed] == expected {
            equal += 1;
        } else {
            different.push(format!("{line}: {rating}"));
        }
    }
    let shown: Vec<_> = different.iter().take(20).collect();
    assert!(different.is_empty(), "{equal} equal, {} different: {shown:#?}", different.len());
}
