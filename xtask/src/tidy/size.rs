//! A long file hides a second idea.

use super::Problem;

/// The most lines of a source file.
const LINES: usize = 600;

/// Extensions of what people write line by line.
const SOURCES: &[&str] = &["css", "html", "js", "mjs", "rs", "sh", "ts", "tsx"];

pub(super) fn check(file: &str, text: &str) -> Option<Problem> {
    let extension = file.rsplit('.').next().unwrap_or_default();
    let lines = text.lines().count();
    (SOURCES.contains(&extension) && lines > LINES).then(|| {
        Problem::in_file(file, format!("{lines} lines, {LINES} at most: look for the second idea"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_sources_are_problems() {
        let long = "x\n".repeat(LINES + 1);
        assert!(check("src/lib.rs", &long).is_some());
        assert_eq!(check("src/lib.rs", &"x\n".repeat(LINES)), None);
        assert_eq!(check("package-lock.json", &long), None);
    }
}
