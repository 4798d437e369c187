//! Puzzles of which no two are the same: one, with its digits named anew in every way.

use super::{LIGHT, NONE, SOLVED};
use std::fmt::Write;

/// The `number`-th way to give the nine digits other names: there are 362,880.
pub fn names(mut number: usize) -> [u8; 9] {
    let mut left: Vec<u8> = (b'1'..=b'9').collect();
    std::array::from_fn(|place| {
        let choices = 9 - place;
        let name = left.remove(number % choices);
        number /= choices;
        name
    })
}

pub fn renamed(grid: &str, names: [u8; 9]) -> String {
    let name = |c: char| c.to_digit(10).map_or(c, |digit| char::from(names[digit as usize - 1]));
    grid.chars().map(name).collect()
}

/// `lines` lines, of which no two have the same record, and their records with `--unique`: all
/// kinds of line ends, comments, puzzles without a solution and lines that are no puzzle.
pub fn different(lines: usize) -> (String, String) {
    let (mut text, mut records) = (String::new(), String::new());
    for line in 1..=lines {
        match line % 50 {
            7 => text.push_str("# a comment"),
            20 => {
                text.push_str(NONE);
                writeln!(records, "# line {line}: no solution").unwrap();
            }
            33 => {
                text.push_str("not a puzzle");
                let reason = "column 1: expected 1 to 9, '.' or '0', found 'n'";
                writeln!(records, "# line {line}: {reason}").unwrap();
            }
            _ => {
                text.push_str(&renamed(LIGHT, names(line)));
                writeln!(records, "{}", renamed(SOLVED, names(line))).unwrap();
            }
        }
        let end = if line % 3 == 0 { "\r\n" } else { "\n" };
        text.push_str(if line == lines { "" } else { end });
    }
    (text, records)
}

/// Numbers that look as if they were drawn by lot, the same for the same seed. After Steele, Lea
/// and Flood, "Fast splittable pseudorandom number generators" (2014).
pub struct Lots(pub u64);

impl Lots {
    /// From the seed `NINEFOLD_SEED`, or else from the time. The seed is printed, so that a failure can be repeated.
    pub fn printed() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let seed = std::env::var("NINEFOLD_SEED").map_or(since.as_secs(), |it| it.parse().unwrap());
        println!("NINEFOLD_SEED={seed}");
        Self(seed)
    }

    /// A number below this.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// One of these, by lot.
pub fn one_of<'a, T>(lots: &mut Lots, all: &'a [T]) -> &'a T {
    &all[usize::try_from(lots.below(all.len() as u64)).unwrap()]
}
