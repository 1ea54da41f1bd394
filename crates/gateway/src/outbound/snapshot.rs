//! All that is there, for a newcomer.

use deskwire_wire::{Domain, MethodDef, PeerId, ServerFrame, ServerMessage};

use crate::broker::{ContextNo, Listed, Member, PeerNo, Roster};

/// All that is there, as of one moment: an iterator of frames.
#[derive(Debug)]
pub struct Snapshot {
    to: PeerId,
    domain: Domain,
    pub(super) weight: usize,
    pub(super) footprint: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The other members of a domain, with their methods where it is `agm`.
    Members {
        members: Roster<PeerNo, Member>,
        except: PeerNo,
        place: (usize, usize),
        /// Methods of the member at `place` that have been announced; `None`
        /// when not even the member has been.
        announced: Option<usize>,
        chunk_bytes: usize,
    },
    /// The shared contexts.
    Contexts { contexts: Roster<ContextNo, Listed>, place: (usize, usize) },
}

impl Snapshot {
    pub(crate) fn members(
        to: PeerId,
        except: PeerNo,
        domain: Domain,
        members: &Roster<PeerNo, Member>,
        weight: usize,
        chunk_bytes: usize,
    ) -> Self {
        let members = members.clone();
        let footprint = size_of::<Self>() + members.handle_bytes();
        let content =
            Content::Members { members, except, place: (0, 0), announced: None, chunk_bytes };
        Self { to, domain, weight, footprint, content }
    }

    pub(crate) fn contexts(
        to: PeerId,
        domain: Domain,
        contexts: &Roster<ContextNo, Listed>,
        weight: usize,
    ) -> Self {
        let contexts = contexts.clone();
        let footprint = size_of::<Self>() + contexts.handle_bytes();
        let content = Content::Contexts { contexts, place: (0, 0) };
        Self { to, domain, weight, footprint, content }
    }
}

impl Iterator for Snapshot {
    type Item = ServerFrame;

    fn next(&mut self) -> Option<ServerFrame> {
        let message = match &mut self.content {
            Content::Contexts { contexts, place } => {
                let (at, listed) = contexts.at(*place)?;
                *place = (at.0, at.1 + 1);
                ServerMessage::ContextAdded {
                    creator_id: listed.owner.clone(),
                    context_id: listed.id.clone(),
                    name: listed.name.to_string(),
                }
            }
            Content::Members { members, except, place, announced, chunk_bytes } => loop {
                let (at, member) = members.at(*place)?;
                *place = at;
                let next = (at.0, at.1 + 1);
                match *announced {
                    None if member.no == *except || !member.is_in(self.domain) => *place = next,
                    None => {
                        *announced = Some(0);
                        break member.added();
                    }
                    Some(done) => {
                        let left = member.methods.len().saturating_sub(done);
                        if self.domain != Domain::Agm || left == 0 {
                            (*place, *announced) = (next, None);
                            continue;
                        }
                        let rest = member.methods.values().skip(done).map(|method| &method.def);
                        let methods = first_chunk(rest, *chunk_bytes);
                        *announced = Some(done + methods.len());
                        break member.methods_added(methods);
                    }
                }
            },
        };
        Some(ServerFrame {
            domain: Some(self.domain),
            request_id: None,
            peer_id: Some(self.to.clone()),
            message,
        })
    }
}

/// As many definitions from the front as go into one frame; at least one.
pub(crate) fn first_chunk<'a>(
    methods: impl Iterator<Item = &'a MethodDef>,
    chunk_bytes: usize,
) -> Vec<MethodDef> {
    let mut bytes = 0_usize;
    methods
        .take_while(|method| {
            let first = bytes == 0;
            bytes += method.definition().len();
            first || bytes <= chunk_bytes
        })
        .cloned()
        .collect()
}
