CREATE TABLE layouts (
    kind     TEXT    NOT NULL, -- Global, Workspace, …
    name     TEXT    NOT NULL,
    document TEXT    NOT NULL, -- a JSON object
    saved_ms INTEGER NOT NULL, -- since 1970
    PRIMARY KEY (kind, name)
) STRICT;

-- No reference to layouts: a marker may name a layout of a file.
CREATE TABLE layout_markers (
    marker TEXT NOT NULL PRIMARY KEY, -- default, current
    kind   TEXT NOT NULL,
    name   TEXT NOT NULL
) STRICT;

PRAGMA user_version = 2;
