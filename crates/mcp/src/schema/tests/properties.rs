//! What holds for every schema, whatever is in it.

use proptest::prelude::*;

use super::*;

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"type": "string"})),
        Just(json!({"type": "array"})),
        Just(json!({"type": "object"})),
        Just(json!({"type": ["object", "null"]})),
        Just(json!({"enum": [1, "x"]})),
        Just(json!({"required": ["a"]})),
        Just(json!({"minProperties": 1})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/$defs/A"})),
        Just(json!({"$ref": "#/$defs/B", "description": "b"})),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let node = leaf().prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..4);
        let properties = prop::collection::btree_map("[abc]", inner.clone(), 0..3);
        let keyword = prop_oneof![
            prop::sample::select(vec!["allOf", "anyOf", "oneOf", "prefixItems"]).prop_flat_map(
                move |keyword| list.clone().prop_map(move |list| (keyword, json!(list)))
            ),
            prop::sample::select(vec!["properties", "patternProperties", "dependentSchemas"])
                .prop_flat_map(move |keyword| properties
                    .clone()
                    .prop_map(move |map| (keyword, json!(map)))),
            prop::sample::select(vec![
                "not",
                "if",
                "then",
                "else",
                "items",
                "additionalProperties",
                "unevaluatedProperties",
                "propertyNames",
                "contains",
            ])
            .prop_flat_map(move |keyword| inner.clone().prop_map(move |schema| (keyword, schema))),
            prop::sample::select(vec![
                ("type", json!("object")),
                ("type", json!(["object"])),
                ("required", json!(["a"])),
                ("type", json!("array")),
                ("maxProperties", json!(1)),
                ("enum", json!([{"a": 1}, {}])),
            ]),
        ];
        prop::collection::vec(keyword, 1..5).prop_map(|keywords| {
            json!(
                keywords
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<Map<_, _>>()
            )
        })
    });
    (node.clone(), node.clone(), node).prop_map(|(root, a, b)| match root {
        Value::Object(mut root) => {
            root.insert("$defs".into(), json!({"A": a, "B": b}));
            Value::Object(root)
        }
        other => other,
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(null)), Just(json!(1)), Just(json!("x")), Just(json!({}))];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|list| json!(list)),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
}

/// Objects of which much is closed: joined ones must not close what one of them
/// leaves open.
fn closed() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(vec!["a", "b", "x-1", "y-1"]);
    let pattern = || prop::sample::select(vec!["^x-", "^y-", "^a"]);
    let value = || prop::sample::select(vec![json!({}), json!({"type": "integer"}), json!(false)]);
    let object = (
        prop::collection::btree_map(name(), value(), 0..3),
        prop::collection::btree_map(pattern(), value(), 0..2),
        prop::option::of(value()),
        prop::collection::vec(name(), 0..2),
    )
        .prop_map(|(properties, patterns, additional, required)| {
            let mut object = Map::new();
            if !properties.is_empty() {
                object.insert("properties".into(), json!(properties));
            }
            if !patterns.is_empty() {
                object.insert("patternProperties".into(), json!(patterns));
            }
            object.extend(additional.map(|schema| ("additionalProperties".into(), schema)));
            if !required.is_empty() {
                object.insert("required".into(), json!(required));
            }
            Value::Object(object)
        });
    let joined = object.prop_recursive(2, 8, 3, |inner| {
        let keyword = prop::sample::select(vec!["allOf", "anyOf", "oneOf"]);
        (inner.clone(), keyword, prop::collection::vec(inner, 1..3)).prop_map(
            |(mut object, keyword, parts)| {
                object[keyword] = json!(parts);
                object
            },
        )
    });
    joined.prop_map(|mut object| {
        object["type"] = json!("object");
        object
    })
}

fn named() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "x-1", "y-1", "z"]);
    let value = prop::sample::select(vec![json!(1), json!("x")]);
    prop::collection::btree_map(name, value, 0..4).prop_map(|fields| json!(fields))
}

/// Schemas that are made up for each property.
const CASES: u32 = 200;

/// Whether some schema is defined by itself without a step into the value in
/// between. Such a one has no meaning, so checkers may differ.
fn chases_itself(schema: &Normal) -> bool {
    fn visit(all: &Normal, schema: &Value, entered: &mut Vec<String>) -> bool {
        let Some(keywords) = schema.as_object() else { return false };
        if let Some((name, target)) =
            keywords.get("$ref").and_then(Value::as_str).and_then(|it| all.resolve(it))
        {
            if entered.iter().any(|entered| entered == name) {
                return true;
            }
            entered.push(name.to_owned());
            let found = visit(all, target, entered);
            entered.pop();
            if found {
                return true;
            }
        }
        let mut found = false;
        keywords::each_subschema(keywords, |keyword, _, below| {
            let in_place =
                ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];
            found |= in_place.contains(&keyword) && visit(all, below, entered);
        });
        found
    }
    let schemas = std::iter::once(schema.root()).chain(schema.definitions().values());
    schemas.into_iter().any(|root| visit(schema, root, &mut Vec::new()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the author's schema takes, the published one takes too: a
    /// client that checks results must not refuse what we let through.
    #[test]
    fn published_output_schemas_are_never_narrower(schema in schema(), values in prop::collection::vec(value(), 8)) {
        let Ok(normal) = read_value(&schema) else { return Ok(()) };
        let Ok((published, shape)) = output(&normal) else { return Ok(()) };
        let author = Validators::default().get(&Enforced::new(&normal)).unwrap();
        let published = Value::Object((*published.schema).clone());
        let client = jsonschema::draft202012::new(&published).unwrap();
        for value in values {
            let seen = match shape {
                Shape::Object if value.is_object() => value.clone(),
                Shape::Object => continue,
                Shape::Value => json!({"value": value}),
            };
            if author.check(&value).is_ok() {
                prop_assert!(client.is_valid(&seen), "{schema}\n{published}\n{seen}");
            }
        }
    }

    /// The same of objects that are closed in part.
    #[test]
    fn what_one_leaves_open_stays_open(schema in closed(), values in prop::collection::vec(named(), 8)) {
        let normal = read_value(&schema).unwrap();
        let Ok((published, _)) = output(&normal) else { return Ok(()) };
        let author = Validators::default().get(&Enforced::new(&normal)).unwrap();
        let published = Value::Object((*published.schema).clone());
        let client = jsonschema::draft202012::new(&published).unwrap();
        for value in values.into_iter().filter(|value| author.check(value).is_ok()) {
            prop_assert!(client.is_valid(&value), "{schema}\n{published}\n{value}");
        }
    }

    /// Checking by the normal form is checking by the author's schema.
    #[test]
    fn the_normal_form_means_what_the_author_wrote(schema in schema(), values in prop::collection::vec(value(), 8)) {
        let Ok(normal) = read_value(&schema) else { return Ok(()) };
        let ours = Validators::default().get(&Enforced::new(&normal)).unwrap();
        if chases_itself(&normal) { return Ok(()) }
        let Ok(theirs) = jsonschema::draft202012::options().offline().build(&schema) else { return Ok(()) };
        for value in values {
            prop_assert_eq!(ours.check(&value).is_ok(), theirs.is_valid(&value), "{}\n{}", schema, value);
        }
    }

    /// Published input schemas keep the rules, and are bounded.
    #[test]
    fn published_input_schemas_are_what_clients_take(schema in schema()) {
        let Ok(normal) = read_value(&schema) else { return Ok(()) };
        let Ok(published) = input(&normal) else { return Ok(()) };
        check_rules(&published.schema, "arbitrary");
    }

    /// Whatever text comes, it is read or refused.
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = read(&text).map(|normal| (input(&normal), output(&normal)));
    }
}
