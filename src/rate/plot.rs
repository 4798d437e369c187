//! The chart of `rate --plot` and `verify --plot`: clues, effort and er of each input, over each other.

use super::scale::{BOUNDS, EffortBin, Er, bins, scores};
use crate::cli::plot::{Panel, file_name, render};
use crate::difficulty::Score;
use crate::run::{Clues, Countable, Counts};
use indicatif::HumanCount;
use ninefold_bench::svg::SERIES;
use std::num::NonZeroUsize;

/// The ends of the axis of `er`, in tenths: those of the scale of Sudoku Explainer.
const ER: std::ops::RangeInclusive<u8> = 10..=120;

/// The chart of these inputs. Efforts are means over `rated` shuffles; without them, only clues are drawn.
pub(crate) fn difficulty(inputs: &[(&str, &Counts)], rated: Option<NonZeroUsize>) -> String {
    let (mut total, together);
    let (title, inputs) = match inputs {
        [(name, _)] => (format!("Difficulty of {}", file_name(name)), inputs),
        [_, .., _] if inputs.len() <= SERIES => {
            (format!("Difficulty of {} collections", inputs.len()), inputs)
        }
        _ => {
            total = inputs.first().map(|(_, counts)| counts.zero()).unwrap_or_default();
            for (_, counts) in inputs {
                // The sum is that of the run.
                let _ = total.add(counts);
            }
            together = [("", &total)];
            (format!("Difficulty of {} inputs together", inputs.len()), &together[..])
        }
    };
    let mut panels = vec![clues(&counts_of::<Clues>(inputs))];
    if let Some(shuffles) = rated {
        let mut effort = effort(&counts_of::<EffortBin>(inputs));
        effort.title += &format!(
            ": mean guesses over {} shuffles, logarithmic axis",
            HumanCount(shuffles.get() as u64)
        );
        panels.extend([effort, er(counts_of::<Er>(inputs))]);
    }
    let names = inputs.iter().map(|(name, counts)| (file_name(name), counts.puzzles));
    render(&title, &names.collect::<Vec<_>>(), &panels)
}

/// The counts of a type, of each input.
fn counts_of<T: Countable>(inputs: &[(&str, &Counts)]) -> Vec<Vec<u64>> {
    inputs.iter().map(|(_, counts)| counts.all::<T>().to_vec()).collect()
}

/// Collections by the number of clues: their puzzles with 0, 1, … 81.
fn clues(counts: &[Vec<u64>]) -> Panel {
    let is_used = |clues: &usize| counts.iter().any(|it| it[*clues] > 0);
    let all = 0..counts.first().map_or(0, Vec::len);
    let first = all.clone().find(is_used).unwrap_or(0);
    let last = all.rev().find(is_used).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "up to 81")]
    let numbers: Vec<f64> = (first..=last).map(|it| it as f64).collect();
    Panel {
        title: "Clues".to_owned(),
        edges: [numbers[0] - 0.5].into_iter().chain(numbers.iter().map(|it| it + 0.5)).collect(),
        is_logarithmic: false,
        bins: numbers.iter().map(|it| format!("{it} clues")).collect(),
        ticks: numbers.iter().map(|it| (*it, it.to_string())).collect(),
        counts: counts.iter().map(|it| it[first..=last].to_vec()).collect(),
    }
}

/// Collections by effort: their puzzles in each of [`bins`].
fn effort(counts: &[Vec<u64>]) -> Panel {
    let is_used = |bin: &usize| counts.iter().any(|it| it[*bin] > 0);
    let used = (0..=BOUNDS.len()).rfind(is_used).map_or(1, |last| last + 1);
    #[expect(clippy::cast_precision_loss, reason = "up to 2,000")]
    let bounds: Vec<f64> = BOUNDS.iter().map(|&it| it as f64).chain([2000.0]).take(used).collect();
    // The first bin is that of 0 alone. Its width on the axis is that from 0 to 1.
    let ticks = bounds
        .iter()
        .zip(BOUNDS)
        .map(|(&bound, name)| (if name > 0 { bound } else { -0.3 }, HumanCount(name).to_string()));
    Panel {
        title: "Effort".to_owned(),
        edges: [-0.5].into_iter().chain(bounds.iter().copied()).collect(),
        is_logarithmic: true,
        bins: bins().into_iter().take(used).collect(),
        ticks: ticks.collect(),
        counts: counts.iter().map(|it| it[..used].to_vec()).collect(),
    }
}

/// Collections by er: their puzzles with each of [`scores`].
fn er(counts: Vec<Vec<u64>>) -> Panel {
    let at = |tenths: u8| f64::from(tenths) / 10.0;
    let drawn = Er(Score::Tenths(*ER.start())).place()..=Er(Score::Tenths(*ER.end())).place();
    let of = |counts: Vec<u64>| {
        let outside = counts.iter().sum::<u64>() - counts[drawn.clone()].iter().sum::<u64>();
        counts[drawn.clone()].iter().copied().chain([outside]).collect()
    };
    Panel {
        title: "ER of Sudoku Explainer 1.2.1: the hardest step".to_owned(),
        edges: ER.chain([ER.end() + 1]).map(|it| at(it) - 0.05).collect(),
        is_logarithmic: false,
        bins: scores().skip(*drawn.start()).take(ER.count()).map(|it| format!("er {it}")).collect(),
        ticks: ER.step_by(10).map(|it| (at(it), format!("{:.1}", at(it)))).collect(),
        counts: counts.into_iter().map(of).collect(),
    }
}
