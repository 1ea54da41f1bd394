//! The clients application: who the firm works for.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::method::{About, DemoMethod, client_id, object, reads};

pub(super) fn methods(book: &Arc<Book>) -> Vec<DemoMethod> {
    let find = About {
        name: "find_clients",
        title: "Find clients",
        description: "Finds clients of the firm by words of their name, by segment, country or \
                      relationship manager. Use it to learn the id of a client that another tool needs.",
        input: object(
            json!({
                "query": { "type": "string", "description": "Words of the name; case does not count." },
                "segment": {
                    "type": "string",
                    "enum": ["private", "family office", "corporate", "foundation", "institutional"],
                },
                "country": {
                    "type": "string",
                    "pattern": "^[A-Z]{2}$",
                    "description": "ISO 3166 code of two letters.",
                },
                "relationshipManager": { "type": "string", "description": "Words of the manager's name." },
                "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 20 },
            }),
            &["query", "segment", "country", "relationshipManager", "limit"],
        ),
        output: object(
            json!({
                "total": { "type": "integer", "description": "How many clients fit, listed or not." },
                "clients": { "type": "array", "items": client() },
            }),
            &[],
        ),
        annotations: reads(),
    };
    let get = About {
        name: "get_client",
        title: "Get a client",
        description: "Gets one client by id: name, segment, country, relationship manager and mandate.",
        input: object(json!({ "clientId": client_id() }), &[]),
        output: client(),
        annotations: reads(),
    };
    vec![
        DemoMethod::new(book, &find, |book, wanted: Wanted| Ok(find_clients(book, &wanted))),
        DemoMethod::new(book, &get, |book, One { client_id }: One| {
            book.client(&client_id).map(|client| json!(client))
        }),
    ]
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    query: Option<String>,
    segment: Option<String>,
    country: Option<String>,
    relationship_manager: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct One {
    client_id: String,
}

fn find_clients(book: &Book, wanted: &Wanted) -> Value {
    let found: Vec<_> = book
        .clients
        .iter()
        .filter(|client| {
            holds(&client.name, wanted.query.as_deref())
                && holds(&client.relationship_manager, wanted.relationship_manager.as_deref())
                && wanted.segment.as_ref().is_none_or(|segment| client.segment == *segment)
                && wanted.country.as_ref().is_none_or(|country| client.country == *country)
        })
        .collect();
    let limit = wanted.limit.unwrap_or(20);
    json!({ "total": found.len(), "clients": found.into_iter().take(limit).collect::<Vec<_>>() })
}

/// Whether `text` holds every word of `words`.
fn holds(text: &str, words: Option<&str>) -> bool {
    let text = text.to_lowercase();
    words.unwrap_or_default().split_whitespace().all(|word| text.contains(&word.to_lowercase()))
}

fn client() -> Value {
    object(
        json!({
            "id": { "type": "string" },
            "name": { "type": "string" },
            "segment": { "type": "string" },
            "country": { "type": "string", "description": "ISO 3166 code of two letters." },
            "relationshipManager": { "type": "string" },
            "mandate": { "type": "string", "description": "What the client wants: growth, income, balanced or cash." },
            "clientSince": { "type": "string", "format": "date" },
        }),
        &[],
    )
}
