//! Measures an engine of your own beside two built-in ones, and prints the puzzles per second.
//!
//! ```text
//! cargo run --release -p ninefold-bench --example own_engine [SECONDS]
//! ```

use ninefold_bench::measure;
use ninefold_core::engine::{Branch, Engine, EngineKind, Visit};
use ninefold_core::puzzle::{Cell, DigitSet, Puzzle, Sukaku};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

/// Tries the candidates of the cell that has the fewest.
struct Mine;

impl Engine for Mine {
    fn search(&mut self, puzzle: &Puzzle, visit: &mut Visit, _: &mut Branch) {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => grid.into(),
            Puzzle::Sukaku(sukaku) => *sukaku,
        };
        let _ = search(sukaku, Cell::all().collect(), visit);
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

/// Measures the engine for this time. Every answer is checked.
fn measured(seconds: f64) -> Result<String, Box<dyn Error + Send + Sync>> {
    let easy = include_str!("../../../data/easy.txt").lines().filter(|line| !line.starts_with('#'));
    let puzzles = easy.map(str::parse).collect::<Result<Vec<_>, _>>()?;
    let engines: Vec<(&str, Box<dyn Engine>)> = vec![
        ("mine", Box::new(Mine)),
        ("dlx", EngineKind::Dlx.build()),
        ("lanes", EngineKind::Lanes.build()),
    ];
    measure(engines, [("easy", puzzles)], Duration::from_secs_f64(seconds))
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let seconds = std::env::args().nth(1).map_or(Ok(5.0), |text| text.parse())?;
    print!("{}", measured(seconds)?);
    Ok(())
}

#[test]
fn the_engine_is_measured() {
    let tables = measured(1.0).unwrap();
    for engine in ["mine", "dlx", "lanes"] {
        let rows = tables.lines().filter(|line| line.trim_start().starts_with(engine));
        let rows: Vec<_> = rows.collect();
        assert!(rows.len() == 1 && !rows[0].contains('<'), "{tables}");
    }
}
