PRAGMA application_id = 1146309463; -- "DSKW": this file is ours

CREATE TABLE preferences (
    user       TEXT    NOT NULL,
    app        TEXT    NOT NULL,
    data       TEXT    NOT NULL, -- a JSON object
    updated_ms INTEGER NOT NULL, -- since 1970
    PRIMARY KEY (user, app)
) STRICT;

PRAGMA user_version = 1;
