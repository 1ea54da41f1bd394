//! Durable repositories over one SQLite file.
