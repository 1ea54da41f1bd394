//! Schemas and values that are made to be slow, large or deep.

use super::*;

/// A few references can stand for more than fits into memory.
#[test]
fn bombs_stay_small() {
    let definitions: Map<_, _> = (0..20)
        .map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            (
                format!("d{at}"),
                json!({"type": "object", "properties": {"a": next, "b": next},
                                     "allOf": [next, next]}),
            )
        })
        .chain([("d20".to_owned(), json!({"type": "object"}))])
        .collect();
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    let normal = read_value(&schema).unwrap();
    let published = input(&normal).unwrap();
    assert!(Value::Object((*published.schema).clone()).to_string().len() < 64_000);

    let checker = Validators::default().get(&Enforced::new(&normal)).unwrap();
    let mut value = json!({});
    for _ in 0..20 {
        value = json!({"a": value, "b": {}});
    }
    let violations = checker.check(&json!({"x": value})).unwrap_err();
    assert_eq!(violations[0].message, "too large to be checked against this schema");

    // Recursion that doubles at each level of the value.
    let again = json!({"properties": {"p": {"$ref": "#"}}});
    let normal = read_value(&json!({"type": "object", "allOf": [again, again]})).unwrap();
    let checker = Validators::default().get(&Enforced::new(&normal)).unwrap();
    let deep = (0..80).fold(json!({}), |value, _| json!({"p": value}));
    let wrong = (0..80).fold(json!(7), |value, _| json!({"p": value}));
    assert!(checker.check(&wrong).is_err());

    // One that does not double is checked to its end.
    let normal =
        read_value(&json!({"type": "object", "properties": {"p": {"$ref": "#"}}})).unwrap();
    let checker = Validators::default().get(&Enforced::new(&normal)).unwrap();
    checker.check(&deep).unwrap();
    let wrong = (0..80).fold(json!(7), |value, _| json!({"p": value}));
    assert!(
        checker.check(&wrong).unwrap_err()[0]
            .to_string()
            .ends_with("must be an object, not a number")
    );
}

/// References that lead on and on must not take the checker's stack with them.
#[test]
fn depth_is_bounded() {
    let ring = |length: usize| {
        let definitions = (0..length).map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", (at + 1) % length)});
            let here = json!({"minProperties": 0, "allOf": [{"maxProperties": 9}, {"anyOf": [{"type": "string"}, next]}]});
            let step = json!({"properties": {"p": next}});
            (format!("d{at}"), if at + 1 == length { step } else { here })
        });
        let definitions: Map<_, _> = definitions.collect();
        read_value(&json!({"type": "object", "$ref": "#/$defs/d0", "$defs": definitions}))
    };
    let nested = |depth: usize| (0..depth).fold(json!({}), |value, _| json!({"p": value}));
    for (length, depth, checked) in
        [(1, 100, true), (8, 10, true), (8, 100, false), (18, 100, false)]
    {
        let normal = ring(length).unwrap();
        input(&normal).unwrap();
        let checker = Validators::default().get(&Enforced::new(&normal)).unwrap();
        assert_eq!(checker.check(&nested(depth)).is_ok(), checked, "{length} {depth}");
    }
    assert!(matches!(ring(60), Err(SchemaError::Entangled { definitions: 60 })));
}

/// What `unevaluated…` goes through again for each of its kind inside it.
#[test]
fn what_is_evaluated_again_and_again_is_given_up() {
    let nested = |wrap: fn(Value) -> Value| (0..28).fold(json!({}), |below, _| wrap(below));
    let properties = nested(|below| json!({"if": below, "unevaluatedProperties": false}));
    let any_of = nested(|below| json!({"anyOf": [below], "unevaluatedProperties": false}));
    let one_of = nested(|below| json!({"oneOf": [below], "unevaluatedProperties": {}}));
    let items = nested(|below| json!({"anyOf": [below], "unevaluatedItems": {}}));
    let values =
        nested(|below| json!({"anyOf": [{"required": ["b"]}, {}], "unevaluatedProperties": below}));
    let definitions: Map<_, _> = (0..20)
        .map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            (format!("d{at}"), json!({"if": next, "unevaluatedProperties": false}))
        })
        .chain([("d20".to_owned(), json!({"type": "object"}))])
        .collect();
    let referring = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let deep = (0..28).fold(json!(7), |below, _| json!({"a": below, "c": 1}));
    for schema in [properties, any_of, one_of, items, values, referring] {
        let checker =
            Validators::default().get(&Enforced::new(&read_value(&schema).unwrap())).unwrap();
        for value in [json!({}), json!({"a": 1}), json!([1, 2]), deep.clone()] {
            // It ends.
            let _ = checker.check(&value);
        }
    }
    let nested = |depth| {
        (0..depth).fold(json!({}), |below, _| json!({"if": below, "unevaluatedProperties": false}))
    };
    let check = |depth| {
        let normal = read_value(&nested(depth)).unwrap();
        Validators::default().get(&Enforced::new(&normal)).unwrap().check(&json!({}))
    };
    assert_eq!(check(6), Ok(()), "what ends soon is checked to its end");
    assert_eq!(check(28).unwrap_err()[0].message, "too large to be checked against this schema");
}

#[test]
fn patterns_that_backtrack_are_refused() {
    let schema = read_value(&json!({"properties": {"a": {"pattern": "^(?=a)b"}}})).unwrap();
    let error = Validators::default().get(&Enforced::new(&schema)).unwrap_err();
    assert!(
        matches!(&error, SchemaError::NotCheckable { path, .. } if path == "/properties/a/pattern"),
        "{error}"
    );
}

#[test]
fn patterns_share_their_room() {
    let compile = |patterns: Vec<String>, extra: Value| {
        let properties = patterns.into_iter().enumerate();
        let properties: Map<_, _> = properties
            .map(|(at, pattern)| (format!("p{at}"), json!({"pattern": pattern})))
            .collect();
        let mut schema = json!({"properties": properties});
        for (key, value) in extra.as_object().into_iter().flatten() {
            schema[key] = value.clone();
        }
        Enforced::new(&read_value(&schema).unwrap()).try_out().map_err(|error| error.to_string())
    };
    let small =
        |count: usize| (0..count).map(|at| format!("^[A-Z]{{3}}-{at}$")).collect::<Vec<_>>();
    assert_eq!(compile(small(200), json!({})), Ok(()));
    assert_eq!(compile(vec!["^a$".into(); 1000], json!({})), Ok(()), "the same is one");
    assert_eq!(
        compile(small(3000), json!({})).unwrap_err(),
        "the schema has 3000 different regular expressions, which is too many"
    );
    let large =
        |count: usize| (0..count).map(|at| format!("^[\\p{{L}}]{{20}}{at}$")).collect::<Vec<_>>();
    assert_eq!(compile(large(2), json!({})), Ok(()));
    for extra in [json!({}), json!({"unevaluatedProperties": false})] {
        let error = compile(large(100), extra).unwrap_err();
        assert!(error.starts_with("the regular expression at `/properties/p"), "{error}");
        assert!(error.ends_with("/pattern` takes too much room once it is compiled"), "{error}");
    }
}
