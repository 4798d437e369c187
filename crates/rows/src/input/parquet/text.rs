//! Values of a Parquet file as fields of CSV: as `DuckDB` writes them.

use super::super::marks;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::schema::types::ColumnDescriptor;
use std::fmt;
use std::io::Write;

/// What the values of a column mean, besides their physical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Signed integers.
    Signed,
    Unsigned,
    /// Digits behind the point.
    Decimal(u32),
    /// Days since 1970.
    Date,
    /// Since midnight; units in a second.
    Time(i64),
    /// Since 1970; units in a second, and whether they are UTC.
    Timestamp(i64, bool),
    /// UTF-8.
    Text,
    /// Bytes that are not said to be text.
    Binary,
    /// 16 bytes.
    Uuid,
    /// 2 bytes.
    Half,
    /// As it is stored: integers, and bytes of which those that are no letter, digit or sign are
    /// escaped.
    Stored,
}

/// Units in a second.
const fn units(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}

impl Kind {
    /// The kind of a column.
    pub(super) fn of(about: &ColumnDescriptor) -> Self {
        use parquet::basic::Type;
        if let Some(logical) = about.logical_type_ref() {
            match logical {
                LogicalType::Integer(integer) if !integer.is_signed => return Self::Unsigned,
                LogicalType::Date => return Self::Date,
                LogicalType::Time(time) => return Self::Time(units(time.unit)),
                LogicalType::Timestamp(time) => {
                    return Self::Timestamp(units(time.unit), time.is_adjusted_to_u_t_c);
                }
                LogicalType::Uuid => return Self::Uuid,
                LogicalType::Float16 => return Self::Half,
                LogicalType::String | LogicalType::Enum | LogicalType::Json => return Self::Text,
                LogicalType::Decimal(decimal) => {
                    return Self::Decimal(u32::try_from(decimal.scale).unwrap_or_default());
                }
                _ => {}
            }
        }
        match about.converted_type() {
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Self::Unsigned,
            ConvertedType::DATE => Self::Date,
            ConvertedType::TIME_MILLIS => Self::Time(1_000),
            ConvertedType::TIME_MICROS => Self::Time(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Self::Timestamp(1_000, true),
            ConvertedType::TIMESTAMP_MICROS => Self::Timestamp(1_000_000, true),
            ConvertedType::DECIMAL => {
                Self::Decimal(u32::try_from(about.type_scale()).unwrap_or_default())
            }
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            _ => match about.physical_type() {
                Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => Self::Binary,
                _ => Self::Signed,
            },
        }
    }

    /// Appends an integer of so many bits.
    pub(super) fn push_integer(self, value: i64, bits: u32, line: &mut Vec<u8>) {
        match self {
            Self::Unsigned if bits == 32 => {
                push_shown(format_args!("{}", value & 0xffff_ffff), line);
            }
            Self::Unsigned => push_shown(format_args!("{}", value.cast_unsigned()), line),
            Self::Decimal(scale) => push_decimal(&value.to_string(), scale, line),
            Self::Date => push_date(value, line),
            Self::Time(units) => push_time(value, units, line),
            Self::Timestamp(units, is_utc) => {
                let day = units.saturating_mul(SECONDS_OF_DAY);
                push_date(value.div_euclid(day), line);
                line.push(b' ');
                push_time(value.rem_euclid(day), units, line);
                line.extend_from_slice(if is_utc { b"+00" } else { b"" });
            }
            _ => push_shown(format_args!("{value}"), line),
        }
    }

    /// Appends bytes.
    pub(super) fn push_bytes(self, value: &[u8], is_marked: bool, line: &mut Vec<u8>) {
        match self {
            Self::Uuid if value.len() == 16 => {
                for (place, byte) in value.iter().enumerate() {
                    let dash = if [4, 6, 8, 10].contains(&place) { "-" } else { "" };
                    push_shown(format_args!("{dash}{byte:02x}"), line);
                }
            }
            Self::Half if value.len() == 2 => {
                push_shown(format_args!("{:?}", half([value[0], value[1]])), line);
            }
            Self::Decimal(scale) if value.len() <= 16 => {
                let start = if value.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
                let number =
                    value.iter().fold(start, |number: i128, &byte| number << 8 | i128::from(byte));
                push_decimal(&number.to_string(), scale, line);
            }
            Self::Text => push(value, is_marked, line),
            Self::Stored if value.is_empty() => line.push(marks::NOTHING),
            _ if self != Self::Stored
                && str::from_utf8(value).is_ok_and(|text| !text.contains('\0')) =>
            {
                push(value, is_marked, line);
            }
            _ => {
                for byte in value {
                    if byte.is_ascii_graphic() && !b"\\,\"#".contains(byte) {
                        line.push(*byte);
                    } else {
                        push_shown(format_args!("\\x{byte:02X}"), line);
                    }
                }
            }
        }
    }
}

/// Appends a field of CSV. What a line cannot hold is marked, or is a space.
pub(super) fn push(value: &[u8], is_marked: bool, line: &mut Vec<u8>) {
    let is_plain = |byte: &u8| matches!(byte, b'!'..=b'~') && !b",\"#".contains(byte);
    if !value.is_empty() && value.iter().all(is_plain) {
        return line.extend_from_slice(value);
    }
    if value.is_empty() {
        return line.extend_from_slice(if is_marked { &[marks::NOTHING] } else { b"" });
    }
    let text = String::from_utf8_lossy(value);
    let value = text.as_bytes();
    let at_end = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t#".contains(byte));
    let is_quoted = at_end(value.first())
        || at_end(value.last())
        || value.iter().any(|byte| b",\"".contains(byte));
    if is_quoted {
        line.push(b'"');
    }
    let last = value.len() - 1;
    for (place, &byte) in value.iter().enumerate() {
        let is_line_end = matches!(byte, b'\n' | b'\r');
        let is_space = matches!(byte, b' ' | b'\t') && (place == 0 || place == last);
        match marks::mark_of(byte).filter(|_| is_marked && (is_line_end || is_space)) {
            Some(mark) => line.push(mark),
            None if is_line_end => line.push(b' '),
            None if byte == b'"' => line.extend_from_slice(b"\"\""),
            None => line.push(byte),
        }
    }
    if is_quoted {
        line.push(b'"');
    }
}

/// Appends what is shown.
pub(super) fn push_shown(shown: fmt::Arguments, line: &mut Vec<u8>) {
    line.write_fmt(shown).expect("memory takes all that is written to it");
}

impl Kind {
    /// Appends a timestamp of 96 bits: nanoseconds of a day, and the Julian day.
    pub(super) fn push_int96(self, value: &[u32], line: &mut Vec<u8>) {
        /// The Julian day of 1970-01-01.
        const FIRST_DAY: i64 = 2_440_588;
        if self == Self::Stored {
            return value.iter().for_each(|word| push_shown(format_args!("{word:08x}"), line));
        }
        let nanoseconds = i64::from(value[0]) | i64::from(value[1]) << 32;
        push_date(i64::from(value[2]) - FIRST_DAY, line);
        line.push(b' ');
        push_time(nanoseconds, 1_000_000_000, line);
    }
}

/// The schema of a column, alone in a message, in the text form of Parquet.
pub(super) fn schema_of(about: &ColumnDescriptor) -> Option<String> {
    use parquet::schema::types::Type;
    let Type::PrimitiveType { basic_info, physical_type, type_length, scale, precision } =
        about.self_type()
    else {
        return None;
    };
    let column = Type::primitive_type_builder("column", *physical_type)
        .with_repetition(parquet::basic::Repetition::OPTIONAL)
        .with_length(*type_length)
        .with_precision(*precision)
        .with_scale(*scale);
    let column = match basic_info.logical_type_ref() {
        Some(logical) => column.with_logical_type(Some(logical.clone())),
        None => column.with_converted_type(basic_info.converted_type()),
    };
    let column = std::sync::Arc::new(column.build().ok()?);
    let message = Type::group_type_builder("schema").with_fields(vec![column]).build().ok()?;
    let mut text = Vec::new();
    parquet::schema::printer::print_schema(&mut text, &message);
    let text = String::from_utf8(text).ok()?;
    // A type that the text form does not have becomes text.
    parquet::schema::parser::parse_message_type(&text).is_ok().then_some(text)
}

const SECONDS_OF_DAY: i64 = 86_400;

/// Appends the date of a day since 1970-01-01.
fn push_date(days: i64, line: &mut Vec<u8>) {
    // Howard Hinnant's civil_from_days: years begin in March, eras have 400 of them.
    const DAYS_OF_ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    push_shown(format_args!("{year:04}-{month:02}-{day:02}"), line);
}

/// Appends a time of the day, with the digits of a second that are not 0.
fn push_time(value: i64, units: i64, line: &mut Vec<u8>) {
    let (seconds, rest) = (value.div_euclid(units), value.rem_euclid(units));
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    push_shown(format_args!("{hours:02}:{minutes:02}:{:02}", seconds % 60), line);
    if rest > 0 {
        let digits = units.ilog10() as usize;
        let fraction = format!("{rest:0digits$}");
        push_shown(format_args!(".{}", fraction.trim_end_matches('0')), line);
    }
}

/// Appends a decimal number from its digits.
fn push_decimal(digits: &str, scale: u32, line: &mut Vec<u8>) {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let scale = (scale as usize).min(80);
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if scale == 0 { "" } else { "." };
    push_shown(format_args!("{sign}{whole}{point}{fraction}"), line);
}

/// A number of 16 bits.
fn half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, mantissa) = (bits >> 15 << 31, bits >> 10 & 0x1f, bits & 0x3ff);
    match exponent {
        0 => {
            // Multiples of 2^-24.
            let mantissa = u16::try_from(mantissa).expect("10 bits");
            let least = f32::from(mantissa) / 16_777_216.0;
            if sign == 0 { least } else { -least }
        }
        0x1f => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: Kind, value: i64) -> String {
        let mut line = Vec::new();
        kind.push_integer(value, 64, &mut line);
        String::from_utf8(line).unwrap()
    }

    #[test]
    fn values_are_written_as_duckdb_writes_them() {
        assert_eq!(shown(Kind::Date, 0), "1970-01-01");
        assert_eq!(shown(Kind::Date, -1), "1969-12-31");
        assert_eq!(shown(Kind::Date, 20_779), "2026-11-22");
        assert_eq!(shown(Kind::Date, 11_016), "2000-02-29");
        let micros = Kind::Timestamp(1_000_000, false);
        assert_eq!(shown(micros, 1_500_000), "1970-01-01 00:00:01.5");
        assert_eq!(shown(micros, -1), "1969-12-31 23:59:59.999999");
        assert_eq!(shown(Kind::Timestamp(1_000, true), 0), "1970-01-01 00:00:00+00");
        assert_eq!(shown(Kind::Time(1_000), 45_296_789), "12:34:56.789");
        assert_eq!(shown(Kind::Decimal(2), -5), "-0.05");
        assert_eq!(shown(Kind::Decimal(0), 17), "17");
        assert_eq!(shown(Kind::Unsigned, -1), u64::MAX.to_string());
    }

    #[test]
    fn bytes_are_text_if_they_can_be() {
        let shown = |kind: Kind, value: &[u8]| {
            let mut line = Vec::new();
            kind.push_bytes(value, false, &mut line);
            String::from_utf8(line).unwrap()
        };
        assert_eq!(shown(Kind::Binary, b"53..7"), "53..7");
        assert_eq!(shown(Kind::Binary, b"a\xff,"), "a\\xFF\\x2C");
        assert_eq!(shown(Kind::Text, b"say \"x\", y\n"), "\"say \"\"x\"\", y \"");
        assert_eq!(shown(Kind::Text, b"#1"), "\"#1\"");
        assert_eq!(shown(Kind::Decimal(1), &[0xff, 0x85]), "-12.3");
        assert_eq!(shown(Kind::Half, &[0x00, 0x3e]), "1.5");
        assert_eq!(shown(Kind::Half, &[0x00, 0xfc]), "-inf");
        let uuid = shown(Kind::Uuid, &[0x12; 16]);
        assert_eq!(uuid, "12121212-1212-1212-1212-121212121212");
    }
}
