// How every server of the benchmark says on stdout that it is ready, and where.

export const announce = (what, where) => process.stdout.write(`${what.padEnd(11)}${where}\n`);
