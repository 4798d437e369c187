//! Arrays and streams of every type, of random contents, and damaged ones. `.ci/python` runs these
//! tests under valgrind, too.

use super::answer::answer;
use super::text::text_type;
use super::*;
use crate::jobs::{self, columns};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt16Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    FixedSizeListArray, LargeBinaryArray, LargeStringArray, NullArray, PrimitiveArray, StringArray,
    StringViewArray, StructArray, UInt8Array, make_array,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields};
use proptest::prelude::*;
use std::sync::Arc;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const TWO: &str =
    "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";

fn go_on(_: usize) -> bool {
    true
}

fn solve(details: bool) -> RowQuestion {
    if details { jobs::solve(2) } else { jobs::solve(2).without_details() }
}

fn verify() -> RowQuestion {
    jobs::verify().without_details()
}

/// Rows of all kinds.
fn rows() -> Vec<Option<&'static str>> {
    let clash = "55.......5.......................................................................";
    let rows = [EASY, "null", TWO, SOLVED, "", "53", "null", clash, EASY];
    rows.map(|row| Some(row).filter(|row| *row != "null")).to_vec()
}

/// The types of arrays.
const TYPES: usize = 12;

/// An array of rows of one of the types. Types of fixed size hold only texts of 81 bytes, and digits
/// only those that are grids: the others are null.
fn array(kind: usize, rows: &[Option<&str>]) -> ArrayRef {
    fn of_81(row: Option<&str>) -> Option<&str> {
        row.filter(|it| it.len() == 81)
    }
    fn keyed<K: arrow_array::types::ArrowDictionaryKeyType>(
        rows: &[Option<&str>],
        number: impl Fn(usize) -> K::Native,
    ) -> ArrayRef {
        // Each text twice, so that some values have no row.
        let mut values: Vec<_> = rows.to_vec();
        values.extend(rows);
        let keys = (0..rows.len()).map(|row| (row % 4 != 1).then(|| number(row)));
        let keys: PrimitiveArray<K> = keys.collect();
        Arc::new(DictionaryArray::new(keys, Arc::new(StringArray::from(values))))
    }
    let bytes = rows.iter().map(|row| row.map(str::as_bytes));
    let nulls = || Some(rows.iter().map(|row| of_81(*row).is_some()).collect::<NullBuffer>());
    let fixed = || rows.iter().flat_map(|row| of_81(*row).unwrap_or(SOLVED).bytes());
    match kind {
        0 => Arc::new(StringArray::from(rows.to_vec())),
        1 => Arc::new(LargeStringArray::from(rows.to_vec())),
        2 => Arc::new(StringViewArray::from_iter(rows)),
        3 => Arc::new(bytes.collect::<BinaryArray>()),
        4 => Arc::new(bytes.collect::<LargeBinaryArray>()),
        5 => Arc::new(bytes.collect::<BinaryViewArray>()),
        6 => {
            let bytes = Buffer::from_vec(fixed().collect::<Vec<_>>());
            Arc::new(FixedSizeBinaryArray::try_new(81, bytes, nulls()).unwrap())
        }
        7 => {
            let digit = |byte| if matches!(byte, b'1'..=b'9') { byte - b'0' } else { 0 };
            let digits = Arc::new(UInt8Array::from(fixed().map(digit).collect::<Vec<_>>()));
            let field = Arc::new(Field::new("cell", DataType::UInt8, false));
            Arc::new(FixedSizeListArray::new(field, 81, digits, nulls()))
        }
        8 => keyed::<Int8Type>(rows, |row| i8::try_from(row).unwrap()),
        9 => keyed::<UInt16Type>(rows, |row| u16::try_from(row).unwrap()),
        10 => keyed::<UInt64Type>(rows, |row| row as u64),
        _ => Arc::new(NullArray::new(rows.len())),
    }
}

/// The texts of a column, as utf8 has them.
fn texts(column: &ArrayColumn) -> Vec<Option<Vec<u8>>> {
    let text = |row| match column.row(row) {
        ArrayRow::Null => None,
        ArrayRow::Text(text) => Some(text.to_vec()),
        ArrayRow::Digits(digits) => {
            Some(digits.map(|it| if it == 0 { b'.' } else { b'0' + it }).to_vec())
        }
        ArrayRow::Length(found) => Some(vec![b'.'; found]),
    };
    (0..column.rows).map(text).collect()
}

/// The solution of a text by the library.
fn expected(text: Option<&[u8]>) -> Option<Vec<u8>> {
    let text = text?;
    let unique = std::str::from_utf8(text).is_ok_and(|it| ninefold::is_unique(it) == Ok(true));
    Some(if unique { ninefold::solve(text).unwrap().line().to_vec() } else { Vec::new() })
}

/// The answers of an array are those of its rows, one by one.
fn check_answers(array: &dyn Array, threads: usize) {
    let column = ArrayColumn::new(&array.to_data()).unwrap();
    let alone = answer(&solve(false), std::slice::from_ref(&column), threads, &go_on).unwrap();
    assert_eq!(alone.data_type(), &text_type(array.data_type()).unwrap());
    alone.to_data().validate_full().unwrap();
    let inputs = texts(&column);
    let mut found = texts(&ArrayColumn::new(&alone.to_data()).unwrap());
    let digits = matches!(array.data_type(), DataType::FixedSizeList(..));
    for text in found.iter_mut().flatten() {
        // No solution is 81 zeros.
        if digits && *text == [b'.'; 81] {
            text.clear();
        }
    }
    let wanted: Vec<_> = inputs.iter().map(|text| expected(text.as_deref())).collect();
    assert_eq!(found, wanted, "{}", array.data_type());

    let details = answer(&solve(true), &[column], threads, &go_on).unwrap();
    details.to_data().validate_full().unwrap();
    let details = details.as_struct();
    let statuses = details.column(1).as_string::<i32>();
    let solutions = ArrayColumn::new(&details.column(0).to_data()).unwrap();
    for (row, wanted) in wanted.iter().enumerate() {
        assert_eq!(details.is_null(row), wanted.is_none());
        assert_eq!(statuses.is_null(row), wanted.is_none());
        if let Some(wanted) = wanted {
            let is_null = solutions.row(row) == ArrayRow::Null;
            assert_eq!(is_null, wanted.is_empty());
            assert_eq!(statuses.value(row) == "unique", !wanted.is_empty());
            assert_eq!(details.column(3).is_null(row), !wanted.is_empty(), "a reason");
        }
    }
}

#[test]
fn every_type_has_the_answers_of_its_rows_and_so_has_every_slice() {
    let rows = rows();
    for kind in 0..TYPES {
        let array = array(kind, &rows);
        for start in [0, 1, 5, rows.len()] {
            for length in [0, 1, 3, rows.len()] {
                let length = length.min(rows.len() - start);
                check_answers(&array.slice(start, length), 1);
            }
        }
    }
}

/// A column sliced is the column of the slice.
#[test]
fn columns_are_sliced_as_arrays_are() {
    let rows = rows();
    for kind in 0..TYPES {
        let array = array(kind, &rows).slice(1, rows.len() - 1);
        let column = ArrayColumn::new(&array.to_data()).unwrap();
        let slice = ArrayColumn::new(&array.slice(2, 4).to_data()).unwrap();
        assert_eq!(texts(&column.slice(2..6)), texts(&slice), "{}", array.data_type());
    }
}

fn some_rows() -> impl Strategy<Value = Vec<Option<&'static str>>> {
    let easy = prop::sample::select(vec![EASY, TWO, SOLVED, "", "5", "x", &EASY[1..], "é"]);
    prop::collection::vec(prop::option::of(easy), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_arrays_have_the_answers_of_their_rows(
        rows in some_rows(),
        kind in 0..TYPES,
        start in 0usize..60,
        length in 0usize..60,
        threads in 0usize..4,
    ) {
        let start = start.min(rows.len());
        let length = length.min(rows.len() - start);
        check_answers(&array(kind, &rows).slice(start, length), threads);
    }

    /// A stream in pieces has the rows of the whole, however it is cut.
    #[test]
    fn random_streams_have_the_answers_of_their_pieces(
        rows in some_rows(),
        kind in 0..TYPES,
        cuts in prop::collection::vec(0usize..60, 0..5),
        others in prop::collection::vec(0usize..60, 0..5),
    ) {
        let whole = array(kind, &rows);
        let input = || Input::new(Pieces::of(&whole, &cuts).stream()).unwrap();
        let chunks = |input| InputPieces::of_stream(input, vec![ColumnPick { name: None, usual: "puzzle" }]);
        let answers = ArrayAnswers::new(vec![chunks(input())], solve(false), 1, Box::new(go_on)).unwrap();
        let mut answers = Input::new(stream(answers.field(), Box::new(answers))).unwrap();
        let mut found = Vec::new();
        while let Some(data) = answers.next().transpose().unwrap() {
            prop_assert_eq!(data.data_type(), &text_type(whole.data_type()).unwrap());
            found.extend(texts(&ArrayColumn::new(&data).unwrap()));
        }
        let column = ArrayColumn::new(&whole.to_data()).unwrap();
        let direct = answer(&solve(false), &[column], 1, &go_on).unwrap();
        prop_assert_eq!(&found, &texts(&ArrayColumn::new(&direct.to_data()).unwrap()));

        // Each row with itself, in two streams that are cut differently.
        let other = Input::new(Pieces::of(&whole, &others).stream()).unwrap();
        let job = verify();
        let both = vec![chunks(input()), chunks(other)];
        let mut answers = ArrayAnswers::new(both, job, 1, Box::new(go_on)).unwrap();
        let mut count = 0;
        while let Some(data) = answers.next().transpose().unwrap() {
            count += data.len();
        }
        prop_assert_eq!(count, rows.len());
    }

    /// Wrong offsets, keys and views are errors, not faults.
    #[test]
    fn damaged_arrays_are_refused(
        numbers in prop::collection::vec(any::<i32>(), 8..9),
        small in prop::collection::vec(-3i32..20, 8..9),
        kind in 0..4,
    ) {
        for numbers in [&numbers, &small] {
            let bytes = Buffer::from_vec(vec![b'.'; 12]);
            let wide: Vec<i64> = numbers.iter().map(|&it| i64::from(it)).collect();
            let numbers = Buffer::from_vec(numbers.clone());
            let builder = |kind, rows| ArrayData::builder(kind).len(rows);
            let values = StringArray::from(vec!["a", "b"]).to_data();
            let key = Box::new(DataType::Int32);
            let builder = match kind {
                0 => builder(DataType::Utf8, 7).buffers(vec![numbers, bytes]),
                1 => builder(DataType::LargeBinary, 7).buffers(vec![Buffer::from_vec(wide), bytes]),
                2 => builder(DataType::Utf8View, 2).buffers(vec![numbers, bytes]),
                _ => builder(DataType::Dictionary(key, Box::new(DataType::Utf8)), 8)
                    .add_buffer(numbers)
                    .add_child_data(values),
            };
            #[expect(unsafe_code, reason = "damaged arrays cannot be made otherwise")]
            // SAFETY: the array is read by `ArrayColumn` alone, which checks it.
            let data = unsafe { builder.skip_validation(true) }.build().unwrap();
            if let Ok(column) = ArrayColumn::new(&data) {
                // Each row is a text within the buffers.
                for row in 0..column.rows {
                    if let ArrayRow::Text(text) = column.row(row) {
                        prop_assert!(text.len() <= 12);
                    }
                }
                let _ = answer(&solve(true), &[column], 1, &go_on);
            }
        }
    }
}

/// Fewer where each takes 50 times as long.
fn cases() -> u32 {
    std::env::var("NINEFOLD_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(200)
}

/// Pieces of an array; or an error, or a panic, after them.
struct Pieces {
    left: Vec<ArrayRef>,
    kind: DataType,
    then: fn() -> Result<Option<ArrayData>, ArrayError>,
}

impl Pieces {
    fn of(array: &ArrayRef, cuts: &[usize]) -> Self {
        let mut cuts: Vec<_> = cuts.iter().map(|&cut| cut.min(array.len())).collect();
        cuts.extend([0, array.len()]);
        cuts.sort_unstable();
        let mut pieces: Vec<_> =
            cuts.windows(2).map(|cut| array.slice(cut[0], cut[1] - cut[0])).collect();
        pieces.reverse();
        Self { left: pieces, kind: array.data_type().clone(), then: || Ok(None) }
    }

    fn stream(self) -> FFI_ArrowArrayStream {
        stream(Field::new("puzzle", self.kind.clone(), true), Box::new(self))
    }
}

impl Iterator for Pieces {
    type Item = Result<ArrayData, ArrayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.left.pop();
        next.map_or_else(|| (self.then)().transpose(), |piece| Some(Ok(piece.to_data())))
    }
}

fn pieces(then: fn() -> Result<Option<ArrayData>, ArrayError>) -> FFI_ArrowArrayStream {
    let pieces = Pieces::of(&array(0, &rows()), &[3]);
    Pieces { then, ..pieces }.stream()
}

#[test]
fn a_stream_may_be_released_at_any_time() {
    drop(FFI_ArrowArrayStream::empty());
    drop(pieces(|| Ok(None)));
    let mut input = Input::new(pieces(|| Ok(None))).unwrap();
    drop(input.next().transpose().unwrap());
    drop(input);
    let mut input = Input::new(pieces(|| Ok(None))).unwrap();
    let mut kept = Vec::new();
    while let Some(data) = input.next().transpose().unwrap() {
        kept.push(data);
    }
    assert!(input.next().transpose().unwrap().is_none(), "the end stays the end");
    drop(input);
    // Arrays outlive their stream.
    let arrays: Vec<_> = kept.into_iter().map(make_array).collect();
    assert_eq!(arrays.iter().map(Array::len).sum::<usize>(), rows().len());
    let error = Input::new(FFI_ArrowArrayStream::empty()).unwrap_err().to_string();
    assert_eq!(error, "the stream failed: it was already consumed");
}

#[test]
fn the_errors_of_a_stream_arrive_as_messages() {
    let message = |then| {
        let mut input = Input::new(pieces(then)).unwrap();
        input.next().transpose().unwrap();
        input.next().transpose().unwrap();
        let first = input.next().transpose().unwrap_err().to_string();
        assert_eq!(input.next().transpose().unwrap_err().to_string(), first, "and again");
        first
    };
    let text = message(|| Err(ArrayError::stream("no\0thing")));
    assert_eq!(text, "the stream failed: the stream failed: no\\0thing");
    assert!(message(|| Err(ArrayError::lengths(7, 8))).contains("7 and 8 rows"));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    assert!(message(|| panic!("a fault")).contains("please report"));
    std::panic::set_hook(hook);
}

/// A table of two columns, the puzzles in the second, and some rows null.
fn table() -> ArrayRef {
    let rows = rows();
    let names = StringArray::from_iter_values((0..rows.len()).map(|row| row.to_string()));
    let fields: Fields =
        ["name", "puzzle"].map(|it| Field::new(it, DataType::Utf8, true)).into_iter().collect();
    let nulls: NullBuffer = (0..rows.len()).map(|row| row != 3).collect();
    Arc::new(StructArray::new(fields, vec![Arc::new(names), array(0, &rows)], Some(nulls)))
}

#[test]
fn a_column_is_found_by_its_name() {
    let table = table().slice(1, 5);
    let pick = |name: Option<&str>| ColumnPick { name: name.map(str::to_owned), usual: "puzzle" };
    let column = pick(None).column(&table.to_data()).unwrap();
    let wanted: Vec<_> = rows()[1..6]
        .iter()
        .enumerate()
        .map(|(row, text)| text.filter(|_| row != 2).map(|text| text.as_bytes().to_vec()))
        .collect();
    assert_eq!(texts(&column), wanted, "the third row is null in the table");
    assert_eq!(texts(&pick(Some("puzzle")).column(&table.to_data()).unwrap()), wanted);
    let error = pick(Some("clue")).column(&table.to_data()).unwrap_err();
    assert_eq!(error.to_string(), r#"no column "clue"; the columns are "name", "puzzle""#);
    let other = ColumnPick { name: None, usual: "solution" };
    let error = other.text_type(table.data_type()).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"no column "solution"; name one of the columns "name", "puzzle""#
    );
    let error = pick(Some("puzzle")).column(&array(0, &rows()).to_data()).unwrap_err();
    assert_eq!(error.to_string(), "expected a table with columns, found an array of Utf8");
    let numbers = PrimitiveArray::<Int64Type>::from(vec![1]);
    let error = pick(None).column(&numbers.to_data()).unwrap_err().to_string();
    assert!(error.ends_with("read the column as text, not as Int64"), "{error}");
}

#[test]
fn inputs_of_different_lengths_are_refused() {
    let given = |rows: &[Option<&str>]| {
        let pick = ColumnPick { name: None, usual: "" };
        InputPieces::of_array(array(0, rows).to_data(), vec![pick], false)
    };
    let (all, rows) = (rows(), rows());
    let both = vec![given(&all), given(&rows[1..])];
    let mut answers = ArrayAnswers::new(both, verify(), 1, Box::new(go_on)).unwrap();
    let error = answers.only().unwrap_err().to_string();
    assert!(error.ends_with("found 9 and 8 rows"), "{error}");
    let both = vec![given(&rows[1..]), given(&all)];
    let mut answers = ArrayAnswers::new(both, verify(), 1, Box::new(go_on)).unwrap();
    let mut next = || answers.next().transpose();
    assert_eq!(next().unwrap().unwrap().len(), 8);
    assert!(next().unwrap_err().to_string().ends_with("found 8 and 9 rows"));
}

/// A wave ends when the pulse does.
#[test]
fn a_long_run_can_be_interrupted() {
    let blank = ".".repeat(81);
    let array = StringArray::from_iter_values(std::iter::repeat_n(&blank, 10_000));
    let column = ArrayColumn::new(&array.to_data()).unwrap();
    for threads in [1, 3] {
        let result = answer(&jobs::count(1000), std::slice::from_ref(&column), threads, &|_| false);
        assert!(matches!(result, Err(ArrayError::Interrupted)));
    }
}

#[test]
fn digits_above_9_are_malformed() {
    let mut digits = vec![0_u8; 162];
    digits[81 + 10] = 200;
    let column = ArrayColumn::new(&digits_array(digits.into(), "|u1", None).unwrap()).unwrap();
    let found = answer(&solve(true), &[column], 1, &go_on).unwrap();
    let reasons = found.as_struct().column(3).as_string::<i32>();
    assert_eq!(reasons.value(0), "more than one solution");
    assert_eq!(reasons.value(1), "row 2 column 2: expected 0 to 9, found 200");
    let solutions = found.as_struct().column(0).as_fixed_size_list().values();
    assert!(solutions.as_primitive::<UInt8Type>().values().iter().all(|&digit| digit == 0));
}

/// A row that is null in its table is null in the result, also where other rows have its value.
#[test]
fn rows_of_a_dictionary_can_be_null_in_the_table() {
    let keys = PrimitiveArray::<Int8Type>::from(vec![0, 0, 1]);
    let values = DictionaryArray::new(keys, Arc::new(StringArray::from(vec![EASY, "x"])));
    let fields: Fields = vec![Field::new("puzzle", values.data_type().clone(), true)].into();
    let nulls = NullBuffer::from(vec![true, false, true]);
    let table = StructArray::new(fields, vec![Arc::new(values)], Some(nulls)).to_data();
    let column = ColumnPick { name: None, usual: "puzzle" }.column(&table).unwrap();
    let found = answer(&solve(false), &[column], 1, &go_on).unwrap();
    found.to_data().validate_full().unwrap();
    let found = texts(&ArrayColumn::new(&found.to_data()).unwrap());
    assert_eq!(found, [Some(SOLVED.into()), None, Some(vec![])]);
}

/// The table of docs/python.md names the columns.
#[test]
fn the_columns_are_documented() {
    let guide = include_str!("../../../docs/python.md");
    for (function, columns) in [
        ("solve", columns::SOLVE),
        ("count", columns::COUNT),
        ("is_unique", columns::UNIQUE),
        ("solutions", columns::SOLUTIONS),
        ("neighbors", columns::NEIGHBORS),
        ("minimize", columns::MINIMIZE),
        ("canonical", columns::CANONICAL),
        ("isomorphism", columns::ISOMORPHISM),
        ("verify", columns::VERIFY),
        ("rate", columns::RATE),
    ] {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{function}_array` |")));
        let names: Vec<_> = columns.iter().map(|column| column.name).collect();
        assert!(row.unwrap().ends_with(&format!("| `{}` |", names.join(", "))), "{function}");
    }
}
