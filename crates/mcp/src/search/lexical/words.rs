//! Words of texts, as far as they tell what a text is about.

use rust_stemmers::{Algorithm, Stemmer};

use super::thesaurus::Thesaurus;

/// Characters of a text that are looked at.
const MAX_TEXT: usize = 4_000;
/// Longest word in characters; what is longer is no word.
const MAX_WORD: usize = 40;

/// Words that tell nothing, in definitions and in requests.
const EMPTY: &[&str] = &[
    "a", "about", "above", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "been", "before", "being", "both", "but", "by", "can", "could", "did", "do", "does",
    "each", "else", "etc", "every", "for", "from", "had", "has", "have", "he", "her", "here",
    "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "lets", "may", "me",
    "more", "most", "my", "no", "not", "of", "on", "one", "only", "or", "other", "our", "out",
    "over", "own", "per", "shall", "she", "should", "so", "some", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "s", "t", "d", "m",
    "re", "ll", "ve",
];

/// Words of requests that tell that something is wanted, and not what.
const ASKING: &[&str] = &[
    "ask", "begin", "bring", "check", "display", "do", "find", "get", "give", "go", "help", "hi",
    "hello", "know", "launch", "let", "like", "look", "make", "need", "open", "please", "put",
    "say", "see", "show", "start", "take", "tell", "thank", "thanks", "thing", "things", "try",
    "use", "using", "view", "want", "work",
];

/// Words that say when or how much, which few definitions do.
const VAGUE: &[&str] = &[
    "ago",
    "afternoon",
    "again",
    "always",
    "april",
    "august",
    "bit",
    "close",
    "current",
    "currently",
    "daily",
    "day",
    "days",
    "december",
    "evening",
    "everything",
    "far",
    "february",
    "few",
    "first",
    "friday",
    "good",
    "half",
    "hour",
    "hours",
    "january",
    "july",
    "june",
    "large",
    "last",
    "late",
    "latest",
    "long",
    "lot",
    "march",
    "many",
    "minute",
    "moment",
    "monday",
    "month",
    "months",
    "morning",
    "much",
    "new",
    "next",
    "night",
    "november",
    "now",
    "october",
    "past",
    "possible",
    "present",
    "recent",
    "saturday",
    "second",
    "september",
    "six",
    "side",
    "small",
    "sunday",
    "ten",
    "three",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "two",
    "wednesday",
    "week",
    "weeks",
    "whole",
    "year",
    "years",
    "yesterday",
];

/// A word of a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// Its stem.
    pub(super) stem: String,
    /// How much it counts where no definition has it: less for numbers, names and
    /// words that say when.
    pub(super) unknown: f32,
    /// How much it counts where one has it.
    pub(super) known: f32,
}

/// Makes words of texts.
pub(super) struct Words {
    stemmer: Stemmer,
    thesaurus: Thesaurus,
}

impl Words {
    pub(super) fn new() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let thesaurus = Thesaurus::new(|word| stemmer.stem(word).into_owned());
        Self { stemmer, thesaurus }
    }

    /// Other stems for what this one stands for.
    pub(super) fn same<'a>(&'a self, stem: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.thesaurus.others(stem)
    }

    /// The stems of a text of a definition, in order.
    pub(super) fn of_definition<'a>(&'a self, text: &'a str) -> impl Iterator<Item = String> + 'a {
        pieces(text)
            .map(|piece| piece.text.to_lowercase())
            .filter(|word| !EMPTY.contains(&word.as_str()))
            .map(|word| self.stem(&word))
    }

    /// The words of a request, each once.
    pub(super) fn of_request(&self, text: &str) -> Vec<Asked> {
        let mut asked: Vec<Asked> = Vec::new();
        for piece in pieces(text) {
            let word = piece.text.to_lowercase();
            if EMPTY.contains(&word.as_str()) || ASKING.contains(&word.as_str()) {
                continue;
            }
            let (known, unknown) = if VAGUE.contains(&word.as_str()) {
                (0.4, 0.1)
            } else if piece.is_name || word.contains(|it: char| it.is_ascii_digit()) {
                (1.0, 0.2)
            } else {
                (1.0, 1.0)
            };
            let stem = self.stem(&word);
            match asked.iter_mut().find(|known| known.stem == stem) {
                Some(twice) => twice.unknown = twice.unknown.max(unknown),
                None => asked.push(Asked { stem, unknown, known }),
            }
        }
        asked
    }

    fn stem(&self, word: &str) -> String {
        self.stemmer.stem(word).into_owned()
    }
}

/// A run of letters and digits within one style of letters.
struct Piece<'a> {
    text: &'a str,
    /// A capital letter within a sentence.
    is_name: bool,
}

/// The words of a text; `showChart`, `show-chart` and `show_chart` are two each.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let end = text.char_indices().nth(MAX_TEXT).map_or(text.len(), |(at, _)| at);
    let text = text.get(..end).unwrap_or_default();
    let mut begins_sentence = true;
    let mut after_end = true;
    text.split_inclusive(|it: char| !it.is_alphanumeric()).flat_map(move |run| {
        let word = run.trim_end_matches(|it: char| !it.is_alphanumeric());
        let first = std::mem::replace(&mut begins_sentence, false) || after_end;
        if !word.is_empty() {
            after_end = false;
        }
        if run.ends_with(['.', '?', '!', ':', '\n']) {
            after_end = true;
        }
        let is_name = !first && word.starts_with(char::is_uppercase);
        humps(word).map(move |text| Piece { text, is_name })
    })
}

/// The parts of a word that is written in camel case.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut before = None;
        let cut = rest.char_indices().find_map(|(at, it)| {
            let hump = it.is_uppercase() && before.is_some_and(char::is_lowercase);
            before = Some(it);
            hump.then_some(at)
        });
        let (part, after) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = after;
        Some(part)
    })
    .filter(|part| part.chars().count() <= MAX_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_stems_without_empty_words() {
        let words = Words::new();
        for (text, stems) in [
            ("Shows the holdings of a client", "show hold client"),
            (
                "ViewChart get-proposal-data Orders.Prepare",
                "view chart get propos data order prepar",
            ),
            ("VaR, P&L; 24/7", "va r p l 24 7"),
            ("Größe ändern 🙂", "größe ändern"),
            ("", ""),
        ] {
            assert_eq!(words.of_definition(text).collect::<Vec<_>>().join(" "), stems, "{text}");
        }
        let long = format!("{} end", "x".repeat(MAX_WORD + 1));
        assert_eq!(words.of_definition(&long).collect::<Vec<_>>(), ["end"]);
        assert!(words.of_definition(&"ab ".repeat(100_000)).count() <= MAX_TEXT / 3 + 1);
    }

    #[test]
    fn requests_are_what_is_wanted() {
        let words = Words::new();
        let asked = |text: &str| -> Vec<_> {
            let asked = words.of_request(text);
            asked.into_iter().map(|word| (word.stem, word.unknown)).collect()
        };
        assert_eq!(
            asked("Please show me what Anna holds today, hold 4711"),
            [
                ("anna".into(), 0.2),
                ("hold".into(), 1.0),
                ("today".into(), 0.1),
                ("4711".into(), 0.2)
            ]
        );
        assert_eq!(asked("What can you do for me?"), []);
    }
}
