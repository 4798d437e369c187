//! Conditions on the columns of the input: `rating >= 50 and source in (a, 'b c')`.
//!
//! ```text
//! or    = and  { "or" and }              name  = word | "…"       value = number | word | '…' | "…"
//! and   = not  { "and" not }             A mark within marks is doubled.
//! not   = "not" not | "(" or ")" | test
//! test  = name ( = | != | < | <= | > | >= ) value
//!       | name [ "not" ] "in" "(" value { "," value } ")"
//!       | name "is" [ "not" ] "null"
//! ```
//!
//! As in SQL, a comparison with a null is neither true nor false, and such a row is not selected.

use super::column::unquoted;
use crate::input::Own;
use crate::run::NOT_UTF8;
use std::cmp::Ordering;
use std::str::FromStr;

/// The name of the number of clues.
pub(super) const CLUES: &str = "clues";

/// A condition on the columns of a row.
#[derive(Clone, Debug)]
pub(super) struct Where {
    test: Test,
    /// [`CLUES`], then the columns that it uses.
    names: Vec<String>,
}

/// A part of a condition. Numbers are places in [`Where::names`].
#[derive(Clone, Debug)]
enum Test {
    Compare(usize, fn(Ordering) -> bool, Literal),
    In(usize, Vec<Literal>),
    Null(usize),
    Not(Box<Test>),
    /// `or` if one that holds decides, `and` if one that does not.
    Join(bool, Vec<Test>),
}

/// A sign of a comparison, and whether an order is as it says.
type Sign = (&'static str, fn(Ordering) -> bool);

const SIGNS: [Sign; 6] = [
    ("=", Ordering::is_eq),
    ("!=", Ordering::is_ne),
    ("<", Ordering::is_lt),
    ("<=", Ordering::is_le),
    (">", Ordering::is_gt),
    (">=", Ordering::is_ge),
];

/// A value that is compared.
#[derive(Clone, Debug)]
enum Literal {
    Number(String),
    Text(String),
    /// The value of a column if there is one of this name, else this text.
    Word(String),
    /// The value of another column: its place.
    Column(usize),
}

/// The place of a name, which is added if it is new.
fn place_of(names: &mut Vec<String>, name: String) -> usize {
    let known = (1..names.len()).find(|&place| names[place] == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

impl Test {
    /// Decides what words are: names of these columns, or texts.
    fn resolve(&mut self, columns: &[String], names: &mut Vec<String>) {
        let mut resolve = |literal: &mut Literal| {
            let Literal::Word(word) = literal else { return };
            let word = std::mem::take(word);
            *literal = match &*word {
                CLUES => Literal::Column(0),
                _ if columns.contains(&word) => Literal::Column(place_of(names, word)),
                _ => Literal::Text(word),
            };
        };
        match self {
            Self::Compare(_, _, literal) => resolve(literal),
            Self::In(_, list) => list.iter_mut().for_each(resolve),
            Self::Null(_) => {}
            Self::Not(test) => test.resolve(columns, names),
            Self::Join(_, tests) => tests.iter_mut().for_each(|it| it.resolve(columns, names)),
        }
    }
}

impl Where {
    /// Reads a word on the right as a column if the input has one of this name.
    pub(super) fn resolve(&mut self, columns: &[String]) {
        self.test.resolve(columns, &mut self.names);
    }

    /// The columns of the input that it uses.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.names[1..].iter().map(String::as_str)
    }

    /// Whether a row meets it; `None` if a null decides. `clues` is the number of clues, `columns` has the
    /// values of [`Self::columns`].
    ///
    /// Fails if a column that is compared is missing, or holds text where a number is compared. Tests are
    /// made until the result is known.
    pub(super) fn holds(
        &self,
        clues: usize,
        mut columns: Vec<Own<'_>>,
    ) -> Result<Option<bool>, String> {
        columns.insert(0, Own::Text(clues.to_string().into_bytes().into()));
        self.judge(&self.test, &columns)
    }

    fn judge(&self, test: &Test, values: &[Own<'_>]) -> Result<Option<bool>, String> {
        Ok(match test {
            Test::Null(place) => Some(!matches!(values[*place], Own::Text(_))),
            Test::Compare(place, meets, literal) => {
                self.compare(*place, literal, values)?.map(meets)
            }
            Test::In(place, list) => {
                let mut found = Some(false);
                for literal in list {
                    let order = self.compare(*place, literal, values)?;
                    found = order.map(|order| found == Some(true) || order.is_eq());
                }
                found
            }
            Test::Not(test) => self.judge(test, values)?.map(|holds| !holds),
            Test::Join(decides, tests) => {
                let mut joined = Some(!decides);
                for test in tests {
                    match self.judge(test, values)? {
                        Some(holds) if holds == *decides => return Ok(Some(holds)),
                        Some(_) => {}
                        None => joined = None,
                    }
                }
                joined
            }
        })
    }

    /// The order of a value and a literal. `None` for a null.
    fn compare(
        &self,
        place: usize,
        literal: &Literal,
        values: &[Own<'_>],
    ) -> Result<Option<Ordering>, String> {
        let text = match &values[place] {
            Own::Missing => return Err(missing(&self.names[place])),
            Own::Null => return Ok(None),
            Own::Text(text) => std::str::from_utf8(text).map_err(|_| NOT_UTF8)?.as_bytes(),
        };
        match literal {
            Literal::Text(literal) | Literal::Word(literal) => {
                Ok(Some(text.as_ref().cmp(literal.as_bytes())))
            }
            Literal::Column(other) => match &values[*other] {
                Own::Missing => Err(missing(&self.names[*other])),
                Own::Null => Ok(None),
                Own::Text(other) => Ok(order(text, other).or_else(|| Some(text.cmp(other)))),
            },
            Literal::Number(number) => order(text, number.as_bytes()).map(Some).ok_or_else(|| {
                let (name, found) = (&self.names[place], String::from_utf8_lossy(text));
                format!("column \"{name}\": expected a number, found '{found}'")
            }),
        }
    }
}

/// The error for a row without a column.
pub(super) fn missing(column: &str) -> String {
    format!("no column \"{column}\"")
}

/// The order of two numbers: exact if both are integers. `inf` and `nan` are none.
fn order(one: &[u8], two: &[u8]) -> Option<Ordering> {
    let text = |number| Some(std::str::from_utf8(number).ok()?.trim_ascii());
    let (one, two) = (text(one)?, text(two)?);
    if let (Ok(one), Ok(two)) = (one.parse::<i128>(), two.parse::<i128>()) {
        return Some(one.cmp(&two));
    }
    let value = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    value(one)?.partial_cmp(&value(two)?)
}

/// The tokens of a condition as they were typed, each with the bytes before it: words, signs, and names and
/// texts with their quotation marks.
fn tokens(text: &str) -> Result<Vec<(usize, &str)>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let sign = SIGNS.iter().rev().find(|(sign, _)| rest.starts_with(sign));
        let bytes = match (first, sign) {
            ('(' | ')' | ',', _) => 1,
            ('"' | '\'', _) => quoted(rest, first)
                .ok_or_else(|| format!("{}: no second {first} is found", place(text, start)))?,
            (_, Some((sign, _))) => sign.len(),
            _ if ends_word(first) => {
                return Err(format!("{}: expected !=, found '{first}'", place(text, start)));
            }
            _ => rest.find(ends_word).unwrap_or(rest.len()),
        };
        tokens.push((start, &rest[..bytes]));
        rest = rest[bytes..].trim_start();
    }
    Ok(tokens)
}

fn ends_word(it: char) -> bool {
    it.is_whitespace() || "(),=!<>\"'".contains(it)
}

/// A place in a condition, for messages.
fn place(text: &str, start: usize) -> String {
    format!("character {}", text[..start].chars().count() + 1)
}

/// The bytes of the text in quotation marks at the start, with the marks. A doubled mark is a part of it.
fn quoted(text: &str, mark: char) -> Option<usize> {
    let mut start = 1;
    loop {
        let end = start + text[start..].find(mark)? + 1;
        if !text[end..].starts_with(mark) {
            return Some(end);
        }
        start = end + 1;
    }
}

/// Whether a token is a word without quotation marks, and no keyword.
fn is_bare(token: &str) -> bool {
    let keywords = ["and", "or", "not", "in", "is", "null"];
    !token.is_empty()
        && !token.starts_with(ends_word)
        && !keywords.iter().any(|it| token.eq_ignore_ascii_case(it))
}

/// Reads a condition, word by word.
struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(usize, &'a str)>,
    next: usize,
    names: Vec<String>,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// The most parentheses and `not` around a term, so that the stack is large enough.
    const DEEPEST: usize = 200;

    fn or(&mut self) -> Result<Test, String> {
        self.join("or", true, |it| it.join("and", false, Self::not))
    }

    /// Tests with this word between them.
    fn join(
        &mut self,
        word: &str,
        decides: bool,
        test: impl Fn(&mut Self) -> Result<Test, String>,
    ) -> Result<Test, String> {
        let mut tests = vec![test(self)?];
        while self.takes(word) {
            tests.push(test(self)?);
        }
        Ok(Test::Join(decides, tests))
    }

    fn not(&mut self) -> Result<Test, String> {
        self.depth += 1;
        if self.depth > Self::DEEPEST {
            return Err("too many parentheses".to_owned());
        }
        let test = if self.takes("not") {
            Test::Not(self.not()?.into())
        } else if self.takes("(") {
            let test = self.or()?;
            self.expect(")", ")")?;
            test
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(test)
    }

    fn test(&mut self) -> Result<Test, String> {
        let place = self.name()?;
        if self.takes("is") {
            let not = self.takes("not");
            self.expect("null", "null")?;
            return Ok(negated(not, Test::Null(place)));
        }
        let not = self.takes("not");
        if self.takes("in") {
            self.expect("(", "(")?;
            let mut list = vec![self.value()?];
            while self.takes(",") {
                list.push(self.value()?);
            }
            self.expect(")", ") or ,")?;
            return Ok(negated(not, Test::In(place, list)));
        }
        if not {
            return Err(self.expected("in"));
        }
        match SIGNS.iter().find(|(sign, _)| self.takes(sign)) {
            Some((_, meets)) => Ok(Test::Compare(place, *meets, self.value()?)),
            None => Err(self.expected("= != < <= > >= in or is")),
        }
    }

    fn name(&mut self) -> Result<usize, String> {
        let token = self.peek();
        let name = match unquoted(token, '"') {
            Some(name) if !name.is_empty() => name,
            None if is_bare(token) => token.to_owned(),
            _ => return Err(self.expected("a column")),
        };
        self.next += 1;
        if token == CLUES {
            return Ok(0);
        }
        Ok(place_of(&mut self.names, name))
    }

    fn value(&mut self) -> Result<Literal, String> {
        let token = self.peek();
        if token.starts_with('"') {
            return self.name().map(Literal::Column);
        }
        let value = match unquoted(token, '\'') {
            Some(text) => Literal::Text(text),
            None if !is_bare(token) => return Err(self.expected("a number, a word or 'text'")),
            None if order(token.as_bytes(), b"0").is_some() => Literal::Number(token.to_owned()),
            None => Literal::Word(token.to_owned()),
        };
        self.next += 1;
        Ok(value)
    }

    /// The next token; empty at the end.
    fn peek(&self) -> &'a str {
        self.tokens.get(self.next).map_or("", |(_, token)| token)
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek().eq_ignore_ascii_case(token);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &str, expected: &str) -> Result<(), String> {
        if self.takes(token) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn expected(&self, what: &str) -> String {
        match self.tokens.get(self.next) {
            None => format!("expected {what} at the end"),
            Some((start, token)) => {
                let place = place(self.text, *start);
                let mark = if token.starts_with(['"', '\'']) { "" } else { "'" };
                format!("{place}: expected {what}, found {mark}{token}{mark}")
            }
        }
    }
}

fn negated(not: bool, test: Test) -> Test {
    if not { Test::Not(test.into()) } else { test }
}

impl FromStr for Where {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { text, tokens, next: 0, names: vec![CLUES.to_owned()], depth: 0 };
        let test = parser.or()?;
        if !parser.peek().is_empty() {
            return Err(parser.expected("and, or, or the end"));
        }
        Ok(Self { test, names: parser.names })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;

    fn judged(rule: &str, values: &[Own<'_>]) -> Result<Option<bool>, String> {
        rule.parse::<Where>().unwrap().holds(25, values.to_vec())
    }

    fn text(text: &str) -> Own<'_> {
        Own::Text(text.as_bytes().into())
    }

    #[test]
    fn values_are_compared_as_numbers_or_as_text() {
        let (yes, no) = (Ok(Some(true)), Ok(Some(false)));
        for (rule, value, expected) in [
            ("a >= 50", "50.0", &yes),
            ("a < 50", "5e1", &no),
            ("a = 1", " 01 ", &yes),
            ("a != -1.5", "-1.50", &no),
            ("a = 9007199254740993", "9007199254740992", &no),
            ("a > 9", "10", &yes),
            ("a > '9'", "10", &no),
            ("a = '1'", "01", &no),
            ("a = hard", "hard", &yes),
            ("a in (easy, hard)", "hard", &yes),
            ("a in (1, 2.0)", "2", &yes),
            ("a not in (x)", "x", &no),
            ("a = 'it''s'", "it's", &yes),
            ("\"a b\" = x and CLUES = 1", "x", &no),
            ("a=x and clues<26 or clues=0", "x", &yes),
            ("a = x OR a = y", "y", &yes),
            ("not (a = x or a = z)", "y", &yes),
            ("a = x or a = y and a = z", "x", &yes),
            ("(a = x or a = y) and a = z", "x", &no),
            ("not a = x and a = y", "y", &yes),
            ("a is null", "", &no),
            ("a is not null", "x", &yes),
        ] {
            // A quoted or written fact is a column: it has the same value.
            let values = [text(value), text("25")];
            let rule = rule.replace("CLUES", "clues");
            assert_eq!(judged(&rule, &values), *expected, "{rule}");
        }
    }

    #[test]
    fn a_null_is_unknown_and_what_is_unfit_is_named() {
        for (rule, expected) in [
            ("a = 1", None),
            ("not a = 1", None),
            ("a in (1)", None),
            ("a not in (1)", None),
            ("a is null", Some(true)),
            ("a = 1 or clues = 25", Some(true)),
            ("clues = 25 or a = 1", Some(true)),
            ("a = 1 and clues = 25", None),
            ("a = 1 and clues = 1", Some(false)),
            ("a = 1 or clues = 1", None),
        ] {
            assert_eq!(judged(rule, &[Own::Null]), Ok(expected), "{rule}");
        }
        let mut rule: Where = "a < clues and a = b and \"b\" != 'b'".parse().unwrap();
        rule.resolve(&["a".to_owned(), "b".to_owned()]);
        assert_eq!(rule.columns().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(rule.holds(25, vec![text("4.0"), text("4")]), Ok(Some(true)));
        assert_eq!(rule.holds(25, vec![text("4"), Own::Null]), Ok(None));
        let missing = Err(missing("a"));
        assert_eq!(judged("a = 1", &[Own::Missing]), missing);
        assert_eq!(judged("a is null", &[Own::Missing]), Ok(Some(true)));
        let wrong = Err("column \"a\": expected a number, found 'nan'".to_owned());
        assert_eq!(judged("a < 1", &[text("nan")]), wrong);
        assert_eq!(judged("clues = 1 and a < 1", &[text("nan")]), Ok(Some(false)));
    }

    #[test]
    fn an_error_says_where() {
        for (rule, expected) in [
            ("", "expected a column at the end"),
            ("a", "expected = != < <= > >= in or is at the end"),
            ("a >=", "expected a number, a word or 'text' at the end"),
            ("a = 1 b", "character 7: expected and, or, or the end, found 'b'"),
            ("a = null", "character 5: expected a number, a word or 'text', found 'null'"),
            ("a ! 1", "character 3: expected !=, found '!'"),
            ("(a = 1", "expected ) at the end"),
            ("a in 1", "character 6: expected (, found '1'"),
            ("a in (1", "expected ) or , at the end"),
            ("a not = 1", "character 7: expected in, found '='"),
            ("a is 1", "character 6: expected null, found '1'"),
            ("a = 'x", "character 5: no second ' is found"),
            ("and = 1", "character 1: expected a column, found 'and'"),
        ] {
            assert_eq!(rule.parse::<Where>().unwrap_err(), expected, "{rule}");
        }
        assert_eq!("(".repeat(1_000_000).parse::<Where>().unwrap_err(), "too many parentheses");
        assert_eq!("not ".repeat(1_000_000).parse::<Where>().unwrap_err(), "too many parentheses");
    }

    /// A random condition as text, with as few or as many parentheses as can be, and its value for these
    /// numbers by another way of counting: 0 false, 1 unknown, 2 true.
    fn any(random: &mut Random, values: &[Option<i64>; 3], depth: usize) -> (String, u8) {
        let truth = |known: Option<bool>| known.map_or(1, |it| 2 * u8::from(it));
        let space = [" ", "  ", "\t"][random.below(3)];
        if depth == 0 || random.below(4) == 0 {
            let place = random.below(3);
            let (name, value) = (["x", "\"y y\"", "z"][place], values[place]);
            let number = i64::try_from(random.below(3)).unwrap();
            return match random.below(4) {
                0 => (format!("{name} is null"), truth(Some(value.is_none()))),
                1 => {
                    let (one, two) = (number, (number + 1) % 3);
                    let found = value.map(|it| it == one || it == two);
                    (format!("{name}{space}IN({one},{space}{two})"), truth(found))
                }
                _ => {
                    let (sign, _) = SIGNS[random.below(6)];
                    let found = value.map(|it| match sign {
                        "=" => it == number,
                        "!=" => it != number,
                        "<" => it < number,
                        "<=" => it <= number,
                        ">" => it > number,
                        _ => it >= number,
                    });
                    (format!("{name}{sign}{space}{number}"), truth(found))
                }
            };
        }
        let (one, first) = any(random, values, depth - 1);
        if random.below(5) == 0 {
            return (format!("NOT{space}({one})"), 2 - first);
        }
        let (two, second) = any(random, values, depth - 1);
        if random.below(2) == 0 {
            (format!("({one}){space}and ({two})"), first.min(second))
        } else {
            (format!("(({one}) or{space}({two}))"), first.max(second))
        }
    }

    #[test]
    fn random_conditions_are_judged_as_by_three_valued_logic() {
        let mut random = Random::new(1);
        for round in 0..3000 {
            let values = [(); 3].map(|()| i64::try_from(random.below(4)).ok().filter(|it| *it < 3));
            let (rule, expected) = any(&mut random, &values, round % 6);
            let parsed: Where = rule.parse().unwrap_or_else(|error| panic!("{rule}: {error}"));
            let texts = values.map(|value| value.map(|value| value.to_string()));
            let own: Vec<_> = parsed
                .columns()
                .map(|name| match &texts["xyz".find(&name[..1]).unwrap()] {
                    None => Own::Null,
                    Some(value) => text(value),
                })
                .collect();
            let found = parsed.holds(0, own).unwrap();
            assert_eq!(found.map_or(1, |it| 2 * u8::from(it)), expected, "{rule}: {values:?}");
        }
    }

    /// No text makes the parser panic, and a part of a condition is a condition or an error.
    #[test]
    fn any_text_is_a_condition_or_an_error() {
        let mut random = Random::new(2);
        let words = [
            "a", "and", "or", "not", "in", "is", "null", "(", ")", ",", "=", "!", "<", ">", "\"",
            "'", "é", "1", "-", " ", "clues",
        ];
        let mut right = 0;
        for _ in 0..20_000 {
            let count = random.below(9);
            let text: String =
                (0..count).map(|_| [words[random.below(words.len())], " "].concat()).collect();
            right += usize::from(text.parse::<Where>().is_ok());
        }
        assert!(right > 0);
    }

    #[test]
    fn a_number_is_finite_and_has_nothing_around_it() {
        let wrong = [&b""[..], b"x", b"inf", b"NaN", b"1 2", b"\xff"];
        assert!(wrong.iter().all(|it| order(it, b"0").is_none()));
    }
}
