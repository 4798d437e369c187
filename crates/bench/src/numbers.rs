//! Numbers for people: three significant digits.
#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]

use indicatif::HumanCount;

/// `5,920,000`: rounded to three digits, thousands apart. Under 100, as many decimals as that leaves.
pub(crate) fn three_digits(number: f64) -> String {
    if !number.is_finite() || number == 0.0 {
        return if number == 0.0 { "0" } else { "–" }.to_owned();
    }
    let unit = 10f64.powf(number.abs().log10().floor() - 2.0);
    let rounded = (number / unit).round() * unit;
    let decimals = match rounded {
        r if r >= 100.0 => return HumanCount(rounded.round() as u64).to_string(),
        r if r >= 10.0 => 1,
        r if r >= 1.0 => 2,
        r if r >= 0.1 => 3,
        _ => 4,
    };
    format!("{rounded:.decimals$}")
}

/// `12 %`; under ten, with a decimal. Less than a tenth is `<0.1 %`.
pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.1 => "<0.1 %".to_owned(),
        percent if percent > 0.0 && percent < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_kept() {
        type Show = fn(f64) -> String;
        let cases: [(Show, f64, &str); 15] = [
            (three_digits, 5_923_456.0, "5,920,000"),
            (three_digits, 999_600.0, "1,000,000"),
            (three_digits, 139.4, "139"),
            (three_digits, 99.96, "100"),
            (three_digits, 16.94, "16.9"),
            (three_digits, 0.5678, "0.568"),
            (three_digits, 0.01234, "0.0123"),
            (three_digits, 0.0, "0"),
            (three_digits, f64::NAN, "–"),
            (percent, 0.0123, "1.2 %"),
            (percent, 0.5, "50 %"),
            (percent, 1e-6, "<0.1 %"),
            (percent, 0.0005, "<0.1 %"),
            (percent, 0.0012, "0.1 %"),
            (percent, 0.0, "0 %"),
        ];
        for (show, number, text) in cases {
            assert_eq!(show(number), text);
        }
    }
}
