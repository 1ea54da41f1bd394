//! Crates look up, never down: each depends only on those before it.

use std::path::Path;

use super::Problem;
use super::metadata::{Metadata, Package};

/// The crates by folder; each may depend on those before it, in tests too.
const ORDER: &[&str] = &[
    "wire",
    "layout",
    "catalog",
    "apps-wire",
    "gateway",
    "connect",
    "store",
    "platform",
    "context",
    "mcp",
    "mcp-apps",
    "models",
    "assist",
    "web-assets",
    "deskwire",
];

/// The package of the folder `crates/<folder>`.
fn package_of(folder: &str) -> String {
    if folder == "deskwire" { folder.to_owned() } else { format!("deskwire-{folder}") }
}

fn place_of(package: &str) -> Option<usize> {
    ORDER.iter().position(|folder| package_of(folder) == package)
}

/// Names and dependencies of every crate.
pub(super) fn check(metadata: &Metadata) -> Vec<Problem> {
    metadata
        .packages
        .iter()
        .flat_map(|package| {
            let manifest = manifest_of(package, &metadata.workspace_root);
            match manifest.strip_prefix("crates/").and_then(|path| path.split('/').next()) {
                Some(folder) => check_crate(package, folder, &manifest),
                None => Vec::new(),
            }
        })
        .collect()
}

fn manifest_of(package: &Package, root: &Path) -> String {
    let path = package.manifest_path.strip_prefix(root).unwrap_or(&package.manifest_path);
    path.to_string_lossy().replace('\\', "/")
}

fn check_crate(package: &Package, folder: &str, manifest: &str) -> Vec<Problem> {
    if package.name != package_of(folder) {
        let message = format!("the package is to be called `{}`", package_of(folder));
        return vec![Problem::in_file(manifest, message)];
    }
    let Some(own) = place_of(&package.name) else {
        let message =
            "the crate has no place in the order; give it one in xtask/src/tidy/layers.rs";
        return vec![Problem::in_file(manifest, message)];
    };
    package
        .dependencies
        .iter()
        .filter(|dependency| place_of(&dependency.name).is_some_and(|place| place >= own))
        .map(|dependency| {
            let message = format!("`{}` may not depend on `{}`", package.name, dependency.name);
            Problem::in_file(manifest, format!("{message}, which stands below it"))
        })
        .collect()
}

/// Every package takes the lints of the workspace.
pub(super) fn check_manifest(file: &str, text: &str) -> Option<Problem> {
    let is_package =
        file.ends_with("Cargo.toml") && text.lines().any(|line| line.trim() == "[package]");
    let inherits = text
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[lints]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .any(|line| line.replace(' ', "") == "workspace=true");
    (is_package && !inherits).then(|| {
        Problem::in_file(file, "the lints of the workspace are missing: [lints] workspace = true")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(folder: &str, name: &str, dependencies: &[&str]) -> Vec<String> {
        let dependencies: Vec<_> =
            dependencies.iter().map(|name| serde_json::json!({ "name": name })).collect();
        let metadata = serde_json::json!({
            "target_directory": "/t",
            "workspace_root": "/r",
            "packages": [{
                "name": name,
                "manifest_path": format!("/r/{folder}/Cargo.toml"),
                "dependencies": dependencies,
            }],
        });
        check(&serde_json::from_value(metadata).unwrap()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn looking_up_is_fine() {
        let empty: [String; 0] = [];
        assert_eq!(problems("crates/wire", "deskwire-wire", &["serde"]), empty);
        assert_eq!(problems("crates/connect", "deskwire-connect", &["deskwire-gateway"]), empty);
        assert_eq!(problems("crates/deskwire", "deskwire", &["deskwire-mcp", "clap"]), empty);
        assert_eq!(problems("xtask", "xtask", &["clap"]), empty);
    }

    #[test]
    fn looking_down_or_aside_is_not() {
        assert_eq!(
            problems("crates/gateway", "deskwire-gateway", &["deskwire-wire", "deskwire-connect"]),
            [
                "crates/gateway/Cargo.toml: `deskwire-gateway` may not depend on `deskwire-connect`, \
                 which stands below it"
            ]
        );
        assert_eq!(problems("crates/wire", "deskwire-wire", &["deskwire-wire"]).len(), 1);
    }

    #[test]
    fn names_and_places() {
        assert_eq!(
            problems("crates/wire", "wire", &[]),
            ["crates/wire/Cargo.toml: the package is to be called `deskwire-wire`"]
        );
        assert!(problems("crates/new", "deskwire-new", &[])[0].contains("no place in the order"));
    }

    #[test]
    fn lints() {
        let good = "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n";
        assert_eq!(check_manifest("a/Cargo.toml", good), None);
        for bad in [
            "[package]\nname = \"x\"\n",
            "[package]\n[lints]\nworkspace = false\n",
            "[package]\n[lints]\n[other]\nworkspace = true\n",
        ] {
            assert!(check_manifest("a/Cargo.toml", bad).is_some(), "{bad}");
        }
        assert_eq!(check_manifest("Cargo.toml", "[workspace]\n"), None);
        assert_eq!(check_manifest("notes.md", "[package]\n"), None);
    }
}
