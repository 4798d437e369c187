//! Measures an engine of your own beside two built-in ones, and prints the puzzles per second.
//!
//! ```text
//! cargo run --release --example own_engine [SECONDS]
//! ```

use ninefold::bench::{List, Report, measure};
use ninefold::engine::{Engine, EngineKind, Visit};
use ninefold::puzzle::{Cell, DigitSet, Sukaku};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

/// Tries the candidates of the cell that has the fewest.
struct Mine;

impl Engine for Mine {
    fn each_solution_of(&mut self, sukaku: &Sukaku, visit: &mut Visit) {
        let _ = search(*sukaku, Cell::all().collect(), visit);
    }
}

/// Fills the cells that are open, and visits each solution. Breaks if `visit` does.
fn search(board: Sukaku, mut open: Vec<Cell>, visit: &mut Visit) -> ControlFlow<()> {
    let Some(next) = (0..open.len()).min_by_key(|&place| board.get(open[place]).len()) else {
        return visit(
            &board.singles().try_into().expect("a digit is out in all cells that see it"),
        );
    };
    let cell = open.swap_remove(next);
    board.get(cell).into_iter().try_for_each(|digit| {
        let mut board = board;
        board.set(cell, DigitSet::of(digit));
        for other in open.iter().filter(|other| cell.sees(**other)) {
            let mut candidates = board.get(*other);
            candidates.remove(digit);
            board.set(*other, candidates);
        }
        search(board, open.clone(), visit)
    })
}

/// Measures the engine for this time.
pub(crate) fn measured(seconds: f64) -> Result<Report, Box<dyn Error>> {
    let easy = include_str!("../data/easy.txt").lines().filter(|line| !line.starts_with('#'));
    let puzzles = easy.map(str::parse).collect::<Result<Vec<_>, _>>()?;
    let lists = vec![List::new("easy", "solved by naked singles", puzzles)];
    let engines: Vec<(&str, Box<dyn Engine>)> = vec![
        ("mine", Box::new(Mine)),
        ("dlx", EngineKind::Dlx.build()),
        ("lanes", EngineKind::Lanes.build()),
    ];
    Ok(measure(engines, lists, Duration::from_secs_f64(seconds))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(5.0), |text| text.parse())?;
    for row in &measured(seconds)?.rows {
        let rate = row.puzzles_per_second().map_or("?".to_owned(), |rate| format!("{rate:.0}"));
        println!("{} {}: {rate} puzzles/s", row.label, row.mode);
    }
    Ok(())
}
