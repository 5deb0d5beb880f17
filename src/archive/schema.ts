/**
 * The archive's tables. Times are as in `Time`; `*_ms` are epoch milliseconds. Text columns hold redacted text only.
 * `migrations[n]` takes version n to n + 1 (`PRAGMA user_version`); a file with a higher version is refused.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    harness TEXT NOT NULL,
    sid TEXT NOT NULL,                 -- the store's own id
    title TEXT, workspace TEXT, project TEXT,
    started_at TEXT, updated_at TEXT,
    parent_sid TEXT, kind TEXT NOT NULL, model TEXT,
    archived INTEGER NOT NULL DEFAULT 0,
    deleted_at TEXT,                   -- when all its transcripts were first seen gone, their root being there
    written_ms INTEGER NOT NULL DEFAULT 0,  -- newest change of its transcripts: liveness only, never shown as a time
    redaction INTEGER NOT NULL,        -- version of the rules that its title went through
    UNIQUE (harness, sid)
  );
  CREATE INDEX sessions_by_project ON sessions (project, updated_at);

  -- every project in which a session was worked or changed files, its own included
  CREATE TABLE session_projects (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    project TEXT NOT NULL,
    PRIMARY KEY (session_id, project)
  ) WITHOUT ROWID;
  CREATE INDEX session_projects_by_project ON session_projects (project);

  CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    session_id INTEGER REFERENCES sessions ON DELETE CASCADE,  -- null: no session in it (yet)
    harness TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL UNIQUE, rank INTEGER NOT NULL,
    ordinal INTEGER NOT NULL DEFAULT 0,  -- place among its session's transcripts
    dev INTEGER, inode INTEGER, size INTEGER NOT NULL, mtime_ms REAL NOT NULL,
    prefix TEXT,                       -- hashes of head and tail of what was read: notices a rewrite
    state TEXT,                        -- the reader's, JSON
    reader INTEGER NOT NULL,           -- the reader's version
    problems TEXT,                     -- JSON Problem[]
    tries INTEGER NOT NULL DEFAULT 0,  -- reads that ended the worker; skipped after some
    gone_at TEXT
  );
  CREATE INDEX transcripts_by_session ON transcripts (session_id);

  CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    transcript_id INTEGER NOT NULL REFERENCES transcripts ON DELETE CASCADE,
    seq INTEGER NOT NULL,              -- the reader's
    pos INTEGER NOT NULL,              -- order within the session, over its transcripts
    kind TEXT NOT NULL, at TEXT, tool TEXT,
    command TEXT, exit_code INTEGER, outcome TEXT,
    form TEXT,                         -- command only: commandForm(command); null for what has none
    path TEXT, text TEXT, removed TEXT, added TEXT,  -- the first 4 KB each; the whole in big when there is more
    big BLOB,                          -- deflated JSON {text?, removed?, added?}
    flags INTEGER NOT NULL DEFAULT 0,  -- 1 aside, 2 copied, 4 partial
    redaction INTEGER NOT NULL,
    UNIQUE (transcript_id, seq)
  );
  CREATE INDEX records_by_session ON records (session_id, pos);
  CREATE INDEX records_by_path ON records (path) WHERE path IS NOT NULL;
  CREATE INDEX records_by_form ON records (form) WHERE form IS NOT NULL;

  -- error signatures (see errorSignatures) of commands that failed
  CREATE TABLE errors (
    record_id INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,  -- the command
    session_id INTEGER NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (record_id, signature)
  ) WITHOUT ROWID;
  CREATE INDEX errors_by_signature ON errors (signature);

  -- full text of everything, row ids as in records; fed with the output of searchText
  CREATE VIRTUAL TABLE records_fts USING fts5 (text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");

  CREATE TABLE usage (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    harness TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL,
    at TEXT, model TEXT, provider TEXT,
    input INTEGER, output INTEGER, cache_read INTEGER, cache_write INTEGER, reasoning INTEGER, unsplit INTEGER,
    cost_usd REAL, coverage TEXT, inherited TEXT,
    PRIMARY KEY (harness, key)
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_session ON usage (session_id);
  -- running totals as they were seen to grow (scope 'total'): what was spent on which day
  CREATE TABLE usage_growth (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    seen_ms INTEGER NOT NULL, unsplit INTEGER, cost_usd REAL
  );
  CREATE INDEX usage_growth_by_session ON usage_growth (session_id);

  -- compactions whose history the agent wrote apart, as records (deflated JSON)
  CREATE TABLE compactions (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    key TEXT NOT NULL, at_ms INTEGER NOT NULL, history BLOB,
    PRIMARY KEY (session_id, key)
  ) WITHOUT ROWID;

  -- what must not come back; the file forgotten.jsonl beside the archive says the same
  CREATE TABLE forgotten (
    kind TEXT NOT NULL,                -- session, project, before
    harness TEXT NOT NULL DEFAULT '', value TEXT NOT NULL, at TEXT NOT NULL, title TEXT,
    PRIMARY KEY (kind, harness, value)
  ) WITHOUT ROWID;

  -- durable notes (deja mcp, mode remember)
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY, project TEXT, at TEXT NOT NULL, text TEXT NOT NULL, redaction INTEGER NOT NULL
  );
  `,
]
