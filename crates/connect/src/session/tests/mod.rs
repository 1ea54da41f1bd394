//! Conversations as tables ([`table`]), and whole buses ([`simulation`]).

mod bus;
mod calls;
mod contexts;
mod directory;
mod hello;
mod hostile;
mod simulation;
mod streams;
mod table;
