//! What was acknowledged outlives a process that is killed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use deskwire_store::Store;
use serde_json::{Map, Value, json};

/// Present in the process that is to be killed: the file it saves to.
const FILE: &str = "DESKWIRE_STORE_TEST_FILE";
const ROUND: &str = "DESKWIRE_STORE_TEST_ROUND";

const ROUNDS: usize = 6;
const SAVERS: usize = 8;
const SAVES: usize = 25;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_saves_outlive_a_killed_process() {
    if let Some(file) = std::env::var_os(FILE) {
        let round = std::env::var(ROUND).unwrap();
        return save_until_killed(Path::new(&file), &round).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let mut acknowledged = HashSet::new();
    for round in 0..ROUNDS {
        // The first rounds end early and late for certain, the others anywhere.
        let after = [1, SAVERS * SAVES - 1]
            .get(round)
            .copied()
            .unwrap_or_else(|| rand::random_range(1..SAVERS * SAVES));
        acknowledged.extend(kill_a_saver(&file, round, after));

        let store = Store::open(&file).await.expect("the next one can open the file");
        let kept = everything(&store).await;
        store.close().await;
        let lost: Vec<_> = acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "killed after {after} of round {round}, lost {lost:?}");
    }
    assert!(acknowledged.len() >= SAVERS * SAVES, "{} saves", acknowledged.len());
}

/// Starts a process that saves, kills it once it has acknowledged `after`
/// saves, and gives all that it has acknowledged.
fn kill_a_saver(file: &Path, round: usize, after: usize) -> HashSet<String> {
    let mut saver = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "acknowledged_saves_outlive_a_killed_process", "--nocapture"])
        .env(FILE, file)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut acknowledged = HashSet::new();
    let mut lines = BufReader::new(saver.stdout.take().unwrap()).lines();
    while let Some(line) = lines.next().transpose().unwrap() {
        if let Some(saved) = line.strip_prefix("saved ") {
            acknowledged.insert(saved.to_owned());
            if acknowledged.len() == after {
                saver.kill().unwrap();
            }
        }
    }
    let ended = saver.wait().unwrap();
    assert!(acknowledged.len() >= after, "it ended by itself, with {ended}");
    acknowledged
}

/// The other process: several savers at once, each printing what is acknowledged.
async fn save_until_killed(file: &Path, round: &str) {
    let saving = async {
        let store = Store::open(file).await.unwrap();
        let savers: Vec<_> = (0..SAVERS)
            .map(|saver| {
                tokio::spawn(save_one_after_another(store.clone(), format!("{round}-{saver}")))
            })
            .collect();
        for saver in savers {
            saver.await.unwrap();
        }
        std::future::pending::<()>().await;
    };
    // Nobody is left behind if the test that started it has gone.
    let _ = tokio::time::timeout(Duration::from_secs(60), saving).await;
}

async fn save_one_after_another(store: Store, saver: String) {
    for number in 0..SAVES {
        let name = format!("{saver}-{number}");
        match number % 3 {
            0 => store.layouts().put("Global", &name, &document(&name), 1).await.unwrap(),
            1 => store.workspaces().put(&name, &document(&name)).await.unwrap(),
            _ => {
                let mut data = Map::new();
                data.insert(name.clone(), Value::String(name.repeat(100)));
                store.preferences().merge("ann", &saver, &data, 1).await.unwrap();
            }
        }
        // One write, so that a line is there as a whole or not at all.
        std::io::stdout().write_all(format!("\nsaved {name}\n").as_bytes()).unwrap();
    }
}

fn document(name: &str) -> String {
    json!({ "name": name, "filling": name.repeat(100) }).to_string()
}

/// The names of all that is in the store, each with all of its content.
async fn everything(store: &Store) -> HashSet<String> {
    let mut names = HashSet::new();
    for layout in store.layouts().all().await.unwrap() {
        assert_eq!(layout.document, document(&layout.name));
        names.insert(layout.name);
    }
    for workspace in store.workspaces().all().await.unwrap() {
        assert_eq!(workspace.document, document(&workspace.id));
        names.insert(workspace.id);
    }
    for preference in store.preferences().all("ann").await.unwrap() {
        let data: Map<String, Value> = serde_json::from_str(&preference.data).unwrap();
        for (name, value) in data {
            assert_eq!(value, name.repeat(100));
            names.insert(name);
        }
    }
    names
}
