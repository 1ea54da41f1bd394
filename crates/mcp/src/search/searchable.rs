//! The candidates of one revision of the definitions, ready to be searched.

use std::sync::Arc;

use deskwire_catalog::{Application, Catalog, Layout};

use super::answer::Found;
use super::candidates::{Candidates, SearchGuards};
use super::lexical::{Index, of_application, of_workspace};
use crate::surface::Withheld;

/// The most applications or workspaces that are found without a model.
const MOST: usize = 5;

/// What is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// Applications.
    Applications,
    /// Saved workspaces.
    Workspaces,
}

/// Candidates with an index of their words. Immutable.
#[derive(Default)]
pub(crate) struct Searchable {
    /// Whether somebody has said what is defined.
    pub(crate) known: bool,
    pub(crate) applications: Vec<Arc<Application>>,
    pub(crate) workspaces: Vec<Arc<Layout>>,
    pub(crate) left_out: Vec<Arc<Withheld>>,
    by_application: Index,
    by_workspace: Index,
}

impl Searchable {
    /// What may be searched of a catalog.
    pub(crate) fn of(catalog: Option<&Catalog>, guards: &SearchGuards) -> Self {
        let Some(catalog) = catalog else { return Self::default() };
        let Candidates { applications, workspaces, left_out } = Candidates::of(catalog, guards);
        Self {
            known: true,
            by_application: Index::new(applications.iter().map(|it| of_application(it))),
            by_workspace: Index::new(workspaces.iter().map(|it| of_workspace(it))),
            left_out: left_out.into_iter().map(Arc::new).collect(),
            applications,
            workspaces,
        }
    }

    /// How many candidates there are.
    pub(crate) fn len(&self, what: What) -> usize {
        match what {
            What::Applications => self.applications.len(),
            What::Workspaces => self.workspaces.len(),
        }
    }

    /// What fits a request by its words alone.
    pub(crate) fn by_words(&self, what: What, request: &str) -> Found {
        let hits = match what {
            What::Applications => self.by_application.search(request),
            What::Workspaces => self.by_workspace.search(request),
        };
        let more = hits.len().saturating_sub(MOST);
        let places: Vec<_> = hits.iter().take(MOST).map(|hit| hit.document).collect();
        match what {
            What::Applications => {
                let together = self.side_by_side(request);
                Found::applications(self, &places, &together, more)
            }
            What::Workspaces => Found::workspaces(self, &places, more),
        }
    }

    /// The places of all candidates, those that share words with a request first.
    pub(crate) fn ranked(&self, what: What, request: &str) -> Vec<usize> {
        let ranked = match what {
            What::Applications => self.by_application.ranked(request),
            What::Workspaces => self.by_workspace.ranked(request),
        };
        let mut places: Vec<_> = ranked.into_iter().map(|(hit, _)| hit.document).collect();
        let mut seen = vec![false; self.len(what)];
        for &place in &places {
            if let Some(seen) = seen.get_mut(place) {
                *seen = true;
            }
        }
        let rest = seen.iter().enumerate().filter(|(_, seen)| !**seen).map(|(place, _)| place);
        places.extend(rest);
        places
    }

    /// The applications that a request wants side by side: one for each of its parts,
    /// where it says so, and all of them can be in a workspace.
    fn side_by_side(&self, request: &str) -> Vec<usize> {
        let Some(parts) = parts(request) else { return Vec::new() };
        let mut places = Vec::new();
        for part in parts {
            let best = self.by_application.search(&part).first().map(|hit| hit.document);
            if let Some(place) = best.filter(|place| !places.contains(place)) {
                places.push(place);
            }
        }
        let arranged = |place: &usize| {
            self.applications
                .get(*place)
                .is_some_and(|application| application.include_in_workspaces)
        };
        places.truncate(MOST);
        if places.len() > 1 && places.iter().all(arranged) { places } else { Vec::new() }
    }
}

/// Words by which a person asks for several things at once, on one screen.
const ARRANGED: [&str; 8] = [
    "side by side",
    "next to",
    "beside",
    "alongside",
    "together with",
    "together",
    "in one workspace",
    "in a workspace",
];

/// The parts of a request that asks for several things side by side.
fn parts(request: &str) -> Option<Vec<String>> {
    const CUT: &str = "\u{0}";
    let lower = request.to_lowercase();
    ARRANGED.iter().any(|words| lower.contains(words)).then(|| {
        let cut = ARRANGED.iter().fold(lower.clone(), |text, words| text.replace(words, CUT));
        let cut = cut.replace(" and ", CUT).replace(',', CUT);
        cut.split(CUT).map(str::to_owned).filter(|part| !part.trim().is_empty()).collect()
    })
}

impl std::fmt::Debug for Searchable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searchable")
            .field("applications", &self.applications.len())
            .field("workspaces", &self.workspaces.len())
            .finish_non_exhaustive()
    }
}
