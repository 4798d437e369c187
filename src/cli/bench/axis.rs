//! The logarithmic axis of the charts of `bench`.

use super::numbers::short;

/// A logarithmic axis: powers of ten, and the pixels that these are. `start` may be greater than
/// `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithmic {
    lowest: f64,
    highest: f64,
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Logarithmic {
    /// An axis between powers of ten that holds all positive values.
    pub(super) fn new(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        logs.for_each(|log| (lowest, highest) = (log.min(lowest), log.max(highest)));
        if !lowest.is_finite() {
            (lowest, highest) = (0.0, 1.0);
        }
        let lowest = lowest.floor();
        Self { lowest, highest: highest.ceil().max(lowest + 1.0), start, end }
    }

    /// An axis that begins and ends with the lowest and the highest value.
    pub(super) fn between(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let ends = logs.fold(None, |ends: Option<(f64, f64)>, log| {
            Some(ends.map_or((log, log), |(low, high)| (low.min(log), high.max(log))))
        });
        let (lowest, highest) = ends.unwrap_or((0.0, 1.0));
        Self { lowest, highest: highest.max(lowest + f64::EPSILON), start, end }
    }

    /// The place of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let log = value.max(f64::MIN_POSITIVE).log10();
        let share = (log - self.lowest) / (self.highest - self.lowest);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The powers of ten, each with its name and place.
    pub(super) fn powers(&self) -> impl Iterator<Item = (String, f64)> {
        #[expect(clippy::cast_possible_truncation, reason = "powers of ten")]
        let powers = self.lowest as i32..=self.highest as i32;
        powers.map(|power| {
            let value = 10f64.powi(power);
            let name = short(value).replace(".00", "").replace(".0", "");
            (if value < 1.0 { format!("{value}") } else { name }, self.place(value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_holds_all_values_between_powers_of_ten() {
        let axis = Logarithmic::new([30.0, 2e6].into_iter(), 0.0, 60.0);
        assert_eq!((axis.place(10.0), axis.place(1e7), axis.place(1.0)), (0.0, 60.0, 0.0));
        assert!((axis.place(1e3) - 20.0).abs() < 1e-9);
        let names: Vec<_> = axis.powers().map(|(name, _)| name).collect();
        assert_eq!(names, ["10", "100", "1 k", "10 k", "100 k", "1 M", "10 M"]);
        let empty = Logarithmic::new(std::iter::empty(), 0.0, 1.0);
        assert_eq!(empty.powers().count(), 2);
        let small = Logarithmic::new([0.05].into_iter(), 0.0, 1.0);
        assert_eq!(small.powers().next().map(|(name, _)| name).as_deref(), Some("0.01"));
    }
}
