//! Methods of the bus as MCP tools: who sees which and why; call, check, answer.
