//! Methods that were meant to be tools and lack the flag by a hair.

use deskwire_wire::shown_name;
use serde_json::{Map, Value};

use super::flag::{self, FLAG};

/// How far from the flag's name a name may be, in letters, to be meant as it.
const MAX_DISTANCE: usize = 2;
/// Longest name that is compared with the flag's.
const MAX_COMPARED: usize = 40;
/// How deep the flag is looked for inside other flags.
const MAX_DEPTH: usize = 3;

/// Something that looks like the flag and is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NearMiss {
    /// The flag has another name.
    #[error("the flag `{found}` is not `{FLAG}`")]
    Misspelt {
        /// The name it has.
        found: String,
    },
    /// The flag stands inside another one.
    #[error("`{FLAG}` stands at `{path}`, where it does not count")]
    Nested {
        /// Where it stands, as the application wrote it.
        path: String,
    },
    /// The flag stands beside the flags.
    #[error("`{FLAG}` stands at `{path}`, where it does not count")]
    Outside {
        /// Where it stands in the definition.
        path: &'static str,
    },
    /// What belongs into the flag stands where the flag belongs.
    #[error("`inputSchema` and `outputSchema` stand in `flags` itself, not in `flags.{FLAG}`")]
    Unwrapped,
}

impl NearMiss {
    pub(super) fn fix(&self) -> String {
        match self {
            Self::Misspelt { found } => format!("rename the flag `{found}` to `{FLAG}`"),
            Self::Nested { .. } | Self::Outside { .. } => format!(
                "register with `flags: {{ {FLAG}: {{ … }} }}`, directly in `flags` \
                 (in a message of the bus: in `flags.metadata`)"
            ),
            Self::Unwrapped => format!(
                "register with `flags: {{ {FLAG}: {{ name, inputSchema, outputSchema }} }}`"
            ),
        }
    }
}

/// Looks for the flag where it does not count. Gives what was found and, if
/// there is one, the name it gives the tool.
pub(super) fn find<'a>(
    flags: &'a Map<String, Value>,
    definition: &str,
) -> Option<(NearMiss, Option<&'a str>)> {
    if let Some((found, value)) = flags.iter().find(|(name, value)| is_meant(name, value)) {
        return Some((NearMiss::Misspelt { found: shown_name(found) }, flag::name(value)));
    }
    if let Some((path, value)) = nested(flags, MAX_DEPTH) {
        return Some((NearMiss::Nested { path: format!("flags.{path}") }, flag::name(value)));
    }
    if flags.contains_key("inputSchema") && flags.contains_key("outputSchema") {
        let name = flags.get("name").and_then(Value::as_str);
        return Some((NearMiss::Unwrapped, name));
    }
    // Parsing is for the few that have the name in them at all.
    if definition.contains(FLAG) {
        let definition: Value = serde_json::from_str(definition).ok()?;
        let paths = [("flags", "/flags"), ("metadata", "/metadata"), ("the definition", "")];
        let stands = |pointer| definition.pointer(pointer).is_some_and(|it| it.get(FLAG).is_some());
        let (path, _) = paths.into_iter().find(|(_, pointer)| stands(pointer))?;
        return Some((NearMiss::Outside { path }, None));
    }
    None
}

/// The flag inside other flags, by its path.
fn nested(flags: &Map<String, Value>, depth: usize) -> Option<(String, &Value)> {
    if depth == 0 {
        return None;
    }
    flags.iter().find_map(|(name, value)| {
        let within = value.as_object()?;
        let (path, value) = match within.get(FLAG) {
            Some(value) => (FLAG.to_owned(), value),
            None => nested(within, depth - 1)?,
        };
        Some((format!("{}.{path}", shown_name(name)), value))
    })
}

/// Whether a flag of this name is meant to be the one: by its name, or by what it
/// holds where the name has a part of the right one in it.
fn is_meant(name: &str, value: &Value) -> bool {
    const PARTS: [&str; 3] = ["mcp", "tool", "iointel"];
    if name.len() > MAX_COMPARED {
        return false;
    }
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let letters = letters.to_ascii_lowercase().replace("intelligence", "intel");
    distance(&letters, &FLAG.to_ascii_lowercase()) <= MAX_DISTANCE
        || (value.get("inputSchema").is_some() && PARTS.iter().any(|part| letters.contains(part)))
}

/// The number of letters to add, drop or replace to make one word the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, left) in one.bytes().enumerate() {
        let mut diagonal = at;
        row[0] = at + 1;
        for (place, right) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(flags: &Value) -> Option<String> {
        let (miss, name) = find(flags.as_object().unwrap(), "{}")?;
        Some(format!("{miss} ({})", name.unwrap_or("-")))
    }

    #[test]
    fn a_flag_that_is_nearly_right_is_found() {
        let tool = json!({"name": "greet", "inputSchema": "{}", "outputSchema": "{}"});
        for name in [
            "ioIntelMcpTool",
            "iointelmcptool",
            "ioIntelMCPTools",
            "ioIntelMCPTol",
            "ioIntelligenceMCPTool",
            "io_intel_mcp_tool",
            "IOIntelMCPTool",
            "mcpTool",
            "ioIntelTool",
            "aiTool",
        ] {
            let expected = format!("the flag `{name}` is not `ioIntelMCPTool` (greet)");
            assert_eq!(found(&json!({name: tool})).as_deref(), Some(&*expected));
        }
        for (flags, expected) in [
            (
                json!({"metadata": {"ioIntelMCPTool": tool}}),
                "`ioIntelMCPTool` stands at `flags.metadata.ioIntelMCPTool`, where it does not count (greet)",
            ),
            (
                json!({"a": {"flags": {"ioIntelMCPTool": tool}}}),
                "`ioIntelMCPTool` stands at `flags.a.flags.ioIntelMCPTool`, where it does not count (greet)",
            ),
            (
                tool.clone(),
                "`inputSchema` and `outputSchema` stand in `flags` itself, not in `flags.ioIntelMCPTool` (greet)",
            ),
        ] {
            assert_eq!(found(&flags).as_deref(), Some(expected));
        }
    }

    #[test]
    fn other_flags_are_left_alone() {
        for flags in [
            json!({}),
            json!({"intent": {"displayName": "x"}, "tool": true, "mcp": 1}),
            json!({"ioIntel": {}, "returnWindowId": true}),
            json!({"x".repeat(5000): {"inputSchema": 1}}),
            json!({"a": {"b": {"c": {"d": {"ioIntelMCPTool": {}}}}}}),
        ] {
            assert_eq!(found(&flags), None, "{flags}");
        }
    }

    #[test]
    fn a_flag_beside_the_flags_is_found() {
        for (definition, path) in [
            (json!({"flags": {"ioIntelMCPTool": {}, "metadata": {}}}), "flags"),
            (json!({"metadata": {"ioIntelMCPTool": {}}}), "metadata"),
            (json!({"ioIntelMCPTool": {}}), "the definition"),
        ] {
            let flags = Map::new();
            let (miss, name) = find(&flags, &definition.to_string()).unwrap();
            assert_eq!((miss, name), (NearMiss::Outside { path }, None));
        }
        let talk = json!({"description": "has no ioIntelMCPTool"}).to_string();
        assert_eq!(find(&Map::new(), &talk), None);
    }
}
