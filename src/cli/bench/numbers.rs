//! Numbers for people: three significant digits.

use indicatif::HumanCount;

/// `5,920,000`: rounded to three digits, thousands apart. Under 100, as many decimals as that
/// leaves.
pub(super) fn three_digits(number: f64) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs().log10().floor();
    let unit = 10f64.powf(magnitude - 2.0);
    let rounded = (number / unit).round() * unit;
    if rounded >= 100.0 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        return HumanCount(rounded.round() as u64).to_string();
    }
    let decimals = match rounded {
        r if r >= 10.0 => 1,
        r if r >= 1.0 => 2,
        r if r >= 0.1 => 3,
        _ => 4,
    };
    format!("{rounded:.decimals$}")
}

/// `5,923,456`, and with a decimal below 1,000: the numbers of a verdict are not rounded further.
pub(super) fn exact(number: f64) -> String {
    if number < 999.95 {
        return format!("{number:.1}");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    HumanCount(number.round() as u64).to_string()
}

/// `5.92 M`: three digits and a letter for the thousands.
pub(super) fn short(number: f64) -> String {
    let rounded = |divisor: f64| {
        let part = number / divisor;
        let decimals = if part >= 99.95 { 0 } else { usize::from(part < 9.995) + 1 };
        format!("{part:.decimals$}")
    };
    match number {
        n if n >= 999.5e6 => format!("{} G", rounded(1e9)),
        n if n >= 999.5e3 => format!("{} M", rounded(1e6)),
        n if n >= 999.5 => format!("{} k", rounded(1e3)),
        _ => rounded(1.0),
    }
}

/// `12.3 ms`: a time in seconds, with three digits.
pub(super) fn seconds(number: f64) -> String {
    match number {
        n if n >= 0.9995 => format!("{} s", three_digits(n)),
        n => format!("{} ms", three_digits(n * 1e3)),
    }
}

/// `3.21 MB`: a size, with three digits.
#[expect(clippy::cast_precision_loss, reason = "three digits of it are shown")]
pub(super) fn bytes(number: u64) -> String {
    format!("{} MB", three_digits(number as f64 / 1e6))
}

/// `12 %`; under one, with a decimal.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = usize::from(percent > 0.0 && percent < 9.95);
    format!("{percent:.decimals$} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept() {
        let cases = [
            (5_923_456.0, "5,920,000"),
            (999_600.0, "1,000,000"),
            (139.4, "139"),
            (99.96, "100"),
            (16.94, "16.9"),
            (1.0, "1.00"),
            (0.5678, "0.568"),
            (0.01234, "0.0123"),
            (0.0, "0"),
            (f64::NAN, "–"),
        ];
        for (number, text) in cases {
            assert_eq!(three_digits(number), text);
        }
    }

    #[test]
    fn letters_stand_for_thousands() {
        let cases = [
            (5_923_456.0, "5.92 M"),
            (999_600.0, "1.00 M"),
            (139_400.0, "139 k"),
            (59_012.0, "59.0 k"),
            (59.0, "59.0"),
            (5.6, "5.60"),
            (1.2e10, "12.0 G"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!([0.0123, 0.9999, 2.5].map(seconds), ["12.3 ms", "1.00 s", "2.50 s"]);
        assert_eq!(bytes(3_214_000), "3.21 MB");
    }

    #[test]
    fn shares_are_percents() {
        assert_eq!([0.0, 0.0123, 0.5, 1.0].map(percent), ["0 %", "1.2 %", "50 %", "100 %"]);
    }
}
