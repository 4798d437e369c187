//! Neighbors of puzzles, and minimal puzzles inside them.

use super::columns::{MINIMIZE, NEIGHBORS};
use super::puzzles::of_puzzles;
use crate::arrow::{ResultColumn, ResultValue, RowQuestion};
use ninefold::engine::{Bounds, EngineKind};
use ninefold::minimal::{Minimality, Minimizer};
use ninefold::minimize::{Outcome, Which};
use ninefold::neighbors::{Around, Neighbors};
use ninefold::puzzle::{Grid, Puzzle, Solution};

/// Lists puzzles for grids with one solution; whether there are more is said by the outcome.
type PuzzleLister = Box<dyn FnMut(&[Grid], &[Solution]) -> Vec<(Vec<Grid>, Outcome)> + Send>;

/// Lists all neighbors of each puzzle, in increasing order; only the minimal ones if `around` wants needed
/// clues alone.
pub(crate) fn neighbors(around: Around) -> RowQuestion {
    question(NEIGHBORS, "unique", move |bounds| {
        let mut search = Neighbors::new(around).with_bounds(bounds);
        let (mut minimality, mut engine) = (Minimality::new(), EngineKind::default().build());
        Box::new(move |grids, _| {
            let mut found: Vec<Vec<(Grid, Solution)>> = vec![Vec::new(); grids.len()];
            search.many(grids, &mut |place, grid, solution| found[place].push((*grid, *solution)));
            let list = |mut found: Vec<(Grid, Solution)>| {
                if around.needed {
                    let puzzles: Vec<_> = found.iter().map(|it| Puzzle::Grid(it.0)).collect();
                    let solutions: Vec<_> = found.iter().map(|it| it.1).collect();
                    let redundant = minimality.many_unique(engine.as_mut(), &puzzles, &solutions);
                    let mut redundant = redundant.iter();
                    found.retain(|_| redundant.next().is_some_and(|it| it.clues.is_empty()));
                }
                found.sort_unstable_by(|one, two| one.0.values().cmp(two.0.values()));
                (found.into_iter().map(|it| it.0).collect(), Outcome::Minimal)
            };
            found.into_iter().map(list).collect()
        })
    })
}

/// Lists minimal puzzles inside each puzzle.
pub(crate) fn minimize(which: Which) -> RowQuestion {
    question(MINIMIZE, "minimal", move |bounds| {
        let mut minimizer = Minimizer::new().with_bounds(bounds);
        if let Which::One(seed) = which {
            minimizer = minimizer.with_seed(seed);
        }
        Box::new(move |grids, solutions| which.inside(&mut minimizer, grids, solutions))
    })
}

/// Asks for a list of puzzles for each grid with one solution. `found`: the status of these rows.
fn question(
    columns: &'static [ResultColumn],
    found: &'static str,
    list: impl Fn(Bounds) -> PuzzleLister + Send + Sync + 'static,
) -> RowQuestion {
    let question = of_puzzles(columns, 64, Some(2), list, move |list, puzzles, table| {
        let unique = puzzles.grids.iter().zip(&puzzles.answers);
        let unique = unique.filter_map(|(grid, answer)| Some((*grid, *answer.solution()?)));
        let (grids, solutions): (Vec<_>, Vec<_>) = unique.unzip();
        let mut lists = list(&grids, &solutions).into_iter();
        puzzles.each(table, |number, table| {
            if number >= puzzles.grids.len() {
                let reason = "a sukaku has no clues that could be removed";
                return table.push_reason("sukaku", &reason);
            }
            let verdict = puzzles.verdict(number);
            if verdict.solution().is_none() {
                return table.push_reason(verdict.status().name(), &verdict);
            }
            let (grids, outcome) = lists.next().expect("one list for each unique grid");
            let lines: Vec<_> = grids.iter().map(|grid| grid.line(b'.')).collect();
            let list = lines.iter().map(|line| ResultValue::Text(line)).collect();
            let most = grids.len();
            let more = format_args!("more than {most} minimal puzzles");
            let (status, reason) = match outcome {
                Outcome::More => (Outcome::More.name(), ResultValue::Shown(&more)),
                _ => (found, ResultValue::None),
            };
            table.push(&[ResultValue::List(list), status.into(), reason]);
        });
    });
    RowQuestion { is_long: true, ..question }
}
