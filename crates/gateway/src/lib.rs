//! The bus: a broker as a pure state machine, and its WebSocket and in-process links.
