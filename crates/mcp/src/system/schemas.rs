//! What system tools take and answer.

use serde_json::{Value, json};

use super::roles::Role;

/// The JSON Schemas of a tool's arguments and of its result.
pub(super) fn schemas(role: Role) -> Option<(Value, Value)> {
    match role {
        Role::SearchApplications => Some((user_intent(), search_result(applications()))),
        Role::SearchWorkspaces => Some((user_intent(), search_result(workspace()))),
        Role::StartApplications
        | Role::StartWorkspace
        | Role::GetWorkspaceWidget
        | Role::GetWorkingContext => None,
    }
}

fn user_intent() -> Value {
    json!({
        "type": "object",
        "properties": {
            "userIntent": {
                "type": "string",
                "description": "What the person wants to accomplish, in one sentence.",
            },
        },
        "required": ["userIntent"],
    })
}

fn search_result(by: Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "canSatisfyUserIntent": {
                "type": "boolean",
                "description": "Whether something fits.",
            },
            "summary": { "type": "string", "description": "What fits, in words." },
            "nextSteps": { "type": "string", "description": "What to do now." },
            "willSatisfyUserIntentBy": by,
        },
        "required": ["canSatisfyUserIntent", "summary", "nextSteps", "willSatisfyUserIntentBy"],
    })
}

fn applications() -> Value {
    let apps = json!({ "type": "array", "items": application() });
    json!({
        "type": "object",
        "description": "What fits; empty if nothing does.",
        "properties": {
            "workspace": {
                "type": "object",
                "description": "Applications that belong together in one workspace.",
                "properties": { "apps": apps },
                "required": ["apps"],
            },
            "apps": {
                "type": "array",
                "description": "Applications that fit by themselves, best first.",
                "items": application(),
            },
        },
    })
}

fn application() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "By which it is started." },
            "title": { "type": "string" },
            "caption": { "type": "string", "description": "What it is for." },
            "includeInWorkspaces": {
                "type": "boolean",
                "description": "Whether it can be placed in a workspace.",
            },
            "interop": {
                "type": "object",
                "description": "Methods, context and intents by which it is used, with JSON Schemas.",
            },
        },
        "required": ["name", "caption", "includeInWorkspaces"],
    })
}

fn workspace() -> Value {
    json!({
        "type": "object",
        "description": "What fits; empty if nothing does.",
        "properties": {
            "workspace": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "By which it is opened." },
                    "description": { "type": "string" },
                    "contextSchema": {
                        "type": "object",
                        "description": "JSON Schema of the context it takes.",
                    },
                },
                "required": ["name", "description", "contextSchema"],
            },
        },
    })
}
