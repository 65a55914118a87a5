//! The wire protocol of evenkeel, version 1: the standard library alone. Written by `evenkeel adapter new`.
#![allow(dead_code)] // an adapter need not use all of it

use std::fmt::Write as _;
use std::hash::Hasher;
use std::io::{BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A JSON value. Members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Num(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why there is no answer.
pub enum No {
    Refused(String, String),
    Broke(String, String),
    Skipped(String),
}

pub type Reply = Result<Json, No>;
pub type Question = fn(&Json) -> Reply;

/// The subject rejected the input on purpose: a reason in a word, and more in words.
pub fn refuse(reason: &str, detail: &str) -> Reply {
    Err(No::Refused(reason.into(), detail.into()))
}

/// The subject failed where it should have answered or refused.
pub fn broke(reason: &str, detail: &str) -> Reply {
    Err(No::Broke(reason.into(), detail.into()))
}

/// This trial cannot be put to the subject; keep numbers out of the reason.
pub fn skip(reason: &str) -> Reply {
    Err(No::Skipped(reason.into()))
}

/// An object of these members.
pub fn object(members: &[(&str, Json)]) -> Json {
    Json::Object(members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Int(value)
    }
}
impl From<f64> for Json {
    fn from(value: f64) -> Json {
        Json::Num(value)
    }
}
impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}
impl From<&str> for Json {
    fn from(value: &str) -> Json {
        Json::Text(value.into())
    }
}
impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }
}
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

/// A member that is not there, or of another type, is a panic: the trial has another form than expected.
impl Json {
    pub fn find(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, v)| v),
            _ => None,
        }
    }
    pub fn get(&self, name: &str) -> &Json {
        self.find(name).unwrap_or_else(|| panic!("no member {name}"))
    }
    pub fn as_integer(&self) -> i64 {
        match self {
            Json::Int(value) => *value,
            other => panic!("{other:?} is no integer"),
        }
    }
    pub fn as_number(&self) -> f64 {
        match self {
            Json::Int(value) => *value as f64,
            Json::Num(value) => *value,
            other => panic!("{other:?} is no number"),
        }
    }
    pub fn as_text(&self) -> &str {
        match self {
            Json::Text(value) => value,
            other => panic!("{other:?} is no string"),
        }
    }
    pub fn as_bool(&self) -> bool {
        match self {
            Json::Bool(value) => *value,
            other => panic!("{other:?} is no boolean"),
        }
    }
    pub fn as_list(&self) -> &[Json] {
        match self {
            Json::List(values) => values,
            other => panic!("{other:?} is no array"),
        }
    }
    pub fn integer(&self, name: &str) -> i64 {
        self.get(name).as_integer()
    }
    pub fn number(&self, name: &str) -> f64 {
        self.get(name).as_number()
    }
    pub fn text(&self, name: &str) -> &str {
        self.get(name).as_text()
    }
    pub fn integers(&self, name: &str) -> Vec<i64> {
        self.get(name).as_list().iter().map(Json::as_integer).collect()
    }

    fn write(&self, to: &mut String) {
        match self {
            Json::Null => to.push_str("null"),
            Json::Bool(value) => to.push_str(if *value { "true" } else { "false" }),
            Json::Int(value) => write!(to, "{value}").unwrap(),
            Json::Num(value) => write!(to, "{value:?}").unwrap(),
            Json::Text(value) => quote(value, to),
            Json::List(values) => {
                to.push('[');
                for (i, value) in values.iter().enumerate() {
                    if i > 0 {
                        to.push(',');
                    }
                    value.write(to);
                }
                to.push(']');
            }
            Json::Object(members) => {
                to.push('{');
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        to.push(',');
                    }
                    quote(name, to);
                    to.push(':');
                    value.write(to);
                }
                to.push('}');
            }
        }
    }
}

fn quote(text: &str, to: &mut String) {
    to.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                to.push('\\');
                to.push(c);
            }
            c if c < ' ' => write!(to, "\\u{:04x}", c as u32).unwrap(),
            c => to.push(c),
        }
    }
    to.push('"');
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Read a value; None where the text is no JSON.
pub fn read(text: &str) -> Option<Json> {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    let value = reader.value()?;
    reader.blanks();
    (reader.at == reader.bytes.len()).then_some(value)
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.at < self.bytes.len() && b" \t\r\n".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
    }
    fn next(&mut self) -> Option<u8> {
        self.blanks();
        self.bytes.get(self.at).copied()
    }
    fn skip(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }
    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
            value
        })
    }
    fn value(&mut self) -> Option<Json> {
        match self.next()? {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => self.list(),
            b'{' => self.members(),
            _ => self.digits(),
        }
    }
    fn digits(&mut self) -> Option<Json> {
        let start = self.at;
        while self.at < self.bytes.len() && b"+-0123456789.eE".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.bytes[start..self.at]).ok()?;
        match digits.parse::<i64>() {
            Ok(value) => Some(Json::Int(value)),
            Err(_) => digits.parse::<f64>().ok().map(Json::Num),
        }
    }
    fn list(&mut self) -> Option<Json> {
        let mut values = Vec::new();
        self.skip(b'[')?;
        while self.next()? != b']' {
            if !values.is_empty() {
                self.skip(b',')?;
            }
            values.push(self.value()?);
        }
        self.at += 1;
        Some(Json::List(values))
    }
    fn members(&mut self) -> Option<Json> {
        let mut members = Vec::new();
        self.skip(b'{')?;
        while self.next()? != b'}' {
            if !members.is_empty() {
                self.skip(b',')?;
            }
            self.blanks();
            let name = self.string()?;
            self.skip(b':')?;
            members.push((name, self.value()?));
        }
        self.at += 1;
        Some(Json::Object(members))
    }
    fn unit(&mut self) -> Option<u16> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
    fn string(&mut self) -> Option<String> {
        let mut made: Vec<u8> = Vec::new();
        self.skip(b'"')?;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(made).ok(),
                b'\\' => {
                    let c = self.escaped()?;
                    made.extend(c.to_string().bytes());
                }
                byte => made.push(byte),
            }
        }
    }
    fn escaped(&mut self) -> Option<char> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(match byte {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'"' | b'\\' | b'/' => byte as char,
            b'u' => {
                let mut units = vec![self.unit()?];
                if (0xD800..0xDC00).contains(&units[0]) && self.bytes[self.at..].starts_with(b"\\u") {
                    self.at += 2;
                    units.push(self.unit()?);
                }
                // Half a pair stands alone in no text of Rust's.
                char::decode_utf16(units).next()?.unwrap_or('\u{FFFD}')
            }
            _ => return None,
        })
    }
}

/// A digest of this executable: another program gives another one.
fn build_id() -> String {
    let program = std::env::current_exe().and_then(std::fs::read).expect("this executable can be read");
    let mut digest = std::collections::hash_map::DefaultHasher::new();
    digest.write(&program);
    format!("{:012x}", digest.finish() >> 16)
}

/// Answer the harness until it says bye.
pub fn serve(name: &str, version: &str, questions: &Questions) {
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    let offered = questions.offered();
    let names: Vec<Json> = offered.iter().map(|(name, _)| Json::from(*name)).collect();
    let hello = object(&[
        ("type", "hello".into()),
        ("protocol", 1i64.into()),
        ("name", name.into()),
        ("version", format!("{version}+{}", build_id()).as_str().into()),
        ("language", "rust".into()),
        ("questions", Json::List(names)),
        ("options", Json::List(vec![])),
    ]);
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if line.trim().is_empty() {
            continue;
        }
        let said = spoken(&line, &hello, &offered);
        let mut text = String::new();
        said.write(&mut text);
        text.push('\n');
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
        if said.find("type") == Some(&Json::from("bye")) {
            return;
        }
    }
}

fn spoken(line: &str, hello: &Json, offered: &[(&str, Question)]) -> Json {
    let message = read(line).unwrap_or(Json::Null);
    match (message.find("type"), message.find("id"), message.find("trial")) {
        (Some(Json::Text(kind)), _, _) if kind == "hello" => hello.clone(),
        (Some(Json::Text(kind)), _, _) if kind == "bye" => object(&[("type", "bye".into())]),
        (Some(Json::Text(kind)), Some(Json::Int(id)), Some(trial)) if kind == "trial" => {
            let wanted = message.find("question");
            let found = offered.iter().find(|(name, _)| wanted == Some(&Json::from(*name)));
            reply(*id, found.map(|(_, question)| *question), trial)
        }
        _ => object(&[
            ("type", "error".into()),
            ("id", Json::Null),
            ("reason", "unreadable message".into()),
            ("definite", true.into()),
        ]),
    }
}

fn reply(id: i64, question: Option<Question>, trial: &Json) -> Json {
    let said = match question {
        None => skip("not written yet"),
        Some(question) => catch_unwind(AssertUnwindSafe(|| question(trial))).unwrap_or_else(|bug| {
            let text = bug.downcast_ref::<String>().cloned();
            broke("panic", &text.or(bug.downcast_ref::<&str>().map(|t| t.to_string())).unwrap_or_default())
        }),
    };
    let (kind, member) = match said {
        Ok(answer) => ("observation", ("answer", answer)),
        Err(No::Refused(reason, detail)) => ("observation", ("refused", why(&reason, &detail))),
        Err(No::Broke(reason, detail)) => ("observation", ("broke", why(&reason, &detail))),
        Err(No::Skipped(reason)) => ("skipped", ("reason", reason.as_str().into())),
    };
    object(&[("type", kind.into()), ("id", id.into()), member])
}

fn why(reason: &str, detail: &str) -> Json {
    object(&[("reason", reason.into()), ("detail", detail.into())])
}

/// One function per question; None is not asked. The types inside are in wire.md.
#[derive(Default)]
pub struct Questions {
@SLOTS@
}

impl Questions {
    fn offered(&self) -> Vec<(&'static str, Question)> {
        let all = [
@NAMES@
        ];
        all.into_iter().filter_map(|(name, question)| Some((name, question?))).collect()
    }
}
