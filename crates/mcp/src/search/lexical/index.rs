//! BM25 over documents with fields of different weight.
//!
//! The usual libraries score one text per document; here a word in a name says
//! more than one in a schema, so each field has a weight and a length of its own
//! (BM25F). That is little more than the sums below.

use std::collections::{BTreeMap, HashMap};

use super::words::Words;

/// Words of one document that count.
const MAX_WORDS: usize = 2_000;
/// Words of a request that count.
const MAX_ASKED: usize = 40;

/// How many documents there usually are.
const USUAL_DOCUMENTS: usize = 50;
/// How much a word tells at least: one that all definitions have is asked for, too.
const LEAST_RARITY: f32 = 0.6;
/// How soon more of a word stops to say more.
const SATURATION: f32 = 1.2;
/// The least score of a hit, as a part of what the request could reach.
const LEAST_FIT: f32 = 0.22;
/// The least score of a hit, in units of how rare a word is.
const LEAST_SCORE: f32 = 0.6;
/// The least score of a hit, as a part of the best one's.
const LEAST_SHARE: f32 = 0.5;
/// How much a word counts that only begins as the one asked for, or the other way round.
const ALIKE: f32 = 0.6;
/// How much another word for the same thing counts.
const SAME: f32 = 0.6;
/// Shortest beginning that makes two words alike, and by how much one may be longer.
const MIN_ALIKE: usize = 4;
const MAX_LONGER: usize = 5;

/// Where a word stands in a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    /// The name, and the name for people.
    Name,
    /// What it is for, in a sentence.
    Caption,
    /// What it is for, at length.
    Description,
    /// Intents it handles.
    Intent,
    /// Methods it has.
    Method,
    /// Types of contexts it takes.
    ContextType,
    /// What its schemas describe.
    Schema,
}

impl Field {
    const COUNT: usize = 7;

    /// How much a word in this field says, and how much less in a longer one (0 to 1).
    fn weight(self) -> (f32, f32) {
        match self {
            Self::Name => (3.0, 0.3),
            Self::Caption => (2.2, 0.4),
            Self::Intent => (1.6, 0.5),
            Self::Method => (1.4, 0.6),
            Self::Description => (1.0, 0.7),
            Self::ContextType => (0.6, 0.5),
            Self::Schema => (0.4, 0.7),
        }
    }
}

/// The words of a definition by field.
#[derive(Debug, Default)]
pub(crate) struct Document {
    texts: Vec<(Field, String)>,
}

impl Document {
    pub(super) fn add(&mut self, field: Field, text: &str) {
        self.texts.push((field, text.to_owned()));
    }

    pub(super) fn add_any(&mut self, field: Field, text: Option<&str>) {
        if let Some(text) = text {
            self.add(field, text);
        }
    }
}

/// Documents, ready to be searched. Immutable.
pub(crate) struct Index {
    words: Words,
    /// Numbers of the words that there are.
    numbers: BTreeMap<String, usize>,
    /// For each word the documents that have it, and how much it says there.
    postings: Vec<Vec<Posting>>,
    documents: usize,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: usize,
    /// From 0 to 1.
    says: f32,
}

/// A document that fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// Its place in the order in which the documents were given.
    pub(crate) document: usize,
    /// How well it fits, from 0 to 1.
    pub(crate) fit: f32,
}

impl Default for Index {
    fn default() -> Self {
        Self::new([])
    }
}

impl Index {
    /// An index of these documents.
    pub(crate) fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        let words = Words::new();
        let mut numbers = BTreeMap::new();
        let counted: Vec<_> = documents
            .into_iter()
            .map(|document| Counted::of(&document, &words, &mut numbers))
            .collect();
        let means = mean_lengths(&counted);
        let mut postings = vec![Vec::new(); numbers.len()];
        for (document, counted) in counted.iter().enumerate() {
            for (&word, times) in &counted.words {
                let sum: f32 = times
                    .iter()
                    .map(|&(field, times)| {
                        let (weight, shrinks) = field.weight();
                        let length = counted.lengths[field as usize] as f32 / means[field as usize];
                        weight * times as f32 / (1.0 - shrinks + shrinks * length)
                    })
                    .sum();
                let says = sum / (SATURATION + sum);
                if let Some(of_word) = postings.get_mut(word) {
                    of_word.push(Posting { document, says });
                }
            }
        }
        Self { words, numbers, postings, documents: counted.len() }
    }

    /// The documents that fit a request, best first; of equal ones the first given.
    pub(crate) fn search(&self, request: &str) -> Vec<Hit> {
        let mut hits = self.ranked(request);
        let best = hits.first().map_or(0.0, |(hit, _)| hit.fit);
        hits.retain(|&(hit, score)| {
            hit.fit >= LEAST_FIT && score >= LEAST_SCORE && hit.fit >= LEAST_SHARE * best
        });
        hits.into_iter().map(|(hit, _)| hit).collect()
    }

    /// Every document that has a word of the request, with its score, best first.
    pub(crate) fn ranked(&self, request: &str) -> Vec<(Hit, f32)> {
        let mut scores = vec![0.0_f32; self.documents];
        let mut says = vec![0.0_f32; self.documents];
        let mut reachable = 0.0;
        for asked in self.words.of_request(request).iter().take(MAX_ASKED) {
            let mut touched = Vec::new();
            for (word, alike) in self.alike(&asked.stem) {
                for posting in self.postings.get(word).into_iter().flatten() {
                    if let Some(best) = says.get_mut(posting.document) {
                        if *best == 0.0 {
                            touched.push(posting.document);
                        }
                        *best = best.max(posting.says * alike);
                    }
                }
            }
            let rarity = self.rarity(touched.len());
            let counts = if touched.is_empty() { asked.unknown } else { asked.known };
            reachable += rarity * counts;
            for document in touched {
                if let (Some(score), Some(said)) =
                    (scores.get_mut(document), says.get_mut(document))
                {
                    *score += rarity * counts * std::mem::take(said);
                }
            }
        }
        let mut ranked: Vec<_> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .map(|(document, score)| (Hit { document, fit: score / reachable }, score))
            .collect();
        ranked.sort_by(|(one, _), (other, _)| {
            other.fit.total_cmp(&one.fit).then(one.document.cmp(&other.document))
        });
        ranked
    }

    /// How much a word tells that so many documents have. Few documents count as if there
    /// were more: a word that all three of a small desktop have is still a rare one.
    fn rarity(&self, having: usize) -> f32 {
        let (all, having) = (self.documents.max(USUAL_DOCUMENTS) as f32, having as f32);
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln().max(LEAST_RARITY)
    }

    /// The word of this stem and those like it, with how much each counts.
    fn alike<'a>(&'a self, stem: &'a str) -> impl Iterator<Item = (usize, f32)> + 'a {
        let same = self.numbers.get(stem).map(|&number| (number, 1.0));
        let is_long = stem.chars().count() >= MIN_ALIKE;
        let longer = self
            .numbers
            .range::<str, _>((std::ops::Bound::Excluded(stem), std::ops::Bound::Unbounded))
            .take_while(move |(word, _)| is_long && word.starts_with(stem))
            .filter(|(word, _)| word.len() <= stem.len() + MAX_LONGER)
            .map(|(_, &number)| (number, ALIKE));
        let shortest = stem.len().saturating_sub(MAX_LONGER).max(MIN_ALIKE + 1);
        let shorter = (shortest..stem.len())
            .filter_map(|end| Some((*self.numbers.get(stem.get(..end)?)?, ALIKE)));
        let others = self.words.same(stem);
        let others = others.filter_map(|other| Some((*self.numbers.get(other)?, SAME)));
        same.into_iter().chain(longer).chain(shorter).chain(others)
    }
}

/// A document as numbers.
struct Counted {
    lengths: [usize; Field::COUNT],
    /// For each word how often it stands in which fields.
    words: HashMap<usize, Vec<(Field, usize)>>,
}

impl Counted {
    fn of(document: &Document, words: &Words, numbers: &mut BTreeMap<String, usize>) -> Self {
        let mut counted = Self { lengths: [0; Field::COUNT], words: HashMap::new() };
        let all = document
            .texts
            .iter()
            .flat_map(|(field, text)| words.of_definition(text).map(|word| (*field, word)));
        for (field, word) in all.take(MAX_WORDS) {
            let next = numbers.len();
            let number = *numbers.entry(word).or_insert(next);
            counted.lengths[field as usize] += 1;
            let fields = counted.words.entry(number).or_default();
            match fields.iter_mut().find(|(known, _)| *known == field) {
                Some((_, times)) => *times += 1,
                None => fields.push((field, 1)),
            }
        }
        counted
    }
}

/// The mean length of each field, of the documents that have it; never 0.
fn mean_lengths(documents: &[Counted]) -> [f32; Field::COUNT] {
    std::array::from_fn(|field| {
        let lengths = documents.iter().map(|document| document.lengths[field]);
        let (sum, having) = lengths
            .filter(|length| *length > 0)
            .fold((0, 0), |(sum, having), length| (sum + length, having + 1));
        if having == 0 { 1.0 } else { sum as f32 / having as f32 }
    })
}
