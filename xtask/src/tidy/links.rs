//! Links between the documents of the repository lead somewhere.

use super::Problem;

/// Checks the relative links of a Markdown file. `read` gives the text of another file,
/// `exists` says whether a path is there; both from the root of the repository.
pub(super) fn check(
    file: &str,
    text: &str,
    read: &dyn Fn(&str) -> Option<String>,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<Problem> {
    if !file.ends_with(".md") {
        return Vec::new();
    }
    prose(text)
        .flat_map(|(line, prose)| targets(&prose).into_iter().map(move |target| (line, target)))
        .filter(|(_, target)| !target.contains("://") && !target.starts_with("mailto:"))
        .filter_map(|(line, target)| {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = resolve(file, path);
            if !exists(&path) {
                return Some(Problem::at(file, line, format!("the link leads nowhere: {target}")));
            }
            let known = anchor.is_empty()
                || !path.ends_with(".md")
                || read(&path).is_some_and(|text| headings(&text).any(|heading| heading == anchor));
            (!known).then(|| Problem::at(file, line, format!("no heading `#{anchor}` in {path}")))
        })
        .collect()
}

/// The lines outside fenced blocks, numbered from 1, without what stands between backticks.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return None;
        }
        let outside: String = line.split('`').step_by(2).collect();
        (!fenced).then_some((index + 1, outside))
    })
}

/// The targets of `[text](target)` in a line.
fn targets(line: &str) -> Vec<String> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
        .map(str::to_owned)
        .collect()
}

/// A link's path from the root of the repository; an empty one is the file itself.
fn resolve(file: &str, path: &str) -> String {
    if path.is_empty() {
        return file.to_owned();
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The anchors of a document's headings, as the common renderers make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let heading = line.trim_start_matches('#');
        let is_heading = heading.len() < line.len() && heading.starts_with(' ');
        is_heading.then(|| {
            heading
                .trim()
                .to_lowercase()
                .chars()
                .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
                .map(|letter| if letter == ' ' { '-' } else { letter })
                .collect()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[
        ("README.md", "# Top\n## Run `it`, now!\n"),
        ("docs/GUIDE.md", "# Guide\n"),
        ("docs/picture.svg", ""),
    ];

    fn problems(file: &str, text: &str) -> Vec<String> {
        let read = |path: &str| {
            FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
        };
        check(file, text, &read, &|path| read(path).is_some())
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn links_that_lead_somewhere() {
        for text in [
            "[a](../README.md) and [b](picture.svg)",
            "[c](../README.md#run-it-now)",
            "[d](https://example.com/nowhere) [e](mailto:me@example.com)",
            "`[f](nowhere.md)`",
            "```\n[g](nowhere.md)\n```",
            "[h](./GUIDE.md \"with a title\") [i](#guide)",
        ] {
            assert_eq!(problems("docs/GUIDE.md", text), [] as [String; 0], "{text}");
        }
    }

    #[test]
    fn links_that_do_not() {
        for (text, problem) in [
            ("\n[a](nowhere.md)", "docs/GUIDE.md:2: the link leads nowhere: nowhere.md"),
            ("[b](README.md)", "docs/GUIDE.md:1: the link leads nowhere: README.md"),
            ("[c](../README.md#gone)", "docs/GUIDE.md:1: no heading `#gone` in README.md"),
        ] {
            assert_eq!(problems("docs/GUIDE.md", text), [problem]);
        }
    }

    #[test]
    fn other_files_have_no_links() {
        assert_eq!(problems("src/lib.rs", "[a](nowhere.md)"), [] as [String; 0]);
    }
}
