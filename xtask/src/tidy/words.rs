//! Paths of one machine and addresses of registries have no place in the repository.

use super::Problem;

/// Pieces, so that this file is not its own finding.
const REFUSED: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/fa", "rm/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("npm", "js.org"), "the address of a registry"),
    (concat!("npm", "js.com"), "the address of a registry"),
    (concat!("index.crat", "es.io"), "the address of a registry"),
    (concat!("static.crat", "es.io"), "the address of a registry"),
    (concat!("python", "hosted.org"), "the address of a registry"),
];

pub(super) fn check(file: &str, text: &str) -> Vec<Problem> {
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let (word, what) = REFUSED.iter().find(|(word, _)| line.contains(word))?;
            Some(Problem::at(file, index + 1, format!("`{word}` is {what}")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_stand() {
        let text = format!("fine\ncd {}here\n", REFUSED[0].0);
        assert_eq!(
            check("a.md", &text),
            [Problem::at("a.md", 2, format!("`{}` is a path of one machine", REFUSED[0].0))]
        );
        assert_eq!(check("a.md", "workers work on workspaces"), []);
    }
}
