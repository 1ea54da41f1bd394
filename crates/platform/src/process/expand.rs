//! `%VARIABLES%` in the texts of definitions.

use std::borrow::Cow;

/// Fills in variables. `%%` and a `%` without a name stand for themselves.
///
/// # Errors
/// The name of the first variable that there is not.
pub(super) fn expand<'a>(
    text: &'a str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Cow<'a, str>, String> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        match after.split_once('%') {
            Some((name, behind)) if is_name(name) => {
                out.push_str(&variable(name).ok_or_else(|| name.to_owned())?);
                rest = behind;
            }
            _ => {
                out.push('%');
                rest = after.strip_prefix('%').unwrap_or(after);
            }
        }
    }
    out.push_str(rest);
    Ok(Cow::Owned(out))
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '(' | ')');
    !text.is_empty() && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in() {
        let known = |name: &str| (name == "HOME").then(|| "/home/%me%".to_owned());
        for (text, expected) in [
            ("plain", Ok("plain")),
            ("%HOME%/bin", Ok("/home/%me%/bin")),
            ("a%HOME%b%HOME%", Ok("a/home/%me%b/home/%me%")),
            ("100%", Ok("100%")),
            ("100%%", Ok("100%")),
            ("5% of 10%", Ok("5% of 10%")),
            ("%NONE%/x", Err("NONE")),
        ] {
            let found = expand(text, known);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
        }
    }
}
