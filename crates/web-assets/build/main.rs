//! Decides where the built web comes from, and embeds it.
//!
//! Debug builds embed nothing and need no Node; see the README.
#![expect(clippy::print_stdout, reason = "this is how a build script speaks to Cargo")]

mod files;
mod npm;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() {
    println!("cargo:rustc-check-cfg=cfg(embedded)");
    println!("cargo:rerun-if-env-changed=DESKWIRE_WEB");
    println!("cargo:rerun-if-env-changed=DESKWIRE_WEB_DIST");
    println!("cargo:rerun-if-changed=build");
    if let Err(error) = embed() {
        println!("cargo::error={}", error.to_string().replace('\n', " "));
    }
}

fn embed() -> Outcome<()> {
    if std::env::var_os("CARGO_FEATURE_WEB").is_none() {
        return Ok(());
    }
    let out = PathBuf::from(variable("OUT_DIR")?);
    let dist = if let Some(given) = std::env::var_os("DESKWIRE_WEB_DIST") {
        given_folder(Path::new(&given))?
    } else if variable("PROFILE")? == "release" || wanted()? {
        let web = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../web").canonicalize()?;
        npm::build(&web, &out)?
    } else {
        return Ok(());
    };
    table::write(&dist, &out)?;
    println!("cargo:rustc-cfg=embedded");
    Ok(())
}

fn given_folder(folder: &Path) -> Outcome<PathBuf> {
    if !folder.is_absolute() || !folder.join("desk/index.html").is_file() {
        return Err(format!(
            "DESKWIRE_WEB_DIST is `{}`; it has to be the absolute path of a built web/dist, with \
             desk/index.html in it",
            folder.display()
        )
        .into());
    }
    files::watch(folder)?;
    Ok(folder.to_owned())
}

/// Whether a debug build is to embed the web, too.
fn wanted() -> Outcome<bool> {
    match std::env::var("DESKWIRE_WEB").as_deref() {
        Err(_) | Ok("") => Ok(false),
        Ok("build") => Ok(true),
        Ok(other) => Err(format!("DESKWIRE_WEB is `{other}`; it can only be `build`").into()),
    }
}

fn variable(name: &str) -> Outcome<String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}").into())
}
