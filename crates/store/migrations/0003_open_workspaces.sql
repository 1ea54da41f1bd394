CREATE TABLE open_workspaces (
    position INTEGER NOT NULL PRIMARY KEY, -- in order of opening
    id       TEXT    NOT NULL UNIQUE,
    document TEXT    NOT NULL              -- a JSON object
) STRICT;

PRAGMA user_version = 3;
