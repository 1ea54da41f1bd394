//! What stands around the records: a list, an object with lists in it, or nothing.

use serde_json::Value;

use super::record;
use super::sheet::{Expect, Sheet};
use crate::diagnostic::Code;
use crate::fields::kind_of;
use crate::text::{Members, Parsed, Pieces, parse, skip_blank};

/// Where lists of records stand in an object: a key, or a key and one within.
///
/// REST directories answer with `applications` (one of them with `application`), exports
/// write `apps` and `layouts`; web platforms are configured by the others.
const LISTS: &[(&str, Option<&str>, Expect)] = &[
    ("applications", None, Expect::Application),
    ("application", None, Expect::Application),
    ("apps", None, Expect::Application),
    ("layouts", None, Expect::Layout),
    ("channels", None, Expect::Channel),
    ("applications", Some("local"), Expect::Application),
    ("appManager", Some("localApplications"), Expect::Application),
    ("layouts", Some("local"), Expect::Layout),
    ("channels", Some("definitions"), Expect::Channel),
];

/// Members that only the configuration of a web platform has: a source with them is no
/// mistake, even when it holds no record.
const PLATFORM: &[&str] = &["glue", "appManager"];

fn expect_of(key: &str, within: Option<&str>) -> Option<Expect> {
    LISTS
        .iter()
        .find(|(outer, inner, _)| *outer == key && *inner == within)
        .map(|(.., expect)| *expect)
}

const NOTHING: &str = "nothing in it is a definition; expected a list of applications, layouts or \
                       channels, one of them, or an object with `applications`, `layouts` or `channels`";

/// Whether a text means to hold definitions, however well it does: a list, an object
/// with lists of them, or one of them. In a folder, other files are other people's.
#[must_use]
pub fn is_definitions(text: &str) -> bool {
    let start = skip_blank(text, 0);
    match text.as_bytes().get(start) {
        Some(b'[') => true,
        Some(b'{') => {
            let keys: Vec<&str> = Members::new(text, start).map(|member| member.key).collect();
            let has = |key: &str| keys.contains(&key);
            is_envelope(&has) || is_record(&has) || has("children")
        }
        _ => false,
    }
}

pub(super) fn read_text(sheet: &mut Sheet<'_>, text: &str) {
    let start = skip_blank(text, 0);
    let end = match text.as_bytes().get(start) {
        Some(b'[') => read_list(sheet, text, start, Expect::Any, ""),
        Some(b'{') => read_object(sheet, text, start),
        None => return sheet.tell(None, Code::FileNoRecords, NOTHING),
        Some(_) => {
            let Parsed { end, value, .. } = parse(text, start);
            match value {
                Ok(value) => {
                    let message = format!("it holds {}; {NOTHING}", kind_of(&value));
                    sheet.tell(Some(start), Code::FileNoRecords, message);
                }
                Err(fault) => return sheet.tell_fault(&fault),
            }
            end
        }
    };
    let rest = skip_blank(text, end);
    if rest < text.len() {
        let message = "there is more text after the definitions; it is not read";
        sheet.tell(Some(rest), Code::FileSyntax, message);
    }
}

/// Reads a list; the offset after it is returned.
fn read_list(
    sheet: &mut Sheet<'_>,
    text: &str,
    start: usize,
    expect: Expect,
    pointer: &str,
) -> usize {
    let mut pieces = Pieces::new(text, start);
    let mut index = 0;
    for piece in pieces.by_ref() {
        match piece {
            Ok(piece) => {
                let pointer = format!("{pointer}/{index}");
                index += 1;
                sheet.record(piece.value, expect, pointer, Some((piece.at, piece.text)))
            }
            Err(fault) => sheet.tell_fault(&fault),
        }
        if sheet.is_full() {
            return text.len();
        }
    }
    pieces.offset()
}

/// Reads an object: an envelope, or a record by itself.
fn read_object(sheet: &mut Sheet<'_>, text: &str, start: usize) -> usize {
    let keys: Vec<&str> = Members::new(text, start).map(|member| member.key).collect();
    if !is_envelope(&|key| keys.contains(&key)) {
        let Parsed { end, value, .. } = parse(text, start);
        match value {
            Ok(value) => {
                read_lone(sheet, value, Some((start, text.get(start..end).unwrap_or_default())))
            }
            Err(fault) => sheet.tell_fault(&fault),
        }
        return end;
    }
    let mut end = start + 1;
    let mut members = Members::new(text, start);
    while let Some(member) = members.next() {
        if sheet.is_full() {
            return text.len();
        }
        end = member.end;
        let pointer = format!("/{}", member.key);
        match expect_of(member.key, None) {
            Some(expect) if text.as_bytes().get(member.value_at) == Some(&b'[') => {
                end = end.max(read_list(sheet, text, member.value_at, expect, &pointer));
                // A list with faults may end elsewhere than its brackets say.
                members.skip_to(end);
            }
            Some(expect)
                if text.as_bytes().get(member.value_at) == Some(&b'{')
                    && member.key == "application" =>
            {
                read_one(sheet, text, member.value_at, expect, pointer);
            }
            _ => read_inner(sheet, text, member.key, member.value_at),
        }
    }
    if sheet.is_full() {
        return text.len();
    }
    let mut close = skip_blank(text, end);
    while text.as_bytes().get(close) == Some(&b',') {
        close = skip_blank(text, close + 1);
    }
    match text.as_bytes().get(close) {
        Some(b'}') => close + 1,
        _ => {
            let message = "the object is not closed; `}` is missing";
            sheet.tell(Some(close), Code::FileSyntax, message);
            text.len()
        }
    }
}

/// Reads the lists one level further in.
fn read_inner(sheet: &mut Sheet<'_>, text: &str, key: &str, start: usize) {
    for member in Members::new(text, start) {
        let Some(expect) = expect_of(key, Some(member.key)) else { continue };
        if text.as_bytes().get(member.value_at) == Some(&b'[') {
            let pointer = format!("/{key}/{}", member.key);
            read_list(sheet, text, member.value_at, expect, &pointer);
        }
    }
}

fn read_one(sheet: &mut Sheet<'_>, text: &str, at: usize, expect: Expect, pointer: String) {
    let Parsed { end, value, .. } = parse(text, at);
    match value {
        Ok(value) => {
            let own = text.get(at..end).unwrap_or_default();
            sheet.record(value, expect, pointer, Some((at, own)));
        }
        Err(fault) => sheet.tell_fault(&fault),
    }
}

/// Reads an object that is the whole source: a record, or something that is none of ours.
fn read_lone(sheet: &mut Sheet<'_>, value: Value, place: Option<(usize, &str)>) {
    if record::is_record(&value) {
        sheet.record(value, Expect::Any, String::new(), place);
    } else {
        sheet.tell(place.map(|(at, _)| at), Code::FileNoRecords, NOTHING);
    }
}

/// Whether an object with these keys has its records inside. A record of its own has an
/// identity: an application may well have a member that is called `channels`.
fn is_envelope(has: &dyn Fn(&str) -> bool) -> bool {
    !is_record(has)
        && (LISTS.iter().any(|(key, ..)| has(key)) || PLATFORM.iter().any(|key| has(key)))
}

fn is_record(has: &dyn Fn(&str) -> bool) -> bool {
    has("appId") || has("details") || has("components") || (has("name") && has("type"))
}

pub(super) fn read_value(sheet: &mut Sheet<'_>, value: Value) {
    match value {
        Value::Array(list) => read_values(sheet, list, Expect::Any, ""),
        Value::Object(map) if is_envelope(&|key| map.contains_key(key)) => {
            for (key, value) in map {
                match (expect_of(&key, None), value) {
                    (Some(expect), Value::Array(list)) => {
                        read_values(sheet, list, expect, &format!("/{key}"));
                    }
                    (Some(expect), one @ Value::Object(_)) if key == "application" => {
                        sheet.record(one, expect, format!("/{key}"), None);
                    }
                    (_, Value::Object(inner)) => {
                        for (within, value) in inner {
                            let expect = expect_of(&key, Some(&within));
                            if let (Some(expect), Value::Array(list)) = (expect, value) {
                                read_values(sheet, list, expect, &format!("/{key}/{within}"));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        value @ Value::Object(_) => read_lone(sheet, value, None),
        value => {
            let message = format!("it holds {}; {NOTHING}", kind_of(&value));
            sheet.tell(None, Code::FileNoRecords, message);
        }
    }
}

fn read_values(sheet: &mut Sheet<'_>, list: Vec<Value>, expect: Expect, pointer: &str) {
    for (index, value) in list.into_iter().enumerate() {
        sheet.record(value, expect, format!("{pointer}/{index}"), None);
        if sheet.is_full() {
            return;
        }
    }
}
