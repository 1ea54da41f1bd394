//! The two ports of workspaces, kept in memory: a keeper of instances for which every application is there but
//! those that start with `nope`, and a shelf of saved layouts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use deskwire_platform::workspaces::{
    InstanceRef, LayoutFailure, SavedLayout, Standing, WindowEvent, WindowInstances, WindowRefused,
    WindowStart, WindowTicket, WorkspaceLayouts,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::broadcast;

pub struct Windows {
    running: Mutex<HashMap<InstanceRef, WindowStart>>,
    events: broadcast::Sender<WindowEvent>,
    started: std::sync::atomic::AtomicU64,
}

impl Default for Windows {
    fn default() -> Self {
        let (events, _) = broadcast::channel(1_024);
        Self { running: Mutex::default(), events, started: 0.into() }
    }
}

impl Windows {
    /// Contexts of what runs, by application.
    pub fn running(&self) -> Vec<(String, Value)> {
        let running = self.running.lock().unwrap();
        let mut all: Vec<_> = running
            .values()
            .map(|start| (start.application.clone(), Value::Object(start.context.clone())))
            .collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    }

    /// Something happens to an instance.
    pub fn tell(&self, event: WindowEvent) {
        self.events.send(event).unwrap();
    }

    fn end(&self, instance: &InstanceRef) {
        self.running.lock().unwrap().remove(instance);
    }
}

impl WindowInstances for Windows {
    fn open_window(&self, window: WindowStart) -> Result<InstanceRef, WindowRefused> {
        if window.application.starts_with("nope") {
            let reason = format!("there is no application `{}`", window.application);
            return Err(WindowRefused::Missing(reason));
        }
        let number = self.started.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let instance = InstanceRef::from(format!("{}-{number}", window.application));
        self.running.lock().unwrap().insert(instance.clone(), window);
        Ok(instance)
    }

    fn ticket(&self, instance: &InstanceRef) -> Option<WindowTicket> {
        let running = self.running.lock().unwrap();
        let start = running.get(instance)?;
        Some(WindowTicket {
            instance: instance.clone(),
            application: start.application.clone(),
            url: format!("http://demo.localhost/{}", start.application),
            gateway_url: "ws://localhost/gw".into(),
            gateway_token: "token".into(),
            starting_context: Value::Object(start.context.clone()),
            defined_at: "apps.json:1".into(),
        })
    }

    fn standing(&self, instance: &InstanceRef) -> Standing {
        let running = self.running.lock().unwrap();
        if running.contains_key(instance) { Standing::Starting } else { Standing::Gone }
    }

    fn window_failed(&self, instance: &InstanceRef, _reason: &str) {
        self.end(instance);
    }

    fn window_closed(&self, instance: &InstanceRef) {
        self.end(instance);
    }

    fn stop(&self, instance: &InstanceRef) {
        self.end(instance);
    }

    fn events(&self) -> broadcast::Receiver<WindowEvent> {
        self.events.subscribe()
    }
}

#[derive(Default)]
pub struct Shelf(Mutex<Vec<SavedLayout>>);

impl Shelf {
    fn put(&self, layout: SavedLayout) {
        let mut all = self.0.lock().unwrap();
        all.retain(|other| other.name != layout.name);
        all.push(layout);
    }
}

impl WorkspaceLayouts for Shelf {
    fn all(&self) -> Vec<SavedLayout> {
        self.0.lock().unwrap().clone()
    }

    fn get(&self, name: &str) -> Option<SavedLayout> {
        self.0.lock().unwrap().iter().find(|layout| layout.name == name).cloned()
    }

    fn save(&self, layout: SavedLayout) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        self.put(layout);
        async { Ok(()) }.boxed()
    }

    fn import(
        &self,
        layouts: Vec<SavedLayout>,
        replace: bool,
    ) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        if replace {
            self.0.lock().unwrap().clear();
        }
        layouts.into_iter().for_each(|layout| self.put(layout));
        async { Ok(()) }.boxed()
    }

    fn remove(&self, name: &str) -> BoxFuture<'_, Result<(), LayoutFailure>> {
        self.0.lock().unwrap().retain(|layout| layout.name != name);
        async { Ok(()) }.boxed()
    }
}

/// Layouts that somebody has.
pub fn shelf(layouts: impl IntoIterator<Item = Value>) -> Arc<Shelf> {
    let shelf = Arc::<Shelf>::default();
    for document in layouts {
        let name = document["name"].as_str().unwrap().to_owned();
        shelf.put(SavedLayout { name, document: Arc::new(document) });
    }
    shelf
}
