//! The corpus of layouts, `tests/corpus/*.txt`: its entries, and how a reading is compared with the
//! expected one. `tests/corpus/README.md` describes the format.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The five puzzles of the corpus, with `.` for a blank.
pub fn puzzles() -> &'static [String] {
    static PUZZLES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let text = include_str!("../data/layouts/kaggle_training_puzzles.txt");
        text.lines().map(|line| line.replace('0', ".")).collect()
    });
    &PUZZLES
}

/// Their solutions.
pub fn solutions() -> &'static [String] {
    static SOLUTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
        include_str!("../data/layouts/solutions.txt").lines().map(str::to_owned).collect()
    });
    &SOLUTIONS
}

/// A legal full grid that contradicts the clues of a puzzle: its solution with 1 and 2 exchanged.
pub fn wrong(solution: &str) -> String {
    let other = |c| match c {
        '1' => '2',
        '2' => '1',
        other => other,
    };
    solution.chars().map(other).collect()
}

/// One layout.
#[derive(Clone)]
pub struct Entry {
    pub name: String,
    /// The tool and the call that gave it, or the rules it was written by.
    pub made_by: String,
    /// The expected reading.
    pub reads: String,
    /// Options of the program.
    pub options: Vec<String>,
    /// What its file is called.
    pub file_name: String,
    body: String,
    is_packed: bool,
}

/// The text in place of a solution.
pub type Swap<'a> = &'a dyn Fn(usize) -> Option<String>;

/// All entries, in the order of their files and lines.
pub fn entries() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    files.sort_unstable();
    files.iter().flat_map(|path| entries_of(&fs::read_to_string(path).unwrap())).collect()
}

fn entries_of(text: &str) -> Vec<Entry> {
    let text = format!("\n{text}");
    let entries = text.split("\n=== ").skip(1).map(entry_of);
    let entries = entries.filter(|it| cfg!(feature = "compression") || !it.is_packed);
    entries.filter(|it| cfg!(feature = "parquet") || !it.is_parquet()).collect()
}

fn entry_of(text: &str) -> Entry {
    let (head, body) = text.split_once("\n---\n").expect("an entry has a body");
    let mut lines = head.lines();
    let name = lines.next().unwrap().to_owned();
    let fields: BTreeMap<_, _> = lines.map(|line| line.split_once(": ").expect(line)).collect();
    let field = |key: &str| fields.get(key).map(|value| (*value).to_owned());
    Entry {
        made_by: field("from").unwrap(),
        reads: field("reads").unwrap(),
        options: field("options")
            .map_or(Vec::new(), |it| it.split(' ').map(str::to_owned).collect()),
        file_name: field("as").unwrap_or_else(|| format!("{name}.txt")),
        // The end of the last line was taken for the start of the next entry.
        body: format!("{}\n", body.strip_suffix('\n').unwrap_or(body)),
        is_packed: fields.contains_key("encoding"),
        name,
    }
}

#[cfg(feature = "compression")]
fn unpacked(hex: &str) -> Vec<u8> {
    use std::io::Read;
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let packed: Vec<u8> = digits.chunks(2).map(byte).collect();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

impl Entry {
    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes_with(&|_| None)
    }

    /// The file with other grids in place of some solutions, which are counted from 1.
    pub fn bytes_with(&self, swap: Swap) -> Vec<u8> {
        #[cfg(feature = "compression")]
        if self.is_packed {
            return unpacked(&self.body);
        }
        let body = self.body.strip_suffix("<end>\n").unwrap_or(&self.body);
        let (mut bytes, mut rest) = (Vec::new(), body);
        while let Some((before, after)) = rest.split_once('<') {
            let (token, after) = after.split_once('>').expect(TOKEN_ENDS);
            bytes.extend_from_slice(before.as_bytes());
            bytes.extend(bytes_of(token, swap));
            rest = after;
        }
        bytes.extend_from_slice(rest.as_bytes());
        bytes
    }

    /// The text with other grids: the letter and the number of each are changed. None if it is no text.
    pub fn text_with(&self, change: impl Fn(char, usize) -> (char, usize)) -> Option<String> {
        let (mut other, mut parts) = (self.clone(), self.body.split('<'));
        other.body = parts.next()?.to_owned();
        for part in parts {
            let mut rest = part.chars();
            let token = (rest.next()?, rest.next().and_then(|it| it.to_digit(10)));
            other.body += &match token {
                // No letter of a grid is a hexadecimal digit.
                (letter @ 'G'..='Z', Some(number)) => {
                    let (letter, number) = change(letter, number as usize);
                    format!("<{letter}{number}{}", rest.as_str())
                }
                _ => format!("<{part}"),
            };
        }
        String::from_utf8(other.bytes()).ok().filter(|_| !self.is_packed)
    }

    /// The solutions that are somewhere in the file.
    pub fn solutions(&self) -> Vec<usize> {
        let is_in = |number: &usize| !self.is_packed && self.body.contains(&format!("<S{number}"));
        (1..=5).filter(is_in).collect()
    }

    /// Whether it is a Parquet file: no stream, and no lines.
    pub fn is_parquet(&self) -> bool {
        self.name.contains("parquet")
    }
}

const TOKEN_ENDS: &str = "a token ends with >";

/// `P1` is a puzzle, `P1:10-18` its second row, `P1:1-81:,` its cells with commas between; `CR`, `TAB`
/// and two hexadecimal digits are bytes.
fn bytes_of(token: &str, swap: Swap) -> Vec<u8> {
    match token {
        "CR" => return vec![b'\r'],
        "TAB" => return vec![b'\t'],
        _ => {}
    }
    // No letter of a grid is a hexadecimal digit.
    if let (2, Ok(byte)) = (token.len(), u8::from_str_radix(token, 16)) {
        return vec![byte];
    }
    let mut parts = token.splitn(3, ':');
    let grid = parts.next().unwrap();
    let (letter, number) = (grid.as_bytes()[0], grid[1..].parse::<usize>().expect(token));
    let puzzle = || puzzles()[number - 1].clone();
    let (cells, blank) = match letter {
        b'S' => (swap(number).unwrap_or_else(|| solutions()[number - 1].clone()), ""),
        b'W' => (wrong(&solutions()[number - 1]), ""),
        b'K' => return marks(&puzzle(), '.').into(),
        b'J' => return marks(&puzzle(), '0').into(),
        letter => (puzzle(), blank_of(letter)),
    };
    let (start, end) = match parts.next() {
        None => (0, 81),
        Some(span) => {
            let (start, end) = span.split_once('-').expect(token);
            (start.parse::<usize>().unwrap() - 1, end.parse::<usize>().unwrap())
        }
    };
    let separator = parts.next().unwrap_or_default().replace("TAB", "\t");
    let cell = |c: char| if c == '.' { blank.to_owned() } else { c.to_string() };
    let cells: Vec<String> = cells[start..end].chars().map(cell).collect();
    cells.join(&separator).into()
}

fn blank_of(letter: u8) -> &'static str {
    match letter {
        b'P' => ".",
        b'Z' => "0",
        b'U' => "_",
        b'X' => "*",
        b'M' => "-",
        b'L' => "x",
        b'N' => "null",
        b'Y' => " ",
        b'G' => "",
        _ => panic!("no blank for {}", letter as char),
    }
}

/// The pencilmarks of a grid before anything is excluded: 729 characters.
pub fn marks(grid: &str, out: char) -> String {
    let of_cell = |cell: char| {
        ('1'..='9').map(move |digit| if cell == '.' || cell == digit { digit } else { out })
    };
    grid.chars().flat_map(of_cell).collect()
}

/// The grids of the corpus by their names.
pub struct Names(Vec<(String, String)>);

impl Names {
    pub fn new() -> Self {
        let mut names = vec![
            ("E".to_owned(), ".".repeat(81)),
            // The puzzle without a solution that `make.py` gives the program.
            ("F".to_owned(), format!("12345678.........9{}", ".".repeat(63))),
        ];
        for (number, (puzzle, solution)) in puzzles().iter().zip(solutions()).enumerate() {
            let number = number + 1;
            names.push((format!("K{number}"), marks(puzzle, '.')));
            names.push((format!("W{number}"), wrong(solution)));
            names.push((format!("P{number}"), puzzle.clone()));
            names.push((format!("S{number}"), solution.clone()));
        }
        Self(names)
    }

    /// The name of a grid, or the grid if it has none.
    pub fn name<'a>(&'a self, text: &'a str) -> &'a str {
        self.0.iter().find(|(_, it)| it == text).map_or(text, |(name, _)| name)
    }
}

/// Whether a reading, in the words of the corpus, is the expected one.
pub fn agrees(expected: &str, found: &str) -> bool {
    let found: Vec<_> = found.split(' ').collect();
    expected.split(" or ").any(|it| agree(&it.split(' ').collect::<Vec<_>>(), &found))
}

/// Words agree if they are the same. `bad?` and `bad*` stand for none, one or many malformed records,
/// `P1=bad?` for a puzzle whose answer is missing or malformed, and `any` for any puzzle.
fn agree(expected: &[&str], found: &[&str]) -> bool {
    let Some((&first, rest)) = expected.split_first() else { return found.is_empty() };
    let is_bad = found.first() == Some(&"bad");
    match first {
        "bad*" => agree(rest, found) || is_bad && agree(expected, &found[1..]),
        "bad?" => agree(rest, found) || is_bad && agree(rest, &found[1..]),
        _ => {
            let same = |word: &str| match (first, first.strip_suffix("=bad?")) {
                ("any", _) => !["bad", "refused", "empty"].contains(&word),
                (_, Some(puzzle)) => word.strip_suffix("=bad").unwrap_or(word) == puzzle,
                _ => word == first,
            };
            found.split_first().is_some_and(|(word, others)| same(word) && agree(rest, others))
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.made_by)
    }
}
