//! The portfolio application: what a client holds and what it is worth.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::method::{About, DemoMethod, client_id, object, reads};

pub(super) fn methods(book: &Arc<Book>) -> Vec<DemoMethod> {
    let get = About {
        name: "get_portfolio",
        title: "Get a portfolio",
        description: "Gets the positions of a client with market value, gain and weight, largest first. \
                      Values are in the currency of each instrument; weights are in percent.",
        input: object(json!({ "clientId": client_id() }), &[]),
        output: object(
            json!({
                "clientId": { "type": "string" },
                "positions": { "type": "array", "items": position() },
                "sectors": {
                    "type": "array",
                    "items": object(
                        json!({ "sector": { "type": "string" }, "weight": weight() }),
                        &[],
                    ),
                },
            }),
            &[],
        ),
        annotations: reads(),
    };
    let quote = About {
        name: "get_quote",
        title: "Get a quote",
        description: "Gets the last price of an instrument by its symbol.",
        input: object(
            json!({ "symbol": { "type": "string", "description": "Symbol, such as ASML." } }),
            &[],
        ),
        output: object(
            json!({
                "symbol": { "type": "string" },
                "name": { "type": "string" },
                "currency": { "type": "string" },
                "sector": { "type": "string" },
                "price": { "type": "number" },
            }),
            &[],
        ),
        annotations: reads(),
    };
    vec![
        DemoMethod::new(book, &get, |book, One { client_id }: One| portfolio(book, &client_id)),
        DemoMethod::new(book, &quote, |book, Symbol { symbol }: Symbol| {
            book.instrument(&symbol).map(|instrument| json!(instrument))
        }),
    ]
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct One {
    client_id: String,
}

#[derive(Deserialize)]
struct Symbol {
    symbol: String,
}

fn portfolio(book: &Book, client_id: &str) -> Result<Value, String> {
    let client = book.client(client_id)?;
    let mut rows = Vec::new();
    for position in book.positions.iter().filter(|position| position.client_id == client.id) {
        let instrument = book.instrument(&position.symbol)?;
        rows.push((position, instrument, position.quantity * instrument.price));
    }
    rows.sort_by(|(.., a), (.., b)| b.total_cmp(a));
    let total: f64 = rows.iter().map(|(.., value)| value).sum();
    let mut sectors: Vec<(&str, f64)> = Vec::new();
    for (_, instrument, value) in &rows {
        match sectors.iter_mut().find(|(sector, _)| *sector == instrument.sector) {
            Some((_, sum)) => *sum += value,
            None => sectors.push((&instrument.sector, *value)),
        }
    }
    let percent = |value: f64| rounded(100.0 * value / total);
    let positions: Vec<Value> = rows
        .iter()
        .map(|(position, instrument, value)| {
            json!({
                "symbol": instrument.symbol,
                "name": instrument.name,
                "currency": instrument.currency,
                "quantity": position.quantity,
                "price": instrument.price,
                "marketValue": rounded(*value),
                "gain": rounded(value - position.quantity * position.average_cost),
                "weight": percent(*value),
            })
        })
        .collect();
    let sectors: Vec<Value> = sectors
        .into_iter()
        .map(|(sector, value)| json!({ "sector": sector, "weight": percent(value) }))
        .collect();
    Ok(json!({ "clientId": client.id, "positions": positions, "sectors": sectors }))
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn position() -> Value {
    object(
        json!({
            "symbol": { "type": "string" },
            "name": { "type": "string" },
            "currency": { "type": "string" },
            "quantity": { "type": "number" },
            "price": { "type": "number" },
            "marketValue": { "type": "number" },
            "gain": { "type": "number", "description": "Market value less what was paid." },
            "weight": weight(),
        }),
        &[],
    )
}

fn weight() -> Value {
    json!({ "type": "number", "description": "Share of the portfolio in percent, at face value of each currency." })
}
