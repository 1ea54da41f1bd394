//! The results in `bench/README.md`.

use std::fs;

use crate::failure::Failure;
use crate::repo::Repo;

const FILE: &str = "bench/README.md";
const BEGIN: &str = "<!-- results: cargo xtask bench --write -->";
const END: &str = "<!-- end of results -->";

/// Puts `results` in the place of the last ones.
pub(super) fn write(repo: &Repo, results: &str) -> Result<(), Failure> {
    let path = repo.path(FILE);
    let text = fs::read_to_string(&path)
        .map_err(|error| Failure::new(format!("cannot read {FILE}: {error}")))?;
    let text = replaced(&text, results).ok_or_else(|| {
        Failure::new(format!("{FILE} must have a line `{BEGIN}` and one `{END}`"))
    })?;
    fs::write(&path, text).map_err(|error| Failure::new(format!("cannot write {FILE}: {error}")))
}

fn replaced(text: &str, results: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", results.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_results_change() {
        let text = format!("# Title\n{BEGIN}\nold\n{END}\nrest\n");
        let new = replaced(&text, "new\n").unwrap();
        assert_eq!(new, format!("# Title\n{BEGIN}\n\nnew\n\n{END}\nrest\n"));
        assert_eq!(replaced(&new, "new").unwrap(), new);
        assert_eq!(replaced("# Title\n", "new"), None);
    }
}
