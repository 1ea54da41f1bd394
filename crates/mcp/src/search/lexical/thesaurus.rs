//! Words for the same thing in the language of offices.

use std::collections::HashMap;

/// Each line is one thing. Short on purpose: what a definition is about should stand in
/// its own words, and every word here can also find something that is not meant.
const SAME: &[&[&str]] = &[
    &["bill", "invoice"],
    &["boss", "manager", "supervisor"],
    &["buy", "purchase"],
    &["car", "lorry", "truck", "van", "vehicle"],
    &["case", "ticket"],
    &["cash", "money"],
    &["client", "customer"],
    &["color", "colour"],
    &["colleague", "coworker", "employee", "staff"],
    &["company", "corporation", "firm", "organisation", "organization"],
    &["currency", "dollar", "euro", "franc", "yen"],
    &["email", "mail"],
    &["equity", "instrument", "security", "share", "stock"],
    &["holiday", "leave", "vacation"],
    &["job", "vacancy"],
    &["package", "parcel", "consignment", "shipment"],
    &["supplier", "vendor"],
];

/// Finds words for the same thing by their stems.
pub(super) struct Thesaurus {
    things: Vec<Vec<String>>,
    by_stem: HashMap<String, usize>,
}

impl Thesaurus {
    /// `stem` makes a stem of a word.
    pub(super) fn new(stem: impl Fn(&str) -> String) -> Self {
        let stems = |thing: &&[&str]| thing.iter().map(|word| stem(word)).collect::<Vec<_>>();
        let things: Vec<_> = SAME.iter().map(stems).collect();
        let by_stem = things
            .iter()
            .enumerate()
            .flat_map(|(at, stems)| stems.iter().map(move |stem| (stem.clone(), at)))
            .collect();
        Self { things, by_stem }
    }

    /// Other stems for what this one stands for.
    pub(super) fn others<'a>(&'a self, stem: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        let thing = self.by_stem.get(stem).and_then(|&at| self.things.get(at));
        thing.into_iter().flatten().map(String::as_str).filter(move |other| *other != stem)
    }
}
