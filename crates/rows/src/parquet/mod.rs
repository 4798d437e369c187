//! Parquet. Here: values of columns as fields of CSV, as `DuckDB` writes them, and back; and schemas as text, and back.
//!
//! ```text
//! table ── column ── pages ── file       what is read: rows of a row group ── values ── bytes decompressed ── bytes
//!             └───────┴─────── damage    what the decoder refuses, or panics at
//! ```

pub(crate) mod column;
pub(crate) mod damage;
pub(crate) mod file;
pub(crate) mod pages;
pub(crate) mod table;

use crate::input::LINE_ENDS;
use crate::output::push_csv_field;
use bytes::Bytes;
use half::f16;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::ParquetError;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type, TypePtr};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// A value of one of the eight physical types.
pub(crate) trait Value: Sized {
    /// Appends it as a field: see [`push`].
    fn push(&self, kind: Kind, is_exact: bool, line: &mut Vec<u8>);

    /// The value of a field, of this length if all have one; none if it is not one
    /// of the type. Values that are not text are written as they are stored.
    fn of_field(field: Bytes, kind: Kind, length: i32) -> Option<Self>;
}

/// Values whose fields the standard library reads.
macro_rules! parsed {
    ($($type:ty: |$value:ident, $kind:ident, $line:ident| $push:expr;)*) => {$(
        impl Value for $type {
            fn push(&self, $kind: Kind, _: bool, $line: &mut Vec<u8>) {
                let $value = *self;
                $push;
            }

            fn of_field(field: Bytes, _: Kind, _: i32) -> Option<Self> {
                str::from_utf8(&field).ok()?.parse().ok()
            }
        }
    )*};
}

parsed! {
    bool: |value, _kind, line| push_shown(format_args!("{value}"), line);
    i32: |value, kind, line| kind.push_integer(i64::from(value), 32, line);
    i64: |value, kind, line| kind.push_integer(value, 64, line);
    f32: |value, _kind, line| push_float(value, line);
    f64: |value, _kind, line| push_float(value, line);
}

impl Value for Int96 {
    fn push(&self, kind: Kind, _: bool, line: &mut Vec<u8>) {
        kind.push_int96(self.data(), line);
    }

    fn of_field(field: Bytes, _: Kind, _: i32) -> Option<Self> {
        let text = str::from_utf8(&field).ok()?;
        let word = |place: usize| u32::from_str_radix(text.get(8 * place..8 * place + 8)?, 16).ok();
        Some(Self::from(vec![word(0)?, word(1)?, word(2)?]))
    }
}

impl Value for ByteArray {
    fn push(&self, kind: Kind, is_exact: bool, line: &mut Vec<u8>) {
        kind.push_bytes(self.data(), is_exact, line);
    }

    fn of_field(bytes: Bytes, kind: Kind, _: i32) -> Option<Self> {
        if kind == Kind::Text || memchr::memchr(b'\\', &bytes).is_none() {
            return Some(bytes.into());
        }
        let mut plain = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let escape = bytes[at..].strip_prefix(b"\\x").and_then(|rest| rest.get(..2));
            let escape = escape.and_then(|digits| str::from_utf8(digits).ok());
            let byte = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            plain.push(byte.unwrap_or(bytes[at]));
            at += if byte.is_some() { 4 } else { 1 };
        }
        Some(plain.into())
    }
}

impl Value for FixedLenByteArray {
    fn push(&self, kind: Kind, is_exact: bool, line: &mut Vec<u8>) {
        (**self).push(kind, is_exact, line);
    }

    fn of_field(field: Bytes, kind: Kind, length: i32) -> Option<Self> {
        let bytes = ByteArray::of_field(field, kind, length)?;
        (i32::try_from(bytes.len()) == Ok(length)).then(|| bytes.into())
    }
}

/// What the values of a column mean, besides their physical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
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
    /// Bytes that are not said to be text: other than ASCII, and `\`, `"` and `'`, are escaped.
    Binary,
    /// 16 bytes.
    Uuid,
    /// 2 bytes.
    Half,
    /// As it is stored: integers and bytes.
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
    pub(crate) fn of(about: &ColumnDescriptor) -> Self {
        use parquet::basic::Type as Physical;
        let scaled = |scale| Self::Decimal(u32::try_from(scale).unwrap_or_default());
        match about.logical_type_ref() {
            Some(LogicalType::Integer(integer)) if !integer.is_signed => return Self::Unsigned,
            Some(LogicalType::Date) => return Self::Date,
            Some(LogicalType::Time(time)) => return Self::Time(units(time.unit)),
            Some(LogicalType::Timestamp(time)) => {
                return Self::Timestamp(units(time.unit), time.is_adjusted_to_u_t_c);
            }
            Some(LogicalType::Uuid) => return Self::Uuid,
            Some(LogicalType::Float16) => return Self::Half,
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) => return Self::Text,
            Some(LogicalType::Decimal(decimal)) => return scaled(decimal.scale),
            _ => {}
        }
        // Files of old writers have this alone.
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
            ConvertedType::DECIMAL => scaled(about.type_scale()),
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            _ => match about.physical_type() {
                Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => Self::Binary,
                _ => Self::Signed,
            },
        }
    }

    /// Appends an integer of `bits` bits.
    fn push_integer(self, value: i64, bits: u32, line: &mut Vec<u8>) {
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

    /// Appends a timestamp of 96 bits: nanoseconds of a day, and the Julian day.
    fn push_int96(self, value: &[u32], line: &mut Vec<u8>) {
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

    /// Appends bytes.
    fn push_bytes(self, value: &[u8], is_exact: bool, line: &mut Vec<u8>) {
        match self {
            Self::Uuid if value.len() == 16 => {
                for (place, byte) in value.iter().enumerate() {
                    let dash = if [4, 6, 8, 10].contains(&place) { "-" } else { "" };
                    push_shown(format_args!("{dash}{byte:02x}"), line);
                }
            }
            Self::Half if value.len() == 2 => {
                push_float(f16::from_le_bytes([value[0], value[1]]).to_f32(), line);
            }
            Self::Decimal(scale) if value.len() <= 16 => {
                let start = if value.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
                let number =
                    value.iter().fold(start, |number: i128, &byte| number << 8 | i128::from(byte));
                push_decimal(&number.to_string(), scale, line);
            }
            Self::Text => push(value, is_exact, line),
            _ => {
                let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !b"\\\"'".contains(byte);
                if value.iter().all(is_plain) {
                    return push(value, is_exact, line);
                }
                let mut text = Vec::new();
                for byte in value {
                    if is_plain(byte) {
                        text.push(*byte);
                    } else {
                        push_shown(format_args!("\\x{byte:02X}"), &mut text);
                    }
                }
                push(&text, is_exact, line);
            }
        }
    }
}

/// Appends a field of CSV. A value of no bytes is in quotation marks, if it is not that of a puzzle: a missing one
/// is not. For a line end there is its stand-in, or a space.
pub(crate) fn push(value: &[u8], is_exact: bool, line: &mut Vec<u8>) {
    let is_special = |byte: u8| !matches!(byte, b'!'..=b'~') | matches!(byte, b',' | b'"' | b'#');
    // A loop without early exit, for vectors.
    let is_plain = !value.iter().fold(false, |found, &byte| found | is_special(byte));
    if value.is_empty() {
        return line.extend_from_slice(if is_exact { b"\"\"" } else { b"" });
    }
    if is_plain {
        return line.extend_from_slice(value);
    }
    let start = line.len();
    push_csv_field(line, value);
    for byte in &mut line[start..] {
        if let Some((stand_in, _)) = LINE_ENDS.iter().find(|(_, end)| end == byte) {
            *byte = if is_exact { *stand_in } else { b' ' };
        }
    }
}

/// Appends a number with an exponent of two digits or more and a sign: `1e+300`, `1e-05`.
fn push_float(value: impl fmt::Debug, line: &mut Vec<u8>) {
    let start = line.len();
    push_shown(format_args!("{value:?}"), line);
    line[start..].make_ascii_lowercase();
    let Some(e) = line[start..].iter().position(|&byte| byte == b'e') else { return };
    let exponent = line.split_off(start + e + 1);
    let (sign, digits) = exponent.strip_prefix(b"-").map_or((b'+', &exponent[..]), |it| (b'-', it));
    line.push(sign);
    line.extend(digits.len().eq(&1).then_some(b'0'));
    line.extend_from_slice(digits);
}

/// Appends what is shown.
fn push_shown(shown: fmt::Arguments, line: &mut Vec<u8>) {
    line.write_fmt(shown).expect("memory takes all that is written to it");
}

/// A column of this name and type, whose values may be missing.
fn column_like(name: &str, like: &Type) -> Option<TypePtr> {
    let Type::PrimitiveType { basic_info, physical_type, type_length, scale, precision } = like
    else {
        return None;
    };
    let column = Type::primitive_type_builder(name, *physical_type)
        .with_repetition(Repetition::OPTIONAL)
        .with_length(*type_length)
        .with_precision(*precision)
        .with_scale(*scale);
    let column = match basic_info.logical_type_ref() {
        Some(logical) => column.with_logical_type(Some(logical.clone())),
        None => column.with_converted_type(basic_info.converted_type()),
    };
    column.build().ok().map(Arc::new)
}

/// The schema of a column, alone in a message, in the text form of Parquet. A type that this form does
/// not have becomes text.
pub(crate) fn schema_of(about: &ColumnDescriptor) -> Option<String> {
    let column = column_like("column", about.self_type())?;
    let message = Type::group_type_builder("schema").with_fields(vec![column]).build().ok()?;
    let mut text = Vec::new();
    parquet::schema::printer::print_schema(&mut text, &message);
    let text = String::from_utf8(text).ok()?;
    parse_message_type(&text).is_ok().then_some(text)
}

/// The column of this name whose schema is this text.
pub(crate) fn column_of(name: &str, schema: &str) -> Result<TypePtr, ParquetError> {
    let message = parse_message_type(schema)?;
    let column = message.get_fields().first().and_then(|like| column_like(name, like));
    column.ok_or_else(|| ParquetError::General("no column".to_owned()))
}

/// A field of a schema.
pub(crate) struct TableColumn {
    pub(crate) name: String,
    /// Its number among the leaves of the schema, or its type if it is nested.
    pub(crate) leaf: Result<usize, &'static str>,
}

/// The fields of a schema, in their order.
pub(crate) fn columns_of(schema: &SchemaDescriptor) -> Vec<TableColumn> {
    let fields = schema.root_schema().get_fields().iter().enumerate();
    let columns = fields.map(|(place, field)| {
        let leaf = (0..schema.num_columns()).position(|it| schema.get_column_root_idx(it) == place);
        let info = field.get_basic_info();
        let repeats = info.has_repetition() && info.repetition() == Repetition::REPEATED;
        let leaf = match info.converted_type() {
            _ if field.is_primitive() && !repeats => Ok(leaf.expect("it is one")),
            _ if field.is_primitive() => Err("a list"),
            ConvertedType::LIST => Err("a list"),
            ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => Err("a map"),
            _ => Err("a struct"),
        };
        TableColumn { name: field.name().to_owned(), leaf }
    });
    columns.collect()
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

/// An error of a writer is the one that it had.
pub(crate) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
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
        let numbers =
            [1e300, 1e16, 1e15, 1e-4, 1e-5, -1.5e-7, 5e-324, -0.0, f64::NAN, -f64::INFINITY];
        let texts = numbers.map(|value| {
            let mut line = Vec::new();
            value.push(Kind::Signed, false, &mut line);
            String::from_utf8(line).unwrap()
        });
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let expected = "1e+300 1e+16 1000000000000000.0 0.0001 1e-05 -1.5e-07 5e-324 -0.0 nan -inf";
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn bytes_are_escaped_as_duckdb_escapes_them() {
        let shown = |kind: Kind, value: &[u8]| {
            let mut line = Vec::new();
            kind.push_bytes(value, false, &mut line);
            String::from_utf8(line).unwrap()
        };
        assert_eq!(shown(Kind::Binary, b"53..7"), "53..7");
        assert_eq!(shown(Kind::Binary, b"a\xff b"), "a\\xFF b");
        let quoted = shown(Kind::Binary, "'é,\\\"\n".as_bytes());
        assert_eq!(quoted, r#""\x27\xC3\xA9,\x5C\x22\x0A""#);
        assert_eq!(shown(Kind::Text, b"say \"x\", y\n"), "\"say \"\"x\"\", y \"");
        assert_eq!(shown(Kind::Text, b"#1"), "\"#1\"");
        assert_eq!(shown(Kind::Decimal(1), &[0xff, 0x85]), "-12.3");
        assert_eq!(shown(Kind::Half, &[0x00, 0x3e]), "1.5");
        assert_eq!(shown(Kind::Half, &[0x00, 0xfc]), "-inf");
        assert_eq!(shown(Kind::Half, &[0x01, 0x00]), "5.9604645e-08");
        let uuid = shown(Kind::Uuid, &[0x12; 16]);
        assert_eq!(uuid, "12121212-1212-1212-1212-121212121212");
    }
}
