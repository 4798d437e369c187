//! The Explainer rating against known values.

use ninefold_core::difficulty::{Rater, Score};
use ninefold_core::puzzle::parse;
use std::fs;

/// Compares with a csv file `puzzle,er,ep,ed` that Explainer made.
#[test]
#[ignore = "needs the path of a file in NINEFOLD_SE_SAMPLE"]
fn the_sample_of_explainer_is_rated_the_same() {
    let path = std::env::var("NINEFOLD_SE_SAMPLE").expect("the path of a csv file");
    let text = fs::read_to_string(path).expect("a readable file");
    let mut rater = Rater::new();
    let (mut equal, mut different) = (0, Vec::new());
    for line in text.lines().skip(1) {
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
