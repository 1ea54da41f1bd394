//! What a platform tells a process it launches.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Credentials, Options};

/// The starting context of a launched process. A platform hands it over as
/// JSON in the environment variable [`StartingContext::VARIABLE`].
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StartingContext {
    /// URL of the gateway.
    #[serde(rename = "gwURL")]
    pub gateway_url: String,
    /// Token to log in with.
    #[serde(rename = "gwToken")]
    pub gateway_token: Option<String>,
    /// The instance this process is.
    pub instance_id: Option<String>,
    /// The environment of the platform.
    #[serde(rename = "env")]
    pub environment: Option<String>,
    /// The region of the platform.
    pub region: Option<String>,
    application_config: Option<ApplicationConfig>,
}

#[derive(Clone, Deserialize)]
struct ApplicationConfig {
    name: Option<String>,
}

/// A starting context that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: {reason}; it must be a JSON object with gwURL, and gwToken, instanceId, env, region, \
     applicationConfig.name as they apply",
    StartingContext::VARIABLE
)]
pub struct StartingContextError {
    reason: String,
}

impl StartingContext {
    /// The environment variable a platform puts it in.
    pub const VARIABLE: &'static str = "_GD_STARTING_CONTEXT_";

    /// Reads the value of the variable.
    ///
    /// # Errors
    /// When it is no JSON object with a `gwURL`.
    pub fn parse(text: &str) -> Result<Self, StartingContextError> {
        serde_json::from_str(text)
            .map_err(|error| StartingContextError { reason: error.to_string() })
    }

    /// The name of the application this process is an instance of.
    #[must_use]
    pub fn application(&self) -> Option<&str> {
        self.application_config.as_ref()?.name.as_deref()
    }

    /// Options with the identity and the credentials of this context; without
    /// a name in it, the application is called `application`.
    #[must_use]
    pub fn options(&self, application: &str) -> Options {
        let mut identity = Map::new();
        for (key, value) in [
            ("instance", &self.instance_id),
            ("environment", &self.environment),
            ("region", &self.region),
        ] {
            if let Some(value) = value {
                identity.insert(key.to_owned(), Value::from(value.as_str()));
            }
        }
        let credentials = match &self.gateway_token {
            Some(token) => Credentials::GatewayToken(token.clone()),
            None => Credentials::None,
        };
        let application = self.application().unwrap_or(application);
        Options { identity, credentials, ..Options::new(application) }
    }
}

impl std::fmt::Debug for StartingContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartingContext")
            .field("gateway_url", &self.gateway_url)
            .field("application", &self.application())
            .field("instance_id", &self.instance_id)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_launched_process_learns_who_it_is() {
        let context = StartingContext::parse(
            &json!({"gwURL": "ws://localhost:8385/gw", "gwToken": "t", "instanceId": "i-1", "env": "UAT",
                    "region": "EMEA", "applicationConfig": {"name": "orders"}, "more": true})
            .to_string(),
        )
        .unwrap();
        let options = context.options("fallback");
        assert_eq!(context.gateway_url, "ws://localhost:8385/gw");
        assert_eq!(options.application, "orders");
        assert_eq!(options.credentials, Credentials::GatewayToken("t".into()));
        assert_eq!(
            Value::Object(options.identity),
            json!({"instance": "i-1", "environment": "UAT", "region": "EMEA"})
        );
        assert!(!format!("{context:?}").contains("\"t\""));
    }

    #[test]
    fn what_is_absent_stays_absent() {
        let context = StartingContext::parse(r#"{"gwURL":"ws://h"}"#).unwrap();
        let options = context.options("fallback");
        assert_eq!(
            (options.application.as_str(), options.credentials, options.identity.len()),
            ("fallback", Credentials::None, 0)
        );
        let error = StartingContext::parse(r#"{"gwToken":"t"}"#).unwrap_err().to_string();
        assert!(error.contains("missing field `gwURL`"), "{error}");
    }
}
