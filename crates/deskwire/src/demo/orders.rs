//! The orders application: what clients buy and sell.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, Order};
use super::method::{About, DemoMethod, client_id, object, reads};

/// How many orders the demo keeps; it must not grow without end.
const MOST_ORDERS: usize = 1_000;

pub(super) fn methods(book: &Arc<Book>) -> Vec<DemoMethod> {
    let list = About {
        name: "list_orders",
        title: "List orders",
        description: "Lists orders, newest first, of one client or all, in one state or all.",
        input: object(
            json!({ "clientId": client_id(), "status": status() }),
            &["clientId", "status"],
        ),
        output: object(json!({ "orders": { "type": "array", "items": order() } }), &[]),
        annotations: reads(),
    };
    let place = About {
        name: "place_order",
        title: "Place an order",
        description: "Places an order of a client to buy or sell an instrument, at the market or at a \
                      limit. The order then works until it is filled or cancelled.",
        input: object(
            json!({
                "clientId": client_id(),
                "symbol": { "type": "string", "description": "Symbol, such as ASML." },
                "side": { "type": "string", "enum": ["buy", "sell"] },
                "quantity": { "type": "number", "exclusiveMinimum": 0 },
                "limitPrice": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "description": "Worst price, in the instrument's currency. At the market without it.",
                },
            }),
            &["limitPrice"],
        ),
        output: order(),
        annotations: json!({
            "readOnlyHint": false,
            "destructiveHint": false,
            "idempotentHint": false,
            "openWorldHint": false,
        }),
    };
    let cancel = About {
        name: "cancel_order",
        title: "Cancel an order",
        description: "Cancels a working order by id.",
        input: object(
            json!({ "orderId": { "type": "string", "description": "Id of an order, such as O-5001." } }),
            &[],
        ),
        output: order(),
        annotations: json!({
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": true,
            "openWorldHint": false,
        }),
    };
    vec![
        DemoMethod::new(book, &list, |book, filter: Filter| Ok(list_orders(book, &filter))),
        DemoMethod::new(book, &place, place_order),
        DemoMethod::new(book, &cancel, |book, Named { order_id }: Named| {
            cancel_order(book, &order_id)
        }),
    ]
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    client_id: Option<String>,
    status: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ticket {
    client_id: String,
    symbol: String,
    side: String,
    quantity: f64,
    limit_price: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    order_id: String,
}

fn list_orders(book: &Book, filter: &Filter) -> Value {
    let orders = book.orders();
    let found: Vec<&Order> = orders
        .iter()
        .rev()
        .filter(|order| {
            filter.client_id.as_ref().is_none_or(|id| order.client_id.eq_ignore_ascii_case(id))
                && filter.status.as_ref().is_none_or(|status| order.status == *status)
        })
        .collect();
    json!({ "orders": found })
}

fn place_order(book: &Book, ticket: Ticket) -> Result<Value, String> {
    let client_id = book.client(&ticket.client_id)?.id.clone();
    let symbol = book.instrument(&ticket.symbol)?.symbol.clone();
    let mut orders = book.orders();
    if orders.len() >= MOST_ORDERS {
        return Err(format!("the demo keeps {MOST_ORDERS} orders and has them; restart it"));
    }
    let order = Order {
        id: format!("O-{}", 5_001 + orders.len()),
        client_id,
        symbol,
        side: ticket.side,
        quantity: ticket.quantity,
        limit_price: ticket.limit_price,
        status: "working".into(),
    };
    let placed = json!(order);
    orders.push(order);
    Ok(placed)
}

fn cancel_order(book: &Book, order_id: &str) -> Result<Value, String> {
    let mut orders = book.orders();
    let order = orders
        .iter_mut()
        .find(|order| order.id.eq_ignore_ascii_case(order_id))
        .ok_or_else(|| format!("there is no order `{order_id}`; list_orders lists them"))?;
    match order.status.as_str() {
        "working" => order.status = "cancelled".into(),
        "cancelled" => {}
        status => return Err(format!("order {} is {status} and cannot be cancelled", order.id)),
    }
    Ok(json!(order))
}

fn order() -> Value {
    object(
        json!({
            "id": { "type": "string" },
            "clientId": { "type": "string" },
            "symbol": { "type": "string" },
            "side": { "type": "string", "enum": ["buy", "sell"] },
            "quantity": { "type": "number" },
            "limitPrice": { "type": "number" },
            "status": status(),
        }),
        &["limitPrice"],
    )
}

fn status() -> Value {
    json!({ "type": "string", "enum": ["working", "filled", "cancelled"] })
}
