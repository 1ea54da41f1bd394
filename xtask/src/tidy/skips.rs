//! A test that does not run says nothing.

use super::Problem;

/// What keeps a test from running, by the kind of file.
const RUST: &[&str] = &[concat!("#[", "ignore"), concat!("#![", "ignore")];
const SCRIPT: &[&str] = &[".only(", ".skip(", ".todo("];

pub(super) fn check(file: &str, text: &str) -> Vec<Problem> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let refused = if file.ends_with(".rs") {
        RUST
    } else if name.contains(".test.") || name.contains(".spec.") {
        SCRIPT
    } else {
        return Vec::new();
    };
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let found = refused.iter().find(|word| line.contains(**word))?;
            Some(Problem::at(file, index + 1, format!("`{found}`: a test runs or is not there")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_found_where_they_stand() {
        let rust = format!("#[test]\n{}]\nfn x() {{}}\n", RUST[0]);
        assert_eq!(check("a.rs", &rust)[0].line, Some(2));
        for script in ["test.skip('x')", "describe.only('x')", "it.todo('x')"] {
            assert_eq!(check("a/b.test.mjs", script).len(), 1, "{script}");
        }
    }

    #[test]
    fn iterators_may_skip() {
        assert_eq!(check("a.rs", "list.iter().skip(1)"), []);
        assert_eq!(check("support/list.mjs", "list.skip(1)"), []);
    }
}
