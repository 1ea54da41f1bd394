//! The schemas of a tool in the two forms they have: one to check by, one to
//! show.

use crate::call::Output;
use crate::schema::{self, Enforced, Normal, Published, SchemaError, Unpublishable};

/// Why a schema does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    /// Nothing can be checked by it.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// It cannot be shown to clients.
    #[error(transparent)]
    Unpublishable(#[from] Unpublishable),
}

impl Unfit {
    /// What the author can do about it.
    pub(crate) fn fix(&self) -> &'static str {
        match self {
            Self::Schema(error) => error.fix(),
            Self::Unpublishable(error) => error.fix(),
        }
    }
}

/// What arguments are checked by, and what clients are shown of it.
#[derive(Debug)]
pub(crate) struct InputSide {
    pub(crate) enforced: Enforced,
    pub(crate) published: Published,
}

impl InputSide {
    /// Without both there is no tool.
    pub(crate) fn new(schema: Result<Normal, SchemaError>) -> Result<Self, Unfit> {
        let normal = schema?;
        let enforced = Enforced::new(&normal);
        enforced.try_out()?;
        Ok(Self { enforced, published: schema::input(&normal)? })
    }
}

/// What results are checked by, and what clients are shown of it.
#[derive(Debug)]
pub(crate) struct OutputSide {
    pub(crate) output: Output,
    pub(crate) published: Option<Published>,
    /// Why clients are shown nothing.
    pub(crate) unfit: Option<Unfit>,
}

impl OutputSide {
    /// A schema that is no use costs only itself, if whoever asks lets it.
    pub(crate) fn new(schema: Result<Normal, SchemaError>) -> Self {
        let checked = schema.and_then(|normal| {
            let enforced = Enforced::new(&normal);
            enforced.try_out()?;
            Ok((normal, enforced))
        });
        let (normal, enforced) = match checked {
            Ok(checked) => checked,
            Err(error) => return Self::unfit(Output::unknown(), error),
        };
        match schema::output(&normal) {
            Ok((published, shape)) => {
                let output = Output::published(&published.schema, shape, enforced);
                Self { output, published: Some(published), unfit: None }
            }
            Err(error) => Self::unfit(Output::unpublished(enforced), error),
        }
    }

    fn unfit(output: Output, error: impl Into<Unfit>) -> Self {
        Self { output, published: None, unfit: Some(error.into()) }
    }
}
