//! Runs every vector. Other implementations run the same files; the README says how.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use deskwire_layout::{
    Counter, Dialect, Edit, EditError, Policy, ReadError, Tree, WriteIds, arrange, definition,
    normalise, read, saved_layout,
};
use serde_json::{Map, Value, json};

#[test]
fn all_vectors_hold() {
    let mut count = 0;
    let mut failures = Vec::new();
    for (file, vectors) in files() {
        for vector in vectors {
            count += 1;
            let name = format!("{file}: {}", vector["name"].as_str().expect("a name"));
            for (what, got, expected) in run(&vector) {
                if !same(&got, &expected) {
                    failures
                        .push(format!("{name}: {what}\n  got      {got}\n  expected {expected}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 80, "only {count} vectors were found");
}

fn files() -> Vec<(String, Vec<Value>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let content = serde_json::from_str(&fs::read_to_string(&path).unwrap()).expect(&name);
            let Value::Array(vectors) = content else { return (name, vec![content]) };
            (name, vectors)
        })
        .collect()
}

/// What a vector says about what, and what is so.
type Claims = Vec<(&'static str, Value, Value)>;

fn run(vector: &Value) -> Claims {
    let has = |key: &str| vector.get(key).is_some();
    if has("operation") {
        run_operation(vector)
    } else if has("windows") {
        run_arrange(vector)
    } else if has("input") {
        run_read(vector)
    } else if has("saved") {
        run_write(vector)
    } else {
        panic!("a vector of no kind: {vector}")
    }
}

fn run_operation(vector: &Value) -> Claims {
    let tree = tree(&vector["tree"]);
    if vector["operation"]["op"] == "normalise" {
        let result = definition(&normalise(&tree), WriteIds::Yes);
        return vec![("result", result, vector["result"].clone())];
    }
    let edit: Edit = serde_json::from_value(vector["operation"].clone()).unwrap();
    let written = serde_json::to_value(&edit).unwrap();
    let mut claims = vec![("operation", written, vector["operation"].clone())];
    match tree.apply(&edit, &mut Counter::new("n")) {
        Ok(applied) => {
            let result = definition(&applied.tree, WriteIds::Yes);
            claims.push(("result", result, vector["result"].clone()));
            claims.push(("error", Value::Null, vector["error"].clone()));
        }
        Err(error) => claims.push(("error", edit_error(&error), vector["error"].clone())),
    }
    claims
}

fn run_arrange(vector: &Value) -> Claims {
    let windows = tree(&vector["windows"]).children.iter().map(|item| (**item).clone()).collect();
    let arranged = arrange(windows, &mut Counter::new("n")).unwrap();
    vec![("result", definition(&arranged, WriteIds::Yes), vector["result"].clone())]
}

fn run_read(vector: &Value) -> Claims {
    let policy = if vector["policy"] == "strict" { Policy::Strict } else { Policy::Lenient };
    match read(&vector["input"], policy, &mut Counter::new("n")) {
        Ok(read) => {
            let diagnostics = read
                .diagnostics
                .iter()
                .map(|found| json!({ "path": found.path.to_string(), "code": found.fault.code() }))
                .collect();
            let dialect = match read.dialect {
                Dialect::Definition => Value::Null,
                Dialect::SavedLayout => "saved-layout".into(),
            };
            vec![
                ("tree", definition(&read.tree, WriteIds::Yes), vector["tree"].clone()),
                ("diagnostics", sorted(diagnostics), sorted(vector["diagnostics"].clone())),
                ("dialect", dialect, vector["dialect"].clone()),
                ("layout", read.name.into(), vector["layout"].clone()),
                ("error", Value::Null, vector["error"].clone()),
            ]
        }
        Err(error) => vec![("error", read_error(&error), vector["error"].clone())],
    }
}

fn run_write(vector: &Value) -> Claims {
    let tree = tree(&vector["tree"]);
    let saved = saved_layout(&tree, "L", WriteIds::Yes);
    let again = read(&saved, Policy::Strict, &mut Counter::default()).unwrap();
    vec![
        ("definition", definition(&tree, WriteIds::No), vector["definition"].clone()),
        ("saved", saved, vector["saved"].clone()),
        ("read again", definition(&again.tree, WriteIds::Yes), vector["tree"].clone()),
    ]
}

/// The tree of a vector: nothing in it is at fault.
fn tree(value: &Value) -> Tree {
    let read = read(value, Policy::Strict, &mut || panic!("an item without an id")).unwrap();
    assert_eq!(read.diagnostics, [], "{value}");
    read.tree
}

fn read_error(error: &ReadError) -> Value {
    let mut object = Map::new();
    object.insert("code".to_owned(), error.code().into());
    if let Some(path) = error.path() {
        object.insert("path".to_owned(), path.to_string().into());
    }
    object.into()
}

fn edit_error(error: &EditError) -> Value {
    match error {
        EditError::Item(error) => read_error(error),
        error => json!({ "code": error.code() }),
    }
}

fn sorted(mut list: Value) -> Value {
    list.as_array_mut().unwrap().sort_by_key(ToString::to_string);
    list
}

/// Equal, where numbers may differ by a millionth and the order of keys does not matter.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-6
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
