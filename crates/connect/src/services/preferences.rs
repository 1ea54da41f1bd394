//! What applications keep for their user.

use serde_json::{Map, Value, json};

use super::lenient::{fields, list, text};
use super::platform::{self, ANSWERS_WITHIN, ServiceError};
use crate::Client;

const GET: &str = "T42.Prefs.Get";
const SET: &str = "T42.Prefs.Set";

/// The preferences of applications. See [`Client::preferences`].
#[derive(Debug, Clone, Copy)]
pub struct Preferences<'a> {
    client: &'a Client,
}

/// What an application keeps for its user.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// Name of the application.
    pub application: String,
    /// Its data; empty if it keeps nothing.
    pub data: Map<String, Value>,
    /// When it was written last, as the platform says it.
    pub last_update: Option<String>,
}

impl Client {
    /// The preferences of applications.
    #[must_use]
    pub fn preferences(&self) -> Preferences<'_> {
        Preferences { client: self }
    }
}

impl Preferences<'_> {
    /// Whether a platform on the bus keeps preferences.
    #[must_use]
    pub fn available(self) -> bool {
        platform::offers(self.client, GET)
    }

    /// What one application keeps.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn get(self, application: &str) -> Result<Preference, ServiceError> {
        let answer = self.ask(GET, json!({ "app": application })).await?;
        Ok(read(&answer, application))
    }

    /// What every application keeps.
    ///
    /// # Errors
    /// When the platform does not answer.
    pub async fn all(self) -> Result<Vec<Preference>, ServiceError> {
        let answer = self.ask(GET, json!({})).await?;
        let entries = answer.get("all");
        let named = list(entries).filter_map(|one| Some((text(one, &["app"])?, one)));
        Ok(named.map(|(application, one)| read(one, &application)).collect())
    }

    /// Replaces what an application keeps.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn set(
        self,
        application: &str,
        data: Map<String, Value>,
    ) -> Result<(), ServiceError> {
        self.ask(SET, json!({ "app": application, "data": data, "merge": false })).await?;
        Ok(())
    }

    /// Sets top-level keys of what an application keeps, and leaves the others.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn merge(
        self,
        application: &str,
        data: Map<String, Value>,
    ) -> Result<(), ServiceError> {
        self.ask(SET, json!({ "app": application, "data": data, "merge": true })).await?;
        Ok(())
    }

    /// Forgets what an application keeps.
    ///
    /// # Errors
    /// When the platform does not do it.
    pub async fn clear(self, application: &str) -> Result<(), ServiceError> {
        self.ask(SET, json!({ "app": application, "clear": true })).await?;
        Ok(())
    }

    async fn ask(self, method: &str, arguments: Value) -> Result<Value, ServiceError> {
        let answer = platform::ask(self.client, method, arguments, ANSWERS_WITHIN).await?;
        Ok(answer.decoded())
    }
}

fn read(answer: &Value, application: &str) -> Preference {
    Preference {
        application: application.to_owned(),
        data: fields(answer.get("data")),
        last_update: text(answer, &["lastUpdate"]),
    }
}
