//! Frames: leases, and who gets which.

use std::collections::HashMap;
use std::sync::Arc;

use deskwire_layout::Object;
use deskwire_wire::PeerId;

use super::Turn;
use crate::workspaces::ids::{FrameId, WorkspaceId};
use crate::workspaces::limits::{LEASE_MS, MAX_FRAME_ID, MAX_FRAMES, MAX_RUNNING_WINDOWS};
use crate::workspaces::model::{Bounds, Frame, Lease, WindowState};
use crate::workspaces::refused::Refused;
use crate::workspaces::resume::{Resume, RunningWindow};

impl Turn<'_> {
    /// A page takes a frame: the one it names, or one that waits, or a new one. The workspace that
    /// is selected there comes to life. `running` are windows whose pages it has already. If they have
    /// lost their instances meanwhile, they and their workspaces come to life, too.
    ///
    /// # Errors
    /// When another page holds the frame, its name is no name, there is no room for another one, or
    /// more windows are said to run than can.
    pub fn attach(
        &mut self,
        peer: &PeerId,
        wanted: Option<&FrameId>,
        bounds: Option<Bounds>,
        running: &[RunningWindow],
    ) -> Result<FrameId, Refused> {
        if running.len() > MAX_RUNNING_WINDOWS {
            return Err(Refused::TooMany { what: "running windows", limit: MAX_RUNNING_WINDOWS });
        }
        let id = match wanted {
            Some(id) => id.clone(),
            None => self.frame_for(peer),
        };
        match self.desk.frames.get(&id).map(|frame| &frame.lease) {
            None => self.add_frame(&id, None)?,
            Some(Lease::Held(holder)) if holder != peer => {
                return Err(Refused::FrameTaken { frame: id });
            }
            Some(_) => {}
        }
        let former = self.desk.frame_of(peer).map(|frame| frame.id.clone());
        if let Some(former) = former.filter(|former| *former != id) {
            self.let_go(&former)?;
        }
        let frame = self.frame_mut(&id)?;
        let (reloaded, lapsed) = (!frame.is_attached(), !frame.is_live());
        frame.lease = Lease::Held(peer.clone());
        frame.bounds = bounds.or(frame.bounds);
        if self.desk.focused.is_none() {
            self.desk.focused = Some(id.clone());
        }
        if reloaded {
            self.reload_pages(&id)?;
        }
        if lapsed {
            self.resume_pages(&id, running)?;
        }
        if let Some(selected) = self.desk.selected(&id).map(|workspace| workspace.id.clone()) {
            self.wake(&selected)?;
        }
        Ok(id)
    }

    /// A peer left the bus: the lease of its frame waits for another one.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn left(&mut self, peer: &PeerId) -> Result<(), Refused> {
        let frame = self.desk.frame_of(peer).map(|frame| frame.id.clone());
        frame.map_or(Ok(()), |frame| self.let_go(&frame))
    }

    /// Ends the waits that are over.
    ///
    /// # Errors
    /// None; it is what every change returns.
    pub fn expire(&mut self) -> Result<(), Refused> {
        let now = self.now;
        let is_over = |lease: &Lease| matches!(lease, Lease::Waiting { until: Some(until), .. } if *until <= now);
        let over: Vec<FrameId> = self
            .desk
            .frames
            .values()
            .filter(|frame| is_over(&frame.lease))
            .map(|frame| frame.id.clone())
            .collect();
        for frame in over {
            self.abandon(&frame)?;
        }
        Ok(())
    }

    /// A frame without a page. The first page that asks for none in particular gets it if
    /// workspaces are in it.
    ///
    /// # Errors
    /// When the name is taken or no name, or there is no room.
    pub fn create_frame(
        &mut self,
        wanted: Option<FrameId>,
        context: Option<Object>,
    ) -> Result<FrameId, Refused> {
        let id = wanted.unwrap_or_else(|| self.ids.frame());
        if self.desk.frames.contains_key(&id) {
            let reason = format!("there is a frame {id} already");
            return Err(Refused::BadArguments { reason });
        }
        self.add_frame(&id, context)?;
        Ok(id)
    }

    /// Closes a frame with all its workspaces.
    ///
    /// # Errors
    /// When there is no such frame.
    pub fn close_frame(&mut self, id: &FrameId) -> Result<(), Refused> {
        self.frame(id)?;
        for workspace in self.workspaces_in(id) {
            self.close_workspace(&workspace)?;
        }
        self.desk.frames.shift_remove(id);
        if self.desk.focused.as_ref() == Some(id) {
            self.desk.focused = None;
            self.refocus();
        }
        Ok(())
    }

    /// Makes a frame the one that was used last.
    ///
    /// # Errors
    /// When there is no such frame.
    pub fn focus_frame(&mut self, id: &FrameId) -> Result<(), Refused> {
        self.frame(id)?;
        self.desk.focused = Some(id.clone());
        Ok(())
    }

    /// The page says how large it is.
    ///
    /// # Errors
    /// When it holds no frame, or the bounds are those of nothing.
    pub fn set_bounds(&mut self, peer: &PeerId, bounds: Bounds) -> Result<(), Refused> {
        if !bounds.are_sound() {
            let reason = "`bounds` must have a width and a height above 0".to_owned();
            return Err(Refused::BadArguments { reason });
        }
        let id = self.held_by(peer)?;
        self.frame_mut(&id)?.bounds = Some(bounds);
        Ok(())
    }

    /// The frame that a peer holds.
    pub(super) fn held_by(&self, peer: &PeerId) -> Result<FrameId, Refused> {
        let frame = self.desk.frame_of(peer).ok_or(Refused::NotAttached)?;
        Ok(frame.id.clone())
    }

    /// Where something new goes if nobody says: to the page that was used last, to any page, or to
    /// the frame that waits longest; the last resort is a new frame.
    pub(super) fn usual_frame(&mut self) -> Result<FrameId, Refused> {
        let frames = &self.desk.frames;
        let focused = self.desk.focused.as_ref().and_then(|id| frames.get(id));
        let found = focused
            .filter(|frame| frame.is_attached())
            .or_else(|| frames.values().find(|frame| frame.is_attached()))
            .or_else(|| frames.values().next());
        match found {
            Some(frame) => Ok(frame.id.clone()),
            None => self.create_frame(None, None),
        }
    }

    pub(super) fn workspaces_in(&self, frame: &FrameId) -> Vec<WorkspaceId> {
        self.desk.workspaces_of(frame).iter().map(|workspace| workspace.id.clone()).collect()
    }

    /// The frame for a page that names none: its own; else one that waits, those with workspaces first,
    /// and those whose page will not come back before those whose page may; else a new one.
    fn frame_for(&mut self, peer: &PeerId) -> FrameId {
        if let Some(own) = self.desk.frame_of(peer) {
            return own.id.clone();
        }
        let has_workspaces =
            |id: &FrameId| self.desk.workspaces.values().any(|workspace| workspace.frame == *id);
        let rank = |frame: &Frame| match frame.lease {
            Lease::Held(_) => None,
            Lease::Waiting { since, until } => {
                let (is_empty, may_come_back) = (!has_workspaces(&frame.id), until.is_some());
                (!is_empty || !may_come_back).then_some((is_empty, may_come_back, since))
            }
        };
        let waiting = self.desk.frames.values().filter_map(|frame| Some((rank(frame)?, frame)));
        match waiting.min_by_key(|(rank, _)| *rank) {
            Some((_, frame)) => frame.id.clone(),
            None => self.ids.frame(),
        }
    }

    fn add_frame(&mut self, id: &FrameId, context: Option<Object>) -> Result<(), Refused> {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        let name = id.as_str();
        if name.is_empty() || name.len() > MAX_FRAME_ID || !name.bytes().all(letter) {
            let reason =
                format!("a frameId is 1 to {MAX_FRAME_ID} characters of A-Z a-z 0-9 . _ : -");
            return Err(Refused::BadArguments { reason });
        }
        if self.desk.frames.len() >= MAX_FRAMES {
            return Err(Refused::TooMany { what: "frames", limit: MAX_FRAMES });
        }
        let lease = Lease::Waiting { since: self.now, until: None };
        let frame = Frame { id: id.clone(), lease, bounds: None, context };
        self.desk.frames.insert(id.clone(), Arc::new(frame));
        Ok(())
    }

    /// The page of a frame is gone; it may come back within the time of a lease.
    fn let_go(&mut self, id: &FrameId) -> Result<(), Refused> {
        let (since, until) = (self.now, Some(self.now + LEASE_MS));
        self.frame_mut(id)?.lease = Lease::Waiting { since, until };
        Ok(())
    }

    /// Nobody came back.
    fn abandon(&mut self, id: &FrameId) -> Result<(), Refused> {
        let workspaces = self.workspaces_in(id);
        if workspaces.is_empty() {
            return self.close_frame(id);
        }
        if let Lease::Waiting { until, .. } = &mut self.frame_mut(id)?.lease {
            *until = None;
        }
        for workspace in workspaces {
            self.put_to_sleep(&workspace)?;
        }
        Ok(())
    }

    /// A page is there that has none of the windows' pages yet.
    fn reload_pages(&mut self, id: &FrameId) -> Result<(), Refused> {
        for id in self.workspaces_in(id) {
            let ready = |state: &WindowState| *state == WindowState::Ready;
            if self.workspace(&id)?.windows.values().any(|window| ready(&window.state)) {
                for window in self.workspace_mut(&id)?.windows.values_mut() {
                    if ready(&window.state) {
                        window.state = WindowState::Loading;
                    }
                }
            }
        }
        Ok(())
    }

    /// Pages that are there have lost their instances: their workspaces wake, and they may go on as what
    /// they were. As long as the lease holds they have lost nothing, and what sleeps is to sleep.
    fn resume_pages(&mut self, id: &FrameId, running: &[RunningWindow]) -> Result<(), Refused> {
        let running: HashMap<_, _> =
            running.iter().map(|running| (&running.window, &running.resume)).collect();
        for id in self.workspaces_in(id) {
            let windows = self.workspace(&id)?.windows.values();
            let resumes: Vec<_> = windows
                .filter_map(|window| {
                    Some((window.id.clone(), Resume::clone(running.get(&window.id)?)))
                })
                .collect();
            if !resumes.is_empty() {
                self.resumes.extend(resumes);
                self.wake(&id)?;
            }
        }
        Ok(())
    }

    /// Some frame with a page is the focused one, if there is any.
    fn refocus(&mut self) {
        let attached = self.desk.frames.values().find(|frame| frame.is_attached());
        self.desk.focused = attached.map(|frame| frame.id.clone());
    }
}
